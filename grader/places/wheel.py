"""This grader as a wheel: built from a checkout, or made again from what is installed."""

import base64
import hashlib
import io
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from email.parser import Parser
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from grader.core.errors import GraderFault, UserError
from grader.course.shipped import ROOT

_NAME: Final = "tictactoe-grader"
_OF_AN_INSTALLATION: Final = {"INSTALLER", "REQUESTED", "RECORD", "direct_url.json", "uv_cache.json"}
"""Files that tell how a package was installed, and are not of the package."""

_TIMEOUT: Final = 300

_STUDENTS: Final = "+students"
_NOT_FOR_STUDENTS: Final = ("grader/shipped/", "grader/audit/", "grader/benchmark/")
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

    def unpacked(self) -> dict[str, bytes]:
        """Return the files of the package."""
        return {name: content for name, content in self.files().items() if ".dist-info/" not in name}

    def requirements(self) -> list[str]:
        """Return what the package needs to run, as pip understands it."""
        (content,) = (text for name, text in self.files().items() if name.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(content.decode())
        return [one for one in metadata.get_all("Requires-Dist") or () if "extra ==" not in one]


@cache
def wheel() -> Wheel:
    """Return this grader as a wheel."""
    return _built(ROOT) if (ROOT / "pyproject.toml").is_file() else remade(_installed())


def _built(checkout: Path) -> Wheel:
    """Return the wheel of a checkout."""
    # With the builder at hand nothing is downloaded for it.
    alone = [] if find_spec("hatchling") is None else ["--no-build-isolation"]
    with tempfile.TemporaryDirectory(prefix="tictactoe-wheel-") as folder:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet", "--no-deps"]
        command = [*pip, *alone, "--wheel-dir", folder, str(checkout)]
        try:
            done = subprocess.run(
                command, cwd=folder, capture_output=True, text=True, timeout=_TIMEOUT, check=False
            )
        except subprocess.TimeoutExpired:
            raise GraderFault(f"pip did not build the wheel within {_TIMEOUT} seconds") from None
        found = sorted(Path(folder).glob("*.whl"))
        if done.returncode or len(found) != 1:
            said = done.stderr.strip().splitlines()
            why = said[-1] if said else "pip failed"
            raise UserError(f"the wheel cannot be built, and 'pip install hatchling' may help: {why}")
        return Wheel(found[0].name, found[0].read_bytes())


def _installed() -> Distribution:
    try:
        return distribution(_NAME)
    except PackageNotFoundError:
        why = f"{_NAME} is not installed as a package, so it cannot be packed: pip install it"
        raise UserError(why) from None


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
        package, _, rest = name.partition(".dist-info/")
        if rest == "METADATA":
            told = content.decode().replace(f"\nVersion: {given.version}\n", f"\nVersion: {version}\n", 1)
            files[f"{_info(version)}/{rest}"] = told.encode()
        elif rest and rest != "RECORD":
            files[f"{_info(version)}/{rest}"] = content
        elif not rest and not package.startswith(_NOT_FOR_STUDENTS):
            files[package] = content
    return _zipped(files, version)


def _info(version: str) -> str:
    return f"{_NAME.replace('-', '_')}-{version}.dist-info"


def _zipped(files: dict[str, bytes], version: str) -> Wheel:
    """Return files as a wheel, with the record of them."""
    stream, record = io.BytesIO(), []
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(content)}")
        lines = [*record, f"{_info(version)}/RECORD,,", ""]
        archive.writestr(zipfile.ZipInfo(f"{_info(version)}/RECORD"), "\n".join(lines), zipfile.ZIP_DEFLATED)
    return Wheel(f"{_NAME.replace('-', '_')}-{version}-py3-none-any.whl", stream.getvalue())
