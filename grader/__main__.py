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
    gc.disable()  # what is imported stays: looking for garbage among it takes time
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # and so does looking for plugins
    try:
        from grader.cli.main import main as command
    except ModuleNotFoundError as error:
        sys.exit(f"{error.name} is not installed. Set the grader up first: pip install -e .")
    gc.freeze()
    gc.enable()
    sys.exit(command())


if __name__ == "__main__":
    main()
