"""Whole faults as students make them, put around or in place of the reference's own functions."""

import ast
from collections.abc import Iterator
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
