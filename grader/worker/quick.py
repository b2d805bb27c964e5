"""A `copy.deepcopy` that copies a board at once: it is half the work of many a submission.

Only a list of different lists of immutable cells is copied that way, and the copy is the same. It is switched
off while minimax is asked, for that may be timed.
"""

from grader.worker.own import *

_IMMUTABLE = (type(None), bool, int, float, str)


class QuickCopy:
    """Stands in for `copy.deepcopy` from `install` on; quick while `on`."""

    def __init__(self) -> None:
        self.on = False

    def install(self) -> None:
        """Put it in place, before the submission can take the original."""
        import copy

        # Under the audit hook every call of `id` would go through it, and deepcopy makes dozens for a board.
        copy.id = object.__hash__  # type: ignore[attr-defined]
        deepcopy: Any = copy.deepcopy

        def quick(value: Any, *others: Any, **named: Any) -> Any:
            if self.on and not others and not named and _is_board_like(value):
                return [row[:] for row in value]
            return deepcopy(value, *others, **named)

        quick.__name__ = quick.__qualname__ = "deepcopy"
        copy.deepcopy = quick  # type: ignore[assignment]


def _is_board_like(value: Any) -> bool:
    """Return whether a value is a list of different lists of immutable cells."""
    if type(value) is not list:
        return False
    for number, row in enumerate(value):
        if type(row) is not list:
            return False
        for cell in row:
            if type(cell) not in _IMMUTABLE:
                return False
        for other in value[:number]:
            if other is row:
                return False
    return True
