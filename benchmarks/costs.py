"""What something costs: processor time, the same beside something else, and memory."""

import gc
import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise

from grader.course.courses import ROOT


def processor_seconds() -> float:
    """Return the processor time of this process and of those that it has waited for."""
    usages = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def cost_of(work: Callable[[], object]) -> float:
    """Return the processor time that something takes."""
    before = processor_seconds()
    work()
    return processor_seconds() - before


def compared(one: Callable[[], float], other: Callable[[], float], rounds: int) -> float:
    """Return the cost of the one divided by that of the other: the lower quartile of some rounds.

    The other is measured before and after the one: a machine's pace changes from one second to the next, and
    slows one kind of work more than another. Python does not look for garbage meanwhile: what that costs
    depends on what earlier tests left in memory.
    """
    gc.collect()
    gc.disable()
    try:
        others, ones = [other()], list[float]()
        for _ in range(rounds):
            ones.append(one())
            others.append(other())
    finally:
        gc.enable()
    ratios = sorted(2 * cost / sum(pair) for cost, pair in zip(ones, pairwise(others), strict=True))
    return ratios[rounds // 4]


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
