"""Patches builtins that the host uses."""
# loses: nothing

import builtins

for name in ('len', 'type', 'isinstance', 'repr', 'enumerate', 'open', 'print', 'BaseException', 'int', 'exec', 'getattr'):
    setattr(builtins, name, None)
