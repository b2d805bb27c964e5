"""Outcomes of how games end and what is announced then, and notes on how a program was run and played."""

from collections.abc import Callable
from typing import Final

from grader.core.checks.outcome import Outcome, failed, passed
from grader.core.checks.reasons import because
from grader.core.course.course import ProgramQuestion as Question
from grader.core.game.board import Action, Board, marks, rows
from grader.core.grade import Status
from grader.core.messages import _, later, listing, ngettext, one_after_the_other
from grader.programs.announcements import DRAW, PROGRAM, SOMEBODY, USER, has_words
from grader.programs.built import Built
from grader.programs.game import Step
from grader.programs.program import ANSWERS, Program
from grader.programs.prompts import LONGEST_GIVEN, MOST_GIVEN, Kind
from grader.programs.seen import Fault
from grader.programs.series import End, Finished, Series

_SAID: Final = 4
_STATUS: Final = {
    Step.CRASHED: Status.CRASHED,
    Step.TOO_LATE: Status.TIMED_OUT,
    Step.TOO_LARGE: Status.CRASHED,
    Step.BROKEN: Status.CRASHED,
}
_TRANSCRIPT: Final = 3_000


def policy_of(program: Program) -> dict[Board, Action]:
    """Return its move on every board that was seen in its games."""
    known: dict[Board, Action] = {}
    for series in (program.play(), program.play_other_choice()):
        for board, found in series.replies.items() if series else ():
            known.setdefault(board, found.most_common(1)[0][0])
    return known


def program_notes(program: Program) -> list[str]:
    """Return what a person should know of how a program was built, run and played."""
    found = program.build()
    recipe = found.recipe if isinstance(found, Built) else program.choose_recipe()
    built = " and ".join(" ".join(step) for step in recipe.build)
    about = {"language": recipe.language or _("Program"), "run": " ".join(recipe.run)}
    if built:
        notes = [_("{language}: built by `{build}`, run by `{run}`.", build=built, **about)]
    else:
        notes = [_("{language}: run by `{run}`.", **about)]
    if recipe.remark:
        said = found.plain.splitlines()[:_SAID] if isinstance(found, Built) else []
        against = "".join(f"\n  {line}" for line in said)
        remark = _("It was {remark}.", remark=recipe.remark)
        notes.append(remark + " " + _("The plain way says:") + against if said else remark)
    if program.discover():
        return notes
    if not program.answers_taken:
        notes.append(
            _(
                "{file} was not taken: it has more than {lines} lines, or one of more than {characters} "
                "characters.",
                file=ANSWERS,
                lines=MOST_GIVEN,
                characters=LONGEST_GIVEN,
            )
        )
    series = program.play()
    if series.manner.answered:
        notes.append(_("It asks before the game, and was answered: {answers}.", answers=answers_of(series)))
    if series.manner.others:
        notes.append(
            _("Other answers lead to a game, too: {answers}.", answers="; ".join(series.manner.others))
        )
    notes.append(_("Squares were typed as {how}.", how=typed(series)))
    notes.append(_("Seen: {what}.", what=coverage(series)))
    if series.seen < 1:
        notes.append(
            _(
                "What was not seen counts neither way, unless a person has to decide; --patient gives more "
                "time."
            )
        )
    unseen = sum(not game.final_board_shown for game in series.games)
    if unseen:
        notes.append(
            ngettext(
                "The last board is not shown after {count} game that the user's move ends.",
                "The last board is not shown after {count} games that the user's move ends.",
                unseen,
            )
        )
    return notes


def seen_once(program: Program) -> list[str]:
    """Return the faults that were seen once and not again: they cost nothing."""
    doubts = [f"{faulty(doubt).reason}\n{end_of(doubt.transcript)}" for doubt in program.doubts]
    return [
        _("Seen once, and not again, so that it costs nothing: {what}", what=fault)
        for fault in (*doubts, *program.seen_once)
    ]


def answers_of(series: Series) -> str:
    """Return what was answered before the game."""
    answers = (
        f"{asked.line if asked.kind is Kind.OTHER else _(str(asked.kind))}: {answer!r}"
        for asked, answer in series.manner.answered
    )
    return ", ".join(answers) or _("no answer")


def coverage(series: Series) -> str:
    """Return how many positions were seen, and whether that is all."""
    count = len(series.replies)
    seen = ngettext("{count} position", "{count} positions", count)
    if series.by_chance:
        return _(
            "{positions} of {games}, a sample: it chooses by chance",
            positions=seen,
            games=games_in_words(len(series.games)),
        )
    if series.by_order:
        seen = _("{positions}, in which the order of the moves changes its replies", positions=seen)
    if not series.complete and series.decided:
        seen = _("{positions}, among them all to which a reply can be wrong", positions=seen)
    elif not series.complete:
        seen = ngettext(
            "{positions}; at least {count} more could not be seen in time",
            "{positions}; at least {count} more could not be seen in time",
            series.open_positions(),
            positions=seen,
        )
    elif not series.lost and not series.by_order:
        return ngettext(
            "all {count} positions that can come up", "all {count} positions that can come up", count
        )
    if not series.lost:
        return seen
    return ngettext(
        "{positions}; to {count} more no reply came",
        "{positions}; to {count} more no reply came",
        len(series.lost),
        positions=seen,
    )


def typed(series: Series) -> str:
    """Return how squares are typed, with the middle one as an example."""
    scheme = series.manner.scheme
    return _(
        "{family}, {name}: the middle is {typed}",
        family=_(str(scheme.family)),
        name=scheme.name,
        typed=one_after_the_other(scheme.typed(4)),
    )


def games_in_words(count: int) -> str:
    """Return a number of games."""
    return ngettext("{count} game", "{count} games", count)


def without_games(series: Series) -> Outcome | None:
    """Return the outcome where no game came to its end, or None."""
    if series.games:
        return None
    skipped = Outcome(Status.SKIPPED, because("no-game-ended"))
    return faulty(series.faults[0]) if series.faults else skipped


def faulty(fault: Fault) -> Outcome:
    """Return the outcome of a game that could not go on."""
    typed = repr(fault.typed) if fault.typed else ""
    reason = because("game-stopped", typed=typed, how=_(str(fault.step)))
    if fault.step is Step.QUIT:
        reason = because("game-left", typed=typed)
    if fault.step is Step.WRONG_BOARD and fault.drawn:
        reason = because("game-misdrawn", typed=typed, new=marks(fault.drawn) - marks(fault.path[-1]))
    status, transcript = _STATUS.get(fault.step, Status.FAILED), end_of(fault.transcript)
    got = " / ".join(rows(fault.drawn)) if fault.drawn else None
    return Outcome(status, reason, board=rows(fault.path[-1]), got=got, transcript=transcript)


def end_of(transcript: str) -> str:
    """Return the end of what was printed and typed."""
    text = transcript.strip("\n")
    return text if len(text) <= _TRANSCRIPT else "…" + text[-_TRANSCRIPT:]


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
"""Sentences for the end of a game, by its result and whether the last square has won it."""

_ANNOUNCED: Final = {
    PROGRAM: later("that it has won"),
    USER: later("that the user has won"),
    DRAW: later("a draw"),
    SOMEBODY: later("a win"),
}


def check_end(question: Question, program: Program) -> Outcome:
    """Judge what a program does when a game is over."""
    series = program.play()
    for fault in series.faults:
        if fault.step is Step.QUIT:
            board, transcript = rows(fault.path[-1]), end_of(fault.transcript)
            return failed(because("ends-too-early"), board=board, transcript=transcript)
    if bad := ended_wrongly(program, series) or without_games(series):
        return bad
    ends = sorted({game.end.value for game in series.games})
    return passed(because("ends-well", games=games_in_words(len(series.games)), ends=ends))


def ended_wrongly(program: Program, series: Series) -> Outcome | None:
    """Return the outcome where it goes on after a game, or crashes, or None."""
    bad = _find_repeated(program, series, lambda game: game.end in (End.GOES_ON, End.CRASHES))
    if not bad:
        return None
    code = "goes-on-at-end" if bad.end is End.GOES_ON else "crashes-at-end"
    status = Status.FAILED if bad.end is End.GOES_ON else Status.CRASHED
    return Outcome(status, because(code), board=rows(bad.path[-1]), transcript=end_of(bad.transcript))


def check_announce(question: Question, program: Program) -> Outcome:
    """Judge what a program says when a game is over."""
    games = program.play().games
    if bad := without_games(program.play()) or announced_wrongly(program, program.play()):
        return bad
    unclear = next((game for game in games if _is_unclear(game)), None)
    if unclear:
        said = _("Words at the end that were not understood:")
        program.seen_once.append(f"{said}\n{end_of(unclear.said)}")
    results = sorted({_RESULTS[game.result] for game in games})
    return passed(because("announces-rightly", games=games_in_words(len(games)), results=results))


def announced_wrongly(program: Program, series: Series) -> Outcome | None:
    """Return the outcome where another result is announced than the board shows, or None."""
    game = _find_repeated(program, series, lambda game: not (game.is_announced or _is_unclear(game)))
    if not game:
        return None
    who, last = game.result, game.path[-1]
    announced = listing([_(words) for words in sorted(_ANNOUNCED[result] for result in game.announced)]) or _(
        "nothing"
    )
    is_full = "." not in last and who != DRAW
    return failed(
        because("announces-wrongly", ended=_(_ENDED[who, is_full]), told=announced),
        board=rows(last),
        got=announced,
        transcript=end_of(game.transcript),
    )


def _find_repeated(program: Program, series: Series, is_bad: Callable[[Finished], bool]) -> Finished | None:
    """Return a finished game of which something is to be said that was seen twice, or None."""
    bad = [game for game in series.games if is_bad(game)]
    for game in bad[:_MOST_LOOKS]:
        again = series.replay(game)
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
