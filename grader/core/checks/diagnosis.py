"""What to mend: the mistakes of a submission, and which failed cases each of them explains."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from grader.core.asking.client import Arguments, Client
from grader.core.asking.reply import Raised, Reply, Returned
from grader.core.checks.functions import calls_of
from grader.core.checks.rights import every_call
from grader.core.checks.swept import Sweep, was_asked
from grader.core.course.questions import Case, Reject
from grader.core.evidence import Mistake
from grader.core.game import oracle
from grader.core.game.board import Board, is_over
from grader.core.game.interface import FUNCTIONS, MENDING
from grader.core.grade import Verdict
from grader.core.mistakes import naming
from grader.core.mistakes.family import Seen
from grader.core.mistakes.key import Key

Judged = Sequence[tuple[str, Verdict]]
"""Verdicts, each with the id of its criterion."""


@dataclass
class _Heard:
    """What a submission answered, as far as it was asked; and whom its functions follow."""

    client: Client
    sweep: Sweep | None
    refusals: list[Arguments] = field(default_factory=list)
    follows: dict[tuple[str, str | None], tuple[str, ...]] = field(default_factory=dict)
    """By function and aspect."""
    alone: set[str] = field(default_factory=set)

    def all_of(self, function: str) -> tuple[Sequence[Arguments], Sequence[Reply]] | None:
        """Return every call of a function with its reply, or None when not all were asked.

        Of minimax, running and finished boards are told apart: it is those that were asked.
        """
        boards = FUNCTIONS[function].domain.members()
        if function == "minimax":
            if self.sweep is None:
                return None
            asked = self.sweep.asked(boards)
            return [(board,) for board in asked], [self.sweep.replies[board] for board in asked]
        calls = every_call(function, boards)
        replies = self.client.known(function, calls)
        return (calls, replies) if replies else None


def diagnosed(
    client: Client, sweep: Sweep | None, cases: Sequence[Case], verdicts: Judged
) -> tuple[list[tuple[str, Verdict]], tuple[Mistake, ...]]:
    """Return the verdicts, each with what explains it, and the mistakes in the order to mend them.

    Nothing is asked for this.
    """
    failed = {one.function for _, one in verdicts if one.function and one.status.is_bad and one.weight}
    if not failed or client.load_failure():
        return list(verdicts), ()
    heard = _Heard(client, sweep)
    for case in cases:
        if isinstance(case.question, Reject) and case.question.visibility == "public":  # students are told
            heard.refusals += calls_of(case.question)
    for _, verdict in verdicts:
        if verdict.function and verdict.follows:
            heard.follows |= {(verdict.function, one): verdict.follows for one in verdict.restored or ()}
        if verdict.function and verdict.restored == ():
            heard.alone.add(verdict.function)
    mistakes = _mistakes(heard, failed)
    return [(criterion, _explained(one, mistakes, heard)) for criterion, one in verdicts], tuple(
        one for function in MENDING for one in mistakes.get(function, ())
    )


def _mistakes(heard: _Heard, functions: set[str]) -> dict[str, tuple[Mistake, ...]]:
    """Return the mistakes of each function that fails and does not just follow others."""
    others, raising = dict[str, dict[Board, Key]](), dict[str, int]()
    found: dict[str, tuple[Mistake, ...]] = {}
    for function in MENDING:
        known = heard.all_of(function) if function in functions or function in ("player", "winner") else None
        if known is None:
            continue
        calls, replies = known
        asked = {} if function in heard.alone else dict(others)  # a trial has shown that it follows nobody
        seen = _asked(Seen(function, calls, replies, asked, dict(raising)))
        if function in functions:
            own = (one for one in _of_one(heard, seen) if (function, one.aspect) not in heard.follows)
            found[function] = tuple(own)
        if function in ("player", "winner") and seen.whole:
            others[function] = seen.by_board
        lines = {reply.line if isinstance(reply, Raised) else 0 for reply in seen.replies}
        if function in functions and len(lines) == 1 and 0 not in lines:
            raising[function] = lines.pop()
    return found


def _of_one(heard: _Heard, seen: Seen) -> tuple[Mistake, ...]:
    """Return the mistakes of one function, of whatever aspect."""
    function, calls, replies = seen.function, seen.calls, seen.replies
    if function == "minimax":
        running = [at for at, call in enumerate(calls) if not is_over(call[0])]
        ended = [at for at, call in enumerate(calls) if is_over(call[0])]
        answers: tuple[Mistake, ...] = ()
        end: tuple[Mistake, ...] = ()
        silent = heard.sweep is not None and heard.sweep.silent
        if silent or len(running) == len(oracle.running()):
            part = _part(seen, running, "every running board")
            answers = naming.in_answers(replace(part, whole=not silent))
        if len(ended) == len(oracle.finished()):
            end = naming.at_the_end(_part(seen, ended, "every finished board"))
        if any(one.id in naming.SILENT for one in answers):  # it is not at the end alone that it says nothing
            end = ()
        return answers + end + naming.with_the_board(function, calls, replies)
    found = naming.in_answers(seen)
    if function == "result" and heard.refusals and isinstance(replies[0], Returned):
        refused = heard.client.known(function, heard.refusals)
        found += naming.in_refusals(heard.refusals, refused) if refused else ()
    return found + naming.with_the_board(function, calls, replies)


def _part(seen: Seen, chosen: list[int], where: str) -> Seen:
    """Return a part of what was seen."""
    calls, replies = [seen.calls[at] for at in chosen], [seen.replies[at] for at in chosen]
    return replace(seen, calls=calls, replies=replies, where=where)


def _asked(seen: Seen) -> Seen:
    """Return what was seen without the questions that were left out, after too many without an answer."""
    chosen = [at for at, reply in enumerate(seen.replies) if was_asked(reply)]
    if not chosen or len(chosen) == len(seen.replies):
        return seen
    return replace(_part(seen, chosen, seen.where), whole=False)


def _explained(verdict: Verdict, mistakes: dict[str, tuple[Mistake, ...]], heard: _Heard) -> Verdict:
    """Return a failed verdict with the mistake that explains it: its function's, or of one it follows."""
    if verdict.function is None or not verdict.status.is_bad:
        return verdict
    if (verdict.function, verdict.aspect) in heard.follows:
        first = heard.follows[verdict.function, verdict.aspect][0]
        follows = next((one.name for one in mistakes.get(first, ())), first)
        return replace(verdict, explained_by=follows)
    own = mistakes.get(verdict.function, ())
    if verdict.aspect == "declaration":
        own = tuple(one for one in own if one.id in ("missing", "not-written"))
    name: str | None = next((one.name for one in own if one.aspect == verdict.aspect), None)
    if name is None and not _shows_a_change(verdict):
        name = next((one.name for one in own if one.aspect == "answers" and _says_all(one, verdict)), None)
    return replace(verdict, explained_by=name) if name else verdict


def _shows_a_change(verdict: Verdict) -> bool:
    """Return whether a board was seen to be changed: that no answer explains."""
    return "changes-the-board" in (verdict.code, verdict.parameters.get("first", {}).get("code"))


def _says_all(mistake: Mistake, verdict: Verdict) -> bool:
    """Return whether a mistake in the answers explains why something else could not be seen."""
    no_answers = mistake.id in naming.SILENT or mistake.id.startswith(("raises", "no", "returns-nothing"))
    return no_answers or verdict.aspect == "board"
