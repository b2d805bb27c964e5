"""What a submission may use, so that grading always ends."""

from grader.core.values import Written, said


class Limits(Written):
    """What a submission may use, so that grading always ends."""

    deadline: float = said(
        default=5.0, description="Seconds for one call, of the submission's processor time.", gt=0, le=3600
    )
    load: float = said(
        default=30.0, description="Seconds for loading the file, with all that it runs.", gt=0, le=3600
    )
    total: float = said(
        default=120.0,
        description="Seconds that a submission's processes may take together; then nothing more is asked.",
        gt=0,
        le=86_400,
    )
    memory_mb: int = said(
        default=512,
        description="Address space of the worker, in MB; what allowed modules take is on top.",
        ge=64,
        le=65_536,
    )
    sweep_budget: float = said(
        default=60.0, description="Seconds for asking one function about every board.", gt=0, le=86_400
    )
    strikes: int = said(
        default=3, description="After so many hung or killed calls a function is asked no more.", ge=1, le=100
    )
    source_kb: int = said(
        default=1000, description="Largest submission that is read, in KB.", ge=1, le=10_000
    )
