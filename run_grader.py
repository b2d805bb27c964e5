"""Grades a Tic-Tac-Toe submission: `python run_grader.py --help`."""

import sys

if __name__ == "__main__":
    try:
        from grader.cli import main
    except ModuleNotFoundError as error:
        sys.exit(f"{error.name} is not installed. Set the grader up first: pip install -e .")
    sys.exit(main())
