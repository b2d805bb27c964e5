"""A clerk that dies, hangs or talks nonsense is replaced, and what it was at is done once more."""

import os
import signal
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from grader.classroom import clerk
from grader.classroom.clerk import Task, configuration, decoded, encoded
from grader.classroom.records import Record
from grader.grading.session import Settings
from tests.submissions import PLAIN

TASK = encoded(Task("ada", "ada.py", PLAIN.encode(), len(PLAIN)))


def course_of(settings: Settings, total: float = 0.0) -> bytes:
    return encoded(replace(configuration(settings), total=total))


def odd(program: str) -> type[clerk.Clerk]:
    """Return a kind of clerk whose process does something else."""
    return type("Odd", (clerk.Clerk,), {"program": f"import os, time; {program}"})


NONSENSE = {
    "dies": ("os._exit(3)", "the process that graded it was lost"),
    "hangs": ("time.sleep(600)", "it was not done within 0 seconds"),
    "is too long": ("os.write(1, b'\\xff' * 8); time.sleep(600)", "gave no answer that could be read"),
    "is no JSON": ("os.write(1, (3).to_bytes(8, 'big') + b'abc'); time.sleep(600)", "gave no answer that could be read"),
    "is no answer": ("os.write(1, (2).to_bytes(8, 'big') + b'[]'); time.sleep(600)", "gave no answer that could be read"),
    "is another's": ("os.write(1, (13).to_bytes(8, 'big') + b'{\"key\": \"bo\"}'); time.sleep(600)", "gave no answer that could be read"),
    "is a number": ("os.write(1, (10).to_bytes(8, 'big') + b'{\"key\": 1}'); time.sleep(600)", "gave no answer that could be read"),
    "ends in the middle": ("os.write(1, (99).to_bytes(8, 'big') + b'{'); os._exit(0)", "was lost"),
}  # fmt: skip


@pytest.mark.parametrize("program, said", NONSENSE.values(), ids=NONSENSE)
def test_what_a_clerk_may_do_wrong(
    program: str, said: str, small: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clerk, "_BESIDE", 0.0 if "0 seconds" in said else 60.0)
    monkeypatch.setattr(clerk, "_LOOK", 0.05)
    made: list[clerk.Clerk] = []

    def made_clerk(course: bytes) -> clerk.Clerk:
        made.append(odd(program)(course))
        return made[-1]

    monkeypatch.setattr(clerk, "_clerk", made_clerk)
    done = decoded(Record, clerk.grade_apart(course_of(small), TASK))
    assert done.key == "ada" and "It could not be graded, twice: " in done.why
    assert said in done.why and done.machine_was_busy, "the next run tries again"
    assert len(made) == 2 and not any(process.is_there for process in made)


def test_what_is_lost_once_is_graded_by_another(small: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = iter([odd("os._exit(3)"), clerk.Clerk])
    monkeypatch.setattr(clerk, "_clerk", lambda course: next(kinds)(course))  # noqa: PLW0108 - each its kind
    done = decoded(Record, clerk.grade_apart(course_of(small), TASK))
    assert done.grade and done.grade.score == 10


def test_a_clerk_has_no_descriptor_but_its_own(small: Settings) -> None:
    """Given this process with inheritable descriptors open, as a careless one leaves them."""
    ours = os.pipe()
    for end in ours:
        os.set_inheritable(end, True)
    mine = {str(Path(f"/proc/self/fd/{end}").readlink()) for end in ours}
    process = clerk.Clerk(b"{}")
    try:
        while not (found := list(Path(f"/proc/{process.pid}/fd").iterdir())):
            time.sleep(0.01)
        deadline = time.monotonic() + 30
        while (links := {_link(each) for each in found}) & mine and time.monotonic() < deadline:
            time.sleep(0.01)  # between fork and exec it has them
            found = list(Path(f"/proc/{process.pid}/fd").iterdir())
        assert not links & mine
    finally:
        process.end()
        for end in ours:
            os.close(end)


def _link(path: Path) -> str:
    try:
        return str(path.readlink())
    except OSError:
        return ""


def test_dismissed_clerks_end_and_are_not_replaced(small: Settings) -> None:
    said: list[BaseException] = []

    def work() -> None:
        try:
            clerk.grade_apart(course_of(small, 100), TASK)
        except clerk.ClerkLost as lost:
            said.append(lost)

    before = {process.pid for process in clerk.clerks()}
    thread = threading.Thread(target=work)
    thread.start()
    while not (mine := {process.pid for process in clerk.clerks()} - before):
        time.sleep(0.01)
    clerk.dismiss()
    thread.join(timeout=60)
    assert said and not thread.is_alive()
    assert not any(Path(f"/proc/{pid}").exists() for pid in mine)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the end of the pipe tells it")
def test_a_clerk_dies_with_its_parent() -> None:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        process = clerk.Clerk(b"{}")
        os.write(writer, str(process.pid).encode())
        time.sleep(600)
    os.close(writer)
    pid = int(os.read(reader, 20))
    os.close(reader)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    end = time.monotonic() + 30
    while time.monotonic() < end and _runs(pid):
        time.sleep(0.05)
    assert not _runs(pid)


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{}", b"\xff", b'{"key": 1}', b'{"key": "a", "folder": 3}', b"[" * 100_000]
)
def test_a_task_or_an_answer_that_is_none(data: bytes) -> None:
    with pytest.raises(ValueError):
        decoded(Task, data)
    with pytest.raises(ValueError):
        decoded(Record, data)


def test_who_is_patient_is_graded_anew_with_ten_times_the_limits(small: Settings) -> None:
    usual, patient = configuration(small), configuration(replace(small, patient=True))
    assert patient.total == 10 * usual.total and patient.digest != usual.digest
    assert clerk._settings(patient).patient and not clerk._settings(usual).patient
