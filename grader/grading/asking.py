"""A submission found, read, and put behind the wall: it can be at work before the judge is there.

What a rubric demands of the machine is met before it runs.
"""

from pathlib import Path

from grader.core.asking.client import Client
from grader.core.asking.packages import NONE, Packages
from grader.core.checks.imports import refuse_forbidden_imports
from grader.core.course import submission
from grader.core.course.rubric import Rubric
from grader.core.course.submission import Submission
from grader.core.errors import together
from grader.sandbox.layers import require_all
from grader.sandbox.process import Process


def read(path: Path, rubric: Rubric) -> Submission:
    """Return the submission that a path means: a file with functions, or a program with all its files."""
    if rubric.kind == "program":
        return submission.read_program(path)
    return submission.read(path, rubric.limits.source_kb, notebooks=rubric.notebooks)


def open_client(found: Submission, rubric: Rubric, rubric_file: Path) -> Client:
    """Return the client for a submission; forbidden imports keep it from running, if the rubric says so."""
    client = Client(found, rubric.limits, Process, met(rubric, rubric_file))
    if rubric.kind == "functions":
        client.outline()
        refuse_forbidden_imports(client, rubric)
    return client


def met(loaded: Rubric, rubric_file: Path) -> Packages:
    """Return the packages that submissions may import.

    Raises UserError for a module that cannot be had, GraderFault for a layer of the sandbox that is missing.
    """
    if loaded.sandbox == "required":
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
    from grader.course import extends  # takes a while, and is needed for these sentences alone

    document = extends.load(rubric_file)
    raise together(
        [
            document.error(
                f"'imports.allowed' names {module}, {wrong[module]}", ("imports", "allowed", number)
            )
            for number, module in enumerate(allowed)
            if module in wrong
        ]
    )
