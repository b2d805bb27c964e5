"""Patches builtins that a careless host would use, and not its own."""
# loses: nothing

import builtins

builtins.repr = lambda value: "'X'"
builtins.type = lambda value: str
builtins.BaseException = KeyError
