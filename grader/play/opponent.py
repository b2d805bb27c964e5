"""A submission as an opponent: asked for a move in its worker, and what it does there is told in words."""

from grader.core.asking.client import Client
from grader.core.asking.reply import Lost, Missing, NotLoaded, Raised, Reply, Returned
from grader.core.game import oracle
from grader.core.game.board import Action, Board, as_action

Ply = Action | str
"""A legal move, or what the submission did instead, as the end of a sentence."""


class Opponent:
    """Asks one submission for its moves; a first move may take as long as asking about every board."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.name = client.submission.name

    def answer(self, board: Board) -> Ply:
        """Return its move on a running board."""
        patience = self._client.limits.sweep_budget
        reply = self._client.ask_within("minimax", [board], 2 * patience, patience).get(board)
        legal = oracle.successors(board)
        if isinstance(reply, Returned) and as_action(reply.value) in legal:
            row, column = reply.value
            return int(row), int(column)
        return _told(reply)


def _told(reply: Reply | None) -> str:
    """Return what a submission did instead of moving, as the end of a sentence."""
    match reply:
        case Returned():
            text = repr(reply.value)
            return f"`minimax` answers {text if len(text) <= 60 else text[:60] + '…'}, which is no free cell"
        case Raised():
            return f"`minimax` raises {reply}"
        case Missing():
            return "there is no `minimax` in it"
        case Lost():
            return f"`minimax` gives no answer: {reply.detail}"
        case NotLoaded():
            return reply.why.rstrip(".")
        case None:
            return "`minimax` has taken too long over its moves"
