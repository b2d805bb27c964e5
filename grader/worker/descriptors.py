"""The descriptors of a process: closed but for its own, and counted before anything of a stranger is run."""

import os

_LISTED = ("/proc/self/fd", "/dev/fd")
_BLIND = 1_024
"""How many are tried where the system does not list them."""


def close_others(own: tuple[int, ...]) -> None:
    """Close every descriptor of this process but its own."""
    for descriptor in others(own):
        os.close(descriptor)


def others(own: tuple[int, ...]) -> list[int]:
    """Return the open descriptors of this process that are not among its own."""
    return [one for one in _possible() if one not in own and _is_open(one)]


def unexpected(own: tuple[int, ...]) -> str:
    """Return the sentence about a descriptor that this process must not have, or nothing."""
    found = others(own)
    if not found:
        return ""
    try:
        what = os.readlink(f"/proc/self/fd/{found[0]}")  # noqa: PTH115 - pathlib would cost every start
    except OSError:
        what = "something unknown"
    return f"descriptor {found[0]} ({what}) of another process is open in it"


def _possible() -> list[int]:
    for folder in _LISTED:
        try:
            return [int(name) for name in os.listdir(folder)]  # noqa: PTH208 - the same
        except OSError:
            continue
    return [*range(_BLIND)]


def _is_open(descriptor: int) -> bool:
    """Return whether it is open; the one with which the list was read is not any more."""
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True
