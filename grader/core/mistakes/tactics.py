"""A policy by its tactics: where a win, a block or a fork is to be had, how often is it taken?"""

from functools import cache
from typing import Final

from grader.core.evidence import Tactic
from grader.core.game import oracle
from grader.core.game.board import Action, Board, X, side_to_move
from grader.core.game.policy import Policy, opponent
from grader.core.mistakes.policies import completing, holding

WIN, BLOCK, FORK, PREVENT = "wins in one", "blocks a threat", "makes a fork", "prevents a fork"
NAMES: Final = (WIN, BLOCK, FORK, PREVENT)


@cache
def _asked() -> dict[Board, tuple[str, frozenset[Action]]]:
    """Return the boards that ask for a tactic, each with the most pressing one and the moves that do it.

    Where all is lost, nothing is asked for.
    """
    return {board: asked for board in oracle.running() if (asked := _tactic(board))}


def _tactic(board: Board) -> tuple[str, frozenset[Action]] | None:
    me = side_to_move(board)
    wins = completing(board, me)
    if wins:
        return WIN, wins
    after = oracle.successors(board)
    if threats := completing(board, opponent(me)):
        is_lost = oracle.value(board) == (-1 if me == X else 1)
        return (BLOCK, threats) if len(threats) == 1 and not is_lost else None
    forks = frozenset(action for action, one in after.items() if len(completing(one, me)) > 1)
    if forks:
        return FORK, forks
    return (PREVENT, holding(board)) if len(holding(board)) < len(after) else None


def tactics_of(policy: Policy) -> tuple[Tactic, ...]:
    """Return on how many boards that ask for each tactic the policy does it, as far as it is known.

    A move that does something else is as good if it keeps what the board is worth: a win may be slower.
    """
    boards, done, as_good = (dict.fromkeys(NAMES, 0) for _ in range(3))
    for board, (name, moves) in _asked().items():
        if board in policy:
            move = policy[board]
            boards[name] += 1
            done[name] += move in moves
            as_good[name] += move is not None and move not in moves and oracle.is_optimal(board, move)
    return tuple(
        Tactic(name=name, boards=boards[name], done=done[name], as_good=as_good[name]) for name in NAMES
    )
