"""What is told of a program: how it was run and played, how much of it was seen, and its moves."""

from grader.core.game.board import Action, Board
from grader.programs.program import ANSWERS, Program
from grader.programs.series import Series
from grader.programs.setup import LONGEST_GIVEN, MOST_GIVEN


def policy_of(program: Program) -> dict[Board, Action]:
    """Return its move on every board that was seen in its games."""
    known: dict[Board, Action] = {}
    for series in (program.series, program.other):
        for board, found in series.replies.items() if series else ():
            if found:
                known.setdefault(board, found.most_common(1)[0][0])
    return known


def program_notes(program: Program) -> list[str]:
    """Return what a person should know of how a program was built, run and played."""
    recipe = program.recipe
    built = " and ".join(" ".join(step) for step in recipe.build)
    how = f"built by `{built}`, " if built else ""
    notes = [f"{recipe.language or 'Program'}: {how}run by `{' '.join(recipe.run)}`."]
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
    notes.append(f"Squares were typed as {typed(series)}.")
    notes.append(f"Seen: {coverage(series)}.")
    unseen = sum(not game.final_board_shown for game in series.games)
    if unseen:
        notes.append(f"The last board is not shown after {many(unseen, 'game')} that the user's move ends.")
    return notes


def answers_of(series: Series) -> str:
    """Return what was answered before the game."""
    return ", ".join(f"{asked.kind}: {answer!r}" for asked, answer in series.manner.answered) or "no answer"


def coverage(series: Series) -> str:
    """Return how many positions were seen, and whether that is all."""
    seen = sum(1 for found in series.replies.values() if found)
    if series.by_chance:
        return f"{seen} positions of {many(len(series.games), 'game')}, a sample: it chooses by chance"
    if series.complete:
        return f"all {seen} positions that can come up"
    return f"{seen} positions; at least {series.open_positions()} more could not be seen in time"


def typed(series: Series) -> str:
    """Return how squares are typed, with the middle one as an example."""
    scheme = series.manner.scheme
    return f"{scheme.family}, {scheme.name}: the middle is {' then '.join(scheme.typed(4))}"


def many(count: int, what: str) -> str:
    """Return a number of things."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
