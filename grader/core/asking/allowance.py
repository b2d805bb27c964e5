"""What a submission may take over all, and has taken: processor time, and sleep that was waited through."""

import math
import time
from typing import Final, NamedTuple, Protocol

from grader.core.messages import _

_SLACK: Final = 1.25
"""So many times what a submission may take, somebody may wait for it: who works a little and sleeps a little
takes less than it seems."""


_BACKSTOP: Final = 5.0
"""So many times that, by the wall's clock, ends it however little it has taken: the machine is too busy."""


class TimePoint(NamedTuple):
    """When something began: on the wall's clock, and by the worker's processor time and waits until then."""

    wall: float
    ran: float
    waited: float

    def passed(self, now: "TimePoint") -> float:
        """Return the seconds from this moment to another, less what was waited for a processor."""
        return (now.wall - self.wall) - (now.waited - self.waited)


class TimeSource(Protocol):
    """Tells how long what runs a submission has taken."""

    def now(self) -> TimePoint:
        """Return this moment."""

    def slept(self, start: TimePoint, end: TimePoint) -> float:
        """Return the seconds that it has slept from one moment to another."""

    def close(self) -> None:
        """Stand still from now on."""


class Counted:
    """A clock that goes only when somebody sets it: what was counted is the only time that passes."""

    def __init__(self) -> None:
        self.ran = 0.0

    def now(self) -> TimePoint:
        """Return this moment."""
        return TimePoint(self.ran, self.ran, 0.0)

    def slept(self, start: TimePoint, end: TimePoint) -> float:
        """Return that nothing was slept through."""
        return 0.0

    def close(self) -> None:
        """It stands still whenever nothing runs."""


class Allowance:
    """What all processes of one submission may take together, and have taken."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + _BACKSTOP * seconds
        self.was_busy = False
        """Whether a busy machine kept the grader from asking everything."""
        self._ended = self._ended_ran = self._ended_waits = 0.0
        self._running: dict[object, Meter] = {}
        self.long_answers = 0
        """Bytes of answers that were longer than any right one."""

    def count_alone(self) -> None:
        """Let the wall's clock end nothing: what runs is counted in instructions, which always end."""
        self._end = math.inf

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
        if self.was_busy:
            return _(
                "this machine was too busy: {seconds:g} seconds had passed", seconds=_BACKSTOP * self.seconds
            )
        return _("its processes had taken {seconds:g} seconds together", seconds=self.seconds)

    @property
    def used_up(self) -> bool:
        """Whether nothing more may be asked."""
        if self.spent >= self.seconds or self._waits >= _SLACK * self.seconds:
            return True
        self.was_busy = self.was_busy or time.monotonic() >= self._end
        return self.was_busy

    @property
    def _waits(self) -> float:
        """The seconds for which somebody waited for these processes, and not for a processor."""
        return self._ended_waits + sum(meter.waits for meter in self._running.values())

    def meter(self, clock: "TimeSource") -> "Meter":
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

    def __init__(self, clock: "TimeSource", allowance: Allowance) -> None:
        self._clock, self._allowance = clock, allowance
        self._slept = self._waits = 0.0
        self._waiting: TimePoint | None = None

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
        return self._waits + (self._waiting.passed(self._clock.now()) if self._waiting else 0.0)

    def wait(self) -> TimePoint:
        """Begin to wait for the process; return this moment."""
        self._waiting = self._clock.now()
        return self._waiting

    def waited(self) -> None:
        """Count the wait that is over now."""
        if self._waiting:
            now = self._clock.now()
            self._slept += self._clock.slept(self._waiting, now)
            self._waits += self._waiting.passed(now)
            self._waiting = None

    def close(self) -> None:
        """Stand still from now on."""
        self._clock.close()
        self._allowance.ended(self)
