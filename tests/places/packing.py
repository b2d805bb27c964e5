"""Packs for the tests: made by the command as an instructor makes them, and run in the folders of their places."""

import os
import shutil
import site
import stat
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grader.cli.main import main
from grader.grading.session import Settings, check_configuration
from grader.places.packers import Material, material

# runs a command without a network, where the machine allows that
OFFLINE = ["unshare", "--net", "--map-root-user"]


def course_options(settings: Settings) -> list[str]:
    """Return the options that name a course."""
    return ["--rubric", str(settings.rubric_file), "--fixtures", str(settings.fixtures)]


def packed(place: str, settings: Settings, out: Path) -> Path:
    """Return a pack by the given rubric."""
    assert main(["pack", place, str(out), *course_options(settings)]) == 0
    return out


def made(place: str, settings: Settings) -> Material:
    """Return what a pack by the given rubric is made of."""
    return material(place, settings.rubric_file, settings.fixtures, check_configuration(settings))


def unzipped(archive: Path, folder: Path) -> Path:
    """Unpack a zip as `unzip` does, with the leave to be run."""
    with zipfile.ZipFile(archive) as opened:
        for about in opened.infolist():
            file = Path(opened.extract(about, folder))
            file.chmod(about.external_attr >> 16 & 0o777)
    return folder


def published(pack: Path, folder: Path, slug: str) -> Path:
    """Return a folder as Classroom 50 hands it to a runner: in an archive with one folder at its top."""
    archive = folder / f"{slug}.tar.gz"
    with tarfile.open(archive, "w:gz") as opened:
        opened.add(pack, slug)
    assert archive.stat().st_size < 10_000_000
    with tarfile.open(archive) as opened:
        opened.extraction_filter = getattr(tarfile, "data_filter", lambda member, path: member)
        opened.extractall(folder / "bundle")
    return folder / "bundle" / slug


def program(file: Path, text: str) -> Path:
    """Write a program that can be run."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o755)
    return file


def installed(wheel: Path, environment: Path) -> None:
    """Install a wheel in an environment of its own, which borrows what the grader depends on."""
    venv.create(environment, symlinks=True)
    python = environment / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "--python", str(python)]
    subprocess.run([*pip, "install", "--no-deps", "--no-index", str(wheel)], check=True)
    (packages,) = (environment / "lib").glob("python*/site-packages")
    (packages / "borrowed.pth").write_text("\n".join(site.getsitepackages()))


def this_grader(folder: Path) -> Path:
    """Return a command that is this grader, as if it were installed there."""
    return program(folder / "tictactoe-grader", f'#!/bin/sh\nexec {sys.executable} -m grader "$@"\n')


def run(*command: str | Path, cwd: Path, **around: str | Path) -> "subprocess.CompletedProcess[str]":
    """Run a program with hardly any environment."""
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin"} | {
        name: str(value) for name, value in around.items()
    }
    how: dict[str, Any] = {"cwd": cwd, "env": environment, "timeout": 300}
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **how)


def offline() -> list[str]:
    """Return what is put before a command to run it without a network, if that can be done here."""
    can = (
        shutil.which("unshare")
        and not subprocess.run([*OFFLINE, "true"], check=False, capture_output=True).returncode
    )
    return OFFLINE if can else []


def pips() -> Mapping[str, str]:
    """Return what tells pip where packages are, of this environment."""
    return {name: value for name, value in os.environ.items() if name.startswith("PIP_") or name == "HOME"}


def is_program(file: Path) -> bool:
    return bool(file.stat().st_mode & stat.S_IXUSR)
