"""Grades a Tic-Tac-Toe submission: `python run_grader.py --help`."""

import gc
import os
import sys

if __name__ == "__main__":
    gc.disable()  # what is imported stays: looking for garbage among it takes time
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # and so does looking for plugins
    try:
        from grader.cli import main
    except ModuleNotFoundError as error:
        sys.exit(f"{error.name} is not installed. Set the grader up first: pip install -e .")
    gc.freeze()
    gc.enable()
    sys.exit(main())
