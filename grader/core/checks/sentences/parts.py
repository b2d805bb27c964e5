"""Parts of sentences that several of them have."""

from collections.abc import Sequence

from grader.core.text import percent


def listed(names: Sequence[str]) -> str:
    """Return functions as they are written in a sentence."""
    return " and ".join(f"`{name}`" for name in names)


def by_others(names: Sequence[str]) -> str:
    """Return that others are to blame."""
    return f"by what {listed(names)} {'gets' if len(names) == 1 else 'get'} wrong"


def share_seen(seen: float) -> str:
    """Return what is earned where not all was seen."""
    return "" if seen == 1 else f"; it earns the {percent(seen)} of it that was seen"
