"""Starts the command: `python -m grader`, `tictactoe-grader`, or `python run_grader.py` in a checkout."""

import gc
import os
import sys

from grader.sandbox.start import prepare

_NO_WORKER = {"-h", "--help", "--version", "--schema", "--init"}
"""Options with which no submission is run."""


def main() -> None:
    """Run the command and end with its exit code."""
    if not _NO_WORKER.intersection(sys.argv):
        prepare()  # while everything else is imported
    gc.disable()  # imports and one grade make what stays until the end: garbage is looked for in longer jobs
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # to look for them takes time
    try:
        from grader.cli.main import main as command
    except ModuleNotFoundError as error:
        sys.exit(f"{error.name} is not installed. Set the grader up first: pip install -e .")
    gc.freeze()
    code = command()
    gc.freeze()  # or all of it would be looked through on the way out
    sys.exit(code)


if __name__ == "__main__":
    main()
