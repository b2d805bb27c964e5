"""Layers of the sandbox on this machine: each is tried in a worker."""

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from grader.core import system
from grader.core.asking.worker import NONE, Allowance, Worker
from grader.core.course.rubric import Limits
from grader.core.course.submission import Submission
from grader.core.errors import GraderFault
from grader.core.messages import _, later, pgettext
from grader.course.courses import OWN
from grader.sandbox.process import Process
from grader.sandbox.start import renew

if TYPE_CHECKING:
    from rich.console import RenderableType

ALWAYS: Final = {
    "process": later("a process and a process group of its own; nothing but plain data comes back"),
    "deadline": later("every call has one, and the whole group is killed after it"),
}
LAYERS: Final = {
    "descriptors": later(
        "none but its own, no matter who started the grader: counted before a file is loaded"
    ),
    "limits": later("memory, processor time, file size, open files; no processes for an ordinary user"),
    "privileges": later("no capabilities, nothing gained from set-user-id programs, dies with the grader"),
    "files": later("Landlock: reads the standard library and its own files, writes a private folder"),
    "system calls": later("seccomp: no sockets, processes, threads, or signals to others, by whatever way"),
    "audit hook": later("refuses and reports tampering, with the line"),
}
_LANDLOCK: Final = 444
"""The system call that tells its version."""


@cache
def machine_layers() -> dict[str, str]:
    """Return each layer of this machine with why it is off, or nothing when it is on."""
    limits = Limits()
    nothing = Submission("nothing", Path("nothing.py"), b"pass\n")
    worker = Worker(nothing, limits, Process, NONE, Allowance(limits.total))
    ours, theirs = os.pipe()
    try:
        for end in (ours, theirs):  # as a careless program leaves them to whatever it starts
            os.set_inheritable(end, True)
        renew()
        failure = worker.load_failure()
        if failure:
            raise GraderFault(_("the sandbox could not be tried: {why}", why=failure.why))
        return {name: worker.layers.get(name, "not tried") for name in LAYERS}
    finally:
        worker.close()
        os.close(ours)
        os.close(theirs)


@cache
def lacks_layers() -> bool:
    """Return whether a layer is missing here.

    What machines lack is Landlock: where it answers, the others are not tried, which takes as long as a grade
    of nothing; each worker tells its layers anyway.
    """
    if not system.IS_LINUX:
        return True
    with suppress(OSError, ImportError, AttributeError):
        import ctypes  # where there is none, there are no layers either

        if ctypes.CDLL(None).syscall(_LANDLOCK, None, 0, 1) > 0:
            return False
    return any(machine_layers().values())


def require_all() -> None:
    """Raise GraderFault, with the way out, if a layer is missing."""
    missing = {name: why for name, why in machine_layers().items() if why}
    if missing:
        listed = "; ".join(f"{name}: {why}" for name, why in missing.items())
        raise GraderFault(
            _(
                "the rubric demands the whole sandbox, and this machine lacks part of it ({missing}). "
                "Nobody was graded: it takes Linux 5.13 or newer with Landlock and seccomp, on x86_64 or "
                "aarch64, or install wasmtime for 'sandbox_kind: auto', or say 'sandbox: best_effort' in "
                "the rubric",
                missing=listed,
            )
        )


def around_the_grader(folders: Iterable[Path | str]) -> tuple[list[str], list[str]]:
    """Return the paths in some folders that may be read, and those that may only be listed.

    A folder that holds the grader may be listed; what lies beside the grader in it may be read.
    """
    readable: list[str] = []
    listable: list[str] = []
    waiting = list(dict.fromkeys(Path(folder).resolve() for folder in folders))
    while waiting:
        folder = waiting.pop()
        if not OWN.is_relative_to(folder):
            readable.append(str(folder))
        elif folder != OWN:
            listable.append(str(folder))
            waiting += folder.iterdir()
    return readable, listable


def is_the_graders(path: Path | str) -> bool:
    """Return whether something is the grader's own; an environment in its folder, with all in it, is not."""
    found, environment = Path(path).resolve(), Path(sys.prefix).resolve()
    is_installed = OWN in environment.parents and found.is_relative_to(environment)
    return found.is_relative_to(OWN) and not is_installed


def table(described: dict[str, str], layers: dict[str, str]) -> "RenderableType":
    """Return a table of layers, each with whether it is on and what it does."""
    from rich.table import Table  # takes long to import, and a grade needs no table
    from rich.text import Text

    shown = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in (_("layer"), pgettext("layer", "state"), _("what it does")):
        shown.add_column(title)
    for name, what in described.items():
        why = layers.get(name, "")
        state = _("off: {why}", why=why) if why else pgettext("layer", "on")
        shown.add_row(name, Text(state, style="red" if why else "green"), _(what))
    return shown
