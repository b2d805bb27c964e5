"""A match between a person and a submission: whose turn it is, and how games have ended."""

from dataclasses import dataclass, field

from grader.core.asking.client import Client
from grader.core.asking.reply import Lost, Missing, NotLoaded, Raised, Reply, Returned
from grader.core.game import board as game
from grader.core.game import oracle
from grader.core.game.board import CELLS, START, Action, Board, X, as_action

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


@dataclass
class Match:
    """One game after the other; the person's side may change between them."""

    side: str = X
    board: Board = START
    forfeit: str = ""
    """Why the submission could not go on, if so."""
    tally: dict[str, int] = field(default_factory=lambda: {"won": 0, "drawn": 0, "lost": 0})

    def anew(self, side: str) -> None:
        """Begin another game."""
        self.side, self.board, self.forfeit = side, START, ""

    @property
    def is_over(self) -> bool:
        """Whether this game has ended."""
        return bool(self.forfeit) or game.is_over(self.board)

    @property
    def is_persons_turn(self) -> bool:
        """Whether the person is to move."""
        return not self.is_over and game.side_to_move(self.board) == self.side

    def take(self, action: Action) -> None:
        """Make a move for whose turn it is, and count the game if that ends it."""
        self.board = game.place(self.board, action)
        if game.is_over(self.board):
            champion = game.winner(self.board)
            self.tally["drawn" if champion is None else "won" if champion == self.side else "lost"] += 1

    def hear(self, ply: Ply) -> None:
        """Take the submission's answer: a move, or the end of the game."""
        if isinstance(ply, str):
            self.forfeit = ply
            self.tally["won"] += 1
        else:
            self.take(ply)

    def result(self) -> str:
        """Return how this game has ended, in a sentence."""
        if self.forfeit:
            return f"The game ends here: {self.forfeit}."
        champion = game.winner(self.board)
        if champion is None:
            return "It is a tie."
        return "You have won." if champion == self.side else f"The submission has won, as {champion}."

    def score(self) -> str:
        """Return how all games have ended."""
        return f"{self.tally['won']} won, {self.tally['drawn']} drawn, {self.tally['lost']} lost"

    def worth(self) -> dict[Action, str]:
        """Return what each free cell is worth to whose turn it is: wins, draws or loses."""
        sign = 1 if game.side_to_move(self.board) == X else -1
        words = {sign: "wins", 0: "draws", -sign: "loses"}
        return {cell: words[oracle.value(after)] for cell, after in oracle.successors(self.board).items()}


def cell_of(text: str, board: Board) -> Action:
    """Return the free cell that a person means by 1 to 9, or row,column; raise ValueError if none."""
    parts = text.replace(",", " ").replace("(", " ").replace(")", " ").split()
    if len(parts) == 1 and parts[0].isascii() and parts[0].isdigit() and 1 <= int(parts[0]) <= 9:
        cell = CELLS[int(parts[0]) - 1]
    elif len(parts) == 2 and all(part in ("0", "1", "2") for part in parts):
        cell = (int(parts[0]), int(parts[1]))
    else:
        raise ValueError("type 1 to 9, row by row, or row,column with each 0 to 2")
    if cell not in game.empty_cells(board):
        raise ValueError(f"{text.strip()} is taken")
    return cell
