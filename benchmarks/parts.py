"""What a grade costs, in parts: inside the submission's functions, in the judge, and in workers beside."""

from dataclasses import dataclass
from functools import cache

from benchmarks.costs import processor_seconds
from grader.core.course import submission
from grader.core.course.course import Course
from grader.grading.session import Settings, graded, load_course, opened


@dataclass(frozen=True)
class Parts:
    """Core-seconds of one grade, as one job in a class pays them."""

    inside: float
    judge: float
    workers: float

    @property
    def beyond(self) -> float:
        """All that is not the submission's own work."""
        return self.judge + self.workers


def parts_of(name: str, source: str) -> Parts:
    """Grade a submission in this process and return what that cost; the judge's part has the linter in it."""
    settings = Settings()
    course = _course()
    found = submission.from_bytes(name, source.encode(), len(source), course.rubric.limits.source_kb)
    before = processor_seconds()
    with opened(found, course, settings) as opened_file:
        graded(opened_file, settings)
        client = opened_file.judging.client
    return Parts(
        client.seconds, processor_seconds() - before, max(0.0, client.allowance.ran - client.seconds)
    )


@cache
def _course() -> Course:
    """Return the course that everybody in a class is judged by."""
    return load_course(Settings())
