"""Landlock, by system call: this process may read and write only below the given paths, for good."""

import ctypes
import os

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446
_VERSION_FLAG, _PATH_BENEATH = 1, 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE, _MAKE_DIR, _MAKE_REG = 1 << 4, 1 << 5, 1 << 7, 1 << 8
_MAKE_FIFO, _MAKE_SYM, _REFER = 1 << 10, 1 << 12, 1 << 13
_TRUNCATE, _IOCTL_DEV = 1 << 14, 1 << 15
_FILE_ACCESS = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
_FS_BITS = {1: 13, 2: 14, 3: 15, 4: 15}
"""How many kinds of access to files each version knows; from version 5 on there are 16."""

READ = _READ_FILE | _READ_DIR
WRITE = READ | _WRITE_FILE | _TRUNCATE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG
LIST = _READ_DIR
RUN = READ | _EXECUTE
OWN = WRITE | _EXECUTE | _MAKE_FIFO | _MAKE_SYM | _REFER
DEVICE = _READ_FILE | _WRITE_FILE | _IOCTL_DEV

SCOPES_SIGNALS = 6
"""The first version that keeps signals among the processes which are restricted together."""

GUARDS_TRUNCATE = 3
"""The first version that keeps files from being emptied by their path."""


class _Ruleset(ctypes.Structure):
    _fields_ = (("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scope", ctypes.c_uint64))


class _PathRule(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("access", ctypes.c_uint64), ("folder", ctypes.c_int32))


def known_version(libc: ctypes.CDLL, at_most: int | None = None) -> int:
    """Return the version of Landlock that the kernel has; below 1 it has none.

    With `at_most` the kernel is taken for one as old as that.
    """
    version = int(libc.syscall(_CREATE, None, 0, _VERSION_FLAG))
    return version if at_most is None else min(version, at_most)


def restrict(libc: ctypes.CDLL, grants: list[tuple[str, int]], version: int) -> str:
    """Deny all files, TCP and signals to others but for the grants; return why that failed, or nothing.

    Call it after no-new-privileges is set. A path that does not exist is left out.
    """
    if version < 1:
        return "Landlock is switched off" if ctypes.get_errno() == 95 else "the kernel has no Landlock"
    handled = (1 << _FS_BITS.get(version, 16)) - 1
    ruleset = _Ruleset(handled, 0b11 if version >= 4 else 0, 0b11 if version >= SCOPES_SIGNALS else 0)
    size = 24 if version >= SCOPES_SIGNALS else 16 if version >= 4 else 8
    descriptor = libc.syscall(_CREATE, ctypes.byref(ruleset), size, 0)
    if descriptor < 0:
        return os.strerror(ctypes.get_errno())
    try:
        for path, access in grants:
            _grant(libc, descriptor, path, access & handled)
        if libc.syscall(_RESTRICT, descriptor, 0) != 0:
            return os.strerror(ctypes.get_errno())
    finally:
        os.close(descriptor)
    return ""


def _grant(libc: ctypes.CDLL, ruleset: int, path: str, access: int) -> None:
    try:
        folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    if not os.path.isdir(path):  # noqa: PTH112 - pathlib would cost every worker's start
        access &= _FILE_ACCESS
    rule = _PathRule(access, folder)
    libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(rule), 0)
    os.close(folder)
