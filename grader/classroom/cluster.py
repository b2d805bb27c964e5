"""Past one machine: a running Dask scheduler does the tasks. Workers need the grader, and nothing shared."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from grader import __version__
from grader.classroom.batch import Pool
from grader.core.errors import UserError

_TIMEOUT = 10


def version() -> str:
    """Return the version of the grader, wherever this runs."""
    return __version__


@contextmanager
def cluster_pool(address: str) -> Iterator[Pool]:
    """Give a pool on the workers of a scheduler; tasks of a lost worker are run again by the others."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise UserError("--cluster needs Dask: pip install -e '.[cluster]'") from None
    try:
        client = distributed.Client(address, timeout=_TIMEOUT, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise UserError(f"there is no Dask scheduler at {address}: {error}") from None
    with client:
        versions = client.run(version, on_error="return")
        if not versions:
            raise UserError(
                f"the scheduler at {address} has no workers: start some with 'dask worker {address}'"
            )
        for where, found in versions.items():
            if found != __version__:
                raise UserError(f"the worker {where} needs tictactoe-grader {__version__}, and has: {found}")
        yield Pool(lambda: client.get_executor(pure=False), 4 * len(versions))
