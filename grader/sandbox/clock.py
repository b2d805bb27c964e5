"""The time that a worker takes, on a busy machine the same as on an idle one.

A deadline counts the processor time of the worker. Who sleeps takes none, so several times the deadline is
the end as well, less what the worker waited for a processor.
"""

import os
import time
from contextlib import suppress
from typing import Final, NamedTuple

BACKSTOP: Final = 3.0
"""So many times a deadline may pass while a worker does nothing, where it is known what it waits for."""

_SLACK: Final = 1.25
"""So many times what a submission may take, somebody may wait for it: who works a little and sleeps a little
takes less than it seems."""

_BLIND_BACKSTOP: Final = 10.0
"""The same where it is not known whether it sleeps or waits for a processor."""

_CPU_CLOCK: Final = 2
"""The clock of a process's own processor time, in the numbers that Linux makes of process ids."""


class Moment(NamedTuple):
    """When something began: on the wall's clock, and by the worker's processor time and waits until then."""

    wall: float
    ran: float
    waited: float


class Clock:
    """Tells how long a process has taken for something."""

    def __init__(self, process: int) -> None:
        self._process = process
        self._last = Moment(time.monotonic(), 0.0, 0.0)
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

    def now(self) -> Moment:
        """Return this moment; the last one of a process that is gone."""
        try:
            if self._statistics >= 0:
                ran, waited, _ = os.pread(self._statistics, 100, 0).split()
                self._last = Moment(time.monotonic(), int(ran) / 1e9, int(waited) / 1e9)
            elif self._process:
                self._last = Moment(time.monotonic(), self._ran(), 0.0)
        except (OSError, ValueError):
            pass
        return self._last

    def since(self, start: Moment) -> float:
        """Return the seconds that count from a moment on, for a deadline."""
        now = self.now()
        return max(now.ran - start.ran, _passed(start, now) / self._backstop)

    def slept_since(self, start: Moment) -> float:
        """Return the seconds that the process has slept from a moment on: what its work does not explain."""
        now = self.now()
        return max(0.0, _passed(start, now) - self._backstop * (now.ran - start.ran))

    def _ran(self) -> float:
        try:
            return time.clock_gettime(~self._process << 3 | _CPU_CLOCK)
        except (OSError, AttributeError, OverflowError):  # not on this system: the wall's clock it is
            self._backstop = 1.0
            return 0.0


def _passed(start: Moment, now: Moment) -> float:
    """Return the seconds between two moments, less what was waited for a processor."""
    return (now.wall - start.wall) - (now.waited - start.waited)


class Allowance:
    """What all processes of one submission may take together, and have taken."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._ended = self._ended_ran = self._ended_waits = 0.0
        self._running: dict[object, Meter] = {}
        self.long_answers = 0
        """Bytes of answers that were longer than any right one."""

    @property
    def spent(self) -> float:
        """The seconds that were taken so far."""
        return self._ended + sum(meter.spent for meter in self._running.values())

    @property
    def ran(self) -> float:
        """The processor time alone."""
        return self._ended_ran + sum(meter.ran for meter in self._running.values())

    @property
    def sentence(self) -> str:
        """Why nothing more is asked, for the reader."""
        return f"its processes had taken {self.seconds:g} seconds together"

    @property
    def used_up(self) -> bool:
        """Whether nothing more may be asked."""
        return self.spent >= self.seconds or self._waits >= _SLACK * self.seconds

    @property
    def _waits(self) -> float:
        """The seconds for which somebody waited for these processes, and not for a processor."""
        return self._ended_waits + sum(meter.waits for meter in self._running.values())

    def meter(self, clock: Clock) -> "Meter":
        """Return the meter of another process."""
        meter = Meter(clock, self)
        self._running[meter] = meter
        return meter

    def ended(self, meter: "Meter") -> None:
        """Count a process that has ended."""
        if self._running.pop(meter, None):
            self._ended += meter.spent
            self._ended_ran += meter.ran
            self._ended_waits += meter.waits


class Meter:
    """What one process has taken: its processor time, and the sleep that somebody waited through."""

    def __init__(self, clock: Clock, allowance: Allowance) -> None:
        self._clock, self._allowance = clock, allowance
        self._slept = self._waits = 0.0
        self._waiting: Moment | None = None

    @property
    def spent(self) -> float:
        """The seconds that were taken so far."""
        return self.ran + self._slept

    @property
    def ran(self) -> float:
        """The processor time alone."""
        return self._clock.now().ran

    @property
    def waits(self) -> float:
        """The seconds for which somebody waited for the process, those in which it waited itself left out."""
        return self._waits + (_passed(self._waiting, self._clock.now()) if self._waiting else 0.0)

    def wait(self) -> Moment:
        """Begin to wait for the process; return this moment."""
        self._waiting = self._clock.now()
        return self._waiting

    def waited(self) -> None:
        """Count the wait that is over now."""
        if self._waiting:
            self._slept += self._clock.slept_since(self._waiting)
            self._waits, self._waiting = self.waits, None

    def close(self) -> None:
        """Stand still from now on."""
        self._clock.close()
        self._allowance.ended(self)
