"""Tries what a layer must refuse: it is "on" only if each of these fails, and fails for that reason."""

import ctypes
import os

from grader.worker.own import *

_REFUSED = 1
_FAMILIES = (1, 2, 10, 16)
_UNIX, _DATAGRAM, _RAW = 1, 2, 3
_FCNTL = (8, 10, 15, 1024, 1026)
_IOCTL = (0x5423, 0x8901, 0x8902)


def open_paths(*paths: str) -> str:
    """Return which of some paths can be opened although it must not be, or nothing."""
    for path in paths:
        try:
            os.close(os.open(path, os.O_RDONLY))
        except OSError:
            continue
        return f"{path} can still be opened"
    return ""


def reach_others(libc: ctypes.CDLL, *, paths_are_guarded: bool) -> str:
    """Return what a confined process can do to others although it must not, or nothing.

    Where Landlock guards files from being emptied by their paths, the call itself may be allowed.
    """
    pair, address = (ctypes.c_int * 2)(), ctypes.create_string_buffer(16)
    tries: list[tuple[str, Any, tuple[Any, ...]]] = [
        *((f"sockets of family {one} can still be opened", libc.socket, (one, 2, 0)) for one in _FAMILIES),
        *((f"signals can still be sent by fcntl {one}", libc.fcntl, (0, one, 0)) for one in _FCNTL),
        *((f"others can still be reached by ioctl {one:#x}", libc.ioctl, (0, one, None)) for one in _IOCTL),
        *(
            ("a pair of sockets can still talk to others", libc.socketpair, (_UNIX, kind, 0, pair))
            for kind in (_DATAGRAM, _RAW)
        ),
        ("a socket can still talk to an address", libc.sendto, (-1, b"", 0, 0, address, 2)),
        ("others' files can still be watched", libc.inotify_init1, (0,)),
    ]
    if not paths_are_guarded:
        tries.append(("a file can still be emptied by its path", libc.truncate, (b"/nowhere", 0)))
    return next((what for what, call, arguments in tries if not _is_refused(call, arguments)), "")


def _is_refused(call: Any, arguments: tuple[Any, ...]) -> bool:
    """Return whether a call is refused as such, and does not fail for another reason."""
    ctypes.set_errno(0)
    return call(*arguments) < 0 and ctypes.get_errno() == _REFUSED
