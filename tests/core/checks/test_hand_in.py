"""A hand-in with each fault, and its sentence; nothing is an accusation."""

import hashlib
import re
from pathlib import Path
from typing import Any

import pytest

from grader.core import checks, course
from grader.core.course import reading
from grader.core.course.submission import collect, digests, matching
from grader.core.errors import UserError
from grader.core.grade import Grade
from grader.course.courses import DEFAULT_FIXTURES, DEFAULT_RUBRIC, ROOT, rubric_of
from grader.grading.session import Settings, load_course
from tests.judged import grade_submission
from tests.submissions import PLAIN

REFERENCE = ROOT / "submission"
NAMES = ("tictactoe.py", "README.md", "requirements.txt", "runner.py")
CASES = """\
criterion: quality
cases:
  - id: files
    check: files
    required: [tictactoe.py, README.md, requirements.txt]
    unmodified:
      runner.py: {known}
{more}  - id: readme
    check: readme
    parts: [name_and_id, approach, challenges]
  - id: cut-offs
    check: search
    weight: 0
    boards: [[XO., X.., ..O]]
"""
RUBRIC = "title: T\ncriteria:\n  - id: quality\n    description: Q\n    points: 10\nhand_in: note\n"


@pytest.fixture
def handed(tmp_path: Path) -> Path:
    """Give a complete hand-in."""
    folder = tmp_path / "handed"
    folder.mkdir()
    for name in NAMES:
        (folder / name).write_bytes((REFERENCE / name).read_bytes())
    return folder


def graded(tmp_path: Path, folder: Path, *, more: str = "", known: str = "", rubric: str = RUBRIC) -> Grade:
    (tmp_path / "rubric.yaml").write_text(rubric)
    (tmp_path / "fixtures").mkdir(exist_ok=True)
    (tmp_path / "fixtures" / "given_runner.py").write_bytes((REFERENCE / "runner.py").read_bytes())
    text = CASES.format(known=known or "given_runner.py", more=more)
    (tmp_path / "fixtures" / "hand_in.yaml").write_text(text)
    return grade_submission(folder, Settings(tmp_path / "rubric.yaml", tmp_path / "fixtures"))


def test_names_of_files_are_text(tmp_path: Path, handed: Path) -> None:
    (handed / "\x1b[2J\n\u202e\udcff.txt").write_text("x")
    assert r"\x1b[2J\n\u202e\udcff.txt" in {file.name for file in collect(handed)}
    said = reasons(graded(tmp_path, handed, more="    others: refused\n"))
    assert r"\x1b[2J\n\u202e\udcff.txt was not asked for" in said


def reasons(grade: Grade) -> str:
    return " ".join(verdict.reason for verdict in grade.criteria[0].verdicts if not verdict.search)


def test_a_rubric_that_does_not_say_hand_in_asks_for_no_files(tmp_path: Path) -> None:
    """Given the shipped fixtures, which have cases about files, and the shipped rubric but for that key."""
    text = re.sub("hand_in: .*", "", DEFAULT_RUBRIC.read_text())
    for said, asked in (("", set()), ("hand_in: note\n", {"files", "readme"})):
        (tmp_path / "rubric.yaml").write_text(text + said)
        cases = load_course(Settings(tmp_path / "rubric.yaml", DEFAULT_FIXTURES)).cases
        assert {case.question.id for case in cases} & {"files", "readme"} == asked


def test_a_complete_hand_in_has_nothing_wrong(tmp_path: Path, handed: Path) -> None:
    grade = graded(tmp_path, handed)
    assert grade.score == 10 and grade.notes == ()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            lambda folder: (folder / "requirements.txt").unlink(),
            "The submission: requirements.txt is missing.",
        ),
        (lambda folder: (folder / "runner.py").unlink(), "runner.py is missing"),
        (lambda folder: (folder / "runner.py").write_text("print(1)\n"), "runner.py is not as it was given"),
        (lambda folder: (folder / "README.md").unlink(), "There is no README."),
        (
            lambda folder: (folder / "README.md").write_text("# Approach\nMinimax.\n"),
            "Not found in the README by the grader, a person may look: name and id, challenges.",
        ),
    ],
)
def test_each_fault_has_its_sentence(tmp_path: Path, handed: Path, change: Any, sentence: str) -> None:
    change(handed)
    grade = graded(tmp_path, handed)
    assert sentence in reasons(grade)
    assert grade.score < 10


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ("    others: refused\n", "film.mp4 was not asked for"),
        ("    largest_kb: 40\n", "film.mp4 has 50 kB; at most 40 were asked for"),
        ("    most: 3\n", "there are 5 files; at most 3 were asked for"),
    ],
)
def test_what_was_not_asked_for_is_told(tmp_path: Path, handed: Path, more: str, sentence: str) -> None:
    (handed / "film.mp4").write_bytes(b"x" * 50_000)
    assert sentence in reasons(graded(tmp_path, handed, more=more))


@pytest.mark.parametrize(
    "change", [lambda text: text.replace(b"\n", b"\r\n"), lambda text: text.rstrip(b"\n"), bytes]
)
def test_line_ends_and_the_last_one_do_not_count(tmp_path: Path, handed: Path, change: Any) -> None:
    given = (REFERENCE / "runner.py").read_bytes()
    (handed / "runner.py").write_bytes(change(given))
    for known in ("", hashlib.sha256(given).hexdigest()):
        assert graded(tmp_path, handed, known=known).score == 10


@pytest.mark.parametrize(
    ("change", "score"),
    [
        (bytes, 10),
        (lambda text: text.replace(b"\n", b"\r\n"), 10),
        (lambda text: text + b"x", 0),
        (lambda text: text[:-2] + b"x\n", 0),
    ],
    ids=["as it is", "other line ends", "longer", "another end"],
)
def test_what_was_given_is_compared_whole(tmp_path: Path, handed: Path, change: Any, score: int) -> None:
    """Given a large file, after many that are read before it."""
    given = b"0123456789abcde\n" * 40_000
    for number in range(20):
        (handed / f"data{number}.txt").write_bytes(b"x" * 150_000)
    (handed / "runner.py").write_bytes(change(given))
    grade = graded(tmp_path, handed, known=hashlib.sha256(given).hexdigest())
    (files, _, _) = grade.criteria[0].verdicts
    assert files.earned == score / 10, files.reason


def test_what_is_too_large_to_be_compared_counts_neither_way(
    tmp_path: Path, handed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (course.submission, checks.source):
        monkeypatch.setattr(module, "MOST_COMPARED", 1_000_000)
    (handed / "runner.py").write_bytes(b"x" * 1_000_001)
    grade = graded(tmp_path, handed)
    assert "Not compared, for at most files of 1 MB together are: runner.py." in reasons(grade)
    assert grade.criteria[0].verdicts[0].earned is None


def test_a_copy_that_is_not_there_is_an_error_of_the_fixture(tmp_path: Path, handed: Path) -> None:
    with pytest.raises(UserError, match=r"hand_in.yaml:7: .*there is no copy nowhere.py beside this file"):
        graded(tmp_path, handed, known="nowhere.py")


def test_a_bare_file_says_which_checks_could_not_be_made(tmp_path: Path, handed: Path) -> None:
    assert "Not checked: the file came without its folder." in reasons(
        graded(tmp_path, handed / "tictactoe.py")
    )
    bare = grade_submission(REFERENCE / "tictactoe.py", Settings(rubric_of("cs3081"), DEFAULT_FIXTURES))
    assert bare.notes == ("Not checked, for the file came without its folder: files, readme.",)


def test_the_reference_is_a_complete_hand_in() -> None:
    grade = grade_submission(REFERENCE, Settings(rubric_of("cs3081"), DEFAULT_FIXTURES))
    assert (grade.total, grade.notes) == (110, ())


@pytest.mark.exhaustive
def test_who_asks_for_no_files_is_told_of_none(handed: Path) -> None:
    for name in ("requirements.txt", "README.md"):
        (handed / name).unlink()
    silent = grade_submission(handed, Settings(DEFAULT_RUBRIC, DEFAULT_FIXTURES))
    asked = grade_submission(handed, Settings(rubric_of("cs3081"), DEFAULT_FIXTURES))
    assert (silent.total, silent.notes) == (110, ())
    assert {"files", "readme"}.isdisjoint(
        verdict.id for owner in silent.criteria for verdict in owner.verdicts
    )
    assert (asked.total, asked.notes) == (
        110,
        ("The submission: README.md is missing; requirements.txt is missing.", "There is no README."),
    )


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize(("costs", "score"), [("note", 100), ("4", 96)])
def test_what_a_fault_costs_is_the_rubrics(tmp_path: Path, handed: Path, costs: str, score: float) -> None:
    (handed / "requirements.txt").unlink()
    mine = tmp_path / "mine.yaml"
    mine.write_text(f"extends: default\nhand_in: {costs}\n")
    grade = grade_submission(handed, Settings(mine, DEFAULT_FIXTURES))
    assert grade.score == score
    told = grade.notes + tuple(deduction.reason for deduction in grade.deductions)
    assert "The submission: requirements.txt is missing." in told


def test_a_claim_that_the_search_does_not_bear_out_is_a_note(tmp_path: Path, handed: Path) -> None:
    (handed / "tictactoe.py").write_text(PLAIN)
    grade = graded(tmp_path, handed)
    assert grade.notes == ("The README describes alpha-beta pruning; the search does not prune.",)


def test_a_hand_in_is_read_within_bounds(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text("x")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "Shot.PNG").write_bytes(b"p" * 300_000)
    (tmp_path / "link").symlink_to("/etc/passwd")
    for number in range(250):
        (tmp_path / f"file{number}.txt").write_text("x")
    found = collect(tmp_path)
    assert len(found) == 200
    assert all(not file.name.startswith(".git") and file.name != "link" for file in found)
    (shot,) = [file for file in collect(tmp_path / "docs") if file.name == "Shot.PNG"]
    assert (shot.size, len(shot.content)) == (300_000, 200_000)
    assert matching((shot,), "*.png") == matching((shot,), "a|*.png") == [shot]
    assert matching((shot,), "*.jpg") == []
    assert len(digests(b"a\nb")) == 4


READMES = {
    "English": "# My AI\nName: Ada (id 12345)\n## My approach\nx\n## Challenges\ny",
    "Portuguese": "Nome: Ada, matrícula 12345\nAbordagem: x\nDificuldades: y",
    "Spanish": "Nombre: Ada, número 123456\nEnfoque: x\nRetos y dificultades: y",
    "French": "Nom : Ada, numéro étudiant 12345\nApproche : x\nDifficultés : y",
    "German": "Name: Ada, Matrikelnummer 12345\nVorgehen: x\nHerausforderungen: y",
    "Arabic": "الاسم: آدا\nالرقم الجامعي: 12345\nالطريقة: س\nالتحديات: ص",  # noqa: RUF001
}


@pytest.mark.parametrize("language", READMES)
def test_parts_are_recognised_in_several_languages(language: str) -> None:
    text = READMES[language]
    for part in ("name_and_id", "approach", "challenges"):
        assert reading.has(part, text, {}), part
    assert not reading.has("alpha_beta", text, {})
    assert not reading.has("screenshots", text, {})


def test_a_course_may_add_words() -> None:
    assert not reading.has("challenges", "Svårigheter: inga", {})
    assert reading.has("challenges", "Svårigheter: inga", {"challenges": ("svårigheter",)})


def test_a_part_of_another_word_is_no_word() -> None:
    assert not reading.has("name_and_id", "I did rename it. 12345", {})
    assert reading.has("alpha_beta", "with Alpha-Beta pruning", {})
    assert reading.has("screenshots", "![a game](game.png)", {})
