"""Makes `pytest fixtures --submission FILE` work from here: the grader is a pytest plugin."""

pytest_plugins = ["grader.grading.plugin"]
