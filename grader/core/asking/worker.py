"""The judge's handle on the worker processes of one submission: started on demand, restarted after a loss.

The module also holds the carrier's protocol, the time that a submission may take, and recorded walks of
`minimax`.
"""

import math
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple, Protocol

from grader.core.asking import reply, rules
from grader.core.asking.reply import (
    Loss,
    NotLoaded,
    Outline,
    Raised,
    Reply,
    data_of,
    outline_of,
    replies_of,
    reply_of,
)
from grader.core.course.rubric import Limits
from grader.core.course.submission import Submission, own_paths
from grader.core.errors import GraderFault
from grader.core.game import walk
from grader.core.game.board import Board
from grader.core.game.walk import Step
from grader.core.messages import _, later
from grader.core.values import Frozen, printable
from grader.worker import wire
from grader.worker.wire import COUNTED, MAX_REPLY, MAX_STEPS, STEP, TOGETHER

_SLACK: Final = 1.25
"""Limit of the seconds waited, as a multiple of the allowance: mixed work and sleep is measured too short."""


_BACKSTOP: Final = 5.0
"""Limit of the wall's clock, as a multiple of the allowance, for machines that are too busy."""


class TimePoint(NamedTuple):
    """A moment: the wall-clock time, and the processor time and waits of the worker up to it."""

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
    """A clock that only goes when it is set: it tells the time that was counted."""

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
        self._meters: list[Meter] = []
        """Of all processes: the clock of one that has ended stands still."""
        self.long_answers = 0
        """Bytes of answers that were longer than any right one."""

    def count_alone(self) -> None:
        """Let the wall's clock end nothing: what runs is counted in instructions, which always end."""
        self._end = math.inf

    @property
    def spent(self) -> float:
        """The seconds that were taken so far."""
        return sum(meter.spent for meter in self._meters)

    @property
    def ran(self) -> float:
        """The processor time alone."""
        return sum(meter.ran for meter in self._meters)

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
        """The seconds waited for these processes, without the waits for a processor."""
        return sum(meter.waits for meter in self._meters)

    def meter(self, clock: "TimeSource") -> "Meter":
        """Return the meter of another process."""
        self._meters.append(Meter(clock))
        return self._meters[-1]


class Meter:
    """What one process has taken: its processor time, and the sleep that the grader waited through."""

    def __init__(self, clock: "TimeSource") -> None:
        self._clock = clock
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
        """The seconds waited for the process, without those in which it waited for a processor."""
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


class Place(Frozen):
    """Where a module is: its file, if there is one, and the folders of a package."""

    module: str
    file: str | None
    folders: tuple[str, ...] = ()


class Packages(Frozen):
    """What submissions may import: modules with all that they need, and what may be read of the disk."""

    places: tuple[Place, ...] = ()
    readable: tuple[str, ...] = ()
    memory_mb: int = 0
    """What they take of the address space, on top of what a submission may use."""


NONE: Final = Packages()


_LONG: Final = 256
"""Bytes of an answer that is longer than any right one."""

_MAX_LONG: Final = 8_000_000
"""Bytes of such answers together, of one submission: as values they take many times that in the judge."""


class WorkerLost(Exception):
    """The worker hung, died or broke the protocol; it has been killed."""

    def __init__(self, loss: Loss, detail: str) -> None:
        self.loss, self.detail = loss, detail
        super().__init__(detail)


def breach() -> WorkerLost:
    """Return the loss of a worker that broke the protocol."""
    return WorkerLost(Loss.BREACH, _("its worker sent something that is no answer"))


def checked(line: bytes, max_reply: int, allowance: Allowance) -> list[bytes]:
    """Return the payloads of replies that came together; raise WorkerLost for what no worker would send."""
    most = TOGETHER if max_reply == MAX_REPLY else 2  # others come alone, or as a pair
    payloads = line.split(b"\t")
    longest = max(map(len, payloads))
    if len(payloads) > most or longest > max_reply:
        raise breach()
    if max_reply == MAX_REPLY and longest > _LONG:
        allowance.long_answers += sum(len(payload) for payload in payloads if len(payload) > _LONG)
        if allowance.long_answers > _MAX_LONG:
            raise WorkerLost(Loss.BREACH, _("its answers are far longer than any right one"))
    return payloads


class Carrier(Protocol):
    """A running worker. After a `WorkerLost` it is dead and cannot be used again."""

    output: bytearray
    """What the submission printed, the beginning of it."""

    @property
    def spent(self) -> float:
        """The seconds that it has taken."""

    @property
    def peak_mb(self) -> int:
        """The memory that it has taken at most, in MB; 0 where that is not known."""

    def load(self, source: bytes, filename: str, settings: Mapping[str, object]) -> str:
        """Send the request to load a submission; return the token of its replies."""

    def post(self, operation: str, *arguments: object) -> str:
        """Send a request and wait for nothing; return the token of its replies."""

    def replies(self, token: str, deadline: float, max_reply: int = MAX_REPLY) -> Iterator[list[bytes]]:
        """Yield the payloads of the replies to a request as they come, each under the deadline."""

    def kill(self) -> None:
        """End it, and everything that it started."""


Opens = Callable[[Allowance], Carrier]
"""Starts a carrier, which takes its time from an allowance."""


_MAX_OUTLINE: Final = 200_000
_OUTLINE_DEADLINE: Final = 10.0
"""Seconds in which a source is parsed: the grader's own work, whatever a call of the submission may take."""

_READS_KEYBOARD: Final = later(
    "The file asks for input while it is imported (line {line}), and nobody is there to type. "
    'Call `input` inside a function, or below `if __name__ == "__main__":`.'
)
_CANNOT_BE_LOADED: Final = later("The file cannot be loaded: {raised}.")


class Worker:
    """Loads a submission into a process when it is needed, and again after a loss.

    The functions in `replace` are the grader's own then.
    """

    def __init__(
        self,
        submission: Submission,
        limits: Limits,
        opens: Opens,
        packages: Packages,
        allowance: Allowance,
        *,
        replace: Sequence[str] = (),
    ) -> None:
        self.submission, self.limits, self.opens = submission, limits, opens
        self.packages, self.allowance, self._replace = packages, allowance, tuple(replace)
        self._memory_mb = limits.memory_mb + packages.memory_mb
        self._helpers = {helper.name: helper.content for helper in submission.helpers}
        self.load_seconds = 0.0
        self.output = b""
        self._process: Carrier | None = None
        self._spent = 0.0
        self._loaded = self._was_loaded = False
        self._failure = NotLoaded(submission.problem) if submission.problem else None
        self._outline: Outline | None = None
        self.layers: dict[str, str] = {}
        self.tried: dict[tuple[str, int], None] = {}
        self.absent: dict[tuple[str, int], None] = {}

    def close(self) -> None:
        """End the process, if there is one."""
        if self._process:
            self.output = self.output or bytes(self._process.output)
            self._process.kill()
            self._spent += self._process.spent
            self._process = None
        self._loaded = False

    @property
    def spent(self) -> float:
        """The seconds that this worker's processes have taken."""
        return self._spent + (self._process.spent if self._process else 0.0)

    def refuse(self, why: str, line: int = 0) -> None:
        """Do not run the submission at all."""
        self.close()
        self._failure = NotLoaded(why, line=line)

    def outline(self) -> Outline:
        """Return what the source defines and imports; it is parsed in the process, and not run."""
        if self._outline is None and self.submission.problem:
            self._outline = Outline(error=self.submission.problem)
        if self._outline is None:
            try:
                process, helpers = self._started(), self._helpers
                token = process.post("outline", self.submission.source, helpers, self._memory_mb)
                replies = process.replies(token, _OUTLINE_DEADLINE, _MAX_OUTLINE * (1 + len(helpers)))
                self._outline = outline_of(reply.data_of(next(replies)[0]), self.submission.path.stem)
            except WorkerLost as lost:  # then it is unknown what it would run
                self.close()
                why = _("Python cannot read it: {why}", why=lost.detail)
                self._outline, self._failure = Outline(error=why), NotLoaded(f"{why}.", lost.loss)
        return self._outline

    def looks_runnable(self) -> bool:
        """Return whether nothing is known yet that keeps the submission from running."""
        return self._failure is None and self.outline().error is None

    def load_failure(self) -> NotLoaded | None:
        """Load the submission if it is not loaded yet; return why that failed, or None."""
        if not self._loaded and not self._failure:
            if self._was_loaded and self.allowance.used_up:  # it can be run, but is not once more
                return None
            self.outline()  # while the process can still be relied on
            if self._failure:
                return self._failure
            try:
                self._failure = self._load()
            except (WorkerLost, ValueError) as error:
                self.close()
                loss = error.loss if isinstance(error, WorkerLost) else Loss.BREACH
                self._failure = NotLoaded(_(_CANNOT_BE_LOADED, raised=error), loss)
            self._loaded = self._was_loaded = self._failure is None
        return self._failure

    def _load(self) -> NotLoaded | None:
        process = self._started()
        token, before = process.load(*self.load_arguments()), process.spent
        replies = process.replies(token, self.limits.load)
        self.layers, beforehand = prepared(next(replies)[0])
        answer = next(replies)[0]
        self.load_seconds = max(self.load_seconds, process.spent - before - beforehand)
        match reply.data_of(answer):
            case ["loaded", list() as notes]:
                self.note(notes)
                return None
            case ["raised", str(error), str(message), int(line), int(syntax_line), list() as notes]:
                self.note(notes)
                raised = Raised(printable(error), printable(message), syntax_line or line)
                sentence = _READS_KEYBOARD if raised.error == "EOFError" else _CANNOT_BE_LOADED
                why = _(sentence, raised=raised, line=raised.line)
                return NotLoaded(why, raised=True, line=raised.line)
        raise ValueError(_("its worker sent something that is no answer"))

    def note(self, notes: list[Any]) -> None:
        """Keep what the hook in a process has noted."""
        try:
            for known, noted in zip((self.tried, self.absent), reply.value_of(notes), strict=True):
                for what, line in noted:
                    known.setdefault((printable(str(what)), int(line)))
        except (TypeError, ValueError):
            raise breach() from None

    def load_arguments(
        self, *, recall: bool = False, replace: Sequence[str] = (), known: dict[str, bytes] | None = None
    ) -> tuple[bytes, str, dict[str, object]]:
        """Return what a process needs to load the submission, or a copy with other functions replaced.

        A copy with recall looks up what functions are known to answer.
        """
        replaced, outline = (*self._replace, *replace), self.outline()
        imported, stand_ins = outline.imported, outline.stand_ins
        settings: dict[str, object] = {
            "readable": [str(path) for path in own_paths(self.submission)],
            "helpers": self._helpers,
            "packages": list(self.packages.readable),
            "places": [(place.module, place.file, list(place.folders)) for place in self.packages.places],
            "at_once": [place.module for place in self.packages.places if place.module in imported],
            "memory_mb": self._memory_mb,
            "cpu_seconds": int(self.limits.total + self.limits.load) + 1,
            "recall": recall,
            "replace": {name: rules.sent(name) for name in replaced}
            | {helper: rules.sent(name) for helper, name in stand_ins.items() if name in replaced},
            "known": known or {},
            "stand_ins": stand_ins,
        }
        return self.submission.source, self.submission.path.name, settings

    def post(self, operation: str, *arguments: object) -> str:
        """Send a request to the loaded submission; return the token of its replies."""
        assert self._loaded and self._process
        return self._process.post(operation, *arguments)

    def replies(self, token: str, deadline: float, max_reply: int = MAX_REPLY) -> Iterator[list[bytes]]:
        """Yield the payloads of the replies to a request; raise WorkerLost when no more will come."""
        assert self._process
        try:
            yield from self._process.replies(token, deadline, max_reply)
        except (GeneratorExit, WorkerLost):
            raise
        except BaseException:  # an alarm or Ctrl-C: a late reply must not be read as that of the next request
            self.close()
            raise

    @property
    def peak_mb(self) -> int:
        """The address space that its process has taken at most, in MB."""
        return self._started().peak_mb

    def _started(self) -> Carrier:
        if self._process is None:
            self._process = self.opens(self.allowance)
        return self._process


def prepared(payload: bytes) -> tuple[dict[str, str], float]:
    """Return the layers of a process in which nothing of the submission has run yet, by its first reply.

    Then the seconds that it took to import packages for it.
    """
    match reply.data_of(payload):
        case ["prepared", list() as layers, int(microseconds)]:
            return dict(reply.value_of(layers)), microseconds / 1e6
        case ["broken", str(error), str(message), int()]:
            raise GraderFault(f"the worker could not be made ready: {error}: {message}")
    raise GraderFault("the worker could not be made ready")


def replies_in(payloads: Sequence[bytes]) -> list[Reply]:
    """Return the replies in payloads; raise WorkerLost for what no worker would have written."""
    try:
        return replies_of(payloads)
    except ValueError:
        raise breach() from None


def seconds_in(payload: bytes) -> float:
    """Return how long the calls of a request ran inside the submission, from its last reply."""
    with suppress(ValueError):
        match reply.data_of(payload):
            case ["done", int(microseconds), list()]:
                return microseconds / 1e6
    raise breach()


_STEPS: Final = re.compile(rf"(?:[{wire.MADE}{wire.SEEN}{wire.EVALUATED}][XO.]{{9}})*")
_KINDS: Final = {wire.MADE: walk.MADE, wire.SEEN: walk.SEEN, wire.EVALUATED: walk.EVALUATED}
MAX_WALK: Final = MAX_STEPS * STEP + MAX_REPLY


class WalkQuestions(NamedTuple):
    """Boards, each with the values that stand in for `utility`, if any; and how to record the search.

    With `level` the game goes on until the board is full. With `by_winner` the values stand in for `winner`
    instead: above 0 for X, below for O, 0 for nobody. With `orders` the order in which the moves on each
    board were tried is recorded instead of every step.
    """

    boards: tuple[tuple[Board, dict[Board, float] | None], ...]
    level: bool = False
    orders: bool = False
    by_winner: bool = False


class Walked(Frozen):
    """How minimax searched for a move: its reply, how often each function was called, and every step."""

    reply: Reply
    calls: dict[str, int]
    steps: tuple[Step, ...] = ()
    seconds: float = 0.0

    @property
    def cut_short(self) -> bool:
        """Whether there were more steps than are recorded."""
        return len(self.steps) >= MAX_STEPS


def walked_of(payloads: Sequence[bytes]) -> Walked:
    """Return the walk in two payloads; raise WorkerLost for anything a worker does not write."""
    try:
        answer, record = payloads
        match data_of(record):
            case ["walked", int(took), [*counts], str(text)] if _STEPS.fullmatch(text):
                if not all(type(count) is int for count in counts):
                    raise breach()
                kinds = [_KINDS[kind] for kind in text[::STEP]]
                boards = [Board(text[at + 1 : at + STEP]) for at in range(0, len(text), STEP)]
                calls = dict(zip(COUNTED, counts, strict=True))
                return Walked(reply_of(answer), calls, tuple(zip(kinds, boards, strict=True)), took / 1e6)
    except ValueError:
        pass
    raise breach()
