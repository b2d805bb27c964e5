"""A terminal program that a person plays against: driven as it is when it is graded."""

from grader.core.course.rubric import Limits
from grader.core.errors import UserError
from grader.core.game.board import START, Board, O, X
from grader.core.game.oracle import move_between
from grader.core.messages import _
from grader.play.match import Opponent, Ply
from grader.programs.discovery import Discovery
from grader.programs.game import Game, Manner, Step, Waits
from grader.programs.program import Program
from grader.programs.prompts import Wish
from grader.programs.series import finished


class ProgramOpponent(Opponent):
    """Plays one game after the other with a program; each game is a fresh start of it."""

    def __init__(self, name: str, program: Program, limits: Limits) -> None:
        """Build the program and find out how it is played.

        Raises UserError, or NotGradable, for a program that cannot be played, with what it printed.
        """
        if program.discover():
            raise UserError(_("cannot be played against: {why}", why=program.discover()))
        self.name, self._program = name, program
        self._waits = Waits(limits.load, limits.deadline)
        self._manners = {O: program.manner}
        """How it is played, by the side that the person wants to have."""
        if other := self._with_other_choice(program.manner):
            self._manners[X] = other
        self.lets_choose = len(self._manners) == 2
        self._manner = program.manner
        self._game: Game | None = None
        self._step = Step.MY_TURN
        self._seen = self._unseen = ""
        """What was printed and typed in this game: what was shown of it, and what was not."""
        program.built.skips_sleeps = program.built.starts_ahead = False  # a person sees it as it is
        program.built.close_ahead()

    def close(self) -> None:
        """End the game."""
        if self._game:
            self._game.terminal.close()

    def _with_other_choice(self, known: Manner) -> Manner | None:
        """Return how it is played so that the person begins, where it lets the person choose."""
        if not known.asks_who_starts or known.given:
            return None
        if known.other:
            return known.other
        found = Discovery(self._program.built.opened, self._waits, known=known.scheme).manner(Wish.USER)
        return found if isinstance(found, Manner) else None

    def begin(self, side: str) -> str:
        """Start the program and answer its questions; return the side that the person has then."""
        self.close()
        self._manner = self._manners.get(side, self._program.manner)
        self._game = game = self._manner.game(self._program.built.opened(), self._waits)
        self._seen = self._unseen = ""
        self._step = game.begin()
        self._keep(game.terminal.transcript)
        return game.mine

    def answer(self, board: Board) -> Ply:
        """Type the person's last move, if there is one; return the program's."""
        assert self._game
        if self._step is not Step.MY_TURN:
            return self._stopped(_("it was started"))
        if board != START:
            what, step = self._type(board)
            if step not in (Step.MY_TURN, Step.OVER):
                return self._stopped(what)
        return move_between(board, self._game.board)

    def end(self, board: Board) -> str:
        """Type the move with which the person ends a game; return what went wrong, or nothing."""
        if self._step is not Step.MY_TURN:
            return self._stopped(_("it was started"))
        what, step = self._type(board)
        return "" if step is Step.OVER else self._stopped(what)

    def printed(self) -> str:
        """Return what was printed and typed since this was asked last."""
        found, self._unseen = self._unseen, ""
        return found.strip("\n")

    def _type(self, board: Board) -> tuple[str, Step]:
        """Type the move that made a board; return that in words, and what came of it."""
        game, scheme = self._game, self._manner.scheme
        assert game
        row, column = move_between(game.board, board)
        cell = 3 * row + column
        self._step = step = game.play(cell, scheme)
        over = finished(game) if step is Step.OVER else None
        self._keep(over.transcript if over else game.terminal.transcript)
        return _("{text!r} was typed", text=" then ".join(scheme.typed(cell))), step

    def _keep(self, transcript: str) -> None:
        """Add the new part of a transcript, whose beginning is cut off in a long game."""
        is_longer = transcript.startswith(self._seen)
        assert self._game
        self._unseen += transcript[len(self._seen) :] if is_longer else self._game.terminal.said
        self._seen = transcript

    def _stopped(self, what: str) -> str:
        """Return why the game cannot go on, as the end of a sentence, with what would help."""
        answers = ", ".join(map(repr, self._manner.answers))
        why = _("{what}, and {outcome}.", what=what, outcome=_(str(self._step)))
        setting = _(
            "If squares are typed in another way, or other answers lead to the game, the rubric says so: "
            "{setting}",
            setting=f"program: {{squares: 1-9, answers: [{answers}]}}",
        )
        return f"{why} {setting}"
