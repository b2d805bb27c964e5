"""Archives from strangers: each kind of mischief is refused by name, and the rest is unpacked."""

import io
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.classroom.archives import ArchiveBounds, stem, unpack
from grader.core import system
from tests.classroom.conftest import zipped

GOOD = "alice/tictactoe.py"
SMALL = ArchiveBounds(members=10, file_bytes=300_000, total_bytes=800_000, ratio=200)


def taped(file: Path, members: dict[str, bytes]) -> Path:
    with tarfile.open(file, "w:gz") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return file


BOTH = pytest.mark.parametrize(("pack", "name"), [(zipped, "a.zip"), (taped, "a.tar.gz")])
Pack = Callable[[Path, dict[str, bytes]], Path]


@BOTH
def test_what_grading_needs_is_unpacked(tmp_path: Path, pack: Pack, name: str) -> None:
    archive = pack(tmp_path / name, {GOOD: b"X = 1\n", "alice/essay.pdf": b"%PDF"})
    assert unpack(archive, tmp_path / "out") == []
    assert (tmp_path / "out" / GOOD).read_bytes() == b"X = 1\n"
    assert (tmp_path / "out/alice/essay.pdf").read_bytes() == b""  # its name tells that there was something


@BOTH
@pytest.mark.parametrize(
    "member",
    [
        "../evil.py",
        "/etc/evil.py",
        "bob/../../evil.py",
        "C:evil.py",
        "bob\\..\\evil.py",
        "bob/\x07.py",
        f"bob/{'x' * 300}.py",
    ],
)
def test_a_name_that_leads_elsewhere_is_refused(tmp_path: Path, pack: Pack, name: str, member: str) -> None:
    archive = pack(tmp_path / name, {member: b"x", GOOD: b"X"})
    refused = unpack(archive, tmp_path / "deep" / "out")
    assert [found.member for found in refused] == [member] and "name" in refused[0].why
    assert (tmp_path / "deep/out" / GOOD).is_file()
    assert not list(tmp_path.rglob("evil.py"))


def test_a_link_in_a_zip_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        info = zipfile.ZipInfo("bob/tictactoe.py")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
    (refused,) = unpack(tmp_path / "a.zip", tmp_path / "out")
    assert "link" in refused.why


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_links_and_devices_in_a_tape_are_refused(tmp_path: Path, kind: bytes) -> None:
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as archive:
        info = tarfile.TarInfo("bob/tictactoe.py")
        info.type, info.linkname = kind, "/etc/passwd"
        archive.addfile(info)
    (refused,) = unpack(tmp_path / "a.tar.gz", tmp_path / "out")
    assert "link or a device" in refused.why
    assert not (tmp_path / "out/bob").exists()


def test_an_encrypted_member_is_refused(tmp_path: Path) -> None:
    archive = zipped(tmp_path / "a.zip", {"bob/tictactoe.py": b"X", GOOD: b"X"})
    data = bytearray(archive.read_bytes())
    data[6] |= 1  # the flag in the first member's own header, and the same in the directory
    data[data.index(b"PK\x01\x02") + 8] |= 1
    archive.write_bytes(data)
    (refused,) = unpack(archive, tmp_path / "out")
    assert (refused.member, refused.why) == ("bob/tictactoe.py", "it is encrypted")
    assert (tmp_path / "out" / GOOD).is_file()


BOB = "bob/tictactoe.py"
RANDOM = bytes(range(256)) * 1_000


@BOTH
@pytest.mark.parametrize(
    ("members", "member", "why"),
    [
        ({BOB: b"#" * 400_000, GOOD: b"X"}, BOB, "it unpacks to 0.4 MB"),
        ({BOB: b"#" * 290_000, GOOD: b"X"}, BOB, "it unpacks to more than 200 times its size"),
        ({f"{number}.py": b"X" for number in range(11)}, "", "it holds more than 10 files"),
        ({f"{number}.py": RANDOM for number in range(5)}, "", "it holds more than 0.8 MB"),
    ],
    ids=["a large file", "a bomb", "many files", "much altogether"],
)
def test_what_is_too_much_is_refused(  # noqa: PLR0917 - two tables
    tmp_path: Path, pack: Pack, name: str, members: dict[str, bytes], member: str, why: str
) -> None:
    (refused,) = unpack(pack(tmp_path / name, members), tmp_path / "out", SMALL)
    assert refused.member == member and refused.why.startswith(why)
    assert (tmp_path / "out" / GOOD).is_file() == (GOOD in members)


def test_a_size_that_lies_is_found_out(tmp_path: Path) -> None:
    archive = zipped(tmp_path / "a.zip", {"bob/tictactoe.py": b"#" * 5_000})
    data = bytearray(archive.read_bytes())
    place = data.index(b"PK\x01\x02")
    data[place + 24 : place + 28] = (10).to_bytes(4, "little")
    archive.write_bytes(data)
    assert unpack(archive, tmp_path / "out")
    assert not (tmp_path / "out/bob/tictactoe.py").exists()


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz"])
@pytest.mark.parametrize("content", [b"", b"not an archive at all", b"PK\x03\x04 cut off"])
def test_a_damaged_archive_is_told(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    (refused,) = unpack(tmp_path / name, tmp_path / "out")
    assert refused.member == "" and refused.why


@pytest.mark.parametrize(
    ("name", "expected"), [("a.zip", "a"), ("b.c.TAR.GZ", "b.c"), ("d.tgz", "d"), ("e.py", "e.py")]
)
def test_the_stem_of_an_archive(name: str, expected: str) -> None:
    assert stem(name) == expected


def test_one_bad_member_does_not_keep_the_others_out(tmp_path: Path) -> None:
    """A wrong checksum, a name twice, a file that is a folder elsewhere: each is refused alone."""
    file, bad = tmp_path / "a.zip", ["crc/tictactoe.py", "twice/tictactoe.py", "b/x.py/tictactoe.py"]
    with zipfile.ZipFile(file, "w") as archive, pytest.warns(UserWarning):
        for name in (bad[0], bad[1], bad[1], "b/x.py", bad[2], GOOD):
            archive.writestr(name, "marker")
    data = bytearray(file.read_bytes())
    data[data.index(b"marker")] ^= 1
    file.write_bytes(data)
    assert [refused.member for refused in unpack(file, tmp_path / "out")] == bad
    assert (tmp_path / "out" / GOOD).is_file() and not (tmp_path / "out/crc/tictactoe.py").exists()


@BOTH
def test_what_nobody_needs_is_no_reason_to_refuse(tmp_path: Path, pack: Pack, name: str) -> None:
    clutter = {f"bob/node_modules/{number}.py": b"x" for number in range(30)}
    archive = pack(tmp_path / name, {"bob/log.txt": bytes(290_000), **clutter, GOOD: b"X"})
    assert unpack(archive, tmp_path / "out", SMALL) == []
    assert (tmp_path / "out" / GOOD).is_file()


def test_a_tape_that_unpacks_without_end_is_left(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tgz", "w:gz") as archive:
        for number in range(8):
            info = tarfile.TarInfo(f"bob/{number}.bin")
            info.size = 4_000_000
            archive.addfile(info, io.BytesIO(bytes(info.size)))
    refused = unpack(tmp_path / "a.tgz", tmp_path / "out")
    assert "far more than its size" in refused[-1].why


def test_damaged_lzma_is_damage_like_any_other(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("bob/tictactoe.py", "x = 1\n" * 500)
    data = bytearray((tmp_path / "a.zip").read_bytes())
    data[60:90] = bytes(30)
    (tmp_path / "a.zip").write_bytes(data)
    assert unpack(tmp_path / "a.zip", tmp_path / "out")


def test_names_that_windows_does_not_take_are_replaced_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a device, an end and a character that no file on Windows has; two that become one are told."""
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as packed:
        for name in ("CON/tictactoe.py", "Bo. /aux.py", "Ada: 1/a.py", "Ada? 1/a.py"):
            packed.writestr(name, "x")
    monkeypatch.setattr(system, "HAS_WINDOWS_FILES", True)
    refused = unpack(tmp_path / "class.zip", tmp_path / "in")
    found = [file.relative_to(tmp_path / "in").as_posix() for file in (tmp_path / "in").rglob("*.py")]
    assert sorted(found) == ["Ada_ 1/a.py", "Bo__/_aux.py", "_CON/tictactoe.py"]
    assert [(found.member, found.why) for found in refused] == [("Ada? 1/a.py", "two members have this name")]
