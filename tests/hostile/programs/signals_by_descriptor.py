import fcntl, os

reader, writer = os.pipe()
for process in (os.getppid(), 1):
    for command, value in ((fcntl.F_SETSIG, 9), (fcntl.F_SETOWN, process)):
        try:
            fcntl.fcntl(reader, command, value)
        except OSError:
            pass
fcntl.fcntl(reader, fcntl.F_SETFL, 0o20000)
os.write(writer, b"x")

@HONEST@
