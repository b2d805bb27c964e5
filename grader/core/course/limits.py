"""What a submission may use, so that grading always ends: plain values, for they are needed first of all.

What is said of each field is read by pydantic, when a rubric is validated and when its schema is written.
"""

from dataclasses import dataclass, field
from typing import Any, ClassVar


def _field(default: float, description: str, **bounds: float) -> Any:
    return field(default=default, metadata={"description": description, **bounds})


@dataclass(frozen=True)
class Limits:
    """What a submission may use, so that grading always ends."""

    deadline: float = _field(5.0, "Seconds for one call, of the submission's processor time.", gt=0, le=3600)
    load: float = _field(30.0, "Seconds for loading the file, with all that it runs.", gt=0, le=3600)
    total: float = _field(
        120.0,
        "Seconds that a submission's processes may take together; then nothing more is asked.",
        gt=0,
        le=86_400,
    )
    memory_mb: int = _field(
        512, "Address space of the worker, in MB; what allowed modules take is on top.", ge=64, le=65_536
    )
    sweep_budget: float = _field(60.0, "Seconds for asking one function about every board.", gt=0, le=86_400)
    strikes: int = _field(3, "After so many hung or killed calls a function is asked no more.", ge=1, le=100)
    source_kb: int = _field(1000, "Largest submission that is read, in KB.", ge=1, le=10_000)

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}
