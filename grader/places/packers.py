"""The packers by the names of their places: each returns the files that are uploaded there.

A pack is written to a folder that was not there before, or as a zip for the place that takes one.
"""

import base64
import io
import json
import keyword
import tarfile
import uuid
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from grader.core.course.rubric import Criterion, Rubric
from grader.core.course.submission import FILE_NAME
from grader.core.errors import UserError
from grader.course.bundle import Files, mode, write
from grader.places.material import Material, text
from grader.places.names import FOR_PROGRAMS
from grader.report.wording import number

_CHECK50_NAMES: Final = {"graded", "run_grader", "summary", "check_of", "one"} | {
    "check50", "json", "os", "site", "subprocess", "sys", "tempfile",
    "any", "globals", "int", "sorted", "str",
}  # fmt: skip
"""What the file of checks calls its own, or needs."""


def gradescope(given: Material) -> Files:
    """Return what the zip holds, at its root."""
    own = {name: given.told(f"gradescope/{name}") for name in ("setup.sh", "run_autograder")}
    return {**own, **_readme(given, "gradescope"), **given.graded("gradescope"), **_wheel(given)}


def classroom50(given: Material) -> Files:
    """Return the folder of an assignment's autograder."""
    own = {"autograder.py": text("classroom50/autograder.py")}
    return {**own, **_readme(given, "classroom50"), **given.graded("classroom50"), **_wheel(given)}


def prairielearn(given: Material) -> Files:
    """Return a question, and the image that grades it."""
    options = {
        "enabled": True,
        "image": "YOUR-REGISTRY/tictactoe-grader",
        "entrypoint": "/grade/tests/entrypoint.sh",
        "timeout": 300,
        "enableNetworking": False,
    }
    info = {
        "uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, f"tictactoe-grader/{given.rubric.title}")),
        "title": given.rubric.title,
        "topic": "Search",
        "type": "v3",
        "gradingMethod": "External",
        "externalGradingOptions": options,
    }
    tests = {"entrypoint.sh": text("prairielearn/entrypoint.sh"), **given.graded("prairielearn")}
    return {
        "question/info.json": (json.dumps(info, ensure_ascii=False, indent=2) + "\n").encode(),
        "question/question.html": text("prairielearn/question.html"),
        **{f"question/tests/{name}": content for name, content in tests.items()},
        "image/Dockerfile": text("prairielearn/Dockerfile"),
        **_wheel(given, "image/"),
        **_readme(given, "prairielearn"),
    }


def vpl(given: Material) -> Files:
    """Return the one execution file, which holds the course, and the wheel for the server."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for name, content in given.graded("vpl").items():
            about = tarfile.TarInfo(name)
            about.size = len(content)
            archive.addfile(about, io.BytesIO(content))
    packed = base64.encodebytes(stream.getvalue()).decode().rstrip()
    execution = given.told("vpl/vpl_execution").decode() + packed
    evaluate = given.told("vpl/vpl_evaluate.sh").decode().replace("{execution}", execution)
    return {"vpl_evaluate.sh": evaluate.encode(), **_wheel(given, "server/"), **_readme(given, "vpl")}


def actions(given: Material) -> Files:
    """Return a workflow, and what it grades by, for a repository."""
    inside = {**given.graded("markdown"), **_wheel(given), **_readme(given, "actions")}
    workflow = {".github/workflows/grade.yml": text("actions/grade.yml")}
    return {**workflow, **{f".github/grader/{name}": content for name, content in inside.items()}}


def check50(given: Material) -> Files:
    """Return a package of checks: one for each criterion, with the grader's own files beside them."""
    wanted = "\n".join(f'    - "{one}"' for one in given.wheel.requirements())
    config = (
        f'check50:\n  checks: checks.py\n  files:\n    - !exclude "*"\n    - !include "*.py"\n'
        f"    - !require {FILE_NAME}\n  dependencies:\n{wanted}\n"
    )
    criteria = [_criterion(one, given.rubric) for one in given.rubric.all_criteria()]
    return {
        ".cs50.yaml": config.encode(),
        "checks.py": text("check50/checks.py"),
        "criteria.json": (json.dumps(criteria, ensure_ascii=False, indent=1) + "\n").encode(),
        **given.course,
        **{f"lib/{name}": content for name, content in given.wheel.unpacked().items()},
        **_readme(given, "check50"),
    }


def _criterion(one: Criterion, rubric: Rubric) -> dict[str, Any]:
    """Return what the check of a criterion is made from."""
    bonus = rubric.is_bonus(one.id)
    safe = one.id.replace("-", "_")
    taken = safe in _CHECK50_NAMES or keyword.iskeyword(safe)
    return {
        "id": one.id,
        "name": f"{safe}_" if taken else safe,
        "about": f"{one.id}: {one.description} ({number(one.points)} {'bonus ' if bonus else ''}points)",
        "bonus": bonus,
        "by_hand": one.by_hand,
    }


def _readme(given: Material, place: str) -> Files:
    return {"README.md": given.told(f"{place}/README.md")}


def _wheel(given: Material, folder: str = "") -> Files:
    return {f"{folder}{given.wheel.name}": given.wheel.content}


_ALL: Final = (gradescope, classroom50, check50, prairielearn, vpl, actions)
PACKERS: Final[dict[str, Callable[[Material], Files]]] = {packer.__name__: packer for packer in _ALL}

_ZIPPED: Final = "gradescope"
_LIMIT: Final = {"classroom50": 10_000_000}
"""What a place takes at most, in bytes, packed."""


def pack(place: str, files: Files, out: Path) -> list[str]:
    """Write everything that a place needs; return the names of the files, the grader's own left out."""
    refuse(place, out)
    limit = _LIMIT.get(place)
    if limit and len(zipped(files)) > limit:
        raise UserError(f"the pack has more than the {limit / 1e6:g} MB that {place} takes: leave files out")
    try:
        if place == _ZIPPED:
            out.write_bytes(zipped(files))
        else:
            write(files, out)
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", file=Path(error.filename or out)) from None
    return sorted(name for name in files if not name.startswith("lib/"))


def refuse(place: str, out: Path) -> None:
    """Raise UserError if something is there already, or nothing can be written there."""
    there = any(out.iterdir()) if out.is_dir() else out.exists()
    if there:
        raise UserError("is there already, and is not overwritten: name a new one", file=out)
    if place == _ZIPPED and (out.suffix != ".zip" or out.is_dir()):
        raise UserError(f"{place} takes a zip: name a file that ends in .zip", file=out)
    if place == _ZIPPED and not out.resolve().parent.is_dir():
        raise UserError("no such folder to write to", file=out)


def refuse_kind(place: str, rubric: Rubric) -> None:
    """Raise UserError for a place that cannot grade what is handed in by a rubric."""
    if rubric.kind == "program" and place not in FOR_PROGRAMS:
        raise UserError(
            f"{place} hands over one Python file and has no compilers, so no program can be graded there: "
            f"pack for {', '.join(FOR_PROGRAMS)}"
        )


def zipped(files: Files) -> bytes:
    """Return the files as a zip, those that are run with leave to be."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            about = zipfile.ZipInfo(name)
            about.external_attr = (0o100000 | mode(content)) << 16
            archive.writestr(about, content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()
