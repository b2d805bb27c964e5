"""Planted faults: the engine with one thing changed, named after it, and the criteria that it must lose."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from tests.submissions import PLAIN

Change = Callable[[str], str]


@dataclass(frozen=True)
class Fault:
    """A faulty engine: what it must lose if nothing is given back, the mistakes to be named, what is changed."""

    loses: str
    mistake: str
    changes: tuple[Change, ...]

    @property
    def source(self) -> str:
        """The engine with the changes."""
        text = PLAIN
        for change in self.changes:
            text = change(text)
        return text


def fault(loses: str, *changes: Change, mistake: str = "") -> Fault:
    return Fault(loses, mistake, changes)


def swap(old: str, new: str, times: int = 1) -> Change:
    """Put something in the place of a text that stands in the engine so many times."""

    def changed(text: str) -> str:
        assert text.count(old) == times, old
        return text.replace(old, new)

    return changed


def insert(after: str, line: str) -> Change:
    """Put a line after another, indented like it."""
    indent = after[: len(after) - len(after.lstrip())]
    return swap(f"{after}\n", f"{after}\n{indent}{line}\n")


def drop(*lines: str) -> Change:
    """Leave lines out that follow each other."""
    return swap("".join(f"{line}\n" for line in lines), "")


def body(function: str, *lines: str) -> Change:
    """Write a function anew, below its docstring."""

    def changed(text: str) -> str:
        pattern = rf'(def {function}\(.*\):\n    """\n.*\n    """\n)(?:(?:    .*)?\n)+?(?=\n\n|\Z)'
        new, count = re.subn(pattern, r"\1" + "".join(f"    {line}\n" for line in lines), text)
        assert count == 1, function
        return new

    return changed


def begin(function: str, *lines: str) -> Change:
    """Let a function begin with other lines, below its docstring."""

    def changed(text: str) -> str:
        pattern = rf'(def {function}\(.*\):\n    """\n.*\n    """\n)'
        new, count = re.subn(pattern, r"\1" + "".join(f"    {line}\n" for line in lines), text)
        assert count == 1, function
        return new

    return changed


def without(function: str, instead: str = "") -> Change:
    """Leave a function out, or put something in its place."""

    def changed(text: str) -> str:
        new, count = re.subn(rf"def {function}\(.*\):\n(?:(?:    .*)?\n)+?(?:\n\n|\Z)", instead, text)
        assert count == 1, function
        return new

    return changed


RULES = ("player", "actions", "result", "winner", "terminal", "utility")
ALL = "player actions result winner terminal utility minimax"
FOR_X = "return max(sorted(actions(board)), key=lambda action: min_value(result(board, action)))"
FOR_O = "return min(sorted(actions(board)), key=lambda action: max_value(result(board, action)))"
NOT_VALID = '    if action not in actions(board):\n        raise ValueError("not a valid action")\n    i, j = action\n'

FAULTS = {
    "actions_gives_a_list": fault(
        "actions", swap("return possible", "return list(possible)"), mistake="actions returns a list"
    ),
    "actions_misses_the_last_column": fault(
        "actions result minimax",
        swap("        for j in range(3):\n", "        for j in range(2):\n"),
        mistake="actions leaves out (0, 2), (1, 2), (2, 2)",
    ),
    "actions_swaps_row_and_column": fault(
        "actions",
        swap("actions(board)", "_free(board)", times=6),
        swap("def _free(board):", "def actions(board):"),
        swap("possible.add((i, j))", "possible.add((j, i))"),
        swap(
            "def result(",
            "def _free(board):\n    return {(j, i) for i, j in actions(board)}\n\n\ndef result(",
        ),
        mistake="actions swaps row and column",
    ),
    "code_is_untidy": fault(
        "quality",
        swap("import math\n", "import math, os, sys\n"),
        insert("    count_o = sum(row.count(O) for row in board)", "unused = 1; l = 2"),
        swap("if board[i][j] == EMPTY:", "if board[i][j] == None:"),
        swap(
            'max_value(board):\n    """\n    Returns the best value that X can reach.\n    """\n',
            "max_value(board):\n",
        ),
    ),
    "constants_are_renamed": fault(
        ALL,
        swap('X = "X"', 'X = "x"'),
        swap('O = "O"', 'O = "o"'),
        swap("EMPTY = None", 'EMPTY = ""'),
        mistake="player answers 'x' on every board; actions answers set() on every board; winner returns None on every board; terminal answers True on every board; utility answers 0 on every board; minimax returns None on every running board",
    ),
    "file_exits_on_import": fault(ALL, insert("EMPTY = None", "raise SystemExit(0)")),
    "file_has_a_syntax_error": fault(f"{ALL} quality", swap("return possible", "return possible)")),
    "file_imports_numpy": fault(
        ALL, insert("import math", "import numpy as np"), swap("-math.inf", "-np.inf")
    ),
    "file_raises_on_import": fault(ALL, insert("EMPTY = None", "FIRST = [][0]")),
    "functions_are_not_written": fault(
        ALL,
        *(body(name, "raise NotImplementedError") for name in (*RULES, "minimax")),
        without("max_value"),
        without("min_value"),
        drop("import copy", "import math", ""),
        mistake="player is not written; actions is not written; winner is not written; result is not written; terminal is not written; utility is not written; minimax is not written",
    ),
    "minimax_ends_the_program": fault(
        "minimax", begin("minimax", "import os", "os._exit(0)"), mistake="minimax ends the program"
    ),
    "minimax_gives_a_list": fault(
        "minimax",
        swap(FOR_X, "return list(max(sorted(actions(board)), key=lambda a: min_value(result(board, a))))"),
        swap(FOR_O, "return list(min(sorted(actions(board)), key=lambda a: max_value(result(board, a))))"),
        mistake="minimax returns a list",
    ),
    "minimax_gives_value_and_action": fault(
        "minimax",
        swap(FOR_X, "return max((min_value(result(board, action)), action) for action in actions(board))"),
        swap(FOR_O, "return min((max_value(result(board, action)), action) for action in actions(board))"),
        mistake="minimax returns a value and the action",
    ),
    "minimax_is_not_written": fault(
        "minimax", body("minimax", "raise NotImplementedError"), mistake="minimax is not written"
    ),
    "minimax_maximises_for_both": fault(
        "minimax", swap(FOR_O, FOR_O.replace("min(", "max(", 1)), mistake="minimax plays O's moves for X"
    ),
    "minimax_moves_on_a_finished_board": fault(
        "minimax",
        swap(
            "    if terminal(board):\n        return None", "    if not actions(board):\n        return None"
        ),
        mistake="minimax makes a move when the game is over",
    ),
    "minimax_never_ends": fault(
        "minimax", begin("minimax", "while not terminal(board):", "    pass"), mistake="minimax never answers"
    ),
    "minimax_reads_the_keyboard": fault(
        "minimax",
        begin("minimax", 'terminal(board) or input("press enter")'),
        mistake="minimax raises EOFError on every running board",
    ),
    "minimax_stops_at_depth_two": fault(
        "minimax",
        swap(FOR_X, FOR_X.replace("action)))", "action), 1))")),
        swap(FOR_O, FOR_O.replace("action)))", "action), 1))")),
        swap("_value(board):", "_value(board, depth):", times=2),
        swap(
            "if terminal(board):\n        return utility",
            "if terminal(board) or depth == 2:\n        return utility",
            times=2,
        ),
        swap("best, min_value(result(board, action))", "best, min_value(result(board, action), depth + 1)"),
        swap("best, max_value(result(board, action))", "best, max_value(result(board, action), depth + 1)"),
        mistake="minimax looks only 2 moves ahead",
    ),
    "minimax_takes_the_first_free_cell": fault(
        "minimax",
        body("minimax", "if terminal(board):", "    return None", "return min(actions(board))"),
        mistake="minimax takes the first free cell",
    ),
    "player_has_an_extra_argument": fault(
        "player", swap("def player(board):", "def player(board, verbose=False):")
    ),
    "player_o_starts": fault(
        "player result minimax",
        swap("return X if count_x == count_o else O", "return O if count_x == count_o else X"),
        mistake="player lets O begin",
    ),
    "player_prints_and_is_right": fault("", begin("player", 'print("thinking")')),
    "result_accepts_a_taken_cell": fault(
        "result",
        swap(
            NOT_VALID,
            '    i, j = action\n    if not (0 <= i < 3 and 0 <= j < 3):\n        raise ValueError("not a valid action")\n',
        ),
        mistake="result accepts a taken cell",
    ),
    "result_accepts_negative_indices": fault(
        "result",
        swap(
            NOT_VALID,
            '    i, j = action\n    if board[i][j] is not EMPTY:\n        raise ValueError("not a valid action")\n',
        ),
        mistake="result accepts negative rows and columns",
    ),
    "result_changes_the_board_itself": fault(
        "result minimax",
        drop("import copy"),
        swap("copy.deepcopy(board)", "board"),
        mistake="result changes the board it is given",
    ),
    "result_copies_the_outer_list_only": fault(
        "result minimax",
        swap("copy.deepcopy(board)", "copy.copy(board)"),
        mistake="result copies only the outer list",
    ),
    "result_takes_one_argument": fault(
        "result minimax",
        swap("def result(board, action):", "def result(board):"),
        mistake="result raises TypeError on every board",
    ),
    "terminal_forgets_the_tie": fault(
        "terminal minimax",
        body("terminal", "return winner(board) is not None"),
        mistake="terminal does not see ties",
    ),
    "terminal_forgets_the_win": fault(
        "terminal minimax",
        drop("    if winner(board) is not None:", "        return True"),
        mistake="terminal sees full boards only",
    ),
    "terminal_gives_a_number": fault(
        "terminal",
        swap("        return True\n", "        return 1\n"),
        swap("return all(cell is not EMPTY", "return 1 * all(cell is not EMPTY"),
        mistake="terminal returns 1 and 0, not a boolean",
    ),
    "utility_gives_none_for_a_tie": fault(
        "utility minimax", drop("    return 0"), mistake="utility returns nothing for a tie"
    ),
    "utility_is_missing": fault("utility minimax", without("utility"), mistake="utility is not there"),
    "utility_scales_by_ten": fault(
        "utility",
        swap("        return 1\n", "        return 10\n"),
        swap("        return -1\n", "        return -10\n"),
        mistake="utility uses another scale",
    ),
    "winner_gives_false_for_none": fault(
        "winner",
        swap("            return mark\n    return None\n", "            return mark\n    return False\n"),
        swap("if winner(board) is not None:", "if winner(board):"),
        mistake="winner answers False for nobody",
    ),
    "winner_is_a_variable": fault(
        "winner terminal utility minimax",
        without("winner", "winner = None\n\n\n"),
        mistake="winner raises TypeError on every board",
    ),
    "winner_misses_columns": fault(
        "winner terminal utility minimax",
        drop("            if all(board[j][i] == mark for j in range(3)):", "                return mark"),
        mistake="winner never sees the columns",
    ),
    "winner_misses_the_anti_diagonal": fault(
        "winner terminal utility minimax",
        drop("        if all(board[i][2 - i] == mark for i in range(3)):", "            return mark"),
        mistake="winner never sees the anti-diagonal",
    ),
    "minimax_begins_with_the_worst_value": fault(
        "minimax",
        body(
            "minimax",
            "if terminal(board):",
            "    return None",
            "sign = 1 if player(board) == X else -1",
            "value = min_value if sign == 1 else max_value",
            "best, chosen = -1, None",
            "for action in sorted(actions(board)):",
            "    found = sign * value(result(board, action))",
            "    if found > best:",
            "        best, chosen = found, action",
            "return chosen",
        ),
        mistake="minimax has no move where every move loses",
    ),
    "minimax_gives_the_value_at_the_end": fault(
        "minimax",
        swap(
            "    if terminal(board):\n        return None",
            "    if terminal(board):\n        return utility(board)",
        ),
        mistake="minimax returns the value when the game is over",
    ),
    "minimax_returns_inside_the_loop": fault(
        "minimax",
        drop("import math"),
        drop("    best = -math.inf"),
        drop("    best = math.inf"),
        swap(
            "        best = max(best, min_value(result(board, action)))\n    return best",
            "        return min_value(result(board, action))",
        ),
        swap(
            "        best = min(best, max_value(result(board, action)))\n    return best",
            "        return max_value(result(board, action))",
        ),
        mistake="minimax follows one line of play below each move",
    ),
    "terminal_does_not_look_at_every_cell": fault(
        "terminal minimax",
        swap(
            "return all(cell is not EMPTY for row in board for cell in row)",
            "return all(board[i][j] is not EMPTY for i in range(3) for j in range(i))",
        ),
        mistake="terminal does not look at every cell",
    ),
    "winner_has_a_name_that_is_not_defined": fault(
        "winner terminal utility minimax",
        begin("winner", "if board[0] == [O, O, O]:", "    return Y"),
        mistake="winner raises NameError on 36 of 5,478 boards",
    ),
    "winner_looks_at_another_cell": fault(
        "winner terminal utility minimax",
        swap(
            "            if all(board[j][i] == mark for j in range(3)):",
            "            if all(board[j][i] == mark for j in range(3)) and board[i][0] != EMPTY:",
        ),
        mistake="winner looks at a cell outside the line",
    ),
}
