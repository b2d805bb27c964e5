"""A module that a rubric allows works inside the wall, or is refused before anybody is graded."""

from pathlib import Path

import pytest

from grader.core.asking.client import Client
from grader.core.asking.recalled import RecalledCopy
from grader.core.asking.reply import Raised, Reply, Returned
from grader.core.asking.worker import Packages
from grader.core.course.rubric import Limits
from grader.core.game.board import START
from grader.sandbox.packages import Unusable, tried
from grader.sandbox.process import Process
from tests.conftest import QUICK, submission_of


@pytest.mark.exhaustive(beyond=2)
@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("raise ValueError('not today')", "ValueError: not today"),
        ("import _thread\n_thread.start_new_thread(print, ())", "thread"),
        ("import os\nos._exit(3)", "its process ended with exit code 3"),
        ("import pytest", "ModuleNotFoundError: No module named 'pytest'"),
        ("import ctypes\nctypes.CDLL(None)", "ImportError: the grader cannot give a submission the module ctypes"),
    ],
)  # fmt: skip
def test_a_module_that_does_not_work_is_told_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, why: str
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "broken_module.py").write_text(source)
    tried.cache_clear()
    with pytest.raises(Unusable) as error:
        tried(("json", "broken_module"))
    assert error.value.module == "broken_module"
    start = "'imports.allowed' names broken_module, which does not work inside the sandbox ("
    assert error.value.why.startswith(start) and why in error.value.why
    assert error.value.why.endswith("): take it out")


def test_what_modules_take_of_the_memory_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a module as large as all that a submission may use: that is not the submission's."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "large_module.py").write_text("DATA = bytearray(600_000_000)\n")
    tried.cache_clear()
    packages = tried(("large_module",))
    assert 570 <= packages.memory_mb <= 700
    source = "import large_module\ndef player(board): return len(bytearray(10 ** 8))\n"
    assert asked(source, packages, Limits(memory_mb=256)) == Returned(10**8)
    reply = asked(source.replace("10 ** 8", "4 * 10 ** 8"), packages, Limits(memory_mb=256))
    assert isinstance(reply, Raised) and reply.error == "MemoryError"


def asked(source: str, packages: Packages, limits: Limits = QUICK) -> Reply:
    with Client(submission_of(source), limits, Process, packages) as client:
        return client.ask("player", [(START,)])[0]


NUMPY_INSIDE = """
def player(board):
    {imports}
    grid = np.array([[cell is None for cell in row] for row in board])
    random = np.random.default_rng(1).random((20, 20))
    assert np.allclose(np.linalg.inv(random) @ random, np.eye(20))
    return int(grid.sum())
"""
PANDAS_INSIDE = """
import pandas as pd
def player(board):
    frame = pd.DataFrame({"a": [2, 1], "when": pd.to_datetime(["2024-01-02", "2024-03-04"])})
    frame["there"] = frame["when"].dt.tz_localize("Europe/Paris")
    return [int(frame["a"].sum()), str(frame.sort_values("a")["there"].iloc[0].date())]
"""


@pytest.mark.parametrize("at_the_top", [True, False], ids=["at the top", "in a function"])
def test_numpy_works_inside_the_wall(at_the_top: bool) -> None:
    source = NUMPY_INSIDE.replace("{imports}", "pass" if at_the_top else "np = __import__('numpy')")
    source = ("import numpy as np\n" if at_the_top else "") + source
    assert asked(source, tried(("numpy",))) == Returned(9)


@pytest.mark.exhaustive
def test_pandas_works_inside_the_wall() -> None:
    assert asked(PANDAS_INSIDE, tried(("pandas",))) == Returned([3, "2024-03-04"])


@pytest.mark.parametrize(
    "body",
    [
        "import pytest",
        "import grader",
        "import pandas",
        "import numpy; numpy.ctypeslib.ctypes.CDLL(None)",
        "import numpy, os; open(os.path.dirname(numpy.__path__[0]) + '/pytest/__init__.py')",
        "import numpy, os; os.listdir(os.path.dirname(numpy.__path__[0]))",
        "import numpy; open(numpy.__file__, 'a')",
    ],
)
@pytest.mark.parametrize("recalled", [False, True])
def test_what_is_installed_beside_it_stays_out_of_reach(body: str, *, recalled: bool) -> None:
    """Given numpy, asked of the submission itself and of the copy that no audit hook watches."""
    source = f"def player(board):\n    {body}\n    return 1\ndef minimax(board):\n    return player(board)\n"
    with Client(submission_of(source), QUICK, Process, tried(("numpy",))) as client:
        if recalled:
            reply = next(RecalledCopy(client, (START,)).answers())[1]
        else:
            (reply,) = client.ask("player", [(START,)])
    known = ("ModuleNotFoundError", "PermissionError", "ImportError")
    assert isinstance(reply, Raised) and reply.error in known, reply


def test_a_file_of_the_same_name_beside_a_submission_is_not_meant(tmp_path: Path) -> None:
    """Given a folder with modules that a package would find before, or instead of, what it looks for."""
    for name in ("numpy", "pyarrow", "numexpr", "bottleneck"):
        (tmp_path / f"{name}.py").write_text("import os\nos._exit(7)\n")
    (tmp_path / "tictactoe.py").write_text("import pandas\ndef player(board):\n    return pandas.__name__\n")
    from grader.core.course.submission import read

    with Client(read(tmp_path, 100), QUICK, Process, tried(("pandas",))) as client:
        assert client.ask("player", [(START,)]) == [Returned("pandas")]


def test_to_load_packages_is_no_work_of_the_submission() -> None:
    with Client(submission_of("import pandas\n"), QUICK, Process, tried(("pandas",))) as client:
        assert client.load_failure() is None
        assert client.load_seconds < client.spent / 2
