"""Checks of the source, without running it: that it parses, what it declares and imports, and its style."""

import sys

from grader.checks.outcome import Context, Outcome, failed, no_answer, passed
from grader.course.questions import Declaration, OnlyAllowedImports, Parses, Style
from grader.course.rubric import Rubric
from grader.course.submission import FILE_NAME
from grader.evidence import Finding
from grader.game.board import START, from_lists
from grader.game.interface import CONSTANTS, FUNCTIONS
from grader.grade import Status
from grader.sandbox.client import Client
from grader.sandbox.reply import Lost, Returned
from grader.sandbox.worker import Outline


def check_parses(question: Parses, context: Context) -> Outcome:
    """See whether the file is Python."""
    problem = unreadable(context.client)
    return failed(problem) if problem else passed("the file is Python")


def check_declaration(question: Declaration, context: Context) -> Outcome:
    """See whether a function stands as the assignment declares it, and is more than a stub."""
    name = question.function or ""
    problem = context.client.load_failure()
    if problem:
        nothing = no_answer(name, problem)
        assert nothing
        return Outcome(*nothing)
    outline = context.client.outline()
    if name not in outline.functions:
        if name in outline.variables:
            return failed(
                f"`{name}` is a variable (line {outline.variables[name][0]}); it must be a function."
            )
        return failed(f"The file defines no function `{name}`.")
    line, parameters, stub = outline.functions[name]
    if stub:
        return failed(f"`{name}` is still to be written (line {line}).")
    wanted = FUNCTIONS[name].parameters
    if parameters != wanted:
        return failed(
            f"The declaration must stay as it was given (line {line}).",
            expected=f"def {name}({', '.join(wanted)})",
            got=f"def {name}({', '.join(parameters)})",
        )
    return passed("declared as given")


def check_imports(question: OnlyAllowedImports, context: Context) -> Outcome:
    """See whether only the standard library and what the rubric allows is imported."""
    problem = unreadable(context.client)
    if problem:
        return failed(problem)
    found = forbidden_imports(context.client.outline(), context.rubric)
    if not found:
        return passed("only allowed modules are imported")
    return failed(import_sentence(found), findings=found)


def check_style(question: Style, context: Context) -> Outcome:
    """Count what is to be improved; a kind of it, or each finding, costs what the rubric says."""
    problem = None if context.program else unreadable(context.client)
    if problem:
        return failed(problem)
    if not context.stylist.has_source:
        return Outcome(Status.SKIPPED, "Not judged: the source is not Python.")
    found = context.stylist.findings(question.rules)
    if not found:
        return passed("nothing to improve")
    kinds = len({one.rule for one in found})
    style = context.rubric.style
    cost = style.points_per_finding * (kinds if style.per == "kind" else len(found))
    share = max(0.0, 1.0 - cost / context.worth) if context.worth else 0.0
    number = "1 thing" if len(found) == 1 else f"{len(found)} things"
    once = f", of {kinds} kinds, each charged once" if 1 < kinds < len(found) else ""
    once = ", a habit that is charged once" if kinds == 1 < len(found) else once
    return Outcome(
        Status.FAILED,
        f"{number} to improve{once if style.per == 'kind' else ''}.",
        share=share,
        findings=found,
    )


def unreadable(client: Client) -> str | None:
    """Return why the source cannot be read as Python, or None."""
    if client.submission.problem:
        return client.submission.problem
    outline = client.outline()
    if outline.error is None:
        return None
    place = f" (line {outline.line})" if outline.line else ""
    return f"The file is not valid Python: {outline.error}{place}."


def forbidden_imports(outline: Outline, rubric: Rubric) -> tuple[Finding, ...]:
    """Return imports that are neither of the standard library, nor allowed, nor of the file itself."""
    found = []
    own = FILE_NAME.removesuffix(".py")
    for line, module, used in outline.imports:
        if module == "?":
            found.append(Finding(line=line, rule="import", message="imports a module whose name is computed"))
        elif module.partition(".")[0] not in {own, *sys.stdlib_module_names, *rubric.imports.allowed}:
            message = f"imports {module}" + ("" if used else ", and never uses it")
            found.append(Finding(line=line, rule="import", message=message))
    return tuple(found)


def refuse_forbidden_imports(client: Client, rubric: Rubric) -> None:
    """Keep the client from running a submission that imports what it must not, if the rubric says so."""
    if rubric.imports.forbidden == "not_run" and unreadable(client) is None:
        found = forbidden_imports(client.outline(), rubric)
        if found:
            client.refuse(import_sentence(found) + " The file was not run.")


def import_sentence(found: tuple[Finding, ...]) -> str:
    """Return the sentence about forbidden imports."""
    listed = "; ".join(f"line {finding.line} {finding.message}" for finding in found[:5])
    return f"Only the standard library may be imported: {listed}."


def given_code_notes(client: Client) -> list[str]:
    """Return notes on the given code that was changed: the constants and `initial_state`."""
    if unreadable(client):
        return []
    outline, notes = client.outline(), []
    for name, value in CONSTANTS.items():
        if name not in outline.variables:
            notes.append(f"The constant {name} of the given file is missing or renamed.")
        elif outline.variables[name][1] != repr(value):
            line, shown = outline.variables[name]
            notes.append(f"The constant {name} should be {value!r}, not {shown} (line {line}).")
    if client.load_failure() is None:
        start = client.call("initial_state")
        changed = not isinstance(start, Returned) or from_lists(start.value) != START
        if changed and not (isinstance(start, Lost) and not start.asked):
            notes.append("The given function `initial_state` no longer returns the empty board.")
    return notes
