"""What a submission imports, and whether it may: looked up before anything of it runs."""

from grader.course.rubric import Rubric
from grader.evidence import Finding
from grader.sandbox.client import Client
from grader.sandbox.worker import Outline
from grader.text import printable


def forbidden_imports(outline: Outline, rubric: Rubric) -> tuple[Finding, ...]:
    """Return imports that are neither of the standard library, nor allowed, nor of the file itself."""
    found = []
    for line, module, used in outline.foreign(rubric.imports.allowed):
        message = f"imports {printable(module)}" + ("" if used else ", and never uses it")
        if module == "?":
            message = "imports a module whose name is computed"
        found.append(Finding(line=line, rule="import", message=message))
    return tuple(found)


def refuse_forbidden_imports(client: Client, rubric: Rubric) -> None:
    """Keep the client from running a submission that imports what it must not, if the rubric says so."""
    if rubric.imports.forbidden == "not_run" and unreadable(client) is None:
        found = forbidden_imports(client.outline(), rubric)
        if found:
            client.refuse(import_sentence(found) + " The file was not run.", found[0].line)


def import_sentence(found: tuple[Finding, ...]) -> str:
    """Return the sentence about forbidden imports."""
    listed = "; ".join(f"line {finding.line} {finding.message}" for finding in found[:5])
    return f"Only the standard library may be imported: {listed}."


def unreadable(client: Client) -> str | None:
    """Return why the source cannot be read as Python, or None."""
    if client.submission.problem:
        return client.submission.problem
    outline = client.outline()
    if outline.error is None:
        return None
    place = f" (line {outline.line})" if outline.line else ""
    return f"The file is not valid Python: {printable(outline.error)}{place}."
