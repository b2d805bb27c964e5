"""Mutants of the reference: the same engine with one fault each, to see whether the fixtures notice.

Two kinds: small edits of the syntax tree, made everywhere they fit, and whole faults as students make them,
put around or in place of the reference's own functions. (Mutation libraries drive a project's own test suite
over files on disk and know nothing of the second kind; the edits themselves are the small part.)
"""

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from textwrap import indent
from typing import Final

from grader.core.game import oracle
from grader.core.game.board import CELLS, LINES, START
from grader.core.game.interface import FUNCTIONS

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
    every = [[(cell // 3, cell % 3) for cell in cells] for cells in LINES.values()]
    for number, line in enumerate(LINES):
        for mark in ("X", "O"):
            body = _BUT_ONE_LINE.replace("LINES", str(every)).replace("MISSED", f"({number}, {mark})")
            yield f"Misses {line} for {mark}", "winner", body, f"never sees {line} for {mark}"
    for depth in range(1, 9):
        mistake = f"looks only {depth} moves ahead" if depth > 1 else _AT_ONCE
        yield f"Stops at depth {depth}", "minimax", _CUT_OFF.replace("DEPTH", str(depth)), mistake
    for cell in range(9):
        reply = _losing_reply(cell)
        if reply is not None:
            body = (
                f"taken = [(i, j) for i in range(3) for j in range(3) if board[i][j] is not EMPTY]\n"
                f"return {reply} if taken == [{(cell // 3, cell % 3)}] else {{right}}(board)"
            )
            yield f"A table answers {(cell // 3, cell % 3)} with {reply}", "minimax", body, None
    yield from _FAULTS


def _losing_reply(cell: int) -> tuple[int, int] | None:
    """Return an answer to a first move that loses by force."""
    board = oracle.successors(START)[CELLS[cell]]
    losing = [action for action, after in oracle.successors(board).items() if oracle.value(after) == 1]
    return losing[0] if losing else None


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
    seen = {ast.dump(tree)}
    found = []
    edited = ((name, changed, None) for name, changed in _edited(tree))
    for name, changed, mistake in [*edited, *swapped(source)]:
        key = ast.dump(changed)
        if key not in seen:
            seen.add(key)
            text = ast.unparse(ast.fix_missing_locations(changed)) + "\n"
            found.append(Mutant(name, text, mistake))
    return tuple(found)


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
    """Return the tree with one edit, for every edit that fits somewhere in its functions."""
    for number, function in enumerate(tree.body):
        if not isinstance(function, ast.FunctionDef) or function.name in _GIVEN:
            continue
        nodes = [node for statement in function.body for node in ast.walk(statement)]
        for index, node in enumerate(nodes):
            if _is_docstring(function, node):
                continue
            for what, replacement in _edits(node):
                changed = copy.deepcopy(tree)
                target = changed.body[number]
                assert isinstance(target, ast.FunctionDef)
                old = [one for statement in target.body for one in ast.walk(statement)][index]
                _Replace(old, replacement).visit(target)
                yield f"{function.name}, line {getattr(node, 'lineno', function.lineno)}: {what}", changed


def _is_docstring(function: ast.FunctionDef, node: ast.AST) -> bool:
    first = function.body[0]
    return isinstance(first, ast.Expr) and node in (first, first.value)


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


class _Replace(ast.NodeTransformer):
    """Puts one node in another's place."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self._new if node is self._old else super().visit(node)
