"""A grade with decisions, comments, answers, and without what late work costs."""

from dataclasses import replace
from typing import Any

import pytest

from grader.classroom.adjustments import Adjustment, Mark, decided
from grader.classroom.gradebooks import comment, status
from grader.classroom.records import LateWork, Record
from grader.core.course.rubric import Criterion, Late, Level, Rubric
from grader.core.grade import Pruning, Search, Status, Verdict, student_view
from grader.core.scores import make_grade
from grader.report.pages import page
from grader.report.terminal_report import render
from grader.report.wording import as_text
from tests.classroom.lines import changed, earned, record

RUBRIC = Rubric(
    title="T",
    criteria=(Criterion(id="player", description="p", points=10), Criterion(id="design", description="d", points=30, by_hand=True)),
    bonus=(Criterion(id="extra", description="e", points=5),),
    late=Late(per_day="10%", not_after="7d"),
)  # fmt: skip
CRITERIA = earned("player", 8, 10), earned("design", 0, 30, by_hand=True), earned("extra", 5, 5, bonus=True)
ADA = record("ada", "Ada", "ada.py", score=8, points=40, bonus=5, total=13, criteria=CRITERIA)
NOBODY = record("ada", "Ada", "", "not_graded", why="There is no file.")
DAY = 86_400.0


def by_hand(**given: Any) -> Adjustment:
    return Adjustment(student="Ada", **{"comment": "read it", "by": "B", **given})


def mark(**given: Any) -> Mark:
    return Mark(student="ada", id="0" * 8, **{"by": "B", "at": "2026-03-01", **given})


def after(decisions: list[Adjustment], late: LateWork | None = None, before: Record = ADA) -> Any:
    return decided(before, decisions, RUBRIC, late).grade


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"points": 20}, "Design: 20 of 30 (good, marked by B)"),
        ({"points": 20, "comment": "short"}, "Design: 20 of 30 (good, marked by B): short"),
        ({"points": 20, "comment": "good"}, "Design: 20 of 30 (good, marked by B)"),
        ({"points": 19}, "Design: 19 of 30 (marked by B)"),
        ({"points": 5}, "Design: 5 of 30 (marked by B)"),  # which of the two, nobody knows
        ({"delta": -10, "comment": "long"}, "Design: 20 of 30 (-10, marked by B): long"),
    ],
)
def test_points_that_are_a_level_are_given_with_its_name(given: dict[str, Any], text: str) -> None:
    levels = (Level(name="good", points=20), Level(name="weak", points=5), Level(name="odd", points=5))
    player, design = RUBRIC.criteria
    whole = replace(design, levels=(Level(name="excellent", points=30), *levels))
    rubric = replace(RUBRIC, criteria=(player, whole))
    found = decided(ADA, [mark(criterion="design", **given)], rubric).grade
    assert found and found.decisions == (text,)


def test_a_total_may_be_below_what_a_criterion_has_and_is_the_headline() -> None:
    grade = after([by_hand(points=2, comment="copied")])
    assert (grade.total, grade.score, grade.criteria[0].score) == (2, 8, 8)
    assert grade.decisions == ("Total: 2 of 40 (13 by the grader, marked by B): copied",)
    assert after([by_hand(delta=-20)]).total == 0 and after([by_hand(delta=1.5)]).total == 14.5


def test_a_total_comes_after_criteria_and_after_late_work() -> None:
    decisions = [by_hand(delta=-1), by_hand(criterion="design", points=20)]
    assert after(decisions, LateWork(by=DAY)).total == 8 + 20 + 5 - 4 - 1
    assert after([by_hand(points=12)], LateWork(by=DAY)).total == 12


def test_late_work_has_its_own_line_and_is_taken_of_the_score_first() -> None:
    grade = after([], LateWork(by=DAY))
    assert (grade.score, grade.bonus, grade.total) == (4, 5, 9)
    (line,) = grade.deductions
    assert line.late and line.points == 4 and line.reason.startswith("Handed in 1 day late")
    grade = after([], LateWork(by=8 * DAY))
    assert (grade.score, grade.bonus, grade.total) == (0, 0, 0)


def test_who_is_excused_loses_nothing() -> None:
    grade = after([by_hand(late="excused", comment="ill")], LateWork(by=8 * DAY))
    assert grade.total == 13 and grade.deductions == ()
    assert grade.decisions == ("Late work is excused (decided by B): ill",)


def test_late_is_late_where_there_is_nothing_to_take_off() -> None:
    """Given a file that earned nothing, and one that was not graded."""
    nothing = changed(ADA, score=0, bonus=0, total=0)
    found = decided(nothing, [], RUBRIC, LateWork(by=DAY))
    assert found.late and found.taken_off == 0 and found.total == 0 and not found.to_look_at
    assert "There was nothing to take off." in comment(found)
    assert "late" in status(found) and "nothing to take off" in as_text(render(found.grade or after([])))
    assert decided(NOBODY, [], RUBRIC, LateWork(by=DAY)).late
    assert not decided(nothing, [by_hand(late="excused")], RUBRIC, LateWork(by=DAY)).late


def test_who_does_not_run_is_looked_at_until_a_person_has() -> None:
    """Given a decision on a criterion by hand, which is nobody's look at the rest, and others."""
    broken = changed(ADA, unrun="It has no end.")
    for given, settled in (
        ({"criterion": "design", "points": 3}, False),
        ({"criterion": "player", "points": 3}, True),
        ({"points": 3}, True),
        ({"seen": True}, True),
    ):
        assert (decided(broken, [mark(**given)], RUBRIC).to_look_at == "") == settled


def test_a_mark_on_an_earlier_version_says_so() -> None:
    """Given marks from before and after the day on which another file was handed in."""
    newer = replace(ADA, changed_at="2026-03-05")
    old, new = mark(comment="Here", line=3), mark(comment="There", line=4, at="2026-03-06")
    found = decided(newer, [old, new], RUBRIC)
    assert found.grade and [(comment.line, comment.text) for comment in found.grade.comments] == [
        (None, "Line 3 of an earlier version: Here"),
        (4, "There"),
    ]
    assert found.to_look_at == "marked before the file changed"
    (told,) = after([mark(criterion="player", delta=1, comment="c", line=3)], before=newer).decisions
    assert told == "Player: 9 of 10 (+1, line 3 of an earlier version, marked by B): c"
    assert decided(newer, [mark(points=3)], RUBRIC).to_look_at == "marked before the file changed"
    for settled in ([new], [old, mark(seen=True, at="2026-03-06")], [by_hand(points=3)]):
        assert not decided(newer, settled, RUBRIC).to_look_at
    assert not decided(ADA, [old], RUBRIC).to_look_at
    unseen = decided(changed(newer, unrun="It has no end."), [mark(seen=True)], RUBRIC)
    assert unseen.to_look_at.startswith("It has no end")


def test_what_is_taken_off_by_hand_is_off_the_whole_until_points_are_given() -> None:
    less, given = mark(criterion="design", delta=-2, comment="c"), mark(criterion="design", points=20)
    assert after([less]).criteria[1].score == 28
    assert after([less, given]).criteria[1].score == 18  # whichever was decided first
    assert after([mark(criterion="design", delta=3, comment="c")]).criteria[1].score == 3


def test_a_comment_with_points_is_told_once() -> None:
    grade = after([mark(criterion="player", delta=1, comment="Well done", line=4)])
    assert grade.decisions == ("Player: 9 of 10 (+1, line 4, marked by B): Well done",)
    assert as_text(render(grade)).count("Well done") == 1


def test_a_total_says_that_what_is_decided_of_criteria_does_not_change_it() -> None:
    grade = after([mark(points=12), mark(criterion="player", delta=1, comment="Well done")])
    assert grade.total == 12
    assert grade.decisions == (
        "Player: 9 of 10 (+1, marked by B): Well done (the total stays as it was given)",
        "Total: 12 of 40 (13 by the grader, marked by B)",
    )
    text, shown = as_text(render(grade)), page(grade, "X = 1\n")
    assert "Total  12 / 40\n" in text and "12 <small>of 40</small>" in shown  # and no bonus beside it


def test_comments_and_answers_are_no_decisions_on_points() -> None:
    marks: list[Adjustment] = [
        mark(comment="Fine"), mark(comment="Here", line=3), mark(criterion="player", delta=1, comment="And", line=4),
        mark(request="Why?", comment="So."), mark(request="And?"), mark(seen=True),
    ]  # fmt: skip
    grade = after(marks)
    assert [(comment.text, comment.line, comment.points) for comment in grade.comments] == [("Fine", None, None), ("Here", 3, None), ("And", 4, 1)]  # fmt: skip
    assert [(answer.request, answer.answer) for answer in grade.answers] == [("Why?", "So.")]
    assert grade.total == 14 and len(grade.decisions) == 1
    told = comment(decided(ADA, marks, RUBRIC))  # as it goes to Moodle
    assert "Comments from your instructor: Fine (B); line 3: Here (B). Your request was answered: So." in told
    assert told.count("And") == 1


def test_what_a_person_has_decided_is_called_unjudged_nowhere() -> None:
    """Given a criterion by hand, one of which nothing was judged and one that is right."""
    skipped = Verdict(
        id="a", status=Status.SKIPPED, weight=1, earned=None, reason="Not judged: it uses exec."
    )
    right = Verdict(id="b", status=Status.PASSED, weight=1, earned=1, reason="right")
    style = Criterion(id="style", description="s", points=10)
    rubric = replace(RUBRIC, criteria=(*RUBRIC.criteria, style), late=None)
    verdicts = [("player", right), ("style", skipped), ("extra", right)]
    grade = make_grade(rubric, "ada.py", verdicts, seconds=1, submission_seconds=1)
    whole = [mark(criterion="design", points=30), mark(criterion="style", points=4), mark(points=44)]
    for marks, left in (([], 2), (whole[:1], 1), (whole[:2], 0), (whole[2:], 0)):
        found = decided(replace(ADA, grade=grade), marks, rubric)
        assert found.grade and len(found.to_judge) + bool(found.grade.unjudged_points) == left
        view = student_view(found.grade)
        texts = as_text(render(view)), as_text(render(found.grade)), page(view, "X = 1\n"), comment(found)
        told = "\n".join(texts).lower()
        assert ("not judged" in told) == (left > 0)
        assert ("for a person" in told or "a person still" in told) == (left > 1)
    lost = comment(replace(ADA, grade=grade)).partition("Could not be judged: style.")
    assert lost[1] and "style 0 of 10" not in lost[0]
    assert "Design: 30 of 30 (marked by B)." in comment(decided(replace(ADA, grade=grade), whole[:2], rubric))


def test_the_bonus_waits_for_nobody_once_a_person_has_decided() -> None:
    counted = dict.fromkeys(("taken_shallow", "taken_deep", "missed_shallow", "missed_deep", "too_early"), 0)
    search = Search(pruning=Pruning.UNDECIDED, **counted, boards=(), calls={})
    untold = changed(ADA, search=search)
    assert untold.undecided and decided(untold, [by_hand(criterion="design", points=1)], RUBRIC).undecided
    for given in ({"criterion": "extra", "points": 0}, {"points": 12}):
        assert not decided(untold, [by_hand(**given)], RUBRIC).undecided


def test_a_comment_gives_nobody_a_zero() -> None:
    said = decided(NOBODY, [mark(comment="Where is it?"), mark(request="a", comment="b")], RUBRIC)
    assert said.grade is None and said.comments[0].text == "Where is it?" and said.answers[0].answer == "b"
    assert comment(said) == "There is no file. Comments from your instructor: Where is it? (B)."
    given = decided(NOBODY, [mark(points=7)], RUBRIC)
    assert given.total == 7 and given.judged("player") is None
    assert comment(given) == "7 of 40 points. Total: 7 of 40 (marked by B)."


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        (by_hand, {}),
        (by_hand, {"points": 1, "late": "excused"}),
        (mark, {}),
        (mark, {"points": 1, "delta": 1}),
    ],
)
def test_a_decision_is_one_thing(kind: Any, given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"either 'points'|a mark is"):
        kind(**given)


def test_within_the_grace_nobody_was_late() -> None:
    rubric = replace(RUBRIC, late=Late(per_day="10%", grace="15m"))
    late = replace(ADA, late=True)
    assert not decided(late, [], rubric, LateWork(by=600.0)).late
    assert decided(late, [], rubric, LateWork(by=1200.0)).late
