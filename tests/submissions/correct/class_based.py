import math


class Searcher:
    """
    Searches the game tree for one player.
    """

    def __init__(self, side):
        self.side = side

    def value(self, board):
        """
        Returns the value of the board for this player.
        """
        if terminal(board):
            return utility(board) if self.side == X else -utility(board)
        values = [self.value(result(board, action)) for action in actions(board)]
        return max(values) if player(board) == self.side else min(values)

    def choose(self, board):
        """
        Returns the best action on the board.
        """
        best, chosen = -math.inf, None
        for action in sorted(actions(board)):
            value = self.value(result(board, action))
            if value > best:
                best, chosen = value, action
        return chosen


def minimax(board):
    """
    Chooses a best move for whose turn it is; there is none when the game has ended.
    """
    if terminal(board):
        return None
    return Searcher(player(board)).choose(board)
