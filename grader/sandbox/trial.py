"""Packages tried inside the wall, before anybody is graded: do they load there, and what do they take?"""

from dataclasses import replace
from functools import cache
from typing import Final

from grader.core.asking.carrier import Packages
from grader.core.asking.client import Client
from grader.core.asking.reply import Lost, Raised, Reply, Returned
from grader.core.course.rubric import Limits
from grader.core.course.submission import NOWHERE, Submission
from grader.core.messages import _
from grader.sandbox.packages import Unusable, installed
from grader.sandbox.process import Process

_SOURCE: Final = b"def load(module):\n    __import__(module)\n"
_LIMITS: Final = Limits(deadline=120.0, total=600.0, memory_mb=16_384)


@cache
def tried(modules: tuple[str, ...]) -> Packages:
    """Return where modules are, and what memory they take; raise Unusable for one that cannot be had."""
    found = installed(modules)
    if not found.places:
        return found
    with Client(Submission("trial", NOWHERE, _SOURCE), _LIMITS, Process, found) as client:
        client.load_failure()
        before = client.worker.peak_mb
        for module in modules:
            reply = client.call("load", module)
            if not isinstance(reply, Returned):
                told = _(
                    "'imports.allowed' names {module}, which does not work inside the sandbox ({why}): "
                    "take it out",
                    module=module,
                    why=_why(reply),
                )
                raise Unusable(module, told)
        return replace(found, memory_mb=client.worker.peak_mb - before)


def _why(reply: Reply) -> str:
    if isinstance(reply, Raised):
        return f"{reply.error}: {reply.message}" if reply.message else reply.error
    return reply.detail if isinstance(reply, Lost) else str(reply)
