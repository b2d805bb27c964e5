"""A submission found, read, and put behind the wall: it can be at work before the judge is there.

What a rubric demands of the machine is met before it runs.
"""

import subprocess
import sys
from functools import cache
from pathlib import Path

from grader.core import system
from grader.core.asking.carrier import NONE, Opens, Packages
from grader.core.asking.client import Client
from grader.core.checks.source import refuse_forbidden_imports
from grader.core.course import submission
from grader.core.course.rubric import Rubric
from grader.core.course.submission import Submission
from grader.core.errors import GraderFault, UserError, together
from grader.core.evidence import Boundary
from grader.core.messages import _
from grader.sandbox.layers import lacks_layers, require_all
from grader.sandbox.process import Process


def read(path: Path, rubric: Rubric) -> Submission:
    """Return the submission that a path means: a file with functions, or a program with all its files."""
    if rubric.kind == "program":
        return submission.read_program(path)
    return submission.read(path, rubric.limits.source_kb, notebooks=rubric.notebooks)


def open_client(found: Submission, rubric: Rubric, rubric_file: Path) -> Client:
    """Return the client for a submission; forbidden imports keep it from running, if the rubric says so."""
    packages = met(rubric, rubric_file)
    boundary = boundary_of(rubric, rubric_file)
    client = Client(found, rubric.limits, carrier(boundary.kind), packages)
    client.boundary = boundary
    if rubric.kind == "functions":
        client.outline()
        refuse_forbidden_imports(client, rubric)
    return client


def kind_of(rubric: Rubric, rubric_file: Path) -> str:
    """Return what is to confine submissions on this machine: native or wasm.

    Raises UserError where WebAssembly is asked for and cannot be had.
    """
    native_alone = ""
    if rubric.kind != "functions":
        native_alone = _("a program in a terminal is not run in WebAssembly")
    elif rubric.imports.allowed:
        allowed = ", ".join(rubric.imports.allowed)
        native_alone = _(
            "'imports.allowed' names {modules}, which cannot be had in WebAssembly", modules=allowed
        )
    is_demanded = rubric.sandbox_kind == "wasm"
    if rubric.sandbox_kind == "native" or (not is_demanded and (native_alone or not lacks_layers())):
        return "native"
    from grader.sandbox import component  # takes a while, and only some machines need it

    why = native_alone or component.missing()
    if why and is_demanded:
        raise UserError(_("'sandbox_kind: wasm' is not possible: {why}", why=why), file=rubric_file)
    return "native" if why else "wasm"


def boundary_of(rubric: Rubric, rubric_file: Path) -> Boundary:
    """Return what confines submissions on this machine; WebAssembly is prepared if that has not been done.

    Where it cannot be prepared, `auto` is native, with the reason, unless the rubric demands a boundary.
    Raises UserError or GraderFault where nothing is left.
    """
    python = "{}.{}.{}".format(*sys.version_info)
    if kind_of(rubric, rubric_file) == "native":
        return Boundary(kind="native", python=python)
    found = _in_wasm()
    if isinstance(found, Boundary):
        return found
    if rubric.sandbox_kind == "wasm" or rubric.sandbox == "required" or system.lacks_workers():
        raise found
    return Boundary(kind="native", python=python, no_wasm=" ".join(str(found).split()))


@cache
def _in_wasm() -> Boundary | UserError | GraderFault:
    """Return WebAssembly as a boundary, or why it cannot be prepared: a process tries that once."""
    try:
        from grader.sandbox.wasm import ready  # wasmtime is there only where it is needed

        found = ready()
    except (UserError, GraderFault) as error:
        return error
    except (ImportError, OSError, subprocess.SubprocessError) as error:
        return GraderFault(_("the WebAssembly sandbox cannot be prepared: {error}", error=error))
    return Boundary(kind="wasm", python=found.python, component=found.digest[:16])


def carrier(kind: str = "native") -> Opens:
    """Return what starts a submission here; raise GraderFault, before anybody is graded, if nothing can."""
    if kind == "native":
        missing = system.lacks_workers()
        if missing:
            raise GraderFault(
                _(
                    "no submission can be run on this system without WebAssembly (it lacks {missing}). "
                    "Nobody was graded: {command}",
                    missing=", ".join(missing),
                    command="pip install 'tictactoe-grader[wasm]'",
                )
            )
        return Process
    from grader.sandbox.wasm import Wasm  # the same

    return Wasm


def met(loaded: Rubric, rubric_file: Path) -> Packages:
    """Return the packages that submissions may import.

    Raises UserError for a module that cannot be had, GraderFault for a layer of the sandbox that is missing.
    """
    if loaded.sandbox == "required" and kind_of(loaded, rubric_file) == "native":
        require_all()
    if not loaded.imports.allowed or loaded.kind != "functions":
        return NONE
    from grader.sandbox.packages import Unusable  # only needed where modules are allowed
    from grader.sandbox.trial import tried

    allowed = loaded.imports.allowed
    try:
        return tried(allowed)
    except Unusable as error:
        wrong = {error.module: error.why}
    for module in allowed:
        try:
            tried((module,))
        except Unusable as error:
            wrong[module] = error.why
    from grader.course import rubric_files  # takes a while, and is needed for these sentences alone

    document = rubric_files.load_extended(rubric_file)
    raise together(
        [
            document.error(wrong[module], ("imports", "allowed", number))
            for number, module in enumerate(allowed)
            if module in wrong
        ]
    )
