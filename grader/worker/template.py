"""A process from which workers are forked: what they need is imported in it, so that a start takes a moment.

Nothing of a submission is ever in it, and no answer. It obeys the judge alone, by a socket that is closed in
every worker. When the judge is gone, however it went, it ends all that it has forked, and then itself. It
adopts what a program leaves behind, so that nothing outlives the group that it was started in.
"""

import _socket
import copy
import ctypes
import fcntl
import marshal
import os
import resource
import sys

from grader.worker import calling, confine, launch, recall, serve, source_outline
from grader.worker.own import *

READY = (copy, ctypes, resource, source_outline, recall)
"""What workers import when they need it; it is here already."""

_PR_SET_CHILD_SUBREAPER, _KILL = 36, 9
_BYTES, _DESCRIPTORS = 65_536, 4
_MOST = 64
"""No descriptor of a template is as high as that."""


def main(descriptor: int) -> None:
    """Fork workers until the judge is gone."""
    confine.close_others((0, 1, 2, descriptor))
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    judge = _socket.socket(fileno=descriptor)
    os.set_inheritable(descriptor, False)
    forked: dict[int, str] = {}
    calling.draw_boards()
    try:
        _serve(judge, forked)
    finally:  # the judge is gone, however it went
        if forked:  # it ended in the middle of a grade
            import shutil

            for child, folder in forked.items():
                _end(child)
                shutil.rmtree(folder, ignore_errors=True)
        os._exit(0)


def _serve(judge: _socket.socket, forked: dict[int, str]) -> None:
    """Do what the judge asks for, until it hangs up; keep who was forked, and in which private folder."""
    while True:
        message, ancillary, _, _ = judge.recvmsg(_BYTES, _socket.CMSG_SPACE(4 * _DESCRIPTORS))
        if not message:
            return
        request, argument = marshal.loads(message)
        if request in {"fork", "launch"}:
            sent = ancillary[0][2]
            given = [int.from_bytes(sent[at : at + 4], sys.byteorder) for at in range(0, len(sent), 4)]
            become = _worker if request == "fork" else launch.main
            child = _forked(given, become, argument)
            forked[child] = argument if request == "fork" else argument["folder"]
            judge.send(marshal.dumps(child))
        elif request == "look":
            judge.send(marshal.dumps(_state(argument)))
        else:
            _end(argument)
            forked.pop(argument, None)
            judge.send(marshal.dumps(None))


def _forked(given: list[int], become: "Callable[[Any], None]", argument: object) -> int:
    """Return the number of a new process in a session of its own, with the given descriptors alone."""
    child = os.fork()
    if child:
        for descriptor in given:
            os.close(descriptor)
        return child
    try:
        os.setsid()
        moved = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, _MOST) for descriptor in given]
        for target, descriptor in enumerate(moved):
            os.dup2(descriptor, target)
        os.closerange(len(given), _MOST + len(given))
        become(argument)
    finally:
        os._exit(70)


def _worker(private: str) -> None:
    os.chdir(private)
    os.environ["TMPDIR"] = private
    serve.main()


def _state(child: int) -> tuple[str, int] | None:
    """Return how a worker has ended, or None while it runs; its number stays its own."""
    ended = os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    if ended is None:
        return None
    return ("exited" if ended.si_code == os.CLD_EXITED else "killed"), ended.si_status


def _end(child: int) -> None:
    """Kill a process with its whole group, which it may not have founded yet, and wait until all are gone."""
    for kill in (os.killpg, os.kill):
        try:
            kill(child, _KILL)
        except OSError:
            continue
    for whom in (child, -child):  # then the orphans of its group: they have come to this process
        try:
            while True:
                os.waitpid(whom, 0)
        except ChildProcessError:
            continue
