import os

for _ in range(40):
    if os.fork() == 0:
        while True:
            pass

@HONEST@
