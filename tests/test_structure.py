"""The structure of the code: imports run downward only, and judge and worker share the constants of the wire alone."""

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


def layers(order: str) -> list[set[str]]:
    return [set(names.split()) for names in order.split(" < ")]


LAYERS = layers(
    "worker < core < course < sandbox < programs report < site < places < grading"
    " < classroom audit benchmark play < marking < cli < __main__"
)
"""The packages of the grader and its few single modules, from the bottom layer up."""

CORE_LAYERS = layers(
    "messages < errors < values < system < game < course grade < asking scores < mistakes < checks < judging < grading"
)
AT_BUILD_TIME = {"builtins", "gc", "importlib", "pkgutil"}
"""What the worker in WebAssembly needs when its component is built."""

WORKER_MAY_IMPORT = {
    "__future__", "_ast", "_frozen_importlib", "_frozen_importlib_external", "_json", "_socket", "builtins", "copy", "ctypes", "fcntl", "io", "marshal", "os", "random", "resource",
    "shutil", "sys", "time", "threading", "concurrent",
}  # fmt: skip
NEVER_AT_RUN_TIME = {"typing", "collections"}
"""Names for types alone: a worker that starts must not pay for them (see below)."""

REPORTS_MAY_IMPORT = {"grade", "evidence", "game", "messages", "text", "serialize", "values"}
PRIVATE_WORDS = re.compile(r"\b(mend\w*|told|whoever|hand-ins?)\b|(?:\A|[.;:]\s)who\b", re.IGNORECASE)
"""What docstrings and messages do not say: style has plain words for it, or names the person."""

GRADER = ROOT / "grader"
FILES = sorted(GRADER.rglob("*.py"))


def package_of(file: Path, folder: Path = GRADER) -> str:
    return file.relative_to(folder).parts[0].removesuffix(".py")


@cache
def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text())


def imports_of(file: Path) -> Iterator[str]:
    """Yield the dotted name of everything that a file imports, also inside functions."""
    for node in ast.walk(parsed(file)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module and not node.level, f"{file}: name what you import in full"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def own_imports(file: Path) -> list[list[str]]:
    """Return what a file imports of the grader itself, split at the dots."""
    parts = (name.split(".") for name in imports_of(file))
    return [part[1:] for part in parts if part[0] == "grader" and part != ["grader", "__version__"]]


def layer_of(package: str, layers: list[set[str]] = LAYERS) -> int:
    return next(number for number, packages in enumerate(layers) if package in packages)


def imported_at_once(file: Path) -> set[Path]:
    """Return the grader's own modules that a file imports when it is loaded, not inside functions or for types."""
    names = set()
    for node in parsed(file).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return {ROOT / f"{name.replace('.', '/')}.py" for name in names} & set(FILES)


def run_python(*arguments: str) -> list[str]:
    """Return the words that an interpreter without site-packages prints."""
    command = [sys.executable, "-s", "-S", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True).stdout.split()


def test_no_module_needs_itself_to_be_loaded() -> None:
    waiting = {file: imported_at_once(file) for file in FILES}
    while loadable := {file for file, needs in waiting.items() if not needs & waiting.keys()}:
        waiting = {file: needs for file, needs in waiting.items() if file not in loadable}
    assert not waiting, f"these import each other: {sorted(map(str, waiting))}"


def test_every_package_has_a_layer() -> None:
    assert {package_of(file) for file in FILES} - {"__init__"} == set().union(*LAYERS)
    core = {package_of(file, GRADER / "core") for file in FILES if package_of(file) == "core"}
    assert core - {"__init__"} == set().union(*CORE_LAYERS)


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(GRADER)))
def test_imports_run_downward_only(file: Path) -> None:
    package = package_of(file)
    if package == "__init__":
        assert list(imports_of(file)) == []
        return
    for target, *rest in own_imports(file):
        assert target == package or layer_of(target) < layer_of(package), f"{file} imports grader.{target}"
        if target == package == "core":
            inner = package_of(file, GRADER / "core")
            is_below = rest[0] == inner or layer_of(rest[0], CORE_LAYERS) < layer_of(inner, CORE_LAYERS)
            assert is_below, f"{file}: {rest}"


def test_the_core_imports_the_standard_library_alone() -> None:
    for file in (GRADER / "core").rglob("*.py"):
        tops = {name.partition(".")[0] for name in imports_of(file)} - {"grader"}
        assert tops <= sys.stdlib_module_names, file


ALONE = """
import sys
class Only:
    def find_spec(self, name, path=None, target=None):
        top, _, rest = name.partition(".")
        package = rest.partition(".")[0]
        if top not in sys.stdlib_module_names and (top != "grader" or package not in ("", "core", "worker")):
            raise ImportError(name)
sys.meta_path.insert(0, Only())
import grader.core.grading
print(*sys.modules)
"""


def test_the_core_needs_nothing_else() -> None:
    """Given an interpreter in which nothing but the standard library and the core can be found."""
    assert {"pydantic", "yaml", "pytest", "rich"}.isdisjoint(run_python("-c", ALONE))


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


def test_the_judge_imports_nothing_of_the_worker_but_the_constants_of_the_wire() -> None:
    """Given also the one module that runs a submission in the judge's own interpreter."""
    inside = GRADER / "core" / "asking" / "inside.py"
    for file in FILES:
        for package, *rest in own_imports(file):
            if package == "worker" and package_of(file) != "worker":
                allowed = {"wire", "host", "helpers", "module"} if file == inside else {"wire"}
                assert rest[0] in allowed, f"{file} imports worker.{'.'.join(rest)}"
    constants = parsed(GRADER / "worker" / "wire.py").body
    assert all(isinstance(statement, ast.Assign | ast.Expr) for statement in constants)


def test_the_command_never_runs_a_submission_inside() -> None:
    inside = {"grader.core.asking.inside", "grader.site.checking"}
    for file in FILES:
        runs = {name.rpartition(".")[0] for name in imports_of(file)} & inside
        assert not runs or file.parent == GRADER / "site", file


def test_reports_import_nothing_but_a_grade_the_board_in_it_and_text() -> None:
    for file in (GRADER / "report").glob("*.py"):
        for package, *rest in own_imports(file):
            assert package == "report" or (package == "core" and rest[0] in REPORTS_MAY_IMPORT), file


def test_nothing_in_the_grader_imports_the_submission() -> None:
    for file in FILES:
        assert not {"tictactoe", "submission"} & {name.split(".")[0] for name in imports_of(file)}


def test_no_module_is_too_long() -> None:
    for file in FILES:
        assert len(file.read_text().splitlines()) <= 600, file


def test_a_worker_starts_without_heavy_modules() -> None:
    found = set(run_python("-c", "import sys; from grader.worker import serve; print(*sys.modules)"))
    assert found.isdisjoint({"typing", "re", "json", "ast", "inspect", "dataclasses", "random", "subprocess"})
    own = {f"grader.worker.{file.stem}" for file in (GRADER / "worker").glob("*.py")}
    assert {name for name in found if name.partition(".")[0] == "grader"} <= {"grader", "grader.worker"} | own


def test_docstrings_and_messages_use_plain_words() -> None:
    for file in FILES:
        for node in ast.walk(parsed(file)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
                assert not PRIVATE_WORDS.search(node.value), f"{file}, line {node.lineno}"


def test_no_two_modules_and_no_two_classes_have_one_name() -> None:
    modules = Counter(file.stem for file in FILES if not file.stem.startswith("__"))
    classes = Counter(
        statement.name
        for file in FILES
        for statement in parsed(file).body
        if isinstance(statement, ast.ClassDef) and not statement.name.startswith("_")
    )
    assert [name for name, count in (modules + classes).items() if count > 1] == []
