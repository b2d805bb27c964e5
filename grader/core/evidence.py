"""What a grade can show beside its scores: games, findings, how it searches, mistakes. Frozen values."""

from enum import StrEnum
from typing import Any

from grader.core.messages import place_of
from grader.core.values import OneLine, SomeLines, Value, said


class Finding(Value):
    """One thing about the source, with its line."""

    line: int
    rule: str
    message: OneLine
    file: OneLine | None = said(
        "The helper module that it is in; null for the submission's file itself.", default=None
    )

    @property
    def where(self) -> str:
        """The line, and the helper module if it is in one."""
        return place_of(self.file, self.line)


class Move(Value):
    """One move of a game."""

    by: str
    row: int
    column: int
    better: tuple[tuple[int, int], ...] | None = said(
        "If the move gives something away: the moves that would have kept it.", default=None
    )


class PlayedGame(Value):
    """A game, move by move; the boards start with the one before the first move."""

    side: str = said("Whose game it is: the side that the submission plays, or that missed a win.")
    moves: tuple[Move, ...]
    boards: tuple[tuple[str, str, str], ...]


class Boundary(Value):
    """What a submission ran in."""

    kind: str = said("native (a process, by the kernel's means) or wasm (WebAssembly).")
    python: str = said("The Python that ran it.")
    component: str = said(
        "For wasm the digest of its interpreter: with the same one a file gets the same grade everywhere.",
        default="",
    )
    no_wasm: OneLine = said(
        "Why it is not wasm, where the native sandbox lacks a layer and WebAssembly is installed.", default=""
    )


class Sweep(Value):
    """How minimax was asked about every board."""

    asked: int
    seconds: float
    recalled: bool = said("Whether a copy that remembers answered, checked against the file itself.")
    why_plain: OneLine = ""


class FirstMove(Value):
    """How long the first move from the empty board takes."""

    seconds: float


class Pruning(StrEnum):
    """How a search prunes: by alpha-beta, against the board one move up only, or not at all."""

    FULL = "full"
    SHALLOW = "shallow"
    NONE = "none"
    UNDECIDED = "undecided"


class ProbedBoard(Value):
    """What a search did on one board, and what textbook alpha-beta does in the same order of moves."""

    board: tuple[str, str, str]
    finished: int = said("Finished boards that can be reached.")
    evaluated: int = said("Those that the search evaluated.")
    textbook_evaluated: int
    plain: int = said("Calls of `result` without pruning.")
    made: int = said("Calls of `result` by the search.")
    textbook_made: int


class Search(Value):
    """How minimax searches: what the probe saw."""

    pruning: Pruning
    taken_shallow: int = said("Cut-offs that were taken against the board one move up.")
    taken_deep: int = said("Cut-offs that were taken against a board further up.")
    missed_shallow: int
    missed_deep: int
    too_early: int = said("Boards on which the search stopped although nothing allowed that.")
    boards: tuple[ProbedBoard, ...]
    calls: dict[str, int] = said("How often each function was called on these boards together.")


class Example(Value):
    """One call that shows a mistake."""

    board: tuple[str, str, str]
    call: SomeLines
    expected: SomeLines
    got: SomeLines


class Mistake(Value):
    """A named fault: a small faulty variant that gives every answer which the function gave."""

    function: str
    aspect: str = said(
        "What of the function it explains: its answers, refusals, what it does at the end "
        "of a game, or to the board it is given.",
        default="answers",
    )
    id: str
    title: OneLine = said(
        "What the function does, in a few words: 'counts three empty cells as a completed line'."
    )
    sentence: SomeLines
    hint: SomeLines = ""
    parameters: dict[str, Any] = said(default_factory=dict)
    boards: tuple[Example, ...] = said("Calls that show it, the simplest first.", default=())

    @property
    def name(self) -> str:
        """The function and the id: what a class counts by."""
        return f"{self.function}/{self.id}"


class Tactic(Value):
    """On how many boards that ask for a tactic minimax does it."""

    name: str
    boards: int
    done: int
    as_good: int = said("Where it does something else that is worth as much.", default=0)


class Count(Value):
    """How many cases passed, of those that have a weight; those not judged are among them."""

    passed: int = 0
    cases: int = 0
    not_judged: int = 0
    lost: float = said("The points that they cost, without what was given back.", default=0.0)


class Tally(Value):
    """The cases that students see, and the hidden ones, counted apart: the count that all reports show."""

    public: Count = Count()
    hidden: Count = Count()


class Unrun(StrEnum):
    """Why a file does not run: it is no Python, is refused, raises, never ends, dies, or does not build."""

    NOT_PYTHON = "not_python"
    REFUSED = "refused"
    RAISES = "raises"
    ENDLESS = "endless"
    DIES = "dies"
    NOT_BUILT = "not_built"


class DoesNotRun(Value):
    """Why nothing of a file could be asked, and where: it is told once, and to be mended first."""

    why: Unrun
    sentence: OneLine
    line: int | None = None
    column: int | None = said("The place in `text`, counted from 1.", default=None)
    text: OneLine | None = said("The line of the source, or the part around it.", default=None)
    said: SomeLines | None = said("What a compiler said, or a program's screen.", default=None)


class Comment(Value):
    """What a person says of a submission, or of a line of its source."""

    text: SomeLines
    by: OneLine
    line: int | None = None
    file: OneLine = said("A module that came with the file, if the line is in one.", default="")
    points: float | None = said("What it added to a criterion, or took off.", default=None)
    criterion: str | None = None


class RequestAnswer(Value):
    """What a person has answered to a student's request."""

    request: SomeLines
    answer: SomeLines
    by: OneLine
