"""What the worker takes away from itself before it loads a submission."""

import resource


def confine(memory_mb: int, cpu_seconds: int) -> None:
    """Limit the memory, the processor time and the core files of this process, for good."""
    for kind, limit in (
        (resource.RLIMIT_AS, memory_mb * 1024 * 1024),
        (resource.RLIMIT_CPU, cpu_seconds),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(kind)
        lowest = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(kind, (lowest, lowest))
