from pathlib import Path

import pytest

from grader.core.course.course import Template
from grader.core.errors import UserError
from grader.course import loading, rubric_files

SMALL = "title: T\ncriteria:\n  - {id: player, description: d, points: 10}\n"


def load(tmp_path: Path, text: str) -> Template:
    file = tmp_path / "rubric.yaml"
    file.write_text(text)
    return loading.template(file, rubric_files.load(file))


def test_without_a_template_the_assignment_is_known(tmp_path: Path) -> None:
    lines = load(tmp_path, SMALL).lines
    assert {
        "import math",
        'X = "X"',
        "EMPTY = None",
        "def initial_state():",
        "def result(board, action):",
    } <= lines
    assert "import copy" not in lines


def test_a_template_lies_beside_the_rubric(tmp_path: Path) -> None:
    (tmp_path / "handed_out.py").write_text("import copy\n\n\nX = 'x'\n")
    assert load(tmp_path, SMALL + "template: handed_out.py\n").lines == {"import copy", "X = 'x'"}


def test_lines_end_where_python_ends_them() -> None:
    text = "import os  # \x0c\u2028import re\r\nx = 1\ry = 2\n"
    assert Template(text).lines == {"import os  # \x0c\u2028import re", "x = 1", "y = 2"}


@pytest.mark.parametrize("raw", [None, b"\xff\xfe"])
def test_a_template_that_cannot_be_read_is_named_with_its_line(tmp_path: Path, raw: bytes | None) -> None:
    if raw:
        (tmp_path / "nowhere.py").write_bytes(raw)
    with pytest.raises(UserError, match=r"the template .*nowhere\.py cannot be read") as caught:
        load(tmp_path, SMALL + "template: nowhere.py\n")
    assert caught.value.line == 4
