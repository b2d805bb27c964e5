"""What a person decides: commands and answers; and what a machine has not."""

from pathlib import Path

import pytest

from grader.course.hand_in import Folder, Handed
from grader.course.rubric import HowToRun, Limits
from grader.errors import NotGradable
from grader.programs import built
from grader.programs.program import Program
from tests.programs.test_catalog import HANDED_IN

LIMITS = Limits(load=60, deadline=20, total=3)
ASKS = """
word = input("Say the word: ")
if word != "please":
    raise SystemExit("wrong")
""" + (HANDED_IN / "as_assigned" / "ttt.py").read_text()


def folder(**files: str) -> Folder:
    return tuple(Handed(name.replace("__", "."), len(text), text.encode()) for name, text in files.items())


def test_answers_of_a_person_come_first() -> None:
    program = Program(folder(ttt__py=ASKS), LIMITS, HowToRun(answers=("please",)))
    assert program.failure == ""
    assert [answer for _, answer in program.series.manner.answered] == ["please"]
    program.close()


def test_answers_may_lie_beside_the_program() -> None:
    program = Program(folder(ttt__py=ASKS, answers__txt="please\n"), LIMITS, HowToRun(answers=("no",)))
    assert program.failure == ""
    program.close()


def test_without_the_answer_it_is_told_what_was_asked() -> None:
    program = Program(folder(ttt__py=ASKS), LIMITS, HowToRun())
    with pytest.raises(NotGradable, match="Say the word"):
        assert program.failure
    program.close()


def test_a_missing_compiler_is_no_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(built, "find", lambda tool: None)
    program = Program(folder(Main__java="public static void main(String[] a) {}"), LIMITS, HowToRun())
    with pytest.raises(NotGradable, match="not gradable here: no javac and no java"):
        assert program.failure


def test_a_program_that_crashes_at_once_fails_by_its_own_fault() -> None:
    program = Program(folder(ttt__py="print(1 / 0)\ninput()"), LIMITS, HowToRun())
    assert "ZeroDivisionError" in program.failure
    program.close()


def test_nothing_is_left_of_what_was_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    program = Program(folder(ttt__py="input('Your move: ')"), LIMITS, HowToRun())
    with pytest.raises(NotGradable):
        assert program.failure
    program.close()
    assert list(tmp_path.iterdir()) == []
