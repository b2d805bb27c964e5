"""The only place where a student's code runs. Kept empty: the worker imports it too."""
