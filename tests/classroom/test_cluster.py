"""A real scheduler and two real workers on loopback; one of them is killed on the way."""

from pathlib import Path

import pytest

from grader.classroom.batch import Batch, BatchProgress, cluster_pool
from grader.classroom.clerk import configuration
from grader.classroom.entries import Entry
from grader.core.errors import UserError
from grader.grading.session import Settings, load_course
from tests.classroom.cluster import Cluster, wait_for_workers
from tests.classroom.conftest import WRONG
from tests.submissions import PLAIN

pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("default")  # Dask's own


@pytest.mark.exhaustive
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

    def on_record(news: BatchProgress) -> None:
        seen.append(news.record.student)
        if len(seen) == 4:
            victim.kill()

    with cluster_pool(cluster.address) as pool:
        lines = Batch(configuration(small), tmp_path / "out", load_course(small).rubric).run(
            entries, pool, on_record
        )
    assert [record.total for record in lines] == [6, 10] * 12
    assert sorted(seen) == sorted(entry.student for entry in entries)
    assert victim.wait() == -9


def test_a_scheduler_without_workers_is_told(cluster: Cluster) -> None:
    with pytest.raises(UserError, match="has no workers: start some with"), cluster_pool(cluster.address):
        pass
