from pathlib import Path

import pytest

from grader.core.course.submission import locate, read
from grader.core.errors import UserError


def test_a_file_is_itself_whatever_its_name(tmp_path: Path) -> None:
    file = tmp_path / "alice.py"
    file.write_text("x = 1\n")
    assert locate(file) == file
    assert read(file, 10).source == b"x = 1\n"
    assert read(file, 10).problem is None


def test_a_folder_means_the_file_in_it(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    nested = tmp_path / "deep" / "tictactoe.py"
    nested.write_text("")
    assert locate(tmp_path) == nested
    (tmp_path / "tictactoe.py").write_text("")
    assert locate(tmp_path) == tmp_path / "tictactoe.py"


def test_paths_that_mean_no_file_or_several(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file or folder"):
        locate(tmp_path / "nowhere")
    with pytest.raises(UserError, match=r"no tictactoe\.py in this folder"):
        locate(tmp_path)
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "tictactoe.py").write_text("")
    with pytest.raises(
        UserError, match=r"2 files tictactoe.py in this folder \(a/tictactoe.py, b/tictactoe.py\)"
    ):
        locate(tmp_path)


def test_a_notebook_is_meant_where_there_is_no_python_file(tmp_path: Path) -> None:
    (tmp_path / "work.ipynb").write_text("{}")
    assert locate(tmp_path) == tmp_path / "work.ipynb"
    (tmp_path / "more.ipynb").write_text("{}")
    with pytest.raises(UserError, match=r"2 files \*\.ipynb in this folder \(more.ipynb, work.ipynb\)"):
        locate(tmp_path)
    (tmp_path / "mine.py").write_text("")
    with pytest.raises(UserError, match=r"no tictactoe\.py in this folder"):
        locate(tmp_path)


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        (b"", "The file is empty."),
        (b" \n\n", "The file is empty."),
        (b"x = 1\n\0\n", "a null byte (line 2)"),
        (b"x = 1\ry = 1\r\n# \x0c\n\0\n", "a null byte (line 4)"),
        (b"x = 1\ny = '\xe9'\n", "not UTF-8 text (line 2)"),
        (b"# -*- coding: latin-1 -*-\ny = '\xe9'\n", None),
        (b"\xef\xbb\xbfx = 1\n", None),
        (b"# coding: raw_unicode_escape\nx = 1\n", "declares the coding raw-unicode-escape"),
        (b"# coding: utf-7\nx = 1\n", "declares the coding utf-7"),
        (b"# coding: nonsense\nx = 1\n", None),
        (b"x = 1\n" * 2_000, "The file has 0.0 MB; at most 0.01 MB are read."),
    ],
)
def test_problems_before_anyone_runs_it(tmp_path: Path, source: bytes, problem: str | None) -> None:
    file = tmp_path / "tictactoe.py"
    file.write_bytes(source)
    found = read(file, 10).problem
    assert found is None if problem is None else problem in str(found)
    assert len(read(file, 10).source) <= 10_001
