"""A `copy.deepcopy` that copies a board at once: it is half the work of many a submission.

Only three different lists of immutable cells are copied that way, and the copy is the same. It is switched
off while minimax is asked, for that may be timed.
"""

from grader.worker.own import *

_are_immutable = frozenset((type(None), bool, int, float, str)).issuperset


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
    """Return whether a value is a list of three different lists of immutable cells."""
    if type(value) is not list or len(value) != 3:
        return False
    a, b, c = value
    if type(a) is not list or type(b) is not list or type(c) is not list:
        return False
    return a is not b and b is not c and c is not a and _are_immutable(map(type, (*a, *b, *c)))
