"""Grades a Tic-Tac-Toe submission against the solved game. Kept empty: the worker imports it too."""

__version__ = "0.9.0"
