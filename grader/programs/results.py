"""How games end: what a program does then, and what it says, held against the board."""

from collections.abc import Callable
from typing import Final

from grader.core.checks.outcome import Outcome, failed, passed
from grader.core.checks.reasons import because
from grader.core.course.questions import ProgramQuestion as Question
from grader.core.game.board import rows
from grader.core.grade import Status
from grader.core.messages import _, later, listing
from grader.programs.announcements import DRAW, PROGRAM, SOMEBODY, USER, has_words
from grader.programs.game import Step
from grader.programs.program import Program
from grader.programs.program_notes import end_of, games_in_words, without_games
from grader.programs.series import End, Finished, Series

_MOST_LOOKS: Final = 3
"""How many games are looked at again before nothing is said."""

_RESULTS: Final = {PROGRAM: "won", USER: "lost", DRAW: "drawn"}
_ENDED: Final = {
    (PROGRAM, False): later("The program has won"),
    (PROGRAM, True): later("The program has won on the last square"),
    (USER, False): later("The user has won"),
    (USER, True): later("The user has won on the last square"),
    (DRAW, False): later("The game is drawn"),
}
"""How a game has ended, and whether somebody has won it with the last square."""

_TOLD: Final = {
    PROGRAM: later("that it has won"),
    USER: later("that the user has won"),
    DRAW: later("a draw"),
    SOMEBODY: later("a win"),
}


def check_end(question: Question, program: Program) -> Outcome:
    """Judge what a program does when a game is over."""
    series = program.series
    stopped = next((one for one in series.faults if one.step is Step.QUIT), None)
    if stopped:
        board, transcript = rows(stopped.path[-1]), end_of(stopped.transcript)
        return failed(because("ends-too-early"), board=board, transcript=transcript)
    if bad := ended_wrongly(program, series) or without_games(series):
        return bad
    ends = sorted({one.end.value for one in series.games})
    return passed(because("ends-well", games=games_in_words(len(series.games)), ends=ends))


def ended_wrongly(program: Program, series: Series) -> Outcome | None:
    """Return the outcome where it goes on after a game, or crashes, or None."""
    bad = _twice(program, series, lambda one: one.end in (End.GOES_ON, End.CRASHES))
    if not bad:
        return None
    code = "goes-on-at-end" if bad.end is End.GOES_ON else "crashes-at-end"
    status = Status.FAILED if bad.end is End.GOES_ON else Status.CRASHED
    return Outcome(status, because(code), board=rows(bad.path[-1]), transcript=end_of(bad.transcript))


def check_announce(question: Question, program: Program) -> Outcome:
    """Judge what a program says when a game is over."""
    games = program.series.games
    if bad := without_games(program.series) or announced_wrongly(program, program.series):
        return bad
    unclear = next((game for game in games if _is_unclear(game)), None)
    if unclear:
        said = _("Words at the end that were not understood:")
        program.seen_once.append(f"{said}\n{end_of(unclear.said)}")
    results = sorted({_RESULTS[game.result] for game in games})
    return passed(because("announces-rightly", games=games_in_words(len(games)), results=results))


def announced_wrongly(program: Program, series: Series) -> Outcome | None:
    """Return the outcome where another result is announced than the board shows, or None."""
    game = _twice(program, series, lambda one: not (one.is_told or _is_unclear(one)))
    if not game:
        return None
    who, last = game.result, game.path[-1]
    told = listing([_(one) for one in sorted(_TOLD[one] for one in game.announced)]) or _("nothing")
    is_full = "." not in last and who != DRAW
    return failed(
        because("announces-wrongly", ended=_(_ENDED[who, is_full]), told=told),
        board=rows(last),
        got=told,
        transcript=end_of(game.transcript),
    )


def _twice(program: Program, series: Series, is_bad: Callable[[Finished], bool]) -> Finished | None:
    """Return a finished game of which something is to be said that was seen twice, or None."""
    bad = [one for one in series.games if is_bad(one)]
    for game in bad[:_MOST_LOOKS]:
        again = series.again(game)
        if again and is_bad(again):
            return again
        if not again and len(bad) > 1:  # it cannot be had again, but there were others
            return game
        once = _("A game ended so once, and not again:")
        program.seen_once.append(f"{once}\n{end_of(game.transcript)}")
    return None


def _is_unclear(game: Finished) -> bool:
    """Return whether something is said at the end that the grader does not understand."""
    return not game.announced and has_words(game.said, game.transcript.removesuffix(game.said))
