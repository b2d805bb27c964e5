import re
from dataclasses import replace
from pathlib import Path

import pytest

from grader.core.course.course import Template
from grader.core.course.rubric import Criterion, GivenBack, Level, Rubric
from grader.core.errors import UserError
from grader.core.messages import in_language, own_text
from grader.core.values import plain, value_of
from grader.course import loading, rubric_files
from grader.course.courses import DEFAULT_FIXTURES, DEFAULT_RUBRIC, ROOT

SMALL = "title: T\ncriteria:\n  - id: player\n    description: d\n    points: 10\n"
BY_HAND = SMALL + "    by_hand: true\n"


def load(tmp_path: Path, text: str) -> Rubric:
    file = tmp_path / "rubric.yaml"
    file.write_text(text)
    return rubric_files.load(file)


def test_the_shipped_rubric_is_the_courses_own() -> None:
    shipped = rubric_files.load(DEFAULT_RUBRIC)
    points = {criterion.id: criterion.points for criterion in shipped.all_criteria()}
    assert points == {
        **dict.fromkeys(("player", "actions", "terminal", "utility", "alpha_beta"), 10),
        **dict.fromkeys(("result", "winner"), 15),
        "minimax": 25,
        "quality": 5,
    }
    assert [criterion.id for criterion in shipped.bonus] == ["alpha_beta"]
    assert (shipped.points, shipped.follow_through) == (100, GivenBack(share=1))
    assert shipped.imports.forbidden == "not_run"


def test_a_small_rubric_has_defaults(tmp_path: Path) -> None:
    small = load(tmp_path, SMALL)
    assert small.limits.deadline == 5
    assert small.scale_to is None
    assert small.criterion("player") == small.criteria[0]
    assert small.criterion("other") is None


AGAIN = "  - id: player\n    description: e\n    points: 5\n"


def with_points(points: str) -> str:
    return SMALL.replace("points: 10", points)


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        (SMALL + "colour: red\n", 6, "unknown key 'colour'"),
        (with_points("points: -1"), 5, "'points': input should be greater than or equal to 0"),
        (
            with_points("point: 10"),
            5,
            "unknown key 'point', and the key 'points' is missing: did you mean 'points'",
        ),
        (SMALL + "limits:\n  dedline: 2\n", 7, "unknown key 'dedline': did you mean 'deadline'"),
        (SMALL + "limits: 2\n", 6, "'limits' must hold keys and values"),
        (SMALL + "limits:\n  strikes: 0\n", 7, "'strikes': input should be greater than or equal to 1"),
        (SMALL + "limts:\n  deadline: 2\n", 6, "unknown key 'limts': did you mean 'limits'"),
        (with_points(""), 3, "the key 'points' is missing"),
        (with_points("points: ten"), 5, "'points': input should be a valid number"),
        (with_points("points: 0"), 2, "worth nothing"),
        (with_points("points: '0'"), 2, "worth nothing"),
        (SMALL.replace("id: player", "id: Player One"), 3, "'id': input should be small letters"),
        (SMALL + AGAIN, 6, "'player' is given twice"),
        (SMALL + "bonus:\n" + AGAIN, 7, "'player' is given twice"),
        (SMALL + "follow_through: 2\n", 6, "less than or equal to 1"),
        (SMALL + "scale_to: 0\n", 6, "greater than 0"),
        (SMALL + "limits:\n  deadline: 0\n", 7, "greater than 0"),
        (SMALL + "imports:\n  forbidden: maybe\n", 7, "forbidden"),
        (SMALL + "rounding: 0\n", 6, "'rounding': input should be greater than 0"),
        (SMALL + "rounding: half\n", 6, "'rounding': input should be a valid number"),
        (SMALL + "release: never\n", 6, "'release': input should be 'always' or 'when_marked'"),
        (SMALL + "    levels: {good: 10}\n", 3, "go with 'by_hand: true'"),
        (SMALL + "    checklist: [names]\n", 3, "go with 'by_hand: true'"),
        (BY_HAND + "    levels: {good: 9, weak: 5}\n", 3, "level is worth 9 points, and the criterion 10"),
        (BY_HAND + "    levels: {good: 11, weak: 5}\n", 3, "level is worth 11 points, and the criterion 10"),
        (BY_HAND + "    levels: {good: 10, fair: many, weak: -1}\n", 7, "'levels': give fair, weak points"),
        (BY_HAND + "    levels: [good, weak]\n", 7, "'levels' holds names with their points"),
        (BY_HAND + "    checklist: names\n", 7, "'checklist': input should be a list"),
        ("title: T\n", 1, "the key 'criteria' is missing"),
        ("title: T\ncriteria: []\n", 2, "at least 1 item"),
        ("just text\n", 1, "expected keys and values"),
        ("", 1, "is empty"),
    ],
)
def test_mistakes_are_named_with_their_line(tmp_path: Path, text: str, line: int, sentence: str) -> None:
    with pytest.raises(UserError, match=sentence) as caught:
        load(tmp_path, text)
    assert caught.value.line == line


@pytest.mark.parametrize("cost", ["not_run", "note", 5, 2.5])
def test_what_a_forbidden_import_may_cost(tmp_path: Path, cost: object) -> None:
    assert load(tmp_path, SMALL + f"imports:\n  forbidden: {cost}\n").imports.forbidden == cost


def test_a_criterion_without_a_case_is_named_with_its_line(tmp_path: Path) -> None:
    text = SMALL + "bonus:\n  - id: extra\n    description: e\n    points: 5\n"
    loaded = load(tmp_path, text)
    error = rubric_files.without_case(tmp_path / "rubric.yaml", loaded.bonus[0])
    assert error.line == 7
    assert "'extra' has no case" in str(error)


def test_levels_and_a_checklist_for_a_person(tmp_path: Path) -> None:
    by_hand = load(tmp_path, BY_HAND + "    levels: {good: 10, weak: 4.5}\n    checklist: [names]\n")
    (design,) = by_hand.criteria
    assert design.levels == (Level(name="good", points=10), Level(name="weak", points=4.5))
    assert design.checklist == ("names",)
    assert value_of(Criterion, plain(design)) == design


def test_rounding_and_release_as_they_are_written_and_as_they_are_without(tmp_path: Path) -> None:
    small = load(tmp_path, SMALL)
    assert (small.rounding, small.release) == (None, "always")
    written = load(tmp_path, SMALL + "rounding: 0.5\nrelease: when_marked\n")
    assert (written.rounding, written.release) == (0.5, "when_marked")


EXAMPLES = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs" / "your-rubric.md").read_text(), re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.partition(":")[0])
def test_every_example_in_the_docs_changes_the_shipped_rubric(tmp_path: Path, example: str) -> None:
    changed = load(tmp_path, f"extends: default\n{example}")
    assert replace(changed, extends=None) != rubric_files.load(DEFAULT_RUBRIC)
    loading.validated(tmp_path / "rubric.yaml", DEFAULT_FIXTURES)


OWN = """\
title: T
language: {language}
criteria:
  - id: player
    description:
      en: Whose turn it is
      pt: De quem é a vez{more}
    points: 1
    by_hand: true
"""


def test_a_description_may_be_given_by_language(tmp_path: Path) -> None:
    file = tmp_path / "rubric.yaml"
    file.write_text(OWN.format(language="pt", more=""))
    (criterion,) = rubric_files.load(file).criteria
    with in_language("pt"):
        assert own_text(criterion.description) == "De quem é a vez"
    with in_language("de"):
        assert own_text(criterion.description) == "Whose turn it is"


@pytest.mark.parametrize(
    ("language", "more", "said"),
    [
        ("xx", "", ":2: there is no language 'xx': there are en, ar, de, es, fr, pt"),
        ("pt", "\n      xx: huh", ":5: 'description': there is no language 'xx': there are en, ar"),
        ("pt", "\n      de: 5", ":5: 'description': the text for 'de' is missing"),
    ],
)
def test_an_unknown_language_is_refused_with_its_line(
    language: str, more: str, said: str, tmp_path: Path
) -> None:
    file = tmp_path / "rubric.yaml"
    file.write_text(OWN.format(language=language, more=more))
    with pytest.raises(UserError, match=re.escape(f"{file}{said}")):
        rubric_files.load(file)


@pytest.mark.parametrize(
    ("written", "lines"),
    [
        (
            "",
            {"import math", 'X = "X"', "EMPTY = None", "def initial_state():", "def result(board, action):"},
        ),
        ("template: given.py\n", {"import copy", "X = 'x'"}),
    ],
    ids=["what the assignment is known to give", "a file beside the rubric"],
)
def test_the_lines_of_a_template(tmp_path: Path, written: str, lines: set[str]) -> None:
    (tmp_path / "given.py").write_text("import copy\n\n\nX = 'x'\n")
    found = loading.template(tmp_path / "rubric.yaml", load(tmp_path, SMALL + written)).lines
    assert lines <= found and (found == lines) is bool(written)
    assert ("import copy" in found) is bool(written)


def test_lines_end_where_python_ends_them() -> None:
    text = "import os  # \x0c\u2028import re\r\nx = 1\ry = 2\n"
    assert Template(text).lines == {"import os  # \x0c\u2028import re", "x = 1", "y = 2"}


@pytest.mark.parametrize("raw", [None, b"\xff\xfe"])
def test_a_template_that_cannot_be_read_is_named_with_its_line(tmp_path: Path, raw: bytes | None) -> None:
    if raw:
        (tmp_path / "nowhere.py").write_bytes(raw)
    rubric = load(tmp_path, SMALL + "template: nowhere.py\n")
    with pytest.raises(UserError, match=r"the template .*nowhere\.py cannot be read") as caught:
        loading.template(tmp_path / "rubric.yaml", rubric)
    assert caught.value.line == 6
