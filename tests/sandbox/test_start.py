"""Workers are forked from a template of this thread's own; without one they are started one by one."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from grader.core.asking.client import Client
from grader.core.asking.reply import Lost, Raised, Returned
from grader.core.errors import GRADER_FAILED
from grader.course.courses import ROOT
from grader.sandbox.process import Process
from tests.conftest import QUICK, MakeClient, submission_of

SOURCE = "import os\n\n\ndef player(board):\n    return os.getppid()\n"


def parent_of_a_worker() -> int:
    with Client(submission_of(SOURCE), QUICK, Process) as client:
        reply = client.call("player", [])
        assert isinstance(reply, Returned)
        return int(reply.value)


def test_workers_of_a_thread_have_one_parent() -> None:
    first = parent_of_a_worker()
    assert first != os.getpid()
    assert parent_of_a_worker() == first


def test_another_thread_has_a_template_of_its_own_that_ends_with_it() -> None:
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(parent_of_a_worker()))
    thread.start()
    thread.join()
    assert found[0] != parent_of_a_worker()
    assert not Path(f"/proc/{found[0]}").exists()


def test_a_process_that_was_forked_has_a_template_of_its_own() -> None:
    mine = parent_of_a_worker()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writer, str(parent_of_a_worker()).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as answer:
        theirs = int(answer.read())
    os.waitpid(child, 0)
    assert theirs != mine
    assert parent_of_a_worker() == mine


def test_a_template_that_was_killed_is_replaced() -> None:
    first = parent_of_a_worker()
    os.kill(first, 9)
    assert parent_of_a_worker() != first


def test_without_a_template_workers_start_one_by_one(
    make_client: MakeClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.sandbox.start.system.IS_LINUX", False)
    client = make_client(SOURCE)
    assert client.call("player", []) == Returned(os.getpid())
    dying = make_client("import os\n\n\ndef player(board):\n    os._exit(3)\n")
    reply = dying.call("player", [])
    assert isinstance(reply, Lost) and reply.detail == "its process ended with exit code 3"


def test_a_worker_has_no_way_to_the_template(make_client: MakeClient) -> None:
    """Given a worker that looks at every descriptor it has: none is a socket."""
    source = (
        "import os\nimport stat\n\n\ndef player(board):\n    found = []\n    for number in range(64):\n"
        "        try:\n            mode = os.fstat(number).st_mode\n        except OSError:\n            continue\n"
        "        if stat.S_ISSOCK(mode):\n            found.append(number)\n    return found\n"
    )
    reply = make_client(source).call("player", [])
    assert not isinstance(reply, Raised), reply
    assert reply == Returned([])


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize("course", ["default", "cpsc352"])
def test_a_template_that_dies_is_a_fault_of_the_grader_and_no_silence(course: str, tmp_path: Path) -> None:
    """Given a command whose template is killed in the middle, again and again: it says so, and exits with its code."""
    (tmp_path / "tictactoe.py").write_text("print('?')\nwhile True:\n    pass\n")
    (tmp_path / "rubric.yaml").write_text(f"extends: {course}\nlimits: {{load: 2, deadline: 2, total: 10}}\n")
    command = [sys.executable, str(ROOT / "run_grader.py"), "tictactoe.py", "--rubric", "rubric.yaml"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=tmp_path, stdout=pipe, stderr=pipe, text=True) as grader:
        while grader.poll() is None:
            for template in _children(grader.pid):
                if _children(template):
                    os.kill(template, 9)
            time.sleep(0.05)
        out, said = grader.communicate()
    assert grader.returncode == GRADER_FAILED or "Total" in out, (grader.returncode, out, said)
    assert "Traceback" not in said


def _children(parent: int) -> list[int]:
    try:
        return [int(pid) for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]
    except OSError:
        return []
