"""Checks of the source, without running it: that it parses, what it declares and imports, and its style."""

from grader.core.asking.client import Client
from grader.core.asking.reply import Lost, Raised, Returned
from grader.core.checks.imports import forbidden_imports, import_sentences, unreadable
from grader.core.checks.outcome import Context, Outcome, failed, not_seen, passed, unanswered
from grader.core.checks.reasons import because
from grader.core.checks.rights import every_call
from grader.core.course.questions import Declaration, OnlyAllowedImports, Parses, Style
from grader.core.game.board import START, from_lists
from grader.core.game.interface import CONSTANTS, FUNCTIONS
from grader.core.grade import Status
from grader.core.text import joined


def check_parses(question: Parses, context: Context) -> Outcome:
    """See whether the file is Python."""
    problem = unreadable(context.client)
    return failed(because("not-python", why=problem)) if problem else passed(because("is-python"))


def check_declaration(question: Declaration, context: Context) -> Outcome:
    """See whether a function stands as the assignment declares it, and is more than a stub."""
    name = question.function or ""
    problem = context.client.load_failure()
    if problem:
        return unanswered(name, problem)
    outline = context.client.outline().defining(name)
    if name not in outline.functions:
        if _is_callable(name, context.client):
            return passed(because("callable", function=name))
        if name in outline.variables:
            place = outline.place(outline.variables[name][0])
            return failed(because("is-a-variable", function=name, place=place))
        return failed(because("missing", function=name))
    line, parameters, stub = outline.functions[name]
    place = outline.place(line)
    if stub:
        return failed(because("is-a-stub", function=name, place=place))
    wanted = FUNCTIONS[name].parameters
    if parameters != wanted:
        return failed(
            because("declared-otherwise", place=place),
            expected=f"def {name}({', '.join(wanted)})",
            got=f"def {name}({', '.join(parameters)})",
        )
    return passed(because("declared"))


def _is_callable(function: str, client: Client) -> bool:
    """Return whether a name that no `def` declares can be called as a function of that name has to be."""
    last = every_call(function, FUNCTIONS[function].domain.members())[-1:]  # the least work
    match client.ask(function, last):
        case [Returned()]:
            return True
        case [Raised(error=error)]:
            return error != "TypeError"
        case _:
            return False


def check_imports(question: OnlyAllowedImports, context: Context) -> Outcome:
    """See whether only the standard library and what the rubric allows is imported."""
    if unreadable(context.client):
        return Outcome(Status.SKIPPED, because("style-not-python"))
    outline = context.client.outline()
    sentences = import_sentences(outline, context.rubric)
    if not sentences:
        return passed(because("imports-allowed"))
    found = forbidden_imports(outline, context.rubric) or None
    return failed(because("imports-forbidden", sentence=sentences), findings=found)


def check_style(question: Style, context: Context) -> Outcome:
    """Count what is to be improved; a kind of it, or each finding, costs what the rubric says."""
    is_program = context.rubric.kind == "program"
    is_python = is_program or unreadable(context.client) is None
    if not context.stylist.has_source or not is_python:
        return Outcome(Status.SKIPPED, because("style-not-python"))
    if not context.stylist.can_look:
        return Outcome(Status.SKIPPED, because("style-later"))
    outline = context.client.outline()
    for part in (outline, *outline.helpers):
        for line, what in part.hidden:
            return not_seen(because("not-readable", what=what, place=part.place(line)))
    is_known_to_fail = not is_program and not context.client.looks_runnable()
    failure = context.client.load_failure() if is_known_to_fail else None
    spoilt = failure.line if failure else 0  # that line has cost everything else already
    found = tuple(one for one in context.stylist.findings(question.rules) if one.line != spoilt)
    if not found:
        return passed(because("nothing-to-improve"))
    kinds = len({one.rule for one in found})
    style = context.rubric.style
    cost = style.points_per_finding * (kinds if style.per == "kind" else len(found))
    share = max(0.0, 1.0 - cost / context.worth) if context.worth else 0.0
    reason = because("to-improve", count=len(found), kinds=kinds, per=style.per)
    return Outcome(Status.FAILED, reason, share=share, findings=found)


def given_code_notes(client: Client) -> list[str]:
    """Return notes on the given code that was changed: the constants and `initial_state`."""
    if unreadable(client):
        return []
    notes = []
    undeclared = [name for name in FUNCTIONS if name not in client.outline().defining(name).functions]
    if client.load_failure() is None and (called := [one for one in undeclared if _is_callable(one, client)]):
        names = joined([f"`{name}`" for name in called])
        notes.append(f"Not declared by `def`, and graded all the same, for it can be called: {names}.")
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
