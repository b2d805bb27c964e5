"""Writes spaces wherever it can: a pool's pipes would take them for the length of a message."""
# loses: everything

import os

for fd in range(3, 128):
    try:
        os.write(fd, b" " * 4096)
    except OSError:
        pass
