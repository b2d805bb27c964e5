from dataclasses import replace
from pathlib import Path

import pytest

from grader.classroom.adjustments import Adjustment, decided, load
from grader.core.course.rubric import Criterion, Rubric
from grader.core.errors import UserError
from grader.core.grade import Status, Verdict
from grader.core.scores import make_grade
from grader.core.values import value_of
from grader.report.terminal_report import render
from grader.report.wording import as_text
from tests.classroom.lines import earned, record

RUBRIC = Rubric(
    title="T",
    criteria=(
        Criterion(id="player", description="p", points=10),
        Criterion(id="winner", description="w", points=30),
    ),
    bonus=(Criterion(id="extra", description="e", points=5),),
    scale_to=20,
)
CRITERIA = earned("player", 4, 10), earned("winner", 30, 30), earned("extra", 0, 5, bonus=True)
ADA = record("ada", "Ada", "ada.py", score=34, points=40, bonus=0, total=34, scaled=17, criteria=CRITERIA)


def decision(**given: object) -> Adjustment:
    return value_of(
        Adjustment, {"student": "Ada", "criterion": "player", "comment": "read it", "by": "Dr. B", **given}
    )


def test_points_replace_and_a_delta_is_added() -> None:
    decisions = [
        decision(points=9),
        decision(criterion="winner", delta=-5),
        decision(criterion="extra", delta=5),
    ]
    found = decided(ADA, decisions, RUBRIC)
    assert {name: criterion.score for name, criterion in found.criteria.items()} == {
        "player": 9,
        "winner": 25,
        "extra": 5,
    }
    grade = found.grade
    assert grade and (grade.score, grade.bonus, grade.total, grade.scaled) == (34, 5, 39, 19.5)
    assert grade.decisions[0] == "Player: 9 of 10 (4 by the grader, marked by Dr. B): read it"


def test_a_grade_with_a_decision_has_its_total() -> None:
    verdicts = [
        (name, Verdict(id="a", status=Status.FAILED, weight=1, earned=share, reason="r"))
        for name, share in (("player", 0.4), ("winner", 1), ("extra", 0))
    ]
    grade = make_grade(RUBRIC, "ada.py", verdicts, seconds=1, submission_seconds=1)
    decisions = [decision(points=9), decision(student="Bob", criterion="winner", points=0)]
    changed = decided(replace(ADA, grade=grade), decisions, RUBRIC).grade
    assert changed and (changed.total, changed.scaled, len(changed.decisions)) == (39, 19.5, 1)
    assert [criterion.score for criterion in changed.criteria] == [9, 30, 0]
    text = as_text(render(changed))
    assert "Total  39 / 40" in text and "Player: 9 of 10 (4 by the grader, marked by Dr. B): read it" in text


def test_only_the_student_named_is_touched() -> None:
    assert decided(ADA, [decision(student="Bob", points=0)], RUBRIC) == ADA


def test_a_score_never_falls_below_nothing() -> None:
    assert decided(ADA, [decision(delta=-99)], RUBRIC).criteria["player"].score == 0


def test_who_has_no_grade_can_be_given_points() -> None:
    grade = decided(record("a", "Ada", "a", "not_graded"), [decision(points=7)], RUBRIC).grade
    assert grade and (grade.total, grade.points) == (7, 40)


HEAD = "- student: Ada\n  criterion: player\n"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (HEAD + "  points: 3\n  comment: c\n", 1, "by"),
        (HEAD + "  comment: c\n  by: d\n", 1, "either 'points'"),
        (HEAD + "  points: 1\n  delta: 1\n  comment: c\n  by: d\n", 1, "either 'points'"),
        (
            HEAD.replace("player", "plaier") + "  points: 1\n  comment: c\n  by: d\n",
            2,
            "unknown criterion 'plaier'",
        ),
        (HEAD.replace("Ada", "Adda") + "  points: 1\n  comment: c\n  by: d\n", 1, "is Ada meant"),
        (HEAD + "  points: many\n  comment: c\n  by: d\n", 3, "number"),
    ],
)
def test_a_bad_decision_names_its_line(tmp_path: Path, text: str, line: int, message: str) -> None:
    file = tmp_path / "adjustments.yaml"
    file.write_text(text)
    with pytest.raises(UserError, match=message) as caught:
        load(file, RUBRIC, [("Ada", "ada"), ("Bob", "bob")])
    assert caught.value.line == line


def test_of_two_with_one_name_the_file_tells_who_is_meant(tmp_path: Path) -> None:
    file = tmp_path / "adjustments.yaml"
    text = HEAD + "  points: 3\n  comment: c\n  by: d\n"
    file.write_text(text)
    both = [("Ada", "Ada-1"), ("Ada", "Ada-2")]
    with pytest.raises(UserError, match="several students are called Ada: say Ada-1 or Ada-2"):
        load(file, RUBRIC, both)
    file.write_text(text.replace("Ada", "Ada-2"))
    decisions = load(file, RUBRIC, both)
    assert not decided(replace(ADA, key="Ada-1"), decisions, RUBRIC).adjusted
    assert decided(replace(ADA, key="Ada-2"), decisions, RUBRIC).criteria["player"].score == 3


@pytest.mark.parametrize("text", [None, "", "# nothing yet\n", "[]\n"])
def test_no_decisions_are_no_mistake(tmp_path: Path, text: str | None) -> None:
    file = tmp_path / "adjustments.yaml"
    if text is not None:
        file.write_text(text)
    assert load(file, RUBRIC, []) == ()
