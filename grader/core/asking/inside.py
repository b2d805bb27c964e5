"""Run a submission in this very interpreter: for a browser, and for tests of checks that need no sandbox.

There is no isolation and no deadline: the submission can change the judge, and a call without an end never
returns. Use it only inside another sandbox (a browser's worker that the page can end), or for files that we
wrote. The command never uses it for a student's file.
"""

import builtins
import copy
import json
import sys
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import StringIO, TextIOBase
from itertools import count
from typing import Any

from grader.core.asking.reply import Loss
from grader.core.asking.worker import Allowance, Counted, WorkerLost, breach
from grader.core.messages import _
from grader.worker.helpers import Helpers
from grader.worker.host import Host
from grader.worker.module import own_names
from grader.worker.wire import MAX_PRINTED, MAX_REPLY

_SHARED = tuple(vars(module) for module in (builtins, copy, json, time))
"""Names that the judge needs as they are, whatever a submission makes of them for itself."""

_PLACES = tuple(range(len(_SHARED)))


class InProcess:
    """Carries questions to a submission that is loaded beside the judge; it runs when it is waited for."""

    def __init__(self, allowance: Allowance, pace: float = 1.0) -> None:
        """Count each second that it runs as `pace` seconds: Python may be slower here than elsewhere."""
        self.output = bytearray()
        self._allowance, self._pace = allowance, pace
        self._clock = Counted()
        self._meter = allowance.meter(self._clock)
        self._host = Host()
        self._tokens = count()
        self._requests: dict[str, Request] = {}
        self._names: list[str] = []
        self._modules: dict[str, Any] = {}
        self._finders = list(sys.meta_path)
        self._made_of: list[dict[str, Any]] = []

    @property
    def spent(self) -> float:
        """The seconds that the submission has taken."""
        return self._meter.spent

    @property
    def peak_mb(self) -> int:
        """Nobody knows what part of the memory is the submission's."""
        return 0

    def load(self, source: bytes, filename: str, settings: Mapping[str, object]) -> str:
        """Keep the request to load a submission until its reply is read."""
        helpers: Any = settings["helpers"]
        self._names = [*own_names(filename), *Helpers([*helpers]).names]
        return self.post("load", source, filename, {**settings, "packages": [], "places": []})

    def post(self, operation: str, *arguments: object) -> str:
        """Keep a request until its reply is read."""
        token = str(next(self._tokens))
        answers = getattr(self._host, operation)(*arguments)
        self._requests[token] = Request(token, operation, arguments, answers)
        return token

    def replies(self, token: str, deadline: float, max_reply: int = MAX_REPLY) -> Iterator[list[bytes]]:
        """Yield the payloads of the replies to a request, each when it is asked for."""
        for earlier in [request for name, request in self._requests.items() if int(name) < int(token)]:
            while self._answered(earlier):
                pass
        request = self._requests[token]
        while request.waiting or self._answered(request):
            payloads = request.waiting.popleft().encode("ascii").split(b"\t")
            if any(len(payload) > max_reply for payload in payloads):
                raise breach()
            yield payloads
        raise WorkerLost(Loss.DEATH, _("its worker has no more to say"))

    def kill(self) -> None:
        """Forget the submission."""
        self._requests.clear()
        self._meter.close()

    def _answered(self, request: "Request") -> bool:
        """Let a request go on to its next reply; return whether there was one."""
        if request.is_over:
            return False
        if self._allowance.used_up:
            raise WorkerLost(Loss.DEADLINE, self._allowance.sentence)
        with self._in_place():
            try:
                request.hear(next(request.answers))
            except StopIteration:
                request.is_over = True
                return False
            except Exception as error:  # the host has reported what it could
                why = _("its host ended with {error}", error=type(error).__name__)
                raise WorkerLost(Loss.DEATH, why) from error
        return True

    @contextmanager
    def _in_place(self) -> Iterator[None]:
        """Give the submission its modules, an empty input and an output of its own; count its time."""
        streams, finders = (sys.stdout, sys.stderr, sys.stdin), list(sys.meta_path)
        before = {name: sys.modules.pop(name) for name in self._names if name in sys.modules}
        known, limit = [names.copy() for names in _SHARED], sys.getrecursionlimit()
        sys.stdout = sys.stderr = _Output(self.output)
        sys.stdin = StringIO()
        sys.meta_path[:] = self._finders
        sys.modules.update(self._modules)
        for names, own in zip(_SHARED, self._made_of, strict=False):
            names.update(own)
        now, started = time.process_time, time.process_time()
        try:
            yield
        finally:
            self._made_of = _put_back(known)
            self._clock.ran += (now() - started) * self._pace
            sys.setrecursionlimit(limit)
            self._finders = list(sys.meta_path)
            sys.stdout, sys.stderr, sys.stdin = streams
            sys.meta_path[:] = finders
            for name in self._names:
                if name in sys.modules:
                    self._modules[name] = sys.modules.pop(name)
            sys.modules.update(before)


def _put_back(known: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give all shared names back that a submission has changed; return what it made of them."""
    made_of = []
    for at in _PLACES:  # no builtin is called before they are back
        names, before = _SHARED[at], known[at]
        changed = {name: value for name, value in names.items() if before.get(name) is not value}
        if changed or names.keys() != before.keys():
            names.clear()
            names.update(before)
        made_of.append(changed)
    return made_of


@dataclass
class Request:
    """What was asked for, and the replies that were not read yet."""

    token: str
    operation: str
    arguments: tuple[Any, ...]
    answers: Iterator[str]
    waiting: deque[str] = field(default_factory=deque)
    heard: int = 0
    """How many replies there were so far; several may have come together."""
    is_over: bool = False

    def hear(self, text: str) -> None:
        """Keep a reply until it is read."""
        self.heard += 1 + text.count("\t")
        self.waiting.append(text)


class _Output(TextIOBase):
    """Keeps the beginning of what is printed."""

    def __init__(self, kept: bytearray) -> None:
        self._kept = kept

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self._kept += text.encode("utf-8", "replace")[: MAX_PRINTED - len(self._kept)]
        return len(text)
