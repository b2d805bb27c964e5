"""A notebook: its code cells as one source, and where in it each cell begins."""

import json
from typing import Any, Final

from grader.core.game.interface import FUNCTIONS
from grader.core.text import lines_of, with_plain_ends

SUFFIX: Final = ".ipynb"
_MARKS: Final = (b'"nbformat"', b'"cells"')
_MAGIC: Final = ("%", "!", "?")
"""How lines begin that are for the notebook and no Python."""

_HARMLESS: Final = ("%%time", "%%timeit", "%%capture")
"""Magics of a whole cell under which it is Python all the same."""


def has_functions(source: str) -> bool:
    """Return whether any function of the assignment is defined in a source."""
    starts = tuple(f"def {name}(" for name in FUNCTIONS)
    return any(line.startswith(starts) for line in lines_of(source))


def looks_like_one(raw: bytes) -> bool:
    """Return whether a file is a notebook's JSON, whatever it is called."""
    return raw.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and any(mark in raw for mark in _MARKS)


def code_of(raw: bytes) -> str | None:
    """Return the code of a notebook, each cell after a comment with its number; None if it cannot be read."""
    try:
        told = json.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    cells = told.get("cells") if isinstance(told, dict) else None
    if not isinstance(cells, list):
        return None
    texts = [(number, _code(cell)) for number, cell in enumerate(cells, 1)]
    return "".join(f"# Cell {number}\n{text}\n" for number, text in texts if text.strip())


def _code(cell: Any) -> str:
    """Return what a cell holds of Python: nothing if it is text, or for another language."""
    if not isinstance(cell, dict) or cell.get("cell_type") != "code":
        return ""
    given = cell.get("source", "")
    text = "".join(one for one in (given if isinstance(given, list) else [given]) if isinstance(one, str))
    lines = lines_of(with_plain_ends(text))
    if lines and lines[0].startswith("%%") and not lines[0].startswith(_HARMLESS):
        return ""
    return "\n".join(f"# {line}" if line.startswith(_MAGIC) else line for line in lines)
