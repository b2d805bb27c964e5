"""A file that does not run: one sentence with its place, the same cases as any other file, no second charge."""

from pathlib import Path

import pytest

from grader.core.grade import Grade, Status, Unrun
from grader.course.courses import DEFAULT_RUBRIC, DEFAULT_SUBMISSION, fixtures_of, rubric_of
from grader.grading.session import Settings
from tests.judged import grade_submission
from tests.submissions import PLAIN

PROGRAMS = Path(__file__).parents[1] / "programs" / "handed_in"


def graded(tmp_path: Path, source: str, settings: Settings | None = None) -> Grade:
    file = tmp_path / "tictactoe.py"
    file.write_text(source)
    return grade_submission(file, settings or Settings())


def cases_of(grade: Grade) -> list[tuple[int, int]]:
    tallies = [criterion.tally for criterion in grade.criteria]
    return [(tally.public.cases, tally.hidden.cases) for tally in tallies]


def score_of(grade: Grade, criterion: str) -> float:
    return next(owner.score for owner in grade.criteria if owner.id == criterion)


@pytest.mark.parametrize(
    ("source", "why", "sentence", "place"),
    [
        ("def winner(board)\n    pass\n", Unrun.NOT_PYTHON, "expected ':' (line 1).", (1, 18, "def winner(board)")),
        ("if True:\n\tx = é +\n", Unrun.NOT_PYTHON, "(line 2).", (2, 12, "    x = é +")),
        ("", Unrun.NOT_PYTHON, "The file is empty.", (None, None, None)),
        ("x = 1\nprint([][3])\n", Unrun.RAISES, "IndexError: list index out of range (line 2).", (2, None, "print([][3])")),
        ("return 1\n", Unrun.RAISES, "'return' outside function (line 1).", (1, None, "return 1")),
        ("import sys\nsys.exit()\n", Unrun.RAISES, "SystemExit (line 2).", (2, None, "sys.exit()")),
        (f"import numpy\n{PLAIN}", Unrun.REFUSED, "line 1 imports numpy", (1, None, "import numpy")),
        ("import os\nos._exit(0)\n", Unrun.DIES, "The file cannot be loaded", (None, None, None)),
    ],
)  # fmt: skip
def test_the_place_is_told(
    tmp_path: Path, source: str, why: Unrun, sentence: str, place: tuple[object, ...]
) -> None:
    found = graded(tmp_path, source).does_not_run
    assert found and found.why is why
    assert sentence in found.sentence
    assert (found.line, found.column, found.text) == place


@pytest.mark.exhaustive
def test_a_file_that_never_ends_does_not_run(tmp_path: Path) -> None:
    rubric = tmp_path / "rubric.yaml"
    rubric.write_text(DEFAULT_RUBRIC.read_text().replace("load: 30 ", "load: 1 "))
    grade = graded(tmp_path, PLAIN + "\n\nwhile True:\n    pass\n", Settings(rubric_file=rubric))
    assert grade.score == 5
    assert grade.does_not_run and grade.does_not_run.why is Unrun.ENDLESS
    reasons = {verdict.reason for verdict in grade.criteria[0].verdicts if verdict.weight}
    assert reasons == {"The file cannot be loaded: no answer within 1 seconds."}


def test_the_part_around_the_place_is_shown_of_a_wide_line(tmp_path: Path) -> None:
    found = graded(tmp_path, f"x = [{'1, ' * 500}1 2]\n").does_not_run
    assert found and found.text and found.column
    assert len(found.text) <= 100
    assert found.text[found.column - 1 :].startswith("1 2]")


def test_it_has_the_same_cases_as_a_file_that_runs(tmp_path: Path) -> None:
    runs, does_not = grade_submission(DEFAULT_SUBMISSION, Settings()), graded(tmp_path, "def f(:\n")
    counts = cases_of(runs)
    assert cases_of(does_not) == counts
    assert runs.tally.public.passed == runs.tally.public.cases == does_not.tally.public.cases
    assert does_not.tally.public.passed == does_not.tally.hidden.passed == 0


def test_nothing_is_hinted_and_every_case_says_the_same(tmp_path: Path) -> None:
    grade = graded(tmp_path, "x = 1 +\n")
    assert grade.does_not_run
    spoilt = [verdict for criterion in grade.criteria for verdict in criterion.verdicts if verdict.unrun]
    assert {verdict.reason for verdict in spoilt} == {grade.does_not_run.sentence}
    assert {verdict.hint for verdict in spoilt} == {None}
    assert all(verdict.unrun for verdict in grade.criteria[-1].verdicts)  # the bonus


@pytest.mark.parametrize("line", ["import numpy", "return", "x: int = 1; raise ValueError"])
def test_style_charges_no_line_for_which_a_file_does_not_run(tmp_path: Path, line: str) -> None:
    """Given a line that a linter would have something to say about, too."""
    grade = graded(tmp_path, f"{PLAIN}\n{line}\n")
    assert grade.does_not_run
    assert score_of(grade, "quality") == grade.total == 5


def test_the_style_of_what_is_not_python_is_not_judged(tmp_path: Path) -> None:
    grade = graded(tmp_path, f"{PLAIN}\ndef (\n")
    quality = next(criterion for criterion in grade.criteria if criterion.id == "quality")
    assert {verdict.status for verdict in quality.verdicts if verdict.weight} == {Status.SKIPPED}
    assert quality.tally.public.not_judged == quality.tally.public.cases > 0
    assert grade.total == 0


def test_a_file_that_runs_is_no_such_file(tmp_path: Path) -> None:
    grade = graded(tmp_path, "x = 1\n")
    assert grade.does_not_run is None
    assert not any(verdict.unrun for criterion in grade.criteria for verdict in criterion.verdicts)


@pytest.mark.exhaustive
def test_a_program_that_does_not_build_says_what_the_compiler_said() -> None:
    rubric = rubric_of("cpsc352")
    grade = grade_submission(PROGRAMS / "does_not_compile", Settings(rubric, fixtures_of(rubric)))
    found = grade.does_not_run
    assert found and (found.why, found.sentence) == (Unrun.NOT_BUILT, "It does not build.")
    assert found.said and "main.cpp:34:35: error: " in found.said
    spoilt = [verdict for owner in grade.criteria for verdict in owner.verdicts if verdict.weight]
    assert spoilt and all(verdict.unrun for verdict in spoilt)
