from pathlib import Path

import pytest

from grader.core.errors import UserError
from grader.course import rubric_files
from grader.course.courses import DEFAULT_FIXTURES, DEFAULT_RUBRIC, ROOT, write_copy
from grader.grading.session import Settings, check_configuration


def test_a_checkout_uses_what_people_edit() -> None:
    assert Path(__file__).parents[2] == ROOT
    assert DEFAULT_RUBRIC.is_file() and DEFAULT_FIXTURES.is_dir()


def test_a_copy_is_complete_and_grades_alike(tmp_path: Path) -> None:
    written = write_copy(tmp_path / "mine", DEFAULT_RUBRIC.read_text(), DEFAULT_FIXTURES)
    assert {file.name for file in written} >= {file.name for file in DEFAULT_FIXTURES.glob("*.yaml")}
    assert rubric_files.load(tmp_path / "mine" / "rubric.yaml") == rubric_files.load(DEFAULT_RUBRIC)
    check_configuration(Settings(tmp_path / "mine" / "rubric.yaml", tmp_path / "mine" / "fixtures"))


def test_a_copy_points_to_its_own_schemas(tmp_path: Path) -> None:
    for file in write_copy(tmp_path, DEFAULT_RUBRIC.read_text(), DEFAULT_FIXTURES):
        if file.suffix == ".yaml":
            first = file.read_text().splitlines()[0]
            assert (file.parent / first.removeprefix("# yaml-language-server: $schema=")).is_file(), file


@pytest.mark.parametrize("name", ["rubric.yaml", "fixtures"])
def test_nothing_is_overwritten(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises(UserError, match="is there already, and is not overwritten"):
        write_copy(tmp_path, DEFAULT_RUBRIC.read_text(), DEFAULT_FIXTURES)
    assert [file.name for file in tmp_path.rglob("*")] == [name]


def test_a_folder_that_cannot_be_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be written"):
        write_copy(tmp_path / "file", DEFAULT_RUBRIC.read_text(), DEFAULT_FIXTURES)
