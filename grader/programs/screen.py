"""A screen on which no code costs much more than letters: an emulator without what nobody plays with.

Pyte fills every cell to clear a screen and moves every line to scroll it: some kilobytes of codes would take
minutes. Colours are not looked at here, so that what is erased can be forgotten, which costs no more than it
took to write it.
"""

import re
import unicodedata
from contextlib import suppress
from typing import Any, Final

import pyte
import pyte.modes

_MODES: Final = frozenset({pyte.modes.LNM, pyte.modes.DECAWM, pyte.modes.DECTCEM})
_PRIVATE: Final = 5
"""Bits by which pyte tells private modes from others."""

_MOST_MARKS: Final = 3
"""Upon one letter: none has more, and each one costs as much as all those below it."""

_CELLS: Final = {chr(code): pyte.screens.Char(chr(code)) for code in range(128)}
_MOST_SAVED: Final = 20
_ESCAPES: Final = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_]|[ -/][0-~])"
    r"|[\x00-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"
)


class Screen(pyte.Screen):
    """A screen that is cleared by forgetting, keeps its size, and fills itself with nothing."""

    def draw(self, data: str) -> None:
        """Write a text without codes; of one that fits into its line pyte would look at every letter."""
        end = self.cursor.x + len(data)
        if end <= self.columns and data.isascii() and data.isprintable():
            cells = map(_CELLS.__getitem__, data)
            self.buffer[self.cursor.y].update(zip(range(self.cursor.x, end), cells, strict=True))
            self.cursor.x = end
        else:
            super().draw(data if data.isascii() else self._readable(data))

    def _readable(self, data: str) -> str:
        """Return a text without heaps of marks, and without what takes no room: pyte would stop there."""
        row = self._row()
        heap = len(row[self.cursor.x - 1].data) - 1 if self.cursor.x - 1 in row else 0
        kept = []
        for char in data:
            if not unicodedata.combining(char):
                if unicodedata.category(char) in ("Mn", "Me", "Cf"):
                    continue
                heap = -1
            heap += 1
            if heap <= _MOST_MARKS:
                kept.append(char)
        return "".join(kept)

    def set_mode(self, *modes: int, **kwargs: Any) -> None:
        """Take the modes that a line of text depends on."""
        super().set_mode(*_usual(modes, **kwargs), **kwargs)

    def reset_mode(self, *modes: int, **kwargs: Any) -> None:
        """Leave the modes that a line of text depends on."""
        super().reset_mode(*_usual(modes, **kwargs), **kwargs)

    def alignment_display(self) -> None:
        """Do nothing: a screen full of E is for those who mend terminals."""

    def save_cursor(self) -> None:
        """Keep where the cursor is, with the last few places before."""
        del self.savepoints[:-_MOST_SAVED]
        super().save_cursor()

    def index(self) -> None:
        """Move down by a line; at the bottom everything moves up."""
        top, bottom = self.margins or (0, self.lines - 1)
        if self.cursor.y == bottom:
            _move(self.buffer, top, bottom, -1)
        else:
            self.cursor_down()

    def reverse_index(self) -> None:
        """Move up by a line; at the top everything moves down."""
        top, bottom = self.margins or (0, self.lines - 1)
        if self.cursor.y == top:
            _move(self.buffer, top, bottom, 1)
        else:
            self.cursor_up()

    def insert_lines(self, count: int | None = None) -> None:
        """Move the lines from the cursor on down."""
        self._shift_below(count or 1)

    def delete_lines(self, count: int | None = None) -> None:
        """Move the lines below those at the cursor up."""
        self._shift_below(-(count or 1))

    def _shift_below(self, by: int) -> None:
        top, bottom = self.margins or (0, self.lines - 1)
        if top <= self.cursor.y <= bottom:
            _move(self.buffer, self.cursor.y, bottom, by)
            self.carriage_return()

    def _row(self) -> dict[int, Any]:
        """Return the cells of the line of the cursor, as far as anything is written there."""
        row: dict[int, Any] = self.buffer.get(self.cursor.y, {})
        return row

    def insert_characters(self, count: int | None = None) -> None:
        """Move the line from the cursor on to the right."""
        _move(self._row(), self.cursor.x, self.columns - 1, count or 1)

    def delete_characters(self, count: int | None = None) -> None:
        """Move the line behind what is at the cursor to the left."""
        _move(self._row(), self.cursor.x, self.columns - 1, -(count or 1))

    def erase_characters(self, count: int | None = None) -> None:
        """Forget some cells from the cursor on."""
        self._forget(self.cursor.x, min(self.cursor.x + (count or 1), self.columns))

    def erase_in_line(self, how: int = 0, private: bool = False) -> None:
        """Forget the line, as far as to the cursor or from there on."""
        x = self.cursor.x
        self._forget(*{0: (x, self.columns), 1: (0, x + 1)}.get(how, (0, self.columns)))

    def _forget(self, first: int, end: int) -> None:
        row = self._row()
        for column in range(first, end):
            row.pop(column, None)

    def erase_in_display(self, how: int = 0, *args: Any, **kwargs: Any) -> None:
        """Forget the screen, as far as to the cursor or from there on."""
        y = self.cursor.y
        for row in list(self.buffer):
            if how not in (0, 1) or (row > y if how == 0 else row < y):
                del self.buffer[row]
        if how in (0, 1):
            self.erase_in_line(how)


def _usual(modes: tuple[int, ...], private: bool = False) -> list[int]:
    return [mode for mode in modes if (mode << _PRIVATE if private else mode) in _MODES]


def _move(cells: dict[int, Any], first: int, last: int, by: int) -> None:
    """Move what lies between two places; what leaves these bounds is gone."""
    moved = {
        place + by if first <= place <= last else place: cell
        for place, cell in cells.items()
        if not first <= place <= last or first <= place + by <= last
    }
    cells.clear()
    cells.update(moved)


def feed(stream: pyte.Stream, text: str) -> None:
    """Show what a program has printed; a line with codes that no terminal knows ends there."""
    for line in text.splitlines(keepends=True):
        with suppress(Exception):
            stream.feed(line)


def plain(text: bytes) -> str:
    """Return text without codes for the terminal, with plain ends of lines."""
    return _ESCAPES.sub("", text.decode("utf-8", "replace").replace("\r\n", "\n")).replace("\r", "\n")
