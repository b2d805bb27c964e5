"""Mistakes of `terminal` and `utility`: another answer for one way in which a game stands; or `winner`'s."""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Final

from grader.core.game.board import CELLS, EMPTY, START, Action, Board, O, X, is_over, winner
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
from grader.core.mistakes.winners import ALL_LINES, TIE_BOARD, held, left_out, lines_seen

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


_NOT_SEEN: Final = {
    frozenset({TIE}): ("ties-not-seen", later("does not see ties")),
    frozenset({X, O}): ("wins-not-seen", later("does not see wins")),
    frozenset({X}): ("wins-of-x-not-seen", later("does not see X's wins")),
    frozenset({O}): ("wins-of-o-not-seen", later("does not see O's wins")),
    frozenset(_NAMES): ("upside-down", later("says the opposite")),
}
"""The mistakes of a `terminal` that returns True or False, by the outcomes that it gets wrong."""


def _terminal_part(table: dict[str, Key], wrong: set[str]) -> Part:
    parameters = {how: text_of(key) for how, key in table.items()}
    given = {table[how] for how in wrong}
    if given <= {TRUE, FALSE} or (given == {None} and RUNNING not in wrong):
        mixed_up = "standings-mixed-up", later("mixes up how games end")
        name, title = _NOT_SEEN.get(frozenset(wrong), mixed_up)
        words = {"said": listing(sorted(map(text_of, given))), "when": _joined_standings(wrong)}
        sentence = later("`terminal` says {said} when {when}.")
        return Part(name, title, sentence, _HINT, parameters, words)
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
    return Part(name, title, sentence, hint, parameters, {"table": _listed_answers(table)})


def _joined_standings(standings: Collection[str]) -> str:
    """Return ways in which a game stands as a sentence has them after `when`."""
    found = ""
    for how, name in _NAMES.items():
        if how in standings:
            found = _("{some} and when {last}", some=found, last=_(name)) if found else _(name)
    return found


def _utility(table: dict[str, Key], wrong: set[str]) -> Part:
    parameters = {how: text_of(key) for how, key in table.items()}
    hint = later("1 when X has won, -1 when O has won, 0 otherwise.")
    words = {"table": _listed_answers(table)}
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


def _listed_answers(table: dict[str, Key]) -> str:
    return enumerated(
        _("{answer} when {when}", answer=text_of(key), when=_(_NAMES[how])) for how, key in table.items()
    )


def by_winner(seen: SeenReplies) -> Iterator[Variant]:
    """Propose a rule for the answers of the submission's own `winner`: the right rule, or one with a mistake.

    A function that stays wrong when `winner` is right may have a copy of the code of `winner`.
    """
    champions = seen.others.get("winner")
    if not champions:
        return
    yield from _by_rules(seen, champions, _repeats_winner(seen))


def by_own_lines(seen: SeenReplies) -> Iterator[Variant]:
    """Propose that the function looks for lines itself and leaves some out."""
    answers = seen.by_board
    sees = lines_seen(answers, answers[START if seen.function == "terminal" else TIE_BOARD])
    if sees == ALL_LINES or not sees:
        return
    champions = {board: next((mark for _, mark in held()[board] & sees), None) for board in answers}
    (why,) = left_out(ALL_LINES - sees)
    yield from _by_rules(seen, champions, why)


Champions = Mapping[Board, Key]
"""The player that a function takes for the winner, by board."""

Rule = Callable[[Board, Key], Key]
"""What a function answers on a board with this winner."""

OF_UTILITY: Final = (by_standing, by_winner, by_own_lines)
OF_TERMINAL: Final = (by_standing, full_boards_only, by_winner, by_own_lines)


def _by_rules(seen: SeenReplies, champions: Champions, why: Part) -> Iterator[Variant]:
    """Propose a rule for what the function takes for the winner; `why` is named if it makes a difference."""
    mistaken = [board for board in seen.by_board if champions[board] != winner(board)]
    rules = _terminal_rules if seen.function == "terminal" else _utility_rules
    for own, rule in rules(seen, champions):
        for full_first in (False, True):
            answer = _following(champions, rule, full_first)
            matters = any(answer(board) != rule(board, winner(board)) for board in mistaken)
            if parts := own + ((why,) if matters else ()):
                yield Variant(parts, always(answer))


def _following(champions: Champions, rule: Rule, full_first: bool) -> Callable[[Board], Key]:
    """Return a function that follows a rule, and raises where `winner` does; a full board may need none."""

    def answer(board: Board) -> Key:
        champion = champions[board]
        asks = EMPTY in board or not full_first
        return champion if is_raised(champion) and asks else rule(board, champion)

    return answer


def _repeats_winner(seen: SeenReplies) -> Part:
    if seen.alone:
        title = later("repeats the mistake of `winner`")
        sentence = later("`{function}` is wrong where `winner` is, and in the same way.")
        hint = later("Fix `winner`. If `{function}` has a copy of that code, let it call `winner` instead.")
        return Part("repeats-winner", title, sentence, hint)
    title = later("asks `winner`, and repeats its mistake")
    sentence = later(
        "`{function}` asks `winner` and does the right thing with what it says: fix `winner` first."
    )
    return Part("follows-winner", title, sentence)


def _terminal_rules(seen: SeenReplies, champions: Champions) -> Iterator[tuple[tuple[Part, ...], Rule]]:
    def over(board: Board, champion: Key) -> Key:
        return TRUE if champion is not None or EMPTY not in board else FALSE

    def over_by_truth(board: Board, champion: Key) -> Key:
        is_wrapped = isinstance(champion, tuple) and champion[0] in ("bool", "number")
        return TRUE if (champion[1] if is_wrapped else champion) or EMPTY not in board else FALSE  # type: ignore[index]

    def won(board: Board, champion: Key) -> Key:
        return FALSE if champion is None else TRUE

    def won_on_full_board(board: Board, champion: Key) -> Key:
        return TRUE if champion is not None and EMPTY not in board else FALSE

    def full_by_some_cells(board: Board, champion: Key) -> Key:
        return TRUE if champion is not None or all(board[cell] != EMPTY for cell in taken) else FALSE

    yield (), over
    yield (), over_by_truth
    yield (Part(*_NOT_SEEN[frozenset({TIE})], later("`terminal` says False when it is a tie."), _HINT),), won
    sentence = later("`terminal` says True only when somebody has won and the board is full, too.")
    hint = later("A game is over when somebody has won `or` no cell is free; here it is `and`.")
    yield (Part("and-for-or", later("sees wins on full boards only"), sentence, hint),), won_on_full_board
    ended = [board for board, key in seen.by_board.items() if key == TRUE and champions[board] is None]
    taken = [cell for cell in range(9) if all(board[cell] != EMPTY for board in ended)]
    if 0 < len(taken) < 9:
        yield (_some_cells(taken),), full_by_some_cells


def _some_cells(taken: list[int]) -> Part:
    cells = [CELLS[cell] for cell in taken]

    def sentence(cells: list[Action], **words: Any) -> str:
        return ngettext(
            "`terminal` takes the board for full as soon as {cells} is taken.",
            "`terminal` takes the board for full as soon as {cells} are taken.",
            len(cells),
            cells=", ".join(map(str, cells)),
        )

    title = later("does not look at every cell")
    hint = later("Do the loops reach every row and column? All nine cells must be taken.")
    return Part("cells-not-looked-at", title, sentence, hint, {"cells": cells})


def _utility_rules(seen: SeenReplies, champions: Champions) -> Iterator[tuple[tuple[Part, ...], Rule]]:
    values = {X: number(1), O: number(-1)}
    yield (), lambda board, champion: values.get(champion, number(0))  # type: ignore[call-overload]
    yield (), lambda board, champion: values.get(champion)  # type: ignore[call-overload]
    table: dict[str, Key] = {}
    for board, key in seen.by_board.items():
        if champions[board] in (None, X, O):
            table.setdefault(str(champions[board] or TIE), key)
    right = _RIGHT["utility"]
    wrong = {how for how in right if table.get(how, right[how]) != right[how]}
    if wrong and len(table) == 3 and not any(map(is_raised, table.values())):
        yield (_utility(table, wrong),), lambda board, champion: table.get(str(champion or TIE))
