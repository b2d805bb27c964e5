"""The component: the worker and its interpreter as WebAssembly, built once, compiled once for this machine.

A wheel carries it. In a checkout it is built from the worker's own files when it is needed first, and again
when one of them changes. The component and its compiled form lie in the user's cache folder, each with a
digest beside it: a file that does not fit its digest, or that others could have written, is made again.
"""

import hashlib
import os
import platform
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from grader.core import system
from grader.core.errors import GraderFault, UserError
from grader.core.messages import _
from grader.core.system import PART, write
from grader.worker import wire

if TYPE_CHECKING:  # it takes a while, and a machine with every native layer needs none of it
    from wasmtime import Engine
    from wasmtime.component import Component

_WORKER: Final = Path(wire.__file__).resolve().parent
SHIPPED: Final = _WORKER.parent / "shipped" / "component"
"""Where a wheel carries it."""

FOR_ALL: Final = Path(sys.prefix) / "share" / "tictactoe-grader" / "wasm"
"""Where it lies for all users of an installation, if it was prepared for them, as in a container's image."""

_NATIVE_ALONE: Final = frozenset((
    "confine", "descriptors", "landlock", "launch", "package_finder", "printed", "program_filter", "seccomp",
    "serve", "system_calls", "template", "trials",
))  # fmt: skip
"""Modules of the worker that only serve the native boundary."""

_WORLD: Final = """package grader:sandbox;
world submission {
  import printed: func(text: string);
  export about: func() -> string;
  export request: func(frame: string);
  export next: func() -> string;
}
"""
_ENTRY: Final = """import wit_world
from grader.worker.guest import Requests, about

_requests = Requests(wit_world.printed)

class WitWorld(wit_world.WitWorld):
    def about(self) -> str:
        return about()

    def request(self, frame: str) -> None:
        _requests.request(frame)

    def next(self) -> str:
        return _requests.next()
"""
_BUILD: Final = "from componentize_py import script; script()"
_BUILD_SECONDS: Final = 1_800
_NAME: Final = "tictactoe-grader"
_MONTH: Final = 30 * 86_400
_SET_UP: Final = "pip install 'tictactoe-grader[wasm]' (in a checkout: pip install -e '.[wasm]')"

Ask = Callable[["Engine", "Component"], str]
"""Asks a component which Python it is."""


class Ready(NamedTuple):
    """A component that can be instantiated."""

    engine: "Engine"
    component: "Component"
    digest: str
    python: str


def missing() -> str:
    """Return why there can be no component here, as the end of a sentence, or nothing."""
    if find_spec("wasmtime") is None:
        return _("wasmtime is not installed: {command}", command=_SET_UP)
    if _shipped() is None and find_spec("componentize_py") is None:
        return _(
            "componentize-py, which builds the sandbox in a checkout, is not installed: {command}",
            command=_SET_UP,
        )
    return ""


@cache
def sources() -> dict[str, bytes]:
    """Return all that a component is built from, by path."""
    worker = {
        f"grader/worker/{file.name}": file.read_bytes()
        for file in sorted(_WORKER.glob("*.py"))
        if file.stem not in _NATIVE_ALONE
    }
    return {"world.wit": _WORLD.encode(), "entry.py": _ENTRY.encode(), "grader/__init__.py": b"", **worker}


@cache
def version() -> str:
    """Return a digest of all that a component is built from."""
    found = hashlib.sha256()
    for name, content in sources().items():
        found.update(f"\n{name} {len(content)}\n".encode() + content)
    return found.hexdigest()[:16]


def build(target: Path) -> None:
    """Build the component into a file; raise GraderFault with what the builder said."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path, content in sources().items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
        made = folder / "made.wasm"
        world = ("-d", str(folder / "world.wit"), "-w", "submission")
        rest = ("componentize", "-p", str(folder), "-o", str(made), "entry")
        around = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
        done = subprocess.run(
            [sys.executable, "-c", _BUILD, "-q", *world, *rest],
            cwd=folder,
            env={**around, "VIRTUAL_ENV": str(folder)},  # or the builder adds what is installed here
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=_BUILD_SECONDS,
            check=False,
        )
        if done.returncode or not made.is_file():
            said = (done.stdout + done.stderr).decode("utf-8", "replace").strip()[-2_000:]
            raise GraderFault(_("the WebAssembly sandbox could not be built: {said}", said=said))
        shutil.copyfile(made, target)


def prepared(engine: "Engine", ask: Ask) -> Ready:
    """Return the component, built and compiled if that has not been done; raise UserError if it cannot be."""
    _require()
    name = _compiled()
    if found := _loaded(FOR_ALL / name, engine):
        return found
    folder = _folder()
    if found := _loaded(folder / name, engine):
        return found
    with _alone(folder):
        if found := _loaded(folder / name, engine):  # another process has just done it
            return found
        _compile(lambda: _component(folder), folder / name, engine, ask)
        _forget_older(folder)
    found = _loaded(folder / name, engine)
    if found is None:
        raise GraderFault(_("the compiled sandbox cannot be read back from {folder}", folder=folder))
    return found


def prepare_for_all(engine: "Engine", ask: Ask) -> Path:
    """Compile the component for all users of this installation; return the file."""
    _require()
    file = FOR_ALL / _compiled()
    try:
        FOR_ALL.mkdir(parents=True, exist_ok=True, mode=0o755)
        _compile(content, file, engine, ask)
    except OSError as error:
        raise UserError(_("cannot be written: {strerror}", strerror=error.strerror), file=FOR_ALL) from None
    return file


def _require() -> None:
    why = missing()
    if why:
        raise UserError(_("the WebAssembly sandbox cannot be used: {why}", why=why))


def _compiled() -> str:
    """Return the name of the compiled component: another one for each version of what it was made by."""
    return f"{version()}-{metadata.version('wasmtime')}-{platform.system()}-{platform.machine()}.compiled"


def _compile(build_content: Callable[[], bytes], file: Path, engine: "Engine", ask: Ask) -> None:
    """Build a component and compile it into a file, with a progress bar on the screen."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
    from wasmtime import WasmtimeError
    from wasmtime.component import Component

    console = Console(stderr=True)
    if not console.is_terminal:
        console.print(_("preparing the sandbox, once: this takes about a minute"), highlight=False)
    columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(_("preparing the sandbox, once: building"), total=2)
        content = build_content()
        bar.update(task, description=_("preparing the sandbox, once: compiling"), completed=1)
        try:
            component = Component(engine, content)
        except WasmtimeError as error:
            message = _("the WebAssembly sandbox could not be compiled: {error}", error=error)
            raise GraderFault(message) from None
        about = f"{hashlib.sha256(content).hexdigest()} {ask(engine, component)}"
        _put(file, bytes(component.serialize()), about)


def _loaded(compiled: Path, engine: "Engine") -> Ready | None:
    """Return the component as it was compiled before, if that is sound."""
    about = _about_sound(compiled).split()
    if len(about) != 2:
        return None
    from wasmtime import WasmtimeError
    from wasmtime.component import Component

    with suppress(WasmtimeError):  # by another version, or for another processor
        return Ready(engine, Component.deserialize_file(engine, str(compiled)), *about)
    return None


def content() -> bytes:
    """Return the component, built if that has not been done."""
    folder = _folder()
    with _alone(folder):
        return _component(folder)


def _component(folder: Path) -> bytes:
    """Return the content of the component: the wheel's, a cached one, or a new one."""
    shipped = _shipped()
    if shipped:
        return shipped.read_bytes()
    built = folder / f"{version()}.wasm"
    if not _about_sound(built):
        with tempfile.TemporaryDirectory(dir=folder) as name:
            made = Path(name) / "made.wasm"
            build(made)
            _put(built, made.read_bytes(), "built")
    return built.read_bytes()


def _shipped() -> Path | None:
    file = SHIPPED / f"{version()}.wasm"
    return file if file.is_file() else None


def _folder() -> Path:
    """Return the folder in which it is kept, which is this user's alone."""
    root = os.environ.get("XDG_CACHE_HOME") or ""
    candidates = [Path(root)] if os.path.isabs(root) else []  # noqa: PTH117
    with suppress(RuntimeError):  # the user has no home folder
        candidates.append(Path.home() / ".cache")
    places = [place / _NAME / "wasm" for place in candidates if place.parent.is_dir()]
    places.append(Path(tempfile.gettempdir()) / f"{_NAME}-wasm-{system.user()}")
    for place in places:
        with suppress(OSError):
            place.mkdir(parents=True, exist_ok=True, mode=0o700)
            if _is_mine_alone(place) and os.access(place, os.W_OK):
                return place
    raise UserError(
        f"the WebAssembly sandbox needs a folder that nobody else may write to, and {places[0]} is none: "
        "say where with XDG_CACHE_HOME"
    )


def _is_mine_alone(path: Path) -> bool:
    """Return whether a path is no link, and only this user and root may write to it."""
    found = path.lstat()
    return not stat.S_ISLNK(found.st_mode) and system.is_mine(found, alone=True)


def _put(file: Path, content: bytes, about: str) -> None:
    """Write a file, and then its digest with what is known about it; each appears as a whole.

    What is there is removed first: it may be a link, or others may write to it.
    """
    for path, text in ((file, content), (_beside(file), f"{hashlib.sha256(content).hexdigest()} {about}")):
        path.unlink(missing_ok=True)
        write(path, text)


def _beside(file: Path) -> Path:
    return file.with_name(f"{file.name}.about")


def _about_sound(file: Path) -> str:
    """Return what is known about a file that fits its digest and that no other user may write, or ''."""
    with suppress(OSError, ValueError):
        if _is_mine_alone(file) and _is_mine_alone(_beside(file)):
            digest, _blank, about = _beside(file).read_text("ascii").partition(" ")
            with file.open("rb") as opened:
                if hashlib.file_digest(opened, "sha256").hexdigest() == digest:
                    return about
    return ""


def _forget_older(folder: Path) -> None:
    """Remove what other versions of the worker left a month ago: each takes tens of megabytes."""
    for old in (*folder.glob("*.compiled*"), *folder.glob("*.wasm*")):
        if not old.name.startswith(version()) and old.stat().st_mtime < time.time() - _MONTH:
            old.unlink(missing_ok=True)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Let one process at a time prepare it; the others wait, and find it prepared."""
    with system.locked(folder / "lock"):
        for left in (*folder.glob("tmp*"), *folder.glob(f".*{PART}")):  # by a process that was killed
            shutil.rmtree(left) if left.is_dir() else left.unlink()
        yield
