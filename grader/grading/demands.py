"""What a rubric demands of the machine, by whatever door a submission comes; met before it runs."""

from pathlib import Path

from grader.core.asking.packages import NONE, Packages
from grader.core.course.rubric import Rubric
from grader.sandbox.layers import require_all
from grader.sandbox.packages import Unusable


def met(loaded: Rubric, rubric_file: Path) -> Packages:
    """Return the packages that submissions may import.

    Raises UserError for a module that cannot be had, GraderFault for a layer of the sandbox that is missing.
    """
    if loaded.sandbox == "required":
        require_all()
    if not loaded.imports.allowed or loaded.kind != "functions":
        return NONE
    from grader.sandbox.trial import tried  # only needed where modules are allowed

    try:
        return tried(loaded.imports.allowed)
    except Unusable as error:
        from grader.course import extends  # takes a while, and is needed for this sentence alone

        where = ("imports", "allowed", loaded.imports.allowed.index(error.module))
        message = f"'imports.allowed' names {error.module}, {error.why}"
        raise extends.load(rubric_file).error(message, where) from None
