"""What grading one submission needs and gathers: its rubric, its client, and the verdicts so far."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.checks.blame import Blamer
from grader.checks.outcome import Context
from grader.checks.source import refuse_forbidden_imports
from grader.checks.style import Stylist
from grader.checks.sweep import Sweeper
from grader.course.cases import Case
from grader.course.given import Given
from grader.course.rubric import Rubric
from grader.course.submission import Submission
from grader.errors import GraderError
from grader.grade import Verdict
from grader.sandbox.client import Client

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
    program: "Program | None" = None
    embedded: bool = False
    ahead: bool = True
    on_verdict: OnVerdict = no_news
    verdicts: list[tuple[str, Verdict]] = field(default_factory=list)
    error: GraderError | None = None
    asked: list[Case] = field(default_factory=list)
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
        self.sweeper.close()
        self.client.close()
        if self.program:
            self.program.close()

    def record(self, criterion: str, verdict: Verdict) -> None:
        """Keep a verdict and tell whoever watches."""
        self.verdicts.append((criterion, verdict))
        self.on_verdict(len(self.verdicts), self.total)


def new_grading(
    rubric_file: Path, loaded: Rubric, found: Submission, templates: Given, *, recall: bool, **how: Any
) -> Grading:
    """Return what grading a submission needs; nothing of it has run yet."""
    program, source = None, found.source
    if loaded.kind == "program":
        from grader.programs.languages import main_source  # who grades functions never needs them
        from grader.programs.program import Program

        name, source = main_source(found, loaded.program)
        source = source if name.endswith(".py") else b""
        program = Program(found.folder or (), loaded.limits, loaded.program)
    client = open_client(found, loaded)
    sweeper = Sweeper(client, recall)
    stylist = Stylist(source, loaded, templates)
    return Grading(
        rubric_file, loaded, client, sweeper, stylist, Blamer(client, sweeper), program=program, **how
    )


def open_client(found: Submission, loaded: Rubric) -> Client:
    """Return the client for a submission; forbidden imports keep it from running, if the rubric says so."""
    client = Client(found, loaded.limits, import_paths(loaded))
    if loaded.kind == "functions":
        refuse_forbidden_imports(client, loaded)
    return client


def import_paths(loaded: Rubric) -> list[str]:
    """Return the folders in which the modules that the rubric allows are installed."""
    specs = [find_spec(name) for name in loaded.imports.allowed]
    origins = [spec.origin for spec in specs if spec and spec.origin]
    parents = [Path(origin).parent for origin in origins]
    return sorted({str(folder.parent if (folder / "__init__.py").exists() else folder) for folder in parents})
