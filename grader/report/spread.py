"""How the totals of a class are spread."""

from collections.abc import Iterable
from typing import Final

_BINS: Final = 10


def spread(totals: Iterable[float], points: float) -> list[tuple[float, int]]:
    """Return a histogram: ten bins of the full marks and one for more, each from where on, and how many."""
    width = points / _BINS
    counts = [0] * (_BINS + 1)
    for total in totals:
        counts[min(_BINS, int(total / width))] += 1
    return [(number * width, count) for number, count in enumerate(counts)]
