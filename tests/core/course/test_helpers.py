"""Helper modules: found by their names beside a file, and nothing else is taken along."""

import json
from pathlib import Path

import pytest

from grader.core.course.submission import MOST_BYTES, MOST_FILES, beside, helpers_of, imported, read, unused


def written(folder: Path, **files: str) -> Path:
    """Write files by their names, and return the one to grade."""
    for name, text in files.items():
        file = folder / f"{name.replace('__in__', '/')}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder / "tictactoe.py"


def names_beside(file: Path) -> list[str]:
    return [module.name for module in beside(file, file.read_bytes())]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("import a", {"a"}),
        ("import a, b.c as d, e  # f", {"a", "b", "e"}),
        ("from a import b", {"a"}),
        ("from a.b import *", {"a"}),
        ("if True: import a; import b", {"a", "b"}),
        ("x = __import__('a')", {"a"}),
        ('importlib.import_module( "a.b" )', {"a"}),
        ("from . import a", set()),
        ("important = 'a'", set()),
        ("# coding: utf-8", set()),
    ],
)
def test_what_a_line_imports(line: str, found: set[str]) -> None:
    assert imported(line.encode()) == found
    assert imported(("\ufeff" + line).encode("utf-16")) == found


def test_what_is_imported_comes_along_also_through_others(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        tictactoe="import one\nfrom pack import thing\n",
        one="import two\n",
        two="import one, random\n",
        pack__in____init__="",
        pack__in__thing="import three\n",
        pack__in__deep__in__more="",
        three="",
        nobody_asks="",
        random="raise ValueError\n",
    )
    (tmp_path / "pack" / "data.txt").write_text("x")
    own = ["one.py", "pack/__init__.py", "pack/deep/more.py", "pack/thing.py", "three.py", "two.py"]
    assert names_beside(file) == own
    assert unused(read(tmp_path, 100)) == ["nobody_asks.py", "random.py"]


def test_what_the_cells_of_a_notebook_import_comes_along(tmp_path: Path) -> None:
    cell = {"cell_type": "code", "source": ["import one\n", "def player(board):\n", "    return one.x\n"]}
    (tmp_path / "work.ipynb").write_text(json.dumps({"cells": [cell], "nbformat": 4}, indent=1))
    (tmp_path / "one.py").write_text("x = 1\n")
    file = tmp_path / "work.ipynb"
    assert [helper.name for helper in helpers_of(file, file.read_bytes(), has_folder=True)] == ["one.py"]


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "secret.py").write_text("x = 1\n")
    file = written(tmp_path / "own", tictactoe="import secret\nimport far\n")
    (tmp_path / "own" / "secret.py").symlink_to(tmp_path / "far" / "secret.py")
    (tmp_path / "own" / "far").symlink_to(tmp_path / "far")
    assert names_beside(file) == []


def test_the_graders_own_files_are_nobodys_helpers(tmp_path: Path) -> None:
    file = written(tmp_path, tictactoe="import grader, run_grader\n", run_grader="", grader__in____init__="")
    assert names_beside(file) == []


def test_what_lies_beside_a_file_with_a_students_name_may_be_anothers(tmp_path: Path) -> None:
    written(tmp_path, tictactoe="import bob\n", alice="import bob\n", bob="def minimax(board): ...\n")
    assert [helper.name for helper in read(tmp_path / "tictactoe.py", 100).helpers] == ["bob.py"]
    alice = read(tmp_path / "alice.py", 100)
    assert alice.helpers == ()
    assert alice.note == (
        "It imports what lies beside it (bob.py). That may be another student's, and was not taken along: "
        "call the file tictactoe.py, in its own folder."
    )


@pytest.mark.parametrize(
    ("helpers", "problem"),
    [
        (
            {"big": "x" * (MOST_BYTES + 1)},
            "It imports 1 files beside it with 1.0 MB; at most 40 files and 1 MB",
        ),
        ({f"m{number}": "" for number in range(MOST_FILES + 5)}, "It imports 41 files beside it"),
        ({"odd": "# coding: utf-7\n"}, "odd.py declares the coding utf-7"),
        ({"null": "x = 1\n\0"}, "null.py holds a null byte (line 2)"),
        ({"fine": ""}, None),
    ],
)
def test_helpers_are_bounded_and_read_as_text(
    tmp_path: Path, helpers: dict[str, str], problem: str | None
) -> None:
    file = written(tmp_path, tictactoe=f"import {', '.join(helpers)}\n", **helpers)
    found = read(file, 1000).problem
    assert found is None if problem is None else problem in str(found)
