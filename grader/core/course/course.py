"""A course: its rubric, its cases with the questions that they ask, and its template."""

import re
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Literal

from grader.core.course.reading import Part
from grader.core.course.rubric import SLUG, OwnText, Rubric
from grader.core.game import board as game
from grader.core.game.board import Board
from grader.core.game.oracle import CONSTANTS, FUNCTIONS, Boards
from grader.core.messages import _
from grader.core.values import Frozen, Reads, Written, frozen, lines_of, said

_BOARD: Final[dict[str, Any]] = {
    "description": "Three rows of X, O and . as a text block, or as a list of three texts.",
    "anyOf": [
        {"type": "string"},
        {"type": "array", "items": {"type": "string"}, "minItems": 3, "maxItems": 3},
    ],
}
_RULE: Final = {"type": "string", "pattern": "^[A-Z]+[0-9]+$"}


def _drawn(value: object) -> Board:
    """Return a board that is drawn as a text block, or as a list of three texts."""
    if isinstance(value, str) or (isinstance(value, list) and all(isinstance(row, str) for row in value)):
        return game.parse(value)
    raise ValueError(_("a board is three rows of three cells, each X, O or ."))


def _known_rule(value: object) -> object:
    if isinstance(value, str) and not re.fullmatch(_RULE["pattern"], value):
        raise ValueError(f"string should match pattern '{_RULE['pattern']}'")
    return value


Drawn = Annotated[Board, Reads(_drawn, _BOARD)]
Anything = Annotated[Any, Reads(frozen)]
"""What Python code would write: a list in YAML is a tuple."""

Aspect = Literal["answers", "refusals", "board", "end", "declaration"]
"""What a function is asked for: answers, to refuse what is not valid, to leave the board alone it is given,
to be there at all; and, of minimax alone, that there is no move when the game is over."""

Scoring = Literal["all", "share"]
FunctionName = Literal["player", "actions", "result", "winner", "terminal", "utility", "minimax"]


class Question(Written):
    """What every case has, whatever is asked."""

    id: str = said("The case's name, unique within its criterion.", pattern=SLUG, max_length=60)
    weight: float = said("Its share of the criterion's points.", default=1.0, ge=0, le=1000)
    visibility: Literal["public", "hidden"] = said("Whether students see it.", default="public")
    hint: OwnText | None = said(
        "A sentence shown to students when the case fails; or one for each language.", default=None
    )

    aspect: ClassVar[Aspect | None] = None

    @property
    def about(self) -> tuple[str, Aspect] | None:
        """The function whose behaviour is asked about, and what of it; None for a question about the text."""
        return (getattr(self, "function", None) or "minimax", self.aspect) if self.aspect else None


class AboutBoards(Question):
    """A question about one board that is drawn, or about a whole family of boards."""

    aspect: ClassVar[Aspect | None] = "answers"
    function: FunctionName | None = said("Default: the file's, or the criterion.", default=None)
    board: Drawn | None = None
    boards: Boards | None = said("Ask on every reachable board of this kind.", default=None)
    min_marks: int = said("With 'boards': those with at least so many marks.", default=0, ge=0, le=9)
    scoring: Scoring = said("With 'boards': all must be right, or points in proportion.", default="all")

    def __post_init__(self) -> None:
        if (self.board is None) == (self.boards is None):
            raise ValueError(_("give either 'board' (one, drawn) or 'boards' (all, running or finished)"))

    def chosen(self) -> tuple[Board, ...]:
        """Return the boards that are asked about, fewest marks first."""
        if self.boards is None:
            return (self.board,) if self.board else ()
        members, least = self.boards.members(), self.min_marks
        return tuple(board for board in members if game.marks(board) >= least) if least else members

    @property
    def about(self) -> tuple[str, Aspect] | None:
        """The function, and what of it: minimax may be asked about finished boards alone."""
        of_answers = self.aspect == "answers" and self.function == "minimax"
        return ("minimax", "end") if of_answers and all(map(game.is_over, self.chosen())) else super().about


class Answer(AboutBoards):
    """The function must give the right answer; on `result`, for every legal action or the one given."""

    check: Literal["answer"] = "answer"
    action: Anything = said("For 'result' on one board: the action, as [row, column].", default=None)
    expect: Anything = said("Default: the right answer. A wrong one is an error here.", default=None)


class Reject(AboutBoards):
    """`result` must raise an exception for an action that is not valid (with 'boards': for a taken cell)."""

    aspect = "refusals"
    check: Literal["reject"] = "reject"
    action: Anything = said("On one board: any value that is not a valid action.", default=None)


class Unchanged(AboutBoards):
    """The function must leave the board it is given as it was."""

    aspect = "board"
    check: Literal["unchanged"] = "unchanged"


class Play(Question):
    """What must hold for minimax on every board, and for every game that follows from its moves."""

    check: Literal["play"]
    must: Literal["optimal", "legal", "none_at_end", "never_lose"] = said(
        "An optimal move on every running board; a legal one, as a tuple; "
        "None on every finished board; no game lost as 'side' against any opponent."
    )
    side: Literal["X", "O"] | None = said("With never_lose: the side it plays.", default=None)
    scoring: Scoring = said("All boards, or points in proportion.", default="all")

    def __post_init__(self) -> None:
        if (self.must == "never_lose") != (self.side is not None):
            raise ValueError("'side' goes with 'must: never_lose', which needs it")

    @property
    def about(self) -> tuple[str, Aspect] | None:
        """Minimax: its answers, or what it does at the end."""
        return "minimax", "end" if self.must == "none_at_end" else "answers"


class FollowThrough(Question):
    """When a function fails: is it right with correct ones to rely on? The rubric gives back for that."""

    aspect = "answers"
    check: Literal["follow_through"]
    function: FunctionName | None = said("Default: the file's, or the criterion.", default=None)


class Probe(Question):
    """How minimax searches: full alpha-beta earns the case, shallow pruning the rubric's share of it."""

    check: Literal["search"]
    boards: tuple[Drawn, ...] = said(
        "Running boards with 5 or 6 empty cells, to be searched from.", min_length=1, max_length=10
    )


class Declaration(Question):
    """The function must be there, with the given parameters, and no longer be a stub."""

    aspect = "declaration"
    check: Literal["declaration"] = "declaration"
    function: FunctionName | None = None


class Parses(Question):
    """The file must be Python."""

    check: Literal["parses"] = "parses"


class OnlyAllowedImports(Question):
    """The file must import nothing but the standard library and what the rubric allows."""

    check: Literal["imports"] = "imports"


class Style(Question):
    """The file must follow rules of style; each finding costs what the rubric says."""

    check: Literal["style"] = "style"
    rules: tuple[Annotated[str, Reads(_known_rule, _RULE)], ...] = said(
        "Rules by their codes in ruff.", min_length=1
    )


class Files(Question):
    """The files that came with the submission: all there, and the given ones as they were."""

    check: Literal["files"]
    required: tuple[str, ...] = said("Names or patterns that must be there: *.png, or a|b.", default=())
    optional: tuple[str, ...] = said("Names or patterns that may be there.", default=())
    unmodified: dict[str, str] = said(
        "Files that must be as they were given, each with a copy beside this fixture or its "
        "SHA-256; line ends and a final newline do not count.",
        default_factory=dict,
    )
    others: Literal["allowed", "refused"] = said(
        "What becomes of files that are not named here.", default="allowed"
    )
    largest_kb: int = said("The largest file, in kB.", default=5_000, ge=1)
    most: int = said("The most files.", default=100, ge=1, le=200)


class Readme(Question):
    """The README that came with the submission has its parts, as far as words can tell."""

    check: Literal["readme"]
    file: str = said("Its name, or a pattern.", default="README*")
    parts: tuple[Part, ...] = said("What it must have, in any order.", min_length=1)
    words: dict[str, tuple[str, ...]] = said(
        "More words by which a part (or 'name', 'id') is recognised, beside the known ones.",
        default_factory=dict,
    )


class ProgramQuestion(Question):
    """What must hold for a program that is played in a terminal, by the board and never by its words."""

    check: Literal["program"]
    must: Literal[
        "play",
        "be_optimal",
        "never_lose",
        "end",
        "announce",
        "refuse",
        "be_x",
        "start",
        "take_1_to_9",
        "let_choose",
    ] = said(
        "Start, show a board, take a move and reply with one mark; reply optimally; lose no "
        "game; stop when a game is over; say who has won; refuse 'input' that is no move; be X; make the "
        "first move; take squares as 1 to 9, row by row; let the user choose a side, and play both right."
    )
    input: Literal["taken", "off_board", "letters", "empty", "end"] | None = said(
        "With refuse: what is typed.", default=None
    )
    scoring: Scoring = said("With be_optimal: all replies must be, or points in proportion.", default="all")

    def __post_init__(self) -> None:
        if (self.must == "refuse") != (self.input is not None):
            raise ValueError(_("'input' goes with 'must: refuse', which needs it"))


AnyQuestion = (
    Answer
    | Reject
    | Unchanged
    | Play
    | FollowThrough
    | Probe
    | Declaration
    | Parses
    | OnlyAllowedImports
    | Style
    | Files
    | Readme
    | ProgramQuestion
)


class Case(Frozen):
    """One question with its criterion and the place where it is written."""

    criterion: str
    question: AnyQuestion
    file: Path
    line: int


_EMPTY_ROW: Final = "[EMPTY, EMPTY, EMPTY]"


class Template(Frozen):
    """The file that was handed out, or what is known of it."""

    text: str

    @property
    def lines(self) -> frozenset[str]:
        """Its lines as they stand, blank ones left out."""
        return frozenset(line for line in lines_of(self.text) if line.strip())


def _described() -> str:
    """Return what every file for this assignment begins as: an import, the names, functions to be written."""
    lines = ["import math"]
    lines += [f"{name} = {value}" for name, value in zip(CONSTANTS, ('"X"', '"O"', "None"), strict=True)]
    lines += ["def initial_state():", f"    return [{_EMPTY_ROW},", f"            {_EMPTY_ROW},"]
    lines += [f"            {_EMPTY_ROW}]"]
    for function in FUNCTIONS.values():
        lines += [f"def {function.name}({', '.join(function.parameters)}):", "    raise NotImplementedError"]
    return "\n".join(lines) + "\n"


DESCRIBED: Final = Template(_described())
"""What is known of the file that the assignment hands out, in our own words."""


class Course(Frozen):
    """All that a submission is judged by."""

    rubric: Rubric
    cases: tuple[Case, ...]
    """In the order of their criteria."""
    template: Template = DESCRIBED
    has_tests: bool = False
    """Whether an instructor's own tests belong to it, which only pytest can run."""


class Listed(Frozen):
    """One case, or one test of an instructor's own, as it is going to be asked."""

    file: Path
    line: int
    criterion: str
    id: str
    weight: float
    hidden: bool


def listed(case: Case) -> Listed:
    """Return a case as it is going to be asked."""
    asked = case.question
    return Listed(case.file, case.line, case.criterion, asked.id, asked.weight, asked.visibility != "public")
