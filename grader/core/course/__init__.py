"""The values of a course: rubric, cases, limits, and what is handed in."""
