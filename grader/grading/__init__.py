"""One submission in, one grade out: pytest runs the cases, and their outcomes become verdicts."""
