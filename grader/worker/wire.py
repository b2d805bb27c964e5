"""The constants of the wire, on which both sides of the wall agree: the judge's side takes nothing else."""

MAX_REPLY = 8_192
"""Bytes of one answer; the longest right one, a board, takes about 60."""

MAX_PRINTED = 4_096
"""Bytes of what a submission prints that are sent; no report shows more."""

TOGETHER = 1024
"""How many answers of one request may share a line, separated by tabs (JSON text holds none)."""

MAX_DEPTH = 4
"""How deep a value may be nested."""

MAX_TEXT = 200
"""Characters of a text that are sent."""

COUNTED = ("player", "actions", "result", "winner", "terminal", "utility", "minimax")
"""The functions whose calls are counted in a recorded search, in the order in which the counts are sent."""

MADE, SEEN, EVALUATED = "m", "s", "e"
"""Kinds of steps: `result` returned a board, another function was given it, `utility` returned its value."""

STEP = 10
"""Characters of one step: its kind and the nine cells."""

MAX_STEPS = 50_000
"""Steps of one search that are sent."""

NO_THREADS = "the grader allows no threads"
"""What is raised where code needs a thread of its own."""

DEEPEST = 300
"""Calls within calls: nine moves need a fifth of that. To run out of a thousand takes milliseconds."""
