"""What the tests of marking share with those of a class."""

from tests.classroom.conftest import small
from tests.places.pseudo_language import another_language

__all__ = ["another_language", "small"]
