"""A terminal with a program in it: what a person would see, whose turn it is, and a line typed in."""

import fcntl
import math
import os
import pty
import select
import struct
import termios
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import pyte

from grader.programs import processes
from grader.programs.processes import Stopwatch
from grader.programs.screen import Screen, feed, plain
from grader.programs.turns import Look, Quiet, Waiter, look
from grader.programs.wall import MOST_PROCESSES, Bounds, Inside, Streams
from grader.sandbox.private import remove, written

ROWS, COLUMNS = 200, 120
END_OF_INPUT: Final = "\x04"
_CHUNK: Final = 65_536
FLOOD: Final = 400_000
"""Bytes that nobody prints in one turn who means to be read."""

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
        self._closed = False
        self._code: int | None = None
        self._marker = f"\x00{os.urandom(8).hex()}\x00".encode()
        """Written to the terminal by the judge: when it comes back, so has all that was printed before."""
        self._sent, self._held = False, b""
        self._waited: frozenset[Waiter] = frozenset()
        """Who waited for a line when it was last my turn."""
        self.beside: tuple[Terminal, ...] = ()
        """Those that were started ahead, and are watched along."""
        self.seconds = 0.0
        """What the program has taken so far: not what was waited for a processor, or for a line."""
        self._ran = 0.0
        """Its processor time when it was waited for last."""

    @property
    def is_closed(self) -> bool:
        """Whether the program was ended."""
        return self._closed

    def close(self) -> None:
        """End the program and everything it started."""
        if not self._closed:
            self._code = self.code
            self._closed = True
            self._inside.end()
            for descriptor in (self._own, self._slave, self._master):
                os.close(descriptor)
            remove(self._folder)

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def told(self) -> dict[str, str]:
        """Return the layers that confine the program."""
        return self._inside.told()

    @property
    def code(self) -> int | None:
        """The exit code of a program that has ended, negative for a signal."""
        if self._code is None and not self._closed:
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
        """Return whether what was typed has come to the program, and been read by it.

        A line is echoed before who waits for it is woken: whoever has read it has run since.
        Raises OSError or termios.error for a terminal that is none any more.
        """
        if struct.unpack("i", fcntl.ioctl(self._slave, termios.FIONREAD, bytes(4)))[0]:
            return False
        if self._echo and termios.tcgetattr(self._slave)[3] & termios.ECHO and not self._bytes:
            return False
        return not self._waited or not self._waited <= set(found.waiters)

    def wait(self, deadline: float, end: float = math.inf) -> Turn:
        """Wait until it is somebody else's turn: the program waits for a line, or is no more.

        The deadline is in the program's own seconds; by the wall's clock nothing is waited for after the end.
        """
        if self._closed:  # it was ended before its game began
            return Turn.TOO_LARGE
        watched = processes.tree(self._inside.pid)
        self.seconds += max(0.0, processes.ran(watched) - self._ran)  # while nobody waited for it
        taken = Stopwatch(watched)
        try:
            return self._wait(taken, deadline, end)
        except (OSError, termios.error):  # a program can make its terminal something else
            return Turn.BROKEN if self.code is None else Turn.ENDED
        finally:
            watched = processes.tree(self._inside.pid)
            self.seconds += taken.seconds(watched)
            self._ran = processes.ran(watched)

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
                watched = processes.tree(self._inside.pid)
                found = look(watched, self._name)
                held = found.held
                if not self._has_read(found):
                    quiet = Quiet()
                elif quiet.lasts(found, watched) and self._all_has_come(end):
                    found = look(watched, self._name)
                    if quiet.lasts(found, watched):
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
        watched = processes.tree(self._inside.pid)
        for other in self.beside:
            if other.uses_too_much(processes.tree(other._inside.pid)):
                other.close()
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
        begun = next((one for one in lengths if data.endswith(self._marker[:one])), 0)
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
