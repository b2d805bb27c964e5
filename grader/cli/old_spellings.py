"""Command lines of version 0.7, in which jobs were options; to be deleted with version 0.9."""

import shlex
import sys
from collections.abc import Sequence
from typing import Final

from grader.cli.jobs import called

_JOBS: Final = {
    "--mark": ("mark", 0),
    "--courses": ("course list", 0),
    "--init": ("course init", 1),
    "--schema": ("course schema", 1),
    "--pack": ("pack", 2),
    "--sandbox": ("sandbox", 0),
    "--play": ("play", 0),
    "--audit": ("audit", 0),
    "--watch": ("watch", 0),
    "--benchmark": ("benchmark", 0),
}
"""The job that each option became, and how many values it had."""


def translated(words: Sequence[str]) -> list[str] | None:
    """Return a command line with the name of its job if it is an old one, else None."""
    split = [part for word in words for part in _split(word)]
    old = next((name for name in _JOBS if name in split), None)
    if old:
        job, count = _JOBS[old]
        at = split.index(old)
        values, others = split[at + 1 : at + 1 + count], split[:at] + split[at + 1 + count :]
        return [*job.split(), *values, *others]
    if "--plot" in split:
        return ["benchmark", *split]
    return _diff(split) if "--diff" in split else None


def _split(word: str) -> list[str]:
    """Return an option and its value apart where they are one word."""
    name, equals, value = word.partition("=")
    return [name, value] if equals and name in {*_JOBS, "--diff", "--out", "--student"} else [word]


def _diff(words: list[str]) -> list[str] | None:
    """Return `--diff OLD --out NEW [--student NAME]`, which graded nobody, as the job that it became."""
    values = {"--diff": "", "--out": "grades", "--student": ""}
    left = iter(words)
    for word in left:
        if word not in values:
            return None  # a class is graded, too
        values[word] = next(left, "")
    student = ["--student", values["--student"]] if values["--student"] else []
    return ["diff", values["--diff"], values["--out"], *student]


def announce(words: Sequence[str]) -> None:
    """Print how a command line is written now."""
    print(f"note: this is now written: {called()} {shlex.join(words)}", file=sys.stderr)
