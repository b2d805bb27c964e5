"""What memory a command takes at most."""

import subprocess
import sys
from collections.abc import Sequence

from grader.course.courses import ROOT

_SMALL_PARENT = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)
"""
"""A process is born with the peak of the one that starts it: a large one would be measured itself."""


def megabytes_of(command: Sequence[str]) -> float:
    """Run a command in the checkout; return the megabytes that it, or a process of its own, took at most."""
    small = [sys.executable, "-S", "-c", _SMALL_PARENT, *command]
    done = subprocess.run(small, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    return int(done.stdout) / 1000
