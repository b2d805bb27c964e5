"""Checks of the source, without running it: that it parses, what it declares and imports, and its style."""

from grader.checks.imports import forbidden_imports, import_sentences, unreadable
from grader.checks.outcome import Context, Outcome, failed, no_answer, passed
from grader.course.questions import Declaration, OnlyAllowedImports, Parses, Style
from grader.game.board import START, from_lists
from grader.game.interface import CONSTANTS, FUNCTIONS
from grader.grade import Status
from grader.sandbox.client import Client
from grader.sandbox.reply import Lost, Returned


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
    outline = context.client.outline().defining(name)
    if name not in outline.functions:
        if name in outline.variables:
            place = outline.place(outline.variables[name][0])
            return failed(f"`{name}` is a variable ({place}); it must be a function.")
        return failed(f"The file defines no function `{name}`.")
    line, parameters, stub = outline.functions[name]
    place = outline.place(line)
    if stub:
        return failed(f"`{name}` is still to be written ({place}).")
    wanted = FUNCTIONS[name].parameters
    if parameters != wanted:
        return failed(
            f"The declaration must stay as it was given ({place}).",
            expected=f"def {name}({', '.join(wanted)})",
            got=f"def {name}({', '.join(parameters)})",
        )
    return passed("declared as given")


def check_imports(question: OnlyAllowedImports, context: Context) -> Outcome:
    """See whether only the standard library and what the rubric allows is imported."""
    problem = unreadable(context.client)
    if problem:
        return failed(problem)
    outline = context.client.outline()
    sentences = import_sentences(outline, context.rubric)
    if not sentences:
        return passed("only allowed modules are imported")
    return failed(sentences, findings=forbidden_imports(outline, context.rubric) or None)


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


def given_code_notes(client: Client) -> list[str]:
    """Return notes on the given code that was changed: the constants and `initial_state`."""
    if unreadable(client):
        return []
    notes = []
    for name, value in CONSTANTS.items():
        outline = client.outline().defining(name)
        if name not in outline.variables and outline.taken.isdisjoint((name, "*")):
            notes.append(f"The constant {name} of the given file is missing or renamed.")
        elif name in outline.variables and outline.variables[name][1] != repr(value):
            line, shown = outline.variables[name]
            notes.append(f"The constant {name} should be {value!r}, not {shown} ({outline.place(line)}).")
    if client.load_failure() is None:
        start = client.call("initial_state")
        changed = not isinstance(start, Returned) or from_lists(start.value) != START
        if changed and not (isinstance(start, Lost) and not start.asked):
            notes.append("The given function `initial_state` no longer returns the empty board.")
    return notes
