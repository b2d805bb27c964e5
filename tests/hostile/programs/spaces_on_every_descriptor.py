import os

for fd in range(3, 128):
    try:
        os.write(fd, b" " * 4096)
        os.read(fd, 1_000_000)
    except OSError:
        pass

@HONEST@
