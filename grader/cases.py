"""Cases: what is asked of a submission, loaded from YAML fixtures and held against the oracle."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

from grader import strict_yaml
from grader.game import board as game
from grader.game import oracle
from grader.game.board import Action, Board
from grader.game.interface import FUNCTIONS, Boards
from grader.rubric import Rubric, Slug

FunctionName = Literal["player", "actions", "result", "winner", "terminal", "utility", "minimax"]

_BOARD_SCHEMA = {
    "description": "Three rows of X, O and . as a text block, or as a list of three texts.",
    "anyOf": [
        {"type": "string"},
        {"type": "array", "items": {"type": "string"}, "minItems": 3, "maxItems": 3},
    ],
}


def _drawn(value: object) -> Board:
    if isinstance(value, list) and all(isinstance(row, str) for row in value):
        return game.parse(value)
    if isinstance(value, str):
        return game.parse(value)
    raise ValueError("a board is three rows of three cells, each X, O or .")


def _frozen(value: object) -> object:
    """Return YAML data as the values that Python code would write: lists become tuples."""
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value


Drawn = Annotated[Board, BeforeValidator(_drawn), WithJsonSchema(_BOARD_SCHEMA)]
Given = Annotated[Any, BeforeValidator(_frozen)]


class Question(BaseModel):
    """What every case has, whatever is asked."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Slug = Field(description="The case's name, unique within its criterion.")
    weight: float = Field(default=1.0, ge=0, le=1000, description="Its share of the criterion's points.")
    visibility: Literal["public", "hidden"] = Field(default="public", description="Whether students see it.")
    hint: str | None = Field(default=None, description="A sentence shown to students when the case fails.")


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


class Unchanged(AboutBoards):
    """The function must leave the board it is given as it was."""

    check: Literal["unchanged"] = "unchanged"


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


class FollowThrough(Question):
    """When minimax fails: is it right with correct rule functions? The rubric says what that gives back."""

    check: Literal["follow_through"]


class Declaration(Question):
    """The function must be there, with the given parameters, and no longer be a stub."""

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
    rules: tuple[Annotated[str, Field(pattern=r"^[A-Z]+[0-9]+$")], ...] = Field(
        min_length=1, description="Rules by their codes in ruff."
    )


AnyQuestion = Annotated[
    Answer | Reject | Unchanged | Play | FollowThrough | Declaration | Parses | OnlyAllowedImports | Style,
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


@dataclass(frozen=True)
class Case:
    """One question with its criterion and the place where it is written."""

    criterion: str
    question: AnyQuestion
    file: Path
    line: int


def load(file: Path, rubric: Rubric) -> list[Case]:
    """Return the cases of a fixture; raise UserError with the line for the first one that is not sound."""
    document = strict_yaml.load(file)
    fixture = document.validated(Fixture)
    if rubric.criterion(fixture.criterion) is None:
        raise document.error(rubric.unknown(fixture.criterion), ("criterion",))
    default = fixture.function or (fixture.criterion if fixture.criterion in FUNCTIONS else None)
    cases: list[Case] = []
    seen: set[str] = set()
    for number, question in enumerate(fixture.cases):
        where = ("cases", number)
        if question.id in seen:
            raise document.error(f"the id '{question.id}' is given twice", (*where, "id"))
        seen.add(question.id)
        needs_function = isinstance(question, AboutBoards | Declaration) and not question.function
        if needs_function and default is None:
            raise document.error(f"the case '{question.id}' names no 'function'", where)
        complete = _with_function(question, default)
        try:
            _hold_against_oracle(complete)
        except _Unsound as error:
            raise document.error(f"the case '{question.id}': {error}", (*where, error.key)) from None
        cases.append(Case(fixture.criterion, complete, file, document.line(where)))
    return cases


def _with_function(question: AnyQuestion, default: str | None) -> AnyQuestion:
    """Return the question with the function it is about filled in."""
    if isinstance(question, AboutBoards | Declaration):
        return question.model_copy(update={"function": question.function or default})
    return question


class _Unsound(ValueError):
    """A question that must not be asked, and the key at fault."""

    def __init__(self, key: str, message: str) -> None:
        self.key = key
        super().__init__(message)


def _hold_against_oracle(question: AnyQuestion) -> None:
    """Raise _Unsound for a question about an impossible board, a free answer, or a wrong expectation."""
    if not isinstance(question, AboutBoards):
        return
    assert question.function
    function = FUNCTIONS[question.function]
    if question.board is not None:
        if why := oracle.unreachable(question.board):
            raise _Unsound("board", why)
        allowed = function.allows(question.board)
    else:
        allowed = function.domain in (Boards.ALL, question.boards)
        if not question.chosen():
            raise _Unsound("min_marks", "no board has so many marks")
    if not allowed:
        key = "boards" if question.board is None else "board"
        raise _Unsound(
            key, f"{function.name} may only be asked about {function.domain} games: else it is free"
        )
    if isinstance(question, Reject):
        _sound_reject(question)
    elif isinstance(question, Answer):
        _sound_answer(question)


def _sound_reject(question: Reject) -> None:
    if question.function != "result":
        raise _Unsound("function", "only result has actions to reject")
    given = "action" in question.model_fields_set
    if given != (question.board is not None):
        raise _Unsound("action", "'action' goes with 'board'; with 'boards' every taken cell is tried")
    if question.board is not None and question.action in game.empty_cells(question.board):
        raise _Unsound("action", f"{question.action} is a valid action on this board")


def _sound_answer(question: Answer) -> None:
    given = question.model_fields_set
    if question.board is None:
        if given & {"action", "expect"}:
            raise _Unsound("boards", "'action' and 'expect' go with 'board'")
        return
    if (question.function == "result") != ("action" in given):
        raise _Unsound("action", "'action' goes with 'result', and 'result' on one board needs it")
    if question.function == "result" and question.action not in game.empty_cells(question.board):
        raise _Unsound(
            "action", f"{question.action} is not valid on this board (to ask for that: check: reject)"
        )
    if "expect" in given and question.expect != "optimal":
        right = right_answer(question.function or "", question.board, question.action)
        expect = _expectation(question.expect, right)
        if expect != right or type(expect) is not type(right):
            raise _Unsound("expect", f"the right answer is {shown(right)}, not {shown(question.expect)}")
    elif question.expect == "optimal" and question.function != "minimax":
        raise _Unsound("expect", "'optimal' goes with minimax")


def _expectation(expect: object, right: object) -> object:
    """Return an expectation as the oracle would put it: a set of actions, a board, or itself."""
    if isinstance(right, frozenset) and isinstance(expect, tuple):
        return frozenset(expect)
    if isinstance(right, str) and len(right) == 9 and isinstance(expect, str | tuple):
        try:
            return game.parse(expect)
        except ValueError:
            return None
    return expect


def right_answer(function: str, board: Board, action: Action | None = None) -> object:
    """Return the right answer to a question, as the oracle puts it."""
    return FUNCTIONS[function].answer(*((board,) if action is None else (board, action)))


def shown(value: object) -> str:
    """Return a value the way a student would write it."""
    if isinstance(value, Iterable) and not isinstance(value, str):
        return "{" + ", ".join(str(item) for item in sorted(value, key=str)) + "}"
    if isinstance(value, str) and len(value) == 9:
        return " / ".join(game.rows(Board(value)))
    return repr(value)
