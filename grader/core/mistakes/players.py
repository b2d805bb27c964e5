"""Mistakes of `player`: any rule that counts marks."""

from collections.abc import Iterator
from typing import Final

from grader.core.game.board import O, X, marks
from grader.core.messages import later, ngettext
from grader.core.mistakes.family import Key, Part, SeenReplies, Variant, always, is_raised, text_of

_HINT: Final = later("X begins, so it is X's turn when both have as many marks, else O's.")
_AS_GIVEN: Final = later("Return X or O, as given.")


def by_counts(seen: SeenReplies) -> Iterator[Variant]:
    """Propose the rule by the number of marks that the first boards of each number show."""
    table: dict[int, Key] = {}
    for board, key in seen.by_board.items():
        table.setdefault(marks(board), key)
    if any(is_raised(key) for key in table.values()):
        return
    said = [table[count] for count in sorted(table)]
    yield Variant((_words(said),), always(lambda board: table[marks(board)]))


def _words(said: list[Key]) -> Part:
    right = [O if count % 2 else X for count in range(len(said))]
    text = ", ".join(key if isinstance(key, str) else text_of(key) for key in said)
    parameters = {"by_marks": [text_of(key) for key in said]}
    if said == [O if turn == X else X for turn in right]:
        sentence = later("In your `player` O begins: it says O where it is X's turn, and X where it is O's.")
        return Part("o-begins", later("lets O begin"), sentence, _HINT, parameters)
    if said == [turn.lower() for turn in right]:
        title = later("answers in lower case")
        sentence = later(
            "`player` answers in lower case: return the constants X and O, not letters of your own."
        )
        return Part("lower-case", title, sentence, _AS_GIVEN, parameters)
    renamed = dict(zip(right, said, strict=True))
    if len(set(renamed.values())) == 2 and said == [renamed[turn] for turn in right]:
        words = {"for_x": text_of(renamed[X]), "for_o": text_of(renamed[O])}
        title = later("answers {for_x} for X and {for_o} for O")
        sentence = later(
            "`player` changes sides at the right moments, but answers {for_x} for X and {for_o} for O."
        )
        return Part("other-words", title, sentence, _AS_GIVEN, parameters, words)
    wrong = [count for count, (key, turn) in enumerate(zip(said, right, strict=True)) if key != turn]
    if len(wrong) == 1:
        (count,) = wrong
        if count:
            return Part(
                "one-turn",
                lambda: ngettext(
                    "is wrong when {count} cells are taken", "is wrong when {count} cells are taken", count
                ),
                lambda: ngettext(
                    "`player` says {said} when {count} cells are taken; it is right otherwise.",
                    "`player` says {said} when {count} cells are taken; it is right otherwise.",
                    count,
                    said=text_of(said[count]),
                ),
                _HINT,
                parameters,
            )
        title = later("is wrong on the empty board")
        sentence = later("`player` says {said} on the empty board; it is right otherwise.")
        return Part("one-turn", title, sentence, _HINT, parameters, {"said": text_of(said[0])})
    title = later("changes sides at the wrong moments")
    sentence = later("After 0, 1, 2, ... marks your `player` says {said}. Right is {right}.")
    return Part("counts", title, sentence, _HINT, parameters, {"said": text, "right": ", ".join(right)})
