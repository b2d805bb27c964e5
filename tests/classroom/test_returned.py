"""The LMS's own files, filled in: Moodle's worksheet in any language, and Canvas's gradebook."""

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest

from grader.classroom import gradebooks, outputs, sheet
from grader.classroom.entries import shared
from grader.classroom.outputs import Forms, returned
from grader.classroom.records import Record
from grader.classroom.sheet import Sheet, Way, matched, turned
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
    names = ((101, "Ada Lovelace"), (102, "Bob Bär"), (103, "Carol None"), (104, "Dan Nothing"))
    lines = [f'{word}{number},"{name}","Submitted, late",,{maximum},Yes,-,-,' for number, name in names]
    return "\r\n".join([header, *lines]) + "\r\n"


ENGLISH = text_of(HEADERS["en"])
CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Essay (11),Tic-Tac-Toe (12),Final Score\n"
    ",,,,,Manual Posting,,\n"
    "    Points Possible,,,,,10,100,(read only)\n"
    '"Lovelace, Ada",7,s7,ada,"A and B",9,,80\n'
    '"Bär, Bob",8,s8,bob,A,9,,70\n'
    '"None, Carol",9,s9,carol,A,9,EX,60\n'
    '"Student, Test",10,,t,A,,,\n'
)


class Downloads:
    """Files that were downloaded from an LMS."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def sheet(self, text: str) -> Sheet:
        (self.folder / "given.csv").write_bytes(text.encode())
        return sheet.read(self.folder / "given.csv")

    def filled(
        self, text: str, records: list[Record], said: list[str], rubric: Rubric = RUBRIC
    ) -> list[list[str]]:
        """Return the cells of a worksheet when it is filled in."""
        return cells(gradebooks.fill_moodle(self.sheet(text), records, said, rubric).text)

    def forms(
        self, worksheet: str | None = None, export: str | None = None, assignment: str | None = None
    ) -> Forms:
        files = dict.fromkeys(("m.csv", "c.csv"), Path())
        for name, text in (("m.csv", worksheet), ("c.csv", export)):
            files[name] = self.folder / name
            files[name].write_text(text or "")
        moodle, canvas = files.values()
        return outputs.forms(
            None if worksheet is None else moodle, None if export is None else canvas, assignment, RUBRIC
        )

    def notes(self, worksheet: str, *records: Record) -> tuple[str, ...]:
        return returned(self.forms(worksheet), records, RUBRIC).notes


@pytest.fixture
def lms(tmp_path: Path) -> Downloads:
    return Downloads(tmp_path)


def cells(text: str, delimiter: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff")), delimiter=delimiter))


@pytest.mark.parametrize("language", HEADERS)
def test_a_worksheet_in_any_language(language: str, lms: Downloads) -> None:
    given = "\ufeff" + text_of(HEADERS[language], "Teilnehmer/in" if language == "de" else "Participant ")
    filled = gradebooks.fill_moodle(lms.sheet(given), [ADA, BOB, CAROL], SAID[:3], RUBRIC)
    before, after = cells(given), cells(filled.text)
    assert filled.text.startswith("\ufeff") and after[0] == before[0]
    assert [row[:3] + row[4:8] for row in after] == [row[:3] + row[4:8] for row in before]
    assert [row[3] for row in after[1:]] == ["100", "55,5", "", ""]
    assert after[1][8] == "110 of 100 points. Moodle's maximum is 100, so 100 of 110 is recorded."
    assert [row[8] for row in after[2:]] == ["55.5 of 100 points.", "", ""]
    assert [(capped.student, capped.grade) for capped in filled.capped] == [("Ada Lovelace", 110)]


def test_the_form_of_the_file_stays(lms: Downloads) -> None:
    given = text_of(HEADERS["en"], maximum="100.00").replace("\r\n", "\n").replace(",,", ",\t,")
    tabs = "\n".join("\t".join(row) for row in cells(given)).replace("\t\t", "\t") + "\n"
    filled = gradebooks.fill_moodle(lms.sheet(tabs), [BOB], SAID[1:2], RUBRIC).text
    assert '\t"55.5"\t' in filled and "\r" not in filled and "\ufeff" not in filled


def test_a_maximum_that_holds_the_bonus_is_used(lms: Downloads) -> None:
    given = lms.sheet(text_of(HEADERS["en"], maximum="110"))
    filled = gradebooks.fill_moodle(given, [ADA], SAID[:1], RUBRIC)
    assert cells(filled.text)[1][3] == "110" and filled.capped == ()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Name,Grade\nAda,1\n", "has no column with 'Grade' and 'Last modified (grade)'"),
        ("Who,Grade,Last modified (grade)\nAda,,-\n", "no column with an identifier for each participant"),
        (
            text_of(HEADERS["en"], maximum="20"),
            "has a maximum of 20, but the rubric gives 100: say 'scale_to: 20'",
        ),
        (text_of(HEADERS["de"], maximum='"bestanden, nicht"'), "is graded by a scale"),
        ("", "is empty"),
        ("a,b\n1,2,3\n", "row 2 has more cells than there are columns"),
    ],
)
def test_what_is_no_worksheet_is_refused_before_anybody_is_graded(
    text: str, sentence: str, lms: Downloads
) -> None:
    with pytest.raises(UserError, match=r"m\.csv") as error:
        lms.forms(text)
    assert sentence in str(error.value)


def test_a_spreadsheet_is_not_a_csv_file(tmp_path: Path) -> None:
    (tmp_path / "given.xlsx").write_bytes(b"PK\x03\x04\xff\xfe")
    with pytest.raises(UserError, match="is not a CSV file in UTF-8: download it again as CSV"):
        sheet.read(tmp_path / "given.xlsx")
    with pytest.raises(UserError, match="cannot be read: No such file"):
        sheet.read(tmp_path / "nowhere.csv")


def test_an_exported_gradebook_is_filled_in(lms: Downloads) -> None:
    text, matching = gradebooks.fill_canvas(lms.sheet(CANVAS), [ADA, BOB, ZOE], RUBRIC, None)
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
def test_the_assignment_by_its_number_or_its_title(wanted: str | None, lms: Downloads) -> None:
    text, _ = gradebooks.fill_canvas(lms.sheet(CANVAS), [ADA], RUBRIC, wanted)
    assert cells(text)[0][-1] == "Tic-Tac-Toe (12)"


@pytest.mark.parametrize(
    ("text", "wanted", "sentence"),
    [
        (
            CANVAS,
            "99",
            "has no assignment '99': say --canvas-id with a number of these: Essay (11); Tic-Tac-Toe (12)",
        ),
        (CANVAS.replace("Tic-Tac-Toe (", "Other ("), None, "not one assignment that is meant"),
        (CANVAS, "11", "has 10 points possible, but the rubric gives 100"),
        (CANVAS.replace(",100,", ",(read only),"), "12", "as read only"),
        (CANVAS.replace("Section", "Group"), None, "is no gradebook of Canvas"),
        ("Name,Grade\nAda,1\n", None, "is no gradebook of Canvas"),
    ],
)
def test_what_is_no_gradebook_is_refused(
    text: str, wanted: str | None, sentence: str, lms: Downloads
) -> None:
    with pytest.raises(UserError) as error:
        lms.forms(export=text, assignment=wanted)
    assert sentence in str(error.value)


def test_everything_that_a_person_should_know(lms: Downloads) -> None:
    back = returned(lms.forms(ENGLISH, CANVAS, "12"), [ADA, BOB, CAROL, ZOE], RUBRIC)
    assert set(back.files) == {"gradebook.csv", "canvas.csv", "moodle.csv"}
    assert back.notes == (
        "Graded, but not in canvas.csv: Zoë Elsewhere.",
        "In moodle.csv these grades end at 100, and the comment says what is above: Ada Lovelace (110).",
        "In moodle.csv, but handed in nothing, and left as they were: Dan Nothing.",
        "Graded, but not in moodle.csv: Zoë Elsewhere.",
        "No grade goes back for: Carol None.",
    )
    assert returned(Forms(), [ADA, BOB], RUBRIC).notes == back.notes[1:2], "without the files of an LMS"


def test_a_scaled_total_and_a_persons_decision_go_back(lms: Downloads) -> None:
    scaled = replace(RUBRIC, scale_to=10.0)
    decided = changed(BOB, total=80, scaled=8, scale_to=10, decisions=("a",))
    records = [changed(ADA, scaled=11, scale_to=10), replace(decided, status="grader_error")]
    filled = lms.filled(text_of(HEADERS["en"], maximum="10.00"), records, SAID[:2], scaled)
    assert [row[3] for row in filled[1:3]] == ["10", "8"]
    exported = lms.sheet(CANVAS.replace(",100,", ",10,"))
    grades = cells(gradebooks.fill_canvas(exported, records, scaled, "12")[0])
    assert [row[-1] for row in grades[3:5]] == ["11", "8"]


def test_namesakes_are_left_alone() -> None:
    first, second = replace(ADA, ids={}), replace(BOB, key="ada2", student="Ada Lovelace", ids={})
    ways = [Way(lambda record: turned(record.student), lambda row: turned(row[0]))]
    found = matched([first, second], [("Lovelace, Ada",), ("Bob",)], ways)
    assert found.of_row == {} and found.unsure == (first, second) and found.left == ()
    assert (found.unsure_rows, found.alone) == ((("Lovelace, Ada",),), (("Bob",),))
    twice = matched([first], [("Ada Lovelace",), ("Lovelace, Ada",)], ways)
    assert twice.of_row == {} and len(twice.unsure_rows) == 2 and twice.alone == ()


@pytest.mark.parametrize("downloaded", [False, True])
def test_two_of_one_number_are_refused(lms: Downloads, downloaded: bool) -> None:
    """Two rows of one participant went to Moodle, which takes the last."""
    ids = {"moodle": "102", "canvas": "8"}
    spoofed = replace(ZOE, key="mallory", student="Mallory", submission="m.py", ids=ids)
    given = lms.forms(ENGLISH, CANVAS, "12") if downloaded else Forms()
    back = returned(given, [ADA, replace(BOB, ids=ids), spoofed], RUBRIC)
    for name, number, system in (("canvas.csv", "8", "Canvas"), ("moodle.csv", "102", "Moodle")):
        assert (
            f"2 submissions have the number {number} in {system}, so {name} has a grade for none of them; "
            "find out whose each is: Bob Bär (bob.py); Mallory (m.py)."
        ) in back.notes
    moodle, canvas = cells(back.files["moodle.csv"]), cells(back.files["canvas.csv"])
    if downloaded:
        assert [row[3] for row in moodle[1:]] == ["100", "", "", ""]
        assert [row[-1] for row in canvas[3:]] == ["110", "", "EX", ""]
        said = "more than one file fits, so fill these in yourself: "
        assert f"More than one row of moodle.csv or {said}Bob Bär; Mallory." in back.notes
        assert f"More than one row of canvas.csv or {said}Bär, Bob; Bob Bär; Mallory." in back.notes
    else:
        assert moodle[2:] == [["", "Bob Bär", "", "-", ""], ["", "Mallory", "", "-", ""]]
        assert canvas[3:] == [["Bob Bär", *[""] * 5], ["Mallory", *[""] * 5]]


def test_who_has_no_number_shares_none() -> None:
    first, second = replace(BOB, ids={"section": "A"}), replace(ZOE, ids={"section": "A", "moodle": ""})
    assert returned(Forms(), [first, second], RUBRIC).notes == ()


@pytest.mark.parametrize(("first", "second"), [("Participant 7", "Teilnehmer/in007"), ("7", "007")])
def test_a_number_is_compared_as_an_lms_reads_it(first: str, second: str) -> None:
    name = "Identifier" if first[0] == "P" else "moodle"
    found = [replace(BOB, ids={name: first}), replace(ZOE, ids={"Identifier": second, "SIS Login ID": "b7"})]
    assert [number for number, _ in shared(found, "Moodle")] == ["7"]
    assert shared([*found, replace(ADA, ids={"SIS Login ID": "a7"})], "Canvas") == []


EVIL = "0 of 100 points. NameError: <script>alert('1')</script> & more\nline"
SHOWN = "0 of 100 points. NameError: &lt;script&gt;alert('1')&lt;/script&gt; &amp; more<br>line"


@pytest.mark.parametrize(
    ("before", "said", "after"),
    [("", EVIL, SHOWN), ("See me.", SAID[1], "See me. 55.5 of 100 points.")],
    ids=["no HTML", "a comment that is there is kept"],
)
def test_a_comment_is_text_and_said_once(lms: Downloads, before: str, said: str, after: str) -> None:
    given = lms.sheet(ENGLISH.replace("Yes,-,-,", f"Yes,-,-,{before}"))
    once = gradebooks.fill_moodle(given, [BOB], [said], RUBRIC).text
    assert cells(once)[2][8] == after
    assert gradebooks.fill_moodle(lms.sheet(once), [BOB], [said], RUBRIC).text == once


@pytest.mark.parametrize("language", HEADERS)
@pytest.mark.parametrize("more", ["Outcome (algorithms)", "Result (grammar)", "Outcome (Abgabe)"])
def test_columns_with_brackets_may_follow(language: str, more: str, lms: Downloads) -> None:
    header, *lines = text_of(HEADERS[language]).split("\r\n")[:-1]
    given = "\r\n".join([f'{header},"{more}"', *(f"{line},3" for line in lines)]) + "\r\n"
    row = lms.filled(given, [BOB], SAID[1:2])[2]
    assert row[3:] == ["55,5", "100,00", "Yes", "-", "-", "55.5 of 100 points.", "3"]


def test_a_participant_who_is_there_twice_did_not_hand_in_nothing(lms: Downloads) -> None:
    text = ENGLISH.replace("Participant 104", "Participant 102").replace("Bob Bär", "B. Bär")
    notes = lms.notes(text, ADA, BOB, CAROL)
    said = "More than one row of moodle.csv or more than one file fits, so fill these in yourself: "
    assert f"{said}B. Bär; Dan Nothing; Bob Bär." in notes
    assert not any("handed in nothing" in note or "not in moodle.csv" in note for note in notes)


@pytest.mark.parametrize(
    ("language", "no"), [("en", "No"), ("de", "Nein"), ("fr", "Non"), ("es", "No"), ("sl", "Ne")]
)
def test_locked_rows_are_listed(language: str, no: str, lms: Downloads) -> None:
    lines = text_of(HEADERS[language]).split("\r\n")
    lines[2] = lines[2].replace("Yes", no)
    notes = lms.notes("\r\n".join(lines), ADA, BOB)
    assert "Locked in Moodle, which leaves these grades out: Bob Bär." in notes


@pytest.mark.parametrize("name", ["Återkoppling", "RÜCKMELDUNG", "Rückmeldung", "Whatever it is called"])
def test_the_column_of_comments_by_its_name_or_its_position(name: str, lms: Downloads) -> None:
    rows = lms.filled(ENGLISH.replace("Feedback comments", name), [BOB], SAID[1:2])
    assert rows[2][8] == "55.5 of 100 points."


@pytest.mark.parametrize(("name", "cell"), [("Outcome: clarity", ""), ("Points", "3")])
def test_a_column_that_is_not_for_comments_holds_none(name: str, cell: str, lms: Downloads) -> None:
    text = ENGLISH.replace("Feedback comments", name).replace("-,-,", f"-,-,{cell}")
    back = returned(lms.forms(text), [ADA], RUBRIC)
    assert cells(back.files["moodle.csv"])[1][8] == cell
    assert back.notes[:2] == (
        "In moodle.csv these grades end at 100, and nothing there says what is above: Ada Lovelace (110).",
        "moodle.csv has no column for comments, so no student reads one.",
    )


def test_nobody_is_known_by_a_status_a_group_or_a_marker(lms: Downloads) -> None:
    header = HEADERS["en"].replace("Status,", "Email address,Status,Group,Marker,")
    row = 'Participant {0},"{1}",{2},Submitted,Zoë Elsewhere,"Zoë Elsewhere",,100,Yes,-,-,'
    people = [(201, "Ann Other", "ann@x"), (202, "Max Muster", "zoe@x")]
    text = "\n".join([header, *(row.format(*person) for person in people)]) + "\n"
    alone = lms.sheet(text.replace("202", "203"))
    assert gradebooks.fill_moodle(alone, [ZOE], SAID[3:], RUBRIC).matching.left == (ZOE,)
    by_mail = replace(ZOE, ids={"mail": "zoe@x", "canvas": "201"})
    assert [line[6] for line in lms.filled(text, [by_mail], SAID[3:])[1:]] == ["", "1"]


def test_without_names_the_identifiers_are_listed(lms: Downloads) -> None:
    text = 'Identifier,Status,Grade,"Maximum Grade","Last modified (grade)"\nParticipant 7,Submitted,,100,-\n'
    assert "In moodle.csv, but handed in nothing, and left as they were: Participant 7." in lms.notes(text)
