"""Poisons the table of modules."""
# loses: nothing

import sys

for name in list(sys.modules):
    if name not in ('sys', 'builtins', 'copy', 'math'):
        sys.modules[name] = None
