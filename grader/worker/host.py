"""The worker: answers a client's requests about one submission, in a process of its own.

It imports as little as possible (it starts anew after every crash), keeps its pipes away from the descriptors
that programs use, and leaves nothing of itself in `sys.modules`.
"""

from __future__ import annotations

import marshal
import os
import sys
from builtins import (  # noqa: UP029 - own names, so that a submission's patched builtins are not seen
    BaseException,
    ImportError,
    PermissionError,
    any,
    enumerate,
    exec,
    int,
    len,
    list,
    object,
    open,
    str,
    tuple,
    type,
)
from time import perf_counter, process_time

from grader.worker.answers import Answers, drawn
from grader.worker.confine import confine, limit_memory
from grader.worker.descriptors import unexpected
from grader.worker.encode import encode, encode_error, syntax_place
from grader.worker.errors import NotRecallable
from grader.worker.helpers import Helpers
from grader.worker.imports import guard_imports
from grader.worker.module import Afresh, compiler, new_module, own_names, put, reseeder
from grader.worker.packages import admit
from grader.worker.quick import QuickCopy
from grader.worker.recorder import Recorder, Silence
from grader.worker.watch import Lookout, watch
from grader.worker.wire import TOGETHER

TYPE_CHECKING = False
if TYPE_CHECKING:  # the real one would cost every worker's start the import of typing
    from typing import Any

_SLOW, _SLOW_ASLEEP = 0.1, 1.0
"""Seconds of loading, at work or at all, from which on the file is not run anew as a whole.

Under a recorder, code outside of functions takes many times as long."""

_read, _write = os.read, os.write


def main() -> None:
    """Serve requests until the client closes the pipe."""
    requests, replies = _own_the_pipes()
    host = Host(requests, replies)
    host.reply("", 0, '["ready"]')
    while True:
        frame = _frame(requests)
        if frame is None:
            os._exit(0)
        operation, token, *arguments = marshal.loads(frame)
        getattr(host, operation)(token, *arguments)


def _own_the_pipes() -> tuple[int, int]:
    """Move the protocol to other descriptors: input is empty, and what is printed goes to standard error."""
    requests, replies = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = open(1, "w", buffering=1, encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115
    return requests, replies


def _frame(descriptor: int) -> bytes | None:
    """Return the next request, or None when the client is gone."""
    header = _exactly(descriptor, 4)
    return None if header is None else _exactly(descriptor, int.from_bytes(header, "big"))


def _exactly(descriptor: int, length: int) -> bytes | None:
    parts, missing = [], length
    while missing:
        part = _read(descriptor, missing)
        if not part:
            return None
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


class Host:
    """One submission, and the operations that a client may request on it."""

    def __init__(self, requests: int, replies: int) -> None:
        self._requests, self._replies = requests, replies
        self._filename = ""
        self._names: dict[str, Any] = {}
        self._afresh = Afresh(None)
        self._reseed: Any = None
        self._quick = QuickCopy()
        self._recalls, self._stand_ins = False, dict[str, str]()
        self._layers: list[tuple[str, str]] = []
        self._lookout = Lookout()
        self._answers = Answers(self._lookout)
        self._replaced: dict[str, Any] = {}
        self._beforehand = 0.0
        self._helpers = Helpers([])

    def reply(self, token: str, index: int, payload: str) -> None:
        """Write one line; the client gets it at once, so that its deadline is of this answer alone."""
        line = f"{token} {index} {payload}\n".encode("ascii")
        while line:
            line = line[_write(self._replies, line) :]

    def outline(self, token: str, source: bytes, helpers: dict[str, bytes], memory_mb: int) -> None:
        """Answer what the source and its helpers define and import, without running them, in their memory."""
        limit_memory(memory_mb)
        import json  # only this operation needs it, and only the first worker of a submission gets it

        from grader.worker.outline import outline

        outlines = {name: outline(text) for name, text in helpers.items()}
        self.reply(token, 0, json.dumps([outline(source), outlines]))

    def load(self, token: str, source: bytes, filename: str, settings: dict[str, Any]) -> None:
        """Confine this process for good, tell its layers, then run the submission's top level.

        With the setting `recall` its functions remember their results; those named in `replace` are the
        grader's own.
        """
        try:
            compiled = self._prepare(source, filename, settings)
        except BaseException as error:  # nothing of the submission has run: the grader is at fault
            self.reply(token, 0, f'["broken",{encode_error(error, (filename,))}]')
            os._exit(1)
        prepared = f'["prepared",{encode(self._layers)},{int(self._beforehand * 1e6)}]'
        self.reply(token, 0, prepared)  # while nobody could have forged it
        try:
            code_of, given, replaced = compiled()
            code = code_of(filename)
            self._helpers.begin(code_of, given)
            self._names.update(given)
            self._reseed()
            self._afresh, began, started = Afresh(code), process_time(), perf_counter()
            self._quick.on = True
            exec(code, self._names)
            is_slow = process_time() - began > _SLOW or perf_counter() - started > _SLOW_ASLEEP
            if is_slow and not settings["recall"]:
                self._afresh.skip_what_takes_long(source, filename, self._names)
                self._helpers.skip_what_takes_long()
            self._replaced = replaced
            put(replaced, self._names, self._helpers.spaces())
        except NotRecallable as why:
            self.reply(token, 1, f'["not recallable",{encode(str(why))}]')
        except BaseException as error:
            file, line = syntax_place(error)
            told = encode_error(error, self._lookout.files)
            self.reply(token, 1, f'["raised",{told},{line if file == filename else 0},{self._noted()}]')
        else:
            self.reply(token, 1, f'["loaded",{self._noted()}]')

    def _noted(self) -> str:
        """Return what the hook has noted, as JSON text."""
        return encode([self._lookout.notes, self._lookout.absent])

    def _prepare(self, source: bytes, filename: str, settings: dict[str, Any]) -> Any:
        """Confine this process, make the submission's module, and return what compiles its source."""
        too_many = unexpected((0, 1, 2, self._requests, self._replies))
        if too_many:
            raise PermissionError(too_many)
        recall, places = settings["recall"], settings["places"]
        sources = {filename: source, **settings["helpers"]}
        compiled = compiler(sources, recall, settings["replace"], has_packages=len(places) > 0)
        self._reseed = reseeder(b"".join(sources.values()))
        packages = tuple(settings["packages"])
        allowed = (*sys.path[1:], *settings["readable"], *packages, settings["private"], "/dev/null")
        sys.dont_write_bytecode = True
        _list_the_path()
        self._layers = [("descriptors", ""), *(confine(settings) if settings["confined"] else [])]
        _leave_no_trace()
        self._filename, self._lookout.files = filename, tuple(sources)
        self._names = new_module(filename).__dict__
        self._answers = Answers(self._lookout)
        self._recalls, self._stand_ins = recall, settings["stand_ins"]
        if any(b"copy" in text for text in sources.values()):
            self._quick.install()
        self._helpers = Helpers([*settings["helpers"]])
        guard_imports((*own_names(filename), *self._helpers.names), [module for module, *_ in places])
        self._beforehand = admit(places, settings["at_once"])
        self._helpers.install(sources)
        # The copy with recall does without the lookout (it watches the file itself): every look-up would pay.
        if settings["confined"] and not recall:
            watch(allowed, packages, self._lookout)
            self._layers.append(("audit hook", ""))
        return compiled

    def ask(
        self, token: str, name: str, calls: list[tuple[str, *tuple[object, ...]]], patience: float
    ) -> None:
        """Answer each call of one function with a board, then say how long its code ran.

        Answers are written together while they come quickly, and at the latest when `patience` (seconds) is
        over; with no patience each is written at once, so that the client can tell which call is lost.
        """
        function = self._names.get(name, self)
        if function is self:
            self.reply(token, 0, '["missing"]')
            return
        answers, waiting = self._answers, list[str]()
        answers.seconds, written = 0.0, 0
        self._reseed()
        self._quick.on = self._recalls or name != "minimax"
        due = perf_counter() + patience
        for cells, *others in calls:
            waiting.append(answers.to(function, cells, others))
            if len(waiting) == TOGETHER or perf_counter() >= due:
                self.reply(token, written, "\t".join(waiting))
                written += len(waiting)
                waiting.clear()
                due = perf_counter() + patience
        if waiting:
            self.reply(token, written, "\t".join(waiting))
        self.reply(token, len(calls), f'["done",{int(answers.seconds * 1e6)},{self._noted()}]')

    def walk(
        self,
        token: str,
        boards: list[tuple[str, dict[str, float] | None]],
        level: bool,
        orders: bool,
        by_winner: bool,
    ) -> None:
        """Answer minimax's move on each board, and how it was searched for, by a fresh copy of the file.

        The values given with a board stand in for `utility` on finished boards.
        """
        own, stdout = own_names(self._filename), sys.stdout
        loaded = {name: sys.modules[name] for name in own if name in sys.modules} | self._helpers.forgotten()
        sys.stdout = Silence()  # what a file prints, it has printed before
        self._quick.on = True
        for index, (cells, values) in enumerate(boards):
            recorder = Recorder(values, level, orders, by_winner, self._stand_ins)
            module = new_module(self._filename)
            names = module.__dict__
            self._helpers.forgotten()
            self._helpers.caught = recorder.names
            self._reseed()
            started = perf_counter()
            try:
                self._afresh.run(names, recorder.names(names))
                rules = {name: recorder.reporting(name, rule) for name, rule in self._replaced.items()}
                put(rules, names, self._helpers.spaces())
                recorder.clear()  # trial code at the top level may have searched, too
                value = names["minimax"](drawn(cells)) if "minimax" in names else self
            except BaseException as error:
                answer = self._answers.raised(error)
            else:
                answer = self._answers.returned(value) if value is not self else '["missing"]'
            took = int((perf_counter() - started) * 1e6)
            calls = ",".join([str(count) for count in recorder.counts.values()])
            self.reply(token, 2 * index, f'{answer}\t["walked",{took},[{calls}],"{recorder.text()}"]')
        self._helpers.forgotten()
        self._helpers.caught = None
        sys.modules.update(loaded)
        sys.stdout = stdout

    def call(self, token: str, name: str, arguments: list[object]) -> None:
        """Answer one call of any function with any plain arguments."""
        function = self._names.get(name, self)
        if function is self:
            self.reply(token, 0, '["missing"]')
            return
        try:
            value = function(*arguments)
        except BaseException as error:
            self.reply(token, 0, self._answers.raised(error))
        else:
            self.reply(token, 0, self._answers.returned(value))


def _list_the_path() -> None:
    """Let the import system list the folders on the path: some cannot be listed later, and need not be."""
    try:  # noqa: SIM105 - contextlib would cost every worker's start
        __import__("_nowhere_to_be_found")
    except ImportError:
        pass


def _leave_no_trace() -> None:
    """Forget the grader's modules and the way to them: the submission has no business there."""
    for name in [name for name in sys.modules if name.partition(".")[0] in ("grader", "__main__", "ctypes")]:
        del sys.modules[name]
    sys.modules["__main__"] = type(sys)("__main__")  # an empty one: some of the library asks for it
    sys.path.pop(0)
