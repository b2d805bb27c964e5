"""A process from which workers are forked: what they need is imported in it, so that a start takes a moment.

Nothing of a submission is ever in it. It obeys the judge alone, by a socket that is closed in every worker,
and ends with the judge.
"""

from __future__ import annotations

import _socket
import ast
import copy
import ctypes
import marshal
import os
import resource
import sys

from grader.worker import host, outline, recall, rules

READY = (ast, copy, ctypes, resource, outline, recall, rules)
"""What workers import when they need it; it is here already."""

_PR_SET_PDEATHSIG, _KILL = 1, 9
_BYTES, _DESCRIPTORS = 4_096, 3


def main(descriptor: int) -> None:
    """Fork workers until the judge is gone."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, _KILL, 0, 0, 0)
    judge = _socket.socket(fileno=descriptor)
    while True:
        message, ancillary, _, _ = judge.recvmsg(_BYTES, _socket.CMSG_SPACE(4 * _DESCRIPTORS))
        if not message:
            os._exit(0)
        request, argument = marshal.loads(message)
        if request == "fork":
            sent = ancillary[0][2]
            pipes = [int.from_bytes(sent[at : at + 4], sys.byteorder) for at in (0, 4, 8)]
            judge.send(marshal.dumps(_forked(judge, argument, pipes)))
        elif request == "look":
            judge.send(marshal.dumps(_state(argument)))
        else:
            judge.send(marshal.dumps(os.waitpid(argument, 0)[1]))


def _forked(judge: _socket.socket, private: str, pipes: list[int]) -> int:
    """Return the number of a new worker, whose input, output and errors are these pipes."""
    child = os.fork()
    if child:
        for pipe in pipes:
            os.close(pipe)
        return child
    try:
        os.setsid()
        judge.close()
        for target, pipe in enumerate(pipes):
            os.dup2(pipe, target)
            os.close(pipe)
        os.chdir(private)
        os.environ["TMPDIR"] = private
        sys.stderr = open(2, "w", buffering=1, encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115
        host.main()
    finally:
        os._exit(70)


def _state(child: int) -> tuple[str, int] | None:
    """Return how a worker has ended, or None while it runs; its number stays its own."""
    ended = os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    if ended is None:
        return None
    return ("exited" if ended.si_code == os.CLD_EXITED else "killed"), ended.si_status
