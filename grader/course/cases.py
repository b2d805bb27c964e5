"""Cases: questions to a submission, loaded from YAML fixtures and compared with the oracle.

An instructor's own tests are read and not run: what is wrong with them is reported with everything else.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

from pydantic import Discriminator

from grader.core.course import course
from grader.core.course.course import AboutBoards, AnyQuestion, Case, FunctionName
from grader.core.course.rubric import Rubric
from grader.core.course.submission import digest
from grader.core.errors import UserError, meant, nearest, together
from grader.core.game import board as game
from grader.core.game import oracle
from grader.core.game.board import Board
from grader.core.game.oracle import FUNCTIONS, Boards, right_answer
from grader.core.messages import _
from grader.core.values import Reads, Written, said
from grader.course import strict_yaml
from grader.course.courses import files_in, is_fixture
from grader.course.strict_yaml import Document
from grader.course.strict_yaml import examined as examined_as


def _with_checks(cases: object) -> object:
    """Return the cases; one that names no check asks for the right answer."""
    if not isinstance(cases, list):
        return cases
    return [{"check": "answer", **case} if isinstance(case, dict) else case for case in cases]


class Fixture(Written):
    """A file of cases for one criterion."""

    criterion: str = said("The criterion of the rubric whose points these cases share.")
    function: FunctionName | None = said("Default: the criterion, if it is one.", default=None)
    cases: Annotated[tuple[Annotated[AnyQuestion, Discriminator("check")], ...], Reads(_with_checks)] = said(
        min_length=1
    )


class Examined(NamedTuple):
    """A fixture: its cases that are sound, all that is wrong with it, and the criterion that it names."""

    cases: tuple[Case, ...]
    wrong: tuple[UserError, ...] = ()
    criterion: str | None = None


def load(file: Path, rubric: Rubric) -> tuple[Case, ...]:
    """Return the cases of a fixture; raise UserError with the line of everything that is not sound."""
    found = examined(file, rubric)
    if found.wrong:
        raise together(found.wrong)
    return found.cases


def load_all(folder: Path, rubric: Rubric) -> Iterator[Case]:
    """Yield the cases of all fixtures in a folder; raise UserError as `load` does."""
    for file in filter(is_fixture, files_in(folder)):
        yield from load(file, rubric)


def examined(file: Path, rubric: Rubric | None) -> Examined:
    """Return what there is in a fixture; without a rubric nothing is held against one."""
    try:
        document = strict_yaml.read(file)
    except UserError as error:
        return Examined((), (error,))
    fixture, wrong = examined_as(document, Fixture)
    head = document.data if isinstance(document.data, dict) else {}
    names = (head.get(key) for key in ("criterion", "function"))
    criterion, given = (name if isinstance(name, str) else None for name in names)
    if rubric and criterion in rubric.left_out:
        return Examined((), tuple(wrong), criterion)
    default: Any = next((name for name in (given, criterion) if name in FUNCTIONS), None)
    is_known = criterion is not None and (rubric is None or rubric.criterion(criterion) is not None)
    if rubric and criterion is not None and not is_known:
        wrong.append(document.error(rubric.unknown(criterion), ("criterion",)))
        default = default or nearest(criterion, FUNCTIONS)  # a misspelt criterion gives the default, too
    repeated = set[int]()
    for number, name in strict_yaml.repeated(_written(document)):
        repeated.add(number)
        message = _("the id '{name}' is given twice: give one of the cases another id", name=name)
        wrong.append(document.error(message, ("cases", number, "id")))
    cases: list[Case] = []
    for number, question in enumerate(fixture.cases) if fixture else _well_formed(document):
        where = ("cases", number)
        needs_function = isinstance(question, AboutBoards | course.Declaration) and not question.function
        if needs_function and not default and not is_known:
            continue  # the function is known when the criterion is
        complete, unsound = _completed(question, default, document, where)
        if rubric and (misplaced := _misplaced(question, rubric)):
            unsound.append(document.error(misplaced, (*where, "check")))
        wrong += unsound
        is_about_files = isinstance(question, course.Files | course.Readme)
        is_asked = not (is_about_files and rubric and rubric.hand_in == "not_asked") or question.weight
        if is_asked and is_known and not unsound and number not in repeated:
            cases.append(Case(criterion or "", complete, file, document.line(where)))
    return Examined(tuple(cases), tuple(sorted(wrong, key=lambda error: error.line or 0)), criterion)


def _written(document: Document) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the cases as they were written, with their numbers."""
    cases = document.data.get("cases") if isinstance(document.data, dict) else None
    for number, case in enumerate(cases if isinstance(cases, list) else ()):
        if isinstance(case, dict):
            yield number, case


def _well_formed(document: Document) -> Iterator[tuple[int, AnyQuestion]]:
    """Yield the cases of a fixture that have the form of one, where others, or its head, have not."""
    for number, case in _written(document):
        alone, _errors = examined_as(replace(document, data={"criterion": "", "cases": [case]}), Fixture)
        if alone:
            yield number, alone.cases[0]


def _completed(
    question: AnyQuestion, default: Any, document: Document, where: tuple[str, int]
) -> tuple[AnyQuestion, list[UserError]]:
    """Return a question with what the fixture says for all of its cases, and what is unsound about it."""
    written = frozenset(document.data["cases"][where[1]])
    unsound: list[_Unsound] = []
    if isinstance(question, AboutBoards) and question.board and written & {"min_marks", "scoring"}:
        unsound.append(_Unsound("", _("'min_marks' and 'scoring' go with 'boards'")))
    if isinstance(question, AboutBoards | course.Declaration) and not (question.function or default):
        unsound.append(_Unsound("", _("it names no 'function': add one")))
    else:
        if isinstance(question, AboutBoards | course.Declaration):
            question = replace(question, function=question.function or default)
        elif isinstance(question, course.FollowThrough):
            question = replace(question, function=question.function or default or "minimax")
        unsound += _against_oracle(question, written)
    if isinstance(question, course.Files):
        known, missing = _copies(question, document.file.parent)
        question = replace(question, unmodified=known)
        unsound += missing
    return question, [
        document.error(
            _("the case '{case}': {problem}", case=question.id, problem=problem), (*where, *problem.keys)
        )
        for problem in unsound
    ]


def _misplaced(question: AnyQuestion, rubric: Rubric) -> str | None:
    """Return why a question does not go with the kind of the rubric, or None."""
    about_any = isinstance(question, course.Files | course.Readme | course.Style)
    if about_any or isinstance(question, course.ProgramQuestion) == (rubric.kind == "program"):
        return None
    if rubric.kind == "program":
        return _(
            "the case '{case}': 'check: {check}' does not go with 'kind: program' in the rubric: "
            "handed in is a program",
            case=question.id,
            check=question.check,
        )
    return _(
        "the case '{case}': 'check: {check}' does not go with 'kind: functions' in the rubric: "
        "handed in is a file with functions",
        case=question.id,
        check=question.check,
    )


def _copies(question: course.Files, beside: Path) -> tuple[dict[str, str], list["_Unsound"]]:
    """Return the digests of the files that were given, and those that are not there."""
    known: dict[str, str] = {}
    missing: list[_Unsound] = []
    for name, given in question.unmodified.items():
        copy = beside / given
        if re.fullmatch(r"[0-9a-fA-F]{64}", given):
            known[name] = given.lower()
        elif copy.is_file():
            known[name] = digest(copy.read_bytes())
        else:
            message = _("there is no copy {file} beside this file, and it is no SHA-256", file=given)
            missing.append(_Unsound(("unmodified", name), message))
    return known, missing


class _Unsound(ValueError):
    """A fault of a question, with the keys that lead to it."""

    def __init__(self, key: str | tuple[str | int, ...], message: str) -> None:
        self.keys = (key,) if isinstance(key, str) else key
        super().__init__(message)


def _against_oracle(question: AnyQuestion, written: frozenset[str]) -> Iterator[_Unsound]:
    """Yield what is wrong with a question about an impossible board, a free answer, or a wrong expectation.

    `written` holds the keys that the case has: an answer of None can be expected.
    """
    if isinstance(question, course.Probe):
        yield from _sound_search(question)
    elif isinstance(question, AboutBoards):
        try:
            _require_sound(question, written)
        except _Unsound as error:
            yield error


def _require_sound(question: AboutBoards, written: frozenset[str]) -> None:
    """Raise _Unsound for the first thing that is wrong with a question about boards."""
    assert question.function
    function = FUNCTIONS[question.function]
    if question.board is not None:
        if why := oracle.unreachable(question.board):
            raise _Unsound("board", why)
        allowed = function.allows(question.board)
    else:
        allowed = function.domain in (Boards.ALL, question.boards)
        if not question.chosen():
            raise _Unsound("min_marks", _("no board has so many marks"))
    if not allowed:
        finished = _(
            "{function} may only be asked about finished games: else it is free", function=function.name
        )
        running = _(
            "{function} may only be asked about running games: else it is free", function=function.name
        )
        why = finished if function.domain is Boards.FINISHED else running
        raise _Unsound("boards" if question.board is None else "board", why)
    if isinstance(question, course.Reject):
        _require_sound_reject(question, written)
    elif isinstance(question, course.Answer):
        _require_sound_answer(question, written)


def _sound_search(question: course.Probe) -> Iterator[_Unsound]:
    for number, board in enumerate(question.boards):
        why = oracle.unreachable(board)
        if not why and (game.is_over(board) or len(game.empty_cells(board)) not in (5, 6)):
            why = _(
                "{board}: a search is probed from running boards with 5 or 6 empty cells", board=shown(board)
            )
        if why:
            yield _Unsound(("boards", number), why)


def _require_sound_reject(question: course.Reject, written: frozenset[str]) -> None:
    if question.function != "result":
        raise _Unsound("function", _("only result has actions to reject"))
    if ("action" in written) != (question.board is not None):
        raise _Unsound("action", _("'action' goes with 'board'; with 'boards' every taken cell is tried"))
    if question.board is not None and question.action in game.empty_cells(question.board):
        raise _Unsound("action", _("{action} is a valid action on this board", action=question.action))


def _require_sound_answer(question: course.Answer, written: frozenset[str]) -> None:
    is_result, expect = question.function == "result", question.expect
    if question.board is None:
        if written & {"action", "expect"}:
            raise _Unsound("boards", _("'action' and 'expect' go with 'board'"))
        return
    if is_result != ("action" in written):
        raise _Unsound("action", _("'action' goes with 'result', and 'result' on one board needs it"))
    if is_result and question.action not in game.empty_cells(question.board):
        message = _(
            "{action} is not valid on this board (to ask for that: check: reject)", action=question.action
        )
        raise _Unsound("action", message)
    if "expect" in written and expect != "optimal":
        right = right_answer(question.function or "", question.board, question.action)
        found = _expectation(expect, right)
        if found != right or type(found) is not type(right):
            message = _("the right answer is {right}, not {expect}", right=shown(right), expect=shown(expect))
            raise _Unsound("expect", message)
    elif expect == "optimal" and question.function != "minimax":
        raise _Unsound("expect", _("'optimal' goes with minimax"))


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


MARK: Final = "criterion"
"""The mark of pytest's that names the criterion of a test."""

_TAKES: Final = ("id", "weight", "visibility")


def wrong_in_tests(file: Path, rubric: Rubric | None) -> Iterator[UserError]:
    """Yield the errors of a file of tests: a syntax error, or wrong marks."""
    try:
        tree = ast.parse(file.read_bytes())
    except SyntaxError as error:
        yield UserError(_("not valid Python: {problem}", problem=error.msg), file=file, line=error.lineno)
        return
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and ast.unparse(call.func) in (f"pytest.mark.{MARK}", f"mark.{MARK}"):
            given = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
            messages = list(wrong_arguments(len(call.args), given))
            name = next(iter(call.args), given.get("id"))  # which may be no constant
            if rubric and isinstance(name, ast.Constant) and rubric.criterion(str(name.value)) is None:
                messages.append(rubric.unknown(str(name.value)))
            for message in messages:
                yield UserError(message, file=file, line=call.lineno)


def wrong_arguments(count: int, names: Iterable[str]) -> Iterator[str]:
    """Yield what is wrong with a mark of `count` positional arguments and of named ones."""
    for name in names:
        if name not in _TAKES:
            yield _("the mark '{mark}' takes no '{name}'", mark=MARK, name=name) + meant(name, _TAKES)
    if count > 1:
        yield _("the mark '{mark}' takes one id: name what else is given, as in weight=2", mark=MARK)
