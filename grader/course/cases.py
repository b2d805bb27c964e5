"""Cases: what is asked of a submission, loaded from YAML fixtures and held against the oracle."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from grader.core.course import questions
from grader.core.course.hand_in import digest
from grader.core.course.questions import AboutBoards, AnyQuestion, Case
from grader.core.course.rubric import Rubric
from grader.core.game import board as game
from grader.core.game import oracle
from grader.core.game.board import Board
from grader.core.game.interface import FUNCTIONS, Boards, right_answer
from grader.course import strict_yaml
from grader.course.files import files_in, is_fixture
from grader.course.fixture import Fixture
from grader.course.strict_yaml import Document
from grader.course.validation import validated


def load(file: Path, rubric: Rubric) -> tuple[Case, ...]:
    """Return the cases of a fixture; raise UserError with the line for the first one that is not sound."""
    stamp = file.stat()
    return _loaded(file, (stamp.st_mtime_ns, stamp.st_size, stamp.st_ino), rubric)


def load_all(folder: Path, rubric: Rubric) -> Iterator[Case]:
    """Yield the cases of all fixtures in a folder; raise UserError as `load` does."""
    for file in filter(is_fixture, files_in(folder)):
        yield from load(file, rubric)


@lru_cache(maxsize=64)
def _loaded(file: Path, stamp: tuple[int, ...], rubric: Rubric) -> tuple[Case, ...]:
    """Return the cases of a file as it stands: in a class it is the same for everybody."""
    document = strict_yaml.load(file)
    fixture = validated(document, Fixture)
    if fixture.criterion in rubric.left_out:
        return ()
    if rubric.criterion(fixture.criterion) is None:
        raise document.error(rubric.unknown(fixture.criterion), ("criterion",))
    default: Any = fixture.function or (fixture.criterion if fixture.criterion in FUNCTIONS else None)
    cases: list[Case] = []
    seen: set[str] = set()
    for number, question in enumerate(fixture.cases):
        where = ("cases", number)
        if question.id in seen:
            raise document.error(f"the id '{question.id}' is given twice", (*where, "id"))
        seen.add(question.id)
        written = frozenset(document.data["cases"][number])
        _fits(question, rubric, document, where)
        if isinstance(question, AboutBoards) and question.board and written & {"min_marks", "scoring"}:
            raise document.error("'min_marks' and 'scoring' go with 'boards'", where)
        needs_function = isinstance(question, AboutBoards | questions.Declaration) and not question.function
        if needs_function and default is None:
            raise document.error(f"the case '{question.id}' names no 'function'", where)
        complete = _with_copies(_with_function(question, default), document, where)
        try:
            _hold_against_oracle(complete, written)
        except _Unsound as error:
            raise document.error(f"the case '{question.id}': {error}", (*where, error.key)) from None
        is_about_files = isinstance(question, questions.Files | questions.Readme)
        if not is_about_files or question.weight or rubric.hand_in != "not_asked":
            cases.append(Case(fixture.criterion, complete, file, document.line(where)))
    return tuple(cases)


def _fits(question: AnyQuestion, rubric: Rubric, document: Document, where: tuple[str, int]) -> None:
    """Raise UserError for a question about a program where functions are handed in, or the reverse."""
    about_any = isinstance(question, questions.Files | questions.Readme | questions.Style)
    if not about_any and isinstance(question, questions.Program) != (rubric.kind == "program"):
        handed_in = "a program" if rubric.kind == "program" else "a file with functions"
        raise document.error(
            f"the case '{question.id}': 'check: {question.check}' does not go with 'kind: {rubric.kind}' "
            f"in the rubric: handed in is {handed_in}",
            (*where, "check"),
        )


def _with_function(question: AnyQuestion, default: Any) -> AnyQuestion:
    """Return the question with the function it is about filled in."""
    if isinstance(question, AboutBoards | questions.Declaration):
        return replace(question, function=question.function or default)
    if isinstance(question, questions.FollowThrough):
        return replace(question, function=question.function or default or "minimax")
    return question


def _with_copies(question: AnyQuestion, document: Document, where: tuple[str, int]) -> AnyQuestion:
    """Return a question about files with the digests of those that were given."""
    if not isinstance(question, questions.Files):
        return question
    known = {}
    for name, given in question.unmodified.items():
        if re.fullmatch(r"[0-9a-fA-F]{64}", given):
            known[name] = given.lower()
            continue
        copy = document.file.parent / given
        if not copy.is_file():
            message = f"there is no copy {given} beside this file, and it is no SHA-256"
            raise document.error(f"the case '{question.id}': {message}", (*where, "unmodified", name))
        known[name] = digest(copy.read_bytes())
    return replace(question, unmodified=known)


class _Unsound(ValueError):
    """A question that must not be asked, and the key at fault."""

    def __init__(self, key: str, message: str) -> None:
        self.key = key
        super().__init__(message)


def _hold_against_oracle(question: AnyQuestion, written: frozenset[str]) -> None:
    """Raise _Unsound for a question about an impossible board, a free answer, or a wrong expectation.

    It makes a difference which keys were written: an answer of None can be expected.
    """
    if isinstance(question, questions.Probe):
        _sound_search(question)
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
        why = f"{function.name} may only be asked about {function.domain} games: else it is free"
        raise _Unsound("boards" if question.board is None else "board", why)
    if isinstance(question, questions.Reject):
        _sound_reject(question, written)
    elif isinstance(question, questions.Answer):
        _sound_answer(question, written)


def _sound_search(question: questions.Probe) -> None:
    for board in question.boards:
        if why := oracle.unreachable(board):
            raise _Unsound("boards", why)
        if game.is_over(board) or len(game.empty_cells(board)) not in (5, 6):
            why = "a search is probed from running boards with 5 or 6 empty cells"
            raise _Unsound("boards", f"{shown(board)}: {why}")


def _sound_reject(question: questions.Reject, written: frozenset[str]) -> None:
    if question.function != "result":
        raise _Unsound("function", "only result has actions to reject")
    if ("action" in written) != (question.board is not None):
        raise _Unsound("action", "'action' goes with 'board'; with 'boards' every taken cell is tried")
    if question.board is not None and question.action in game.empty_cells(question.board):
        raise _Unsound("action", f"{question.action} is a valid action on this board")


def _sound_answer(question: questions.Answer, written: frozenset[str]) -> None:
    if question.board is None:
        if written & {"action", "expect"}:
            raise _Unsound("boards", "'action' and 'expect' go with 'board'")
        return
    if (question.function == "result") != ("action" in written):
        raise _Unsound("action", "'action' goes with 'result', and 'result' on one board needs it")
    if question.function == "result" and question.action not in game.empty_cells(question.board):
        raise _Unsound(
            "action", f"{question.action} is not valid on this board (to ask for that: check: reject)"
        )
    if "expect" in written and question.expect != "optimal":
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


def shown(value: object) -> str:
    """Return a value the way a student would write it."""
    if isinstance(value, Iterable) and not isinstance(value, str):
        return "{" + ", ".join(str(item) for item in sorted(value, key=str)) + "}"
    if isinstance(value, str) and len(value) == 9:
        return " / ".join(game.rows(Board(value)))
    return repr(value)
