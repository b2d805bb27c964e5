import fcntl, struct, sys

for number in (0x5423, 0x540C, 0x5437, 0x5422):
    try:
        fcntl.ioctl(0, number, struct.pack("i", 27))
    except OSError:
        pass
print("Your move (1-9): ", flush=True)
sys.stdin.readline()
