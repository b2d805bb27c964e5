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

from grader.course.shipped import ROOT
from grader.errors import GraderFault, UserError

_NAME: Final = "tictactoe-grader"
_OF_AN_INSTALLATION: Final = {"INSTALLER", "REQUESTED", "RECORD", "direct_url.json", "uv_cache.json"}
"""Files that tell how a package was installed, and are not of the package."""

_PATIENCE: Final = 300


@dataclass(frozen=True)
class Wheel:
    """A wheel by its name, as bytes."""

    name: str
    content: bytes

    def unpacked(self) -> dict[str, bytes]:
        """Return the files of the package."""
        with zipfile.ZipFile(io.BytesIO(self.content)) as archive:
            return {name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name}

    def requirements(self) -> list[str]:
        """Return what the package needs to run, as pip understands it."""
        with zipfile.ZipFile(io.BytesIO(self.content)) as archive:
            (name,) = (one for one in archive.namelist() if one.endswith(".dist-info/METADATA"))
            metadata = Parser().parsestr(archive.read(name).decode())
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
        try:
            done = subprocess.run(
                [*pip, *alone, "--wheel-dir", folder, str(checkout)],
                cwd=folder,
                capture_output=True,
                text=True,
                timeout=_PATIENCE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise GraderFault(f"pip did not build the wheel within {_PATIENCE} seconds") from None
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
        raise UserError(
            f"{_NAME} is not installed as a package, so it cannot be packed: pip install it"
        ) from None


def remade(installed: Distribution) -> Wheel:
    """Return the wheel that an installed package came from, made again from its files."""
    stream, record = io.BytesIO(), []
    version = installed.version
    info = f"{_NAME.replace('-', '_')}-{version}.dist-info"
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(installed.files or (), key=str):
            name = file.as_posix()
            if name.startswith("..") or "__pycache__" in name or file.name in _OF_AN_INSTALLATION:
                continue
            content = Path(str(file.locate())).read_bytes()
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(content)}")
        lines = [*record, f"{info}/RECORD,,", ""]
        archive.writestr(zipfile.ZipInfo(f"{info}/RECORD"), "\n".join(lines), zipfile.ZIP_DEFLATED)
    return Wheel(f"{_NAME.replace('-', '_')}-{version}-py3-none-any.whl", stream.getvalue())
