"""What grading one submission needs and gathers: its rubric, its client, and the verdicts so far."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.core.asking.client import Client
from grader.core.checks.blame import Blamer
from grader.core.checks.outcome import Context
from grader.core.checks.style import Stylist
from grader.core.checks.sweep import Sweeper
from grader.core.course.questions import Case
from grader.core.course.rubric import Rubric
from grader.core.course.template import Given
from grader.core.errors import GraderError
from grader.core.grade import Verdict
from grader.course.public import Listed
from grader.grading.begin import Begun

if TYPE_CHECKING:
    from grader.programs.program import Program

OnVerdict = Callable[[int, int], None]
"""Is told after each verdict how many there are, and how many there will be."""


def no_news(done: int, total: int) -> None:
    """Tell nobody."""


@dataclass(eq=False)
class Grading:
    """What one run of pytest knows: the rubric, the submission's client, and the verdicts so far."""

    rubric_file: Path
    rubric: Rubric
    client: Client
    sweeper: Sweeper
    stylist: Stylist
    blamer: Blamer
    started: float
    program: "Program | None" = None
    embedded: bool = False
    ahead: bool = True
    on_verdict: OnVerdict = no_news
    verdicts: list[tuple[str, Verdict]] = field(default_factory=list)
    error: GraderError | None = None
    asked: list[Case] = field(default_factory=list)
    listed: tuple[Listed, ...] = ()
    """Everything that is asked, the instructor's own tests too."""
    total: int = 0
    weights: Counter[str] = field(default_factory=Counter)

    def context(self, criterion: str, weight: float) -> Context:
        """Return what a check of this criterion may use."""
        owner = self.rubric.criterion(criterion)
        assert owner
        share = weight / self.weights[criterion] if self.weights[criterion] else 0.0
        return Context(
            self.client,
            self.sweeper,
            self.rubric,
            self.stylist,
            self.blamer,
            worth=owner.points * share,
            program=self.program,
        )

    def close(self) -> None:
        """End all workers."""
        self.stylist.close()
        self.sweeper.close()
        self.client.close()
        if self.program:
            self.program.close()

    def record(self, criterion: str, verdict: Verdict) -> None:
        """Keep a verdict and tell whoever watches."""
        self.verdicts.append((criterion, verdict))
        self.on_verdict(len(self.verdicts), self.total)


def new_grading(rubric_file: Path, begun: Begun, templates: Given, **how: Any) -> Grading:
    """Return what grading a submission needs; nothing more of it runs yet."""
    loaded, client, sweeper = begun.rubric, begun.client, begun.sweeper
    found, program, source = client.submission, None, client.submission.source
    if loaded.kind == "program":
        from grader.programs.languages import main_source  # who grades functions never needs them
        from grader.programs.program import Program

        name, source = main_source(found, loaded.program)
        source = source if name.endswith(".py") else b""
        program = Program(found.folder or (), loaded.limits, loaded.program)
    stylist = Stylist(source, loaded, templates, found.helpers)
    return Grading(
        rubric_file,
        loaded,
        client,
        sweeper,
        stylist,
        Blamer(client, sweeper),
        begun.started,
        program=program,
        **how,
    )
