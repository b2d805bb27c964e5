"""Grades a Tic-Tac-Toe submission: `python run_grader.py --help`."""

from grader.__main__ import main

if __name__ == "__main__":
    main()
