"""Constructs that students use: ways of writing a correct engine, each found in at least 1 % of 267 real files.

Every construct is a change of one quick engine, so that it can be combined with a planted fault. The number of
real files was counted with `ast`; no line and no name comes from such a file.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from textwrap import dedent
from typing import Final

from tests.submissions import PLAIN
from tests.submissions.faults import FAULTS, RULES, Change, begin, body, insert, swap

COPIED: Final = "[row[:] for row in board]"
"""How the quick engine copies a board; 9 % of the real files do it so."""

WINNER: Final = "winner_misses_the_anti_diagonal"
RESULT: Final = "result_accepts_negative_indices"
ACTIONS: Final = "actions_gives_a_list"


@dataclass(frozen=True)
class Construct:
    """One way of writing an engine: what it changes, and whether the copy with recall may answer for it."""

    files: int
    """The number of the 267 real files that have what its name says first, or something of that kind.

    A kind is for example any `global` that a function writes, or any list of the module that functions fill.
    """
    changes: tuple[Change, ...]
    state: str = ""
    """The name of the module that functions write and read: the file is asked without recall because of it."""
    faults: tuple[str, ...] = (WINNER, RESULT)
    """Planted faults whose changes fit to these changes."""
    helpers: Mapping[str, str] = field(default_factory=dict)
    """The modules beside the file, by their names."""

    @property
    def why_plain(self) -> str:
        """The expected beginning of the reason why the file is asked without recall."""
        return f"it writes to {self.state}, which outlives the call (line " if self.state else ""

    def source(self, fault: str = "") -> str:
        """Return the engine in this way of writing, correct or with a planted fault."""
        text = engine(fault)
        for change in self.changes:
            text = change(text)
        return text


def engine(fault: str = "") -> str:
    """Return the engine, correct or with a planted fault, with a quick copy of boards in place of a deep one."""
    text = FAULTS[fault].source if fault else PLAIN
    return text.replace("copy.deepcopy(board)", COPIED).replace("import copy\n", "", 1)


def construct(
    files: int,
    *changes: Change,
    state: str = "",
    faults: tuple[str, ...] = (WINNER, RESULT),
    helpers: Mapping[str, str] | None = None,
) -> Construct:
    return Construct(files, changes, state, faults, helpers or {})


def rule(text: str) -> Change:
    """Write a function anew, below its docstring; the text begins with its name and a colon."""
    function, _, lines = dedent(text).strip().partition(":")
    return body(function, *dedent(lines).strip("\n ").splitlines())


def search(text: str, imports: str = "import math") -> Change:
    """Write minimax and its helpers anew, and what they import."""

    def changed(source: str) -> str:
        rules = source[: source.index("def minimax(")]
        assert rules.count("import math\n") == 1
        return rules.replace("import math\n", imports and f"{imports}\n") + dedent(text).strip("\n") + "\n"

    return changed


def define(text: str) -> Change:
    """Put statements below the constants."""
    return swap("EMPTY = None\n", f"EMPTY = None\n{dedent(text).rstrip()}\n")


def at_the_end(text: str) -> Change:
    """Put statements below everything else."""
    return lambda source: f"{source.rstrip()}\n\n\n{dedent(text).strip()}\n"


def rename(function: str, **names: str) -> Change:
    """Give local variables of a function other names."""

    def changed(text: str) -> str:
        start = text.index('"""', text.index('"""', text.index(f"def {function}(")) + 3)
        end = text.index("\n\n\n", start)
        part = text[start:end]
        for old, new in names.items():
            part, count = re.subn(rf"\b{old}\b", new, part)
            assert count, old
        return text[:start] + part + text[end:]

    return changed


def without_docstrings(text: str) -> str:
    """Leave out the docstrings of functions."""
    new, count = re.subn(r'    """\n.*\n    """\n', "", text)
    assert count
    return new


# Parts of searches. They choose the first of several best moves, as the plain engine does.

CHOICE = """
def minimax(board):
    if terminal(board):
        return None
    if player(board) == X:
        return max(sorted(actions(board)), key=lambda action: min_value(result(board, action)))
    return min(sorted(actions(board)), key=lambda action: max_value(result(board, action)))
"""

VALUES = """


def max_value(board):
    if terminal(board):
        return utility(board)
    v = -math.inf
    for action in actions(board):
        v = max(v, min_value(result(board, action)))
    return v


def min_value(board):
    if terminal(board):
        return utility(board)
    v = math.inf
    for action in actions(board):
        v = min(v, max_value(result(board, action)))
    return v
"""

CACHED = """


@lru_cache(maxsize=None)
def value(rows):
    board = [list(row) for row in rows]
    if terminal(board):
        return utility(board)
    values = [value(frozen(result(board, action))) for action in actions(board)]
    return max(values) if player(board) == X else min(values)


def frozen(board):
    return tuple(tuple(row) for row in board)
"""
"""Values that are quick without recall, too: for engines that are asked so."""

CACHED_CHOICE = """
def minimax(board):
    if terminal(board):
        return None
    choose = max if player(board) == X else min
    return choose(sorted(actions(board)), key=lambda action: value(frozen(result(board, action))))
"""

LRU_CACHE = "from functools import lru_cache"

CONSTRUCTS: Final = {
    # Imports.
    "copy.deepcopy": construct(
        163, insert("import math", "import copy"), swap(COPIED, "copy.deepcopy(board)")
    ),
    "deepcopy imported by its name": construct(
        45, insert("import math", "from copy import deepcopy"), swap(COPIED, "deepcopy(board)")
    ),
    "a copy of every row": construct(5, swap(COPIED, "[cells.copy() for cells in board]")),
    "Counter of collections": construct(
        6,
        insert("import math", "from collections import Counter"),
        rule("""
            player:
                counts = Counter()
                for row in board:
                    counts.update(row)
                return X if counts[X] == counts[O] else O
            """),
    ),
    "unused imports, and a recursion limit": construct(
        5,
        swap("import math\n", "import itertools\nimport math\nimport random\nimport sys\n"),
        define("sys.setrecursionlimit(10_000)"),
    ),
    "sys.maxsize in place of infinity": construct(
        3,
        swap("import math\n", "import math\nimport sys\n"),
        swap("-math.inf", "-sys.maxsize - 1"),
        swap("= math.inf", "= sys.maxsize"),
    ),
    "a first move by random.choice": construct(
        3,
        insert("import math", "import random"),
        begin(
            "minimax", "if board == initial_state():", "    return random.choice([(0, 0), (1, 1), (2, 2)])"
        ),
    ),
    "a first move by randrange": construct(
        7,
        insert("import math", "from random import randrange"),
        begin("minimax", "if board == initial_state():", "    return randrange(0, 3), randrange(0, 3)"),
    ),
    "functions of a helper module": construct(
        6,
        insert("import math", "from cells import cells_with, count_of"),
        rule("player: return X if count_of(board, X) == count_of(board, O) else O"),
        rule("actions: return cells_with(board, EMPTY)"),
        helpers={
            "cells.py": (
                "def cells_with(board, mark):\n"
                "    return {(i, j) for i in range(3) for j in range(3) if board[i][j] == mark}\n\n\n"
                "def count_of(board, mark):\n"
                "    return len(cells_with(board, mark))\n"
            )
        },
    ),
    # Names.
    "a local eval": construct(
        5,
        search("""
            def minimax(board):
                if terminal(board):
                    return None
                best_move = None
                if player(board) == X:
                    best = -math.inf
                    for action in sorted(actions(board)):
                        eval = min_value(result(board, action))
                        if eval > best:
                            best, best_move = eval, action
                else:
                    best = math.inf
                    for action in sorted(actions(board)):
                        eval = max_value(result(board, action))
                        if eval < best:
                            best, best_move = eval, action
                return best_move


            def max_value(board):
                if terminal(board):
                    return utility(board)
                highest = -math.inf
                for action in actions(board):
                    eval = min_value(result(board, action))
                    highest = max(highest, eval)
                return highest


            def min_value(board):
                if terminal(board):
                    return utility(board)
                lowest = math.inf
                for action in actions(board):
                    eval = max_value(result(board, action))
                    lowest = min(lowest, eval)
                return lowest
            """),
    ),
    "locals named like their own function": construct(
        71,
        rename("player", count_x="player"),
        rename("actions", possible="actions"),
        rename("result", new_board="result"),
        rename("utility", champion="utility"),
    ),
    "locals named like another function": construct(
        34,
        rename("player", count_x="result", count_o="utility"),
        rename("actions", possible="result"),
        rename("winner", mark="player"),
        rename("utility", champion="player"),
        swap(
            "    if winner(board) is not None:\n        return True\n",
            "    result = winner(board)\n    if result is not None:\n        return True\n",
        ),
    ),
    "parameters named like functions": construct(
        11,
        swap(
            "for mark in (X, O):\n",
            "for mark in (X, O):\n        if has_row(board, mark):\n            return mark\n",
        ),
        swap(
            "def terminal(board):",
            "def has_row(board, player):\n    return any(row.count(player) == 3 for row in board)\n\n\ndef terminal(board):",
        ),
        search("""
            def minimax(board):
                if terminal(board):
                    return None
                turn = player(board)
                choose = max if turn == X else min
                other = O if turn == X else X
                return choose(sorted(actions(board)), key=lambda move: value(result(board, move), other))


            def value(board, player):
                if terminal(board):
                    return utility(board)
                if player == X:
                    return max(value(result(board, action), O) for action in actions(board))
                return min(value(result(board, action), X) for action in actions(board))
            """),
    ),
    # Statements and expressions of the rules.
    "enumerate and continue": construct(
        71,
        rule("""
            actions:
                possible = set()
                for i, row in enumerate(board):
                    for j, cell in enumerate(row):
                        if cell is not EMPTY:
                            continue
                        possible.add((i, j))
                return possible
            """),
    ),
    "comprehensions and any": construct(
        74,
        rule("actions: return {(i, j) for i in range(3) for j in range(3) if board[i][j] is None}"),
        rule("""
            player:
                cells = [cell for row in board for cell in row]
                return O if cells.count(X) > cells.count(O) else X
            """),
        rule("terminal: return winner(board) is not None or not any([None in row for row in board])"),
    ),
    "zip(*board) and reversed": construct(
        9,
        rule("""
            winner:
                turned = list(zip(*board))
                falling = [board[i][i] for i in range(3)]
                rising = [row[i] for i, row in enumerate(reversed(board))]
                for three in [*board, *turned, falling, rising]:
                    if three[0] is not None and three[0] == three[1] == three[2]:
                        return three[0]
                return None
            """),
        faults=(ACTIONS, RESULT),
    ),
    "counts in loops, for and while": construct(
        117,
        rule("""
            player:
                count_x = 0
                count_o = 0
                for i in range(len(board)):
                    for j in range(len(board[i])):
                        if board[i][j] == X:
                            count_x += 1
                        elif board[i][j] == O:
                            count_o += 1
                if count_x > count_o:
                    return O
                else:
                    return X
            """),
        rule("""
            terminal:
                if winner(board) == X or winner(board) == O:
                    return True
                i = 0
                while i < len(board):
                    if EMPTY in board[i]:
                        return False
                    i += 1
                return True
            """),
    ),
    "winning lines in a list of the module": construct(
        12,
        define("""
            ROWS = [{(i, 0), (i, 1), (i, 2)} for i in range(3)]
            COLUMNS = [{(0, j), (1, j), (2, j)} for j in range(3)]
            DIAGONALS = [{(0, 0), (1, 1), (2, 2)}, {(0, 2), (1, 1), (2, 0)}]
            LINES = ROWS + COLUMNS + DIAGONALS
            """),
        rule("""
            winner:
                for mark in [X, O]:
                    taken = set()
                    for i in range(3):
                        for j in range(3):
                            if board[i][j] == mark:
                                taken.add((i, j))
                    for line in LINES:
                        if line.issubset(taken):
                            return mark
                return None
            """),
        faults=(ACTIONS, RESULT),
    ),
    "match": construct(
        3,
        rule("""
            utility:
                match winner(board):
                    case "X":
                        return 1
                    case "O":
                        return -1
                    case None:
                        return 0
            """),
    ),
    "assert": construct(
        11,
        swap(COPIED, "[list(row) for row in board]"),
        rule("""
            result:
                i, j = action
                assert isinstance(board, list), "no board"
                assert 0 <= i <= 2 and 0 <= j <= 2, f"no cell {action}"
                assert board[i][j] == EMPTY, f"taken: {action}"
                after = [list(row) for row in board]
                after[i][j] = player(board)
                return after
            """),
        faults=(WINNER, ACTIONS),
    ),
    "try and except in result": construct(
        17,
        rule("""
            result:
                after = [row[:] for row in board]
                try:
                    if action[0] < 0 or action[1] < 0 or after[action[0]][action[1]] is not None:
                        raise ValueError("not a valid action")
                    after[action[0]][action[1]] = player(board)
                except (IndexError, TypeError) as problem:
                    raise Exception("not a valid action") from problem
                except:
                    raise
                return after
            """),
        faults=(WINNER, ACTIONS),
    ),
    "an exception class": construct(
        3,
        define("""


            class WrongMove(Exception):
                pass
            """),
        lambda text: text.replace('ValueError("not a valid action")', "WrongMove(f'{action} is wrong')"),
    ),
    "functions nested in rules": construct(
        8,
        rule("""
            terminal:
                def is_full():
                    return all(None not in row for row in board)

                def is_won(grid):
                    return winner(grid) in (X, O)

                return is_won(board) or is_full()
            """),
    ),
    # The whole file.
    "prints": construct(
        53,
        begin("result", 'print("result of", action)'),
        begin(
            "minimax", 'print(f"{player(board)} thinks about {len(actions(board))} cells")', "print(board)"
        ),
        begin("max_value", 'print("max", sum(row.count(EMPTY) for row in board))'),
        swap("    return best\n", "    print('best is', best)\n    return best\n", times=2),
    ),
    "type hints with aliases": construct(
        11,
        insert("import math", "from typing import Literal, Optional, TypeAlias"),
        define("""
            Side = Literal["X", "O"]
            Grid: TypeAlias = list[list[Optional[str]]]
            Cell = tuple[int, int]
            """),
        *(
            swap(f"def {function}(board):", f"def {function}(board: Grid) -> {kind}:")
            for function, kind in {
                "player": "str",
                "actions": "set[Cell]",
                "winner": "Optional[Side]",
                "terminal": "bool",
                "utility": "int",
                "minimax": "Cell | None",
                "max_value": "float",
                "min_value": "float",
            }.items()
        ),
        swap("def result(board, action):", "def result(board: Grid, action: Cell) -> Grid:"),
        swap("    best = -math.inf", "    best: float = -math.inf"),
    ),
    "trial code at the end": construct(
        15,
        at_the_end("""
            trial = [[X, O, X], [O, X, O], [EMPTY, EMPTY, O]]
            print(player(trial), actions(trial))
            assert minimax(trial) is not None


            def main():
                board = initial_state()
                while not terminal(board):
                    board = result(board, minimax(board))
                    print(board)


            if __name__ == "__main__":
                main()
            """),
    ),
    "infinity by float, in a constant of the module": construct(
        58,
        define("""
            INFINITY = float("inf")
            LOWEST = -INFINITY
            SIZE = 3
            """),
        swap("-math.inf", "LOWEST"),
        swap("= math.inf", "= INFINITY"),
        lambda text: text.replace("range(3)", "range(SIZE)"),
    ),
    # Searches.
    "a loop in minimax, no docstrings": construct(
        155,
        search("""
            def minimax(board):
                if terminal(board):
                    return None
                best_action = None
                if player(board) == X:
                    best_value = float("-inf")
                    for action in sorted(actions(board)):
                        value = min_value(result(board, action))
                        if value > best_value:
                            best_value = value
                            best_action = action
                elif player(board) == O:
                    best_value = float("inf")
                    for action in sorted(actions(board)):
                        value = max_value(result(board, action))
                        if value < best_value:
                            best_value = value
                            best_action = action
                return best_action
            """),
        at_the_end(VALUES),
        without_docstrings,
    ),
    "a value and an action, as a tuple": construct(
        54,
        search("""
            def minimax(board):
                if terminal(board):
                    return None
                elif player(board) == X:
                    return max_value(board)[1]
                else:
                    _, move = min_value(board)
                    return move


            def max_value(board):
                if terminal(board):
                    return (utility(board), None)
                v = -math.inf
                move = None
                for action in actions(board):
                    reached = min_value(result(board, action))[0]
                    if reached > v:
                        v = reached
                        move = action
                return (v, move)


            def min_value(board):
                if terminal(board):
                    return utility(board), None
                v, move = math.inf, None
                for action in actions(board):
                    reached, _ = max_value(result(board, action))
                    if reached < v:
                        v, move = reached, action
                return v, move
            """),
    ),
    "a value and an action, as a list": construct(
        14,
        search("""
            def minimax(board):
                if terminal(board):
                    return None
                return best(board)[1]


            def best(board):
                if terminal(board):
                    return [utility(board), None]
                found = [-2, None] if player(board) == X else [2, None]
                for action in actions(board):
                    after = best(result(board, action))
                    after[1] = action
                    if player(board) == X and after[0] > found[0]:
                        found = after
                    if player(board) == O and after[0] < found[0]:
                        found = after
                return found
            """),
    ),
    "one helper with a flag, that calls itself": construct(
        50,
        search("""
            def minimax(board):
                if terminal(board):
                    return None
                for_x = player(board) == X
                moves = []
                for action in sorted(actions(board)):
                    moves.append((worth(result(board, action), not for_x), action))
                best = max(moves)[0] if for_x else min(moves)[0]
                for value, action in moves:
                    if value == best:
                        return action


            def worth(board, for_x):
                if terminal(board):
                    return utility(board)
                if for_x:
                    value = -math.inf
                    for action in actions(board):
                        value = max(value, worth(result(board, action), False))
                else:
                    value = math.inf
                    for action in actions(board):
                        value = min(value, worth(result(board, action), True))
                return value
            """),
    ),
    "alpha and beta with defaults": construct(
        19,
        search("""
            def minimax(board):
                if terminal(board):
                    return None
                if player(board) == X:
                    value, action = max_value(board)
                else:
                    value, action = min_value(board=board, beta=math.inf)
                return action


            def max_value(board, alpha=float("-inf"), beta=float("inf"), move=None):
                if terminal(board):
                    return utility(board), None
                value = float("-inf")
                for action in sorted(actions(board)):
                    reached, _ = min_value(result(board, action), alpha=alpha, beta=beta)
                    if reached > value:
                        value, move = reached, action
                    alpha = max(alpha, value)
                    if beta <= alpha:
                        break
                return value, move


            def min_value(board, alpha=-math.inf, beta=math.inf, move=None):
                if terminal(board):
                    return utility(board), None
                value = float("inf")
                for action in sorted(actions(board)):
                    reached, _ = max_value(result(board, action), alpha=alpha, beta=beta)
                    if reached < value:
                        value, move = reached, action
                    beta = min(beta, value)
                    if beta <= alpha:
                        break
                return value, move
            """),
    ),
    "helpers nested in minimax": construct(
        22,
        search("""
            def minimax(board):
                def max_value(position):
                    if terminal(position):
                        return utility(position), None
                    v = -math.inf
                    for action in sorted(actions(position)):
                        value = min_value(result(position, action))[0]
                        if value > v:
                            v, chosen = value, action
                    return v, chosen

                def min_value(position):
                    if terminal(position):
                        return utility(position), None
                    v = math.inf
                    for action in sorted(actions(position)):
                        value = max_value(result(position, action))[0]
                        if value < v:
                            v, chosen = value, action
                    return v, chosen

                turn = player(board)
                if terminal(board):
                    return None
                return max_value(board)[1] if turn == X else min_value(board)[1]
            """),
    ),
    "minimax that calls itself": construct(
        15,
        search(
            """
            def minimax(board):
                if terminal(board):
                    return None
                goal = 1 if player(board) == X else -1
                best, chosen = -2, None
                for action in sorted(actions(board)):
                    after = result(board, action)
                    while not terminal(after):
                        after = result(after, minimax(after))
                    if goal * utility(after) > best:
                        best, chosen = goal * utility(after), action
                    if best == 1:
                        break
                return chosen
            """,
            imports="",
        ),
    ),
    "a dictionary of values": construct(
        15,
        search("""
            def minimax(board):
                if terminal(board):
                    return None
                values = {}
                for action in sorted(actions(board)):
                    values[action] = value_of(result(board, action))
                if player(board) == X:
                    best = max(values.values())
                else:
                    best = min(values.values())
                for action, value in values.items():
                    if value == best:
                        return action


            def value_of(board):
                if terminal(board):
                    return utility(board)
                values = dict()
                for action in actions(board):
                    values[action] = value_of(result(board, action))
                if player(board) == X:
                    return values[max(values, key=values.get)]
                return values[min(values.keys(), key=lambda key: values[key])]
            """),
    ),
    "pairs chosen by a lambda": construct(
        13,
        search("""
            def minimax(board):
                if terminal(board):
                    return None
                pairs = []
                for action in sorted(actions(board)):
                    after = result(board, action)
                    pairs.append([min_value(after) if player(board) == X else max_value(after), action])
                if player(board) == X:
                    return sorted(pairs, key=lambda pair: pair[0], reverse=True)[0][1]
                pairs.sort(key=lambda pair: pair[0])
                return pairs[0][1]
            """),
        at_the_end(VALUES),
    ),
    "comprehensions and conditions in the search": construct(
        14,
        search("""
            def minimax(board):
                if terminal(board):
                    return None
                sign = 1 if player(board) == X else -1
                scores = [(sign * value(result(board, action)), action) for action in sorted(actions(board))]
                best = max(score for score, _ in scores)
                return [action for score, action in scores if score == best][0]


            def value(board):
                if terminal(board):
                    return utility(board)
                return (
                    max([value(result(board, action)) for action in actions(board)])
                    if player(board) == X
                    else min(value(result(board, action)) for action in actions(board))
                )
            """),
    ),
    "shortcuts: a fixed first move, a break at a win": construct(
        40,
        search("""
            def minimax(board):
                if board == initial_state():
                    return (0, 0)
                if terminal(board):
                    return None
                side = player(board)
                best, chosen = None, None
                for action in sorted(actions(board)):
                    v = min_value(result(board, action)) if side == X else max_value(result(board, action))
                    if best is None or (v > best if side == X else v < best):
                        best, chosen = v, action
                    if v == {X: 1, O: -1}[side]:
                        break
                return chosen


            def max_value(board):
                if terminal(board):
                    return utility(board)
                v = -math.inf
                for action in actions(board):
                    v = max(v, min_value(result(board, action)))
                    if v == 1:
                        break
                return v


            def min_value(board):
                if terminal(board):
                    return utility(board)
                v = math.inf
                for action in actions(board):
                    v = min(v, max_value(result(board, action)))
                    if v == -1:
                        break
                return v
            """),
    ),
    "a helper that makes the move": construct(
        8,
        search("""
            def minimax(board):
                if terminal(board):
                    return None
                choose = max if player(board) == X else min
                return choose(sorted(actions(board)), key=lambda action: after(board, action))


            def after(board, action):
                board = result(board, action)
                if terminal(board):
                    return utility(board)
                turn = player(board)
                value = -2 if turn == X else 2
                for action in actions(board):
                    value = max(value, after(board, action)) if turn == X else min(value, after(board, action))
                return value
            """),
    ),
    "a search that marks its own copies": construct(
        8,
        search(
            """
            def minimax(board):
                if terminal(board):
                    return None
                choose = max if player(board) == X else min
                return choose(sorted(actions(board)), key=lambda action: value(marked(board, action)))


            def marked(board, action):
                new_board = [copy.copy(row) for row in board]
                new_board[action[0]][action[1]] = player(board)
                return new_board


            def value(board):
                if terminal(board):
                    return utility(board)
                turn = player(board)
                found = -math.inf if turn == X else math.inf
                for i in range(3):
                    for j in range(3):
                        if board[i][j] == EMPTY:
                            new_board = [row[:] for row in board]
                            new_board[i][j] = turn
                            found = max(found, value(new_board)) if turn == X else min(found, value(new_board))
                return found
            """,
            imports="import math, copy",
        ),
    ),
    "moves popped from a set": construct(
        3,
        search("""
            def minimax(board):
                if terminal(board):
                    return None
                moves = set(actions(board))
                chosen = None
                while len(moves) > 0:
                    move = min(moves)
                    moves.remove(move)
                    v = value(result(board, move))
                    if chosen is None or (v > best if player(board) == X else v < best):
                        best, chosen = v, move
                return chosen


            def value(board):
                if terminal(board):
                    return utility(board)
                moves = set(actions(board))
                v = value(result(board, moves.pop()))
                while moves:
                    other = value(result(board, moves.pop()))
                    v = max(v, other) if player(board) == X else min(v, other)
                return v
            """),
    ),
    "nodes that know their parents": construct(
        8,
        search("""
            class Node:
                def __init__(self, state, parent=None, action=None, side=X):
                    self.state = state
                    self.parent = parent
                    self.action = action
                    self.side = side


            def minimax(board):
                if terminal(board):
                    return None
                root = Node(board, side=player(board))
                children = [Node(result(board, action), root, action) for action in sorted(actions(board))]
                values = []
                for next_node in children:
                    is_for_x = next_node.parent.side == O
                    values.append(max_value(next_node.state) if is_for_x else min_value(next_node.state))
                best = max(values) if root.side == X else min(values)
                return children[values.index(best)].action
            """),
        at_the_end(VALUES),
    ),
    "nodes as arguments": construct(
        7,
        search("""
            class Node:
                def __init__(self, state, action):
                    self.state = state
                    self.action = action


            def minimax(board):
                if terminal(board):
                    return None
                choose = max if player(board) == X else min
                return choose(children(Node(board, None)), key=value).action


            def children(node):
                return [Node(result(node.state, action), action) for action in sorted(actions(node.state))]


            def value(node):
                if terminal(node.state):
                    return utility(node.state)
                choose = max if player(node.state) == X else min
                return choose([value(following) for following in children(node)])
            """),
    ),
    # State that outlives a call.
    "a tally that is printed": construct(
        6,
        define("calls = 0"),
        begin("max_value", "global calls", "calls += 1"),
        begin("min_value", "global calls", "calls += 1"),
        begin("minimax", "print('calls', calls)"),
    ),
    "a list that is filled and not read": construct(
        5,
        define("visited = []"),
        begin("max_value", "visited.append(board)"),
        begin("min_value", "visited.append(board)"),
    ),
    "the turn in a global": construct(
        6,
        define("turn = X"),
        rule("""
            player:
                global turn
                turn = X if sum(row.count(X) for row in board) == sum(row.count(O) for row in board) else O
                return turn
            """),
        search(CACHED_CHOICE + CACHED, imports=LRU_CACHE),
        state="turn",
    ),
    "the last player in a class": construct(
        4,
        define("""


            class Game:
                last = None


            game = Game
            """),
        rule("""
            player:
                game.last = O
                if sum(row.count(X) for row in board) > sum(row.count(O) for row in board):
                    game.last = X
                if game.last == X:
                    return O
                return X
            """),
        search(CACHED_CHOICE + CACHED, imports=LRU_CACHE),
        state="game",
    ),
    "the best move in a global": construct(
        6,
        define("best_move = None"),
        search(
            """
            def minimax(board):
                if terminal(board):
                    return None
                look(board)
                return best_move


            def look(board):
                global best_move
                best = None
                for action in sorted(actions(board)):
                    v = value(frozen(result(board, action)))
                    if best is None or (v > best if player(board) == X else v < best):
                        best, best_move = v, action
            """,
            imports=LRU_CACHE,
        ),
        at_the_end(CACHED),
        state="best_move",
    ),
    "a list that is filled and read": construct(
        5,
        define("found = []"),
        search(
            """
            def minimax(board):
                if terminal(board):
                    return None
                found.clear()
                for action in sorted(actions(board)):
                    found.append((value(frozen(result(board, action))), action))
                choose = max if player(board) == X else min
                return choose(found, key=lambda pair: pair[0])[1]
            """,
            imports=LRU_CACHE,
        ),
        at_the_end(CACHED),
        state="found",
    ),
}
"""The constructs by what they are."""

FUNCTIONS: Final = (*RULES, "minimax")
"""The functions that are graded: how they are written decides none of their points."""
