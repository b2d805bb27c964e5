"""The sandbox of this machine for people: each layer, whether it is on, and what it does."""

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from grader.sandbox.layers import ALWAYS, LAYERS


def render(layers: dict[str, str]) -> RenderableType:
    """Return the table of layers; each was tried in a worker just now."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in ("layer", "state", "what it does"):
        table.add_column(title)
    for name, what in ALWAYS.items():
        table.add_row(name, Text("on", style="green"), what)
    for name, what in LAYERS.items():
        why = layers[name]
        state = Text(f"off: {why}", style="red") if why else Text("on", style="green")
        table.add_row(name, state, what)
    return table
