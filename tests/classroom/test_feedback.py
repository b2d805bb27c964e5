"""The zip of feedback, read as Moodle and Canvas read it: models of both readers, by their sources."""

import re

from grader.classroom.outputs import zip_folders
from tests.classroom.lines import record

Packed = tuple[list[str], tuple[str, ...]]
"""The names of the files in the zip, and notes."""


def packed(*students: tuple[str, str], **participants: tuple[str, str]) -> Packed:
    """Return what the zip has for students, given by name and submission, and what Moodle's worksheet calls them."""
    finals = [record(name.lower(), name, submission) for name, submission in students]
    folders, notes = zip_folders(finals, participants)
    return [f"{folder}feedback{suffix}" for folder in folders.values() for suffix in (".html", ".txt")], notes


def moodle(names: list[str], participants: set[int]) -> dict[int, list[str]]:
    """Return the files that each participant gets: the first part of a path that has four pieces tells whose it is."""
    given: dict[int, list[str]] = {}
    for path in names:
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


def canvas(names: list[str], attachments: dict[int, set[int]]) -> dict[int, list[str]]:
    """Return the files that each user gets: two whole numbers in the base name, of a user and of what was handed in."""
    given: dict[int, list[str]] = {}
    for path in names:
        base = path.rpartition("/")[2]
        if base.startswith("._") or base.endswith("_link.html"):
            continue
        numbers = [int(part) for part in base.split("_") if re.fullmatch(r"\d+", part)][:2]
        if len(numbers) == 2 and numbers[1] in attachments.get(numbers[0], ()):
            given.setdefault(numbers[0], []).append(base)
    return given


BOTH = ["feedback.html", "feedback.txt"]


def test_moodle_finds_everybody_by_the_names_of_its_download() -> None:
    names, notes = packed(
        ("a", "Ada Lovelace_101_assignsubmission_file_"),
        ("b", "Under_score_102_assignsubmission_file"),
        ("c", "Cy_103_assignsubmission_file_tictactoe.py"),
        ("d", "Di_104_assignsubmission_file_/attempt-2"),
    )
    assert moodle(names, {101, 102, 103, 104}) == dict.fromkeys((101, 102, 103, 104), BOTH)
    assert notes == ()


def test_moodle_finds_everybody_by_the_worksheet() -> None:
    names, _ = packed(("a", "ada.py"), a=("Ada_L/../x Lovelace", "101"))
    assert moodle(names, {101}) == {101: BOTH}
    assert not any(".." in name.split("/") for name in names)


def test_canvas_finds_everybody_by_the_names_of_its_download() -> None:
    names, _ = packed(("a", "lovelaceada_LATE_7_70_tictactoe-2.py"), ("b", "baerbob_8_80_my_9_file.py"))
    assert canvas(names, {7: {70}, 8: {80}}) == {
        7: ["lovelaceada_LATE_7_70_feedback.html", "lovelaceada_LATE_7_70_feedback.txt"],
        8: ["baerbob_8_80_feedback.html", "baerbob_8_80_feedback.txt"],
    }


def test_who_cannot_be_matched_is_listed_and_given_to_nobody() -> None:
    names, (note,) = packed(
        ("Ada", "Ada_101_assignsubmission_file_"),
        ("Bob", "Bob_102_assignsubmission_file_"),
        ("Not Bob", "Not Bob_0102_assignsubmission_file_"),
        ("Zoë", "zoe.py"),
    )
    assert moodle(names, {101, 102}) == {101: BOTH}
    assert note.endswith("which leave these out: Bob; Not Bob; Zoë.")
    assert "zoë/feedback.html" in names


def test_a_class_of_no_lms_misses_nobody() -> None:
    assert packed(("Ada", "ada.py")) == (["ada/feedback.html", "ada/feedback.txt"], ())
