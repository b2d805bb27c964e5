"""The words in which a worker tells how a search went; it imports them too, so this room stays light."""

MADE, SEEN, EVALUATED = "m", "s", "e"
"""Kinds of steps: `result` returned a board, another function was given it, `utility` told its value."""

STEP = 10
"""Characters of one step: its kind and the nine cells."""

COUNTED = ("player", "actions", "result", "winner", "terminal", "utility", "minimax")
"""The functions whose calls are counted, in the order in which the counts are told."""
