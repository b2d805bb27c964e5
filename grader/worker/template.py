"""A process from which workers are forked: what they need is imported in it, so that a start takes a moment.

Nothing of a submission is ever in it. It obeys the judge alone, by a socket that is closed in every worker,
and ends with the judge.
"""

from __future__ import annotations

import _socket
import ast
import copy
import ctypes
import fcntl
import marshal
import os
import resource
import sys

from grader.worker import host, launch, outline, recall, rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

READY = (ast, copy, ctypes, resource, outline, recall, rules)
"""What workers import when they need it; it is here already."""

_PR_SET_PDEATHSIG, _KILL = 1, 9
_BYTES, _DESCRIPTORS = 65_536, 4


def main(descriptor: int) -> None:
    """Fork workers until the judge is gone."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, _KILL, 0, 0, 0)
    judge = _socket.socket(fileno=descriptor)
    while True:
        message, ancillary, _, _ = judge.recvmsg(_BYTES, _socket.CMSG_SPACE(4 * _DESCRIPTORS))
        if not message:
            os._exit(0)
        request, argument = marshal.loads(message)
        if request in {"fork", "launch"}:
            sent = ancillary[0][2]
            given = [int.from_bytes(sent[at : at + 4], sys.byteorder) for at in range(0, len(sent), 4)]
            become = _worker if request == "fork" else launch.main
            judge.send(marshal.dumps(_forked(judge, given, become, argument)))
        elif request == "look":
            judge.send(marshal.dumps(_state(argument)))
        else:
            judge.send(marshal.dumps(os.waitpid(argument, 0)[1]))


def _forked(judge: _socket.socket, given: list[int], become: Callable[[Any], None], argument: object) -> int:
    """Return the number of a new process in a session of its own, with the given descriptors."""
    child = os.fork()
    if child:
        for descriptor in given:
            os.close(descriptor)
        return child
    try:
        os.setsid()
        judge.close()
        moved = [fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 64) for descriptor in given]
        for descriptor in given:
            os.close(descriptor)
        for target, descriptor in enumerate(moved):
            os.dup2(descriptor, target)
        become(argument)
    finally:
        os._exit(70)


def _worker(private: str) -> None:
    os.chdir(private)
    os.environ["TMPDIR"] = private
    sys.stderr = open(2, "w", buffering=1, encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115
    host.main()


def _state(child: int) -> tuple[str, int] | None:
    """Return how a worker has ended, or None while it runs; its number stays its own."""
    ended = os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    if ended is None:
        return None
    return ("exited" if ended.si_code == os.CLD_EXITED else "killed"), ended.si_status
