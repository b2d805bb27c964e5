"""Plain minimax against alpha-beta, measured by the benchmarks, as values that reports can show."""

import json
import math
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from html import escape
from io import StringIO
from pathlib import Path
from typing import Any, Final

import pytest
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from grader.core.course.submission import locate
from grader.core.errors import GraderFault
from grader.core.messages import _, figure, ngettext
from grader.course.courses import DEFAULT_SUBMISSION, ROOT
from grader.report.wording import duration

BENCHMARKS: Final = ROOT / "benchmarks" / "test_searches.py"
PLAIN: Final = "plain minimax"
YOURS: Final = "submission"


@dataclass(frozen=True)
class Measurement:
    """One search in one position: its best time, and how many positions it visits, if that is known."""

    position: str
    search: str
    seconds: float
    nodes: int | None


@dataclass(frozen=True)
class Counts:
    """How a submission searches from one position: calls of each function, and alpha-beta in its order."""

    position: str
    nodes: int
    in_its_order: int
    calls: dict[str, int]


@dataclass(frozen=True)
class Comparison:
    """All measurements of a run, by position; what could not be measured is in `notes`."""

    measurements: tuple[Measurement, ...]
    counts: tuple[Counts, ...] = ()
    notes: tuple[str, ...] = ()

    def positions(self) -> list[str]:
        """Return the positions in the order in which they were measured."""
        return list(dict.fromkeys(measurement.position for measurement in self.measurements))

    def at(self, position: str) -> list[Measurement]:
        """Return the measurements of one position, the slowest first."""
        found = [measurement for measurement in self.measurements if measurement.position == position]
        return sorted(found, key=lambda measurement: -measurement.seconds)


def compare(path: Path, on_measured: Callable[[int, int], None]) -> Comparison:
    """Return the comparison, with the submission that a path means if it is another than the default."""
    submission = path if path == DEFAULT_SUBMISSION else locate(path)
    watch, said = _Watch(on_measured), StringIO()
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder) / "results.json"
        arguments = [str(BENCHMARKS), f"--submission={submission}", f"--benchmark-json={results}"]
        arguments += [f"--rootdir={ROOT}", f"--confcutdir={BENCHMARKS.parent}", f"-c{os.devnull}"]
        arguments += ["-pgrader.grading.plugin", "-pno:cacheprovider", "--benchmark-disable-gc"]
        with redirect_stdout(said), redirect_stderr(said):
            code = pytest.main([*arguments, "-k", "not ratio"], plugins=[watch])
        if code == pytest.ExitCode.INTERRUPTED:
            raise KeyboardInterrupt
        if not results.is_file() or not results.stat().st_size:
            raise GraderFault(f"the benchmarks ended with {code!r}:\n{said.getvalue().strip()}")
        data = json.loads(results.read_text(encoding="utf-8"))
    return comparison_of(data, tuple(watch.failures))


class _Watch:
    """Reports the progress of pytest, and collects what failed."""

    def __init__(self, on_measured: Callable[[int, int], None]) -> None:
        self.failures: list[str] = []
        self._on_measured = on_measured
        self._done = self._total = 0

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._total = len(session.items)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._done += report.when == "teardown"
        self._on_measured(self._done, self._total)
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            name = report.nodeid.rpartition("::")[2].removeprefix("test_")
            self.failures.append(f"{name}: {crash.message if crash else report.longreprtext}".splitlines()[0])


def comparison_of(data: dict[str, Any], notes: tuple[str, ...] = ()) -> Comparison:
    """Return the comparison in pytest-benchmark's JSON."""
    measurements, counts = [], []
    for benchmark in data["benchmarks"]:
        info = benchmark["extra_info"]
        seconds = info.get("net_seconds", benchmark["stats"]["min"])
        measurements.append(Measurement(info["position"], info["search"], seconds, info.get("nodes")))
        if "alpha_beta_in_its_order" in info:
            in_its_order = info["alpha_beta_in_its_order"]
            counts.append(Counts(info["position"], info["nodes"], in_its_order, info["calls"]))
    return Comparison(tuple(measurements), tuple(counts), notes)


_BAR = 30
_COLOURS = ("#4c72b0", "#dd8452")


def render(comparison: Comparison) -> RenderableType:
    """Return the comparison as a table, a group of rows for each position."""
    title = _("Searches compared: time for a move (bars on a log scale)")
    parts: list[RenderableType] = [Text(title, style="bold")]
    scale = _Scale(comparison)
    for position in comparison.positions():
        found = comparison.at(position)
        table = Table.grid(padding=(0, 2, 0, 0))
        for justify, width in (("left", 20), ("left", _BAR), ("right", 9), ("right", 17), ("right", 14)):
            table.add_column(justify=justify, min_width=width, no_wrap=True)  # type: ignore[arg-type]
        for measurement in found:
            seconds, is_own = measurement.seconds, measurement.search == YOURS
            faster = found[0].seconds / seconds if seconds else 0
            bar = "█" * max(1, round(scale.share(seconds) * _BAR))
            table.add_row(
                Text(measurement.search, style="bold" if is_own else ""),
                Text(bar, style="yellow" if is_own else "blue"),
                duration(seconds),
                _positions(measurement.nodes) if measurement.nodes else "",
                _("{times:,.1f} x faster", times=faster) if measurement is not found[0] else "",
            )
        parts += ["", Text(position, style="bold"), Padding(table, (0, 0, 0, 2))]
    for counts in comparison.counts:
        parts += ["", *map(Text, _sentences(counts, comparison))]
    if comparison.notes:
        notes = [Text(f"  {note}") for note in comparison.notes]
        parts += ["", Text(_("Not measured"), style="bold"), *notes]
    return Group(*parts)


def _sentences(counts: Counts, comparison: Comparison) -> Iterator[str]:
    """Yield the counts of a submission in one position as sentences."""
    measured = comparison.at(counts.position)
    plain = next((measurement.nodes for measurement in measured if measurement.search == PLAIN), None)
    about = {"position": counts.position, "plain": plain, "pruned": counts.in_its_order, "own": counts.nodes}
    if plain:
        yield _(
            "From the {position}: {plain:,} positions for plain minimax, {pruned:,} for alpha-beta in this "
            "order, yours {own:,}.",
            **about,
        )
    else:
        yield _("From the {position}: {pruned:,} for alpha-beta in this order, yours {own:,}.", **about)
    calls = ", ".join(f"{name} {figure(f'{count:,}')}" for name, count in counts.calls.items())
    yield "  " + _("Calls: {calls}", calls=calls)


def _positions(count: int) -> str:
    return ngettext("{count:,} position", "{count:,} positions", count)


class _Scale:
    """A log scale from the decade below the quickest to the decade above the slowest."""

    def __init__(self, comparison: Comparison) -> None:
        times = [found.seconds for found in comparison.measurements if found.seconds > 0] or [1.0]
        self.low, self.high = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))

    def share(self, seconds: float) -> float:
        """Return how far along the scale a time is, from 0 to 1."""
        if seconds <= 0 or self.high == self.low:
            return 0.0
        return (math.log10(seconds) - self.low) / (self.high - self.low)


def picture(comparison: Comparison) -> str:
    """Return the comparison as an SVG picture: a bar for each search, in groups by position."""
    scale, left, width, row = _Scale(comparison), 170, 560, 20
    shapes: list[str] = []
    y = 50
    for position in comparison.positions():
        shapes.append(_text(10, y + 14, position, "bold"))
        y += row
        for found in comparison.at(position):
            label = duration(found.seconds) + (f" · {_positions(found.nodes)}" if found.nodes else "")
            end = round(left + max(scale.share(found.seconds) * width, 1), 1)
            shapes += [
                _text(left - 8, y + 13, found.search, anchor="end"),
                f'<rect x="{left}" y="{y + 2}" width="{round(end - left, 1)}" height="14" '
                f'fill="{_COLOURS[found.search == YOURS]}"/>',
                _text(end + 6, y + 13, label),
            ]
            y += row
        y += row // 2
    grid = [
        f'<line x1="{x}" y1="40" x2="{x}" y2="{y}" stroke="#ccc"/>'
        + _text(x, 34, duration(seconds), anchor="middle")
        for seconds in (10.0**power for power in range(scale.low, scale.high + 1))
        for x in [round(left + scale.share(seconds) * width, 1)]
    ]
    title = _("Time for a move by search and position (log scale; the shorter, the faster)")
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 180}" height="{y + 10}" '
        'font-family="sans-serif" font-size="12">\n<rect width="100%" height="100%" fill="white"/>'
    )
    return "\n".join([head, _text(10, 16, title, "bold"), *grid, *shapes, "</svg>\n"])


def _text(x: float, y: float, text: str, weight: str = "normal", anchor: str = "start") -> str:
    return f'<text x="{x}" y="{y}" font-weight="{weight}" text-anchor="{anchor}">{escape(text)}</text>'
