"""What a program in any language may not ask of the kernel; everything else is allowed.

A compiler, a virtual machine and what they run need too much for a list of what is allowed. Refused is what
reaches beyond the program: sockets, other processes, memory that outlives it, the rights and times of files,
watching others' files, signals by way of a descriptor, leaving its session or its parent; and what would be
kept where nobody counts it.
"""

from grader.worker import confine
from grader.worker.own import *
from grader.worker.seccomp import (
    ALLOW,
    AT_LEAST,
    EQUAL,
    FIRST_ARGUMENT,
    LOAD,
    NO_SUCH_CALL,
    NOT_SUPPORTED,
    NOTHING_TO_DO,
    REFUSE,
    RETURN,
    SECOND_ARGUMENT,
    Instruction,
    allowed_if,
    any_of,
    decided,
    numbers_of,
    prologue,
)
from grader.worker.system_calls import NUMBERS

_REFUSED = """
    socket connect sendmsg sendmmsg
    ptrace process_vm_readv process_vm_writev process_mrelease kcmp pidfd_getfd pidfd_send_signal
    setpgid setsid setpriority sched_setparam sched_setscheduler sched_setaffinity sched_setattr ioprio_set
    migrate_pages move_pages setns unshare
    shmget shmat shmctl shmdt semget semop semtimedop semctl msgget msgsnd msgrcv msgctl mq_open
    memfd_create memfd_secret vmsplice userfaultfd io_uring_setup io_uring_enter io_uring_register
    add_key request_key keyctl bpf perf_event_open
    chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes futimesat utimensat
    setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr mknod mknodat
    inotify_init inotify_init1 inotify_add_watch inotify_rm_watch fanotify_init fanotify_mark
    open_by_handle_at quotactl quotactl_fd
    mount umount2 pivot_root chroot open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr
    statmount listmount swapon swapoff acct
    settimeofday clock_settime clock_adjtime adjtimex sethostname setdomainname reboot
    iopl ioperm init_module finit_module delete_module kexec_load kexec_file_load
"""
"""What is refused whatever its arguments are; a machine may lack some of them."""

_SIGNALS = ["kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"]
_SLEEPS = ["nanosleep", "clock_nanosleep"]
_BY_ARGUMENTS = ["open", "openat", "fcntl", "ioctl", "clone", "prctl", "socketpair", "sendto", "prlimit64"]

NAMES = (*_REFUSED.split(), *_SIGNALS, *_SLEEPS, *_BY_ARGUMENTS, "openat2", "fallocate", "truncate")
"""All calls that this filter names."""

_REVIEWED = 462
"""The highest number of a call that was looked at: an older kernel has none of the later ones."""

_ANY_BIT, _KEEP_BITS = 0x45, 0x54
_THIRD_ARGUMENT, _FIFTH_ARGUMENT = 32, 48
_WITHOUT_A_NAME = 0x400000
_NEW_NAMESPACES, _OF_MY_PARENT = 0x7E020000, 0x8000
_SET_DEATH_SIGNAL, _EVERYBODY = 1, 0xFFFFFFFF
_KIND, _STREAM, _PACKETS = 0xF, 1, 5
"""Of a pair of sockets: its kind without the flags, and the two kinds that reach each other alone."""

_FCNTL = (8, 10, 15, 1024, 1026)
"""Which process is sent which signal when something happens to a descriptor, a file or a folder."""

_IOCTL = (0x5412, 0x541C, 0x5423, 0x8901, 0x8902)
"""Typing into the terminal, its selection, its line discipline; which process is sent a signal."""


def program_filter(version: int, *, sleeps: bool = True) -> "Callable[[str, int], list[Instruction]]":
    """Return what makes the filter for a machine and a process, for a kernel with this version of Landlock.

    What Landlock does not guard yet is refused: a program may then signal itself alone, and empty no file by
    its path. A program that does not sleep goes on at once.
    """

    def filtered(machine: str, process: int) -> list[Instruction]:
        unguarded = ["truncate"] if version < confine.GUARDS_TRUNCATE else []
        refused = numbers_of([*_REFUSED.split(), *unguarded], machine)
        signals = numbers_of(_SIGNALS, machine) if version < confine.SCOPES_SIGNALS else ()
        first = [step for number in signals for step in allowed_if(number, FIRST_ARGUMENT, process)]
        for number in () if sleeps else numbers_of(_SLEEPS, machine):
            first += [(EQUAL, 0, 1, number), (RETURN, 0, 0, NOTHING_TO_DO)]
        return _filter(machine, refused, first)

    return filtered


def _filter(machine: str, refused: list[int], first: list[Instruction]) -> list[Instruction]:
    call = NUMBERS[machine]
    head = [
        *prologue(machine),
        (AT_LEAST, 0, 1, _REVIEWED + 1),
        (RETURN, 0, 0, NO_SUCH_CALL),
        (EQUAL, 0, 1, call["openat2"]),
        (RETURN, 0, 0, NO_SUCH_CALL),  # its flags cannot be seen
        (EQUAL, 0, 1, call["fallocate"]),
        (RETURN, 0, 0, NOT_SUPPORTED),  # space on the disk that no file shows: the C library writes instead
        *_refused_if(call["openat"], _ANY_BIT, _THIRD_ARGUMENT, _WITHOUT_A_NAME),
        *(_refused_if(call["open"], _ANY_BIT, SECOND_ARGUMENT, _WITHOUT_A_NAME) if "open" in call else ()),
        *first,
        *_refused_if(call["kill"], EQUAL, FIRST_ARGUMENT, _EVERYBODY),
        *_refused_if(call["ioctl"], EQUAL, SECOND_ARGUMENT, *_IOCTL),
        *_refused_if(call["fcntl"], EQUAL, SECOND_ARGUMENT, *_FCNTL),
        *_refused_if(call["clone"], _ANY_BIT, FIRST_ARGUMENT, _NEW_NAMESPACES | _OF_MY_PARENT),
        *_refused_if(call["prctl"], EQUAL, FIRST_ARGUMENT, _SET_DEATH_SIGNAL),
        *_pairs_alone(call["socketpair"]),
        *allowed_if(call["sendto"], _FIFTH_ARGUMENT, 0, _FIFTH_ARGUMENT + 4, 0),  # to nobody by address
        *allowed_if(call["prlimit64"], FIRST_ARGUMENT, 0),
    ]
    return [*head, *any_of(refused), (RETURN, 0, 0, ALLOW), (RETURN, 0, 0, REFUSE)]


def _refused_if(number: int, test: int, argument: int, *values: int) -> list[Instruction]:
    """Return instructions that refuse a call when a word of its arguments is one of some, else allow it."""
    return decided(number, argument, values, REFUSE, ALLOW, test=test)


def _pairs_alone(number: int) -> list[Instruction]:
    """Return instructions that allow a pair of sockets only if neither can talk to anybody else."""
    return [
        (EQUAL, 0, 6, number),
        (LOAD, 0, 0, SECOND_ARGUMENT),
        (_KEEP_BITS, 0, 0, _KIND),
        (EQUAL, 2, 0, _STREAM),
        (EQUAL, 1, 0, _PACKETS),
        (RETURN, 0, 0, REFUSE),
        (RETURN, 0, 0, ALLOW),
    ]
