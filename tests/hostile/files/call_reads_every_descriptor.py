"""Reads whatever it can: a pool's pipes would give it others' files."""
# loses: player

import os

honest = player


def player(board):
    for fd in range(3, 128):
        try:
            os.set_blocking(fd, False)
            taken = os.read(fd, 1_000_000)
        except OSError:
            continue
        if b"student" in taken:
            open("/tmp/hostile-was-here", "w").write("x")
        if taken:
            os._exit(1)
    raise RuntimeError("nothing to read")
