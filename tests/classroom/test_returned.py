"""The LMS's own files, filled in: Moodle's worksheet in any language, and Canvas's gradebook."""

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest

from grader.classroom import gradebooks, outputs, sheet
from grader.classroom.entries import shared
from grader.classroom.sheet import Way, matched, turned
from grader.core.course.rubric import Criterion, Rubric
from grader.core.errors import UserError
from tests.classroom.lines import changed, record

RUBRIC = Rubric(
    title="Tic-Tac-Toe",
    criteria=(Criterion(id="a", description="d", points=100),),
    bonus=(Criterion(id="b", description="d", points=10),),
)
ADA = record("ada", "Ada Lovelace", "ada.py", ids={"moodle": "101", "canvas": "7"}, score=100, points=100, bonus=10, total=110)  # fmt: skip
BOB = record("bob", "Bob Bär", "bob.py", ids={"moodle": "102"}, score=55.5, points=100, bonus=0, total=55.5)
CAROL = record("carol", "Carol None", "", "not_graded", why="There is no file.", ids={"moodle": "103"})
ZOE = record("zoe", "Zoë Elsewhere", "z.py", score=1, points=100, bonus=0, total=1)
SAID = ["110 of 100 points.", "55.5 of 100 points.", "There is no file.", "1 of 100 points."]
HEADERS = {
    "en": 'Identifier,"Full name",Status,Grade,"Maximum Grade","Grade can be changed","Last modified (submission)","Last modified (grade)","Feedback comments"',
    "de": 'ID,"Vollständiger Name",Status,Bewertung,Bestwertung,"Bewertung kann geändert werden","Zuletzt geändert (Abgabe)","Zuletzt geändert (Bewertung)","Feedback als Kommentar"',
    "fr": 'Identifiant,"Nom complet",Statut,Note,"Note maximale","La note peut être modifiée","Dernière modification (travail remis)","Dernière modification (note)","Feedback par commentaires"',
    "es": 'Identificador,"Nombre completo",Estado,Calificación,"Calificación máxima","La calificación puede ser cambiada","Última modificación (entrega)","Última modificación (calificación)","Comentarios de retroalimentación"',
    "sl": 'Identifikator,"Ime in priimek",Stanje,Ocena,"Najvišja ocena","Ocena se lahko spremeni","Zadnja sprememba (oddaje)","Zadnja sprememba (ocene)","Povratni komentarji"',
}  # fmt: skip


def text_of(header: str, word: str = "Participant ", maximum: str = '"100,00"') -> str:
    lines = [
        f'{word}{number},"{name}","Submitted, late",,{maximum},Yes,-,-,'
        for number, name in (
            (101, "Ada Lovelace"),
            (102, "Bob Bär"),
            (103, "Carol None"),
            (104, "Dan Nothing"),
        )
    ]
    return "\r\n".join([header, *lines]) + "\r\n"


def written(tmp_path: Path, text: str) -> sheet.Sheet:
    (tmp_path / "given.csv").write_bytes(text.encode())
    return sheet.read(tmp_path / "given.csv")


def cells(text: str, delimiter: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff")), delimiter=delimiter))


@pytest.mark.parametrize("language", HEADERS)
def test_a_worksheet_in_any_language(language: str, tmp_path: Path) -> None:
    given = "\ufeff" + text_of(HEADERS[language], "Teilnehmer/in" if language == "de" else "Participant ")
    filled = gradebooks.fill_moodle(written(tmp_path, given), [ADA, BOB, CAROL], SAID[:3], RUBRIC)
    before, after = cells(given), cells(filled.text)
    assert filled.text.startswith("\ufeff") and after[0] == before[0]
    assert [row[:3] + row[4:8] for row in after] == [row[:3] + row[4:8] for row in before]
    assert [row[3] for row in after[1:]] == ["100", "55,5", "", ""]
    assert after[1][8] == "110 of 100 points. Moodle's maximum is 100, so 100 of 110 is recorded."
    assert [row[8] for row in after[2:]] == ["55.5 of 100 points.", "", ""]
    assert [(one.student, one.grade) for one in filled.capped] == [("Ada Lovelace", 110)]


def test_the_form_of_the_file_stays(tmp_path: Path) -> None:
    given = text_of(HEADERS["en"], maximum="100.00").replace("\r\n", "\n").replace(",,", ",\t,")
    tabs = "\n".join("\t".join(row) for row in cells(given)) + "\n"
    filled = gradebooks.fill_moodle(
        written(tmp_path, tabs.replace("\t\t", "\t")), [BOB], SAID[1:2], RUBRIC
    ).text
    assert '\t"55.5"\t' in filled and "\r" not in filled and "\ufeff" not in filled


def test_a_maximum_that_holds_the_bonus_is_used(tmp_path: Path) -> None:
    filled = gradebooks.fill_moodle(
        written(tmp_path, text_of(HEADERS["en"], maximum="110")), [ADA], SAID[:1], RUBRIC
    )
    assert cells(filled.text)[1][3] == "110" and filled.capped == ()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Name,Grade\nAda,1\n", "has no column with 'Grade' and 'Last modified (grade)'"),
        ("Who,Grade,Last modified (grade)\nAda,,-\n", "no column with an identifier for each participant"),
        (text_of(HEADERS["en"], maximum="20"), "has a maximum of 20, but the rubric gives 100: say 'scale_to: 20'"),
        (text_of(HEADERS["de"], maximum='"bestanden, nicht"'), "is graded by a scale"),
        ("", "is empty"),
        ("a,b\n1,2,3\n", "row 2 has more cells than there are columns"),
    ],
)  # fmt: skip
def test_what_is_no_worksheet_is_refused_before_anybody_is_graded(
    text: str, sentence: str, tmp_path: Path
) -> None:
    (tmp_path / "given.csv").write_text(text)
    with pytest.raises(UserError, match=r"given\.csv") as error:
        outputs.forms(tmp_path / "given.csv", None, None, RUBRIC)
    assert sentence in str(error.value)


def test_a_spreadsheet_is_not_a_csv_file(tmp_path: Path) -> None:
    (tmp_path / "given.xlsx").write_bytes(b"PK\x03\x04\xff\xfe")
    with pytest.raises(UserError, match="is not a CSV file in UTF-8: download it again as CSV"):
        sheet.read(tmp_path / "given.xlsx")
    with pytest.raises(UserError, match="cannot be read: No such file"):
        sheet.read(tmp_path / "nowhere.csv")


CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Essay (11),Tic-Tac-Toe (12),Final Score\n"
    ",,,,,Manual Posting,,\n"
    "    Points Possible,,,,,10,100,(read only)\n"
    '"Lovelace, Ada",7,s7,ada,"A and B",9,,80\n'
    '"Bär, Bob",8,s8,bob,A,9,,70\n'
    '"None, Carol",9,s9,carol,A,9,EX,60\n'
    '"Student, Test",10,,t,A,,,\n'
)


def test_an_exported_gradebook_is_filled_in(tmp_path: Path) -> None:
    text, matching = gradebooks.fill_canvas(written(tmp_path, CANVAS), [ADA, BOB, ZOE], RUBRIC, None)
    assert cells(text) == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Tic-Tac-Toe (12)"],
        ["", "", "", "", "", ""],
        ["    Points Possible", "", "", "", "", "100"],
        ["Lovelace, Ada", "7", "s7", "ada", "A and B", "110"],
        ["Bär, Bob", "8", "s8", "bob", "A", "55.5"],
        ["None, Carol", "9", "s9", "carol", "A", "EX"],
        ["Student, Test", "10", "", "t", "A", ""],
    ]
    assert [row[0] for row in matching.alone] == ["None, Carol"]
    assert matching.left == (ZOE,)


@pytest.mark.parametrize("wanted", ["12", "tic-tac-toe", None])
def test_the_assignment_by_its_number_or_its_title(wanted: str | None, tmp_path: Path) -> None:
    text, _ = gradebooks.fill_canvas(written(tmp_path, CANVAS), [ADA], RUBRIC, wanted)
    assert cells(text)[0][-1] == "Tic-Tac-Toe (12)"


@pytest.mark.parametrize(
    ("text", "wanted", "sentence"),
    [
        (CANVAS, "99", "has no assignment '99': say --canvas-id with a number of these: Essay (11); Tic-Tac-Toe (12)"),
        (CANVAS.replace("Tic-Tac-Toe (", "Other ("), None, "not one assignment that is meant"),
        (CANVAS, "11", "has 10 points possible, but the rubric gives 100"),
        (CANVAS.replace(",100,", ",(read only),"), "12", "as read only"),
        (CANVAS.replace("Section", "Group"), None, "is no gradebook of Canvas"),
        ("Name,Grade\nAda,1\n", None, "is no gradebook of Canvas"),
    ],
)  # fmt: skip
def test_what_is_no_gradebook_is_refused(
    text: str, wanted: str | None, sentence: str, tmp_path: Path
) -> None:
    (tmp_path / "given.csv").write_text(text)
    with pytest.raises(UserError) as error:
        outputs.forms(None, tmp_path / "given.csv", wanted, RUBRIC)
    assert sentence in str(error.value)


def test_everything_that_a_person_should_know(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text(text_of(HEADERS["en"]))
    (tmp_path / "c.csv").write_text(CANVAS)
    given = outputs.forms(tmp_path / "m.csv", tmp_path / "c.csv", "12", RUBRIC)
    back = outputs.returned(given, [ADA, BOB, CAROL, ZOE], RUBRIC)
    assert set(back.files) == {"gradebook.csv", "canvas.csv", "moodle.csv"}
    assert back.notes == (
        "Graded, but not in canvas.csv: Zoë Elsewhere.",
        "In moodle.csv these grades end at 100, and the comment says what is above: Ada Lovelace (110).",
        "In moodle.csv, but handed in nothing, and left as they were: Dan Nothing.",
        "Graded, but not in moodle.csv: Zoë Elsewhere.",
        "No grade goes back for: Carol None.",
    )


def test_without_the_lms_files_there_is_a_note_too() -> None:
    back = outputs.returned(outputs.Forms(), [ADA, BOB], RUBRIC)
    assert back.notes == (
        "In moodle.csv these grades end at 100, and the comment says what is above: Ada Lovelace (110).",
    )


def test_a_scaled_total_and_a_persons_decision_go_back(tmp_path: Path) -> None:
    scaled = replace(RUBRIC, scale_to=10.0)
    decided = changed(BOB, total=80, scaled=8, scale_to=10, decisions=("a",))
    adjusted = replace(decided, status="grader_error")
    best = changed(ADA, scaled=11, scale_to=10)
    filled = gradebooks.fill_moodle(
        written(tmp_path, text_of(HEADERS["en"], maximum="10.00")), [best, adjusted], SAID[:2], scaled
    )
    assert [row[3] for row in cells(filled.text)[1:3]] == ["10", "8"]
    exported = CANVAS.replace(",100,", ",10,")
    grades = cells(gradebooks.fill_canvas(written(tmp_path, exported), [best, adjusted], scaled, "12")[0])
    assert [row[-1] for row in grades[3:5]] == ["11", "8"]


def test_namesakes_are_left_alone() -> None:
    first, second = replace(ADA, ids={}), replace(BOB, key="ada2", student="Ada Lovelace", ids={})
    ways = [Way(lambda record: turned(record.student), lambda row: turned(row[0]))]
    found = matched([first, second], [("Lovelace, Ada",), ("Bob",)], ways)
    assert found.of_row == {} and found.unsure == (first, second) and found.left == ()
    assert (found.unsure_rows, found.alone) == ((("Lovelace, Ada",),), (("Bob",),))
    twice = matched([first], [("Ada Lovelace",), ("Lovelace, Ada",)], ways)
    assert twice.of_row == {} and len(twice.unsure_rows) == 2 and twice.alone == ()


SPOOFED = replace(
    ZOE, key="mallory", student="Mallory", submission="m.py", ids={"moodle": "102", "canvas": "8"}
)
VICTIM = replace(BOB, ids={"moodle": "102", "canvas": "8"})


@pytest.mark.parametrize("downloaded", [False, True])
def test_two_of_one_number_are_refused(tmp_path: Path, downloaded: bool) -> None:
    """Two rows of one participant went to Moodle, which takes the last."""
    (tmp_path / "m.csv").write_text(text_of(HEADERS["en"]))
    (tmp_path / "c.csv").write_text(CANVAS)
    given = outputs.Forms()
    if downloaded:
        given = outputs.forms(tmp_path / "m.csv", tmp_path / "c.csv", "12", RUBRIC)
    back = outputs.returned(given, [ADA, VICTIM, SPOOFED], RUBRIC)
    for name, number, lms in (("canvas.csv", "8", "Canvas"), ("moodle.csv", "102", "Moodle")):
        assert (
            f"2 submissions have the number {number} in {lms}, so {name} has a grade for none of them; "
            "find out whose each is: Bob Bär (bob.py); Mallory (m.py)."
        ) in back.notes
    moodle, canvas_rows = cells(back.files["moodle.csv"]), cells(back.files["canvas.csv"])
    if downloaded:
        assert [row[3] for row in moodle[1:]] == ["100", "", "", ""]
        assert [row[-1] for row in canvas_rows[3:]] == ["110", "", "EX", ""]
        said = "more than one file fits, so fill these in yourself: "
        assert f"More than one row of moodle.csv or {said}Bob Bär; Mallory." in back.notes
        assert f"More than one row of canvas.csv or {said}Bär, Bob; Bob Bär; Mallory." in back.notes
    else:
        assert moodle[2:] == [["", "Bob Bär", "", "-", ""], ["", "Mallory", "", "-", ""]]
        assert canvas_rows[3:] == [["Bob Bär", *[""] * 5], ["Mallory", *[""] * 5]]


def test_who_has_no_number_shares_none() -> None:
    first, second = replace(BOB, ids={"section": "A"}), replace(ZOE, ids={"section": "A", "moodle": ""})
    assert outputs.returned(outputs.Forms(), [first, second], RUBRIC).notes == ()


@pytest.mark.parametrize(("one", "other"), [("Participant 7", "Teilnehmer/in007"), ("7", "007")])
def test_a_number_is_compared_as_an_lms_reads_it(one: str, other: str) -> None:
    name = "Identifier" if one[0] == "P" else "moodle"
    found = [replace(BOB, ids={name: one}), replace(ZOE, ids={"Identifier": other, "SIS Login ID": "b7"})]
    assert [number for number, _ in shared(found, "Moodle")] == ["7"]
    assert shared([*found, replace(ADA, ids={"SIS Login ID": "a7"})], "Canvas") == []


def test_what_a_student_wrote_is_no_html_in_moodle(tmp_path: Path) -> None:
    evil = "0 of 100 points. NameError: <script>alert('1')</script> & more\nline"
    shown = "0 of 100 points. NameError: &lt;script&gt;alert('1')&lt;/script&gt; &amp; more<br>line"
    filled = gradebooks.fill_moodle(written(tmp_path, text_of(HEADERS["en"])), [BOB], [evil], RUBRIC)
    assert cells(filled.text)[2][8] == shown
    assert gradebooks.fill_moodle(written(tmp_path, filled.text), [BOB], [evil], RUBRIC).text == filled.text


def edited(header: str, *, more: str = "", cell: str = "") -> str:
    """Return a worksheet with a column at its end."""
    first, *lines = text_of(header).split("\r\n")[:-1]
    return "\r\n".join([f'{first},"{more}"', *(f"{line},{cell}" for line in lines)]) + "\r\n"


@pytest.mark.parametrize("language", HEADERS)
@pytest.mark.parametrize("more", ["Outcome (algorithms)", "Result (grammar)", "Outcome (Abgabe)"])
def test_columns_with_brackets_may_follow(language: str, more: str, tmp_path: Path) -> None:
    given = edited(HEADERS[language], more=more, cell="3")
    filled = gradebooks.fill_moodle(written(tmp_path, given), [BOB], SAID[1:2], RUBRIC)
    assert cells(filled.text)[2][3:] == ["55,5", "100,00", "Yes", "-", "-", "55.5 of 100 points.", "3"]


def test_a_participant_who_is_there_twice_did_not_hand_in_nothing(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text(
        text_of(HEADERS["en"]).replace("Participant 104", "Participant 102").replace("Bob Bär", "B. Bär")
    )
    given = outputs.forms(tmp_path / "m.csv", None, None, RUBRIC)
    notes = outputs.returned(given, [ADA, BOB, CAROL], RUBRIC).notes
    said = "More than one row of moodle.csv or more than one file fits, so fill these in yourself: "
    assert f"{said}B. Bär; Dan Nothing; Bob Bär." in notes
    assert not any("handed in nothing" in note or "not in moodle.csv" in note for note in notes)


@pytest.mark.parametrize(
    ("language", "no"), [("en", "No"), ("de", "Nein"), ("fr", "Non"), ("es", "No"), ("sl", "Ne")]
)
def test_locked_rows_are_listed(language: str, no: str, tmp_path: Path) -> None:
    lines = text_of(HEADERS[language]).split("\r\n")
    lines[2] = lines[2].replace("Yes", no)
    (tmp_path / "m.csv").write_text("\r\n".join(lines))
    given = outputs.forms(tmp_path / "m.csv", None, None, RUBRIC)
    notes = outputs.returned(given, [ADA, BOB], RUBRIC).notes
    assert "Locked in Moodle, which leaves these grades out: Bob Bär." in notes


@pytest.mark.parametrize("name", ["Återkoppling", "RÜCKMELDUNG", "Rückmeldung", "Whatever it is called"])
def test_the_column_of_comments_by_its_name_or_its_position(name: str, tmp_path: Path) -> None:
    given = text_of(HEADERS["en"].replace("Feedback comments", name))
    filled = gradebooks.fill_moodle(written(tmp_path, given), [BOB], SAID[1:2], RUBRIC)
    assert cells(filled.text)[2][8] == "55.5 of 100 points."


@pytest.mark.parametrize(("name", "cell"), [("Outcome: clarity", ""), ("Points", "3")])
def test_a_column_that_is_not_for_comments_holds_none(name: str, cell: str, tmp_path: Path) -> None:
    text = text_of(HEADERS["en"].replace("Feedback comments", name)).replace("-,-,", f"-,-,{cell}")
    (tmp_path / "m.csv").write_text(text)
    given = outputs.forms(tmp_path / "m.csv", None, None, RUBRIC)
    back = outputs.returned(given, [ADA], RUBRIC)
    assert cells(back.files["moodle.csv"])[1][8] == cell
    assert back.notes[:2] == (
        "In moodle.csv these grades end at 100, and nothing there says what is above: Ada Lovelace (110).",
        "moodle.csv has no column for comments, so no student reads one.",
    )


def test_a_comment_that_is_there_is_kept_and_ours_is_said_once(tmp_path: Path) -> None:
    given = text_of(HEADERS["en"]).replace("Yes,-,-,", "Yes,-,-,See me.")
    once = gradebooks.fill_moodle(written(tmp_path, given), [BOB], SAID[1:2], RUBRIC).text
    assert cells(once)[2][8] == "See me. 55.5 of 100 points."
    assert gradebooks.fill_moodle(written(tmp_path, once), [BOB], SAID[1:2], RUBRIC).text == once


def test_nobody_is_known_by_a_status_a_group_or_a_marker(tmp_path: Path) -> None:
    header = HEADERS["en"].replace("Status,", "Email address,Status,Group,Marker,")
    row = 'Participant {0},"{1}",{2},Submitted,Zoë Elsewhere,"Zoë Elsewhere",,100,Yes,-,-,'
    people = [(201, "Ann Other", "ann@x"), (202, "Max Muster", "zoe@x")]
    text = "\n".join([header, *(row.format(*one) for one in people)]) + "\n"
    alone = written(tmp_path, text.replace("202", "203"))
    assert gradebooks.fill_moodle(alone, [ZOE], SAID[3:], RUBRIC).matching.left == (ZOE,)
    by_mail = replace(ZOE, ids={"mail": "zoe@x", "canvas": "201"})
    filled = gradebooks.fill_moodle(written(tmp_path, text), [by_mail], SAID[3:], RUBRIC)
    assert [line[6] for line in cells(filled.text)[1:]] == ["", "1"]


def test_without_names_the_identifiers_are_listed(tmp_path: Path) -> None:
    text = 'Identifier,Status,Grade,"Maximum Grade","Last modified (grade)"\nParticipant 7,Submitted,,100,-\n'
    (tmp_path / "m.csv").write_text(text)
    given = outputs.forms(tmp_path / "m.csv", None, None, RUBRIC)
    notes = outputs.returned(given, [], RUBRIC).notes
    assert "In moodle.csv, but handed in nothing, and left as they were: Participant 7." in notes
