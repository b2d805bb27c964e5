"""What a submission may use, so that grading always ends."""

from dataclasses import replace

from grader.core.values import Written, said


class Limits(Written):
    """What a submission may use, so that grading always ends."""

    deadline: float = said(
        "Seconds for one call, of the submission's processor time.", default=5.0, gt=0, le=3600
    )
    load: float = said("Seconds for loading the file, with all that it runs.", default=30.0, gt=0, le=3600)
    total: float = said(
        "Seconds that a submission's processes may take together; then nothing more is asked.",
        default=120.0,
        gt=0,
        le=86_400,
    )
    memory_mb: int = said(
        "Address space of the worker, in MB; what allowed modules take is on top.",
        default=512,
        ge=64,
        le=65_536,
    )
    sweep_budget: float = said(
        "Seconds for asking one function about every board.", default=8.0, gt=0, le=86_400
    )
    strikes: int = said(
        "After so many hung or killed calls a function is asked no more.", default=3, ge=1, le=100
    )
    source_kb: int = said("Largest submission that is read, in KB.", default=1000, ge=1, le=10_000)

    def times(self, factor: float) -> "Limits":
        """Return the same with so many times the time."""
        return replace(
            self, deadline=factor * self.deadline, load=factor * self.load, total=factor * self.total
        )
