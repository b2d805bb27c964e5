"""One submission in, one grade out: by the loop of the core, or by way of pytest where a course has Python tests."""
