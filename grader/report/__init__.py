"""A grade in one format: each report is a pure function in a file of its own."""
