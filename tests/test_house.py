"""The shape of the house: imports run downward only, and the two sides of the wall stay apart."""

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from grader.course.courses import ROOT

FLOORS = [
    {"worker"},
    {"core"},
    {"course"},
    {"sandbox"},
    {"programs", "report"},
    {"site"},
    {"places"},
    {"grading"},
    {"classroom", "audit", "benchmark", "play"},
    {"marking"},
    {"cli"},
    {"__main__"},
]
"""The rooms of the house (folders, and the few single files), from the ground up."""

CORE = [
    {"messages"},
    {"errors"},
    {"values"},
    {"system"},
    {"game"},
    {"course", "grade"},
    {"asking", "scores"},
    {"mistakes"},
    {"checks"},
    {"judging"},
    {"grading"},
]
"""The rooms of the core."""

AT_BUILD_TIME = {"builtins", "gc", "importlib", "pkgutil"}
"""What the worker in WebAssembly needs when its component is built."""

WORKER_MAY_IMPORT = {
    "__future__", "_ast", "_frozen_importlib", "_frozen_importlib_external", "_json", "_socket", "builtins", "copy", "ctypes", "fcntl", "io", "marshal", "os", "random", "resource",
    "shutil", "sys", "time", "threading", "concurrent",
}  # fmt: skip
NEVER_AT_RUN_TIME = {"typing", "collections"}
"""Names for types alone: a worker that starts must not pay for them (see the last test)."""

PRIVATE_WORDS = re.compile(r"\b(mend\w*|told|whoever|hand-ins?)\b|(?:\A|[.;:]\s)who\b", re.IGNORECASE)
"""What docstrings and messages do not say: style has plain words for it, or names the person."""

GRADER = ROOT / "grader"
FILES = sorted(GRADER.rglob("*.py"))
CORE_FILES = sorted((GRADER / "core").rglob("*.py"))


def room_of(file: Path) -> str:
    first = file.relative_to(GRADER).parts[0]
    return first.removesuffix(".py")


@cache
def parsed(file: Path) -> ast.Module:
    """Return the code of a file."""
    return ast.parse(file.read_text())


def imports_of(file: Path) -> Iterator[str]:
    """Yield the dotted name of everything that a file imports, also inside functions."""
    for node in ast.walk(parsed(file)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module and not node.level, f"{file}: name what you import in full"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def own(names: Iterator[str]) -> list[list[str]]:
    """Return what is imported of the grader itself, split at the dots."""
    parts = (name.split(".") for name in names)
    return [part[1:] for part in parts if part[0] == "grader" and part != ["grader", "__version__"]]


def floor_of(room: str, floors: list[set[str]] = FLOORS) -> int:
    return next(number for number, rooms in enumerate(floors) if room in rooms)


def imported_at_once(file: Path) -> set[Path]:
    """Return the grader's own modules that a file imports when it is loaded, not inside functions or for types."""
    found = set()
    for node in parsed(file).body:
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        found |= {ROOT / f"{name.replace('.', '/')}.py" for name in names}
    return found & set(FILES)


def test_no_module_needs_itself_to_be_loaded() -> None:
    waiting = {file: imported_at_once(file) for file in FILES}
    while loadable := {file for file, needs in waiting.items() if not needs & waiting.keys()}:
        waiting = {file: needs for file, needs in waiting.items() if file not in loadable}
    assert not waiting, f"these import each other: {sorted(map(str, waiting))}"


def test_every_room_has_a_floor() -> None:
    rooms = {room_of(file) for file in FILES} - {"__init__"}
    assert rooms == set().union(*FLOORS)


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(GRADER)))
def test_imports_run_downward_only(file: Path) -> None:
    room = room_of(file)
    if room == "__init__":
        assert list(imports_of(file)) == []
        return
    for target, *_ in own(imports_of(file)):
        assert target == room or floor_of(target) < floor_of(room), f"{file} imports grader.{target}"


def test_the_core_imports_itself_downward_only_and_the_standard_library() -> None:
    rooms = {file.relative_to(GRADER / "core").parts[0].removesuffix(".py") for file in CORE_FILES}
    assert rooms - {"__init__"} == set().union(*CORE)
    for file in CORE_FILES:
        room = file.relative_to(GRADER / "core").parts[0].removesuffix(".py")
        for first, *rest in (name.split(".") for name in imports_of(file)):
            if first != "grader":
                assert first in sys.stdlib_module_names, f"{file} imports {first}"
            elif rest[0] == "core":
                assert rest[1] == room or floor_of(rest[1], CORE) < floor_of(room, CORE), f"{file}: {rest}"


ALONE = """
import sys
class Only:
    def find_spec(self, name, path=None, target=None):
        top, _, rest = name.partition(".")
        room = rest.partition(".")[0]
        if top not in sys.stdlib_module_names and (top != "grader" or room not in ("", "core", "worker")):
            raise ImportError(name)
sys.meta_path.insert(0, Only())
import grader.core.grading
print(*sys.modules)
"""


def test_the_core_needs_nothing_else() -> None:
    """Given an interpreter in which nothing but the standard library and the core can be found."""
    command = [sys.executable, "-S", "-c", ALONE]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    assert {"pydantic", "yaml", "pytest", "rich"}.isdisjoint(done.stdout.split())


def test_the_worker_imports_itself_and_a_few_modules_of_the_standard_library() -> None:
    for file in (GRADER / "worker").glob("*.py"):
        for name in imports_of(file):
            first, *rest = name.split(".")
            if first == "grader":
                assert rest[0] == "worker", f"{file} imports {name}"
            else:
                allowed = WORKER_MAY_IMPORT | NEVER_AT_RUN_TIME
                allowed |= AT_BUILD_TIME if file.name == "guest.py" else set()
                assert first in allowed, f"{file} imports {name}"


def test_nobody_takes_anything_from_the_worker_but_the_constants_of_the_wire() -> None:
    """But for the one that runs a submission inside, without a wall, and says so."""
    inside = GRADER / "core" / "asking" / "inside.py"
    for file in FILES:
        for room, *rest in own(imports_of(file)):
            if room == "worker" and room_of(file) != "worker":
                allowed = {"wire", "host", "helpers", "module"} if file == inside else {"wire"}
                assert rest[0] in allowed, f"{file} imports worker.{'.'.join(rest)}"
    constants = parsed(GRADER / "worker" / "wire.py").body
    assert all(isinstance(one, ast.Assign | ast.Expr) for one in constants)


def test_the_command_never_runs_a_submission_inside() -> None:
    site = GRADER / "site"
    inside = {"grader.core.asking.inside", "grader.site.checking"}
    for file in FILES:
        runs = {name.rpartition(".")[0] for name in imports_of(file)} & inside
        assert not runs or file.parent == site, file


def test_reports_know_nothing_but_a_grade_the_board_in_it_and_text() -> None:
    for file in (GRADER / "report").glob("*.py"):
        for room, *rest in own(imports_of(file)):
            known = {"grade", "evidence", "game", "messages", "text", "serialize", "values"}
            assert room == "report" or (room == "core" and rest[0] in known), file


def test_nothing_in_the_grader_imports_the_submission() -> None:
    for file in FILES:
        assert not {"tictactoe", "submission"} & {name.split(".")[0] for name in imports_of(file)}


def test_modules_are_rooms_and_not_halls() -> None:
    for file in FILES:
        assert len(file.read_text().splitlines()) <= 600, file


def test_a_worker_starts_without_heavy_modules() -> None:
    code = "import sys; from grader.worker import serve; print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-s", "-S", "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    heavy = {"typing", "re", "json", "ast", "inspect", "dataclasses", "random", "subprocess"}
    assert heavy.isdisjoint(done.stdout.split())
    loaded = {name for name in done.stdout.split() if name.partition(".")[0] == "grader"}
    assert loaded <= {"grader", "grader.worker"} | {
        f"grader.worker.{file.stem}" for file in (GRADER / "worker").glob("*.py")
    }


def test_docstrings_and_messages_use_plain_words() -> None:
    for file in FILES:
        for node in ast.walk(parsed(file)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
                assert not PRIVATE_WORDS.search(node.value), f"{file}, line {node.lineno}"


def test_a_module_or_class_of_one_name_is_one_thing() -> None:
    modules = Counter(file.stem for file in FILES if not file.stem.startswith("__"))
    names = [one.name for file in FILES for one in parsed(file).body if isinstance(one, ast.ClassDef)]
    classes = Counter(name for name in names if not name.startswith("_"))
    assert {name for name, count in modules.items() if count > 1} == set()
    assert {name for name, count in classes.items() if count > 1} == set()
