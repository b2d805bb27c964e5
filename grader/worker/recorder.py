"""Records how a search walks: which boards its functions see, in which order, and how often each is called.

A fresh copy of the submission is run in which the seven functions report every call. `utility` may be
answered from a table instead. Functions are caught as the file defines them, so a helper that keeps `utility`
in a default argument has the reporting one.
"""

from grader.worker.own import *
from grader.worker.wire import COUNTED, EVALUATED, MADE, MAX_STEPS, SEEN

_MARKS = {None: ".", "X": "X", "O": "O"}


class Recorder:
    """The counts and the steps of one search; `values` stands in for `utility`, on finished boards.

    With `level` the game goes on until the board is full: `terminal` and `winner` say so too. With
    `by_winner` the values stand in for `winner`: above 0 for X, below for O, 0 for nobody. With `orders` it
    keeps in which order the moves on each board were tried first, instead of every step.
    """

    def __init__(
        self,
        values: dict[str, float] | None,
        level: bool,
        orders: bool,
        by_winner: bool,
        stand_ins: dict[str, str],
    ) -> None:
        self.counts = dict.fromkeys(COUNTED, 0)
        self._steps: list[str] = []
        self._orders: dict[str, dict[str, None]] | None = {} if orders else None
        self._values, self._level, self._by_winner = values, level, by_winner
        self._current = [""] * 10
        self._reported = {name: name for name in COUNTED if name not in stand_ins.values()} | stand_ins
        self._made: list[Any] = []

    def clear(self) -> None:
        """Forget what was recorded so far."""
        self.counts.update(dict.fromkeys(COUNTED, 0))
        self._steps.clear()
        self._current = [""] * 10
        if self._orders:
            self._orders.clear()

    def text(self) -> str:
        """Return the steps, one after the other; for the orders, each board and then what was made of it."""
        steps = self._steps
        if self._orders is not None:
            for parent, children in self._orders.items():
                steps += [SEEN + parent, *[MADE + child for child in children]]
        return "".join(steps[:MAX_STEPS])

    def names(self, given: dict[str, Any]) -> Any:
        """Return the namespace in which to run the file: what it defines ends up in `given`, reporting."""
        return _Namespace(given, self.reporting)

    def reporting(self, name: str, value: Any) -> Any:
        """Return a function of the assignment as one that reports, once; anything else as it is.

        Where a helper does all the work of one, it is the helper that reports.
        """
        if name not in self._reported or not callable(value) or any(value is made for made in self._made):
            return value
        name, counts = self._reported[name], self.counts

        def reporting(*arguments: Any, **named: Any) -> Any:
            counts[name] += 1
            cells = _cells(arguments[0] if arguments else next(iter(named.values()), None))
            if cells is None:
                return value(*arguments, **named)
            if name == "utility" and self._values is not None:
                known = cells in self._values
                self._step(EVALUATED if known else SEEN, cells)
                return self._values[cells] if known else 0
            if name == "winner" and self._by_winner and self._values is not None and cells in self._values:
                self._step(EVALUATED, cells)
                return "X" if self._values[cells] > 0 else "O" if self._values[cells] < 0 else None
            self._step(SEEN, cells)
            if self._level and name == "terminal":
                return "." not in cells
            if self._level and name == "winner":
                return None
            outcome = value(*arguments, **named)
            if name == "result":
                made = _cells(outcome)
                if made is not None:
                    self._step(MADE, made)
            return outcome

        reporting.__name__ = getattr(value, "__name__", name)
        self._made.append(reporting)
        return reporting

    def _step(self, kind: str, cells: str) -> None:
        """Note a step, unless it is on the board where the search is anyway."""
        depth = 9 - cells.count(".")
        if self._current[depth] == cells:
            if kind is SEEN:
                return
        else:
            self._current[depth:] = [cells, *[""] * (9 - depth)]
        if self._orders is None:
            if len(self._steps) <= MAX_STEPS:
                self._steps.append(kind + cells)
        elif depth and self._current[depth - 1]:
            self._orders.setdefault(self._current[depth - 1], {})[cells] = None


class Silence:
    """Somewhere to print to that nobody reads."""

    def write(self, text: str) -> int:
        """Take text."""
        return len(text)

    def flush(self) -> None:
        """Do nothing."""


class _Namespace(dict):  # type: ignore[type-arg]
    """Module-level names on their way into a module: functions of the assignment are caught."""

    def __init__(self, given: dict[str, Any], caught: Any) -> None:
        self._given, self._caught = given, caught

    def __getitem__(self, name: str) -> Any:
        return self._given[name]

    def __setitem__(self, name: str, value: Any) -> None:
        self._given[name] = self._caught(name, value)

    def __delitem__(self, name: str) -> None:
        del self._given[name]


def _cells(board: Any) -> str | None:
    """Return the cells of a board in any of the usual forms, or None."""
    try:
        if type(board) is list or type(board) is tuple:
            flat = (*board[0], *board[1], *board[2]) if len(board) == 3 else board
            return "".join([_MARKS[cell] for cell in flat]) if len(flat) == 9 else None
    except (KeyError, TypeError, ValueError):
        pass
    return None
