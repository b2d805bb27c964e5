"""Patches copy: it hurts only itself."""
# loses: nothing

import copy

copy.deepcopy = lambda board: board
