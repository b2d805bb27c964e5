"""A real scheduler and two real workers on loopback; one of them is killed on the way."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.classroom.batch import Batch, Progress
from grader.classroom.cluster import cluster_pool
from grader.classroom.entries import Entry
from grader.classroom.task import configuration
from grader.errors import UserError
from grader.grading.settings import Settings
from tests.classroom.conftest import WRONG
from tests.submissions import PLAIN

pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("default")  # Dask's own


class Cluster:
    """A scheduler and its workers, each a process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        file = folder / "scheduler.json"
        self._start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)
        )
        while not (file.is_file() and file.read_text().strip().endswith("}")):
            time.sleep(0.05)
        self.address: str = json.loads(file.read_text())["address"]

    def _start(self, kind: str, *arguments: str) -> subprocess.Popen[bytes]:
        with (self.folder / f"{kind}{len(self.processes)}.log").open("wb") as log:
            command = [sys.executable, "-m", "distributed.cli.dask_" + kind, *arguments]
            self.processes.append(subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log))
        return self.processes[-1]

    def worker(self) -> subprocess.Popen[bytes]:
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0"]
        return self._start(
            "worker", self.address, "--host", "127.0.0.1", *options, "--local-directory", str(self.folder)
        )

    def close(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    (tmp_path / "dask").mkdir()
    started = Cluster(tmp_path / "dask")
    yield started
    started.close()


def test_a_class_on_two_workers_one_of_which_is_killed(
    cluster: Cluster, small: Settings, tmp_path: Path
) -> None:
    victim, _ = cluster.worker(), cluster.worker()
    wait_for_workers(cluster.address, 2)
    entries = []
    for number in range(24):
        file = tmp_path / f"s{number}.py"
        file.write_text(f"{PLAIN if number % 2 else WRONG}\n# {number}\n")
        entries.append(Entry(f"s{number}", file.name, file, key=f"s{number:02}"))
    seen: list[str] = []

    def on_record(news: Progress) -> None:
        seen.append(news.record.student)
        if len(seen) == 4:
            victim.kill()

    with cluster_pool(cluster.address) as pool:
        lines = Batch(configuration(small), tmp_path / "out").run(entries, pool, on_record)
    assert [one.total for one in lines] == [6, 10] * 12
    assert sorted(seen) == sorted(entry.student for entry in entries)
    assert victim.wait() == -9


def test_a_scheduler_without_workers_is_told(cluster: Cluster) -> None:
    with pytest.raises(UserError, match="has no workers: start some with"), cluster_pool(cluster.address):
        pass


def wait_for_workers(address: str, count: int) -> None:
    from distributed import Client

    with Client(address, set_as_default=False) as client:  # type: ignore[no-untyped-call, unused-ignore]
        client.wait_for_workers(count, timeout=90)  # type: ignore[no-untyped-call, unused-ignore]
