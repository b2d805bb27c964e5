"""Who grades the grader: mutants of the reference must lose points where they are wrong, and nowhere else.

What a mutant breaks is found out apart from all checks: its answers are held against the reference's own,
question by question; for minimax, against the value of the game.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from grader.audit.mutants import Mutant, mutants
from grader.core.asking.calls import Arguments
from grader.core.asking.reply import Raised, Reply, Returned
from grader.core.course.course import Course
from grader.core.course.rubric import GivenBack
from grader.core.course.submission import Submission, read
from grader.core.errors import UserError
from grader.core.game import oracle
from grader.core.game.board import Board, as_action, empty_cells, is_over, taken_cells
from grader.core.game.interface import FUNCTIONS
from grader.core.grade import Status
from grader.core.judging import Judging
from grader.grading.session import Settings, grade_found, graded, load_course, opened

_DEADLINE: Final = 1.0
"""Seconds for one call of a mutant: many of them never end."""

_OFF_BOARD: Final = ((3, 0), (0, 3), (-1, 1), (1, -1))
_SOURCE_ALONE: Final = frozenset({"quality"})
"""Criteria that judge the text: an edit may really have made it worse."""


@dataclass(frozen=True)
class MutantResult:
    """What became of one mutant."""

    name: str
    breaks: frozenset[str]
    loses: frozenset[str]
    caught_by: tuple[str, ...]
    caught_by_written: frozenset[str]
    mistakes: tuple[str, ...] = ()
    """What was named: functions, and what they do."""
    expected: str | None = None
    """What must be, if a family covers it."""
    by_hand: frozenset[str] = frozenset()
    """The criteria that a person judges: no case can catch anything there."""

    @property
    def is_named(self) -> bool:
        """Whether it is named by the mistake it was made with."""
        return self.expected in self.mistakes

    @property
    def named_wrongly(self) -> tuple[str, ...]:
        """What is said of functions that are right, or of the faulty one instead of what it does."""
        elsewhere = [one for one in self.mistakes if one.split()[0] not in self.breaks]
        if self.expected and not self.is_named:
            elsewhere += [one for one in self.mistakes if one.split()[0] == self.expected.split()[0]]
        return tuple(elsewhere)

    @property
    def got_away(self) -> frozenset[str]:
        """The criteria that it breaks without losing a point there."""
        return self.breaks - self.loses - self.by_hand

    @property
    def charged_wrongly(self) -> frozenset[str]:
        """The criteria on which it loses points although it breaks nothing there."""
        return self.loses - self.breaks - _SOURCE_ALONE


@dataclass(frozen=True)
class Audit:
    """What became of all mutants that behave differently, and how many do not."""

    findings: tuple[MutantResult, ...]
    same: int

    @property
    def holds(self) -> bool:
        """Whether every fault is noticed where it is and nowhere else, and none is called something else."""
        return not any(one.got_away or one.charged_wrongly or one.named_wrongly for one in self.findings)

    @property
    def covered(self) -> tuple[MutantResult, ...]:
        """The mutants for which there is a name."""
        return tuple(finding for finding in self.findings if finding.expected)

    @property
    def by_written(self) -> float:
        """The share of the mutants that the hand-written cases alone notice."""
        caught = sum(bool(finding.caught_by_written) for finding in self.findings)
        return caught / len(self.findings) if self.findings else 1.0

    def per_criterion(self) -> dict[str, tuple[int, int, int, list[tuple[str, int]]]]:
        """Return, by criterion: mutants that break it, caught, caught by hand, and the busiest cases."""
        rows = {}
        by_hand = frozenset().union(*(finding.by_hand for finding in self.findings))
        for criterion in (name for name in FUNCTIONS if name not in by_hand):
            broken = [finding for finding in self.findings if criterion in finding.breaks]
            caught_by = (case for finding in broken for case in finding.caught_by)
            cases = Counter(case for case in caught_by if case.startswith(f"{criterion}/"))
            rows[criterion] = (
                len(broken),
                sum(criterion in finding.loses for finding in broken),
                sum(criterion in finding.caught_by_written for finding in broken),
                cases.most_common(3),
            )
        return rows


def audit(
    reference: Path, settings: Settings, on_mutant: Callable[[int, int], None], every: int = 1
) -> Audit:
    """Grade the reference's mutants (every n-th of them) on all cores and return what became of each."""
    course = load_course(settings)
    found = read(reference, course.rubric.limits.source_kb)
    _refuse_imperfect(found, course, settings)
    chosen = mutants(found.source.decode("utf-8"))[::every]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        futures = [pool.submit(judge_mutant, mutant, found, settings) for mutant in chosen]
        for done, future in enumerate(as_completed(futures), 1):
            future.result()  # what went wrong is told at once
            on_mutant(done, len(futures))
    findings = [future.result() for future in futures]
    differing = tuple(finding for finding in findings if finding.breaks or finding.charged_wrongly)
    return Audit(differing, same=len(findings) - len(differing))


def _refuse_imperfect(found: Submission, course: Course, settings: Settings) -> None:
    grade = grade_found(found, course, settings)
    judged = grade.points - grade.by_hand_points
    if not judged:
        raise UserError("a person judges all of it: there is nothing to audit", file=settings.rubric_file)
    if grade.score < judged:
        points = f"{grade.score:g} of {judged:g} points"
        message = f"has {points}: only an engine with full marks can be the reference"
        raise UserError(message, file=found.path)


def judge_mutant(mutant: Mutant, reference: Submission, settings: Settings) -> MutantResult:
    """Grade one mutant, and find out what it breaks. Runs in a process of the pool."""
    found = Submission(mutant.name, Path("tictactoe.py"), mutant.source.encode())
    with opened(found, _strict(settings), settings) as one:
        grade, judging = graded(one, settings), one.judging
        breaks = frozenset(_broken(judging, _behaviour_of(reference, settings)))
        exhaustive = {
            f"{case.criterion}/{case.question.id}"
            for case in judging.asked
            if getattr(case.question, "boards", None) or case.question.check == "play"
        }
    judged = [(one.id, verdict) for one in grade.criteria if not one.bonus for verdict in one.verdicts]
    lost = [one for one in judged if one[1].weight and one[1].status not in (Status.PASSED, Status.SKIPPED)]
    caught = tuple(f"{criterion}/{verdict.id}" for criterion, verdict in lost)
    by_written = frozenset(case.partition("/")[0] for case in caught if case not in exhaustive)
    return MutantResult(
        name=mutant.name,
        breaks=breaks,
        loses=frozenset(
            one.id for one in grade.criteria if one.score < one.points and not (one.bonus or one.by_hand)
        ),
        caught_by=caught,
        caught_by_written=by_written & breaks,
        mistakes=tuple(f"{one.function} {one.title}" for one in grade.mistakes),
        expected=mutant.mistake,
        by_hand=frozenset(one.id for one in grade.criteria if one.by_hand),
    )


@cache
def _strict(settings: Settings) -> Course:
    """Return the course with less patience, and without follow-through: what is broken must show."""
    course = load_course(settings)
    limits = replace(course.rubric.limits, deadline=_DEADLINE, strikes=1, sweep_budget=20.0)
    return replace(course, rubric=replace(course.rubric, limits=limits, follow_through=GivenBack(share=0.0)))


Behaviour = dict[str, list[object]]


@cache
def _behaviour_of(reference: Submission, settings: Settings) -> Behaviour:
    """Return what the reference answers to every question about the rules."""
    with opened(reference, _strict(settings), settings) as one:
        return {name: _answers(one.judging, name) for name in _questions()}


def _broken(judging: Judging, reference: Behaviour) -> Iterable[str]:
    """Return the functions that answer otherwise than the reference's, or, for minimax, play worse."""
    if judging.client.load_failure():
        return list(FUNCTIONS)
    broken = [name for name, right in reference.items() if _answers(judging, name) != right]
    replies = judging.sweeper.sweep().replies
    if not all(_keeps_the_value(board, reply) for board, reply in replies.items()):
        broken.append("minimax")
    return broken


def _keeps_the_value(board: Board, reply: Reply) -> bool:
    if not isinstance(reply, Returned) or reply.changed:
        return False
    if is_over(board):
        return reply.value is None
    action = as_action(reply.value)
    return action is not None and oracle.is_optimal(board, action)


@cache
def _questions() -> dict[str, list[Arguments]]:
    """Return every question about the six rule functions, invalid actions included."""
    questions: dict[str, list[Arguments]] = {
        name: [(board,) for board in function.domain.members()]
        for name, function in FUNCTIONS.items()
        if name not in ("result", "minimax")
    }
    questions["result"] = [
        (board, action)
        for number, board in enumerate(oracle.running())
        for action in (*empty_cells(board), *taken_cells(board)[:1], _OFF_BOARD[number % len(_OFF_BOARD)])
    ]
    return questions


def _answers(judging: Judging, name: str) -> list[object]:
    """Return what a function answers to every question, in a form that can be compared."""
    return [_comparable(reply) for reply in judging.client.ask(name, _questions()[name])]


def _comparable(reply: Reply) -> object:
    """Return a reply to compare: values with their exact types, exceptions that change nothing all as one."""
    if isinstance(reply, Raised) and not reply.changed:
        return "raised"
    return _exact(reply.value) if isinstance(reply, Returned) and not reply.changed else reply


def _exact(value: object) -> object:
    """Return a value so that only values of the same types are equal to it: True is not 1 here."""
    if isinstance(value, list | tuple | set | frozenset):
        items = [_exact(item) for item in value]
        return type(value).__name__, sorted(items, key=repr) if isinstance(value, set | frozenset) else items
    return type(value).__name__, value


def render(audit: Audit) -> RenderableType:
    """Return the report on an audit."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in ("criterion", "broken by", "caught", "by hand", "caught most often by"):
        table.add_column(title, justify="right" if title in ("broken by", "caught", "by hand") else "left")
    for criterion, (broken, caught, by_written, cases) in audit.per_criterion().items():
        busiest = ", ".join(f"{case.partition('/')[2]} ({count})" for case, count in cases)
        table.add_row(criterion, str(broken), str(caught), str(by_written), busiest)
    parts: list[RenderableType] = [
        Text(f"{len(audit.findings)} mutants behave differently from the reference, {audit.same} do not."),
        "",
        table,
        "",
        Text(f"Hand-written cases alone catch {audit.by_written:.1%} of the mutants."),
    ]
    if covered := audit.covered:
        named = sum(one.is_named for one in covered)
        share = f"{named} of {len(covered)} ({named / len(covered):.1%})"
        parts.append(Text(f"Named by the mistake they were made with: {share}."))
    for one in audit.findings:
        if one.named_wrongly:
            parts.append(Text(f"named wrongly: {one.name} ({', '.join(one.named_wrongly)})", style="red"))
        if one.expected and not one.is_named:
            parts.append(Text(f"not named: {one.name} ({one.expected})", style="yellow"))
        if one.got_away:
            parts.append(Text(f"got away: {one.name} ({', '.join(sorted(one.got_away))})", style="red"))
        if one.charged_wrongly:
            lost = ", ".join(sorted(one.charged_wrongly))
            parts.append(Text(f"loses points where it breaks nothing: {one.name} ({lost})", style="red"))
        if not one.caught_by_written:
            parts.append(Text(f"not caught by hand: {one.name}", style="yellow"))
    parts.append(Text("The fixtures hold." if audit.holds else "The fixtures do not hold.", style="bold"))
    return Group(*parts)
