"""The shape of the house: imports run downward only, and the worker's rooms stay light."""

import ast
import subprocess
import sys
from pathlib import Path

from grader.grading import ROOT

FLOORS = [
    {"grader.errors", "grader"},
    {"grader.game"},
    {"grader.strict_yaml"},
    {"grader.rubric", "grader.submission"},
    {"grader.questions", "grader.grade"},
    {"grader.cases"},
    {"grader.sandbox"},
    {"grader.checks"},
    {"grader.report", "grader.handle", "grader.mutants"},
    {"grader.grading"},
    {"grader.plugin"},
    {"grader.session"},
    {"grader.audit", "grader.comparison", "grader.classroom"},
    {"grader.cli"},
]
UPSTAIRS_REPORTS = {"grader.report.audit", "grader.report.comparison", "grader.report.classroom"}
"""Reports on something other than a grade stand above the floor they report on."""


def module_of(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def floor_of(module: str) -> int:
    for number, rooms in enumerate(FLOORS):
        if module in rooms or (".".join(module.split(".")[:2]) in rooms and module != "grader"):
            return number
    raise AssertionError(f"{module} has no floor")


def test_imports_run_downward_only() -> None:
    for file in sorted((ROOT / "grader").rglob("*.py")):
        module = module_of(file)
        if module in UPSTAIRS_REPORTS:
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("grader"):
                targets = [node.module]
                if node.module in (
                    "grader",
                    "grader.checks",
                    "grader.report",
                    "grader.sandbox",
                    "grader.game",
                    "grader.classroom",
                ):
                    targets = [
                        f"{node.module}.{alias.name}" for alias in node.names if alias.name != "__version__"
                    ]
                for target in targets:
                    if target not in UPSTAIRS_REPORTS:
                        assert floor_of(target) <= floor_of(module), f"{module} imports {target}"


def test_nothing_in_the_grader_imports_the_submission() -> None:
    for file in (ROOT / "grader").rglob("*.py"):
        text = file.read_text()
        assert "import tictactoe" not in text and "from submission" not in text


def test_a_worker_starts_without_heavy_modules() -> None:
    code = "import sys; from grader.sandbox import host; print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-s", "-S", "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    heavy = {
        "typing",
        "re",
        "json",
        "ast",
        "inspect",
        "dataclasses",
        "pydantic",
        "pytest",
        "random",
        "subprocess",
    }
    assert heavy.isdisjoint(done.stdout.split())


def test_modules_are_rooms_and_not_halls() -> None:
    for file in (ROOT / "grader").rglob("*.py"):
        assert len(file.read_text().splitlines()) <= 300, file
