import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from grader.core.course.submission import from_bytes
from grader.core.errors import UserError
from grader.core.grade import Grade, Status, Verdict, to_json
from grader.course.courses import DEFAULT_FIXTURES, DEFAULT_RUBRIC, DEFAULT_SUBMISSION, ROOT
from grader.grading.session import Settings, graded, load_course, opened, read
from tests.judged import grade_submission
from tests.submissions import CORRECT, PLAIN
from tests.submissions.files import file_of


def rubric_with(tmp_path: Path, old: str, new: str) -> Settings:
    file = tmp_path / "rubric.yaml"
    text = DEFAULT_RUBRIC.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    return Settings(rubric_file=file)


def grade_source(tmp_path: Path, source: str | bytes, settings: Settings | None = None) -> Grade:
    file = tmp_path / "tictactoe.py"
    file.write_bytes(source.encode() if isinstance(source, str) else source)
    return grade_submission(file, settings or Settings())


def verdicts_of(grade: Grade) -> list[Verdict]:
    return [verdict for criterion in grade.criteria for verdict in criterion.verdicts]


def test_the_reference_has_full_marks() -> None:
    grade = grade_submission(DEFAULT_SUBMISSION, Settings())
    assert (grade.score, grade.points, grade.total) == (100, 100, 110)
    assert grade.notes == ()
    assert grade.search is not None and grade.search.pruning == "full"
    assert grade.sweep is not None and grade.sweep.recalled
    assert grade.policy is not None and len(grade.policy) == 5_478


@pytest.mark.exhaustive
def test_the_same_submission_gets_the_same_grade() -> None:
    def without_times(grade: Grade) -> object:
        data = json.loads(to_json(grade))
        for key in ("seconds", "submission_seconds", "sweep", "first_move"):
            del data[key]
        text = json.dumps(data)
        return re.sub(r"asked in \d+\.\d s", "", text)

    path = file_of("minimax_stops_at_depth_two")
    first, second = (without_times(grade_submission(path, Settings())) for _ in range(2))
    assert first == second


def test_progress_is_told() -> None:
    seen: list[tuple[int, int]] = []
    settings = Settings()
    course = load_course(settings)
    found = read(file_of("file_raises_on_import"), course.rubric)
    with opened(found, course, settings) as submission:
        submission.judging.on_verdict = lambda *news: seen.append(news)
        graded(submission, settings)
    assert [done for done, _ in seen] == list(range(1, seen[-1][1] + 1))


BACKSTOP = """
import pytest


@pytest.mark.criterion("player")
def test_backstop(request):
    cases = [item for item in request.session.items if item.name != "test_backstop"]
    assert {item.get_closest_marker("timeout").args for item in cases} == {(1800.0,)}
    assert request.config.pluginmanager.has_plugin("pytest_timeout")
"""


def test_every_case_of_a_session_has_a_backstop(tmp_path: Path) -> None:
    """Given an instructor's own test, which looks at the cases beside it."""
    shutil.copytree(DEFAULT_FIXTURES, tmp_path / "fixtures")
    (tmp_path / "fixtures" / "test_backstop.py").write_text(BACKSTOP)
    grade = grade_submission(DEFAULT_SUBMISSION, Settings(fixtures=tmp_path / "fixtures"))
    assert [verdict.reason for verdict in verdicts_of(grade) if verdict.id == "test_backstop"] == ["passed"]


def test_a_changed_initial_state_is_a_note_and_no_deduction(tmp_path: Path) -> None:
    source = PLAIN.replace("return [[EMPTY, EMPTY, EMPTY],", "return [[X, EMPTY, EMPTY],", 1)
    grade = grade_source(tmp_path, source)
    assert grade.score == 100
    assert grade.notes == ("The given function `initial_state` no longer returns the empty board.",)


def test_what_is_printed_is_a_note(tmp_path: Path) -> None:
    grade = grade_source(tmp_path, PLAIN + "\n\nprint('hello \\x1b[31m')\n")
    assert grade.score == 100
    assert grade.notes == (r"The file prints while it is graded: 'hello \x1b[31m'",)


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize(("cost", "score", "deducted"), [("note", 100, 0), ("7", 93, 7), ("not_run", 5, 0)])
def test_what_a_forbidden_import_costs(tmp_path: Path, cost: str, score: float, deducted: float) -> None:
    settings = rubric_with(tmp_path, "forbidden: not_run", f"forbidden: {cost}")
    guarded = "try:\n    import numpy  # noqa: F401\nexcept ImportError:\n    numpy = None\n"
    source = PLAIN.replace("import math\n", f"import math\n\n{guarded}")
    source = source.replace("    best = -math.inf", "    best = -math.inf if numpy is None else -math.inf", 1)
    grade = grade_source(tmp_path, source, settings)
    assert grade.score == score
    assert sum(deduction.points for deduction in grade.deductions) == deducted
    reasons = [*grade.notes, *(deduction.reason for deduction in grade.deductions)]
    reasons += [verdict.reason for verdict in verdicts_of(grade)]
    assert any("line 9 imports numpy" in reason for reason in reasons)


def test_the_total_can_be_scaled(tmp_path: Path) -> None:
    settings = rubric_with(tmp_path, "# scale_to: 10 ", "scale_to: 10 ")
    grade = grade_source(tmp_path, PLAIN.replace("def player(board):", "def player(board, x=1):"), settings)
    assert grade.scaled == pytest.approx(grade.total / 10, abs=0.01)
    assert grade.scale_to == 10


@pytest.mark.exhaustive
def test_follow_through_gives_points_back(tmp_path: Path) -> None:
    source = file_of("winner_misses_columns").read_text()
    kind = grade_source(tmp_path, source)
    strict = grade_source(tmp_path, source, rubric_with(tmp_path, "follow_through: 1 ", "follow_through: 0 "))
    points = {
        name: {criterion.id: criterion.score for criterion in grade.criteria}
        for name, grade in (("strict", strict), ("kind", kind))
    }
    assert points["strict"]["minimax"] < 25
    assert points["kind"]["minimax"] == 25
    assert points["kind"]["winner"] == points["strict"]["winner"] < 15
    reasons = [verdict.reason for verdict in verdicts_of(strict)]
    assert "With a correct `winner` this `minimax` plays perfectly." in reasons
    assert "With a correct `winner` this `terminal` is right." in reasons


@pytest.mark.exhaustive(beyond=3)
@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (b"x = '\xe9'\n", "not UTF-8 text (line 1)"),
        (b"x = 1\0\n", "null byte (line 1)"),
        (b"x = 1\n" * 2_000_000, "The file has 12.0 MB"),
        (b"(" * 100_000, "not valid Python"),
        (b"X = 1\nplayer = 2\n", "`player` is a variable (line 2)"),
    ],
)
def test_bad_files_are_graded_with_a_clear_reason(tmp_path: Path, source: bytes, reason: str) -> None:
    grade = grade_source(tmp_path, source)
    assert grade.score <= 5
    assert grade.grader_errors == ()
    assert any(reason in verdict.reason for verdict in verdicts_of(grade))


@pytest.mark.exhaustive
def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    assert grade_source(tmp_path, b"\xef\xbb\xbf" + PLAIN.encode()).score == 100


@pytest.mark.parametrize(
    ("boards", "sentence"),
    [
        ("", "no such folder of fixtures"),
        ("all", "the criterion 'player' has no case"),
        ("most", r"a\.yaml:4: 'boards'"),
    ],
)
def test_mistakes_of_the_instructor_grade_nobody(tmp_path: Path, boards: str, sentence: str) -> None:
    if boards:
        (tmp_path / "fixtures").mkdir()
        text = f"criterion: winner\ncases:\n  - id: a\n    boards: {boards}\n"
        (tmp_path / "fixtures" / "a.yaml").write_text(text)
    with pytest.raises(UserError, match=sentence):
        grade_submission(DEFAULT_SUBMISSION, Settings(fixtures=tmp_path / "fixtures"))


@pytest.mark.exhaustive
def test_a_file_that_imports_itself_is_graded_in_full(tmp_path: Path) -> None:
    """Given a search that calls its own module: with recall, and in the probe, that is the copy at work."""
    source = "import tictactoe as ttt\n" + CORRECT["alpha_beta"]
    for name in ("winner(board)", "result(board, action)"):
        source = source.replace(f" {name}", f" ttt.{name}").replace(f"def ttt.{name}", f"def {name}")
    assert "ttt.winner" in source
    grade = grade_source(tmp_path, source)
    assert grade.total == 110
    assert grade.sweep is not None and grade.sweep.recalled
    assert grade.search is not None and grade.search.pruning == "full"


@pytest.mark.exhaustive
def test_a_file_that_is_slow_to_load_is_loaded_once(tmp_path: Path) -> None:
    """Given trial code of a second or two at the end, the whole grade takes it twice: by the file, and by its copy."""
    work = "\n\nSEEN = {}\nfor number in range(12_000_000):\n    SEEN[number % 10] = number\n"
    source = (CORRECT["alpha_beta"] + work).encode()
    settings = Settings()
    with opened(
        from_bytes("slow", source, len(source), 1000), load_course(settings), settings
    ) as opened_file:
        grade = graded(opened_file, settings)
        ran = opened_file.judging.client.allowance.ran
    assert grade.total == 110
    (note,) = grade.notes
    assert note.startswith("The file runs code when it is imported, which took ")
    took = float(note.split("took ")[1].split(" s:")[0])
    # of processor time: the file, its copy, and all that is asked of them; a load each time would take ten
    assert ran < 6 * took + 8


@pytest.mark.exhaustive
def test_what_makes_a_function_of_another_is_made_again_for_a_file_that_is_slow_to_load(
    tmp_path: Path,
) -> None:
    """Given trial code, and a search under another name: its pruning is seen, as without the trial code."""
    renamed = CORRECT["alpha_beta"].replace("def minimax(", "def searched(")
    assert renamed != CORRECT["alpha_beta"]
    work = "\n\nSEEN = {}\nfor number in range(1_500_000):\n    SEEN[number % 10] = number\n"
    naming = "def named(f):\n    return lambda *a: f(*a)\n\n\nminimax = named(searched)\n"
    for trial in ("", work):
        grade = grade_source(tmp_path, f"{renamed}\n\n{naming}{trial}")
        assert grade.search is not None and grade.search.pruning == "full", trial


def test_an_import_that_nobody_uses_is_said_to_be_unused(tmp_path: Path) -> None:
    grade = grade_source(tmp_path, "import numpy as np\n" + PLAIN)
    assert "line 1 imports numpy, and never uses it. The file was not run." in verdicts_of(grade)[0].reason


@pytest.mark.exhaustive
def test_a_module_that_cannot_be_had_is_a_note(tmp_path: Path) -> None:
    grade = grade_source(tmp_path, "from ctypes import util\n" + CORRECT["alpha_beta"])
    assert grade.score >= 99
    assert grade.notes[0].startswith("It imports ctypes (line 1), which cannot be had here")


@pytest.mark.exhaustive
def test_a_grade_has_an_end(tmp_path: Path) -> None:
    """Given a file that hangs in every function, all its processes together stop at the total."""
    settings = rubric_with(tmp_path, "  total: 120 ", "  total: 6 ")
    endless = PLAIN.replace('"""\n    ', '"""\n    while True:\n        pass\n    ')
    grade = grade_source(tmp_path, endless, settings)
    earned = {verdict.id for owner in grade.criteria[:7] for verdict in owner.verdicts if verdict.earned}
    assert earned == {"declaration"}
    sentence = "not asked, for its processes had taken 6 seconds together"
    assert any(sentence in verdict.reason for verdict in verdicts_of(grade))
    assert not any("initial_state" in note for note in grade.notes)  # it was not asked
    assert grade.seconds < 240


OWN_TEST = """\
import pytest


@pytest.mark.criterion("player")
def test_it(submission):
    assert submission.player([]) == "X"
"""


def test_what_is_no_python_file_is_skipped_by_an_instructors_own_tests(tmp_path: Path) -> None:
    (tmp_path / "fixtures").mkdir()
    (tmp_path / "fixtures" / "test_mine.py").write_text(OWN_TEST)
    criteria = "criteria:\n  - {id: player, description: P, points: 10}\n"
    (tmp_path / "rubric.yaml").write_text(f"title: T\n{criteria}")
    grade = grade_source(tmp_path, b"%PDF-1.7\n\0", Settings(tmp_path / "rubric.yaml", tmp_path / "fixtures"))
    (verdict,) = verdicts_of(grade)
    assert (verdict.status, verdict.earned) == (Status.SKIPPED, None)
    assert grade.not_gradable and grade.not_gradable.startswith("The file is a PDF document")


DOCUMENTED = (ROOT / "docs" / "rubric-and-cases.md").read_text()
EXAMPLES = [
    example for example in re.findall(r"```python\n(.*?)```", DOCUMENTED, re.DOTALL) if "def test_" in example
]


def test_the_tests_in_the_documentation_pass_for_a_right_file(tmp_path: Path) -> None:
    """Given a plain search, and a second for each call: its first move alone takes several."""
    settings = rubric_with(tmp_path, "deadline: 5", "deadline: 1")
    fixtures = shutil.copytree(DEFAULT_FIXTURES, tmp_path / "fixtures")
    for number, example in enumerate(EXAMPLES):
        (fixtures / f"test_example_{number}.py").write_text(example)
    grade = grade_source(tmp_path, PLAIN, replace(settings, fixtures=fixtures))
    found = {verdict.id: verdict.status for verdict in verdicts_of(grade) if verdict.id.startswith("test_")}
    names = "nobody_has_won_yet the_engine_draws_against_itself the_same_board_gets_the_same_move"
    assert found == {f"test_{name}": Status.PASSED for name in names.split()}
    assert grade.score == 100
