"""The criteria as a place is told of them: a row each, with its cases; one for all that a file spoils."""

from collections.abc import Iterable, Sequence
from typing import Final

from grader.core.evidence import Count, DoesNotRun, Tally
from grader.core.grade import Status
from grader.core.text import printable_lines
from grader.core.values import Value
from grader.places.clean import clipped, per_row
from grader.report.text import pointed_out
from grader.report.words import MEND_FIRST

UNRUN: Final = "The file does not run"


class Case(Value):
    """One case: what came of it, and a text that shows it."""

    id: str
    status: Status
    counts: bool
    reason: str
    text: str
    hidden: bool
    worth: str = ""
    """What it earned of its points."""
    unrun: bool = False
    """Whether the file would have to run for it."""

    @property
    def passed(self) -> bool:
        """Whether it is right."""
        return self.status is Status.PASSED


class Row(Value):
    """One criterion; without a score if a person judges it or nothing could be scored."""

    id: str
    description: str
    points: float
    score: float | None
    bonus: bool
    by_hand: bool = False
    given_back: float = 0.0
    mistakes: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    cases: tuple[Case, ...] = ()
    tally: Tally = Tally()
    text: str = ""
    """What is said of it instead of its cases."""

    @property
    def full(self) -> bool:
        """Whether all of its points were earned."""
        return self.score is not None and self.score >= self.points

    @property
    def judged(self) -> bool:
        """Whether there is something to say about it."""
        if self.by_hand or self.text:
            return True
        return any(case.status not in (Status.GRADER_ERROR, Status.SKIPPED) for case in self.cases)

    @property
    def unrun(self) -> bool:
        """Whether none of its cases could be judged because the file does not run."""
        counting = [case for case in self.cases if case.counts]
        return any(case.unrun for case in self.cases) and all(
            case.unrun or not case.status.counts for case in counting
        )

    def public(self) -> list[Case]:
        """Return the cases that a student may see."""
        return [case for case in self.cases if not case.hidden]

    def hidden(self) -> list[Case]:
        """Return the cases that only their number may be told of."""
        return [case for case in self.cases if case.hidden]


def none_judged(cases: Iterable[Case]) -> Count:
    """Return the count of cases of which none was judged."""
    counting = sum(case.counts for case in cases)
    return Count(cases=counting, not_judged=counting)


def spoilt(rows: Sequence[Row], why: DoesNotRun) -> Row:
    """Return one row for all criteria that a file spoils by not running; a bonus is not among them."""
    ordinary = [row for row in rows if not row.bonus]
    text = "\n".join(filter(None, (why.sentence, *pointed_out(why), why.said, MEND_FIRST)))
    return Row(
        id="file",
        description=UNRUN,
        points=sum(row.points for row in ordinary),
        score=sum(row.score or 0.0 for row in ordinary),
        bonus=False,
        tally=Tally(
            public=_sum(row.tally.public for row in rows), hidden=_sum(row.tally.hidden for row in rows)
        ),
        text=clipped(printable_lines(text), per_row(1)),
    )


def _sum(counts: Iterable[Count]) -> Count:
    each = list(counts)
    return Count(
        passed=sum(one.passed for one in each),
        cases=sum(one.cases for one in each),
        not_judged=sum(one.not_judged for one in each),
        lost=sum(one.lost for one in each),
    )
