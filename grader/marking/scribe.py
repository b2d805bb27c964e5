"""The scribe: writes in the background what follows from decisions, while the page goes on."""

import threading
from collections.abc import Callable, Sequence
from typing import Final

from grader.classroom.outputs import Closing
from grader.classroom.records import Record
from grader.core.errors import GraderError
from grader.marking.waiting import Student

_PAUSE: Final = 0.2
"""Seconds after a decision in which another may come, before everything is written."""

_QUIET: Final = 2.0
"""Seconds without a decision after which the zip is written, which takes longest."""


class Scribe:
    """A thread that brings feedback, pages, gradebooks and the zip up to the newest decisions."""

    def __init__(self, closing: Closing, is_current: Callable[[], bool] = lambda: True) -> None:
        self._closing, self._is_current = closing, is_current
        self._changed = threading.Condition()
        self._students: Sequence[Student] = ()
        self._told: dict[str, Record] = {}
        self._wanted = self._written = self._packed = 0
        self._ended = False
        self.problem = ""
        """Why the last thing could not be written, if so."""
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def follow(self, students: Sequence[Student]) -> None:
        """Let everything follow from the decisions about everybody in a class."""
        with self._changed:
            self._students = students
            self._wanted += 1
            self._changed.notify_all()

    def end(self) -> None:
        """Write what is still to be written, and stop."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        self._thread.join()

    def wait(self, seconds: float) -> bool:
        """Wait until all is written; return whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: self._packed == self._wanted, seconds)

    def _work(self) -> None:
        while self._has_more():
            pass

    def _has_more(self) -> bool:
        """Write what is to be written next, when there is something; return whether there may be more."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self._packed != self._wanted)
            if self._packed == self._wanted:
                return False
            packs = self._written == self._wanted
            self._changed.wait_for(
                lambda: self._ended or (packs and self._written != self._wanted), _QUIET if packs else _PAUSE
            )
            if packs and self._written != self._wanted:
                return True  # something was decided: that comes first
            wanted, students = self._wanted, self._students
        try:
            self._write(students, packs=packs)
            self.problem = ""
        except GraderError as error:
            self.problem = str(error)
        with self._changed:
            self._written = wanted
            self._packed = wanted if packs else self._packed
            self._changed.notify_all()
        return True

    def _write(self, students: Sequence[Student], *, packs: bool) -> None:
        """Write the zip, or all that goes before it; nothing of a class that was graded again meanwhile."""
        if not self._is_current():
            return
        if packs:
            self._closing.pack([one.after for one in students])
            return
        for one in students:
            if self._told.get(one.key) is not one.after:
                self._closing.student(one.before, one.own)
                self._told[one.key] = one.after
        self._closing.books([one.after for one in students])
