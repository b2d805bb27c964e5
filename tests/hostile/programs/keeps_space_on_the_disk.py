"""Keeps space on the disk where nobody looks: without a name, deep down, in holes, and in sockets."""
import array, os, socket

os.makedirs("/".join(["d" * 200] * 8), exist_ok=True)
kept, pair = [], socket.socketpair()
for number in range(200):
    try:
        kept.append(os.open(".", os.O_TMPFILE | os.O_RDWR))
        os.posix_fallocate(kept[-1], 0, 19_000_000)
    except OSError:
        pass
    file = os.open(f"f{number}", os.O_CREAT | os.O_RDWR)
    os.unlink(f"f{number}")
    try:
        os.posix_fallocate(file, 0, 19_000_000)
        pair[0].sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [file]))])
    except OSError:
        pass
input("? ")
