"""Starts the command: `python -m grader`, `tictactoe-grader`, or `python run_grader.py` in a checkout."""

import gc
import os
import sys
from io import TextIOWrapper

_SELDOM = 1_000_000
"""Allocations between collections of garbage: imported modules and grades stay until the end."""


def main() -> None:
    """Run the command and end with its exit code."""
    gc.set_threshold(_SELDOM)
    _print_everything()
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # to look for them takes time
    try:
        from grader.cli.main import main as command

        code = command()
    except KeyboardInterrupt:  # while it was imported; the command says it itself
        print("interrupted", file=sys.stderr)
        code = 130
    except Exception as error:  # exit code 1 would say that a grade is below --fail-under
        from grader.core.errors import GRADER_FAILED
        from grader.core.messages import _, in_language, of_locale

        code = GRADER_FAILED
        if not isinstance(error, ModuleNotFoundError):
            sys.excepthook(type(error), error, error.__traceback__)
        with in_language(of_locale(os.environ)):
            told = (
                _(
                    "{module} is not installed. Set the grader up first: {command}",
                    module=error.name,
                    command="pip install -e .",
                )
                if isinstance(error, ModuleNotFoundError)
                else _("error: the grader itself failed, as shown above")
            )
        print(told, file=sys.stderr)
    _flush()
    sys.exit(code)


def _print_everything() -> None:
    """Let the output take every character: boards and names are in no code page of Windows."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and not stream.encoding.lower().startswith("utf"):
            is_chosen = stream.isatty() or "PYTHONIOENCODING" in os.environ
            stream.reconfigure(encoding=None if is_chosen else "utf-8", errors="replace")


def _flush() -> None:
    """Write out what was printed; a reader that has ended, like `head`, is no error."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:  # the interpreter flushes again when it ends
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


if __name__ == "__main__":
    main()
