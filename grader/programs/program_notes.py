"""What is told of a program: how it was run and played, what was seen of it, and what stopped its games."""

from typing import Final

from grader.core.checks.outcome import Outcome
from grader.core.checks.reasons import because
from grader.core.game.board import Action, Board, marks, rows
from grader.core.grade import Status
from grader.programs.built import Built
from grader.programs.game import Step
from grader.programs.program import ANSWERS, Program
from grader.programs.prompts import Kind
from grader.programs.seen import Fault
from grader.programs.series import Series
from grader.programs.setup import LONGEST_GIVEN, MOST_GIVEN

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
    for series in (program.series, program.other):
        for board, found in series.replies.items() if series else ():
            known.setdefault(board, found.most_common(1)[0][0])
    return known


def program_notes(program: Program) -> list[str]:
    """Return what a person should know of how a program was built, run and played."""
    found = program.built
    recipe = found.recipe if isinstance(found, Built) else program.recipe
    built = " and ".join(" ".join(step) for step in recipe.build)
    how = f"built by `{built}`, " if built else ""
    notes = [f"{recipe.language or 'Program'}: {how}run by `{' '.join(recipe.run)}`."]
    if recipe.remark:
        said = found.plain.splitlines()[:_SAID] if isinstance(found, Built) else []
        against = "".join(f"\n  {line}" for line in said)
        notes.append(f"It was {recipe.remark}.{' The plain way says:' if said else ''}{against}")
    if program.failure:
        return notes
    if not program.answers_taken:
        notes.append(
            f"{ANSWERS} was not taken: it has more than {MOST_GIVEN} lines, or one of more than "
            f"{LONGEST_GIVEN} characters."
        )
    series = program.series
    if series.manner.answered:
        notes.append(f"It asks before the game, and was answered: {answers_of(series)}.")
    if series.manner.others:
        notes.append(f"Other answers lead to a game, too: {'; '.join(series.manner.others)}.")
    notes.append(f"Squares were typed as {typed(series)}.")
    notes.append(f"Seen: {coverage(series)}.")
    if series.seen < 1:
        notes.append(
            "What was not seen counts neither way, unless a person has to decide; --patient gives more time."
        )
    unseen = sum(not game.final_board_shown for game in series.games)
    if unseen:
        notes.append(f"The last board is not shown after {many(unseen, 'game')} that the user's move ends.")
    return notes


def seen_once(program: Program) -> list[str]:
    """Return the faults that were seen once and not again: nobody is charged for them."""
    doubts = [f"{faulty(one).reason}\n{end_of(one.transcript)}" for one in program.doubts]
    told = "Seen once, and not again, so that it costs nothing: "
    return [f"{told}{one}" for one in (*doubts, *program.seen_once)]


def answers_of(series: Series) -> str:
    """Return what was answered before the game."""
    told = (
        f"{asked.line if asked.kind is Kind.OTHER else asked.kind}: {answer!r}"
        for asked, answer in series.manner.answered
    )
    return ", ".join(told) or "no answer"


def coverage(series: Series) -> str:
    """Return how many positions were seen, and whether that is all."""
    count, seen = len(series.replies), many(len(series.replies), "position")
    if series.by_chance:
        return f"{seen} of {many(len(series.games), 'game')}, a sample: it chooses by chance"
    seen = f"{seen}, in which the order of the moves changes its replies" if series.by_order else seen
    lost = f"; to {len(series.lost)} more no reply came" if series.lost else ""
    if not series.complete and series.decided:
        return f"{seen}, among them all to which a reply can be wrong{lost}"
    if not series.complete:
        return f"{seen}; at least {series.open_positions()} more could not be seen in time{lost}"
    return f"{seen}{lost}" if lost or series.by_order else f"all {count} positions that can come up"


def typed(series: Series) -> str:
    """Return how squares are typed, with the middle one as an example."""
    scheme = series.manner.scheme
    return f"{scheme.family}, {scheme.name}: the middle is {' then '.join(scheme.typed(4))}"


def many(count: int, what: str) -> str:
    """Return a number of things."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def without_games(series: Series) -> Outcome | None:
    """Return the outcome where no game came to its end, or None."""
    if series.games:
        return None
    skipped = Outcome(Status.SKIPPED, because("no-game-ended"))
    return faulty(series.faults[0]) if series.faults else skipped


def faulty(fault: Fault) -> Outcome:
    """Return the outcome of a game that could not go on."""
    typed = repr(fault.typed) if fault.typed else ""
    reason = because("game-stopped", typed=typed, how=str(fault.step))
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
