"""A worker knows no answer: its memory is searched, from outside, for what only the judge knows."""

import os
import re
from pathlib import Path

import pytest

from grader.core.asking.client import Client
from grader.core.asking.reply import Returned
from grader.core.game import oracle
from grader.course.courses import ROOT
from grader.sandbox.process import Process
from tests.conftest import QUICK, submission_of
from tests.submissions import PLAIN

WHO = "import os\n\n\ndef player(board):\n    return os.getpid()\n"
RULES = {  # what is in the code of each rule function, and nowhere else
    "result": b"not a valid action",
    "winner": b"winning_line",
    "actions": b"CELLS",
}
JUDGES = (
    b"grader.core.game",
    b"grader.core.checks",
    b"grader.course",
    b"refutation",
    b"is_optimal",
    b"follow_through",
)


def memory_of(process: int) -> bytes:
    """Return all that a process may write to: its own data, wherever it lies."""
    found = []
    with Path(f"/proc/{process}/mem").open("rb", buffering=0) as memory:
        for line in Path(f"/proc/{process}/maps").read_text().splitlines():
            area = re.match(r"([0-9a-f]+)-([0-9a-f]+) rw", line)
            if area and "[v" not in line:
                start, end = int(area[1], 16), int(area[2], 16)
                memory.seek(start)
                found.append(memory.read(end - start))
    return b"".join(found)


def searched(client: Client) -> bytes:
    reply = client.call("player", [])
    assert isinstance(reply, Returned)
    return memory_of(reply.value)


def test_no_answer_no_rule_and_nobody_elses_file() -> None:
    """Given another submission that was asked before, by the same template, and an oracle in the judge."""
    mark = os.urandom(16).hex().encode()
    oracle.optimal_actions(oracle.running()[0])
    with Client(submission_of(PLAIN + f"\n# {mark.decode()}\n"), QUICK, Process) as another:
        another.call("player", [[None] * 3] * 3)
        with Client(submission_of(WHO), QUICK, Process) as client:
            memory = searched(client)
    assert b"os.getpid()" in memory  # what is looked for would be found
    assert mark not in memory
    for word in (
        *RULES.values(),
        *JUDGES,
        str(ROOT / "fixtures").encode(),
        str(ROOT / "submission").encode(),
    ):
        assert word not in memory, word


@pytest.mark.parametrize("function", RULES)
def test_a_trial_has_the_functions_that_are_replaced_and_no_other(function: str) -> None:
    with Client(submission_of(WHO), QUICK, Process, replace=[function]) as client:
        memory = searched(client)
    there = {name for name, word in RULES.items() if word in memory}
    assert function in there
    assert there <= {function, "actions"} if function == "result" else there == {function}


@pytest.mark.parametrize("function", ["winner", "result", "terminal"])
def test_a_file_that_searches_its_memory_finds_no_rule(function: str) -> None:
    """Given a file that asks the garbage collector by way of a trusted module, for any function of that name."""
    source = (
        "import gc, os, types\n\n\ndef player(board):\n"
        "    found = []\n    for one in object.__subclasses__():\n        pass\n"
        f"    try:\n        found = [one for one in gc.get_objects() if isinstance(one, types.FunctionType) and one.__name__ == {function!r}]\n"
        "    except PermissionError:\n        return 'refused'\n    return len(found)\n"
    )
    with Client(submission_of(source), QUICK, Process) as client:
        assert client.call("player", []) in (Returned(0), Returned("refused"))
