"""The grader graded: mutants of the reference, what becomes of them, and how that is shown."""
