"""Every form in which a class comes: a realistic sample goes in, one entry for each student comes out."""

import os
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from grader.classroom.entries import Entry
from grader.classroom.intake import Wanted, is_class, opened
from grader.classroom.records import Record, save
from grader.core.errors import UserError
from tests.classroom.conftest import write_all, zipped

CODE = "X = 1\n"
NOTHING = "There is no tictactoe.py, and no other Python file."
ASSIGN = "assignsubmission_file"


def files(folder: Path, names: Iterable[str]) -> Path:
    """Write files with the same code below a folder."""
    return write_all(folder, dict.fromkeys(names, CODE))


def entries_of(*paths: Path) -> dict[str, Entry]:
    with opened(paths) as found:
        assert len({entry.key for entry in found}) == len(found)
        for entry in found:
            assert (entry.file is None) == bool(entry.problem)
            assert entry.file is None or entry.file.read_bytes()
        return {entry.student: entry for entry in found}


def test_a_folder_for_each_student(tmp_path: Path) -> None:
    files(
        tmp_path,
        ["alice/tictactoe.py", "bob/project/src/tictactoe.py", "carol/my_solution.py", "dave/readme.txt"],
    )
    files(tmp_path / "erin", ["a/tictactoe.py", "b/tictactoe.py"])
    files(tmp_path / "frank", ["tictactoe.py", "runner.py", "__pycache__/tictactoe.py"])
    files(tmp_path, ["__MACOSX/alice/._tictactoe.py"])
    assert is_class(tmp_path)
    found = entries_of(tmp_path)
    assert list(found) == ["alice", "bob", "carol", "dave", "erin", "frank"]
    assert found["bob"].notes == ("The file is project/src/tictactoe.py.",)
    assert found["carol"].notes == ("The file is my_solution.py.",)
    assert found["dave"].problem == NOTHING
    assert found["erin"].problem == "Several files could be meant: a/tictactoe.py, b/tictactoe.py."
    assert not found["frank"].notes


@pytest.mark.parametrize(
    ("names", "students"),
    [
        (["alice.py", "bob.py", "notes.txt"], ["alice", "bob"]),
        (
            [f"tic-tac-toe-{name}/tictactoe.py" for name in ("ada", "al-an", "grace")],
            ["ada", "al-an", "grace"],
        ),
        (
            ["smith-ada/tictactoe.py", "smith-alan/tictactoe.py"],
            ["smith-ada", "smith-alan"],
        ),  # no assignment's name
        (
            [f"{name}_{n}_{ASSIGN}_tictactoe.py" for n, name in enumerate(("Ann Lee", "Bo"))],
            ["Ann Lee", "Bo"],
        ),
        (
            ["submission_metadata.yml", "submission_1/tictactoe.py", "submission_2/tictactoe.py"],
            ["Ada", "submission_2"],
        ),
    ],
    ids=[
        "files",
        "GitHub Classroom",
        "two that begin alike",
        "Moodle without folders",
        "Gradescope names one of two",
    ],
)
def test_the_students_of_a_download(tmp_path: Path, names: list[str], students: list[str]) -> None:
    metadata = {"submission_metadata.yml": "submission_1:\n  :submitters:\n  - :name: Ada\n"}
    write_all(tmp_path, {name: metadata.get(name, CODE) for name in names})
    assert is_class(tmp_path)
    assert list(entries_of(tmp_path)) == students


def test_several_paths(tmp_path: Path) -> None:
    files(tmp_path, ["alice.py", "b/tictactoe.py"])
    found = entries_of(tmp_path / "alice.py", tmp_path / "b", tmp_path / "b/tictactoe.py")
    assert list(found) == ["alice", "b"]


def test_moodle(tmp_path: Path) -> None:
    folders = [f"Ada Lovelace_12345_{ASSIGN}_", f"Grace_Hopper_99_{ASSIGN}_", f"Ünal Çelik_7_{ASSIGN}"]
    files(tmp_path, [f"{folder}/tictactoe.py" for folder in folders])
    files(tmp_path, ["Ada Lovelace_12345_assignsubmission_onlinetext_/onlinetext.html"])
    ids = {entry.student: entry.ids["moodle"] for entry in entries_of(tmp_path).values()}
    assert ids == {"Ada Lovelace": "12345", "Grace_Hopper": "99", "Ünal Çelik": "7"}


def test_canvas_latest_attempt_wins_and_lateness_is_kept(tmp_path: Path) -> None:
    attempts = {
        "lovelaceada_12345_67890_tictactoe.py": "old = 1\n",
        "lovelaceada_LATE_12345_67999_tictactoe-2.py": "new = 1\n",
        "lovelaceada_12345_67950_tictactoe-1.py": "middle = 1\n",
    }
    write_all(tmp_path, attempts)
    files(tmp_path, ["hoppergrace_222_333_tictactoe.py", "stray.py"])
    files(tmp_path, ["turingalan_444_555_one.py", "turingalan_444_556_two.py"])
    assert is_class(tmp_path)
    with opened([tmp_path]) as found:
        by_name = {entry.student: entry for entry in found}
        ada = by_name["lovelaceada"]
        assert ada.file is not None and ada.file.read_text() == "new = 1\n"
    assert ada.late and ada.ids == {"canvas": "12345"} and ada.notes == ("Attempt 3; 2 earlier.",)
    assert not by_name["hoppergrace"].late
    assert "Several files" in by_name["turingalan"].problem


def test_gradescope(tmp_path: Path) -> None:
    metadata = """\
submission_101:
  :submitters:
  - :name: Ada Lovelace
    :sid: '31415'
    :email: ada@example.org
  :created_at: 2026-03-01 12:00:00.000000000 Z
submission_102:
  :submitters:
  - :name: Grace Hopper
    :email: grace@example.org
  - :name: Alan Turing
  :created_at: 2026-03-01 12:00:00.000000000 Z
  :lateness: '02:00:00'
submission_103:
  :submitters:
  - :name: Nobody Here
"""
    write_all(tmp_path / "export", {"submission_metadata.yml": metadata})
    found = entries_of(
        files(tmp_path / "export", ["submission_101/tictactoe.py", "submission_102/tictactoe.py"])
    )
    assert found["Ada Lovelace"].ids == {"sid": "31415", "email": "ada@example.org"}
    assert found["Grace Hopper"].late and found["Grace Hopper"].file == found["Alan Turing"].file
    assert found["Alan Turing"].notes == ("Handed in together with Grace Hopper.",)
    assert found["Nobody Here"].problem == "The export has no folder for this student."


def test_a_roster_of_paths_and_repositories(tmp_path: Path) -> None:
    work = files(tmp_path / "work", ["src/tictactoe.py"])
    commit = ("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x")
    for command in (("init", "-q"), ("add", "."), commit):
        subprocess.run(["git", *command], cwd=work, check=True)
    files(tmp_path, ["bob/tictactoe.py"])
    roster = tmp_path / "class.csv"
    roster.write_text(
        f"Student,SIS User ID,Repository\nAda,u1,file://{work}\nBob,u2,bob\nCarol,u3,file://{tmp_path}/none.git\n"
        "Dave,u4,\nErin,u5,missing\nMallory,u6,--upload-pack=touch /tmp/pwned.git\nEve,u7,ext::sh -c id.git\n",
        encoding="utf-8-sig",
    )
    assert is_class(roster)
    found = entries_of(roster)
    ada = found["Ada"]
    assert ada.file and ada.ids["SIS User ID"] == "u1" and "src/tictactoe.py" in ada.notes[0]
    assert found["Bob"].file
    assert "cannot be cloned" in found["Carol"].problem
    assert found["Dave"].problem == "The roster names no place for this student."
    assert found["Erin"].problem == "There is no missing."
    assert "cannot be cloned" in found["Mallory"].problem and "cannot be cloned" in found["Eve"].problem
    assert not Path("/tmp/pwned.git").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "a roster needs a column named one of: student"),
        ("student,x\nA,b\n", "repository"),
        ("student,path\n,a.py\n", "without a student"),
    ],
)
def test_a_bad_roster_names_its_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "class.csv").write_text(text)
    with pytest.raises(UserError, match=message) as caught, opened([tmp_path / "class.csv"]):
        pass
    assert caught.value.line


def test_an_archive_of_a_class_with_bad_members_grades_the_others(tmp_path: Path) -> None:
    inner = zipped(tmp_path / "inner.zip", {"tictactoe.py": CODE}).read_bytes()
    members: dict[str, str | bytes] = {
        "hw/alice/tictactoe.py": CODE,
        "hw/bob/work.zip": inner,
        "hw/mallory/work.zip": zipped(tmp_path / "bad.zip", {"../../tictactoe.py": CODE}).read_bytes(),
        "hw/nina/work.zip": zipped(tmp_path / "nested.zip", {"again.zip": inner}).read_bytes(),
        "hw/carol/tictactoe.py": "#" * 6_000_000,
        "hw/carol/readme.md": "x",
        "hw/dave/broken.zip": "PK no zip",
    }
    file = zipped(tmp_path / "download.zip", members)
    assert is_class(file)
    found = entries_of(file)
    assert found["alice"].file and found["bob"].file
    assert "'../../tictactoe.py' in work.zip: its name leads out" in found["mallory"].problem
    assert "archive within an archive" in found["nina"].problem
    assert "6.0 MB" in found["carol"].problem
    assert "broken.zip: it is damaged" in found["dave"].problem


def test_a_damaged_class_archive_is_the_users_mistake(tmp_path: Path) -> None:
    (tmp_path / "class.zip").write_bytes(b"nothing")
    with pytest.raises(UserError, match=r"class\.zip: it is damaged"), opened([tmp_path / "class.zip"]):
        pass


def test_links_are_not_followed(tmp_path: Path) -> None:
    write_all(tmp_path, {"secret.txt": "s", "class/alice/tictactoe.py": CODE})
    (tmp_path / "class" / "mallory").mkdir(parents=True)
    (tmp_path / "class" / "mallory" / "tictactoe.py").symlink_to(tmp_path / "secret.txt")
    assert entries_of(tmp_path / "class")["mallory"].problem


def test_students_of_one_name_keep_files_of_their_own(tmp_path: Path) -> None:
    files(tmp_path, [f"J Doe_{number}_{ASSIGN}_/tictactoe.py" for number in (1, 2)])
    assert [entry.key for entry in opened_entries(tmp_path)] == ["J_Doe-1", "J_Doe-2"]


def opened_entries(*paths: Path) -> list[Entry]:
    with opened(paths) as found:
        return found


def test_one_submission_is_no_class(tmp_path: Path) -> None:
    files(tmp_path, ["one/tictactoe.py", "two/src/tictactoe.py", "three/runner.py"])
    files(tmp_path / "four", ["src/tictactoe.py", "docs/conf.py", "tools/make.py", "main.py"])
    assert not any(is_class(tmp_path / name) for name in ("one", "two", "three", "four"))


def test_an_empty_folder_is_told(tmp_path: Path) -> None:
    assert opened_entries(tmp_path)[0].problem
    with pytest.raises(UserError, match="no such file"), opened([tmp_path / "nothing"]):
        pass


def test_namesakes_are_never_mixed_up(tmp_path: Path) -> None:
    """Rosters with a name twice, and two sections with a folder of one name, lost one of the two."""
    files(tmp_path, ["a.py", "b.py", "s1/al/tictactoe.py", "s1/bo/tictactoe.py", "s2/al/tictactoe.py"])
    roster = tmp_path / "class.csv"
    roster.write_text("section,student,path\nA,Ann Lee,a.py\nA,Ann Lee,b.py\nA,ANN lee,a.py\n")
    for paths in ([roster], [tmp_path / "s1", tmp_path / "s2"]):
        found = opened_entries(*paths)
        assert len(found) == 3 and len({entry.key.casefold() for entry in found}) == 3
        assert all(entry.file for entry in found)


@pytest.mark.parametrize("packed", [False, True])
def test_who_handed_in_something_else_is_not_lost(tmp_path: Path, packed: bool) -> None:
    moodle = files(tmp_path / "m", [f"Ada_1_{ASSIGN}_/tictactoe.py", f"Bob_2_{ASSIGN}_/tictactoe.txt"])
    (moodle / f"Cy_3_{ASSIGN}_").mkdir()
    canvas = files(
        tmp_path / "c", ["ada_1_11_tictactoe.py", "bob_2_22_tictactoe.txt", "dee_4_44_TICTACTOE.PY"]
    )
    if packed:
        moodle, canvas = (Path(shutil.make_archive(str(path), "zip", path)) for path in (moodle, canvas))
    found = entries_of(moodle)
    assert list(found) == ["Ada", "Bob", "Cy"] and found["Bob"].problem and found["Cy"].problem
    found = entries_of(canvas)
    assert list(found) == ["ada", "bob", "dee"] and found["dee"].ids == {"canvas": "4"}
    assert found["bob"].problem == "There is no Python file, but bob_2_22_tictactoe.txt."


def test_canvas_attempts_are_of_one_file(tmp_path: Path) -> None:
    files(tmp_path, ["ann_1_11_tictactoe.py", "ann_1_12_lab-5.py", "bob_2_21_tictactoe.py"])
    assert entries_of(tmp_path)["ann"].submission == "ann_1_11_tictactoe.py"


def test_what_the_grader_wrote_is_no_student(tmp_path: Path) -> None:
    names = ["ada/tictactoe.py", "bob/tictactoe.py", "grades/gradebook.csv", "grades/feedback/ada.txt"]
    files(tmp_path, names)
    save(tmp_path / "grades", Record(key="Ada", student="Ada", status="not_graded"))
    assert list(entries_of(tmp_path)) == ["ada", "bob"]
    (tmp_path / "elsewhere").mkdir()
    with opened([tmp_path], out=tmp_path / "elsewhere") as found:
        assert [entry.student for entry in found] == ["ada", "bob"]


@pytest.mark.parametrize("beside", ["gradebook.csv", "grades/x.json", "grades/gradebook.csv"])
@pytest.mark.parametrize("has_file", [True, False])
def test_a_student_with_a_gradebook_is_a_student(tmp_path: Path, beside: str, has_file: bool) -> None:
    """Given a student's folder that looks a little like what the grader writes: it vanished."""
    files(tmp_path, ["ada/tictactoe.py", "bob/tictactoe.py"])
    write_all(tmp_path / "eve", {"gradebook.csv": "", beside: '{"schema": "tictactoe-record/1"}'})
    if has_file:
        files(tmp_path / "eve", ["tictactoe.py"])
        save(tmp_path / "eve", Record(key="Eve", student="Eve", status="not_graded"))
    found = entries_of(tmp_path)
    assert list(found) == ["ada", "bob", "eve"] and bool(found["eve"].problem) != has_file


def test_nobody_in_a_download_vanishes(tmp_path: Path) -> None:
    place, secret = files(tmp_path / "class", ["ada/tictactoe.py", "bob.py"]), tmp_path / "secret"
    files(secret, ["tictactoe.py", "x.py"])
    for name in ("carol", "dave", "ivy"):
        (place / name).mkdir()
    for link, target in (
        ("dave/solution", secret / "tictactoe.py"),
        ("erin", secret),
        ("fay.py", secret / "x.py"),
        ("gus", "nowhere"),
        ("ivy/tictactoe.py", "tictactoe.py"),
    ):
        (place / link).symlink_to(target)
    os.mkfifo(place / "hal.py")
    links = {name: f"{name} is a link, which is not followed." for name in ("erin", "fay.py", "gus")}
    assert {name: entry.problem for name, entry in entries_of(place).items()} == {
        **dict.fromkeys(("ada", "bob"), ""),
        **dict.fromkeys(("carol", "dave", "ivy"), NOTHING),
        **links,
        "hal.py": "hal.py is no file.",
    }


def test_what_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a file and a folder that nobody may read: the whole class ended with a traceback."""
    write_all(tmp_path, {"ada/tictactoe.py": CODE, "bob/tictactoe.py": CODE, "eve/t.py": CODE})
    opened_by, listed_by = Path.open, Path.iterdir

    def refuse(path: Path) -> None:
        if "bob" in path.parts or path.name == "eve":
            raise PermissionError(13, "Permission denied")

    def open_file(path: Path, *how: Any, **more: Any) -> Any:
        refuse(path)
        return opened_by(path, *how, **more)

    def iterdir(path: Path) -> Any:
        refuse(path)
        return listed_by(path)

    monkeypatch.setattr(Path, "open", open_file)
    monkeypatch.setattr(Path, "iterdir", iterdir)
    found = entries_of(tmp_path)
    assert found["ada"].file and found["bob"].problem == "tictactoe.py cannot be read: Permission denied."
    assert found["eve"].problem == "eve cannot be read: Permission denied."


SPOOF = f"Vic Tim_77777_{ASSIGN}_tictactoe.py"


def test_no_file_makes_a_student_another_participant(tmp_path: Path) -> None:
    """Given Moodle's files without folders: what a student calls a file stands behind Moodle's part."""
    write_all(
        tmp_path,
        {
            f"Mallory_66_{ASSIGN}_{SPOOF}": CODE,
            SPOOF: CODE,
            f"Vic Tim_77777_{ASSIGN}_README.md": "",
            f"Bo_8_{ASSIGN}_essay.txt": "",
            "Cy_9_assignsubmission_onlinetext_onlinetext.html": "",
        },
    )
    found = entries_of(tmp_path)
    numbers = {name: entry.ids["moodle"] for name, entry in found.items()}
    assert numbers == {"Mallory": "66", "Vic Tim": "77777", "Bo": "8", "Cy": "9"}
    problems = {name: entry.problem for name, entry in found.items()}
    assert problems == {"Mallory": "", "Vic Tim": "", "Bo": NOTHING, "Cy": NOTHING}
    assert not any("same number" in note for entry in found.values() for note in entry.notes)


@pytest.mark.parametrize(
    ("names", "ids"),
    [
        (["alice.py", "bob.py", SPOOF], {}),  # a folder of files, of no LMS
        (["alice/tictactoe.py", "bob/tictactoe.py", SPOOF], {}),
        (["alice/tictactoe.py", f"mallory/{SPOOF}"], {}),
        (["A_1_assignsubmission_file_/tictactoe.py", f"M_6_assignsubmission_file_/{SPOOF}"], {"A": "1", "M": "6"}),
        (["Vic_7_assignsubmission_file_x_6_assignsubmission_file_/t.py"], {"Vic_7_assignsubmission_file_x": "6"}),
        (["a_1_2_tictactoe.py", f"mallory_66_99_{SPOOF}"], {}),  # Canvas's
        (["A_００7_assignsubmission_file_/t.py", "B_2_assignsubmission_file_/t.py"], {"B": "2"}),  # noqa: RUF001
        (["A_007_assignsubmission_file_/t.py"], {"A": "7"}),
        (["Ann Lee_0_assignsubmission_file_t.py", "B_00_assignsubmission_file_t.py"], {"Ann Lee": "0", "B": "0"}),
    ],
)  # fmt: skip
def test_whose_a_number_of_moodle_is(tmp_path: Path, names: list[str], ids: dict[str, str]) -> None:
    files(tmp_path, names)
    found = entries_of(tmp_path)
    assert {name: entry.ids["moodle"] for name, entry in found.items() if "moodle" in entry.ids} == ids
    assert {entry.ids["canvas"] for entry in found.values() if "canvas" in entry.ids} in (set(), {"1", "66"})


@pytest.mark.parametrize(
    "names",
    [
        [f"Vic Tim_77777_{ASSIGN}_/tictactoe.py", SPOOF],
        [f"Vic Tim_77777_{ASSIGN}_/tictactoe.py", f"Mal_077777_{ASSIGN}_/tictactoe.py"],
        # somebody is called so in Moodle, and nobody can tell
        [SPOOF, f"Vic Tim_77777_{ASSIGN}_{SPOOF}", f"Ada_1_{ASSIGN}_tictactoe.py"],
    ],
)
def test_two_of_one_number_are_told(tmp_path: Path, names: list[str]) -> None:
    found = opened_entries(files(tmp_path, names))
    both = [entry for entry in found if entry.student != "Ada"]
    assert [entry.ids["moodle"] for entry in both] == ["77777", "77777"]
    note = "Another submission has the same number in Moodle, so no grade goes there by itself."
    assert [entry.notes for entry in both] == [(note,), (note,)]


def test_a_students_own_folder_is_no_download(tmp_path: Path) -> None:
    names = {"mallory": SPOOF, f"M_6_{ASSIGN}_": SPOOF, "ada": "tictactoe.py"}
    files(tmp_path, [f"{folder}/{name}" for folder, name in names.items()])
    found = entries_of(*(tmp_path / folder for folder in names))
    ids = {name: entry.ids for name, entry in found.items()}
    assert ids == {"ada": {}, "M": {"moodle": "6"}, SPOOF.removesuffix(".py"): {}}


def test_two_names_with_one_number_of_canvas_are_two(tmp_path: Path) -> None:
    found = entries_of(files(tmp_path, ["ann_1_11_tictactoe.py", "mal_01_12_tictactoe.py"]))
    assert all("same number in Canvas" in found[name].notes[0] for name in ("ann", "mal"))


HOSTILE = "Eve\x1b[2J\n\x9b\u202e\u2028\udcff"
SHOWN = r"Eve\x1b[2J\n\x9b\u202e\u2028\udcff"


def test_all_that_a_stranger_chose_is_text(tmp_path: Path) -> None:
    files(
        tmp_path, [f"{HOSTILE}_5_{ASSIGN}_/{HOSTILE}.py", "b/y.py", f"c/{HOSTILE}/x.py", f"c/{HOSTILE}y.py"]
    )
    by_key = {entry.key: entry for entry in opened_entries(tmp_path)}
    eve = next(entry for entry in by_key.values() if entry.student.startswith(SHOWN))
    assert eve.submission == f"{SHOWN}_5_{ASSIGN}_"
    assert eve.notes == (f"The file is {SHOWN}.py.",)
    assert by_key["c"].problem == f"Several files could be meant: {SHOWN}/x.py, {SHOWN}y.py."
    roster = tmp_path / "class.csv"
    roster.write_text('student,ID,path\n"Ada\x1b\n","7\u202e","no\x9b"\n', encoding="utf-8", newline="")
    (ada,) = entries_of(roster).values()
    assert (ada.student, ada.ids["ID"], ada.problem) == (r"Ada\x1b", r"7\u202e", r"There is no no\x9b.")


def test_names_in_other_encodings_are_readable(tmp_path: Path) -> None:
    files(tmp_path, [f"{os.fsdecode(name)}/tictactoe.py" for name in (b"Jos\xe9", b"Ada", b"Bo")])
    found = entries_of(tmp_path)
    assert r"Jos\udce9" in found
    assert all(entry.submission.encode() and entry.key.encode() for entry in found.values())


def test_long_names_and_paths_hurt_nobody(tmp_path: Path) -> None:
    files(tmp_path, ["a.py"])
    text = f"student,path\nAda,a.py\nBob,{'x' * 300}\n{chr(0x1D400) * 70},a.py\n"
    (tmp_path / "class.csv").write_text(text, encoding="utf-8")
    found = entries_of(tmp_path / "class.csv")
    assert found["Ada"].file and found["Bob"].problem
    assert all(len(entry.key.encode()) <= 100 for entry in found.values())


def test_a_link_to_another_students_archive_is_not_followed(tmp_path: Path) -> None:
    write_all(tmp_path, {"bob/x.txt": "", "alice/x.txt": ""})
    zipped(tmp_path / "bob" / "t.zip", {"tictactoe.py": CODE})
    (tmp_path / "alice" / "t.zip").symlink_to("../bob/t.zip")
    found = entries_of(tmp_path)
    assert found["bob"].file and found["alice"].problem


def test_the_main_of_a_program_may_be_called_anything(tmp_path: Path) -> None:
    write_all(tmp_path, {f"{name}/{HOSTILE}.c": "int main() { return 0; }\n" for name in ("ada", "bob")})
    with opened([tmp_path], Wanted("program")) as found:
        assert [entry.file and entry.file.name for entry in found] == [f"{HOSTILE}.c"] * 2
        assert all(entry.file and entry.file.read_bytes() for entry in found)


def test_nobody_in_an_archive_vanishes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given students who have handed in a link alone, a folder with an odd name, and one that lies far too deep."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    archive = tmp_path / "class.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("ada/tictactoe.py", "pass")
        packed.writestr("bob/tictactoe.py", "pass")
        link = zipfile.ZipInfo("kim/essay")
        link.external_attr = 0o120777 << 16
        packed.writestr(link, "/etc/passwd")
        packed.writestr("o\x1bdd/essay.pdf", "text")
        packed.writestr("d/" * 1_800 + "tictactoe.py", "pass")
    found = {entry.student: entry.problem for entry in opened_entries(archive)}
    assert found == {
        "ada": "",
        "bob": "",
        "kim": "'kim/essay' in class.zip: it is a link or a device, not a file.",
        "o\\x1bdd": "'o\\x1bdd/essay.pdf' in class.zip: its name cannot be used.",
        "d": found["d"],
    }
    assert found["d"].endswith("class.zip: it lies more than 40 folders deep.") and len(found["d"]) < 200
    assert list((tmp_path / "temporary").iterdir()) == []
