"""A class as a page, and two files that are alike side by side: values go in, HTML comes out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from grader.report.html import rendered
from grader.report.source import highlighted
from grader.report.spread import spread
from grader.report.text import number

_HIGHEST: Final = 110
"""The tallest bar of the histogram, in units of its drawing."""


@dataclass(frozen=True)
class Row:
    """One student in the table: what each criterion earned (as a share, and in points), and the pages."""

    student: str
    total: float | None
    cells: tuple[tuple[float | None, float | None], ...]
    status: str
    page: str = ""
    feedback: str = ""


@dataclass(frozen=True)
class PairRow:
    """Two students whose files are alike, and the page that shows them."""

    first: str
    second: str
    shares: tuple[float, float]
    page: str


@dataclass(frozen=True)
class ClassPage:
    """All that the page of a class shows."""

    title: str
    points: float
    criteria: tuple[str, ...]
    rows: tuple[Row, ...]
    total: int
    graded: int
    late: int
    adjusted: int
    mistakes: Sequence[tuple[str, list[str]]]
    failed: Sequence[tuple[str, int]]
    look: Sequence[tuple[Row, str]]
    pairs: Sequence[PairRow] | None = None


def class_page(shown: ClassPage) -> str:
    """Return the page of a class; while it is being graded, it says how far that is."""
    totals = [row.total for row in shown.rows if row.total is not None]
    bins = _bins(totals, shown.points) if totals else []
    return rendered(
        "class.html",
        ("students.js", "unfold.js"),
        {},
        title=shown.title,
        points=shown.points,
        criteria=shown.criteria,
        rows=shown.rows,
        done=len(shown.rows),
        total=shown.total,
        graded=shown.graded,
        late=shown.late,
        adjusted=shown.adjusted,
        mean=sum(totals) / len(totals) if totals else None,
        bins=bins,
        spoken="Totals: " + ", ".join(f"{count} at {label}" for label, count, _ in bins if count),
        mistakes=shown.mistakes,
        failed=shown.failed,
        look=shown.look,
        pairs=shown.pairs,
    )


def _bins(totals: list[float], points: float) -> list[tuple[str, int, int]]:
    """Return the histogram of the totals: each bin with its label, how many it holds, and its height."""
    bins = spread(totals, points)
    most = max(count for _, count in bins)
    return [(f"{number(low)}+", count, round(_HIGHEST * count / most)) for low, count in bins]


def pair_page(pair: PairRow, first: bytes, second: bytes) -> str:
    """Return the page on two files that are alike."""
    files = (
        (pair.first, pair.shares[0], highlighted(first)),
        (pair.second, pair.shares[1], highlighted(second)),
    )
    return rendered("pair.html", ("unfold.js",), {}, title=f"{pair.first} and {pair.second}", files=files)
