"""What places are told of a text: not without an end."""

from typing import Final

_MOST: Final = 20_000
_MOST_TOGETHER: Final = 200_000
"""Characters of text about one criterion, and about all of them."""


def clipped(text: str, most: int) -> str:
    """Return at most so many characters of a text, and say how many are left out."""
    left_out = len(text) - most
    return text if left_out <= 0 else f"{text[:most]}\n({left_out:,} more characters are left out.)"


def per_row(rows: int) -> int:
    """Return how many characters may be said about one criterion of so many."""
    return max(200, min(_MOST, _MOST_TOGETHER // max(1, rows)))
