"""What can go wrong inside the worker that is no fault of the submission."""


class NotRecallable(BaseException):
    """The file's functions do more than compute from what can be remembered: why, and on which line.

    It may be found while a submission runs, whose handlers are for exceptions of its own.
    """
