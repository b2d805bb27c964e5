"""The command with programs: sentences and exit codes for what cannot be."""

from pathlib import Path

import pytest

from grader.cli.main import main
from tests.programs.catalog import HANDED_IN

RIGHT = HANDED_IN / "as_assigned"


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    code = main([str(argument) for argument in arguments])
    told = capsys.readouterr()
    assert "Traceback" not in told.err or "needs" in told.err
    return code, told.err + told.out


def test_a_command_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    code, told = said(capsys, RIGHT, "--course", "cpsc352", "--run", "./nothing")
    assert code == 3 and "./nothing" in told


def test_commands_go_with_programs(capsys: pytest.CaptureFixture[str]) -> None:
    code, told = said(capsys, "--run", "python3 x.py")
    assert code == 2 and "--build, --run and --patient go with a program" in told


def test_a_folder_without_a_source_is_not_gradable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "essay.pdf").write_bytes(b"%PDF")
    code, told = said(capsys, tmp_path, "--course", "cpsc352")
    assert code == 3 and "there is no source" in told


def test_an_empty_folder_is_the_users_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    code, told = said(capsys, tmp_path / "empty", "--course", "cpsc352")
    assert code == 2 and "there are no files in this folder" in told


def test_cases_of_functions_do_not_go_with_programs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "fixtures").mkdir()
    (tmp_path / "fixtures" / "a.yaml").write_text(
        "criterion: correctness\ncases:\n  - id: a\n    check: parses\n"
    )
    (tmp_path / "rubric.yaml").write_text("extends: cpsc352\n")
    code, told = said(
        capsys, RIGHT, "--rubric", tmp_path / "rubric.yaml", "--fixtures", tmp_path / "fixtures"
    )
    assert code == 2 and "a.yaml:4" in told and "does not go with 'kind: program'" in told


def test_what_is_not_gradable_is_told_to_a_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "results.json"
    code, _ = said(
        capsys, HANDED_IN / "needs_a_package", "--course", "cpsc352", "--write", "prairielearn", file
    )
    assert code == 3
    text = file.read_text()
    assert '"gradable": false' in text and "colorfuldice" in text


@pytest.mark.exhaustive
def test_the_page_of_what_is_not_gradable_shows_what_was_tried(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    code, told = said(capsys, HANDED_IN / "draws_no_board", "--course", "cpsc352", "--html", page)
    text = page.read_text()
    assert code == 3 and "no game came about" in told
    assert "Not gradable" in text and "was typed" in text and "it said" in text and "answers:" in text
    assert "Blindfold, your square" in text.partition("The source")[2]
