"""The comparison of searches for people: a table with bars, and a picture. Bars are on a log scale."""

import math
from collections.abc import Iterator
from html import escape

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from grader.benchmark.comparison import YOURS, Comparison, Counts, Measurement
from grader.report.text import duration

_BAR = 30
_COLOURS = ("#4c72b0", "#dd8452")


def render(comparison: Comparison) -> RenderableType:
    """Return the comparison as a table, a group of rows for each position."""
    parts: list[RenderableType] = [
        Text("Searches compared: time for a move (bars on a log scale)", style="bold")
    ]
    scale = _Scale(comparison)
    for position in comparison.positions():
        found = comparison.at(position)
        table = Table.grid(padding=(0, 2, 0, 0))
        for justify, width in (("left", 20), ("left", _BAR), ("right", 9), ("right", 17), ("right", 14)):
            table.add_column(justify=justify, min_width=width, no_wrap=True)  # type: ignore[arg-type]
        for one in found:
            faster = found[0].seconds / one.seconds if one.seconds else 0
            bar = "█" * max(1, round(scale.share(one.seconds) * _BAR))
            table.add_row(
                Text(one.search, style="bold" if one.search == YOURS else ""),
                Text(bar, style="yellow" if one.search == YOURS else "blue"),
                duration(one.seconds),
                f"{one.nodes:,} positions" if one.nodes else "",
                f"{faster:,.1f} x faster" if one is not found[0] else "",
            )
        parts += ["", Text(position, style="bold"), Padding(table, (0, 0, 0, 2))]
    for counts in comparison.counts:
        parts += ["", *(Text(line) for line in _told(counts, comparison))]
    if comparison.notes:
        parts += ["", Text("Not measured", style="bold"), *(Text(f"  {note}") for note in comparison.notes)]
    return Group(*parts)


def _told(counts: Counts, comparison: Comparison) -> Iterator[str]:
    """Return the counts of a submission in one position as sentences."""
    plain = comparison.plain_nodes(counts.position)
    known = f"{plain:,} positions for plain minimax, " if plain else ""
    yield (
        f"From the {counts.position}: {known}{counts.in_its_order:,} for alpha-beta in this order, "
        f"yours {counts.nodes:,}."
    )
    yield "  Calls: " + ", ".join(f"{name} {count:,}" for name, count in counts.calls.items())


class _Scale:
    """A log scale from the decade below the quickest to the decade above the slowest."""

    def __init__(self, comparison: Comparison) -> None:
        times = [one.seconds for one in comparison.measurements if one.seconds > 0] or [1.0]
        self.low, self.high = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))

    def share(self, seconds: float) -> float:
        """Return how far along the scale a time is, from 0 to 1."""
        if seconds <= 0 or self.high == self.low:
            return 0.0
        return (math.log10(seconds) - self.low) / (self.high - self.low)

    def decades(self) -> list[float]:
        """Return the powers of ten on the scale."""
        return [10.0**power for power in range(self.low, self.high + 1)]


def picture(comparison: Comparison) -> str:
    """Return the comparison as an SVG picture: a bar for each search, in groups by position."""
    scale, left, width, row = _Scale(comparison), 170, 560, 20
    shapes: list[str] = []
    y = 50
    for position in comparison.positions():
        shapes.append(_text(10, y + 14, position, "bold"))
        y += row
        for one in comparison.at(position):
            shapes += _bar(one, y, left, scale.share(one.seconds) * width)
            y += row
        y += row // 2
    grid = [
        f'<line x1="{x}" y1="40" x2="{x}" y2="{y}" stroke="#ccc"/>'
        + _text(x, 34, duration(seconds), anchor="middle")
        for seconds in scale.decades()
        for x in [round(left + scale.share(seconds) * width, 1)]
    ]
    title = "Time for a move by search and position (log scale; the shorter, the faster)"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 180}" height="{y + 10}" '
        'font-family="sans-serif" font-size="12">\n<rect width="100%" height="100%" fill="white"/>'
    )
    return "\n".join([head, _text(10, 16, title, "bold"), *grid, *shapes, "</svg>\n"])


def _bar(one: Measurement, y: int, left: int, length: float) -> list[str]:
    label = duration(one.seconds) + (f" · {one.nodes:,} positions" if one.nodes else "")
    end = round(left + max(length, 1), 1)
    return [
        _text(left - 8, y + 13, one.search, anchor="end"),
        f'<rect x="{left}" y="{y + 2}" width="{round(end - left, 1)}" height="14" '
        f'fill="{_COLOURS[one.search == YOURS]}"/>',
        _text(end + 6, y + 13, label),
    ]


def _text(x: float, y: float, text: str, weight: str = "normal", anchor: str = "start") -> str:
    return f'<text x="{x}" y="{y}" font-weight="{weight}" text-anchor="{anchor}">{escape(text)}</text>'
