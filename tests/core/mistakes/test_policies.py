"""Ways to play that are not right, each written as a search of its own, apart from the families."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from grader.core.asking.reply import Raised, Returned
from grader.core.game import oracle
from grader.core.game.board import Action, Board, from_lists, is_over, place, side_to_move
from grader.core.mistakes import naming
from grader.core.mistakes.family import SeenReplies
from grader.core.mistakes.policies import NAMES, tactics_of
from tests.core.mistakes import seeing as right
from tests.core.mistakes.seeing import Faulty, O, Rows, X, seen

Choose = Callable[..., Any]


def cells_of(board: Rows) -> Board:
    cells = from_lists(board)
    assert cells is not None
    return cells


def search(
    order: Callable[[list[Action]], list[Action]] = sorted,
    depth: int = 9,
    at_root: dict[str, Choose] | None = None,
    inside: dict[str, Choose] | None = None,
) -> Faulty:
    """Return a minimax with another depth, order of moves, or idea of who maximises."""
    sides: dict[str, Choose] = {X: max, O: min}

    @cache
    def value(board: Board, left: int) -> int:
        if is_over(board):
            return oracle.value(board)
        if left == 0:
            return 0
        choose = (inside or sides)[side_to_move(board)]
        return int(choose(value(after, left - 1) for after in oracle.successors(board).values()))

    def minimax(board: Rows) -> Action | None:
        cells = cells_of(board)
        if is_over(cells):
            return None
        choose = (at_root or sides)[side_to_move(cells)]
        moves = order(list(oracle.successors(cells)))
        best: Action = choose(moves, key=lambda action: value(place(cells, action), depth - 1))
        return best

    return minimax


def hashed(moves: list[Action]) -> list[Action]:
    """Return moves in an order that follows no rule, as a set has them."""
    return sorted(moves, key=lambda move: (7 * move[0] + 5 * move[1] * len(moves)) % 11)


def wins_or_blocks(board: Rows) -> Action:
    me = right.player(board)
    for side in (me, O if me == X else X):
        for i, j in sorted(right.actions(board)):
            after = [row[:] for row in board]
            after[i][j] = side
            if right.winner(after) == side:
                return i, j
    return min(right.actions(board))


def settles(board: Rows) -> Action:
    cells = cells_of(board)
    sign = 1 if side_to_move(cells) == X else -1
    moves = sorted(oracle.successors(cells).items())
    return next((action for action, after in moves if sign * oracle.value(after) >= 0), moves[0][0])


def one_sided(side: str) -> Faulty:
    perfect, poor = search(), search(depth=1)
    return lambda board: (perfect if right.player(board) == side else poor)(board)


def strictly_better(start: int, nothing: Any, sides: str = "XO") -> Faulty:
    """Return a minimax that takes only what is better than the value it begins with, for some sides."""

    def minimax(board: Rows) -> Any:
        cells = cells_of(board)
        side = side_to_move(cells)
        best, found = start if side in sides else -2, nothing
        for action, after in oracle.successors(cells).items():
            value = oracle.value(after) * (1 if side == X else -1)
            if value > best:
                best, found = value, action
        return found

    return minimax


def returns_in_the_loop(board: Rows) -> Action:
    """Return the best move if each side answers with its first free cell."""

    def value(cells: Board) -> int:
        for after in oracle.successors(cells).values():
            return value(after)
        return oracle.value(cells)

    cells = cells_of(board)
    choose: Choose = max if side_to_move(cells) == X else min
    best: Action = choose(oracle.successors(cells), key=lambda action: value(place(cells, action)))
    return best


def shares_a_variable(board: Rows) -> Action:
    """Return the action that was stored last, at whatever level of the search."""
    stored: list[Action] = []

    def value(cells: Board) -> None:
        for action, after in oracle.successors(cells).items():
            stored.append(action)
            value(after)

    value(cells_of(board)) if len(right.actions(board)) < 7 else stored.append(last_of_all(cells_of(board)))
    return stored[-1]


def last_of_all(cells: Board) -> Action:
    """Return the last action of a game in which each side takes the last free cell."""
    action, after = list(oracle.successors(cells).items())[-1]
    return action if is_over(after) else last_of_all(after)


CASES: list[tuple[Faulty, list[str]]] = [
    (strictly_better(-1, None), ["has no move where every move loses"]),
    (strictly_better(-1, (-1, -1), sides="O"), ["has no move as O where every move loses"]),
    (
        lambda board: None if (move := strictly_better(-1, None)(board)) is None else list(move),
        ["returns a list", "has no move where every move loses"],
    ),
    (returns_in_the_loop, ["follows one line of play below each move"]),
    (shares_a_variable, ["returns an action from deeper in the search"]),
    (lambda board: oracle.value(cells_of(board)), ["returns the value of the board"]),
    (lambda board: len(right.actions(board)), ["returns a number"]),
    (
        lambda board: [sorted(right.actions(board))[len(right.actions(board)) // 2], 0],
        ["returns the action and a value"],
    ),
    (lambda board: min(right.actions(board)), ["takes the first free cell"]),
    (lambda board: max(right.actions(board)), ["takes the last free cell"]),
    (search(depth=1), ["wins at once, else takes the first free cell"]),
    (wins_or_blocks, ["wins, blocks, else takes the first free cell"]),
    *[(search(depth=depth), [f"looks only {depth} moves ahead"]) for depth in (2, 3, 4, 5)],
    *[(search(hashed, depth), [f"looks only {depth} moves ahead"]) for depth in (2, 3)],
    (search(at_root={X: min, O: max}), ["plays for the other side"]),
    (search(at_root={X: max, O: max}), ["plays O's moves for X"]),
    (search(at_root={X: min, O: min}), ["plays X's moves for O"]),
    (search(at_root={X: max, O: max}, inside={X: max, O: max}), ["maximises for both sides"]),
    (search(at_root={X: min, O: min}, inside={X: min, O: min}), ["minimises for both sides"]),
    (search(inside={X: min, O: max}), ["takes each side for the other"]),
    (settles, ["stops at the first move that does not lose"]),
    (one_sided(X), ["is good as X only"]),
    (one_sided(O), ["is good as O only"]),
    (lambda board: list(search()(board)), ["returns a list"]),
    (lambda board: (0, search()(board)), ["returns a value and the action"]),
    (lambda board: (search()(board), 0), ["returns the action and a value"]),
    (lambda board: search()(board)[::-1], ["swaps row and column"]),
    (lambda board: list(min(right.actions(board))), ["returns a list", "takes the first free cell"]),
]


@pytest.mark.exhaustive(beyond=8)
@pytest.mark.parametrize(("faulty", "titles"), CASES)
def test_a_way_to_play_is_named(faulty: Faulty, titles: list[str]) -> None:
    assert [mistake.title for mistake in naming.in_answers(seen("minimax", faulty))] == titles


MOVES = "makes a move when the game is over"


@pytest.mark.parametrize(
    ("faulty", "titles"),
    [
        (lambda board: min(right.actions(board), default=None), [MOVES]),
        (lambda board: min(right.actions(board)), [MOVES]),
        (lambda board: 1 / 0, ["raises ZeroDivisionError on every finished board"]),
        (lambda board: False, ["answers False on every finished board"]),
        (lambda board: None, []),
        (right.utility, ["returns the value when the game is over"]),
        (lambda board: (0, board.count(None)), ["answers (0, 0) on every finished board"]),
        (lambda board: (1, board[0].count(X)), [MOVES]),
        (lambda board: (1, 1) if board[0][0] == X else 0, []),
    ],
)
def test_what_it_does_at_the_end_is_named(faulty: Faulty, titles: list[str]) -> None:
    calls = [(board,) for board in oracle.finished()]
    replies = [right.reply_to(faulty, call) for call in calls]
    found = SeenReplies("minimax", calls, replies, where="every finished board")
    assert [mistake.title for mistake in naming.at_the_end(found)] == titles


def test_a_search_that_comes_near_to_a_family_has_no_name() -> None:
    def named(faulty: Faulty) -> tuple[Any, ...]:
        return naming.in_answers(seen("minimax", faulty))

    perfect, lost = search(), strictly_better(-1, None)
    assert named(lambda board: perfect(board) if board[0][0] == X else lost(board)) == ()
    assert named(lambda board: perfect(board) if board[0][0] == X else returns_in_the_loop(board)) == ()
    assert named(lambda board: 0 if board[0][0] == X else (0, 0)) == ()


def test_the_tactics_of_a_perfect_player_that_hurries_are_all_done() -> None:
    def quickest(board: Board) -> Action:
        winning = [
            move for move, after in oracle.successors(board).items() if is_over(after) and oracle.value(after)
        ]
        return min(winning or oracle.optimal_actions(board))

    policy = {board: quickest(board) for board in oracle.running()}
    done = {tactic.name: (tactic.done, tactic.boards) for tactic in tactics_of(policy)}
    assert list(done) == list(NAMES)
    for name in ("wins in one", "blocks a threat", "prevents a fork"):
        assert done[name][0] == done[name][1] > 100


def test_a_slower_win_is_as_good() -> None:
    slow = {board: max(oracle.optimal_actions(board)) for board in oracle.running()}
    wins, *others = tactics_of(slow)
    assert wins.done < wins.boards == wins.done + wins.as_good
    assert all(tactic.done + tactic.as_good == tactic.boards for tactic in others)


def test_tactics_are_counted_on_boards_that_were_asked() -> None:
    nothing, some, everything = (
        tactics_of(dict.fromkeys(boards)) for boards in ((), oracle.running()[:2_000], oracle.running())
    )
    assert all(tactic.boards == 0 for tactic in nothing)
    assert 0 < sum(tactic.boards for tactic in some) < sum(tactic.boards for tactic in everything)
    assert all(tactic.done == 0 and tactic.boards > 100 for tactic in everything)


def test_a_reply_that_is_no_move_is_not_read_as_one() -> None:
    calls = [(board,) for board in oracle.running()]
    replies = [Returned((0, 0)) if number else Raised("E", "", 1) for number in range(len(calls))]
    assert naming.in_answers(SeenReplies("minimax", calls, replies)) == ()
