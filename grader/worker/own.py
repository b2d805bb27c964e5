"""What a module of the worker starts with: builtins of its own, for a submission may patch the others.

The names of types are for the type checker alone: importing them would slow down every start.
"""

from builtins import *

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable as Callable  # noqa: PLC0414 - handed on
    from collections.abc import Iterable as Iterable  # noqa: PLC0414
    from collections.abc import Iterator as Iterator  # noqa: PLC0414
    from typing import Any as Any  # noqa: PLC0414
    from typing import NoReturn as NoReturn  # noqa: PLC0414
else:
    Any = NoReturn = object
