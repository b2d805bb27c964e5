"""Games of a program that could not go on, or did not come about: what is said of them."""

from typing import Final

from grader.core.checks.outcome import Outcome
from grader.core.checks.reasons import because
from grader.core.game.board import marks, rows
from grader.core.grade import Status
from grader.programs.game import Step
from grader.programs.seen import Fault
from grader.programs.series import Series

_STATUS: Final = {
    Step.CRASHED: Status.CRASHED,
    Step.TOO_LATE: Status.TIMED_OUT,
    Step.TOO_LARGE: Status.CRASHED,
    Step.BROKEN: Status.CRASHED,
}
_TRANSCRIPT: Final = 3_000


def without_games(series: Series) -> Outcome | None:
    """Return the outcome where no game came to its end, or None."""
    if series.games:
        return None
    if series.faults:
        return faulty(series.faults[0])
    return Outcome(Status.SKIPPED, because("no-game-ended"))


def faulty(fault: Fault) -> Outcome:
    """Return the outcome of a game that could not go on."""
    typed = repr(fault.typed) if fault.typed else ""
    reason = because("game-stopped", typed=typed, how=str(fault.step))
    if fault.step is Step.QUIT:
        reason = because("game-left", typed=typed)
    if fault.step is Step.WRONG_BOARD and fault.drawn:
        new = marks(fault.drawn) - marks(fault.path[-1])
        reason = because("game-misdrawn", typed=typed, new=new)
    return Outcome(
        _STATUS.get(fault.step, Status.FAILED),
        reason,
        board=rows(fault.path[-1]),
        got=" / ".join(rows(fault.drawn)) if fault.drawn else None,
        transcript=end_of(fault.transcript),
    )


def end_of(transcript: str) -> str:
    """Return the end of what was printed and typed."""
    text = transcript.strip("\n")
    return text if len(text) <= _TRANSCRIPT else "…" + text[-_TRANSCRIPT:]
