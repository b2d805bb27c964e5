"""The client: the parent's handle on one submission, whatever becomes of its workers.

Every call has a deadline. A call that hangs, dies or breaks the protocol costs its own answer; the next one
gets a fresh worker. A function that does so too often is asked no more, so grading always ends.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Final

from grader.game.board import Board
from grader.rubric import Limits
from grader.sandbox import decode
from grader.sandbox.encode import MAX_REPLY
from grader.sandbox.process import Process, WorkerLost
from grader.sandbox.reply import Loss, Lost, Missing, NotLoaded, Raised, Reply, reply_of
from grader.submission import Submission

_MAX_OUTLINE: Final = 200_000
_REMEMBERED: Final = 20_000
_PATIENCE: Final = 0.002
_MISSING: Final = Missing()

Arguments = tuple[Board] | tuple[Board, object]


@dataclass(frozen=True)
class Outline:
    """What a source defines and imports, or why it does not parse."""

    error: str | None = None
    line: int = 0
    functions: dict[str, tuple[int, tuple[str, ...], bool]] = field(default_factory=dict)
    variables: dict[str, tuple[int, str]] = field(default_factory=dict)
    imports: tuple[tuple[int, str], ...] = ()


class Client:
    """Asks one submission, remembers what it said, and never lets it near the judge."""

    def __init__(self, submission: Submission, limits: Limits, paths: Sequence[str] = ()) -> None:
        self.submission = submission
        self.limits = limits
        self.seconds = 0.0
        self.output = b""
        self._paths = list(paths)
        self._process: Process | None = None
        self._loaded = False
        self._load_failure = NotLoaded(submission.problem) if submission.problem else None
        self._outline: Outline | None = None
        self._strikes: dict[str, list[Lost]] = {}
        self._impatient: set[str] = set()
        self._answers: dict[tuple[str, Arguments], Reply] = {}
        self._decoded: dict[bytes, Reply] = {}

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the worker, if there is one."""
        if self._process:
            self.output = self.output or bytes(self._process.output)
            self._process.kill()
            self._process = None
        self._loaded = False

    def outline(self) -> Outline:
        """Return what the source defines and imports; it is parsed in a worker, and not run."""
        if self._outline is None:
            try:
                payload = self._one("outline", self.submission.source, max_reply=_MAX_OUTLINE)
                self._outline = _outline_of(decode.data_of(payload))
            except WorkerLost as lost:
                self.close()
                self._outline = Outline(error=f"Python cannot read it: {lost.detail}")
        return self._outline

    def load_failure(self) -> NotLoaded | None:
        """Return why the submission cannot be run, or None. Loads it if need be."""
        self._ready()
        return self._load_failure

    def refuse(self, why: str) -> None:
        """Do not run the submission at all: every call is answered with the reason."""
        self.close()
        self._load_failure = NotLoaded(why)

    def ask(self, function: str, calls: Sequence[Arguments]) -> list[Reply]:
        """Return the reply to each call; a call asked before is not asked again."""
        answers = self._answers
        pending = [args for args in dict.fromkeys(calls) if (function, args) not in answers]
        while pending:
            if given_up := self._given_up(function):
                answers.update({(function, args): given_up for args in pending})
                break
            if not self._ready():
                assert self._load_failure
                answers.update({(function, args): self._load_failure for args in pending})
                break
            pending = self._ask_worker(function, pending)
        return [answers[function, args] for args in calls]

    def _ask_worker(self, function: str, pending: list[Arguments]) -> list[Arguments]:
        """Ask one worker until it is done or lost; return the calls that are still open."""
        assert self._process
        patience = 0.0 if function in self._impatient else _PATIENCE
        answered = 0
        try:
            for payloads in self._process.exchange(
                "ask", function, pending, patience, deadline=self.limits.deadline
            ):
                if answered == len(pending):
                    self.seconds += _seconds_of(payloads[0])
                    return []
                for payload in payloads:
                    reply = self._reply_of(payload)
                    if reply == _MISSING:
                        self._answers.update({(function, args): reply for args in pending})
                        return []
                    self._answers[function, pending[answered]] = reply
                    answered += 1
        except (WorkerLost, IndexError) as error:
            lost = error if isinstance(error, WorkerLost) else _breach()
            if patience:  # some answers were on their way: find out which call it was
                self._impatient.add(function)
                self.close()
                return pending[answered:]
            strike = self._strike(function, lost)
            if answered < len(pending):
                self._answers[function, pending[answered]] = strike
        return pending[answered + 1 :]

    def call(self, function: str, *arguments: object) -> Reply:
        """Return the reply to one call with any plain arguments; nothing is remembered."""
        if given_up := self._given_up(function):
            return given_up
        if not self._ready():
            assert self._load_failure
            return self._load_failure
        try:
            return self._reply_of(self._one("call", function, list(arguments)))
        except WorkerLost as lost:
            return self._strike(function, lost)

    def _strike(self, function: str, lost: WorkerLost) -> Lost:
        """Count a lost worker against a function; the next call gets a fresh one."""
        self.close()
        strike = Lost(lost.loss, lost.detail)
        self._strikes.setdefault(function, []).append(strike)
        return strike

    def _given_up(self, function: str) -> Lost | None:
        """Return the reply for a function that has lost too many workers to be asked again."""
        strikes = self._strikes.get(function, [])
        if len(strikes) < self.limits.strikes:
            return None
        return Lost(strikes[-1].loss, f"not asked after {len(strikes)} calls like that", asked=False)

    def _ready(self) -> bool:
        """Return whether a worker with the submission loaded is there, after starting one if need be."""
        if self._loaded or self._load_failure:
            return self._loaded
        settings = {
            "folder": str(self.submission.path.resolve().parent),
            "paths": self._paths,
            "memory_mb": self.limits.memory_mb,
            "cpu_seconds": int(self.limits.sweep_budget + 60 * self.limits.deadline) + 1,
        }
        try:
            payload = self._one("load", self.submission.source, self.submission.path.name, settings)
            match decode.data_of(payload):
                case ["loaded"]:
                    self._loaded = True
                case ["raised", str(error), str(message), int(line), int(syntax_line)]:
                    raised = Raised(decode.printable(error), decode.printable(message), syntax_line or line)
                    self._load_failure = NotLoaded(f"The file cannot be loaded: {raised}.", raised=True)
                case _:
                    raise _breach()
        except (WorkerLost, ValueError) as error:
            self.close()
            loss = error.loss if isinstance(error, WorkerLost) else Loss.BREACH
            self._load_failure = NotLoaded(f"The file cannot be loaded: {error}.", loss)
        return self._loaded

    def _one(self, operation: str, *arguments: object, max_reply: int = MAX_REPLY) -> bytes:
        """Return the payload of the only reply to a request."""
        if self._process is None:
            self._process = Process()
        replies = self._process.exchange(
            operation, *arguments, deadline=self.limits.deadline, max_reply=max_reply
        )
        return next(replies)[0]

    def _reply_of(self, payload: bytes) -> Reply:
        """Return the reply in a payload (most payloads are seen many times)."""
        reply = self._decoded.get(payload)
        if reply is None:
            try:
                reply = reply_of(payload)
            except ValueError:
                raise _breach() from None
            if len(self._decoded) < _REMEMBERED:
                self._decoded[payload] = reply
        return reply


def _breach() -> WorkerLost:
    return WorkerLost(Loss.BREACH, "its worker sent something that is no answer")


def _seconds_of(payload: bytes) -> float:
    with suppress(ValueError):
        match decode.data_of(payload):
            case ["done", int(microseconds)]:
                return microseconds / 1e6
    raise _breach()


def _outline_of(data: Any) -> Outline:
    """Return the outline in a worker's data (the host's own: the submission has not run yet)."""
    if "error" in data:
        message, line = data["error"]
        return Outline(error=message, line=line)
    return Outline(
        functions={
            name: (line, tuple(parameters), stub)
            for name, (line, parameters, stub) in data["functions"].items()
        },
        variables={name: (line, shown) for name, (line, shown) in data["variables"].items()},
        imports=tuple((line, module) for line, module in data["imports"]),
    )
