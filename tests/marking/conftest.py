"""What the tests of marking share with those of a class."""

from tests.classroom.conftest import small

__all__ = ["small"]
