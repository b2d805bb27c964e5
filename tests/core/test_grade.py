import json
from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from grader.cli.main import schema_text
from grader.core.course.rubric import Criterion, GivenBack, Rubric
from grader.core.grade import Count, Deduction, Mistake, Status, Verdict, student_view, to_json
from grader.core.scores import make_grade, without_cases

RUBRIC = Rubric(
    title="T",
    criteria=(Criterion(id="a", description="A", points=10), Criterion(id="b", description="B", points=30)),
    bonus=(Criterion(id="c", description="C", points=5),),
    scale_to=8,
)


def verdict(name: str, status: Status = Status.PASSED, share: float | None = 1.0, **more: Any) -> Verdict:
    weight = more.pop("weight", 1.0)
    earned = None if share is None else weight * share
    return Verdict(id=name, status=status, weight=weight, earned=earned, reason="r", **more)


def grade_of(*verdicts: tuple[str, Verdict], rubric: Rubric = RUBRIC, **more: Any) -> Any:
    return make_grade(rubric, "s.py", verdicts, seconds=1.0, submission_seconds=0.5, **more)


WRONG_WINNER = ("b", verdict("w", Status.FAILED, 0.0, function="winner", aspect="answers"))


def scores(grade: Any) -> list[float]:
    return [criterion.score for criterion in grade.criteria]


def test_points_are_shared_by_weight() -> None:
    grade = grade_of(
        ("a", verdict("1", weight=3.0)),
        ("a", verdict("2", Status.FAILED, 0.0)),
        ("b", verdict("3", Status.FAILED, 0.5)),
        ("c", verdict("4")),
    )
    assert scores(grade) == [7.5, 15.0, 5.0]
    assert (grade.score, grade.points, grade.bonus, grade.total) == (22.5, 40.0, 5.0, 27.5)
    assert grade.scaled == 5.5


def test_every_case_has_its_points_and_they_are_the_score() -> None:
    grade = grade_of(
        ("a", verdict("1", weight=3.0)),
        ("a", verdict("2", Status.FAILED, 0.0)),
        ("a", verdict("3", Status.SKIPPED, None)),
        ("a", verdict("4", weight=0.0)),
        ("b", verdict("5", Status.FAILED, 0.5)),
    )
    priced = {
        case.id: (case.points, case.score) for criterion in grade.criteria for case in criterion.verdicts
    }
    assert priced == {"1": (7.5, 7.5), "2": (2.5, 0), "3": (None, None), "4": (None, None), "5": (30, 15)}
    assert scores(grade) == [7.5, 15, 0]


@pytest.mark.parametrize(
    ("seen", "score", "undecided"),
    [(1.0, 10.0, False), (0.8, 10.0, False), (0.5, 7.5, True), (0.1, 5.5, True)],
)
def test_a_program_of_which_too_little_was_seen_earns_that_share_until_a_person_decides(
    seen: float, score: float, undecided: bool
) -> None:
    """Given two cases of the same weight; that one is seen in a single game makes up for nothing in the other."""
    rubric = replace(RUBRIC, kind="program", seen_at_least=0.75)
    optimal = verdict("optimal", seen=seen if seen < 1 else None)
    criterion = grade_of(("a", optimal), ("a", verdict("plays")), rubric=rubric).criteria[0]
    assert (criterion.score, criterion.seen, criterion.undecided) == (score, seen, undecided)
    of_functions = grade_of(("a", optimal), ("a", verdict("plays")), rubric=replace(rubric, kind="functions"))
    assert of_functions.criteria[0].seen == (1 + seen) / 2


def test_full_marks_are_all_points_whatever_is_rounded() -> None:
    thirds = tuple(Criterion(id=name, description="A third", points=10 / 3) for name in "abc")
    rubric = Rubric(title="T", criteria=thirds)
    grade = grade_of(*((name, verdict(name)) for name in "abc"), rubric=rubric)
    assert (grade.total, grade.points) == (9.99, 9.99)
    assert [(criterion.score, criterion.points) for criterion in grade.criteria] == [(3.33, 3.33)] * 3


def test_cases_are_counted_once_and_hidden_ones_apart() -> None:
    grade = grade_of(
        ("a", verdict("1")),
        ("a", verdict("2", Status.CRASHED, 0.0)),
        ("a", verdict("3", Status.SKIPPED, None)),
        ("a", verdict("4", weight=0.0)),
        ("b", verdict("5", visibility="hidden")),
        ("b", verdict("6", Status.FAILED, 0.0, visibility="hidden")),
        ("b", verdict("7", Status.FAILED, 0.0, visibility="hidden", weight=0.0)),
    )
    assert grade.tally.public == Count(passed=1, cases=3, not_judged=1, lost=5)
    assert grade.tally.hidden == Count(passed=1, cases=2, lost=15)
    assert student_view(grade).tally == grade.tally
    assert student_view(grade).hidden == 2
    assert json.loads(to_json(grade))["tally"]["public"]["passed"] == 1


@pytest.mark.parametrize(
    ("first", "second", "score", "errors"),
    [
        (verdict("1"), verdict("2", Status.GRADER_ERROR, None), 10, ("a/2: r",)),
        (verdict("1", Status.FAILED, 0.0), verdict("2", Status.SKIPPED, None), 0, ()),
        (verdict("1"), verdict("2", Status.FAILED, 0.0, weight=0.0), 10, ()),
    ],
    ids=["a grader error", "skipped", "without weight"],
)
def test_some_cases_count_neither_for_nor_against(
    first: Verdict, second: Verdict, score: float, errors: tuple[str, ...]
) -> None:
    grade = grade_of(("a", first), ("a", second), ("b", verdict("3")))
    assert (grade.criteria[0].score, grade.grader_errors) == (score, errors)


def test_deductions_are_taken_off_the_score_down_to_nothing() -> None:
    half = grade_of(("a", verdict("1")), deductions=[Deduction(points=4, reason="x")])
    none = grade_of(("a", verdict("1")), deductions=[Deduction(points=40, reason="x")])
    assert (half.score, none.score) == (6, 0)


FOLLOWS_WINNER = verdict("f", weight=0.0, function="minimax", restored=("answers",), follows=("winner",))


def of_minimax(name: str, share: float, aspect: str = "answers") -> Verdict:
    status = Status.PASSED if share == 1 else Status.FAILED
    return verdict(name, status, share, function="minimax", aspect=aspect)


@pytest.mark.parametrize(
    ("share", "verdicts", "score", "given_back"),
    [
        (0.0, [of_minimax("1", 0.2)], 2, 0),
        (0.5, [of_minimax("1", 0.2)], 6, 4),
        (1.0, [of_minimax("1", 0.2)], 10, 8),
        (1.0, [of_minimax("1", 0.0), of_minimax("2", 0.0, "end")], 5, 5),
        (1.0, [of_minimax("1", 0.0, "declaration")], 0, 0),
        (0.5, [of_minimax("1", 0.0), of_minimax("2", 1.0)], 7.5, 2.5),
    ],
    ids=["nothing", "a half", "all", "by aspect", "not for a declaration", "beside what is right"],
)
def test_follow_through_gives_a_share_of_what_was_lost_back(
    share: float, verdicts: list[Verdict], score: float, given_back: float
) -> None:
    rubric = replace(RUBRIC, follow_through=GivenBack(share=share))
    cases = [("a", case) for case in (*verdicts, FOLLOWS_WINNER)]
    criterion = grade_of(*cases, WRONG_WINNER, rubric=rubric).criteria[0]
    assert (criterion.score, criterion.given_back) == (score, pytest.approx(given_back))
    first = criterion.verdicts[0]
    assert first.points - first.score == pytest.approx(first.lost)
    assert (first.given_back or 0) == pytest.approx(given_back)


def follower(function: str, *follows: str) -> list[tuple[str, Verdict]]:
    """Return a function that fails in criterion a, worth as much as each of the others, because of some."""
    return [
        ("a", verdict(f"{function} fails", Status.FAILED, 0.0, function=function, aspect="answers")),
        ("a", verdict(function, weight=0.0, function=function, restored=("answers",), follows=follows)),
    ]


@pytest.mark.parametrize(
    ("winner", "given_back"),
    [
        (WRONG_WINNER, 10),
        (("b", verdict("w", function="winner", aspect="answers")), 0),  # it passes what it is asked
        (("b", verdict("w", Status.SKIPPED, None, function="winner", aspect="answers")), 0),
        (("b", verdict("w", Status.FAILED, 0.0, weight=0.0, function="winner", aspect="answers")), 0),
    ],
)
def test_nothing_is_given_back_unless_somebody_is_charged(
    winner: tuple[str, Verdict], given_back: float
) -> None:
    """Given `minimax` after `utility` after `winner`: points go back where `winner` loses some."""
    rubric = replace(RUBRIC, follow_through=GivenBack())
    chain = [*follower("minimax", "utility"), *follower("utility", "winner")]
    grade = grade_of(*chain, winner, rubric=rubric)
    assert grade.criteria[0].given_back == given_back


@pytest.mark.parametrize("at_most", [0, 2.5, 5, 9, 10, 40, None])
def test_one_fault_gives_back_so_much_at_most(at_most: float | None) -> None:
    """Given two functions that follow another, each of five points: together they get no more than that."""
    rubric = replace(RUBRIC, follow_through=GivenBack(at_most=at_most))
    both = [*follower("minimax", "utility"), *follower("utility", "winner")]
    grade = grade_of(*both, WRONG_WINNER, rubric=rubric)
    assert grade.criteria[0].given_back == pytest.approx(10 if at_most is None else min(10, at_most))


def test_two_faults_give_back_each_their_own_part() -> None:
    rubric = replace(RUBRIC, follow_through=GivenBack(at_most=2))
    wrong = ("b", verdict("p", Status.FAILED, 0.0, function="player", aspect="answers"))
    grade = grade_of(*follower("minimax", "winner", "player"), WRONG_WINNER, wrong, rubric=rubric)
    assert grade.criteria[0].given_back == 4  # of 10, half of it for each


@pytest.mark.parametrize(("seen", "share"), [(None, 1.0), (0.6, 0.8), (0.4, 0.7), (0.0, 0.5)])
def test_what_was_not_seen_is_told_and_left_to_a_person(seen: float | None, share: float) -> None:
    rubric = replace(RUBRIC, seen_at_least=0.75)
    status, earned = (Status.SKIPPED, None) if seen == 0 else (Status.PASSED, 1.0)
    grade = grade_of(("a", verdict("1")), ("a", verdict("2", status, earned, seen=seen)), rubric=rubric)
    (a, *_) = grade.criteria
    assert a.seen == pytest.approx(share)
    assert a.undecided == (share < 0.75)
    assert len(grade.for_a_person) == (share < 0.75)
    assert a.score == pytest.approx(10 * share if a.undecided else 10)  # until a person has decided


def test_students_are_told_mistakes_if_the_rubric_says_so() -> None:
    mistake = Mistake(function="winner", id="i", title="does so", sentence="It does so.")
    wrong = verdict("1", Status.FAILED, 0.0, function="winner", explained_by="winner/i")
    for shown in (True, False):
        seen = student_view(grade_of(("a", wrong), mistakes=(mistake,), show_mistakes=shown))
        assert seen.mistakes == ((mistake,) if shown else ())
        assert seen.criteria[0].verdicts[0].explained_by == ("winner/i" if shown else None)


def test_students_see_public_cases_only_and_nothing_for_instructors() -> None:
    hidden = verdict("2", Status.FAILED, 0.0, visibility="hidden")
    grade = grade_of(
        ("a", verdict("1")), ("a", hidden), notes=("It prints.",), for_instructors=("Look: eval.",)
    )
    shown = student_view(grade)
    assert [case.id for case in shown.criteria[0].verdicts] == ["1"]
    assert (shown.hidden, shown.notes, shown.for_instructors) == (1, ("It prints.",), ())
    assert shown.score == grade.score == 5


def test_the_json_has_what_it_promises_and_fits_its_schema() -> None:
    grade = grade_of(
        ("a", verdict("1", board=("X..", "...", "..."), call="f(board)", expected="1", got="2")),
        ("b", verdict("2", Status.SKIPPED, None)),
    )
    data = json.loads(to_json(grade))
    jsonschema.validate(data, json.loads(schema_text("grade")))
    top = "schema submission score points bonus total scaled criteria grader_errors seconds"
    assert set(top.split()) <= set(data)
    first, second, _ = data["criteria"]
    assert {"id", "points", "score", "bonus", "verdicts"} <= set(first)
    assert first["verdicts"][0] == {
        **{
            "id": "1",
            "status": "passed",
            "weight": 1.0,
            "earned": 1.0,
            "points": 10.0,
            "score": 10.0,
            "reason": "r",
        },
        **{
            "code": "",
            "parameters": {},
            "visibility": "public",
            "board": ["X..", "...", "..."],
            "call": "f(board)",
        },
        **{"expected": "1", "got": "2"},
    }
    assert second["verdicts"][0]["earned"] is None
    assert data["criteria"][2]["bonus"] is True


@pytest.mark.parametrize(
    ("rounding", "total", "back"),
    [
        (None, 36.24, 36.24),
        (0.5, 36.24, 36),
        (0.5, 36.25, 36.5),
        (1, 36.49, 36),
        (1, 36.5, 37),
        (0.1, 36.15, 36.2),
        (0.1, 0.35, 0.4),
        (0.01, 36.24, 36.24),
        (5, 37.5, 40),
        (0.5, 0.2, 0),
        (15, 40, 40),
        (1, 44.5, 45),
    ],
)
def test_what_goes_back_is_rounded_halves_up_and_the_grade_stays_exact(
    rounding: float | None, total: float, back: float
) -> None:
    """Given 40 points and a bonus: rounding never makes more than full marks of less."""
    rubric = replace(RUBRIC, scale_to=None, rounding=rounding)
    grade = replace(grade_of(rubric=rubric), total=total)
    assert (grade.final, grade.out_of) == (back, 40)
    assert json.loads(to_json(grade))["total"] == total


def test_with_a_scale_the_scaled_total_goes_back_rounded() -> None:
    grade = grade_of(("b", verdict("1", Status.FAILED, 0.81)), rubric=replace(RUBRIC, rounding=0.5))
    assert (grade.total, grade.scaled, grade.final, grade.out_of) == (24.3, 4.86, 5, 8)


OPEN = (
    "A test of 'a' does not count, for a fault of its own: a person decides about the {} points that the other "
    "cases have not earned."
)
LATE = verdict("t", Status.TIMED_OUT, 0.0, weight=2.0)


@pytest.mark.parametrize(
    ("others", "late", "sentences"),
    [
        ([verdict("1"), verdict("2", weight=4.0)], LATE, []),
        ([verdict("1"), verdict("2", Status.FAILED, 0.5)], LATE, [OPEN.format("2.5")]),
        ([verdict("1"), verdict("2", visibility="hidden")], replace(LATE, visibility="hidden"), []),
        ([verdict("1", Status.SKIPPED, None), verdict("2")], LATE, []),
        ([verdict("1"), verdict("2", Status.FAILED, 0.0)], replace(LATE, weight=0.0), []),
        ([], LATE, [OPEN.format("10")]),
    ],
    ids=["others right", "another wrong", "hidden", "another skipped", "worth nothing", "no other"],
)
def test_a_case_that_is_left_out_later_is_as_if_it_had_been_skipped(
    others: list[Verdict], late: Verdict, sentences: list[str]
) -> None:
    """Given a case of one criterion, beside one of another, a bonus, and points taken off."""
    more: dict[str, Any] = {"deductions": [Deduction(points=1, reason="d")]}
    beside = [("b", verdict("3", Status.FAILED, 0.3)), ("c", verdict("4"))]
    skipped = replace(late, status=Status.SKIPPED, earned=None, reason="why", code="left-out")
    before, expected = (
        grade_of(*beside, *(("a", case) for case in [*others, case]), **more) for case in (late, skipped)
    )
    after = without_cases(before, {("a", "t"): "why"})
    assert list(after.for_a_person) == sentences
    assert [case.undecided for case in after.criteria] == [bool(sentences), False, False]
    criteria = tuple(replace(case, undecided=False) for case in after.criteria)
    assert rounded(replace(after, for_a_person=(), criteria=criteria)) == rounded(expected)


def rounded(grade: Any) -> Any:
    """Return a grade as plain data in which points have four decimals."""
    return json.loads(to_json(grade), parse_float=lambda text: round(float(text), 4))
