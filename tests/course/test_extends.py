"""A rubric that builds on another, and errors that name the file and line that is really at fault."""

from pathlib import Path

import pytest

from grader.core.errors import UserError
from grader.course import cases, courses, rubric_files
from grader.course.courses import (
    DEFAULT_FIXTURES,
    DEFAULT_RUBRIC,
    DEFAULT_SUBMISSION,
    course_names,
    write_copy,
)
from grader.grading.session import Settings, check_configuration
from tests.judged import grade_submission

BASE = """\
title: Base
criteria:
  - id: player
    description: Whose turn it is
    points: 10
  - id: winner
    description: The winner
    points: 20
limits:
  deadline: 3
"""


def write(folder: Path, text: str, name: str = "rubric.yaml") -> Path:
    (folder / "base.yaml").write_text(BASE)
    (folder / name).write_text(text)
    return folder / name


def test_only_what_differs_is_said(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        "extends: base.yaml\ncriteria:\n  - id: winner\n    points: 5\n"
        "  - id: style\n    description: Style\n    points: 1\nlimits:\n  strikes: 1\n",
    )
    loaded = rubric_files.load(file)
    assert [(criterion.id, criterion.points) for criterion in loaded.criteria] == [
        ("player", 10),
        ("winner", 5),
        ("style", 1),
    ]
    assert (loaded.title, loaded.limits.deadline, loaded.limits.strikes) == ("Base", 3, 1)


def test_an_empty_list_leaves_nothing_over_and_its_cases_are_not_asked(tmp_path: Path) -> None:
    file = write(tmp_path, "extends: default\nbonus: []\n")
    loaded = rubric_files.load(file)
    assert (loaded.bonus, loaded.points, loaded.left_out) == ((), 100, ("alpha_beta",))
    assert cases.load(DEFAULT_FIXTURES / "alpha_beta.yaml", loaded) == ()
    grade = grade_submission(DEFAULT_SUBMISSION, Settings(file, courses.fixtures_of(file)))
    assert (grade.total, grade.bonus) == (100, 0)


def test_an_id_that_is_misspelt_is_named(tmp_path: Path) -> None:
    file = write(tmp_path, "extends: base.yaml\ncriteria:\n  - id: winer\n    points: 5\n")
    with pytest.raises(UserError, match="there is no 'winer' to change: is winner meant") as caught:
        rubric_files.load(file)
    assert caught.value.line == 3


@pytest.mark.parametrize(
    ("own", "base", "place", "sentence"),
    [
        ("extends: base.yaml\nlimits:\n  deadline: -1\n", BASE, "rubric.yaml:3", "greater than 0"),
        ("extends: base.yaml\n", BASE.replace("points: 20", "points: -2"), "base.yaml:8", "greater than"),
        ("extends: base.yaml\n", BASE + "colour: red\n", "base.yaml:11", "unknown key 'colour'"),
        ("title: T\nextends: nowhere.yaml\n", BASE, "rubric.yaml:2", "no file nowhere.yaml"),
        ("extends: cs50\n", BASE, "rubric.yaml:1", "is cs50ai meant?"),
        ("extends: rubric.yaml\n", BASE, "rubric.yaml:1", "is it a circle"),
        ("extends: 5\n", BASE, "rubric.yaml:1", "names a course"),
    ],
)
def test_errors_name_the_file_and_line_at_fault(
    tmp_path: Path, own: str, base: str, place: str, sentence: str
) -> None:
    file = write(tmp_path, own)
    (tmp_path / "base.yaml").write_text(base)
    with pytest.raises(UserError) as caught:
        rubric_files.load(file)
    assert sentence in caught.value.message and caught.value.file
    assert f"{caught.value.file.name}:{caught.value.line}" == place


def test_a_rubric_on_its_own_says_the_same(tmp_path: Path) -> None:
    file = write(tmp_path, "extends: cs3081\ntitle: Mine\ncriteria:\n  - id: winner\n    points: 5\n")
    alone = tmp_path / "alone.yaml"
    alone.write_bytes(rubric_files.whole_text(file))
    assert rubric_files.base_of(alone) is None
    assert rubric_files.load(alone) == rubric_files.load(file)


def test_the_cases_go_with_the_rubric(tmp_path: Path) -> None:
    assert courses.fixtures_of(DEFAULT_RUBRIC) == DEFAULT_FIXTURES
    assert courses.fixtures_of(courses.rubric_of("cs3081")) == DEFAULT_FIXTURES
    own = courses.rubric_of("cs50ai").parent / "fixtures"
    assert courses.fixtures_of(write(tmp_path, "extends: cs50ai\n")) == own
    (tmp_path / "fixtures").mkdir()
    assert courses.fixtures_of(tmp_path / "rubric.yaml") == tmp_path / "fixtures"


@pytest.mark.parametrize("name", ["default", *course_names()])
def test_a_copy_of_a_course_can_be_changed(tmp_path: Path, name: str) -> None:
    """Given a copy, it has the same rubric, all files, a schema for each, and can grade."""
    file, copy = courses.rubric_of(name), tmp_path / "mine" / "rubric.yaml"
    fixtures = courses.fixtures_of(file)
    written = write_copy(copy.parent, courses.text_to_change(file), fixtures)
    assert rubric_files.load(copy) == rubric_files.load(file)
    assert {path.name for path in written} >= {path.name for path in fixtures.glob("*.yaml")}
    for path in (path for path in written if path.suffix == ".yaml"):
        schema = path.read_text().splitlines()[0].partition("$schema=")[2]
        assert (path.parent / schema).is_file(), path
    if name == "default":
        check_configuration(Settings(copy, copy.parent / "fixtures"))


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


def test_a_checkout_uses_what_people_edit() -> None:
    assert Path(__file__).parents[2] == courses.ROOT
    assert DEFAULT_RUBRIC.is_file() and DEFAULT_FIXTURES.is_dir()


def test_every_course_is_listed_with_a_line() -> None:
    listed = {line.split()[0]: line.split() for line in courses.all_courses()}
    assert set(listed) == {"cs3081", "cs50ai", "cpsc352"}
    assert listed["cs3081"][1:5] == ["100", "+", "10", "points"]
    assert 25 <= float(listed["cs50ai"][1]) <= 35
    assert all(len(words) > 5 for words in listed.values())
