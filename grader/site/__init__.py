"""The grader in a student's browser: what runs there beside the core, in a worker that the page can end."""
