"""An instructor's own tests are read before they are run: what cannot be meant has its line."""

from pathlib import Path

import pytest

from grader.core.course.rubric import Criterion, Rubric
from grader.course.cases import wrong_in_tests as examined

RUBRIC = Rubric(title="T", criteria=(Criterion(id="minimax", description="Moves", points=5),))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ('@pytest.mark.criterion("minimax", weight=2)\ndef test_it(submission):\n    pass\n', []),
        ('pytestmark = [mark.criterion(id="minimax", visibility="hidden")]\n', []),
        ("NAME = 'minimax'\n@pytest.mark.criterion(NAME, **{})\ndef test_it(): pass\n", []),
        (
            '@pytest.mark.criterion("minimax", weigth=2)\ndef test_it(): pass\n',
            ["1: the mark 'criterion' takes no 'weigth'; is weight meant?"],
        ),
        (
            '\n@pytest.mark.criterion("minimax", 2, colour=1)\ndef test_it(): pass\n',
            [
                "2: the mark 'criterion' takes no 'colour'",
                "2: the mark 'criterion' takes one id: name what else is given, as in weight=2",
            ],
        ),
        (
            'x = 1\nmark.criterion("minmax")\n',
            ["2: unknown criterion 'minmax': the rubric has minimax; is minimax meant?"],
        ),
        ("import pytest\ndef test_it()\n    pass\n", ["2: not valid Python: expected ':'"]),
    ],
)
def test_what_cannot_be_meant_is_told_with_its_line(tmp_path: Path, text: str, wrong: list[str]) -> None:
    file = tmp_path / "test_own.py"
    file.write_text(text)
    assert [str(error).removeprefix(f"{file}:") for error in examined(file, RUBRIC)] == wrong
