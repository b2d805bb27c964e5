"""Packers by the names of their places, and what every pack is made of: the wheel, the rubric, its cases.

Each packer returns the files that are uploaded there. A pack is
written to a folder that was not there before, or as a zip for the place that takes one.
"""

import base64
import hashlib
import io
import json
import keyword
import re
import subprocess
import sys
import tarfile
import tempfile
import uuid
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from email.parser import Parser
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from grader.core.course.course import Listed
from grader.core.course.rubric import Criterion, Rubric
from grader.core.course.submission import FILE_NAME
from grader.core.errors import GraderFault, UserError
from grader.core.messages import ENGLISH, _, figure, in_language, own_text
from grader.course import cases, rubric_files
from grader.course.bundle import Files, mode, public, whole, write
from grader.course.courses import ROOT
from grader.places import FOR_INSTRUCTORS, FOR_PROGRAMS, HIDES_CASES, WRITTEN_FOR
from grader.places.place_report import of_failure
from grader.places.writers import text_for
from grader.report.pages import as_json, environment, messages_in
from grader.report.wording import number

_NAME: Final = "tictactoe-grader"
# files about the installation, which are not part of the package
_OF_AN_INSTALLATION: Final = {"INSTALLER", "REQUESTED", "RECORD", "direct_url.json", "uv_cache.json"}
# seconds in which pip builds a wheel: on a busy machine the interpreter for WebAssembly takes minutes
_TIMEOUT: Final = 1_800
_STUDENTS: Final = "+students"
_NOT_FOR_STUDENTS: Final = ("grader/shipped/", "grader/audit.py", "grader/benchmark.py")
"""The reference, the shipped cases, and what is made from them: no submission is graded with these.

The oracle stays, for it is what grades: it knows the game on boards of its own, and no function of the
assignment.
"""

_LEFT_OUT_FILE: Final = "grader/shipped/README.md"
_LEFT_OUT: Final = """\
This is the grader that students may read: it has no reference engine, no rubric and no cases of its own.
Name what is graded, `--rubric` and `--fixtures`.
"""


@dataclass(frozen=True)
class Wheel:
    """A wheel by its name, as bytes."""

    name: str
    content: bytes

    @property
    def version(self) -> str:
        """The package's version, as it stands in the name."""
        return self.name.split("-")[1]

    def files(self) -> dict[str, bytes]:
        """Return everything in it."""
        with zipfile.ZipFile(io.BytesIO(self.content)) as archive:
            return {name: archive.read(name) for name in archive.namelist()}

    def requirements(self) -> list[str]:
        """Return what the package needs to run, as pip understands it."""
        (content,) = (text for name, text in self.files().items() if name.endswith(".dist-info/METADATA"))
        needed = Parser().parsestr(content.decode()).get_all("Requires-Dist") or ()
        return [requirement for requirement in needed if "extra ==" not in requirement]


@cache
def wheel() -> Wheel:
    """Return this grader as a wheel."""
    if (ROOT / "pyproject.toml").is_file():
        return _built(ROOT)
    try:
        return remade(distribution(_NAME))
    except PackageNotFoundError:
        why = _("{name} is not installed as a package, so it cannot be packed: pip install it", name=_NAME)
        raise UserError(why) from None


def _built(checkout: Path) -> Wheel:
    """Return the wheel of a checkout."""
    # With the builder at hand nothing is downloaded for it.
    alone = [] if find_spec("hatchling") is None else ["--no-build-isolation"]
    with tempfile.TemporaryDirectory(prefix="tictactoe-wheel-") as folder:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet", "--no-deps"]
        command = [*pip, *alone, "--wheel-dir", folder, str(checkout)]
        how: dict[str, Any] = {"encoding": "utf-8", "errors": "replace", "timeout": _TIMEOUT}
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, check=False, **how)
        except subprocess.TimeoutExpired:
            why = _("pip did not build the wheel within {seconds} seconds", seconds=_TIMEOUT)
            raise GraderFault(why) from None
        found = sorted(Path(folder).glob("*.whl"))
        if done.returncode or len(found) != 1:
            why = (done.stderr.strip().splitlines() or [_("pip failed")])[-1]
            raise UserError(
                _("the wheel cannot be built, and 'pip install hatchling' may help: {why}", why=why)
            )
        return Wheel(found[0].name, found[0].read_bytes())


def remade(installed: Distribution) -> Wheel:
    """Return the wheel that an installed package came from, made again from its files."""
    files = {}
    for file in sorted(installed.files or (), key=str):
        name = file.as_posix()
        if name.startswith("..") or "__pycache__" in name or file.name in _OF_AN_INSTALLATION:
            continue
        files[name] = Path(str(file.locate())).read_bytes()
    return _zipped(files, installed.version)


def for_students(given: Wheel) -> Wheel:
    """Return the wheel that students may read: it grades, and there is no solution in it and no case."""
    version = f"{given.version.removesuffix(_STUDENTS)}{_STUDENTS}"
    files = {_LEFT_OUT_FILE: _LEFT_OUT.encode()}
    for name, content in given.files().items():
        file, _, about = name.partition(".dist-info/")
        if about == "METADATA":
            before, after = (f"\nVersion: {known}\n".encode() for known in (given.version, version))
            files[f"{_info(version)}/{about}"] = content.replace(before, after, 1)
        elif about and about != "RECORD":
            files[f"{_info(version)}/{about}"] = content
        elif not about and not file.startswith(_NOT_FOR_STUDENTS):
            files[file] = content
    return _zipped(files, version)


def _info(version: str) -> str:
    return f"{_NAME.replace('-', '_')}-{version}.dist-info"


def _zipped(files: dict[str, bytes], version: str) -> Wheel:
    """Return files as a wheel, with the record of them."""
    record = ""
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    own = f"{_info(version)}/RECORD"
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in {**files, own: f"{record}{own},,\n".encode()}.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return Wheel(f"{_NAME.replace('-', '_')}-{version}-py3-none-any.whl", stream.getvalue())


PACKS: Final = Path(__file__).resolve().parent / "packs"
_HANDED_IN: Final = {
    "functions": "`tictactoe.py`, alone or with other files",
    "program": "a folder with the program",
}
# what students hand in, and what is installed for it, by the rubric's kind
_COMPILERS: Final = {"functions": "", "program": "default-jdk-headless nodejs g++ make"}


@dataclass(frozen=True)
class Material:
    """All that a pack is made of."""

    rubric: Rubric
    wheel: Wheel
    course: Files  # the rubric, its cases and what it names, below `course/`
    not_graded: dict[str, str]  # the file of each place if the grader does not finish
    left_out: int = 0  # how many hidden cases are not in it, because students can read it

    def graded(self, place: str) -> Files:
        """Return what grades for a place: the script, the course, and the file for a run without a grade."""
        not_graded = {f"not-graded/{place}": self.not_graded[place].encode()}
        return {"grade.sh": text("grade.sh"), **self.course, **not_graded}

    def filled(self, file: str) -> bytes:
        """Return one of our own files, which are in English, with values of the rubric in it."""
        rubric = self.rubric
        left_out = left_out_sentence(self.left_out)
        # where a container lacks the native sandbox, submissions run in WebAssembly
        uses_wasm = (
            rubric.kind == "functions" and not rubric.imports.allowed and rubric.sandbox_kind != "native"
        )
        beside = [f"`{name}`" for name in self.course if Path(name).suffix != ".yaml"]
        with in_language(ENGLISH):
            known = {
                "title": rubric.title,
                "points": number(rubric.scale_to or rubric.points),
                "most": number(sum(criterion.points for criterion in rubric.all_criteria())),
                "handed_in": _HANDED_IN[rubric.kind],
                "compilers": _COMPILERS[rubric.kind],
                "extra": "[wasm]" if uses_wasm else "",
                "left_out": f"{left_out}, and the points are given for the others."
                if left_out
                else "No case is hidden.",
                "beside": f", {', '.join(beside)}" if beside else "",
            }
        return filled(file, known)

    def sentences(self, file: str) -> Files:
        """Return what one of our own scripts says in the language of the rubric; nothing in English."""
        with in_language(self.rubric.language):
            found = messages_in(text(file).decode())
            sentences = {".": figure("."), **json.loads(found)} if found else {}
        return {"sentences.json": as_json(sentences).encode()} if sentences else {}

    def readme(self, place: str) -> Files:
        """Return what is left for the instructor to do."""
        return {"README.md": self.filled(f"{place}/README.md")}

    def wheel_in(self, folder: str = "") -> Files:
        """Return the grader as a wheel in a folder."""
        return {f"{folder}{self.wheel.name}": self.wheel.content}

    def whole(self, place: str, output: str = "") -> Files:
        """Return all that most places need: the script and the course, the wheel, and what is left to do.

        The script writes for the place, or what another one reads.
        """
        return {**self.readme(place), **self.graded(output or place), **self.wheel_in()}


def filled(file: str, known: Mapping[str, str]) -> bytes:
    """Return one of our own files with values in the places of their names in braces."""
    found = text(file).decode()
    for name, value in known.items():
        found = found.replace(f"{{{name}}}", value)
    return found.encode()


def left_out_sentence(hidden: int) -> str:
    """Return how many hidden cases are not in a pack, as a README begins to say it; nothing if none are."""
    if not hidden:
        return ""
    return "1 hidden case is left out" if hidden == 1 else f"{hidden} hidden cases are left out"


def text(file: str) -> bytes:
    """Return one of our own files as it is."""
    return (PACKS / file).read_bytes()


def material(place: str, rubric_file: Path, fixtures: Path, listed: Sequence[Listed]) -> Material:
    """Return everything for a pack that grades by this rubric and these cases, as they were listed."""
    loaded = rubric_files.load(rubric_file)
    if not listed:
        raise UserError(_("no cases in this folder"), file=fixtures)
    found = list(cases.load_all(fixtures, loaded))
    if place in HIDES_CASES:
        course, left_out = whole(rubric_file, fixtures), 0
    else:
        course, left_out = public(rubric_file, fixtures, listed), sum(case.hidden for case in listed)
        found = [case for case in found if case.question.visibility == "public"]
    with in_language(loaded.language):
        unfinished = of_failure("", "", loaded, found)
    return Material(
        loaded,
        wheel() if place in FOR_INSTRUCTORS else for_students(wheel()),
        {f"course/{name}": content for name, content in course.items()},
        {name: text_for(name, unfinished) for name in WRITTEN_FOR},
        left_out,
    )


_CHECK50_NAMES: Final = {"graded", "run_grader", "summary", "check_of", "criterion"} | {
    "check50", "json", "os", "site", "subprocess", "sys", "tempfile",
    "any", "globals", "int", "sorted", "str",
}  # fmt: skip
"""What the file of checks calls its own, or needs."""


def gradescope(given: Material) -> Files:
    """Return what the zip holds, at its root."""
    own = {name: given.filled(f"gradescope/{name}") for name in ("setup.sh", "run_autograder")}
    return {**own, **given.whole("gradescope")}


def classroom50(given: Material) -> Files:
    """Return the folder of an assignment's autograder."""
    script = "classroom50/autograder.py"
    return {"autograder.py": text(script), **given.sentences(script), **given.whole("classroom50")}


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
    with in_language(given.rubric.language):
        task = str(environment().filters["ticks"](_("Hand in your `tictactoe.py`.")))
    return {
        "question/info.json": (json.dumps(info, ensure_ascii=False, indent=2) + "\n").encode(),
        "question/question.html": filled("prairielearn/question.html", {"task": task}),
        **{f"question/tests/{name}": content for name, content in tests.items()},
        "image/Dockerfile": given.filled("prairielearn/Dockerfile"),
        **given.wheel_in("image/"),
        **given.readme("prairielearn"),
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
    wrong_maximum = _in_shell(given.rubric)
    execution = given.filled("vpl/vpl_execution").decode().replace("{other_maximum}", wrong_maximum) + packed
    evaluate = given.filled("vpl/vpl_evaluate.sh").decode().replace("{execution}", execution)
    return {"vpl_evaluate.sh": evaluate.encode(), **given.wheel_in("server/"), **given.readme("vpl")}


def _in_shell(rubric: Rubric) -> str:
    """Return what a student reads where the activity has another maximum: a text between double quotes."""
    given, points = "$VPL_GRADEMAX", rubric.scale_to or rubric.points
    with in_language(rubric.language):
        sentence = _(
            "There is no grade: the activity's maximum is {given}, but the rubric gives {points}.",
            given=given,
            points=number(points),
        )
    return given.join(re.sub(r'([\\"`$])', r"\\\1", part) for part in sentence.split(given))


def actions(given: Material) -> Files:
    """Return a workflow, and what it grades by, for a repository."""
    inside = {
        f".github/grader/{name}": content for name, content in given.whole("actions", "markdown").items()
    }
    return {".github/workflows/grade.yml": text("actions/grade.yml"), **inside}


def check50(given: Material) -> Files:
    """Return a package of checks: one for each criterion, with the grader's own files beside them."""
    wanted = "\n".join(f'    - "{requirement}"' for requirement in given.wheel.requirements())
    config = (
        f'check50:\n  checks: checks.py\n  files:\n    - !exclude "*"\n    - !include "*.py"\n'
        f"    - !require {FILE_NAME}\n  dependencies:\n{wanted}\n"
    )
    criteria = [_criterion(criterion, given.rubric) for criterion in given.rubric.all_criteria()]
    package = {name: content for name, content in given.wheel.files().items() if ".dist-info/" not in name}
    return {
        ".cs50.yaml": config.encode(),
        "checks.py": text("check50/checks.py"),
        **given.sentences("check50/checks.py"),
        "criteria.json": (json.dumps(criteria, ensure_ascii=False, indent=1) + "\n").encode(),
        **given.course,
        **{f"lib/{name}": content for name, content in package.items()},
        **given.readme("check50"),
    }


def _criterion(criterion: Criterion, rubric: Rubric) -> dict[str, Any]:
    """Return what the check of a criterion is made from, in the language of the rubric."""
    name, bonus = criterion.id, rubric.is_bonus(criterion.id)
    with in_language(rubric.language):
        about = {"criterion": name, "description": own_text(criterion.description)}
        about["points"] = number(criterion.points)
        if bonus:
            title = _("{criterion}: {description} ({points} bonus points)", **about)
        else:
            title = _("{criterion}: {description} ({points} points)", **about)
    function = name.replace("-", "_")
    function += "_" * (function in _CHECK50_NAMES or keyword.iskeyword(function))
    return {"id": name, "name": function, "about": title, "bonus": bonus, "by_hand": criterion.by_hand}


_ALL: Final = (gradescope, classroom50, check50, prairielearn, vpl, actions)
PACKERS: Final[dict[str, Callable[[Material], Files]]] = {packer.__name__: packer for packer in _ALL}

_ZIPPED: Final = "gradescope"
_MOST_BYTES: Final = 10_000_000  # what Classroom 50 takes at most, packed


def pack(place: str, files: Files, out: Path) -> list[str]:
    """Write everything that a place needs; return the names of the files, the grader's own left out."""
    refuse(place, out)
    if place == "classroom50" and len(zipped(files)) > _MOST_BYTES:
        about = {"limit": _MOST_BYTES / 1e6, "place": place}
        raise UserError(
            _("the pack has more than the {limit:g} MB that {place} takes: leave files out", **about)
        )
    try:
        if place == _ZIPPED:
            out.write_bytes(zipped(files))
        else:
            write(files, out)
    except OSError as error:
        why = _("cannot be written: {why}", why=error.strerror)
        raise UserError(why, file=Path(error.filename or out)) from None
    return sorted(name for name in files if not name.startswith("lib/"))


def refuse(place: str, out: Path) -> None:
    """Raise UserError if something is there already, or nothing can be written there."""
    if any(out.iterdir()) if out.is_dir() else out.exists():
        raise UserError(_("is there already, and is not overwritten: name a new one"), file=out)
    if place == _ZIPPED and (out.suffix != ".zip" or out.is_dir()):
        raise UserError(_("{place} takes a zip: name a file that ends in .zip", place=place), file=out)
    if place == _ZIPPED and not out.resolve().parent.is_dir():
        raise UserError(_("no such folder to write to"), file=out)


def refuse_kind(place: str, rubric: Rubric) -> None:
    """Raise UserError for a place that cannot grade what is handed in by a rubric."""
    if rubric.kind == "program" and place not in FOR_PROGRAMS:
        raise UserError(
            _(
                "{place} hands over one Python file and has no compilers, so no program can be graded there: "
                "pack for {places}",
                place=place,
                places=", ".join(FOR_PROGRAMS),
            )
        )


def zipped(files: Files) -> bytes:
    """Return the files as a zip, those that are run with leave to be."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            about = zipfile.ZipInfo(name)
            about.create_system = 3  # Unix: else nobody obeys the modes of a zip that was made on Windows
            about.external_attr = (0o100000 | mode(content)) << 16
            archive.writestr(about, content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()
