"""The game: its rules, its solution, and the questions the assignment asks about it."""
