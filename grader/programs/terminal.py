"""A terminal with a program in it: what a person would see, whose turn it is, and a line typed in."""

import fcntl
import math
import os
import pty
import re
import select
import struct
import termios
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Final

import pyte

from grader.programs import processes
from grader.programs.screen import Screen, feed
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
_QUIET: Final = 0.15
"""Seconds without a sign of life after which who waits for several things waits for a line."""

_BLIND_QUIET: Final = 1.0
"""The same where the kernel does not tell what a program waits for."""

_ARRIVES: Final = 0.05
"""Seconds in which what is typed comes to a program that does not show it."""

_LOOK: Final = 0.2
_BUSY: Final = 5.0
"""So many times a deadline may pass by the wall's clock, however busy the machine is."""

_PROCESSORS: Final = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
_ESCAPES: Final = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_]|[ -/][0-~])"
    r"|[\x00-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"
)

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
        self,
        command: Sequence[str],
        folder: Path,
        bounds: Bounds,
        environment: Mapping[str, str] | None = None,
        most_memory: int = 1 << 40,
    ) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self._name = os.ttyname(slave)
        self._folder, self._most_memory = folder, most_memory
        try:
            self._inside = Inside(
                command, folder, bounds, Streams(slave, slave, slave, terminal=True), environment
            )
        except BaseException:
            os.close(slave)
            os.close(self._master)
            remove(folder)
            raise
        self._slave = slave
        """Kept, to see what was typed and not read yet."""
        os.set_blocking(self._master, False)
        self._screen = Screen(COLUMNS, ROWS)
        self._stream = pyte.Stream(self._screen)
        self._transcript: list[str] = []
        self._turn, self._undrawn = bytearray(), bytearray()
        self._echo = ""
        self._bytes = 0
        self._closed = False
        self._code: int | None = None
        self._typed_at = 0.0
        self.seconds = 0.0
        """What the program has taken so far: not what was waited for a processor, or for a line."""

    def close(self) -> None:
        """End the program and everything it started."""
        if not self._closed:
            self._code = self.code
            self._closed = True
            self._inside.end()
            os.close(self._slave)
            os.close(self._master)
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
        text = self._printed()
        return text.removeprefix(self._echo) if self._echo else text

    @property
    def lines(self) -> list[str]:
        """The screen as a person sees it, down to the last line that is not empty."""
        shown = [self._line(row) for row in range(ROWS)]
        while shown and not shown[-1]:
            shown.pop()
        return shown

    @property
    def transcript(self) -> str:
        """All that was printed and typed, the end of it if it is long."""
        text = "".join((*self._transcript, self._printed()))
        return text[-_KEPT:]

    def type(self, line: str) -> None:
        """Type a line and Enter, or end the input."""
        self._transcript.append(self._printed()[-_KEPT:])
        self._turn, self._bytes = bytearray(), 0
        self._echo = "" if line == END_OF_INPUT else line + "\n"
        self._typed_at = time.monotonic()
        with suppress(OSError):
            os.write(self._master, (line if line == END_OF_INPUT else line + "\n").encode())

    def _printed(self) -> str:
        return plain(bytes(self._turn[-_DRAWN:]))

    def _has_read(self) -> bool:
        """Return whether what was typed has come to the program, and been read by it.

        Raises OSError or termios.error for a terminal that is none any more.
        """
        unread = struct.unpack("i", fcntl.ioctl(self._slave, termios.FIONREAD, bytes(4)))[0]
        if unread:
            return False
        echoes = self._echo and termios.tcgetattr(self._slave)[3] & termios.ECHO
        return bool(self._bytes) if echoes else time.monotonic() - self._typed_at > _ARRIVES

    def wait(self, deadline: float, end: float = math.inf) -> Turn:
        """Wait until it is somebody else's turn: the program waits for a line, or is no more.

        The deadline is in the program's own seconds; by the wall's clock nothing is waited for after the end.
        """
        watched = processes.tree(self._inside.pid)
        start, worked = processes.now(watched), processes.ran(watched)
        try:
            return self._wait(start, worked, deadline, end)
        except (OSError, termios.error):  # a program can make its terminal something else
            return Turn.BROKEN if self.code is None else Turn.ENDED
        finally:
            self.seconds += _taken(start, worked, processes.tree(self._inside.pid))
            self._draw()

    def _wait(self, start: processes.Moment, worked: float, deadline: float, end: float) -> Turn:
        alive, pause, looked = time.monotonic(), 0.001, time.monotonic()
        busy: float | None = None  # what the program had worked when it last gave a sign of life
        while time.monotonic() < end:
            if self._drain(pause):
                alive, pause, busy = time.monotonic(), 0.001, None
                if self._bytes > FLOOD:
                    return Turn.FLOODS
            elif self.code is not None:
                while self._drain(0) and self._bytes <= FLOOD and time.monotonic() < end:
                    pass
                return Turn.ENDED
            else:
                pause = min(0.01, pause * 1.5)
                watched = processes.tree(self._inside.pid)
                found = processes.waits(watched, self._name)
                busy = processes.ran(watched) if busy is None else busy
                quiet = time.monotonic() - alive
                if not self._has_read() or (found.at_work and not found.for_line):
                    alive, busy = time.monotonic(), None
                elif found.for_line or (quiet > _QUIET and found.for_something) or quiet > _BLIND_QUIET:
                    if (
                        (found.for_line or processes.ran(watched) == busy)
                        and (found.for_line or found.for_something or not _may_read(self._inside.pid))
                        and not self._drain(0)
                    ):
                        return Turn.WAITS
                    if not found.for_line:
                        alive, busy = time.monotonic(), None
            if time.monotonic() - looked > _LOOK:  # also who prints all the time is looked at
                looked = time.monotonic()
                if too_much := self._excess(start, worked, deadline):
                    return too_much
        return Turn.OUT_OF_TIME

    def _excess(self, start: processes.Moment, worked: float, deadline: float) -> Turn | None:
        """Return what the program takes too much of, if it does."""
        watched = processes.tree(self._inside.pid)
        if self._uses_too_much(watched):
            return Turn.TOO_LARGE
        is_late = time.monotonic() - start.wall > _BUSY * deadline
        return Turn.TOO_LATE if is_late or _taken(start, worked, watched) > deadline else None

    def _uses_too_much(self, watched: list[int]) -> bool:
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
        self._bytes += len(part)
        for kept in (self._turn, self._undrawn):
            kept.extend(part)
            if len(kept) > 2 * _DRAWN:  # now and then: who prints letter by letter costs no more than others
                del kept[:-_DRAWN]
        return bool(part)

    def _draw(self) -> None:
        """Bring the screen up to date."""
        undrawn, self._undrawn = self._undrawn[-_DRAWN:], bytearray()
        feed(self._stream, undrawn.decode("utf-8", "replace"))

    def _line(self, row: int) -> str:
        cells = self._screen.buffer[row]
        if not cells:
            return ""
        return "".join(cells[column].data for column in range(max(cells) + 1)).rstrip()


def plain(text: bytes) -> str:
    """Return text without codes for the terminal, with plain ends of lines."""
    return _ESCAPES.sub("", text.decode("utf-8", "replace").replace("\r\n", "\n")).replace("\r", "\n")


def _taken(start: processes.Moment, worked: float, watched: list[int]) -> float:
    """Return the seconds that a program has taken: who keeps all processors busy has waited for himself."""
    return max(processes.since(start, watched), (processes.ran(watched) - worked) / _PROCESSORS)


def _may_read(process: int) -> bool:
    try:
        Path(f"/proc/{process}/syscall").read_text()
    except OSError:
        return False
    return True
