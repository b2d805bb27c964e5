"""The sandbox of this machine for people: each layer, whether it is on, and what it does."""

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from grader.core.messages import _, pgettext


def table(described: dict[str, str], layers: dict[str, str]) -> RenderableType:
    """Return a table of layers, each with whether it is on and what it does."""
    shown = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in (_("layer"), pgettext("layer", "state"), _("what it does")):
        shown.add_column(title)
    for name, what in described.items():
        why = layers.get(name, "")
        state = (
            Text(_("off: {why}", why=why), style="red")
            if why
            else Text(pgettext("layer", "on"), style="green")
        )
        shown.add_row(name, state, _(what))
    return shown
