"""Names in archives that do not say how they are written, and the rows they are to find."""

import struct
import zipfile
import zlib
from pathlib import Path

import pytest

from grader.classroom.archives import decoded_name, name_of, taped_name, unpack
from grader.classroom.records import Record
from grader.classroom.sheet import by_name, guessed, matched
from tests.classroom import lines

NAMES = (
    "Müller Jürgen",
    "José Núñez",
    "René",
    "Zoë",
    "François",
    "Ångström",
    "ÉMILE",
    "Øystein",
    "Łukasz Żółć",
)


def stored(name: bytes, extra: bytes = b"") -> zipfile.ZipInfo:
    """Return a member as the library reads it from an archive that does not say how names are written."""
    info = zipfile.ZipInfo(name.decode("cp437"))
    info.flag_bits, info.extra = 0, extra
    return info


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("coding", ["utf-8", "cp437", "cp850", "cp1252"])
def test_a_name_is_read_or_still_finds_its_row(name: str, coding: str) -> None:
    try:
        raw = name.encode(coding)
    except UnicodeEncodeError:
        pytest.skip("nobody could have written it so")
    told = name_of(stored(raw))
    assert told == name or guessed(told) == guessed(name) != ""
    if (name, coding) != ("Øystein", "cp1252"):
        assert told == name


def test_a_name_that_is_given_in_utf_8_too_is_taken_from_there() -> None:
    raw = "Øystein".encode("cp1252")
    field = b"\x01" + struct.pack("<L", zlib.crc32(raw)) + "Øystein".encode()
    assert name_of(stored(raw, struct.pack("<HH", 0x7075, len(field)) + field)) == "Øystein"
    other = b"\x01" + struct.pack("<L", 1) + b"Somebody else"
    assert name_of(stored(raw, struct.pack("<HH", 0x7075, len(other)) + other)) != "Somebody else"


def test_names_that_say_how_they_are_written_stay() -> None:
    info = zipfile.ZipInfo("Ünal/tictactoe.py")
    info.flag_bits = 0x800
    assert name_of(info) == "Ünal/tictactoe.py"
    assert taped_name("Ünal") == "Ünal"
    assert taped_name("Müller".encode("cp1252").decode("utf-8", "surrogateescape")) == "Müller"
    assert decoded_name(b"plain") == "plain"


def test_an_old_archive_is_unpacked_under_the_names_that_were_meant(tmp_path: Path) -> None:
    file = tmp_path / "a.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("M#ller/tictactoe.py", "X = 1\n")
    file.write_bytes(file.read_bytes().replace(b"M#ller", b"M\x81ller"))
    assert unpack(file, tmp_path / "out") == []
    assert (tmp_path / "out/Müller/tictactoe.py").read_text() == "X = 1\n"


def record(name: str) -> Record:
    return lines.record(name, name, "", total=1.0)


@pytest.mark.parametrize(
    ("student", "row"),
    [
        ("Ïystein Aas", "Øystein Aas"),
        ("Mⁿller Jⁿrgen", "Müller Jürgen"),
        ("Jose Nunez", "José Núñez"),
        ("Aas, Ïystein", "Øystein Aas"),
        ("J╔rgen", "JÜrgen"),
    ],
)
def test_a_wrong_guess_still_matches(student: str, row: str) -> None:
    ways = by_name(lambda cells: [cells[0]])
    found = matched([record(student)], [("Somebody Else",), (row,)], ways)
    assert found.of_row[1].student == student and not found.left


@pytest.mark.parametrize(
    ("student", "rows"),
    [
        ("Иван", ["Пётр"]),  # as many letters, and none that is known
        ("Jürgen", ["Jorgen"]),
        ("Mïller", ["Müller", "Möller"]),
        ("Ann", ["Änn X"]),
    ],
)
def test_what_could_be_anybody_matches_nobody(student: str, rows: list[str]) -> None:
    found = matched([record(student)], [(row,) for row in rows], by_name(lambda cells: [cells[0]]))
    assert found.of_row == {}
