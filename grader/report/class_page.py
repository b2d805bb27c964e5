"""A class as a page, and two files that are alike side by side: values go in, HTML comes out."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import quantiles
from typing import Final

from grader.report.pages import rendered
from grader.report.source import highlighted
from grader.report.wording import number

_BINS: Final = 10
_HIGHEST: Final = 110
"""The tallest bar of the histogram, in units of its drawing."""


def quartiles(totals: Sequence[float]) -> tuple[float, float, float]:
    """Return the lower quartile, the median and the upper quartile; of one total all three are that."""
    if len(totals) < 2:
        return (totals[0],) * 3
    low, middle, high = quantiles(totals, n=4, method="inclusive")
    return low, middle, high


def spread(totals: Iterable[float], points: float) -> list[tuple[float, int]]:
    """Return a histogram: ten bins of the full marks and one for more, each from where on, and how many."""
    width = points / _BINS
    counts = [0] * (_BINS + 1)
    for total in totals:
        counts[min(_BINS, int(total / width))] += 1
    return [(number * width, count) for number, count in enumerate(counts)]


@dataclass(frozen=True)
class Row:
    """One student in the table: what each criterion earned (as a share, and in points), and the pages."""

    student: str
    total: float | None
    cells: tuple[tuple[float | None, float | None], ...]
    status: str
    page: str = ""
    feedback: str = ""
    mistakes: tuple[str, ...] = ()
    section: str = ""
    ran: bool = True
    """Whether the file runs."""
    waits: tuple[str, ...] = ()
    """The criteria that a person has still to judge."""

    @property
    def groups(self) -> list[str]:
        """What the page can show this student among."""
        section = [f"section {self.section}"] if self.section else []
        waits = [f"waits {one}" for one in self.waits]
        return [
            *(f"mistake {one}" for one in self.mistakes),
            *section,
            *waits,
            *([] if self.ran else ["unrun"]),
        ]


@dataclass(frozen=True)
class Figures:
    """How the totals of some students are spread: of everybody who has a total."""

    students: int
    mean: float
    quartiles: tuple[float, float, float]

    @property
    def median(self) -> float:
        """The total in the middle."""
        return self.quartiles[1]


def figures_of(totals: Sequence[float]) -> Figures | None:
    """Return the figures of some totals; None where there are none."""
    return Figures(len(totals), sum(totals) / len(totals), quartiles(totals)) if totals else None


@dataclass(frozen=True)
class PairRow:
    """Two students whose files are alike, how unusual that is, and the page that shows them."""

    first: str
    second: str
    shares: tuple[float, float]
    rarity: str
    page: str


@dataclass(frozen=True)
class AlikeFiles:
    """The pairs of a class, and what to know about them."""

    title: str
    pairs: Sequence[PairRow]
    words: Sequence[str]


@dataclass(frozen=True)
class ClassPage:
    """All that the page of a class shows."""

    title: str
    points: float
    criteria: tuple[str, ...]
    rows: tuple[Row, ...]
    total: int
    late: int
    adjusted: int
    mistakes: Sequence[tuple[str, list[str]]]
    failed: Sequence[tuple[str, int]]
    look: Sequence[tuple[Row, str]]
    alike: AlikeFiles | None = None
    faulty_tests: Sequence[str] = ()


def class_page(shown: ClassPage) -> str:
    """Return the page of a class; while it is being graded, it says how far that is."""
    totals = _totals(shown.rows)
    bins = _bins(totals, shown.points) if totals else []
    sections = sorted({row.section for row in shown.rows if row.section})
    by_section = ((name, [row for row in shown.rows if row.section == name]) for name in sections)
    groups = [(name, figures) for name, rows in by_section if (figures := figures_of(_totals(rows)))]
    return rendered(
        "class.html",
        ("students.js", "unfold.js"),
        {},
        **vars(shown),
        done=len(shown.rows),
        totals=figures_of(totals),
        unrun=[row for row in shown.rows if not row.ran],
        sections=groups,
        waiting=Counter(name for row in shown.rows for name in row.waits),
        bins=bins,
        spoken="Totals: " + ", ".join(f"{count} at {label}" for label, count, _ in bins if count),
    )


def _totals(rows: Sequence[Row]) -> list[float]:
    """Return the totals of everybody who has one."""
    return [row.total for row in rows if row.total is not None]


def _bins(totals: list[float], points: float) -> list[tuple[str, int, int]]:
    """Return the histogram of the totals: each bin with its label, how many it holds, and its height."""
    bins = spread(totals, points)
    most = max(count for _, count in bins)
    return [(f"{number(low)}+", count, round(_HIGHEST * count / most)) for low, count in bins]


Files = Sequence[tuple[str, str]]
"""What a student handed in: the file and its helpers, each with its name and text."""


def pair_page(pair: PairRow, files: Sequence[Files], words: Sequence[str]) -> str:
    """Return the page on two students' files that are alike, and what to know about that."""
    students = [
        (student, share, [(name, highlighted(text, name)) for name, text in own])
        for student, share, own in zip((pair.first, pair.second), pair.shares, files, strict=True)
    ]
    title = f"{pair.first} and {pair.second}"
    return rendered("pair.html", ("unfold.js",), {}, title=title, students=students, words=words)
