"""What minimax answered on the boards that were asked, and what that is worth: nothing is known of others."""

from collections.abc import Iterable, Sequence
from dataclasses import field
from functools import cache, cached_property
from itertools import groupby
from typing import Final

from grader.core.asking.reply import Lost, Missing, NotLoaded, Reply, Returned
from grader.core.checks.expected import fault
from grader.core.checks.reasons import Reason, because
from grader.core.checks.rights import moves_by_reply, right_moves
from grader.core.game import oracle
from grader.core.game.board import Action, Board, as_action, is_over, marks
from grader.core.values import Frozen


class Sweep(Frozen):
    """What minimax answers on every board that was asked, and how that was found out."""

    replies: dict[Board, Reply]
    """Of the boards that were asked, and of no other."""
    seconds: float
    recalled: bool
    why_plain: str = ""
    unconfirmed: frozenset[Board] = frozenset()
    """Wrong answers of the copy with recall that were not asked for again: they count, and are not shown."""
    silent: bool = False
    """Whether none of a spread over the whole game was answered, so that nothing more was asked."""
    stopped: str = ""
    """Why boards were left out."""
    faults: dict[Board, Reason] = field(default_factory=dict)

    def asked(self, boards: tuple[Board, ...]) -> tuple[Board, ...]:
        """Return those among these boards that were asked."""
        return boards if self.is_whole else tuple([board for board in boards if board in self.replies])

    def seen(self, boards: Iterable[Board]) -> float:
        """Return the share of these boards that was asked, of those on which an answer can be wrong."""
        if self.is_whole or self.silent:  # and where nothing was answered, nothing more is to be seen
            return 1.0
        telling = [board for board in boards if can_go_wrong(board)]
        return sum(board in self.replies for board in telling) / len(telling) if telling else 0.0

    @cached_property
    def is_whole(self) -> bool:
        """Whether every board there is was asked."""
        return len(self.replies) == len(oracle.boards())

    @property
    def absent(self) -> Missing | NotLoaded | None:
        """Why there is no minimax to ask, if so: it is the reply on every board."""
        first = next(iter(self.replies.values()), None)
        return first if isinstance(first, Missing | NotLoaded) else None

    @cached_property
    def policy(self) -> dict[Board, Action | None]:
        """The move on each running board that was asked, None where no legal one was given."""
        moves, successors = moves_by_reply(), oracle.successors
        return {
            board: action if (action := moves.get(id(reply))) in after else _legal(board, reply)
            for board, reply in self.replies.items()
            if (after := successors(board))
        }

    def how(self) -> str:
        """Return how the answers were obtained, for the reason of a verdict."""
        asked = f"{len(self.replies):,} boards asked in {self.seconds:.1f} s"
        if self.recalled:
            return f"{asked}, with recall"
        return f"{asked}, without recall: {self.why_plain}" if self.why_plain else asked


def _legal(board: Board, reply: Reply) -> Action | None:
    action = as_action(reply.value) if isinstance(reply, Returned) else None
    return action if action in oracle.successors(board) else None


def was_asked(reply: Reply) -> bool:
    """Return whether a reply is one: after too many calls without an answer no more are asked."""
    return not isinstance(reply, Lost) or reply.asked


def count_asked(replies: Sequence[Reply]) -> int:
    """Return how many of some replies are one."""
    return sum(map(was_asked, replies)) if Lost in set(map(type, replies)) else len(replies)


@cache
def can_go_wrong(board: Board) -> bool:
    """Return whether a legal answer can be wrong: on many boards every move is as good as any other."""
    return is_over(board) or len(oracle.optimal_actions(board)) < len(oracle.successors(board))


@cache
def groups(over: bool) -> tuple[tuple[Board, ...], ...]:
    """Return the finished boards, or the running ones, by their number of marks: the fullest first."""
    boards = oracle.finished() if over else oracle.running()
    return tuple(tuple(group) for _, group in groupby(reversed(boards), key=marks))


def fault_of(board: Board, reply: Reply) -> Reason | None:
    """Return what is wrong with minimax's reply on a board, or None."""
    if id(reply) in right_moves()[board]:
        return None
    return fault("minimax", board, None, reply.value) if isinstance(reply, Returned) else _NOTHING


_NOTHING: Final = because("nothing")


def faults_of(replies: dict[Board, Reply]) -> dict[Board, Reason]:
    """Return the boards with a wrong answer, and what is wrong."""
    return {board: wrong for board, reply in replies.items() if (wrong := fault_of(board, reply))}
