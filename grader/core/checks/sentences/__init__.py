"""The sentences of verdicts, one for each code: the one place where they are worded.

A text has its parameters in braces; where a sentence has parts that may be missing, it is a function.
"""

from collections.abc import Callable
from typing import Final

from grader.core.checks.sentences import functions, minimax, programs

SENTENCES: Final[dict[str, str | Callable[..., str]]] = (
    functions.SENTENCES | minimax.SENTENCES | programs.SENTENCES
)
