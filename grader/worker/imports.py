"""What a submission imports and cannot have in its process: a stand-in loads, and fails when it is used.

Editors put imports into files that nobody uses. A module of the standard library that is missing from this
Python, needs a C library that is not here, or must not be used (`ctypes`) is no reason not to run a file.
"""

from __future__ import annotations

import sys
from builtins import (  # noqa: UP029 - own names, so that a submission's patched builtins are not seen
    AttributeError,
    Exception,
    ImportError,
    len,
    object,
    str,
    type,
)

TYPE_CHECKING = False
if TYPE_CHECKING:  # the real one would cost every worker's start the import of typing
    from typing import Any, NoReturn

    from grader.worker.watch import Lookout

_NEVER = ("ctypes", "_ctypes")
_MOST_ABSENT = 20


def guard_imports(own_name: str, lookout: Lookout) -> None:
    """Let imports by the submission never fail for want of a module of the standard library."""
    import builtins

    for name in _NEVER:
        sys.modules[name] = None  # type: ignore[assignment]
    original, known, get_frame = builtins.__import__, sys.stdlib_module_names, sys._getframe

    def importing(
        name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
    ) -> Any:
        try:
            module = original(name, globals, locals, fromlist, level)
        except Exception:
            top = name.partition(".")[0]
            if level or top not in known or not _is_by(globals, own_name) or _loads(original, top):
                raise
            return _absent(top, name, fromlist)
        if name == "logging" and _is_by(globals, own_name):
            module.__dict__["_srcfile"] = None  # as its documentation advises: it then reads no frames
        return module

    def _absent(top: str, name: str, fromlist: Any) -> Any:
        lookout.resting = True
        line = get_frame(2).f_lineno
        lookout.resting = False
        if len(lookout.absent) < _MOST_ABSENT:
            lookout.absent.append((top, line))
        for part in (top, name):
            if type(sys.modules.get(part)) is not _StandIn:
                sys.modules[part] = _StandIn(part, lookout)
        return sys.modules[name if fromlist else top]

    builtins.__import__ = importing


def _is_by(namespace: Any, own_name: str) -> bool:
    return type(namespace) is dict and namespace.get("__name__") == own_name


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

    def __init__(self, name: str, lookout: Lookout) -> None:
        super().__init__(name)
        self.__path__: list[str] = []
        self.__dict__["__lookout__"] = lookout

    def __getattr__(self, name: str) -> Any:
        if name[:2] == "__":
            raise AttributeError(name)
        return _Unusable(str(self.__name__), self.__dict__["__lookout__"])


class _Unusable:
    """Stands for a name of such a module: it may be imported, and nothing else."""

    __slots__ = ("__fail",)

    def __init__(self, module: str, lookout: Lookout) -> None:
        def fail(*_: object, **__: object) -> NoReturn:
            lookout.note(f"use {module}")
            raise ImportError(f"the grader cannot give a submission the module {module}")

        self.__fail = fail

    def __getattr__(self, name: str) -> Any:
        return self.__fail()

    def __call__(self, *arguments: object, **named: object) -> Any:
        return self.__fail()

    __mro_entries__ = __iter__ = __getitem__ = __setitem__ = __enter__ = __contains__ = __call__
    __len__ = __bool__ = __int__ = __float__ = __index__ = __add__ = __radd__ = __call__
