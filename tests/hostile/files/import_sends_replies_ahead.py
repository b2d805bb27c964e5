"""Sends answers before it is asked."""
# loses: everything

import os

for fd in range(3, 32):
    try:
        os.write(fd, b'00000000 0 ["loaded",["l"],["l"]]\n')
    except OSError:
        pass
