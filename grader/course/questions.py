"""Questions: what a case of a fixture may ask, as models that YAML is checked against."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from grader.core.game import board as game
from grader.core.game.board import Board
from grader.core.game.interface import Boards
from grader.course.drawn import Drawn, Given
from grader.course.readme import Part
from grader.course.rubric import Slug

Aspect = Literal["answers", "refusals", "board", "end", "declaration"]
"""What a function is asked for: answers, to refuse what is not valid, to leave the board alone it is given,
to be there at all; and, of minimax alone, that there is no move when the game is over."""

FunctionName = Literal["player", "actions", "result", "winner", "terminal", "utility", "minimax"]


class Question(BaseModel):
    """What every case has, whatever is asked."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Slug = Field(description="The case's name, unique within its criterion.")
    weight: float = Field(default=1.0, ge=0, le=1000, description="Its share of the criterion's points.")
    visibility: Literal["public", "hidden"] = Field(default="public", description="Whether students see it.")
    hint: str | None = Field(default=None, description="A sentence shown to students when the case fails.")

    @property
    def about(self) -> tuple[str, Aspect] | None:
        """The function whose behaviour is asked about, and what of it; None for a question about the text."""
        return None


class AboutBoards(Question):
    """A question about one board that is drawn, or about a whole family of boards."""

    function: FunctionName | None = Field(default=None, description="Default: the file's, or the criterion.")
    board: Drawn | None = None
    boards: Boards | None = Field(default=None, description="Ask on every reachable board of this kind.")
    min_marks: int = Field(
        default=0, ge=0, le=9, description="With 'boards': those with at least so many marks."
    )
    scoring: Literal["all", "share"] = Field(
        default="all", description="With 'boards': all must be right, or points in proportion."
    )

    @model_validator(mode="after")
    def _one_or_many(self) -> "AboutBoards":
        if (self.board is None) == (self.boards is None):
            raise ValueError("give either 'board' (one, drawn) or 'boards' (all, running or finished)")
        if self.boards is None and self.model_fields_set & {"min_marks", "scoring"}:
            raise ValueError("'min_marks' and 'scoring' go with 'boards'")
        return self

    def chosen(self) -> tuple[Board, ...]:
        """Return the boards that are asked about, fewest marks first."""
        if self.board is not None:
            return (self.board,)
        assert self.boards is not None
        members = self.boards.members()
        if self.min_marks:
            members = tuple(board for board in members if game.marks(board) >= self.min_marks)
        return members

    @property
    def about(self) -> tuple[str, Aspect] | None:
        """The function, and its answers."""
        ended = self.function == "minimax" and all(map(game.is_over, self.chosen()))
        return self.function or "", "end" if ended else "answers"


class Answer(AboutBoards):
    """The function must give the right answer; on `result`, for every legal action or the one given."""

    check: Literal["answer"] = "answer"
    action: Given = Field(
        default=None, description="For 'result' on one board: the action, as [row, column]."
    )
    expect: Given = Field(
        default=None, description="Default: the right answer. A wrong one is an error here."
    )


class Reject(AboutBoards):
    """`result` must raise an exception for an action that is not valid (with 'boards': for a taken cell)."""

    check: Literal["reject"] = "reject"
    action: Given = Field(default=None, description="On one board: any value that is not a valid action.")

    @property
    def about(self) -> tuple[str, Aspect] | None:
        """The function, and what it refuses."""
        return self.function or "", "refusals"


class Unchanged(AboutBoards):
    """The function must leave the board it is given as it was."""

    check: Literal["unchanged"] = "unchanged"

    @property
    def about(self) -> tuple[str, Aspect] | None:
        """The function, and the board it is given."""
        return self.function or "", "board"


class Play(Question):
    """What must hold for minimax on every board, and for every game that follows from its moves."""

    check: Literal["play"]
    must: Literal["optimal", "legal", "none_at_end", "never_lose"] = Field(
        description="An optimal move on every running board; a legal one, as a tuple; "
        "None on every finished board; no game lost as 'side' against any opponent."
    )
    side: Literal["X", "O"] | None = Field(default=None, description="With never_lose: the side it plays.")
    scoring: Literal["all", "share"] = Field(
        default="all", description="All boards, or points in proportion."
    )

    @model_validator(mode="after")
    def _side_for_games(self) -> "Play":
        if (self.must == "never_lose") != (self.side is not None):
            raise ValueError("'side' goes with 'must: never_lose', which needs it")
        return self

    @property
    def about(self) -> tuple[str, Aspect] | None:
        """Minimax: its answers, or what it does at the end."""
        return "minimax", "end" if self.must == "none_at_end" else "answers"


class FollowThrough(Question):
    """When a function fails: is it right with correct ones to rely on? The rubric gives back for that."""

    check: Literal["follow_through"]
    function: FunctionName | None = Field(default=None, description="Default: the file's, or the criterion.")

    @property
    def about(self) -> tuple[str, Aspect] | None:
        """The function, and its answers."""
        return self.function or "minimax", "answers"


class Probe(Question):
    """How minimax searches: full alpha-beta earns the case, shallow pruning the rubric's share of it."""

    check: Literal["search"]
    boards: tuple[Drawn, ...] = Field(
        min_length=1,
        max_length=10,
        description="Running boards with 5 or 6 empty cells, to be searched from.",
    )


class Declaration(Question):
    """The function must be there, with the given parameters, and no longer be a stub."""

    check: Literal["declaration"] = "declaration"
    function: FunctionName | None = None

    @property
    def about(self) -> tuple[str, Aspect] | None:
        """The function, and how it is declared."""
        return self.function or "", "declaration"


class Parses(Question):
    """The file must be Python."""

    check: Literal["parses"] = "parses"


class OnlyAllowedImports(Question):
    """The file must import nothing but the standard library and what the rubric allows."""

    check: Literal["imports"] = "imports"


class Style(Question):
    """The file must follow rules of style; each finding costs what the rubric says."""

    check: Literal["style"] = "style"
    rules: tuple[Annotated[str, Field(pattern=r"^[A-Z]+[0-9]+$")], ...] = Field(
        min_length=1, description="Rules by their codes in ruff."
    )


class Files(Question):
    """The files that came with the submission: all there, and the given ones as they were."""

    check: Literal["files"]
    required: tuple[str, ...] = Field(
        default=(), description="Names or patterns that must be there: *.png, or a|b."
    )
    optional: tuple[str, ...] = Field(default=(), description="Names or patterns that may be there.")
    unmodified: dict[str, str] = Field(
        default_factory=dict,
        description="Files that must be as they were given, each with a copy beside this fixture or its "
        "SHA-256; line ends and a final newline do not count.",
    )
    others: Literal["allowed", "refused"] = Field(
        default="allowed", description="What becomes of files that are not named here."
    )
    largest_kb: int = Field(default=5_000, ge=1, description="The largest file, in kB.")
    most: int = Field(default=100, ge=1, le=200, description="The most files.")


class Readme(Question):
    """The README that came with the submission has its parts, as far as words can tell."""

    check: Literal["readme"]
    file: str = Field(default="README*", description="Its name, or a pattern.")
    parts: tuple[Part, ...] = Field(min_length=1, description="What it must have, in any order.")
    words: dict[str, tuple[str, ...]] = Field(
        default_factory=dict,
        description="More words by which a part (or 'name', 'id') is recognised, beside the known ones.",
    )


class Program(Question):
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
    ] = Field(
        description="Start, show a board, take a move and reply with one mark; reply optimally; lose no "
        "game; stop when a game is over; say who has won; refuse 'input' that is no move; be X; make the "
        "first move; take squares as 1 to 9, row by row; let the user choose a side, and play both right."
    )
    input: Literal["taken", "off_board", "letters", "empty", "end"] | None = Field(
        default=None, description="With refuse: what is typed."
    )
    scoring: Literal["all", "share"] = Field(
        default="all", description="With be_optimal: all replies must be, or points in proportion."
    )

    @model_validator(mode="after")
    def _input_to_refuse(self) -> "Program":
        if (self.must == "refuse") != (self.input is not None):
            raise ValueError("'input' goes with 'must: refuse', which needs it")
        return self


AnyQuestion = Annotated[
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
    | Program,
    Field(discriminator="check"),
]


class Fixture(BaseModel):
    """A file of cases for one criterion."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    criterion: str = Field(description="The criterion of the rubric whose points these cases share.")
    function: FunctionName | None = Field(default=None, description="Default: the criterion, if it is one.")
    cases: tuple[AnyQuestion, ...] = Field(min_length=1)

    @model_validator(mode="before")
    @classmethod
    def _default_check(cls, data: Any) -> Any:
        """Read a case that names no check as a question for the right answer."""
        if not isinstance(data, dict) or not isinstance(data.get("cases"), list):
            return data
        cases = [{"check": "answer", **case} if isinstance(case, dict) else case for case in data["cases"]]
        return {**data, "cases": cases}
