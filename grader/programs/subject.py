"""A program as what is handed in: what can be said of it when its games are judged."""

from collections.abc import Sequence
from typing import Any, Final

from grader.core.evidence import DoesNotRun, Unrun
from grader.core.game.policy import packed
from grader.core.grade import Deduction
from grader.core.grading import Found
from grader.core.judging import Judging
from grader.core.messages import _, later
from grader.core.notes import deductions_of, faults_of_hand_in, not_confined, style_notes
from grader.programs.built import Built
from grader.programs.program import Program
from grader.programs.program_notes import policy_of, program_notes, seen_once
from grader.programs.source_metrics import notes_on

_TOO_BUSY: Final = later(
    "Most of the time this program waited for a processor, so not every game could be played: grade it again "
    "on a machine that is less busy, or with --patient; it goes on with the games that were not seen."
)


class Played:
    """A program that is played in a terminal."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def prepare(self) -> None:
        """Build it, find out how it is played, and play it; raise NotGradable if nothing could be judged."""
        program = self.program
        if not program.failure:
            program.require_games()

    def close(self) -> None:
        """End all its processes."""
        self.program.close()

    def does_not_run(self, judging: Judging) -> DoesNotRun | None:
        """Return why it could not be built, or does not start, or None."""
        program = self.program
        if not program.failure:
            return None
        sentence, _, said = program.failure.partition("\n")
        why = Unrun.DIES if isinstance(program.built, Built) else Unrun.NOT_BUILT
        return DoesNotRun(why=why, sentence=sentence.rstrip(": \u00a0\u202f") + ".", said=said or None)

    def known(self, judging: Judging) -> dict[str, Any]:
        """Return its moves, as far as they were seen."""
        return {} if self.program.failure else {"policy": packed(policy_of(self.program))}

    def diagnosed(self, judging: Judging) -> Found:
        """Return the verdicts as they are: mistakes are those of functions."""
        return judging.verdicts, ()

    def deductions(self, judging: Judging) -> Sequence[Deduction]:
        """Return what is taken off: also for what its text forgets, if the rubric says so."""
        cost, built = judging.course.rubric.program.forgiven, self.program.built
        found = deductions_of(judging)
        if isinstance(built, Built) and built.recipe.forgiven and cost != "note":
            found.append(Deduction(points=cost, reason=_("It was {remark}.", remark=built.recipe.remark)))
        return found

    def notes(self, judging: Judging) -> tuple[str, ...]:
        """Return what a person should know beside the scores."""
        return (*program_notes(self.program), *faults_of_hand_in(judging), *style_notes(judging))

    def for_instructors(self, judging: Judging) -> tuple[str, ...]:
        """Return what only the person who grades should know."""
        seen = notes_on(judging.client.submission.folder or ())
        busy = [_(_TOO_BUSY)] if self.program.was_busy else []
        return (*busy, *seen, *seen_once(self.program), *not_confined(self.program.layers))

    def seconds(self, judging: Judging) -> float:
        """Return how long it has run."""
        return self.program.seconds

    def was_busy(self, judging: Judging) -> bool:
        """Return whether most of the time was spent waiting for a processor, and games are missing."""
        return self.program.was_busy
