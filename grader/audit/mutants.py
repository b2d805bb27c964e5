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
from typing import Final

from grader.game import oracle
from grader.game.board import CELLS, LINES, START


@dataclass(frozen=True)
class Mutant:
    """A faulty engine: what is wrong with it, and its source."""

    name: str
    source: str


@cache
def mutants(source: str) -> tuple[Mutant, ...]:
    """Return all mutants of an engine's source, each different from it and from the others."""
    tree = ast.parse(source)
    seen = {ast.dump(tree)}
    found = []
    for name, changed in [*_edited(tree), *_swapped(source)]:
        key = ast.dump(changed)
        if key not in seen:
            seen.add(key)
            found.append(Mutant(name, ast.unparse(ast.fix_missing_locations(changed)) + "\n"))
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


# --- whole faults ---

_HELPER: Final = "_right_"


def _swapped(source: str) -> Iterator[tuple[str, ast.Module]]:
    """Return the engine with one function swapped for a faulty one that may call the right one."""
    for name, function, parameters, body in _faults():
        tree = ast.parse(source)
        for statement in tree.body:
            if isinstance(statement, ast.FunctionDef) and statement.name == function:
                statement.name = _HELPER + function
        lines = "\n".join(
            f"    {line}" for line in body.format_map({"right": _HELPER + function}).splitlines()
        )
        faulty = ast.parse(f'def {function}({parameters}):\n    """\n    {name}.\n    """\n{lines}\n')
        tree.body += faulty.body
        yield f"{function}: {name}", tree


def _faults() -> Iterator[tuple[str, str, str, str]]:
    """Return faults as students make them: name, function, parameters, body."""
    for line, cells in LINES.items():
        where = [(cell // 3, cell % 3) for cell in cells]
        for mark in ("X", "O"):
            body = (
                f"marks = [board[i][j] for i, j in {where}]\n"
                f"return None if marks == [{mark}] * 3 else {{right}}(board)"
            )
            yield f"Misses {line} for {mark}", "winner", "board", body
    for depth in range(1, 9):
        yield f"Stops at depth {depth}", "minimax", "board", _CUT_OFF.replace("DEPTH", str(depth))
    for cell in range(9):
        reply = _losing_reply(cell)
        if reply is not None:
            body = (
                f"taken = [(i, j) for i in range(3) for j in range(3) if board[i][j] is not EMPTY]\n"
                f"return {reply} if taken == [{(cell // 3, cell % 3)}] else {{right}}(board)"
            )
            yield f"A table answers {(cell // 3, cell % 3)} with {reply}", "minimax", "board", body
    yield from _FAULTS


def _losing_reply(cell: int) -> tuple[int, int] | None:
    """Return an answer to a first move that loses by force."""
    board = oracle.successors(START)[CELLS[cell]]
    losing = [action for action, after in oracle.successors(board).items() if oracle.value(after) == 1]
    return losing[0] if losing else None


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
    ("O starts", "player", "board", "return O if {right}(board) == X else X"),
    ("Always X", "player", "board", "return X"),
    ("Changes the board", "player", "board", "turn = {right}(board)\nboard[1][1] = EMPTY\nreturn turn"),
    ("A list", "actions", "board", "return sorted({right}(board))"),
    ("A frozen set", "actions", "board", "return frozenset({right}(board))"),
    ("Lists for tuples", "actions", "board", "return [list(action) for action in {right}(board)]"),
    ("No corner", "actions", "board", "return {right}(board) - {{(2, 2)}}"),
    ("Taken cells", "actions", "board", "every = {{(i, j) for i in range(3) for j in range(3)}}\n"
     "return every - {right}(board)"),
    ("Empties a cell", "actions", "board", "free = {right}(board)\nboard[0][0] = EMPTY\nreturn free"),
    ("Changes the old board", "result", "board, action", "after = {right}(board, action)\n"
     "board[action[0]][action[1]] = player(board)\nreturn after"),
    ("Accepts a taken cell", "result", "board, action", "after = [row[:] for row in board]\n"
     "if action[0] not in range(3) or action[1] not in range(3):\n    raise ValueError\n"
     "after[action[0]][action[1]] = player(board)\nreturn after"),
    ("Accepts negative indices", "result", "board, action", "after = [row[:] for row in board]\n"
     "if after[action[0]][action[1]] is not EMPTY:\n    raise ValueError\n"
     "after[action[0]][action[1]] = player(board)\nreturn after"),
    ("Ignores what is not valid", "result", "board, action", "try:\n    return {right}(board, action)\n"
     "except (ValueError, TypeError):\n    return board"),
    ("Always places X", "result", "board, action", "after = {right}(board, action)\n"
     "after[action[0]][action[1]] = X\nreturn after"),
    ("Transposes", "result", "board, action", "after = {right}(board, action)\n"
     "return [[after[j][i] for j in range(3)] for i in range(3)]"),
    ("Tuples", "result", "board, action", "return tuple(map(tuple, {right}(board, action)))"),
    ("False for nobody", "winner", "board", "return {right}(board) or False"),
    ("Three empty cells win", "winner", "board", "empty = board[0] == [EMPTY] * 3\n"
     "return {right}(board) or (X if empty else None)"),
    ("Empties a cell", "winner", "board", "champion = {right}(board)\nboard[2][2] = EMPTY\nreturn champion"),
    ("A full board is X's", "winner", "board", "return {right}(board) or (None if actions(board) else X)"),
    ("Never a tie", "terminal", "board", "return winner(board) is not None"),
    ("Only when full", "terminal", "board", "return not actions(board)"),
    ("One cell early", "terminal", "board", "return {right}(board) or len(actions(board)) == 1"),
    ("Only X's wins", "terminal", "board", "return winner(board) == X or not actions(board)"),
    ("A number", "terminal", "board", "return int({right}(board))"),
    ("Empties a cell", "terminal", "board", "over = {right}(board)\nboard[1][0] = EMPTY\nreturn over"),
    ("Upside down", "utility", "board", "return -{right}(board)"),
    ("Ten points", "utility", "board", "return 10 * {right}(board)"),
    ("O's wins are ties", "utility", "board", "return max(0, {right}(board))"),
    ("A tie is X's", "utility", "board", "return {right}(board) or 1"),
    ("Empties a cell", "utility", "board", "value = {right}(board)\nboard[0][2] = EMPTY\nreturn value"),
    ("The first free cell", "minimax", "board", "return None if terminal(board) else min(actions(board))"),
    ("The last free cell", "minimax", "board", "return None if terminal(board) else max(actions(board))"),
    ("Wins if it can, else the first free cell", "minimax", "board", "if terminal(board):\n    return None\n"
     "for action in sorted(actions(board)):\n    if winner(result(board, action)) is not None:\n"
     "        return action\nreturn min(actions(board))"),
    ("A list", "minimax", "board", "action = {right}(board)\nreturn action and list(action)"),
    ("A value too", "minimax", "board", "return None if terminal(board) else (0, {right}(board))"),
    ("A cell at the end", "minimax", "board", "return (0, 0) if terminal(board) else {right}(board)"),
    ("False at the end", "minimax", "board", "return {right}(board) or False"),
    ("Row and column swapped", "minimax", "board", "action = {right}(board)\nreturn action and action[::-1]"),
    ("Plays for the other side", "minimax", "board", "if terminal(board):\n    return None\n"
     "def value(state):\n    if terminal(state):\n        return utility(state)\n"
     "    values = [value(result(state, action)) for action in actions(state)]\n"
     "    return max(values) if player(state) == X else min(values)\n"
     "choose = min if player(board) == X else max\n"
     "return choose(sorted(actions(board)), key=lambda action: value(result(board, action)))"),
    ("Empties a cell", "minimax", "board", "action = {right}(board)\nboard[0][0] = EMPTY\nreturn action"),
    ("The centre if it is free", "minimax", "board", "if not terminal(board) and board[1][1] is EMPTY:\n"
     "    return (1, 1)\nreturn {right}(board)"),
    ("A corner whenever one is free", "minimax", "board", "if not terminal(board):\n"
     "    for action in [(0, 0), (0, 2), (2, 0), (2, 2)]:\n        if action in actions(board):\n"
     "            return action\nreturn {right}(board)"),
]  # fmt: skip
