"""A terminal with a program in it: what a person would see, whose turn it is, and typing.

In `Screen` no control code costs much more than letters. Pyte fills every cell to clear a screen and moves
every line to scroll it: some kilobytes of codes would take minutes. Colours are ignored, so that clearing can
drop the cells instead.
"""

import fcntl
import math
import os
import pty
import re
import select
import struct
import termios
import time
import unicodedata
from collections.abc import Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import pyte
import pyte.modes

from grader.programs import processes
from grader.programs.processes import Look, Quiet, Stopwatch, Waiter, look
from grader.programs.wall import MOST_PROCESSES, Bounds, Inside, Streams
from grader.sandbox.process import remove, written

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
        row: dict[int, Any] = self.buffer.get(self.cursor.y, {})
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
        """Do nothing: a screen full of E only serves to adjust terminals."""

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

    def delete_lines(self, count: int | None = None) -> None:
        """Move the lines below those at the cursor up: pyte leaves some where nothing is below them."""
        top, bottom = self.margins or (0, self.lines - 1)
        if top <= self.cursor.y <= bottom:
            _move(self.buffer, self.cursor.y, bottom, -(count or 1))
            self.carriage_return()

    def erase_in_display(self, how: int = 0, *args: Any, **kwargs: Any) -> None:
        """Forget the screen, up to the cursor or from there on."""
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


ROWS, COLUMNS = 200, 120
END_OF_INPUT: Final = "\x04"
_CHUNK: Final = 65_536
FLOOD: Final = 400_000
"""Bytes in one turn that are not meant to be read."""

_DRAWN: Final = 60_000
"""Bytes of one turn that the screen is made of; of more, the last of them."""

_KEPT: Final = 20_000
_LOST: Final = 10.0
"""Seconds after which what the judge wrote is written again: a program can empty the queues."""

_PAUSE: Final = 0.0004
"""Seconds between two looks at a program, at first: most reply at once."""

_LOOK: Final = 0.2
_BUSY: Final = 5.0
"""So many times a deadline may pass by the wall's clock, however busy the machine is."""

_MOST_WRITTEN: Final = 100_000_000


class Turn(StrEnum):
    """What became of a program after a line was typed, or after its start."""

    WAITS = "waits"
    ENDED = "ended"
    FLOODS = "floods"
    TOO_LATE = "too late"
    TOO_LARGE = "too large"
    BROKEN = "broken"
    """Its terminal is none any more."""
    OUT_OF_TIME = "out of time"
    """Not by its own deadline: nothing more may be waited for."""


class Terminal:
    """One run of a program in a terminal of its own."""

    def __init__(
        self, command: Sequence[str], folder: Path, bounds: Bounds, environment: Mapping[str, str],
        most_memory: int,
    ) -> None:  # fmt: skip
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self._name = os.ttyname(slave)
        self._own = os.open(self._name, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
        """Opened before the program runs, which may have the terminal to itself from then on."""
        self._folder, self._most_memory = folder, most_memory
        try:
            streams = Streams(slave, slave, terminal=True)
            self._inside = Inside(command, folder, bounds, streams, environment)
        except BaseException:
            for descriptor in (self._own, slave, self._master):
                os.close(descriptor)
            remove(folder)
            raise
        self._slave = slave
        """Kept, to see what was typed and not read yet."""
        os.set_blocking(self._master, False)
        self._screen = Screen(COLUMNS, ROWS)
        self._stream = pyte.Stream(self._screen)
        self._shown: list[str] | None = None
        """The lines of the screen, until more is drawn."""
        self._transcript: list[str] = []
        self._turn, self._undrawn = bytearray(), bytearray()
        self._echo = ""
        self._bytes = 0
        self.is_closed = False
        """Whether the program was ended."""
        self._code: int | None = None
        self._marker = f"\x00{os.urandom(8).hex()}\x00".encode()
        """Written to the terminal by the judge: when it comes back, so has all that was printed before."""
        self._sent, self._held = False, b""
        self._waited: frozenset[Waiter] = frozenset()
        """The threads that waited for a line when it was last my turn."""
        self.beside: Terminal | None = None
        """The one that was started for the next game, which is watched along."""
        self.seconds = 0.0
        """What the program has taken so far: not what was waited for a processor, or for a line."""
        self._ran = 0.0
        """Its processor time when it was waited for last."""
        self._watched: list[int] = []
        """Its processes, as they were seen last."""

    def close(self) -> None:
        """End the program and everything it started."""
        if not self.is_closed:
            self._code = self.code
            self.is_closed = True
            self._inside.end()
            for descriptor in (self._own, self._slave, self._master):
                os.close(descriptor)
            remove(self._folder)

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def layers(self) -> dict[str, str]:
        """Return the layers that confine the program."""
        return self._inside.layers()

    @property
    def code(self) -> int | None:
        """The exit code of a program that has ended, negative for a signal."""
        if self._code is None and not self.is_closed:
            self._code = self._inside.ended()
        return self._code

    @property
    def said(self) -> str:
        """What was printed since the last line was typed, without codes and without the echo."""
        return self._printed().removeprefix(self._echo)

    @property
    def lines(self) -> list[str]:
        """The screen as a person sees it, down to the last line that is not empty."""
        self._draw()
        if self._shown is None:
            self._shown = [self._line(row) for row in range(max(self._screen.buffer, default=-1) + 1)]
            while self._shown and not self._shown[-1]:
                self._shown.pop()
        return list(self._shown)

    @property
    def transcript(self) -> str:
        """All that was printed and typed, the end of it if it is long."""
        return "".join((*self._transcript, self._printed()))[-_KEPT:]

    def scroll_away(self, count: int) -> None:
        """Take the first lines off the screen."""
        left = self.lines[count:]
        self._screen.reset()
        feed(self._stream, "\r\n".join(left))
        self._shown = None

    def type(self, line: str) -> None:
        """Type a line and Enter, or end the input."""
        self._transcript.append(self._printed()[-_KEPT:])
        self._turn, self._bytes = bytearray(), 0
        self._echo = "" if line == END_OF_INPUT else line + "\n"
        with suppress(OSError):
            os.write(self._master, (self._echo or END_OF_INPUT).encode())

    def _printed(self) -> str:
        return plain(bytes(self._turn[-_DRAWN:]))

    def _has_read(self, found: Look) -> bool:
        """Return whether the program has read what was typed.

        A line is echoed before the thread that waits for it is woken: if it was read, the thread has run.
        Raises OSError or termios.error if the terminal is gone.
        """
        if struct.unpack("i", fcntl.ioctl(self._slave, termios.FIONREAD, bytes(4)))[0]:
            return False
        if self._echo and termios.tcgetattr(self._slave)[3] & termios.ECHO and not self._bytes:
            return False
        return not self._waited or not self._waited <= set(found.waiters)

    def wait(self, deadline: float, end: float = math.inf) -> Turn:
        """Wait until the program waits for a line, has ended, or exceeds a limit.

        The deadline is in the program's own seconds; by the wall's clock nothing is waited for after the end.
        """
        if self.is_closed:  # it was ended before its game began
            return Turn.TOO_LARGE
        self._watched = self._watched or processes.tree(self._inside.pid)
        taken = Stopwatch(self._watched)
        self.seconds += max(0.0, taken.ran - self._ran)  # before it was waited for
        try:
            return self._wait(taken, deadline, end)
        except (OSError, termios.error):  # a program can make its terminal something else
            return Turn.BROKEN if self.code is None else Turn.ENDED
        finally:
            self.seconds += taken.seconds(self._watched)
            self._ran = taken.ran

    def _wait(self, taken: Stopwatch, deadline: float, end: float) -> Turn:
        quiet, pause, looked, held = Quiet(), _PAUSE, time.monotonic(), False
        while taken.look(held=held) < end and self._bytes <= FLOOD:
            if self._drain(pause):
                quiet, pause, held = Quiet(), _PAUSE, False
            elif self.code is not None:
                while self._drain(0) and self._bytes <= FLOOD and time.monotonic() < end:
                    pass
                return Turn.ENDED
            else:
                pause = min(0.01, pause * 1.5)
                found = look(self._watched, self._name)
                held = found.held
                if found.asleep and not found.waiters:  # it has started another, perhaps
                    self._watched = processes.tree(self._inside.pid)
                if not self._has_read(found):
                    quiet = Quiet()
                elif (quiet.lasts(found, self._watched) or found.is_turn) and self._all_has_come(end):
                    self._watched = processes.tree(self._inside.pid)  # it may have started others
                    found = look(self._watched, self._name)
                    if quiet.lasts(found, self._watched):
                        self._waited = frozenset(found.waiters)
                        return Turn.WAITS
            if time.monotonic() - looked > _LOOK:  # also who prints all the time is looked at
                looked = time.monotonic()
                if too_much := self._excess(taken, deadline):
                    return too_much
        return Turn.FLOODS if self._bytes > FLOOD else Turn.OUT_OF_TIME

    def _all_has_come(self, end: float) -> bool:
        """Return whether nothing that was printed is still on its way: the kernel keeps the order.

        What a program prints comes by way of a queue, which has its turn when the machine has time.
        """
        before = self._bytes
        with suppress(BlockingIOError):
            os.write(self._own, self._marker)
            self._sent = True
        lost = time.monotonic() + _LOST
        while self._sent and time.monotonic() < min(end, lost):
            self._drain(0.01)
        return self._bytes == before and not self._sent

    def _excess(self, taken: Stopwatch, deadline: float) -> Turn | None:
        """Return what the program takes too much of, if it does."""
        watched = self._watched = processes.tree(self._inside.pid)
        if self.beside and self.beside.uses_too_much(processes.tree(self.beside._inside.pid)):
            self.beside.close()
        if self.uses_too_much(watched):
            return Turn.TOO_LARGE
        if taken.seconds(watched) > deadline:
            return Turn.TOO_LATE
        return Turn.OUT_OF_TIME if time.monotonic() - taken.began > _BUSY * deadline else None

    def uses_too_much(self, watched: list[int]) -> bool:
        """Return whether a program has too many processes, or holds too much memory or disk."""
        if len(watched) > MOST_PROCESSES or processes.memory(watched) > self._most_memory:
            return True
        return written(self._folder) + processes.unlinked(watched) > _MOST_WRITTEN

    def _drain(self, patience: float) -> bool:
        """Take in what was printed, and return whether anything was."""
        if not select.select([self._master], [], [], patience)[0]:
            return False
        try:
            part = os.read(self._master, _CHUNK)
        except (BlockingIOError, OSError):  # the other end is closed: there is nothing, and nothing will be
            time.sleep(patience)
            return False
        part = self._without_marker(part)
        self._bytes += len(part)
        for kept in (self._turn, self._undrawn):
            kept.extend(part)
            if len(kept) > 2 * _DRAWN:  # now and then: who prints letter by letter costs no more than others
                del kept[:-_DRAWN]
        return bool(part)

    def _without_marker(self, part: bytes) -> bytes:
        """Return what was printed without the judge's own marker; its beginning is kept."""
        data = self._held + part
        if self._marker in data:
            self._sent, data = False, data.replace(self._marker, b"")
        lengths = range(min(len(self._marker), len(data)), 0, -1) if self._sent else ()
        begun = next((count for count in lengths if data.endswith(self._marker[:count])), 0)
        self._held = data[len(data) - begun :]
        return data[: len(data) - begun]

    def _draw(self) -> None:
        """Bring the screen up to date."""
        undrawn, self._undrawn = self._undrawn[-_DRAWN:], bytearray()
        if undrawn:
            feed(self._stream, undrawn.decode("utf-8", "replace"))
            self._shown = None

    def _line(self, row: int) -> str:
        cells: Mapping[int, Any] = self._screen.buffer.get(row, {})
        return "".join(cells[column].data for column in range(max(cells, default=-1) + 1)).rstrip()
