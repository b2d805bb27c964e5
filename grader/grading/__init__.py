"""One submission in, one grade out: by the core's loop, or through pytest where a course has Python tests."""
