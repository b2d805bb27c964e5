"""Threads that run in the thread which starts them: no other is allowed inside, and some systems have none.

What cannot work that way, because somebody waits for another thread, raises a RuntimeError that says so.
"""

import sys

from grader.worker.own import *
from grader.worker.wire import NO_THREADS


def run_in_caller() -> None:
    """Let threads and pools of threads do their work at once, and refuse to wait without an end."""
    import threading
    from concurrent.futures import Future, ThreadPoolExecutor

    if "multiprocessing.pool" in sys.modules:
        sys.modules["multiprocessing.pool"].Pool.__init__ = _refuse
    if threading.Thread.start.__module__ == __name__:  # done before
        return

    def start(self: Any) -> None:
        if self._started.is_set():
            raise RuntimeError("threads can only be started once")
        self._started.set()
        try:
            self.run()
        except RuntimeError as error:
            if error.args == (NO_THREADS,):
                raise
        except Exception:  # as it is with threads: nobody hears of it
            pass

    def join(self: Any, timeout: Any = None) -> None:
        if not self._started.is_set():
            raise RuntimeError("cannot join thread before it is started")

    def submit(self: Any, function: Any, /, *arguments: Any, **named: Any) -> Any:
        if self._shutdown:
            raise RuntimeError("cannot schedule new futures after shutdown")
        future: Any = Future()
        future.set_running_or_notify_cancel()
        try:
            future.set_result(function(*arguments, **named))
        except Exception as error:
            future.set_exception(error)
        return future

    def wait(self: Any, timeout: Any = None) -> Any:
        if timeout is None:
            raise RuntimeError(NO_THREADS)
        return original(self, timeout)

    original = threading.Condition.wait
    changes: Any = {"start": start, "join": join, "is_alive": lambda self: False}
    for name, change in changes.items():
        setattr(threading.Thread, name, change)
    threading.Condition.wait = wait  # type: ignore[method-assign]
    ThreadPoolExecutor.submit = submit  # type: ignore[method-assign]


def _refuse(self: Any, *arguments: object, **named: object) -> NoReturn:
    raise RuntimeError(NO_THREADS)
