"""Names in archives that do not say how their letters are written: read as a person would read them.

Zip files of older programs hold names in the coding of the machine on which they were made.
"""

import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

_CODINGS: Final = ("cp437", "cp850", "cp1252", "cp1250")
"""What the programs of Western machines write, the usual ones first."""

_RARE: Final = "ðþÐÞ"
_SAYS_UTF8: Final = 0x800
_UNICODE_PATH: Final = 0x7075
"""The field in which some programs give a name in UTF-8 beside the other."""


def name_of(info: zipfile.ZipInfo) -> str:
    """Return the name of a member of a zip file."""
    name = info.filename
    if name.isascii() or info.flag_bits & _SAYS_UTF8:
        return name
    raw = name.encode("cp437")  # which is how the library has read it
    return _told(info, raw) or read_as_a_person_would(raw)


def taped_name(name: str) -> str:
    """Return the name of a member of a tar file, whose bytes may be no UTF-8."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return read_as_a_person_would(name.encode("utf-8", "surrogateescape"))
    return name


def read_as_a_person_would(raw: bytes) -> str:
    """Return bytes as text: UTF-8 if they are that, else in the coding with the fewest odd letters."""
    with suppress(UnicodeDecodeError):
        return raw.decode("utf-8")
    texts = []
    for coding in _CODINGS:
        with suppress(UnicodeDecodeError):
            texts.append(raw.decode(coding))
    return min(texts, key=_odd_letters, default=raw.decode("latin-1"))


def _odd_letters(text: str) -> tuple[int, int]:
    """Return how many signs nobody's name has, and how many hardly any name has there."""
    others = [pair for pair in zip(" " + text, text, strict=False) if not pair[1].isascii()]
    return sum(not _fits(*one) for one in others), sum(_is_rare(*one) for one in others)


def _fits(before: str, sign: str) -> bool:
    """Return whether a sign is a Latin letter, and no capital after a small one."""
    is_latin = unicodedata.name(sign, "").startswith(("LATIN SMALL LETTER", "LATIN CAPITAL LETTER"))
    return is_latin and not (sign.isupper() and before.islower())


def _is_rare(before: str, sign: str) -> bool:
    """Return whether a sign is a small letter at the start of a name, or one that a single language has."""
    return (sign.islower() and not before.isalpha()) or sign in _RARE


def _told(info: zipfile.ZipInfo, raw: bytes) -> str:
    """Return the name that is given in UTF-8 beside the other, if it is of the same one."""
    for kind, field in _fields(info.extra):
        if kind == _UNICODE_PATH and len(field) > 5 and field[1:5] == struct.pack("<L", zlib.crc32(raw)):
            with suppress(UnicodeDecodeError):
                return field[5:].decode("utf-8")
    return ""


def _fields(extra: bytes) -> Iterator[tuple[int, bytes]]:
    while len(extra) >= 4:
        kind, size = struct.unpack("<HH", extra[:4])
        yield kind, extra[4 : 4 + size]
        extra = extra[4 + size :]
