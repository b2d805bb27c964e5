"""The zip of feedback, read as Moodle and Canvas read it: models of both readers, by their sources."""

import io
import re
import zipfile

from grader.classroom.outputs import Feedback, feedback_zip

FILES = {".html": b"<p>page</p>", ".txt": b"text"}


def student(
    key: str, submission: str, participant: tuple[str, str] | None = None, name: str = ""
) -> Feedback:
    return key, name or key, submission, participant, FILES


def names(raw: bytes) -> list[str]:
    return zipfile.ZipFile(io.BytesIO(raw)).namelist()


def moodle(raw: bytes, participants: set[int]) -> dict[int, list[str]]:
    """Return the files that each participant gets: the first part of a path that has four pieces tells whose it is."""
    given: dict[int, list[str]] = {}
    for path in names(raw):
        if path.rpartition("/")[2][0] in ".~":
            continue
        parts = path.split("/")
        for at, part in enumerate(parts):
            pieces = part.split("_", 4)
            if len(pieces) < 4 or not pieces[1].isdigit() or int(pieces[1]) not in participants:
                continue
            if pieces[2] not in ("assignfeedback", "assignsubmission") or pieces[3] != "file":
                continue
            rest = pieces[4] if len(pieces) > 4 else ""
            given.setdefault(int(pieces[1]), []).append("/".join(filter(None, (rest, *parts[at + 1 :]))))
            break
    return given


def canvas(raw: bytes, attachments: dict[int, set[int]]) -> dict[int, list[str]]:
    """Return the files that each user gets: two whole numbers in the base name, of a user and of what was handed in."""
    given: dict[int, list[str]] = {}
    for path in names(raw):
        base = path.rpartition("/")[2]
        if base.startswith("._") or base.endswith("_link.html"):
            continue
        numbers = [int(one) for one in base.split("_") if re.fullmatch(r"\d+", one)][:2]
        if len(numbers) == 2 and numbers[1] in attachments.get(numbers[0], ()):
            given.setdefault(numbers[0], []).append(base)
    return given


BOTH = ["feedback.html", "feedback.txt"]


def test_moodle_finds_everybody_by_the_names_of_its_download() -> None:
    packed = feedback_zip(
        [
            student("a", "Ada Lovelace_101_assignsubmission_file_"),
            student("b", "Under_score_102_assignsubmission_file"),
            student("c", "Cy_103_assignsubmission_file_tictactoe.py"),
            student("d", "Di_104_assignsubmission_file_/attempt-2"),
        ]
    )
    assert moodle(packed[0], {101, 102, 103, 104}) == dict.fromkeys((101, 102, 103, 104), BOTH)
    assert packed[1] == ()


def test_moodle_finds_everybody_by_the_worksheet() -> None:
    packed = feedback_zip([student("a", "ada.py", ("Ada_L/../x Lovelace", "101"))])
    assert moodle(packed[0], {101}) == {101: BOTH}
    assert not any(".." in name.split("/") for name in names(packed[0]))


def test_canvas_finds_everybody_by_the_names_of_its_download() -> None:
    packed = feedback_zip(
        [student("a", "lovelaceada_LATE_7_70_tictactoe-2.py"), student("b", "baerbob_8_80_my_9_file.py")]
    )
    assert canvas(packed[0], {7: {70}, 8: {80}}) == {
        7: ["lovelaceada_LATE_7_70_feedback.html", "lovelaceada_LATE_7_70_feedback.txt"],
        8: ["baerbob_8_80_feedback.html", "baerbob_8_80_feedback.txt"],
    }


def test_who_cannot_be_matched_is_listed_and_given_to_nobody() -> None:
    packed = feedback_zip(
        [
            student("a", "Ada_101_assignsubmission_file_"),
            student("b1", "Bob_102_assignsubmission_file_", name="Bob"),
            student("b2", "Not Bob_0102_assignsubmission_file_", name="Not Bob"),
            student("z", "zoe.py", name="Zoë"),
        ]
    )
    assert moodle(packed[0], {101, 102}) == {101: BOTH}
    (note,) = packed[1]
    assert note.endswith("which leave these out: Bob; Not Bob; Zoë.")
    assert "z/feedback.html" in names(packed[0])


def test_a_class_of_no_lms_misses_nobody_and_equal_feedback_is_an_equal_zip() -> None:
    packed = feedback_zip([student("ada", "ada.py")])
    assert packed[1] == () and names(packed[0]) == ["ada/feedback.html", "ada/feedback.txt"]
    assert packed == feedback_zip([student("ada", "ada.py")])
