"""The sentences of verdicts, one for each code: the one place where they are worded.

A text has its parameters in braces; where a sentence has parts that may be missing, it is a function.
"""

from typing import Final

from grader.core.checks.sentences import functions, minimax, programs

SENTENCES: Final = functions.SENTENCES | minimax.SENTENCES | programs.SENTENCES
