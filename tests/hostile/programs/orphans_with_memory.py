"""Leaves children behind that take memory and ignore every signal."""
import os, signal

for _ in range(60):
    if os.fork() == 0:
        for number in range(1, 32):
            try:
                signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError):
                pass
        if os.fork():
            os._exit(0)
        kept = bytearray(20_000_000)
        while True:
            kept[::4096] = b"x" * len(kept[::4096])
            signal.pause()
os.wait()
input("? ")
