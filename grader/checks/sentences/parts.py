"""Parts of sentences that several of them have."""

from collections.abc import Sequence


def listed(names: Sequence[str]) -> str:
    """Return functions as they are written in a sentence."""
    return " and ".join(f"`{name}`" for name in names)


def by_others(names: Sequence[str]) -> str:
    """Return that others are to blame."""
    return f"by what {listed(names)} {'gets' if len(names) == 1 else 'get'} wrong"


def share_seen(seen: float) -> str:
    """Return what is earned where not all was seen."""
    return "" if seen == 1 else f"; it earns the {percent(seen)} of it that was seen"


def percent(share: float) -> str:
    """Return a share in per cent: never all where something is missing, never none where there is some."""
    return f"{min(99.0, max(1.0, 100 * share)):.0f} %" if 0 < share < 1 else f"{100 * share:.0f} %"
