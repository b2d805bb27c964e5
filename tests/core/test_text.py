"""What strangers write is text, whatever they write."""

import json
from xml.etree import ElementTree

import pytest

from grader.core.values import coding_of, lines_of, printable, printable_lines, source_text

HARMLESS = [
    "",
    "Ada Lovelace",
    "Zoë Çelik-O'Neill, 3rd",
    "Jose\u0301",
    "漢字\u3000山田",
    "עברית العربية",
    "Anna\u00a0B.",
    "back\\slash",
    "🎲 ✓ −1 <script>&amp; =1+1 `x` [red]",  # noqa: RUF001
]


@pytest.mark.parametrize("text", HARMLESS)
def test_letters_of_every_script_stay(text: str) -> None:
    assert printable(text) == printable_lines(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", r"\x1b[31mred"),
        ("a\nb\r\nc\td", r"a\nb\r\nc\td"),
        ("\x00\x07\x7f", r"\x00\x07\x7f"),
        ("\x9b31m \x85", r"\x9b31m \x85"),
        ("a\u202eb\u2066c\u200fd\u061ce", r"a\u202eb\u2066c\u200fd\u061ce"),
        ("a\u200bb\u2060c\ufeffd\u00ade", r"a\u200bb\u2060c\ufeffd\xade"),
        ("a\u2028b\u2029c\x0cd\x0be", r"a\u2028b\u2029c\x0cd\x0be"),
        ("\udcff\ud800x", r"\udcff\ud800x"),
        ("\U000e0041\ue000\uffff\ufffe", r"\U000e0041\ue000\uffff\ufffe"),
    ],
)
def test_what_steers_hides_or_begins_a_line_is_an_escape(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert printable(shown) == shown


def test_of_several_lines_only_their_ends_and_tabs_are_kept() -> None:
    text = "one\ttab\r\ntwo\rthree\n\x1b[2J\x0c\u2028\u202e\ud800\x85end\n"
    assert printable_lines(text) == "one\ttab\ntwo\nthree\n\\x1b[2J\\x0c\\u2028\\u202e\\ud800\\x85end\n"


def test_no_character_gets_past() -> None:
    every = "".join(map(chr, range(0x11_0000)))
    line, lines = printable(every), printable_lines(every)
    assert line.splitlines() == [line]
    assert lines.splitlines() == lines.split("\n")
    for text in (line, lines):
        assert json.loads(json.dumps(text, ensure_ascii=False).encode()) == text
        escaped = text.replace("&", "&amp;").replace("<", "&lt;")
        assert ElementTree.fromstring(f"<a>{escaped}</a>").text == text


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\n\n", ["a", ""]),
        ("a\r\nb\rc\nd", ["a", "b", "c", "d"]),
        ("# \x0c \x0b \x1c \x1d \x1e \x85 \u2028 \u2029\nx", ["# \x0c \x0b \x1c \x1d \x1e \x85 \u2028 \u2029", "x"]),
    ],
)  # fmt: skip
def test_lines_end_where_python_and_linters_end_them(text: str, lines: list[str]) -> None:
    assert lines_of(text) == lines


@pytest.mark.parametrize(
    "source, coding, text",
    [
        (b"x = 1\n", "utf-8", "x = 1\n"),
        (b"\xef\xbb\xbfx = 1\n", "utf-8-sig", "x = 1\n"),
        (b"# -*- coding: latin-1 -*-\n# caf\xe9\n", "iso8859-1", "# -*- coding: latin-1 -*-\n# caf\xe9\n"),
        (b"#!/usr/bin/python\r# vim: set fileencoding=cp1252 :\r# \x80\r", "cp1252", "#!/usr/bin/python\r# vim: set fileencoding=cp1252 :\r# \u20ac\r"),
        (b"x = 1\n# coding: latin-1\n", "utf-8", "x = 1\n# coding: latin-1\n"),
        (b"# " + b"x" * 5_000 + b" coding: utf-7\n", "utf-7", None),
        (b"# coding: raw_unicode_escape\n# \\u000ax = 1\n", "raw-unicode-escape", "# coding: raw_unicode_escape\n# \nx = 1\n"),
    ],
)  # fmt: skip
def test_a_source_is_read_as_python_reads_it(source: bytes, coding: str, text: str | None) -> None:
    assert coding_of(source) == coding
    assert text is None or source_text(source) == text


def test_a_coding_that_nobody_knows() -> None:
    with pytest.raises(LookupError):
        coding_of(b"# coding: nonsense\n")
    assert source_text(b"# coding: nonsense\n\xff") == "# coding: nonsense\n\ufffd"
