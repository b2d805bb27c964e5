"""Grades the grader: mutants of the reference must lose points where they are wrong, and nowhere else.

What a mutant breaks is found without the checks: its answers are compared with the reference's own, question
by question; for minimax, with the value of the game. Mutants are small edits of the source, and faulty
functions in the place of its own.
"""

import ast
import copy
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from textwrap import indent
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from grader.core.asking.reply import Arguments, Raised, Reply, Returned
from grader.core.course.course import Course
from grader.core.course.rubric import GivenBack
from grader.core.course.submission import Submission, read
from grader.core.errors import UserError
from grader.core.game import oracle
from grader.core.game.board import CELLS, LINES, START, Board, as_action, empty_cells, is_over, taken_cells
from grader.core.game.oracle import FUNCTIONS
from grader.core.grade import Status
from grader.core.judging import Judging
from grader.grading.session import Settings, grade_found, graded, load_course, opened

_AT_ONCE: Final = "wins at once, else takes the first free cell"
_CHANGES: Final = "changes the board it is given"
_HELPER: Final = "_right_"


def swapped(source: str) -> Iterator[tuple[str, ast.Module, str | None]]:
    """Return the engine with one function swapped for a faulty one that may call the right one."""
    for name, function, body, mistake in _faults():
        tree = ast.parse(source)
        for statement in tree.body:
            if isinstance(statement, ast.FunctionDef) and statement.name == function:
                statement.name = _HELPER + function
        lines = indent(body.format_map({"right": _HELPER + function}), "    ")
        parameters = ", ".join(FUNCTIONS[function].parameters)
        faulty = ast.parse(f'def {function}({parameters}):\n    """\n    {name}.\n    """\n{lines}\n')
        tree.body += faulty.body
        yield f"{function}: {name}", tree, mistake and f"{function} {mistake}"


def _faults() -> Iterator[tuple[str, str, str, str | None]]:
    """Return faults as students make them: name, function, body, and what they must be named."""
    every = [[divmod(cell, 3) for cell in cells] for cells in LINES.values()]
    for number, line in enumerate(LINES):
        for mark in ("X", "O"):
            body = _BUT_ONE_LINE.replace("LINES", str(every)).replace("MISSED", f"({number}, {mark})")
            yield f"Misses {line} for {mark}", "winner", body, f"never sees {line} for {mark}"
    for depth in range(1, 9):
        mistake = f"looks only {depth} moves ahead" if depth > 1 else _AT_ONCE
        yield f"Stops at depth {depth}", "minimax", _CUT_OFF.replace("DEPTH", str(depth)), mistake
    for first in CELLS:
        board = oracle.successors(START)[first]
        replies = oracle.successors(board).items()
        losing = next((action for action, after in replies if oracle.value(after) == 1), None)
        if losing is not None:
            body = (
                f"taken = [(i, j) for i in range(3) for j in range(3) if board[i][j] is not EMPTY]\n"
                f"return {losing} if taken == [{first}] else {{right}}(board)"
            )
            yield f"A table answers {first} with {losing}", "minimax", body, None
    yield from _FAULTS


_BUT_ONE_LINE: Final = """\
for number, line in enumerate(LINES):
    for mark in (X, O):
        if (number, mark) != MISSED and all(board[i][j] == mark for i, j in line):
            return mark
return None"""

_CUT_OFF: Final = """\
if terminal(board):
    return None
def value(state, depth):
    if terminal(state):
        return utility(state)
    if depth == 0:
        return 0
    values = [value(result(state, action), depth - 1) for action in sorted(actions(state))]
    return max(values) if player(state) == X else min(values)
choose = max if player(board) == X else min
return choose(sorted(actions(board)), key=lambda action: value(result(board, action), DEPTH - 1))"""

_FAULTS: Final = [
    ("O starts", "player", "return O if {right}(board) == X else X", "lets O begin"),
    ("Always X", "player", "return X", "answers 'X' on every board"),
    ("Changes the board", "player", "turn = {right}(board)\nboard[1][1] = EMPTY\nreturn turn", _CHANGES),
    ("A list", "actions", "return sorted({right}(board))", "returns a list"),
    ("A frozen set", "actions", "return frozenset({right}(board))", "returns a frozenset"),
    ("Lists for tuples", "actions", "return [list(action) for action in {right}(board)]", "returns a list"),
    ("No corner", "actions", "return {right}(board) - {{(2, 2)}}", "leaves out (2, 2)"),
    ("Taken cells", "actions", "every = {{(i, j) for i in range(3) for j in range(3)}}\n"
     "return every - {right}(board)", "returns the taken cells"),
    ("Empties a cell", "actions", "free = {right}(board)\nboard[0][0] = EMPTY\nreturn free", _CHANGES),
    ("Changes the old board", "result", "after = {right}(board, action)\n"
     "board[action[0]][action[1]] = player(board)\nreturn after", _CHANGES),
    ("Accepts a taken cell", "result", "after = [row[:] for row in board]\n"
     "if action[0] not in range(3) or action[1] not in range(3):\n    raise ValueError\n"
     "after[action[0]][action[1]] = player(board)\nreturn after", "accepts a taken cell"),
    ("Accepts negative indices", "result", "after = [row[:] for row in board]\n"
     "if after[action[0]][action[1]] is not EMPTY:\n    raise ValueError\n"
     "after[action[0]][action[1]] = player(board)\nreturn after", "accepts negative rows and columns"),
    ("Ignores what is not valid", "result", "try:\n    return {right}(board, action)\n"
     "except (ValueError, TypeError):\n    return board",
     "accepts a taken cell, negative rows and columns and a cell off the board"),
    ("Always places X", "result", "after = {right}(board, action)\n"
     "after[action[0]][action[1]] = X\nreturn after", "always places X"),
    ("Transposes", "result", "after = {right}(board, action)\n"
     "return [[after[j][i] for j in range(3)] for i in range(3)]", None),
    ("Tuples", "result", "return tuple(map(tuple, {right}(board, action)))", "returns tuples in a tuple"),
    ("False for nobody", "winner", "return {right}(board) or False", "answers False for nobody"),
    ("Three empty cells win", "winner", "empty = board[0] == [EMPTY] * 3\n"
     "return {right}(board) or (X if empty else None)", None),
    ("Empties a cell", "winner", "champion = {right}(board)\nboard[2][2] = EMPTY\nreturn champion", _CHANGES),
    ("A full board is X's", "winner", "return {right}(board) or (None if actions(board) else X)", None),
    ("Never a tie", "terminal", "return winner(board) is not None", "does not see ties"),
    ("Only when full", "terminal", "return not actions(board)", "sees full boards only"),
    ("One cell early", "terminal", "return {right}(board) or len(actions(board)) == 1", None),
    ("Only X's wins", "terminal", "return winner(board) == X or not actions(board)", None),
    ("A number", "terminal", "return int({right}(board))", "returns 1 and 0, not a boolean"),
    ("Empties a cell", "terminal", "over = {right}(board)\nboard[1][0] = EMPTY\nreturn over", _CHANGES),
    ("Upside down", "utility", "return -{right}(board)", "has the signs swapped"),
    ("Ten points", "utility", "return 10 * {right}(board)", "uses another scale"),
    ("O's wins are ties", "utility", "return max(0, {right}(board))", "answers 0 for O's wins"),
    ("A tie is X's", "utility", "return {right}(board) or 1", "answers 1 for a tie"),
    ("Empties a cell", "utility", "value = {right}(board)\nboard[0][2] = EMPTY\nreturn value", _CHANGES),
    ("The first free cell", "minimax", "return None if terminal(board) else min(actions(board))",
     "takes the first free cell"),
    ("The last free cell", "minimax", "return None if terminal(board) else max(actions(board))",
     "takes the last free cell"),
    ("Wins if it can, else the first free cell", "minimax", "if terminal(board):\n    return None\n"
     "for action in sorted(actions(board)):\n    if winner(result(board, action)) is not None:\n"
     "        return action\nreturn min(actions(board))", _AT_ONCE),
    ("A list", "minimax", "action = {right}(board)\nreturn action and list(action)", "returns a list"),
    ("A value too", "minimax", "return None if terminal(board) else (0, {right}(board))",
     "returns a value and the action"),
    ("A cell at the end", "minimax", "return (0, 0) if terminal(board) else {right}(board)",
     "answers (0, 0) on every finished board"),
    ("False at the end", "minimax", "return {right}(board) or False",
     "answers False on every finished board"),
    ("Row and column swapped", "minimax", "action = {right}(board)\nreturn action and action[::-1]",
     "swaps row and column"),
    ("Plays for the other side", "minimax", "if terminal(board):\n    return None\n"
     "def value(state):\n    if terminal(state):\n        return utility(state)\n"
     "    values = [value(result(state, action)) for action in actions(state)]\n"
     "    return max(values) if player(state) == X else min(values)\n"
     "choose = min if player(board) == X else max\n"
     "return choose(sorted(actions(board)), key=lambda action: value(result(board, action)))",
     "plays for the other side"),
    ("Empties a cell", "minimax", "action = {right}(board)\nboard[0][0] = EMPTY\nreturn action", _CHANGES),
    ("The centre if it is free", "minimax", "if not terminal(board) and board[1][1] is EMPTY:\n"
     "    return (1, 1)\nreturn {right}(board)", None),
    ("A corner whenever one is free", "minimax", "if not terminal(board):\n"
     "    for action in [(0, 0), (0, 2), (2, 0), (2, 2)]:\n        if action in actions(board):\n"
     "            return action\nreturn {right}(board)", None),
]  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """A faulty engine: what is wrong with it, and its source."""

    name: str
    source: str
    mistake: str | None = None
    """What must be said of it, if a family of mistakes covers it: the function, and what that does."""


@cache
def mutants(source: str) -> tuple[Mutant, ...]:
    """Return all mutants of an engine's source, each different from it and from the others."""
    tree = ast.parse(source)
    edited = ((name, changed, None) for name, changed in _edited(tree))
    found: dict[str, Mutant | None] = {ast.dump(tree): None}
    for name, changed, mistake in [*edited, *swapped(source)]:
        if (key := ast.dump(changed)) not in found:
            found[key] = Mutant(name, ast.unparse(ast.fix_missing_locations(changed)) + "\n", mistake)
    return tuple(filter(None, found.values()))


# --- small edits ---

_COMPARISONS: Final[dict[type[ast.cmpop], list[type[ast.cmpop]]]] = {
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
    ast.Lt: [ast.LtE, ast.Gt],
    ast.LtE: [ast.Lt, ast.Gt],
    ast.Gt: [ast.GtE, ast.Lt],
    ast.GtE: [ast.Gt, ast.Lt],
    ast.Is: [ast.IsNot],
    ast.IsNot: [ast.Is],
    ast.In: [ast.NotIn],
    ast.NotIn: [ast.In],
}
_OPERATORS: Final[dict[type[ast.operator], list[type[ast.operator]]]] = {
    ast.Add: [ast.Sub],
    ast.Sub: [ast.Add],
    ast.Mult: [ast.Add],
    ast.Mod: [ast.FloorDiv],
}
_NAMES: Final = {"min": "max", "max": "min", "X": "O", "O": "X", "alpha": "beta", "beta": "alpha"}
_DROPPED: Final = ast.Assign | ast.AugAssign | ast.Expr | ast.If | ast.Raise | ast.Break | ast.Return
_GIVEN: Final = {"initial_state"}


def _edited(tree: ast.Module) -> Iterator[tuple[str, ast.Module]]:
    """Yield the tree with one edit, for every edit that fits somewhere in its functions."""
    for function in tree.body:
        if not isinstance(function, ast.FunctionDef) or function.name in _GIVEN:
            continue
        first = function.body[0]
        for node in (node for statement in function.body for node in ast.walk(statement)):
            if isinstance(first, ast.Expr) and node in (first, first.value):
                continue  # the docstring
            for what, replacement in _edits(node):
                name = f"{function.name}, line {getattr(node, 'lineno', function.lineno)}: {what}"
                yield name, copy.deepcopy(tree, {id(node): replacement})


def _edits(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:  # noqa: PLR0912 - one branch an edit
    """Return what may stand in a node's place, and how to call that."""
    match node:
        case ast.Compare(left=left, ops=[*ops], comparators=comparators):
            for place, operator in enumerate(ops):
                for other in _COMPARISONS[type(operator)]:
                    changed = [*ops[:place], other(), *ops[place + 1 :]]
                    yield "another comparison", ast.Compare(left, changed, comparators)
        case ast.Constant(value=bool(value)):
            yield "the other truth value", ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield "one more", ast.Constant(value + 1)
            yield "one less", ast.Constant(value - 1)
        case ast.BinOp(left=left, op=operator, right=right):
            for another in _OPERATORS.get(type(operator), []):
                yield "another operator", ast.BinOp(left, another(), right)
        case ast.BoolOp(op=operator, values=values):
            yield "and for or", ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
        case ast.UnaryOp(operand=operand):
            yield "a sign or a not less", operand
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield "the other branch", ast.IfExp(test, orelse, body)
        case ast.Name(id=name, ctx=ast.Load()) if name in _NAMES:
            yield f"{_NAMES[name]} for {name}", ast.Name(_NAMES[name], ast.Load())
        case ast.Subscript(value=value, slice=ast.Name(id=index), ctx=context):
            beside = ast.BinOp(ast.Name(index, ast.Load()), ast.Sub(), ast.Constant(1))
            yield "the index before", ast.Subscript(value, beside, context)
        case ast.ListComp(elt=ast.Subscript(slice=ast.Slice()), generators=[generator]):
            yield "a shallow copy", ast.Subscript(generator.iter, ast.Slice(), ast.Load())
            yield "no copy", generator.iter
        case ast.Tuple(elts=[first, second], ctx=ast.Load()):
            yield "a pair the other way round", ast.Tuple([second, first], ast.Load())
    if isinstance(node, _DROPPED):
        yield f"no {type(node).__name__.lower()} statement", ast.Pass()


_DEADLINE: Final = 1.0
"""Seconds for one call of a mutant: many of them never end."""

_OFF_BOARD: Final = ((3, 0), (0, 3), (-1, 1), (1, -1))
_SOURCE_ALONE: Final = frozenset({"quality"})
"""Criteria that judge the text: an edit may really have made it worse."""


@dataclass(frozen=True)
class MutantResult:
    """What became of one mutant."""

    name: str
    breaks: frozenset[str]
    loses: frozenset[str]
    caught_by: tuple[str, ...]
    caught_by_written: frozenset[str]
    mistakes: tuple[str, ...] = ()
    """What was named: functions, and what they do."""
    expected: str | None = None
    """What must be named, if a family of mistakes covers it."""
    by_hand: frozenset[str] = frozenset()
    """The criteria that a person judges: no case can catch anything there."""

    @property
    def is_named(self) -> bool:
        """Whether it is named by the mistake it was made with."""
        return self.expected in self.mistakes

    @property
    def named_wrongly(self) -> tuple[str, ...]:
        """Mistakes named of functions that are right, or of the faulty one instead of its own."""
        wrong = [mistake for mistake in self.mistakes if mistake.split()[0] not in self.breaks]
        if self.expected and not self.is_named:
            function = self.expected.split()[0]
            wrong += [mistake for mistake in self.mistakes if mistake.split()[0] == function]
        return tuple(wrong)

    @property
    def got_away(self) -> frozenset[str]:
        """The criteria that it breaks without losing a point there."""
        return self.breaks - self.loses - self.by_hand

    @property
    def charged_wrongly(self) -> frozenset[str]:
        """The criteria on which it loses points although it breaks nothing there."""
        return self.loses - self.breaks - _SOURCE_ALONE


@dataclass(frozen=True)
class Audit:
    """What became of all mutants that behave differently, and how many do not."""

    findings: tuple[MutantResult, ...]
    same: int

    @property
    def holds(self) -> bool:
        """Whether every fault is noticed where it is and nowhere else, and none is called something else."""
        faults = ((found.got_away, found.charged_wrongly, found.named_wrongly) for found in self.findings)
        return not any(map(any, faults))

    def per_criterion(self) -> dict[str, tuple[int, int, int, list[tuple[str, int]]]]:
        """Return, by criterion: mutants that break it, caught, caught by hand, and the busiest cases."""
        rows = {}
        by_hand = frozenset().union(*(found.by_hand for found in self.findings))
        for criterion in (name for name in FUNCTIONS if name not in by_hand):
            broken = [found for found in self.findings if criterion in found.breaks]
            caught_by = (case for found in broken for case in found.caught_by)
            cases = Counter(case for case in caught_by if case.startswith(f"{criterion}/"))
            caught = sum(criterion in found.loses for found in broken)
            by_written = sum(criterion in found.caught_by_written for found in broken)
            rows[criterion] = len(broken), caught, by_written, cases.most_common(3)
        return rows


def audit(
    reference: Path, settings: Settings, on_mutant: Callable[[int, int], None], every: int = 1
) -> Audit:
    """Grade the reference's mutants (every n-th of them) on all cores and return what became of each."""
    course = load_course(settings)
    found = read(reference, course.rubric.limits.source_kb)
    _refuse_imperfect(found, course, settings)
    chosen = mutants(found.source.decode("utf-8"))[::every]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        futures = [pool.submit(judge_mutant, mutant, found, settings) for mutant in chosen]
        for done, future in enumerate(as_completed(futures), 1):
            future.result()  # what went wrong is raised at once
            on_mutant(done, len(futures))
    findings = [future.result() for future in futures]
    differing = tuple(finding for finding in findings if finding.breaks or finding.charged_wrongly)
    return Audit(differing, same=len(findings) - len(differing))


def _refuse_imperfect(found: Submission, course: Course, settings: Settings) -> None:
    grade = grade_found(found, course, settings)
    judged = grade.points - grade.by_hand_points
    if not judged:
        raise UserError("a person judges all of it: there is nothing to audit", file=settings.rubric_file)
    if grade.score < judged:
        points = f"{grade.score:g} of {judged:g} points"
        message = f"has {points}: only an engine with full marks can be the reference"
        raise UserError(message, file=found.path)


def judge_mutant(mutant: Mutant, reference: Submission, settings: Settings) -> MutantResult:
    """Grade one mutant, and find out what it breaks. Runs in a process of the pool."""
    found = Submission(mutant.name, Path("tictactoe.py"), mutant.source.encode())
    with opened(found, _strict(settings), settings) as submission:
        grade, judging = graded(submission, settings), submission.judging
        breaks = frozenset(_broken(judging, _behaviour_of(reference, settings)))
        exhaustive = {
            f"{case.criterion}/{case.question.id}"
            for case in judging.asked
            if getattr(case.question, "boards", None) or case.question.check == "play"
        }
    scored = [criterion for criterion in grade.criteria if not criterion.bonus]
    caught = tuple(
        f"{criterion.id}/{verdict.id}"
        for criterion in scored
        for verdict in criterion.verdicts
        if verdict.weight and verdict.status not in (Status.PASSED, Status.SKIPPED)
    )
    by_written = frozenset(case.partition("/")[0] for case in caught if case not in exhaustive)
    by_hand = frozenset(criterion.id for criterion in grade.criteria if criterion.by_hand)
    lost = frozenset(criterion.id for criterion in scored if criterion.score < criterion.points)
    return MutantResult(
        name=mutant.name,
        breaks=breaks,
        loses=lost - by_hand,
        caught_by=caught,
        caught_by_written=by_written & breaks,
        mistakes=tuple(f"{mistake.function} {mistake.title}" for mistake in grade.mistakes),
        expected=mutant.mistake,
        by_hand=by_hand,
    )


@cache
def _strict(settings: Settings) -> Course:
    """Return the course with less patience, and without follow-through: what is broken must show."""
    course = load_course(settings)
    limits = replace(course.rubric.limits, deadline=_DEADLINE, strikes=1, sweep_budget=20.0)
    return replace(course, rubric=replace(course.rubric, limits=limits, follow_through=GivenBack(share=0.0)))


@cache
def _behaviour_of(reference: Submission, settings: Settings) -> dict[str, list[object]]:
    """Return what the reference answers to every question about the rules, by function."""
    with opened(reference, _strict(settings), settings) as submission:
        return {name: _answers(submission.judging, name) for name in _questions()}


def _broken(judging: Judging, reference: dict[str, list[object]]) -> Iterable[str]:
    """Return the functions that answer otherwise than the reference's, or, for minimax, play worse."""
    if judging.client.load_failure():
        return list(FUNCTIONS)
    broken = [name for name, right in reference.items() if _answers(judging, name) != right]
    replies = judging.sweeper.sweep().replies
    if not all(_keeps_the_value(board, reply) for board, reply in replies.items()):
        broken.append("minimax")
    return broken


def _keeps_the_value(board: Board, reply: Reply) -> bool:
    if not isinstance(reply, Returned) or reply.changed:
        return False
    if is_over(board):
        return reply.value is None
    action = as_action(reply.value)
    return action is not None and oracle.is_optimal(board, action)


@cache
def _questions() -> dict[str, list[Arguments]]:
    """Return every question about the six rule functions, invalid actions included."""
    questions: dict[str, list[Arguments]] = {
        name: [(board,) for board in function.domain.members()]
        for name, function in FUNCTIONS.items()
        if name not in ("result", "minimax")
    }
    questions["result"] = [
        (board, action)
        for number, board in enumerate(oracle.running())
        for action in (*empty_cells(board), *taken_cells(board)[:1], _OFF_BOARD[number % len(_OFF_BOARD)])
    ]
    return questions


def _answers(judging: Judging, name: str) -> list[object]:
    """Return what a function answers to every question, in a form that can be compared.

    Values have their exact types; exceptions that change nothing are all equal.
    """
    answers: list[object] = []
    for reply in judging.client.ask(name, _questions()[name]):
        if isinstance(reply, Raised) and not reply.changed:
            answers.append("raised")
        else:
            is_value = isinstance(reply, Returned) and not reply.changed
            answers.append(_exact(reply.value) if is_value else reply)  # type: ignore[union-attr]
    return answers


def _exact(value: object) -> object:
    """Return a value so that only values of the same types are equal to it: True is not 1 here."""
    if isinstance(value, list | tuple | set | frozenset):
        items = [_exact(item) for item in value]
        return type(value).__name__, sorted(items, key=repr) if isinstance(value, set | frozenset) else items
    return type(value).__name__, value


def render(audit: Audit) -> RenderableType:
    """Return the report on an audit."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in ("criterion", "broken by", "caught", "by hand", "caught most often by"):
        table.add_column(title, justify="right" if title in ("broken by", "caught", "by hand") else "left")
    for criterion, (broken, caught, by_written, cases) in audit.per_criterion().items():
        busiest = ", ".join(f"{case.partition('/')[2]} ({count})" for case, count in cases)
        table.add_row(criterion, str(broken), str(caught), str(by_written), busiest)
    found = audit.findings
    by_written_alone = sum(bool(mutant.caught_by_written) for mutant in found) / len(found) if found else 1.0
    parts: list[RenderableType] = [
        Text(f"{len(found)} mutants behave differently from the reference, {audit.same} do not."),
        "",
        table,
        "",
        Text(f"Hand-written cases alone catch {by_written_alone:.1%} of the mutants."),
    ]
    if covered := [mutant for mutant in found if mutant.expected]:
        named = sum(mutant.is_named for mutant in covered)
        share = f"{named} of {len(covered)} ({named / len(covered):.1%})"
        parts.append(Text(f"Named by the mistake they were made with: {share}."))
    for mutant in found:
        unnamed = [mutant.expected] if mutant.expected and not mutant.is_named else []
        for title, colour, names in (
            ("named wrongly", "red", mutant.named_wrongly),
            ("not named", "yellow", unnamed),
            ("got away", "red", sorted(mutant.got_away)),
            ("loses points where it breaks nothing", "red", sorted(mutant.charged_wrongly)),
        ):
            if names:
                parts.append(Text(f"{title}: {mutant.name} ({', '.join(names)})", style=colour))
        if not mutant.caught_by_written:
            parts.append(Text(f"not caught by hand: {mutant.name}", style="yellow"))
    parts.append(Text("The fixtures hold." if audit.holds else "The fixtures do not hold.", style="bold"))
    return Group(*parts)
