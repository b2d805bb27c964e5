"""Name the mistakes in the answers of a function: each family is asked, and only what is proved is named."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Final

from grader.core.asking.reply import Arguments, Raised, Reply, Returned
from grader.core.game.board import rows
from grader.core.grade import Example, Mistake
from grader.core.messages import _, alternatives
from grader.core.mistakes import family, outcomes, policies, steps, winners
from grader.core.mistakes.family import Family, Part, SeenReplies, key_of, key_of_value, right_key, text_of

_EXAMPLES: Final = 3
SILENT: Final = frozenset({"not-written", "raises", "missing", "never-answers", "ends-the-program"})
"""Mistakes that are the whole function's: there is no answer to show, and nothing else to be said of it."""

_ANY: Final = (family.no_answer, family.one_answer)
_LAST: Final = (family.one_answer_on_a_set, family.raises_where_wrong)
_FAMILIES: Final[dict[str, tuple[Family, ...]]] = {
    "player": (*_ANY, steps.by_counts, *_LAST),
    "actions": (*_ANY, steps.cells_by_content, *_LAST),
    "winner": (*_ANY, *winners.FAMILIES, *_LAST),
    "result": (*_ANY, steps.placements, *_LAST),
    "terminal": (*_ANY, *outcomes.OF_TERMINAL, *_LAST),
    "utility": (*_ANY, *outcomes.OF_UTILITY, *_LAST),
    "minimax": (*_ANY, policies.no_actions, policies.policies, *_LAST),
}
_AT_THE_END: Final = (*_ANY, policies.when_over, *_LAST)


def in_answers(seen: SeenReplies) -> tuple[Mistake, ...]:
    """Return the mistakes that explain all answers of a function."""
    return _named(seen, "answers", _FAMILIES[seen.function])


def at_the_end(seen: SeenReplies) -> tuple[Mistake, ...]:
    """Return the mistakes that explain all answers of minimax when the game is over."""
    return _named(seen, "end", _AT_THE_END)


def with_the_board(
    function: str, calls: Sequence[Arguments], replies: Sequence[Reply]
) -> tuple[Mistake, ...]:
    """Return the mistake of a function that changes the board it is given."""
    part = steps.changed_board(replies)
    shown = (
        (
            call,
            _("the board as it was"),
            _("now it is {board}", board=text_of(key_of_value(reply.board_after))),
        )
        for call, reply in zip(calls, replies, strict=True)
        if isinstance(reply, Returned | Raised) and reply.changed
    )
    return (_mistake(function, "board", part, shown),) if part else ()


def in_refusals(calls: Sequence[Arguments], replies: Sequence[Reply]) -> tuple[Mistake, ...]:
    """Return the mistake of a `result` that accepts what is not valid."""
    part = steps.accepted(calls, replies)
    shown = (
        (call, _("an exception"), text_of(key_of(reply)))
        for call, reply in zip(calls, replies, strict=True)
        if isinstance(reply, Returned)
    )
    return (_mistake("result", "refusals", part, shown),) if part else ()


def _named(seen: SeenReplies, aspect: str, families: Sequence[Family]) -> tuple[Mistake, ...]:
    """Return the parts of the first variant that gives every answer, as mistakes."""
    if not any(seen.wrong):
        return ()
    variants = chain.from_iterable(propose(seen) for propose in (families if seen.whole else _ANY[:1]))
    parts = next((variant.parts for variant in variants if seen.is_explained(variant.gives)), ())
    if not parts and seen.whole and (first := family.exception_first(seen)):
        parts = (first,)
    return tuple(
        _mistake(seen.function, aspect, part, () if part.id in SILENT else _wrong_calls(seen))
        for part in parts
    )


def _wrong_calls(seen: SeenReplies) -> Iterator[tuple[Arguments, str, str]]:
    """Yield the calls with wrong answers, what was expected and what came: the fewest marks come first."""
    for call, key in seen.wrong_answers:
        right = right_key(seen.function, call)
        expected = sorted(map(text_of, right)) if isinstance(right, frozenset) else [text_of(right)]
        yield call, alternatives(expected), text_of(key)


def _mistake(function: str, aspect: str, part: Part, shown: Iterable[tuple[Arguments, str, str]]) -> Mistake:
    return Mistake(
        function=function,
        aspect=aspect,
        id=part.id,
        title=part.text(part.title, function),
        sentence=part.text(part.sentence, function),
        hint=part.text(part.hint, function),
        parameters=part.parameters,
        boards=tuple(
            Example(
                board=rows(board),
                call=f"{function}({', '.join(['board', *map(repr, rest)])})",
                expected=expected,
                got=got,
            )
            for (board, *rest), expected, got in islice(shown, _EXAMPLES)
        ),
    )
