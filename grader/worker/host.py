"""The host: answers a client's requests about one submission, beside which it runs.

It imports as little as possible (a worker starts anew after every crash) and needs nothing of the system, so
that it can answer in any interpreter. `serve` puts it into a process of its own.
"""

import sys
from marshal import loads
from time import perf_counter, process_time

from grader.worker.calling import Answers, drawn, encode, encode_error, syntax_place
from grader.worker.helpers import Helpers
from grader.worker.module import Afresh, NotRecallable, compiler, new_module, own_names, put, reseeder
from grader.worker.own import *
from grader.worker.quick import QuickCopy
from grader.worker.recorder import Recorder, Silence
from grader.worker.watch import Lookout

_SLOW, _SLOW_ASLEEP = 0.1, 1.0
"""Seconds of loading, at work or at all, from which on the file is not run anew as a whole.

Under a recorder, code outside of functions takes many times as long."""


class Host:
    """One submission, and the operations that a client may request on it: each yields its replies as text.

    Several replies may come together, separated by tabs. Here nothing is confined: see `serve`.
    """

    def __init__(self) -> None:
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

    def outline(self, source: bytes, helpers: dict[str, bytes], memory_mb: int) -> "Iterator[str]":
        """Answer what the source and its helpers define and import, without running them, in their memory."""
        self._limit(memory_mb)
        from grader.worker.source_outline import as_json, outline  # the first worker alone needs it

        outlines = {name: outline(text) for name, text in helpers.items()}
        yield as_json([outline(source), outlines])

    def load(self, source: bytes, filename: str, settings: dict[str, Any]) -> "Iterator[str]":
        """Confine this process if that is to be, tell its layers, then run the submission's top level.

        With the setting `recall` its functions remember their results; those named in `replace` are the
        grader's own.
        """
        try:
            compiled = self._prepare(source, filename, settings)
        except BaseException as error:  # nothing of the submission has run: the grader is at fault
            yield f'["broken",{encode_error(error, (filename,))}]'
            raise
        # Sent before anybody could have forged it.
        yield f'["prepared",{encode(self._layers)},{int(self._beforehand * 1e6)}]'
        try:
            code_of, given, replaced, look_at = compiled()
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
            look_at([self._names, *self._helpers.spaces()])
            self._replaced = replaced(self._names)
            put(self._replaced, self._names, self._helpers.spaces())
        except NotRecallable as why:
            yield f'["not recallable",{encode(str(why))}]'
        except BaseException as error:
            file, line = syntax_place(error)
            told = encode_error(error, self._lookout.files)
            yield f'["raised",{told},{line if file == filename else 0},{self._noted()}]'
        else:
            yield f'["loaded",{self._noted()}]'

    def _noted(self) -> str:
        """Return what the hook has noted, as JSON text."""
        return encode([self._lookout.notes, self._lookout.absent])

    def _prepare(self, source: bytes, filename: str, settings: dict[str, Any]) -> Any:
        """Make the submission's module, and return what compiles its source."""
        recall, places = settings["recall"], settings["places"]
        sources = {filename: source, **settings["helpers"]}
        compiled = compiler(sources, settings, has_packages=len(places) > 0)
        self._reseed = reseeder(b"".join(sources.values()))
        self._confine(settings)
        self._filename, self._lookout.files = filename, tuple(sources)
        self._names = new_module(filename).__dict__
        self._recalls, self._stand_ins = recall, settings["stand_ins"]
        self._helpers = Helpers([*settings["helpers"]])
        self._open_imports(sources, settings)
        self._helpers.install(sources)
        self._watch(settings)
        return compiled

    def _limit(self, memory_mb: int) -> None:
        """Let this process take no more memory than that, where it is one of its own."""

    def _confine(self, settings: dict[str, Any]) -> None:
        """Let nothing but what is meant be within reach, where the process is one of its own."""

    def _open_imports(self, sources: dict[str, bytes], settings: dict[str, Any]) -> None:
        """Get ready what the submission may import: here a copy of boards that is quick."""
        if any(b"copy" in text for text in sources.values()):
            self._quick.install()

    def _watch(self, settings: dict[str, Any]) -> None:
        """Look out for what it has no business with."""

    def ask(self, name: str, calls: bytes, patience: float) -> "Iterator[str]":
        """Answer each call of one function with a board, then say how long its code ran.

        Answers are sent together while they come quickly, and at the latest when `patience` (seconds) is
        over; with no patience each is sent at once, so that the client knows which call is lost.
        """
        function = self._names.get(name, self)
        if function is self:
            yield '["missing"]'
            return
        answers = self._answers
        answers.seconds = 0.0
        self._reseed()
        self._quick.on = self._recalls or name != "minimax"
        yield from answers.to(function, loads(calls), patience)
        yield f'["done",{int(answers.seconds * 1e6)},{self._noted()}]'

    def walk(
        self, boards: list[tuple[str, dict[str, float] | None]], level: bool, orders: bool, by_winner: bool
    ) -> "Iterator[str]":
        """Answer minimax's move on each board, and how it was searched for, by a fresh copy of the file.

        The values given with a board stand in for `utility` on finished boards.
        """
        stdout = sys.stdout
        loaded = {name: sys.modules[name] for name in own_names(self._filename) if name in sys.modules}
        loaded |= self._helpers.forgotten()
        sys.stdout = Silence()  # what a file prints, it has printed before
        self._quick.on = True
        for cells, values in boards:
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
            yield f'{answer}\t["walked",{took},[{calls}],"{recorder.text()}"]'
        self._helpers.forgotten()
        self._helpers.caught = None
        sys.modules.update(loaded)
        sys.stdout = stdout

    def call(self, name: str, arguments: list[object]) -> "Iterator[str]":
        """Answer one call of any function with any plain arguments."""
        function = self._names.get(name, self)
        if function is self:
            yield '["missing"]'
            return
        try:
            value = function(*arguments)
        except BaseException as error:
            yield self._answers.raised(error)
        else:
            yield self._answers.returned(value)
