"""A game against a submission, in the terminal or in a window."""
