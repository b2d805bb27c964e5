"""What the kernel would say about a system call, by a filter in its packet language."""

from grader.worker.seccomp import Instruction

ALLOW, REFUSE, NO_SUCH_CALL, NOT_SUPPORTED = 0x7FFF0000, 0x00050001, 0x00050026, 0x0005005F
ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


def verdict_of(program: list[Instruction], architecture: int, number: int, *arguments: int) -> int:
    """Return what a filter says about a call."""
    data = {0: number, 4: architecture}
    for place, argument in enumerate((*arguments, 0, 0, 0, 0, 0, 0)[:6]):
        data[16 + 8 * place] = argument & 0xFFFFFFFF
        data[20 + 8 * place] = argument >> 32
    at = word = 0
    while True:
        code, if_true, if_false, value = program[at]
        at += 1
        if code == 0x20:
            word = data[value]
        elif code == 0x54:
            word &= value
        elif code == 0x06:
            return value
        else:
            met = {0x15: word == value, 0x35: word >= value, 0x45: bool(word & value)}[code]
            at += if_true if met else if_false
