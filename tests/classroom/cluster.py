"""A real scheduler and real workers on loopback, for tests."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest


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


def wait_for_workers(address: str, count: int) -> None:
    from distributed import Client

    with Client(address, set_as_default=False) as client:  # type: ignore[no-untyped-call, unused-ignore]
        client.wait_for_workers(count, timeout=90)  # type: ignore[no-untyped-call, unused-ignore]
