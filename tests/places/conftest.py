"""What the tests of places share: settings by which a grade takes a moment."""

from tests.classroom.conftest import small
from tests.course.deep import deep

__all__ = ["deep", "small"]
