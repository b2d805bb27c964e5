"""Checks of a submission's source and of the files beside it: declarations, imports, style, README.

What is not found in a README is for a person, never an accusation.
"""

from typing import Final

from grader.core.asking.client import Client
from grader.core.asking.reply import Import, Lost, Outline, Raised, Returned
from grader.core.checks.expected import every_call
from grader.core.checks.outcome import Context, Outcome, failed, not_seen, passed, unanswered
from grader.core.checks.reasons import because
from grader.core.course import reading
from grader.core.course.course import Declaration, Files, OnlyAllowedImports, Parses, Readme, Style
from grader.core.course.rubric import Rubric
from grader.core.course.submission import MOST_COMPARED, Folder, matching
from grader.core.game.board import START, from_lists
from grader.core.game.oracle import CONSTANTS, FUNCTIONS
from grader.core.grade import Finding, Status
from grader.core.messages import _, alternatives, later, listing, ngettext
from grader.core.values import printable

_SHOWN: Final = 5
_PACKAGES: Final = frozenset(
    (
        *("PIL", "absl", "aiohttp", "arcade", "attr", "attrs", "bs4", "certifi", "cffi", "click", "colorama"),
        *("cv2", "cython", "django", "dotenv", "easyAI", "fastapi", "flask", "gym", "gymnasium", "httpx"),
        *("ipywidgets", "IPython", "jax", "joblib", "jupyter", "keras", "kivy", "lxml", "matplotlib", "mypy"),
        *("networkx", "nltk", "notebook", "numba", "numpy", "openai", "pandas", "pip", "pkg_resources"),
        *("plotly", "psutil", "pydantic", "pygame", "pyglet", "pynput", "pyspiel", "pytest", "requests"),
        *("rich", "ruff", "scipy", "seaborn", "setuptools", "six", "sklearn", "sqlalchemy", "sympy"),
        *("tabulate", "tensorflow", "termcolor", "torch", "tqdm", "typing_extensions", "urllib3", "yaml"),
    )
)
"""Packages that people install: an import of one of these is not a forgotten file."""


def forbidden_imports(outline: Outline, rubric: Rubric) -> tuple[Finding, ...]:
    """Return imports that are neither of the standard library, nor allowed, nor of the submission."""
    return tuple(_finding(found) for found in outline.foreign(rubric.imports.allowed) if not _is_local(found))


def _is_local(found: Import) -> bool:
    top = found.module.partition(".")[0]
    return top.isidentifier() and top not in _PACKAGES


def _finding(found: Import) -> Finding:
    module = printable(found.module)
    if found.module == "?":
        message = _("imports a module whose name is computed")
    elif found.is_used:
        message = _("imports {module}", module=module)
    else:
        message = _("imports {module}, and never uses it", module=module)
    return Finding(line=found.line, rule="import", message=message, file=found.file or None)


def refuse_forbidden_imports(client: Client, rubric: Rubric) -> None:
    """Keep the client from running a submission that imports what it must not, if the rubric says so."""
    if rubric.imports.forbidden == "not_run" and unreadable(client) is None:
        outline = client.outline()
        sentences = import_sentences(outline, rubric)
        if sentences:
            lines = [found.line for found in outline.foreign(rubric.imports.allowed) if not found.file]
            client.refuse(sentences + " " + _("The file was not run."), lines[0] if lines else 0)


def import_sentences(outline: Outline, rubric: Rubric) -> str:
    """Return what there is to say of imports: what is forbidden, and what was not handed in; or nothing."""
    forbidden = forbidden_imports(outline, rubric)
    sentences = [import_sentence(forbidden, rubric)] if forbidden else []
    missing = [found for found in outline.foreign(rubric.imports.allowed) if _is_local(found)]
    if missing:
        names = [f"`{printable(found.module)}` ({_finding(found).where})" for found in missing[:_SHOWN]]
        sentence = ngettext(
            "It imports {modules}, which is not among the files that were handed in.",
            "It imports {modules}, which are not among the files that were handed in.",
            len(names),
            modules=listing(names),
        )
        sentences.append(sentence)
    return " ".join(sentences)


def import_sentence(found: tuple[Finding, ...], rubric: Rubric) -> str:
    """Return the sentence about forbidden imports."""
    listed = "; ".join(f"{finding.where} {finding.message}" for finding in found[:_SHOWN])
    may = listing([_("the standard library"), *rubric.imports.allowed])
    return _("Only {modules} may be imported: {imports}.", modules=may, imports=listed)


def unreadable(client: Client) -> str | None:
    """Return why the source cannot be read as Python, or None."""
    if client.submission.problem:
        return client.submission.problem
    outline = client.outline()
    if outline.error is None:
        return None
    error = printable(outline.error)
    if outline.line:
        return _("The file is not valid Python: {error} (line {line}).", error=error, line=outline.line)
    return _("The file is not valid Python: {error}.", error=error)


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
    found = tuple(finding for finding in context.stylist.findings(question.rules) if finding.line != spoilt)
    if not found:
        return passed(because("nothing-to-improve"))
    kinds = len({finding.rule for finding in found})
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
    if client.load_failure() is None and (
        called := [name for name in undeclared if _is_callable(name, client)]
    ):
        names = listing([f"`{name}`" for name in called])
        notes.append(
            _("Not declared by `def`, and graded all the same, for it can be called: {names}.", names=names)
        )
    for name, value in CONSTANTS.items():
        outline = client.outline().defining(name)
        line, shown = outline.variables.get(name, (0, repr(value)))
        if not line and outline.taken.isdisjoint((name, "*")):
            notes.append(_("The constant {name} of the given file is missing or renamed.", name=name))
        if shown != repr(value):
            sentence = later("The constant {name} should be {value!r}, not {shown} ({place}).")
            notes.append(_(sentence, name=name, value=value, shown=shown, place=outline.place(line)))
    if client.load_failure() is None:
        start = client.call("initial_state")
        changed = not isinstance(start, Returned) or from_lists(start.value) != START
        if changed and not (isinstance(start, Lost) and not start.asked):
            notes.append(_("The given function `initial_state` no longer returns the empty board."))
    return notes


def check_files(question: Files, context: Context) -> Outcome:
    """See whether all files are there, and those that were given are as they were."""
    folder = context.client.submission.folder
    if folder is None:
        return Outcome(Status.SKIPPED, because("without-folder"))
    missing = [alternatives(name.split("|")) for name in question.required if not matching(folder, name)]
    faults = [_("{file} is missing", file=name) for name in missing]
    too_large = []
    for name, known in question.unmodified.items():
        found = matching(folder, name)
        if not found:
            faults.append(_("{file} is missing", file=name))
        elif (is_copy := found[0].is_copy(known)) is None:
            too_large.append(found[0].name)
        elif not is_copy:
            faults.append(_("{file} is not as it was given", file=found[0].name))
    known_names = (*question.required, *question.optional, *question.unmodified)
    if question.others == "refused":
        strange = [file.name for file in folder if not any(matching((file,), name) for name in known_names)]
        faults += [_("{file} was not asked for", file=name) for name in strange[:5]]
    sentence, most = later("{file} has {size:,.0f} kB; at most {most:,} were asked for"), question.largest_kb
    large = [file for file in folder if file.size > 1000 * most]
    faults += [_(sentence, file=file.name, size=file.size / 1000, most=most) for file in large]
    if len(folder) > question.most:
        faults.append(
            ngettext(
                "there is {count} file; at most {most} were asked for",
                "there are {count} files; at most {most} were asked for",
                len(folder),
                most=question.most,
            )
        )
    if faults:
        return failed(because("hand-in", faults=faults))
    if too_large:
        reason = because("too-large-to-compare", most=MOST_COMPARED / 1e6, files=too_large)
        return Outcome(Status.SKIPPED, reason)
    return passed(because("all-files", files=(*question.required, *question.unmodified)))


def check_readme(question: Readme, context: Context) -> Outcome:
    """See whether the README has its parts, as far as words can tell."""
    folder = context.client.submission.folder
    if folder is None:
        return Outcome(Status.SKIPPED, because("without-folder"))
    text = readme_text(folder, question)
    if text is None:
        return failed(because("no-readme", file=question.file.rstrip("*")))
    missing = [part for part in question.parts if not reading.has(part, text, question.words)]
    if missing:
        return failed(because("readme-without", parts=[part.replace("_", " ") for part in missing]))
    return passed(because("readme-has-all"))


def readme_text(folder: Folder, question: Readme) -> str | None:
    """Return the README of a submission, or None."""
    found = sorted(matching(folder, question.file), key=lambda file: file.name.count("/"))
    return found[0].content.decode("utf-8", "replace") if found else None


def claims_pruning(folder: Folder | None, question: Readme) -> bool:
    """Return whether a README describes alpha-beta pruning."""
    text = readme_text(folder, question) if folder else None
    return text is not None and reading.has("alpha_beta", text, question.words)
