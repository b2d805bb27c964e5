from pathlib import Path
from typing import Any

import pytest
import uvicorn

from grader.cli import class_jobs
from grader.cli.main import main
from grader.marking import desk
from grader.marking.marks import Scribe
from tests.marking.made import class_of


def told(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert main([str(argument) for argument in arguments]) == 2
    return capsys.readouterr().err


def test_without_the_extra_a_sentence_says_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(class_jobs, "find_spec", lambda name: None)
    said = told(capsys, "mark", class_of(tmp_path / "out", html=False))
    assert said.startswith("error: marking needs Starlette and uvicorn: ")
    assert said.endswith(": pip install 'tictactoe-grader[mark]' (-e '.[mark]' in a checkout)\n")


def test_what_cannot_be_marked_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "there is no graded class in it: grade the class first" in told(capsys, "mark", tmp_path)
    (tmp_path / "grades").mkdir()
    assert "is an older one: grade the class first" in told(capsys, "mark", tmp_path)
    (tmp_path / "class.json").write_text("{}")
    assert "class.json is not what this grader writes" in told(capsys, "mark", tmp_path)
    assert "the following arguments are required: FOLDER" in told(capsys, "mark")


@pytest.mark.parametrize(
    "other", ["--student", "--json=-", "--out=x", "--regrade", "--course=cs50ai", "--jobs=2"]
)
def test_what_does_not_go_with_marking_is_refused(
    other: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = class_of(tmp_path / "out", html=False)
    assert f"there is no option {other.partition('=')[0]}" in told(capsys, "mark", out, other)


def test_a_graded_class_is_not_graded_as_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    out = class_of(tmp_path / "out", html=False)
    said = told(capsys, out, "--diff", tmp_path)
    assert "is the folder of a class that was graded: name what was handed in" in said
    assert not (tmp_path / "grades").exists()


def test_a_request_of_nobody_is_named_before_anything_is_served(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = class_of(tmp_path / "out", html=False)
    (out / "requests.csv").write_text("student,text\nNobody,why\n")
    assert "requests.csv:2: there is no student 'Nobody'" in told(capsys, "mark", out)


def test_the_end_says_what_is_still_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out, scribes = class_of(tmp_path / "out", html=False), list[Scribe]()

    def scribe(*given: Any) -> Scribe:
        scribes.append(Scribe(*given))
        return scribes[-1]

    def ended(*, waits: bool) -> str:
        monkeypatch.setattr(uvicorn.Server, "run", lambda *_: waits and scribes[-1].wait(60))
        assert main(["mark", str(out)]) == 0
        return capsys.readouterr().out.split("\n", 2)[2]

    monkeypatch.setattr(desk, "Scribe", scribe)
    up_to_date = f"0 of 12 marked. Everything in {out}/ is up to date.\n"
    assert (
        ended(waits=False) == f"Writing the pages and gradebooks that are not up to date yet.\n{up_to_date}"
    )
    assert ended(waits=True) == up_to_date
