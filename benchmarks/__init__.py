"""What searches and the grader cost: `pytest benchmarks`."""
