"""The time that a worker takes, on a busy machine the same as on an idle one.

A deadline counts the processor time of the worker. Who sleeps takes none, so several times the deadline is
the end as well, less what the worker waited for a processor.
"""

import os
import time
from contextlib import suppress
from typing import Final

from grader.core.asking.allowance import TimePoint

BACKSTOP: Final = 3.0
"""So many times a deadline may pass while a worker does nothing, where it is known what it waits for."""

_BLIND_BACKSTOP: Final = 10.0
"""The same where it is not known whether it sleeps or waits for a processor."""

_CPU_CLOCK: Final = 2
"""The clock of a process's own processor time, in the numbers that Linux makes of process ids."""


class Clock:
    """Tells how long a process has taken for something."""

    def __init__(self, process: int) -> None:
        self._process = process
        self._last = TimePoint(time.monotonic(), 0.0, 0.0)
        self._statistics = -1
        with suppress(OSError):
            self._statistics = os.open(f"/proc/{process}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        self._backstop = BACKSTOP if self._statistics >= 0 else _BLIND_BACKSTOP

    def close(self) -> None:
        """Stand still from now on: the process has ended, or is about to."""
        self.now()
        self._process = 0
        if self._statistics >= 0:
            os.close(self._statistics)
            self._statistics = -1

    def now(self) -> TimePoint:
        """Return this moment; the last one of a process that is gone."""
        try:
            if self._statistics >= 0:
                ran, waited, _ = os.pread(self._statistics, 100, 0).split()
                self._last = TimePoint(time.monotonic(), int(ran) / 1e9, int(waited) / 1e9)
            elif self._process:
                self._last = TimePoint(time.monotonic(), self._ran(), 0.0)
        except (OSError, ValueError):
            pass
        return self._last

    def since(self, start: TimePoint) -> float:
        """Return the seconds that count from a moment on, for a deadline."""
        now = self.now()
        return max(now.ran - start.ran, start.passed(now) / self._backstop)

    def slept(self, start: TimePoint, end: TimePoint) -> float:
        """Return the seconds that the process has slept between moments: what its work does not explain."""
        return max(0.0, start.passed(end) - self._backstop * (end.ran - start.ran))

    def _ran(self) -> float:
        try:
            return time.clock_gettime(~self._process << 3 | _CPU_CLOCK)
        except (OSError, AttributeError, OverflowError):  # not on this system: the wall's clock it is
            self._backstop = 1.0
            return 0.0
