"""The first move by other people's engines, where they are installed: `pip install open_spiel easyAI`."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any


def open_spiel() -> Callable[[], Any]:
    """Return a first move by OpenSpiel's alpha-beta search in Python (its rules are in C++)."""
    import pyspiel
    from open_spiel.python.algorithms import minimax

    game = pyspiel.load_game("tic_tac_toe")
    return lambda: minimax.alpha_beta_search(game)[1]


def easy_ai() -> Callable[[], Any]:
    """Return a first move by easyAI's own game and negamax, with an empty transposition table."""
    from easyAI import AI_Player, Negamax, TranspositionTable
    from easyAI.games.TicTacToe import TicTacToe

    class WithKey(TicTacToe):  # type: ignore[misc]
        """The game with what the table knows it by."""

        def ttentry(self) -> tuple[int, ...]:
            return tuple(self.board)

    def first_move() -> Any:
        player = AI_Player(Negamax(9, tt=TranspositionTable()))
        return player.AI_algo(WithKey([player, player]))

    return first_move


PEERS: dict[str, tuple[str, Callable[[], Callable[[], Any]]]] = {
    "open_spiel": ("pyspiel", open_spiel),
    "easyAI": ("easyAI", easy_ai),
}


def installed() -> dict[str, Callable[[], Callable[[], Any]]]:
    """Return the peers that are here."""
    return {name: make for name, (module, make) in PEERS.items() if find_spec(module)}
