"""Mistakes of `terminal` and `utility`: another answer for one way in which a game stands; or `winner`'s."""

from collections.abc import Callable, Collection, Iterator
from typing import Any, Final

from grader.core.game.board import CELLS, EMPTY, START, Board, O, X, is_over, winner
from grader.core.messages import _, enumerated, later, listing, ngettext
from grader.core.mistakes.family import (
    FALSE,
    TRUE,
    Key,
    Part,
    SeenReplies,
    Variant,
    always,
    is_raised,
    number,
    text_of,
)
from grader.core.mistakes.winners import ALL_LINES, TIE_BOARD, alone, held, left_out

RUNNING, TIE = "running", "tie"
_NAMES: Final = {
    RUNNING: later("a game goes on"),
    X: later("X has won"),
    O: later("O has won"),
    TIE: later("it is a tie"),
}
_RIGHT: Final[dict[str, dict[str, Key]]] = {
    "terminal": {RUNNING: FALSE, X: TRUE, O: TRUE, TIE: TRUE},
    "utility": {X: number(1), O: number(-1), TIE: number(0)},
}
_HINT: Final = later("A game is over when somebody has won, and also when no cell is free.")


def standing(board: Board) -> str:
    """Return how a game stands: running, won by X or O, or a tie."""
    return (winner(board) or TIE) if is_over(board) else RUNNING


def by_standing(seen: SeenReplies) -> Iterator[Variant]:
    """Propose one answer for each way in which a game stands."""
    table: dict[str, Key] = {}
    for board, key in seen.by_board.items():
        table.setdefault(standing(board), key)
    wrong = {how for how, right in _RIGHT[seen.function].items() if table[how] != right}
    if wrong and not any(is_raised(key) for key in table.values()):
        parts = _terminal(table, wrong) if seen.function == "terminal" else (_utility(table, wrong),)
        yield Variant(parts, always(lambda board: table[standing(board)]))


def full_boards_only(seen: SeenReplies) -> Iterator[Variant]:
    """Propose that only a full board ends the game."""
    sentence = later("`terminal` sees that a board is full, but not that somebody has won before.")
    part = Part("full-boards-only", later("sees full boards only"), sentence, _HINT)
    yield Variant((part,), always(lambda board: FALSE if EMPTY in board else TRUE))


def _terminal(table: dict[str, Key], wrong: set[str]) -> tuple[Part, ...]:
    """Return one part, or two: what goes on, and what is over, may be answered wrongly for two reasons."""
    over = wrong - {RUNNING}
    if RUNNING in wrong and over and {table[how] for how in wrong} == {None}:
        return _terminal_part(table, {RUNNING}), _terminal_part(table, over)
    return (_terminal_part(table, wrong),)


def _terminal_part(table: dict[str, Key], wrong: set[str]) -> Part:
    parameters = {how: text_of(key) for how, key in table.items()}
    given = {table[how] for how in wrong}
    if given <= {TRUE, FALSE} or (given == {None} and RUNNING not in wrong):
        ids = {
            frozenset({TIE}): ("ties-not-seen", later("does not see ties")),
            frozenset({X, O}): ("wins-not-seen", later("does not see wins")),
            frozenset({X}): ("wins-of-x-not-seen", later("does not see X's wins")),
            frozenset({O}): ("wins-of-o-not-seen", later("does not see O's wins")),
            frozenset(_NAMES): ("upside-down", later("says the opposite")),
        }
        name, title = ids.get(frozenset(wrong), ("standings-mixed-up", later("mixes up how games end")))
        words = {"said": listing(sorted(map(text_of, given))), "when": _whenever(wrong)}
        sentence = later("`terminal` says {said} when {when}.")
        return Part(name, title, sentence, _HINT, parameters, words)
    words = {"table": _table(table)}
    hint = later("Return True or False: `return winner(board) is not None or ...` is already one.")
    if table[X] == X and table[O] == O:
        sentence = later("`terminal` returns the winner instead of True or False: {table}.")
        name, title = "winner-for-boolean", later("returns the winner, not a boolean")
    elif {table[X], table[O], table[TIE]} == {number(1)} and table[RUNNING] == number(0):
        sentence = later("`terminal` returns 1 and 0 instead of True and False.")
        name, title = "number-for-boolean", later("returns 1 and 0, not a boolean")
    elif given == {None}:  # of a game that goes on: finished ones are handled above
        sentence = later("`terminal` returns None instead of False when a game goes on.")
        name, title = "none-for-boolean", later("returns None, not a boolean")
    else:
        sentence = later("`terminal` returns no boolean: {table}.")
        name, title = "another-type", later("returns no boolean")
    return Part(name, title, sentence, hint, parameters, words)


def _whenever(standings: Collection[str]) -> str:
    """Return ways in which a game stands as a sentence has them after `when`."""
    found = ""
    for how, name in _NAMES.items():
        if how in standings:
            found = _("{some} and when {last}", some=found, last=_(name)) if found else _(name)
    return found


def _utility(table: dict[str, Key], wrong: set[str]) -> Part:
    parameters = {how: text_of(key) for how, key in table.items()}
    hint = later("1 when X has won, -1 when O has won, 0 otherwise.")
    words = {"table": _table(table)}
    match table[X], table[O], table[TIE]:
        case (("number", -1), ("number", 1), ("number", 0)):
            name, title = "upside-down", later("has the signs swapped")
            sentence = later("`utility` has the signs swapped: {table}.")
        case (("number", int(a) | float(a)), ("number", int(b) | float(b)), ("number", 0)) if 0 < a == -b:
            name, title = "scale", later("uses another scale")
            sentence = later("`utility` uses another scale: {table}.")
        case (str(), str(), str()):
            name, title = "text-for-number", later("returns text")
            sentence = later("`utility` returns text: {table}.")
        case (_x, _o, tie) if wrong == {TIE}:
            name, title = "tie", later("answers {answer} for a tie")
            if tie is None:
                title = later("returns nothing for a tie")
            words, sentence = {"answer": text_of(tie)}, later("A tie is 0; `utility` answers {answer}.")
        case _ if len(wrong) == 1:
            (who,) = wrong
            name, title = f"wins-of-{who.lower()}", later("answers {answer} for {who}'s wins")
            words = {"answer": text_of(table[who]), "who": who}
            sentence = later("When {who} has won, `utility` is {answer}.")
        case _:
            name, title = "values", later("gives other values")
            sentence = later("`utility` gives other values: {table}.")
    return Part(name, title, sentence, hint, parameters, words)


def _table(table: dict[str, Key]) -> str:
    return enumerated(
        _("{answer} when {when}", answer=text_of(key), when=_(_NAMES[how])) for how, key in table.items()
    )


def by_winner(seen: SeenReplies) -> Iterator[Variant]:
    """Propose a rule for what the submission's own `winner` says: the right one, or one with a mistake.

    A function that stays wrong when `winner` is right may have a copy of the code of `winner`.
    """
    champions = seen.others.get("winner")
    if not champions:
        return
    yield from _by_rules(seen, champions, _repeats(seen))


def by_own_lines(seen: SeenReplies) -> Iterator[Variant]:
    """Propose that the function looks for lines itself and leaves some out."""
    answers = seen.by_board
    nobody = answers[START if seen.function == "terminal" else TIE_BOARD]
    sees = frozenset(line for line, board in alone().items() if answers[board] != nobody)
    if sees == ALL_LINES or not sees:
        return
    champions = dict[Board, Key]()
    for board in answers:
        lines = held()[board] & sees
        champions[board] = next(iter(lines))[1] if lines else None
    yield from _by_rules(seen, champions, left_out(seen.function, ALL_LINES - sees))


def _by_rules(seen: SeenReplies, champions: dict[Board, Key], why: Part) -> Iterator[Variant]:
    """Propose a rule for what the function takes for the winner; `why` is named if it makes a difference."""
    mistaken = [board for board in seen.by_board if champions[board] != winner(board)]
    rules = (
        _terminal_rules(seen, champions) if seen.function == "terminal" else _utility_rules(seen, champions)
    )
    for own, rule in rules:
        for full_first in (False, True):
            answer = _follower(champions, rule, full_first)
            matters = any(answer(board) != rule(board, winner(board)) for board in mistaken)
            if parts := own + ((why,) if matters else ()):
                yield Variant(parts, always(answer))


def _repeats(seen: SeenReplies) -> Part:
    words = {"function": seen.function}
    if seen.alone:
        title = later("repeats the mistake of `winner`")
        sentence = later("`{function}` is wrong where `winner` is, and in the same way.")
        hint = later("Fix `winner`. If `{function}` has a copy of that code, let it call `winner` instead.")
        return Part("repeats-winner", title, sentence, hint, words=words)
    title = later("asks `winner`, and repeats its mistake")
    sentence = later(
        "`{function}` asks `winner` and does the right thing with what it says: fix `winner` first."
    )
    return Part("follows-winner", title, sentence, words=words)


Rule = Callable[[Board, Key], Key]
"""What a function answers on a board of which `winner` says something."""


def _terminal_rules(
    seen: SeenReplies, champions: dict[Board, Key]
) -> Iterator[tuple[tuple[Part, ...], Rule]]:
    yield (), _over
    yield (), _over_by_truth
    sentence = later("`terminal` says False when it is a tie.")
    yield (Part("ties-not-seen", later("does not see ties"), sentence, _HINT),), _won
    sentence = later("`terminal` says True only when somebody has won and the board is full, too.")
    hint = later("A game is over when somebody has won `or` no cell is free; here it is `and`.")
    title = later("sees wins on full boards only")
    yield (Part("and-for-or", title, sentence, hint),), _won_on_full_board
    ended = [board for board, key in seen.by_board.items() if key == TRUE and champions[board] is None]
    taken = [cell for cell in range(9) if all(board[cell] != EMPTY for board in ended)]
    if 0 < len(taken) < 9:
        yield (_some_cells(taken),), _full_by(taken)


def _some_cells(taken: list[int]) -> Part:
    cells = [CELLS[cell] for cell in taken]

    def sentence(**words: Any) -> str:
        return ngettext(
            "`terminal` takes the board for full as soon as {cells} is taken.",
            "`terminal` takes the board for full as soon as {cells} are taken.",
            len(cells),
            **words,
        )

    title = later("does not look at every cell")
    hint = later("Do the loops reach every row and column? All nine cells must be taken.")
    words = {"cells": ", ".join(map(str, cells))}
    return Part("cells-not-looked-at", title, sentence, hint, {"cells": cells}, words)


def _utility_rules(seen: SeenReplies, champions: dict[Board, Key]) -> Iterator[tuple[tuple[Part, ...], Rule]]:
    yield (), _value
    yield (), _value_or_none
    table: dict[str, Key] = {}
    for board, key in seen.by_board.items():
        champion = champions[board]
        if champion in (None, X, O):
            table.setdefault(str(champion or TIE), key)
    right = _RIGHT["utility"]
    wrong = {how for how in right if table.get(how, right[how]) != right[how]}
    if wrong and len(table) == 3 and not any(map(is_raised, table.values())):
        yield (_utility(table, wrong),), lambda board, champion: table.get(str(champion or TIE))


def _follower(champions: dict[Board, Key], rule: Rule, full_first: bool) -> Callable[[Board], Key]:
    def answer(board: Board) -> Key:
        champion = champions[board]
        if is_raised(champion) and not (full_first and EMPTY not in board):
            return champion
        return rule(board, champion)

    return answer


def _over(board: Board, champion: Key) -> Key:
    return TRUE if champion is not None or EMPTY not in board else FALSE


def _over_by_truth(board: Board, champion: Key) -> Key:
    said = champion[1] if isinstance(champion, tuple) and champion[0] in ("bool", "number") else champion
    return TRUE if said or EMPTY not in board else FALSE


def _won(board: Board, champion: Key) -> Key:
    return FALSE if champion is None else TRUE


def _won_on_full_board(board: Board, champion: Key) -> Key:
    return TRUE if champion is not None and EMPTY not in board else FALSE


def _full_by(cells: list[int]) -> Rule:
    return lambda board, champion: (
        TRUE if champion is not None or all(board[cell] != EMPTY for cell in cells) else FALSE
    )


def _value(board: Board, champion: Key) -> Key:
    return number({X: 1, O: -1}.get(champion, 0))  # type: ignore[call-overload]


def _value_or_none(board: Board, champion: Key) -> Key:
    return _value(board, champion) if champion in (X, O) else None
