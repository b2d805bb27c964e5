"""What a submission imports and cannot have in its process: a stand-in loads, and fails when it is used.

Editors put imports into files that nobody uses. A module of the standard library that is missing from this
Python, needs a C library that is not here, or must not be used (`ctypes`) is no reason not to run a file.
"""

import sys

from grader.worker.own import *
from grader.worker.threads import run_in_caller

ABSENT, USED = "grader.absent", "grader.used"
"""Audit events: a stand-in was imported, or used. The hook notes them; nothing here leads to the hook."""

_NEVER = ("ctypes", "_ctypes")
_WITH_THREADS = (
    "threading",
    "concurrent",
    "concurrent.futures",
    "concurrent.futures.thread",
    "queue",
    "multiprocessing",
    "multiprocessing.pool",
    "multiprocessing.dummy",
)


def guard_imports(own_names: tuple[str, ...], packages: list[str]) -> None:
    """Let imports by the submission never fail for want of a module of the standard library.

    Packages that it may import find a module of names where `ctypes` would be: most just want to have it.
    """
    import builtins

    for name in _NEVER:
        sys.modules[name] = None  # type: ignore[assignment]
    original, known, audit = builtins.__import__, sys.stdlib_module_names, sys.audit

    def importing(
        name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
    ) -> Any:
        try:
            module = original(name, globals, locals, fromlist, level)
        except Exception:
            top = name.partition(".")[0]
            if name in _NEVER and _is_of(globals, packages):
                return _Names(name)
            if level or top not in known or not _is_by(globals, own_names) or _loads(original, top):
                raise
            audit(ABSENT, top)
            for part in (top, name):
                if type(sys.modules.get(part)) is not _StandIn:
                    sys.modules[part] = _StandIn(part)
            return sys.modules[name if fromlist else top]
        if name == "logging" and _is_by(globals, own_names):
            module.__dict__["_srcfile"] = None  # as its documentation advises: it then reads no frames
        if name in _WITH_THREADS and _is_by(globals, own_names):
            run_in_caller()
        return module

    builtins.__import__ = importing


def _is_by(namespace: Any, own_names: tuple[str, ...]) -> bool:
    return type(namespace) is dict and namespace.get("__name__") in own_names


def _is_of(namespace: Any, packages: list[str]) -> bool:
    name = namespace.get("__name__") if type(namespace) is dict else None
    return type(name) is str and name.partition(".")[0] in packages


def _loads(original: Any, name: str) -> bool:
    """Return whether the module itself can be had, so that something else was wrong."""
    if type(sys.modules.get(name)) is _StandIn:
        return False
    try:
        original(name)
    except Exception:
        return False
    return True


class _StandIn(type(sys)):  # type: ignore[misc]
    """Stands for a module that cannot be had."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__path__: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name[:2] == "__":
            raise AttributeError(name)
        return _Unusable(str(self.__name__))


class _Names(type(sys)):  # type: ignore[misc]
    """Stands for a module of classes that may be named and built upon, and not used."""

    def __getattr__(self, name: str) -> Any:
        if name[:2] == "__":
            raise AttributeError(name)
        return type(name, (), {"__new__": _refused})


def _refused(*arguments: object, **named: object) -> NoReturn:
    raise ImportError("the grader cannot give a submission the module ctypes")


class _Unusable:
    """Stands for a name of such a module: it may be imported, and nothing else."""

    __slots__ = ("_module",)

    def __init__(self, module: str) -> None:
        self._module = module

    def __call__(self, *arguments: object, **named: object) -> NoReturn:
        sys.audit(USED, self._module)
        raise ImportError(f"the grader cannot give a submission the module {self._module}")

    __getattr__ = __mro_entries__ = __iter__ = __getitem__ = __setitem__ = __enter__ = __contains__ = __call__
    __len__ = __bool__ = __int__ = __float__ = __index__ = __add__ = __radd__ = __call__
