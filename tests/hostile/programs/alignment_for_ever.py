import sys

while True:
    sys.stdout.write("\x1b#8" * 1000 + "\x1b[999999999b" * 100)
