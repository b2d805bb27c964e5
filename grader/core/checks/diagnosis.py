"""The diagnosis of a submission: its proved mistakes, and the failed cases that each of them explains."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from operator import is_
from typing import Any, Final

from grader.core.asking.client import Client
from grader.core.asking.reply import Arguments, Raised, Returned
from grader.core.checks.expected import doubtful, every_call, rights
from grader.core.checks.functions import calls_of
from grader.core.checks.sweep import SweepReplies, count_asked, was_asked
from grader.core.course.course import Case, Reject
from grader.core.game import oracle
from grader.core.game.board import Board, is_over
from grader.core.game.oracle import FUNCTIONS, MENDING
from grader.core.grade import Mistake, Status, Verdict
from grader.core.messages import later
from grader.core.mistakes.family import Key, SeenReplies
from grader.core.mistakes.naming import SILENT, at_the_end, in_answers, in_refusals, with_the_board

_ENOUGH: Final = 0.75
"""The part of the running boards that minimax has to be asked about before a mistake is named."""

Judged = Sequence[tuple[str, Verdict]]
"""Verdicts, each with the id of its criterion."""


@dataclass
class _Evidence:
    """What a submission answered, as far as it was asked; and which functions its functions follow."""

    client: Client
    sweep: SweepReplies | None
    refusals: list[Arguments] = field(default_factory=list)
    follows: dict[tuple[str, str | None], tuple[str, ...]] = field(default_factory=dict)
    """By function and aspect."""
    alone: set[str] = field(default_factory=set)

    def accepted(self) -> tuple[Mistake, ...]:
        """Return the mistake of a `result` that accepts what it has to refuse."""
        refused = self.client.known("result", self.refusals) if self.refusals else None
        return in_refusals(self.refusals, refused) if refused else ()

    def all_of(self, function: str) -> SeenReplies | None:
        """Return every call of a function with its reply, or None when not all were asked.

        Of minimax only the boards that were asked are returned.
        """
        boards = FUNCTIONS[function].domain.members()
        if function == "minimax":
            if self.sweep is None:
                return None
            asked, faults = self.sweep.asked(boards), self.sweep.faults
            replies = [self.sweep.replies[board] for board in asked]
            right = [board not in faults for board in asked]
            return SeenReplies(function, [(board,) for board in asked], replies, known_right=right)
        calls = every_call(function, boards)
        known = self.client.known(function, calls)
        if not known:
            return None
        return SeenReplies(
            function, calls, known, known_right=list(map(is_, known, rights(function, boards)))
        )


def diagnosed(
    client: Client, sweep: SweepReplies | None, cases: Sequence[Case], verdicts: Judged
) -> tuple[list[tuple[str, Verdict]], tuple[Mistake, ...]]:
    """Return the verdicts, each with what explains it, and the mistakes in the order to fix them.

    Nothing is asked for this.
    """
    failed = {
        verdict.function
        for _criterion, verdict in verdicts
        if verdict.function and verdict.status.is_bad and verdict.weight
    }
    if not failed or client.load_failure():
        return list(verdicts), ()
    evidence = _Evidence(client, sweep)
    for case in cases:
        if isinstance(case.question, Reject) and case.question.visibility == "public":  # students see these
            evidence.refusals += calls_of(case.question)
    for _criterion, verdict in verdicts:
        if verdict.function and verdict.follows:
            evidence.follows |= {
                (verdict.function, aspect): verdict.follows for aspect in verdict.restored or ()
            }
        if verdict.function and verdict.restored == ():
            evidence.alone.add(verdict.function)
    mistakes = _mistakes(evidence, failed)
    explained = [(criterion, _explained(verdict, mistakes, evidence)) for criterion, verdict in verdicts]
    return explained, tuple(mistake for function in MENDING for mistake in mistakes.get(function, ()))


def _mistakes(evidence: _Evidence, functions: set[str]) -> dict[str, tuple[Mistake, ...]]:
    """Return the mistakes of each function that fails and does not just follow others."""
    others, raising = dict[str, dict[Board, Key]](), dict[str, int]()
    found: dict[str, tuple[Mistake, ...]] = {}
    every = {name: every_call(name, FUNCTIONS[name].domain.members()) for name in functions}
    wrong = {name for name in functions if not evidence.client.is_right(name, every[name])}
    if "result" in functions - wrong and ("result", "refusals") not in evidence.follows:
        found["result"] = evidence.accepted()
    for function in MENDING if wrong else ():
        is_needed = function in wrong or function in ("player", "winner")
        known = evidence.all_of(function) if is_needed else None
        if known is None or not known.replies:  # nothing was asked: the time was used up before
            continue
        reach = evidence.client.outline().reach.get(function, MENDING)
        called = {name: line for name, line in raising.items() if name in reach}
        seen = _asked(replace(known, others=dict(others), raising=called, alone=function in evidence.alone))
        if function in wrong:
            own = (
                mistake
                for mistake in _of_function(evidence, seen)
                if (function, mistake.aspect) not in evidence.follows
            )
            found[function] = tuple(own)
        # a function that follows others may ask the very functions that would get its answers here
        is_root = (function, "answers") not in evidence.follows
        if seen.whole and (function == "utility" or (function in ("player", "winner") and is_root)):
            others[function] = seen.by_board
        if function in wrong and isinstance(known.replies[0], Raised):
            lines = {reply.line if isinstance(reply, Raised) else 0 for reply in seen.replies}
            if len(lines) == 1 and 0 not in lines:
                raising[function] = lines.pop()
    return found


def _of_function(evidence: _Evidence, seen: SeenReplies) -> tuple[Mistake, ...]:
    """Return the mistakes of one function, of whatever aspect."""
    function, calls, replies = seen.function, seen.calls, seen.replies
    if function == "minimax":
        silent = evidence.sweep is not None and evidence.sweep.silent
        over = [is_over(call[0]) for call in calls]
        running = _part(
            seen, [not is_end for is_end in over], where=later("every running board"), whole=not silent
        )
        if len(running.calls) < len(oracle.running()) and not silent:
            running = replace(running, where=later("every running board that was asked"))
        ended = _part(seen, over, where=later("every finished board"))
        is_enough = silent or len(running.calls) >= _ENOUGH * len(oracle.running())
        answers = in_answers(running) if is_enough else ()
        end = at_the_end(ended) if len(ended.calls) == len(oracle.finished()) else ()
        if any(
            mistake.id in SILENT for mistake in answers
        ):  # it is not at the end alone that it says nothing
            end = ()
        return answers + end + with_the_board(function, calls, replies)
    is_wrong = not seen.whole or doubtful(function, FUNCTIONS[function].domain.members(), replies)
    found = in_answers(seen) if is_wrong else ()
    if function == "result" and isinstance(replies[0], Returned):
        found += evidence.accepted()
    return found + with_the_board(function, calls, replies)


def _part(seen: SeenReplies, chosen: Sequence[bool], **changes: Any) -> SeenReplies:
    """Return a part of what was seen."""
    calls, replies = list(compress(seen.calls, chosen)), list(compress(seen.replies, chosen))
    return replace(
        seen, calls=calls, replies=replies, known_right=list(compress(seen.known_right, chosen)), **changes
    )


def _asked(seen: SeenReplies) -> SeenReplies:
    """Return what was seen without the questions that were left out, after too many without an answer."""
    if count_asked(seen.replies) in (0, len(seen.replies)):
        return seen
    return _part(seen, list(map(was_asked, seen.replies)), whole=False)


def _explained(verdict: Verdict, mistakes: dict[str, tuple[Mistake, ...]], evidence: _Evidence) -> Verdict:
    """Return a failed verdict with the mistake that explains it: its function's, or of one it follows."""
    if verdict.function is None or not verdict.status.is_bad:
        return verdict
    if (verdict.function, verdict.aspect) in evidence.follows:
        first = evidence.follows[verdict.function, verdict.aspect][0]
        names = [*(mistake.name for mistake in mistakes.get(first, ())), first]
        return replace(verdict, explained_by=names[0])
    own = [mistake for mistake in mistakes.get(verdict.function, ()) if _may_explain(mistake, verdict)]
    names = [mistake.name for mistake in own if mistake.aspect == verdict.aspect]
    shown = verdict.code, verdict.parameters.get("first", {}).get("code")
    if "changes-the-board" not in shown:  # no answer explains that
        answers = (mistake for mistake in own if mistake.aspect == "answers")
        names += [mistake.name for mistake in answers if _explains_all(mistake, verdict)]
    return replace(verdict, explained_by=names[0]) if names else verdict


def _may_explain(mistake: Mistake, verdict: Verdict) -> bool:
    """Return whether a mistake is about the kind of failure that a verdict shows."""
    if verdict.aspect == "declaration" and mistake.id not in ("missing", "not-written"):
        return False
    return verdict.status is Status.CRASHED or mistake.id != "raises-first"  # that is about exceptions alone


def _explains_all(mistake: Mistake, verdict: Verdict) -> bool:
    """Return whether a mistake in the answers explains why something else could not be seen."""
    no_answers = mistake.id in SILENT or mistake.id.startswith(("raises", "no", "returns-nothing"))
    return no_answers or verdict.aspect == "board"
