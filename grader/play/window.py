"""The game in a window. The submission thinks in its own process; a thread waits for it, the window never."""

from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from importlib import import_module
from typing import Any, Final

from grader.core.errors import UserError
from grader.core.game.board import CELLS, EMPTY, Action, O, X
from grader.core.messages import ENGLISH, _, active, in_language
from grader.play.match import WORTH, Match, Opponent, Ply

_SIZE: Final = (480, 600)
_SMALLEST: Final = (240, 300)
_TITLE: Final = "Tic-Tac-Toe"
_FRAMES: Final = 30
_PAPER, _INK, _SOFT = (251, 250, 248), (29, 33, 41), (110, 118, 130)
_MARKS: Final = {X: (36, 85, 122), O: (163, 52, 31)}
_WORTH: Final = {"wins": (214, 238, 224), "draws": (247, 235, 205), "loses": (249, 222, 219)}


def show(opponent: Opponent, *, coach: bool = False) -> None:
    """Open the window and let a person play until it is closed.

    It has no letters for what is written from right to left, so that is in English.
    """
    with in_language(ENGLISH if active().direction == "rtl" else active().code):
        _show(opponent, coach=coach)


def _show(opponent: Opponent, *, coach: bool) -> None:
    try:
        pygame = import_module("pygame")
    except ImportError:
        raise UserError(_("a window needs pygame-ce: pip install -e '.[window]'")) from None
    pygame.init()
    try:
        screen = pygame.display.set_mode(_SIZE, pygame.RESIZABLE)
    except pygame.error as error:
        raise UserError(_("no window can be opened here: {error}", error=error)) from None
    pygame.display.set_caption(_TITLE)
    with ThreadPoolExecutor(1) as thinking:
        game = Window(pygame, screen, opponent, thinking, coach)
        clock = pygame.time.Clock()
        while game.is_open:
            for event in pygame.event.get():
                game.handle(event)
            game.step()
            game.draw()
            pygame.display.flip()
            clock.tick(_FRAMES)
        thinking.shutdown(wait=False, cancel_futures=True)
    pygame.quit()


class Window:
    """Draws the match, and takes clicks and keys."""

    def __init__(
        self, pygame: Any, screen: Any, opponent: Opponent, thinking: ThreadPoolExecutor, coach: bool
    ) -> None:
        self._pygame, self._screen, self._coach = pygame, screen, coach
        self._opponent, self._thinking = opponent, thinking
        self._answer: Future[Ply] | None = None
        self._buttons: list[tuple[Any, str]] = []
        self.match = Match()
        self.is_open = True
        self.is_choosing = True

    # --- what happens ---

    def handle(self, event: Any) -> None:
        """Take an event of the window."""
        pygame = self._pygame
        is_key = event.type == pygame.KEYDOWN
        if event.type == pygame.QUIT or (is_key and event.key in (pygame.K_q, pygame.K_ESCAPE)):
            self.is_open = False
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._clicked(event.pos)
        elif is_key and event.unicode:
            self._typed(event.unicode.upper())

    def step(self) -> None:
        """Ask the submission if it is its turn, and take its answer once that is there."""
        if self.is_choosing or self.match.is_over or self.match.is_persons_turn:
            return
        if self._answer is None:
            run = copy_context().run  # a thread begins in English
            self._answer = self._thinking.submit(run, self._opponent.answer, self.match.board)
        elif self._answer.done():
            answer, self._answer = self._answer.result(), None
            self.match.hear(answer)

    def _clicked(self, where: tuple[int, int]) -> None:
        for area, key in self._buttons:
            if area.collidepoint(where):
                self._typed(key)
                return
        for cell, area in self._cells():
            if area.collidepoint(where):
                self._take(cell)

    def _typed(self, key: str) -> None:
        if self.is_choosing and key in (X, O):
            self.match.anew(key)
            self.is_choosing = False
        elif self.match.is_over and key in ("R", "\r", " "):
            self.is_choosing = True
        elif key in "123456789" and len(key) == 1:
            self._take(CELLS[int(key) - 1])

    def _take(self, cell: Action) -> None:
        free = self.match.board[CELLS.index(cell)] == EMPTY
        if not self.is_choosing and self.match.is_persons_turn and free:
            self.match.take(cell)

    # --- what is shown ---

    def sentence(self) -> str:
        """Return what the window says below the board."""
        if self.is_choosing:
            return _("Do you play X or O? X begins.")
        if self.match.is_over:
            return self.match.result()
        return _("Your move.") if self.match.is_persons_turn else _("It thinks ...")

    def draw(self) -> None:
        """Draw everything anew, in the size that the window has now."""
        self._screen.fill(_PAPER)
        self._buttons = []
        is_coached = self._coach and not self.is_choosing and self.match.is_persons_turn
        worth = self.match.worth() if is_coached else {}
        for cell, area in self._cells():
            if cell in worth:
                self._screen.fill(_WORTH[worth[cell]], area)
            self._pygame.draw.rect(self._screen, _SOFT, area, max(1, area.width // 60))
            mark = self.match.board[CELLS.index(cell)]
            if mark != EMPTY:
                self._write(mark, area.center, area.width * 0.7, _MARKS[mark])
            elif cell in worth:
                self._write(_(WORTH[worth[cell]]), area.center, area.width * 0.18, _INK)
        width = self._screen.get_width()
        top = self._cells()[-1][1].bottom
        below = self._screen.get_height() - top
        self._write(self.sentence(), (width // 2, top + below * 0.18), below * 0.14, _INK, width * 0.96)
        score = _("You: {won} won, {drawn} drawn, {lost} lost", **self.match.tally)
        self._write(score, (width // 2, top + below * 0.4), below * 0.11, _SOFT, width * 0.9)
        if self.is_choosing:
            self._button("X", 0.3, top, below)
            self._button("O", 0.7, top, below)
        elif self.match.is_over:
            self._button(_("Play again"), 0.5, top, below, key="R")

    def _cells(self) -> list[tuple[Action, Any]]:
        """Return each cell with the area in which it is drawn."""
        width, height = (
            max(size, least) for size, least in zip(self._screen.get_size(), _SMALLEST, strict=True)
        )
        side = int(min(width * 0.9, height * 0.68) / 3)
        left, top = (width - 3 * side) // 2, int(height * 0.04)
        return [
            (cell, self._pygame.Rect(left + cell[1] * side, top + cell[0] * side, side, side))
            for cell in CELLS
        ]

    def _button(self, words: str, across: float, top: float, below: float, key: str = "") -> None:
        width = self._screen.get_width()
        area = self._pygame.Rect(0, 0, int(width * (0.3 if len(words) == 1 else 0.5)), int(below * 0.3))
        area.center = (int(width * across), int(top + below * 0.74))
        self._pygame.draw.rect(self._screen, _INK, area, 2, border_radius=area.height // 4)
        self._write(words, area.center, area.height * 0.55, _INK, area.width * 0.9)
        self._buttons.append((area, key or words))

    def _write(self, text: str, centre: Any, size: float, colour: Any, most: float = 0.0) -> None:
        """Write a text around a point, smaller if it would be wider than it may be."""
        font = self._pygame.font.Font(None, max(10, int(size * 1.4)))
        if most and font.size(text)[0] > most:
            font = self._pygame.font.Font(None, max(9, int(size * 1.4 * most / font.size(text)[0])))
        image = font.render(text, True, colour)
        self._screen.blit(image, image.get_rect(center=centre))
