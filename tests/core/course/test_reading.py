"""What a file turns out to be: text in some coding, a notebook, or something else under Python's name."""

import gzip
import io
import json
import zipfile
from typing import Any

import pytest

from grader.core.course.reading import Read, read_source
from grader.core.course.submission import from_bytes
from grader.core.values import source_text

CODE = "def player(board):\n    return 'X'  # café\n"


def reading(raw: bytes, *, notebooks: bool = False) -> Read:
    return read_source(raw, len(raw), 100, notebooks=notebooks)


def zipped(name: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(name, "x")
    return stream.getvalue()


def notebook(*cells: str, **more: Any) -> bytes:
    told = [{"cell_type": "markdown", "source": ["# def minimax(board):"]}]
    told += [{"cell_type": "code", "source": cell.splitlines(keepends=True)} for cell in cells]
    return json.dumps({"cells": told, "nbformat": 4, **more}).encode()


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (b"%PDF-1.7\n...", "a PDF document"),
        (b"\x89PNG\r\n\x1a\n\0\0", "an image (PNG)"),
        (b"\xff\xd8\xff\xe0\0", "an image (JPEG)"),
        (zipped("a.txt"), "a zip archive"),
        (zipped("word/document.xml"), "a Word document"),
        (gzip.compress(b"x", mtime=0), "a compressed archive"),
        (b"{\\rtf1\\ansi import math}", "a document of a word processor"),
        (b"<!DOCTYPE html>\n<html>", "a web page"),
        (b"\xef\xbb\xbf  <html><body>", "a web page"),
        (b"MZ\x90\0\x03\0\0\0", "a compiled program"),
        (bytes(range(256)) * 4, "binary data"),
        (CODE.encode("utf-16-le"), "binary data"),
    ],
)
def test_what_is_no_python_is_told_as_what_it_is_and_costs_nobody_a_point(raw: bytes, kind: str) -> None:
    found = reading(raw)
    assert not found.is_gradable
    assert str(found.problem).startswith(f"The file is {kind}")
    assert not from_bytes("a", raw, len(raw), 100).is_gradable


@pytest.mark.parametrize(
    "raw",
    [b"", b"BM = 1\n", b"MZ = 2\n", b"def f(:\n", b"1 / 0\n", b"x = 1\n\0\n", b"y = '\xe9'\n", b"GIF = 8\n", b"{'cell': 1}\n"],
)  # fmt: skip
def test_what_is_meant_as_python_is_the_students_own(raw: bytes) -> None:
    assert reading(raw).is_gradable


@pytest.mark.parametrize("coding", ["utf-16", "utf-32"])
@pytest.mark.parametrize("head", ["", "# -*- coding: {} -*-\n", "#!/usr/bin/python\n# coding: {}\n"])
def test_text_with_a_byte_order_mark_is_read(coding: str, head: str) -> None:
    raw = (head.format(coding) + CODE).encode(coding)
    found = reading(raw)
    names: dict[str, Any] = {}
    exec(compile(found.source, "tictactoe.py", "exec"), names)
    assert names["player"]([]) == "X" and found.problem is None
    assert found.source.decode() == head.format("utf-8") + CODE
    assert "UTF-16" in found.note
    assert source_text(raw).endswith(CODE)


def test_latin_1_with_a_declaration_is_read_as_it_is() -> None:
    raw = ("# coding: latin-1\n" + CODE).encode("latin-1")
    assert reading(raw) == Read(raw)
    assert source_text(raw).endswith(CODE)


def test_half_a_text_in_utf_16_is_for_a_person() -> None:
    found = reading(CODE.encode("utf-16") + b"x")
    assert not found.is_gradable and "cannot be read as such" in str(found.problem)


def test_a_notebook_is_told_as_one() -> None:
    found = reading(notebook(CODE))
    assert not found.is_gradable
    assert found.problem == "The file is a notebook: its code has to be handed in as a Python file."


def test_a_notebook_is_graded_by_its_code_cells_if_the_rubric_says_so() -> None:
    raw = notebook("%matplotlib inline\nX = 1\n", CODE, "%%bash\nrm -r x\n", "%%time\nY = 2\n!ls\n", "")
    found = reading(raw, notebooks=True)
    assert found.problem is None and found.is_gradable
    assert found.note.startswith("The file is a notebook: its code cells were graded")
    assert found.source.decode() == (
        f"# Cell 2\n# %matplotlib inline\nX = 1\n# Cell 3\n{CODE}# Cell 5\n# %%time\nY = 2\n# !ls\n"
    )


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (notebook("x = 1\n"), "none of its cells defines a function of the assignment"),
        (notebook(CODE)[:-20] + b" nbformat", "it cannot be read"),
        (b'{"cells": 5, "nbformat": 4}', "it cannot be read"),
        (
            b'{"cells": [5, {"cell_type": "code", "source": [1]}, {"cell_type": "code", "source": 7}]}',
            "none of",
        ),
        (b'{"cells": ' + b"[" * 90_000, "it cannot be read"),
    ],
)
def test_a_notebook_without_anything_to_grade_is_for_a_person(raw: bytes, why: str) -> None:
    found = reading(raw, notebooks=True)
    assert not found.is_gradable and why in str(found.problem)


def test_pictures_in_a_notebook_are_not_its_code() -> None:
    assert reading(notebook(CODE, picture="x" * 2_000_000), notebooks=True).problem is None
