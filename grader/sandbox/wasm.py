"""A submission inside WebAssembly: an interpreter without files, sockets, processes or a clock of its own.

The interpreter can call what is defined here and nothing else: a clock, chance, an empty environment, and
where it prints to. All of WASI beside that ends it. Time is fuel: the instructions that it has executed, the
same number on every machine, however busy it is. Its clock goes with them, and chance is the same each time.
"""

import marshal
import platform
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Final, NoReturn

from wasmtime import Config, Engine, Store, StoreContext, Trap, WasmtimeError
from wasmtime.component import Component, Linker, ResourceAny, ResourceHost, ResourceType

from grader.core.asking.reply import PLAIN, Loss
from grader.core.asking.worker import Allowance, Counted, WorkerLost, checked
from grader.core.messages import _
from grader.sandbox import component
from grader.worker.wire import MAX_PRINTED, MAX_REPLY

FUEL: Final = 10_000_000_000
"""Fuel of a second in a rubric: what this interpreter executes while the native one works for a second."""

_CALL: Final = 100_000
"""Fuel that a call of the judge's own functions costs: they take the time of so many instructions."""

_BYTE: Final = 20
"""The same for each byte that is handed over."""

_CHANCE_BYTE: Final = 10_000
"""The same for a random byte: wasmtime is given a list of numbers, which takes a microsecond for each."""

_BEGIN: Final = 10 * FUEL
"""Fuel to start an instance and to take a request, which is the grader's own work."""

_MEMORY: Final = 1 << 20
_MOST_CHANCE: Final = 65_536
_DATE: Final = 1_767_225_600
"""When it begins inside: 2026, January 1."""

_SIGNALS: Final = [getattr(signal, name) for name in ("SIGINT", "SIGALRM") if hasattr(signal, name)]
_WASI: Final = "@0.2.9"
_POLLABLE, _ERROR = 1, 2
_here = threading.local()
_NO_INSTANCE: Final = SimpleNamespace(
    charge=lambda fuel: None, nanoseconds=lambda: 0, chance=bytes, print=lambda text: None
)
"""Stands for the instance while a component is asked for its Python."""


class _Exit(Exception):
    """The interpreter ended itself."""


class Wasm:
    """A running instance. After a `WorkerLost` it is dead and cannot be used again."""

    def __init__(self, allowance: Allowance) -> None:
        allowance.count_alone()
        self.output = bytearray()
        self._allowance = allowance
        self._clock = Counted()
        self._meter = allowance.meter(self._clock)
        self._chance = Random(0)
        self._requests: deque[tuple[str, str]] = deque()
        self._replies: dict[str, deque[str]] = {}
        self._current = ""
        self._tokens = 0
        self._store: Store | None = None
        self._functions: dict[str, Any] = {}
        self._given = 0
        self._before = 0
        """Fuel that was used before the call that runs now."""

    @property
    def spent(self) -> float:
        """The seconds that it has taken, counted in fuel."""
        return self._meter.spent

    @property
    def peak_mb(self) -> int:
        """Return 0: only modules beside the standard library are measured, and there are none here."""
        return 0

    def load(self, source: bytes, filename: str, settings: Mapping[str, object]) -> str:
        """Queue the request to load a submission until its reply is awaited."""
        return self.post("load", source, filename, {**settings, "packages": [], "places": []})

    def post(self, operation: str, *arguments: object) -> str:
        """Queue a request until its reply is awaited."""
        self._tokens += 1
        token = str(self._tokens)
        frame: Any = (operation, *arguments)
        if operation in ("load", "outline"):
            settings: Any = arguments[2]
            memory_mb = settings["memory_mb"] if operation == "load" else settings
            self._started().set_limits(memory_size=memory_mb * _MEMORY)
        self._requests.append((token, marshal.dumps(frame, PLAIN).decode("latin-1")))
        self._replies[token] = deque()
        return token

    def replies(self, token: str, deadline: float, max_reply: int = MAX_REPLY) -> Iterator[list[bytes]]:
        """Yield the payloads of the replies to a request, each when it is asked for."""
        waiting = self._replies[token]
        try:
            while True:
                while not waiting:
                    self._go_on(deadline)
                yield checked(waiting.popleft().encode("utf-8"), max_reply, self._allowance)
        except WorkerLost:
            self.kill()
            raise

    def kill(self) -> None:
        """End the instance."""
        self._meter.close()
        self._functions = {}
        if self._store:
            self._store.close()
            self._store = None

    def _go_on(self, deadline: float) -> None:
        """Let the instance give its next replies, to whichever request is the first."""
        if not self._current:
            if not self._requests:
                raise WorkerLost(Loss.DEATH, _("its worker has no more to say"))
            self._current, frame = self._requests.popleft()
            self._call("request", _BEGIN, frame)
        left = self._allowance.seconds - self._allowance.spent
        late = self._allowance.sentence
        if deadline < left:
            late = _("no answer within {seconds:g} seconds", seconds=deadline)
        text = self._call("next", int(max(0.0, min(deadline, left)) * FUEL) + 1, late=late)
        if text:
            self._replies[self._current].append(text)
        else:
            self._current = ""

    def _call(self, name: str, fuel: int, *arguments: str, late: str = "") -> Any:
        """Return what a function of the instance returns, with so much fuel; raise WorkerLost for a trap."""
        store = self._started()
        store.set_fuel(fuel)
        self._given, _here.instance = fuel, self
        try:
            with _undisturbed(lambda: store.set_fuel(0)):
                return self._functions[name](store, *arguments)
        except _Exit as ended:
            raise WorkerLost(Loss.DEATH, str(ended)) from None
        except (WasmtimeError, Trap) as error:
            raise _lost(error, late) from None
        finally:
            _here.instance = None
            self._before += fuel - store.get_fuel()
            self._clock.ran = self._before / FUEL

    def _started(self) -> Store:
        if self._store is None:
            machine = ready()
            self._store = Store(machine.engine)
            self._store.set_fuel(_BEGIN)
            instance = _linker().instantiate(self._store, machine.component)
            self._functions = {name: instance.get_func(self._store, name) for name in ("request", "next")}
        return self._store

    def _used(self) -> int:
        """Return the fuel that was used so far, by the call that runs now too."""
        return self._given - self._started().get_fuel()

    def charge(self, fuel: int) -> None:
        """Take fuel for what the judge does for the instance, or for sleep."""
        store = self._started()
        store.set_fuel(max(0, store.get_fuel() - fuel))

    def nanoseconds(self) -> int:
        """Return what the clock of the instance shows."""
        return (self._before + self._used()) * 1_000_000_000 // FUEL

    def chance(self, length: int) -> bytes:
        """Return the next bytes of its chance."""
        return self._chance.randbytes(length)

    def print(self, text: str) -> None:
        """Keep the beginning of what it prints."""
        if len(self.output) < MAX_PRINTED:
            self.output += text[:MAX_PRINTED].encode("utf-8", "replace")[: MAX_PRINTED - len(self.output)]


@contextmanager
def _undisturbed(stop: Callable[[], None]) -> Iterator[None]:
    """Let signals stop the instance, and be handled after that.

    A handler that raised in the middle would do so inside of wasmtime, which loses the exception.
    """
    handlers: dict[int, Callable[..., Any]] = {}
    arrived: list[tuple[int, Any]] = []

    def postpone(number: int, frame: Any) -> None:
        arrived.append((number, frame))
        stop()

    if threading.current_thread() is threading.main_thread():
        for number in _SIGNALS:
            handler = signal.getsignal(number)
            if callable(handler):
                handlers[number] = handler
                signal.signal(number, postpone)
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for number, frame in arrived:
            handlers[number](number, frame)


def _lost(error: Exception, late: str) -> WorkerLost:
    """Return what has become of an instance that has trapped; `late` says which time was used up."""
    text = str(error)
    if "all fuel consumed" in text:
        return WorkerLost(Loss.DEADLINE, late)
    if "call stack exhausted" in text:
        return WorkerLost(Loss.DEATH, _("its process ran out of stack"))
    return WorkerLost(Loss.DEATH, _("its process ended by a fault"))


@cache
def ready() -> component.Ready:
    """Return the component, ready to be instantiated; build and compile it if that has not been done."""
    return component.prepared(Engine(_config()), _about)


def prepare_for_all() -> Path:
    """Compile the component for all users of this installation, and for any processor of this kind."""
    config = _config()
    config.target = f"{platform.machine()}-unknown-linux-gnu"  # else also for what this processor has beyond
    return component.prepare_for_all(Engine(config), _about)


def _config() -> Config:
    config = Config()
    config.consume_fuel = True
    config.cranelift_nan_canonicalization = True  # or the bits of a NaN would tell the processor
    return config


def _about(engine: Engine, found: Component) -> str:
    store = Store(engine)
    store.set_fuel(_BEGIN)
    instance = _linked(engine, found).instantiate(store, found)
    about: Any = instance.get_func(store, "about")
    before, _here.instance = getattr(_here, "instance", None), _NO_INSTANCE
    try:
        return str(about(store))
    finally:
        _here.instance = before


@cache
def _linker() -> Linker:
    machine = ready()
    return _linked(machine.engine, machine.component)


class _Date:
    """A record of WASI: a moment by the wall's clock."""

    def __init__(self, nanoseconds: int) -> None:
        self.seconds, self.nanoseconds = divmod(nanoseconds, 1_000_000_000)


def _linked(engine: Engine, found: Component) -> Linker:
    """Return what gives a component the few functions that it may call; every other is a trap."""
    linker = Linker(engine)
    linker.allow_shadowing = True
    linker.define_unknown_imports_as_traps(found)
    with linker.root() as root:
        root.add_func("printed", _printed)
        for name, functions in _ALLOWED.items():
            with root.add_instance(f"{name}{_WASI}") as instance:
                for resource, number in _RESOURCES.get(name, {}).items():
                    instance.add_resource(resource, ResourceType.host(number), lambda store, number: None)
                for function, does in functions.items():
                    instance.add_func(function, _of_instance(does))
    return linker


def _of_instance(does: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function for a linker: it is given the instance that calls it, which pays for the call."""

    def called(store: StoreContext, *arguments: Any) -> Any:
        instance = _here.instance
        instance.charge(_CALL)
        for argument in arguments:
            for lent in argument if isinstance(argument, list) else (argument,):
                if isinstance(lent, ResourceAny):  # what is only lent goes back before the call ends
                    lent.drop(store)
        return does(instance, *arguments)

    return called


def _printed(store: StoreContext, text: str) -> None:
    _here.instance.charge(_CALL + _BYTE * len(text))
    _here.instance.print(text)


def _random_bytes(instance: Wasm, length: int) -> bytes:
    if length > _MOST_CHANCE:
        raise _Exit(_("its process asked for too many random bytes at once"))
    instance.charge(_CHANCE_BYTE * length)
    return instance.chance(length)


def _exit(instance: Wasm, *status: Any) -> NoReturn:
    raise _Exit(_("its process ended itself"))


def _sleep(instance: Wasm, nanoseconds: int) -> ResourceHost:
    instance.charge(min(nanoseconds, 1 << 40) * FUEL // 1_000_000_000)
    return ResourceHost.own(0, _POLLABLE)


_ALLOWED: Final[dict[str, dict[str, Callable[..., Any]]]] = {
    "wasi:io/error": {},
    "wasi:io/poll": {
        "poll": lambda instance, waiting: list(range(len(waiting))),
        "[method]pollable.block": lambda instance, pollable: None,
        "[method]pollable.ready": lambda instance, pollable: True,
    },
    "wasi:clocks/monotonic-clock": {
        "now": lambda instance: instance.nanoseconds(),
        "resolution": lambda instance: 1,
        "subscribe-duration": _sleep,
        "subscribe-instant": lambda instance, at: _sleep(instance, max(0, at - instance.nanoseconds())),
    },
    "wasi:clocks/wall-clock": {
        "now": lambda instance: _Date(_DATE * 1_000_000_000 + instance.nanoseconds()),
        "resolution": lambda instance: _Date(1),
    },
    "wasi:random/random": {
        "get-random-bytes": _random_bytes,
        "get-random-u64": lambda instance: int.from_bytes(instance.chance(8), "little"),
    },
    "wasi:cli/environment": {
        "get-environment": lambda instance: [],
        "get-arguments": lambda instance: [],
        "initial-cwd": lambda instance: None,
    },
    "wasi:cli/exit": {"exit": _exit, "exit-with-code": _exit},
    "wasi:filesystem/preopens": {"get-directories": lambda instance: []},
}
_RESOURCES: Final = {"wasi:io/poll": {"pollable": _POLLABLE}, "wasi:io/error": {"error": _ERROR}}
