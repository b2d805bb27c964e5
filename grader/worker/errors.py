"""What can go wrong inside the worker that is no fault of the submission."""


class NotRecallable(Exception):
    """The file's functions do more than compute from their arguments: why, and on which line."""
