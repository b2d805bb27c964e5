"""
A window to play Tic-Tac-Toe in, against the engine in tictactoe.py beside this file.
"""

import pygame

import tictactoe as ttt

SIZE = 480
CELL = SIZE // 3
PAPER, INK, SOFT = (251, 250, 248), (29, 33, 41), (150, 156, 166)


class Game:
    """
    One window, and the game in it.
    """

    def __init__(self):
        pygame.init()
        pygame.display.set_caption("Tic-Tac-Toe")
        self.screen = pygame.display.set_mode((SIZE, SIZE + 80))
        self.begin(None)

    def begin(self, user):
        """
        Starts a new game; the user still has to choose a side if none is given.
        """
        self.user = user
        self.board = ttt.initial_state()

    def sentence(self):
        """
        Returns what is to be said below the board.
        """
        if self.user is None:
            return "Press X or O to choose a side."
        if ttt.terminal(self.board):
            winner = ttt.winner(self.board)
            how = "It is a tie." if winner is None else f"{winner} has won."
            return f"{how} Space: play again."
        return "Your move." if ttt.player(self.board) == self.user else "Thinking ..."

    def take(self, cell):
        """
        Makes the user's move, if it is one.
        """
        if self.user and not ttt.terminal(self.board) and ttt.player(self.board) == self.user:
            if cell in ttt.actions(self.board):
                self.board = ttt.result(self.board, cell)

    def answer(self):
        """
        Makes the engine's move, if it is its turn.
        """
        if self.user and not ttt.terminal(self.board) and ttt.player(self.board) != self.user:
            self.board = ttt.result(self.board, ttt.minimax(self.board))

    def draw(self):
        """
        Draws the board and the sentence.
        """
        self.screen.fill(PAPER)
        marks = pygame.font.Font(None, CELL)
        for i in range(3):
            for j in range(3):
                area = pygame.Rect(j * CELL, i * CELL, CELL, CELL)
                pygame.draw.rect(self.screen, SOFT, area, 2)
                if self.board[i][j] != ttt.EMPTY:
                    image = marks.render(self.board[i][j], True, INK)
                    self.screen.blit(image, image.get_rect(center=area.center))
        image = pygame.font.Font(None, 32).render(self.sentence(), True, INK)
        self.screen.blit(image, image.get_rect(center=(SIZE // 2, SIZE + 40)))
        pygame.display.flip()

    def handle(self, event):
        """
        Takes an event; returns whether the window stays open.
        """
        if event.type == pygame.KEYDOWN:
            key = event.unicode.upper()
            if self.user is None and key in (ttt.X, ttt.O):
                self.begin(key)
            elif key == " " and ttt.terminal(self.board):
                self.begin(None)
        elif event.type == pygame.MOUSEBUTTONDOWN:
            self.take((event.pos[1] // CELL, event.pos[0] // CELL))
        return event.type != pygame.QUIT

    def run(self):
        """
        Plays until the window is closed.
        """
        clock = pygame.time.Clock()
        while all(self.handle(event) for event in pygame.event.get()):
            self.draw()
            self.answer()
            clock.tick(30)
        pygame.quit()


if __name__ == "__main__":
    Game().run()
