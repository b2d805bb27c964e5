"""Takes all memory while it is loaded."""
# loses: everything

KEEP = []
while True:
    KEEP.append(bytearray(10**7))
