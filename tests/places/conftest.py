"""What the tests of places share: settings by which a grade takes a moment."""

from tests.classroom.conftest import small

__all__ = ["small"]
