"""What a submission imports, and whether it may: looked up before anything of it runs."""

from typing import Final

from grader.core.asking.client import Client
from grader.core.asking.outline import Import, Outline
from grader.core.course.rubric import Rubric
from grader.core.evidence import Finding
from grader.core.text import printable

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
"""Packages that people install: who imports one of these has forgotten no file."""


def forbidden_imports(outline: Outline, rubric: Rubric) -> tuple[Finding, ...]:
    """Return imports that are neither of the standard library, nor allowed, nor of the submission."""
    return tuple(_finding(one) for one in outline.foreign(rubric.imports.allowed) if not _is_local(one))


def _is_local(one: Import) -> bool:
    top = one.module.partition(".")[0]
    return top.isidentifier() and top not in _PACKAGES


def _finding(one: Import) -> Finding:
    message = f"imports {printable(one.module)}" + ("" if one.is_used else ", and never uses it")
    if one.module == "?":
        message = "imports a module whose name is computed"
    return Finding(line=one.line, rule="import", message=message, file=one.file or None)


def refuse_forbidden_imports(client: Client, rubric: Rubric) -> None:
    """Keep the client from running a submission that imports what it must not, if the rubric says so."""
    if rubric.imports.forbidden == "not_run" and unreadable(client) is None:
        outline = client.outline()
        sentences = import_sentences(outline, rubric)
        if sentences:
            lines = [one.line for one in outline.foreign(rubric.imports.allowed) if not one.file]
            client.refuse(f"{sentences} The file was not run.", lines[0] if lines else 0)


def import_sentences(outline: Outline, rubric: Rubric) -> str:
    """Return what there is to say about a submission's imports, or nothing."""
    forbidden = forbidden_imports(outline, rubric)
    told = [import_sentence(forbidden, rubric), missing_sentence(outline, rubric)]
    return " ".join(told if forbidden else told[1:]).strip()


def import_sentence(found: tuple[Finding, ...], rubric: Rubric) -> str:
    """Return the sentence about forbidden imports."""
    listed = "; ".join(f"{finding.where} {finding.message}" for finding in found[:_SHOWN])
    may = " and ".join(["the standard library", *rubric.imports.allowed])
    return f"Only {may} may be imported: {listed}."


def missing_sentence(outline: Outline, rubric: Rubric) -> str:
    """Return the sentence about modules that can only be the student's own, and were not handed in."""
    found = [one for one in outline.foreign(rubric.imports.allowed) if _is_local(one)]
    if not found:
        return ""
    listed = [f"`{printable(one.module)}` ({_finding(one).where})" for one in found[:_SHOWN]]
    be = "is" if len(listed) == 1 else "are"
    return f"It imports {' and '.join(listed)}, which {be} not among the files that were handed in."


def unreadable(client: Client) -> str | None:
    """Return why the source cannot be read as Python, or None."""
    if client.submission.problem:
        return client.submission.problem
    outline = client.outline()
    if outline.error is None:
        return None
    place = f" (line {outline.line})" if outline.line else ""
    return f"The file is not valid Python: {printable(outline.error)}{place}."
