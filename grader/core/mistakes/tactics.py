"""A policy by its tactics: where a win, a block or a fork is to be had, how often is it taken?"""

from functools import cache
from typing import Final

from grader.core.evidence import Tactic
from grader.core.game import oracle, solved
from grader.core.game.board import CELLS, Action, Board
from grader.core.game.policy import Policy
from grader.core.messages import later

WIN, BLOCK = later("wins in one"), later("blocks a threat")
FORK, PREVENT = later("makes a fork"), later("prevents a fork")
NAMES: Final = (WIN, BLOCK, FORK, PREVENT)


@cache
def _asked() -> dict[Board, tuple[str, frozenset[Action]]]:
    """Return the boards that ask for a tactic, each with the most pressing one and the moves that do it.

    Where all is lost, nothing is asked for.
    """
    names, asked = dict(zip("wbfp", NAMES, strict=True)), solved.TACTICS.split()
    known = {one: (names[one[0]], frozenset([CELLS[int(at)] for at in one[1:]])) for one in {*asked} - {"-"}}
    return {board: known[one] for board, one in zip(oracle.running(), asked, strict=True) if one in known}


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
