"""Every writer against the contract of its place: what it says, and what it must not say."""

import json
import random
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from grader.core.course.rubric import Criterion
from grader.core.grade import FirstMove, Grade, Status, Unrun
from grader.places import WRITTEN_FOR, writers
from grader.places.place_report import PlaceReport, of_failure, of_grade
from grader.places.writers import WRITERS, text_for, write_junit
from grader.report.wording import FIX_FIRST, cases_passed, pointed_out
from tests.places.contracts import (
    Classroom50,
    Gradescope,
    PrairieLearn,
    hold_everywhere,
    junit_outcomes,
    vpl_grade,
)
from tests.places.grades import FORGED, RUBRIC, UNRUN, grade, unrun, verdict, with_verdict

assert tuple(WRITERS) == WRITTEN_FOR, "there is a writer for every place"
LONG = "x" * 200_000
CARET = pointed_out(UNRUN)
BY_HAND = replace(
    RUBRIC, criteria=tuple(replace(criterion, by_hand=True) for criterion in RUBRIC.criteria), bonus=()
)
NAMED = "Zoë 🎲 \ud800 \x00\x1b[31m ]]> <b>&amp; @everyone `|` \u202e.py\n::error::x"
TOLD = {
    "nothing": of_grade(grade(0, 0, 0), RUBRIC),
    "everything": of_grade(grade(1, 1, 1), RUBRIC),
    "fractions": of_grade(grade(1 / 3, 2 / 3, 0.5), RUBRIC),
    "almost": of_grade(grade(1, 0.9999, 0), RUBRIC),
    "taken off": of_grade(grade(1, 1, 0, deducted=True), RUBRIC),
    "named": of_grade(grade(1, 0, 0, submission=NAMED), RUBRIC),
    "forged": of_grade(with_verdict(grade(0, 0, 0, submission=FORGED, notes=(FORGED,)), verdict("forged", 0, reason=FORGED, got=FORGED, hint=FORGED)), RUBRIC),
    "long": of_grade(with_verdict(grade(0, 0, 0, notes=(LONG,)), verdict("long", 0, reason=LONG, got="\x00" + LONG, expected="ü" * 200_000)), RUBRIC),
    "scaled": of_grade(grade(1, 1, 1, rubric=replace(RUBRIC, scale_to=10.0)), RUBRIC),
    "grader fault": of_grade(replace(with_verdict(grade(1, 1, 0), verdict("broken", None, status=Status.GRADER_ERROR)), grader_errors=("broken",)), RUBRIC),
    "a person": of_grade(grade(0, 0, rubric=BY_HAND), BY_HAND),
    "not python": of_grade(unrun(), RUBRIC),
    "raises": of_grade(unrun(replace(UNRUN, why=Unrun.RAISES)), RUBRIC),
    "no file": of_failure("there is no file", "x.py", RUBRIC),
    "no rubric": of_failure("the rubric cannot be read"),
    "crash": of_failure(LONG + FORGED, NAMED, RUBRIC),
}  # fmt: skip


@pytest.mark.parametrize("name", TOLD)
def test_every_place_takes_it(name: str) -> None:
    hold_everywhere(TOLD[name])


PIECES = [FORGED, "\n", "\r", "\x00", "\x1b[2J", "\ud83d", "😀", "]]>", "<!--", "```", "|", "\\", '"', "'", "--|>", "<|--", "@all",
          "::error::", "Comment :=>>", "Grade :=>> 99", "\u2028", "\ufeff", "\uffff", "%s", "{0}", " ", "-", "(-3)", "é" * 50]  # fmt: skip


@pytest.mark.parametrize("seed", range(60))
def test_no_text_breaks_a_contract(seed: int) -> None:
    chance = random.Random(seed)

    def junk() -> str:
        return "".join(chance.choices(PIECES, k=chance.randrange(1, 12)))

    rubric = replace(RUBRIC, title=junk())
    given = grade(chance.random(), chance.random(), chance.choice([0, 0.5, 1]), rubric=rubric, submission=junk(), notes=(junk(),))  # fmt: skip
    texts: dict[str, Any] = {name: junk() for name in ("reason", "got", "expected", "hint", "call")}
    given = with_verdict(given, replace(verdict("junk", 0), **texts))
    hold_everywhere(of_grade(given, rubric))
    hold_everywhere(of_failure(junk(), junk(), rubric))


@pytest.mark.parametrize("place", WRITTEN_FOR)
@pytest.mark.parametrize("name", ["nothing", "fractions", "grader fault"])
def test_a_hidden_case_is_counted_and_not_shown(place: str, name: str) -> None:
    text = text_for(place, TOLD[name])
    if place == "gradescope":
        tests = json.loads(text)["tests"]
        assert [test["name"] for test in tests if "secret" in json.dumps(test)] == ["Hidden cases"]
        assert tests[-1]["visibility"] == "hidden"
    else:
        assert "secret" not in text
    if place != "junit" and (name, place) != ("grader fault", "prairielearn"):
        assert "hidden case" in text or TOLD[name].problem


def test_gradescope_has_the_right_total_and_each_part() -> None:
    result = gradescope(TOLD["everything"])
    assert result.score == 110
    assert result.output.startswith("110 of 100 points (100 and a bonus of 10).")
    rows = [(test.name, test.score, test.max_score, test.status) for test in result.tests]
    assert rows == [
        ("player: Whose turn it is", 20, 20, "passed"),
        ("minimax: An optimal move", 80, 80, "passed"),
        ("alpha_beta: Pruning (bonus)", 10, None, "passed"),
        ("Hidden cases", None, None, "passed"),
    ]


def gradescope(report: PlaceReport) -> Gradescope:
    return Gradescope.model_validate_json(text_for("gradescope", report))


def classroom50(report: PlaceReport) -> Classroom50:
    return Classroom50.model_validate_json(text_for("classroom50", report))


def prairielearn(report: PlaceReport) -> PrairieLearn:
    return PrairieLearn.model_validate_json(text_for("prairielearn", report))


def test_every_place_is_told_the_scaled_and_the_rounded_total() -> None:
    """Given 110 of 100 points out of 10, then 52.5 of 100 points, which are rounded to a multiple of 5."""
    scaled = gradescope(TOLD["scaled"])
    assert scaled.score == 11 and "that is 11 of 10" in scaled.output
    rubric = replace(RUBRIC, rounding=5.0)
    report = of_grade(replace(grade(0, 0, 0, rubric=rubric), score=52.5, total=52.5), rubric)
    hold_everywhere(report)
    result = gradescope(report)
    assert result.score == vpl_grade(text_for("vpl", report)) == 55
    assert "52.5 of 100 points, that is 55 of 100." in result.output
    assert prairielearn(report).score == 0.55
    assert json.loads(text_for("classroom50", report))["score"] == 55


def test_what_was_taken_off_is_in_the_total_and_has_its_reason() -> None:
    result = gradescope(TOLD["taken off"])
    assert result.score == 95
    assert "5 points are taken off: imports numpy" in [test.name for test in result.tests]
    whole = classroom50(TOLD["taken off"])
    assert (whole.score, whole.tests[-1].message) == (95, "5 points are taken off: imports numpy")


def test_the_leaderboard_is_there_if_the_rubric_asks() -> None:
    asked = replace(RUBRIC, leaderboard=True)
    given = grade(1, 0.5, 0, first_move=FirstMove(seconds=0.25))
    plain = json.loads(text_for("gradescope", of_grade(given, RUBRIC)))
    assert "leaderboard" not in plain
    ranked = json.loads(text_for("gradescope", of_grade(given, asked)))
    assert ranked["leaderboard"] == [
        {"name": "points", "value": 60.0, "order": "desc"},
        {"name": "first move (s)", "value": 0.25, "order": "asc"},
    ]


@pytest.mark.parametrize(
    ("score", "points", "counted"),
    [
        *(
            (score, 10, counted)
            for score, counted in ((0, 0), (0.4, 0), (0.5, 1), (9.49, 9), (9.99, 9), (10, 10))
        ),
        *((9.5, 10, 9), (2.5, 2.5, 3), (2.4, 2.5, 2), (0, 0, 0)),
    ],
)
def test_whole_numbers_are_full_only_for_full_marks(score: float, points: float, counted: int) -> None:
    assert writers.whole(score, points) == counted


def test_classroom50_loses_no_fraction_and_no_bonus_silently() -> None:
    result = classroom50(TOLD["fractions"])
    assert (result.score, result.maximum) == (65, 110)
    assert [(test.name, test.score, test.maximum, test.message.split(". ")[0]) for test in result.tests] == [
        ("player: Whose turn it is", 7, 20, "6.67 of 20 points"),
        ("minimax: An optimal move", 53, 80, "53.33 of 80 points"),
        ("alpha_beta: Pruning (bonus)", 5, 10, "5 of 10 bonus points"),
    ]
    assert classroom50(TOLD["everything"]).score == 110
    almost = classroom50(TOLD["almost"])
    assert almost.tests[1].score == 79 and not almost.tests[1].passed
    assert almost.tests[-1].message == "The exact total is 99.99; 100 is counted."


def test_classroom50_takes_its_names_from_the_environment() -> None:
    around = {"CLASSROOM": "cs1", "ASSIGNMENT": "ttt", "SUBMISSION_TAG": "submit/7"}
    around |= {"COMMIT_URL": "c", "RELEASE_URL": "r"}
    now = datetime(2026, 1, 2, 4, 5, 6, tzinfo=timezone(timedelta(hours=1)))
    result = Classroom50.model_validate_json(writers.write_classroom50(TOLD["everything"], around, now))
    assert (result.classroom, result.assignment, result.submission) == ("cs1", "ttt", "submit/7")
    assert (result.commit, result.release, result.review) == ("c", "r", "c")
    assert result.datetime == "2026-01-02T03:05:06Z"


def test_prairielearn_ends_at_one_and_says_what_is_above() -> None:
    result = prairielearn(TOLD["everything"])
    assert result.score == 1
    assert "110 of 100" in result.message and "what is above them is not in it" in result.message
    points = [(test.points, test.max_points) for test in result.tests or ()]
    assert points == [(20, 20), (80, 80), (0, 0)]


def test_prairielearn_does_not_take_a_file_that_is_not_python() -> None:
    result = prairielearn(TOLD["not python"])
    assert result.format_errors == ["\n".join([UNRUN.sentence, *CARET, FIX_FIRST])]


@pytest.mark.parametrize(
    ("name", "given"), [("everything", 100), ("nothing", 0), ("fractions", 65), ("scaled", 10), ("forged", 0)]
)
def test_vpl_finds_the_grade_and_no_other(name: str, given: float) -> None:
    text = text_for("vpl", TOLD[name])
    assert vpl_grade(text) == given
    if name == "everything":
        assert "Comment :=>>>The grade ends at 100: 10 above it are not in it." in text


@pytest.mark.parametrize("name", ["grader fault", "a person", "no file", "no rubric", "crash"])
def test_without_a_score_nothing_reads_as_a_zero(name: str) -> None:
    report = TOLD[name]
    assert vpl_grade(text_for("vpl", report)) is None
    result = json.loads(text_for("gradescope", report))
    assert "score" not in result and not any("score" in test for test in result["tests"])
    assert json.loads(text_for("prairielearn", report))["gradable"] is False
    assert json.loads(text_for("classroom50", report))["max-score"] == 0


def test_junit_has_the_same_names_whatever_happens() -> None:
    names = {name: list(junit_outcomes(text_for("junit", report))) for name, report in TOLD.items()}
    assert names["nothing"] == names["everything"] == names["fractions"] == names["raises"]
    criteria = ("player", "minimax", "alpha_beta")
    assert names["nothing"] == [
        f"{criterion}/{case}" for criterion in criteria for case in ("seen", "hidden")
    ]
    outcomes = junit_outcomes(text_for("junit", TOLD["nothing"]))
    assert outcomes["minimax/seen"] == outcomes["minimax/hidden"] == "failure"
    assert outcomes["alpha_beta/seen"] == "skipped"


def test_junit_for_instructors_lists_hidden_cases_one_by_one() -> None:
    report = TOLD["nothing"]
    for_students, for_instructors = write_junit(report), write_junit(report, with_hidden=True)
    expected = {f"{row.id}/{case.id}" for row in report.rows for case in row.verdicts if case.weight}
    assert set(junit_outcomes(for_instructors)) == expected
    secret = {case.id for row in report.rows for case in row.hidden()}
    assert secret and not any(f"/{name}" in for_students for name in secret - {"hidden"})


def test_what_only_a_person_judges_is_skipped() -> None:
    whole = [replace(criterion, verdicts=()) for criterion in grade(0, 0, rubric=BY_HAND).criteria]
    report = of_grade(replace(grade(0, 0, rubric=BY_HAND), criteria=tuple(whole)), BY_HAND)
    hold_everywhere(report)
    text = text_for("junit", report)
    assert junit_outcomes(text) == {"player/whole": "skipped", "minimax/whole": "skipped"}
    assert text.startswith('<?xml version="1.0" encoding="utf-8"?>')


def test_nothing_in_markdown_is_markup_of_the_submission() -> None:
    text = text_for("markdown", TOLD["named"])
    assert "@everyone" not in text and "<b>" not in text
    fenced = with_verdict(grade(0, 0, 0), verdict("fence", 0, got="```\n````\n# out", call="x"))
    assert "\n`````text\n" in text_for("markdown", of_grade(fenced, RUBRIC))


def test_a_fractional_criterion_fits_too() -> None:
    rubric = replace(RUBRIC, criteria=(Criterion(id="player", description="d", points=2.5),), bonus=())
    report: PlaceReport = of_grade(grade(1, rubric=rubric), rubric)
    hold_everywhere(report)
    assert json.loads(text_for("classroom50", report))["score"] == 3


@pytest.mark.parametrize("place", ["gradescope", "vpl", "markdown", "classroom50", "prairielearn"])
def test_a_file_that_does_not_run_says_so_once_with_its_line(place: str) -> None:
    text = text_for(place, TOLD["raises"])
    bare = text.replace("\\n", "\n").replace("Comment :=>>>", "")
    assert bare.count(UNRUN.sentence) == 1
    assert "\n".join([*CARET, FIX_FIRST]) in bare
    cases = 3 if place == "classroom50" else 2  # there a bonus is a part of the file's row
    assert f"0 of {cases} cases passed, and 0 of {cases} hidden cases." in bare
    for nothing in ("An optimal move", "Pruning", "seen"):
        assert nothing not in bare.replace("unseen", "")


def test_criteria_that_a_file_spoils_are_one_row() -> None:
    (row,) = json.loads(text_for("gradescope", TOLD["raises"]))["tests"]
    assert (row["name"], row["score"], row["max_score"]) == ("file: The file does not run", 0, 100)


@pytest.mark.parametrize("place", WRITTEN_FOR)
def test_every_place_counts_as_the_grade_does(place: str) -> None:
    given = grade(1, 0.5, 0)
    words = cases_passed(given.tally)
    assert words == "1 of 2 cases passed, and 1 of 2 hidden cases"  # a bonus is not among them
    whole = text_for(place, of_grade(given, RUBRIC))
    if place == "classroom50":  # it has a text for each row and none for the whole
        assert whole.count("0 of 1 case passed, and 0 of 1 hidden case.") == 2
    else:
        assert words in whole


@pytest.mark.parametrize("place", WRITTEN_FOR)
def test_a_failed_case_has_its_points(place: str) -> None:
    given = with_verdict(grade(1, 0.25, 0), verdict("more", 0))
    assert "10 of 40" in text_for(place, of_grade(given, RUBRIC))


@pytest.mark.parametrize("place", WRITTEN_FOR)
def test_what_counts_nothing_is_a_note(place: str) -> None:
    about: dict[str, Any] = {"weight": 0, "status": Status.FAILED}
    noted = verdict("long line", 0, **about), verdict("secret", 0, **about, visibility="hidden")
    given = grade(1, 0.5, 0)
    second = replace(given.criteria[1], verdicts=noted)
    report = of_grade(replace(given, criteria=(given.criteria[0], second)), RUBRIC)
    text = text_for(place, report)
    assert "0 of 0" not in text and "failed: long line" not in text
    if place != "junit":
        assert "note: long line: why long line" in text


@pytest.mark.parametrize("place", WRITTEN_FOR)
def test_points_that_a_person_still_judges_are_said(place: str) -> None:
    first, second = RUBRIC.criteria
    mixed = (first, replace(second, by_hand=True))
    rubric = replace(RUBRIC, criteria=mixed, bonus=())
    text = text_for(place, of_grade(grade(1, 0, rubric=rubric), rubric))
    of_row, of_all = "a person judges this, up to 80", "A person still judges up to 80 points."
    assert (of_row if place == "classroom50" else of_all) in text


@pytest.mark.parametrize("place", ["gradescope", "classroom50", "prairielearn", "vpl", "markdown"])
def test_points_that_were_given_back_are_said(place: str) -> None:
    given = grade(0.5, 0.5, 0)
    first = replace(given.criteria[0], given_back=2.5)
    report = of_grade(replace(given, criteria=(first, *given.criteria[1:])), RUBRIC)
    assert "10 of 20 points, 2.5 of them given back" in text_for(place, report)


def test_what_is_said_is_the_students_view() -> None:
    given: Grade = grade(0, 0, 0)
    hidden = replace(given, show_mistakes=False, mistakes=())
    assert of_grade(hidden, RUBRIC).rows[0].mistakes == ()
