"""Plain minimax against alpha-beta, measured by the benchmarks, as values that reports can show."""

import json
import tempfile
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, Final

import pytest

from grader.core.course.submission import locate
from grader.core.errors import GraderFault
from grader.course.shipped import DEFAULT_SUBMISSION, ROOT

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
    """All measurements of a run, by position; what could not be measured is told in `notes`."""

    measurements: tuple[Measurement, ...]
    counts: tuple[Counts, ...] = ()
    notes: tuple[str, ...] = ()

    def positions(self) -> list[str]:
        """Return the positions in the order in which they were measured."""
        return list(dict.fromkeys(one.position for one in self.measurements))

    def at(self, position: str) -> list[Measurement]:
        """Return the measurements of one position, the slowest first."""
        found = [one for one in self.measurements if one.position == position]
        return sorted(found, key=lambda one: -one.seconds)

    def plain_nodes(self, position: str) -> int | None:
        """Return how many positions plain minimax visits."""
        return next((one.nodes for one in self.at(position) if one.search == PLAIN), None)


def compare(path: Path, on_measured: Callable[[int, int], None]) -> Comparison:
    """Return the comparison, with the submission that a path means if it is another than the default."""
    submission = path if path == DEFAULT_SUBMISSION else locate(path)
    watch, said = _Watch(on_measured), StringIO()
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder) / "results.json"
        arguments = [str(BENCHMARKS), f"--submission={submission}", f"--benchmark-json={results}"]
        arguments += [f"--rootdir={ROOT}", f"--confcutdir={BENCHMARKS.parent}", "-c/dev/null"]
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
    """Tells how far pytest is, and keeps what failed."""

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
    for one in data["benchmarks"]:
        info = one["extra_info"]
        seconds = info.get("net_seconds", one["stats"]["min"])
        measurements.append(Measurement(info["position"], info["search"], seconds, info.get("nodes")))
        if "alpha_beta_in_its_order" in info:
            in_its_order = info["alpha_beta_in_its_order"]
            counts.append(Counts(info["position"], info["nodes"], in_its_order, info["calls"]))
    return Comparison(tuple(measurements), tuple(counts), notes)
