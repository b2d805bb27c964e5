"""Mistakes of `winner`: lines never seen, empty lines taken for lines, other words for no winner."""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import permutations, product
from typing import Final

from grader.core.asking.reply import Arguments
from grader.core.game import oracle
from grader.core.game.board import CELLS, EMPTY, LINES, START, Board, O, X, is_over, marks, winning_line
from grader.core.messages import _, enumerated, later, listing
from grader.core.mistakes.family import (
    Key,
    Part,
    SeenReplies,
    Variant,
    always,
    exception_first,
    is_raised,
    text_of,
)

_GROUPS: Final = {"rows": (0, 1, 2), "columns": (3, 4, 5), "diagonals": (6, 7)}
_ALL_OF: Final = {
    "rows": later("the rows"),
    "columns": later("the columns"),
    "diagonals": later("the diagonals"),
}
_EMPTY_LINES: Final = {
    ("rows",): later("Three EMPTY cells in a row count as a line in your `winner`: {then}."),
    ("columns",): later("Three EMPTY cells in a column count as a line in your `winner`: {then}."),
    ("diagonals",): later("Three EMPTY cells in a diagonal count as a line in your `winner`: {then}."),
    ("rows", "columns"): later(
        "Three EMPTY cells in a row or column count as a line in your `winner`: {then}."
    ),
    ("rows", "diagonals"): later(
        "Three EMPTY cells in a row or diagonal count as a line in your `winner`: {then}."
    ),
    ("columns", "diagonals"): later(
        "Three EMPTY cells in a column or diagonal count as a line in your `winner`: {then}."
    ),
    ("rows", "columns", "diagonals"): later(
        "Three EMPTY cells in a row or column or diagonal count as a line in your `winner`: {then}."
    ),
}
_NAMES: Final = tuple(LINES)
TIE_BOARD: Final = Board("XOXXOOOXX")

Seeable = frozenset[tuple[int, str]]
"""Lines by number, each with the player who may hold it."""

ALL_LINES: Final[Seeable] = frozenset((line, mark) for line in range(8) for mark in (X, O))


@cache
def _states(board: Board) -> tuple[str, ...]:
    """Return what each line of a board holds three times: X, O, EMPTY, or nothing."""
    return tuple([board[a] if board[a] == board[b] == board[c] else "" for a, b, c in LINES.values()])


@cache
def held() -> dict[Board, Seeable]:
    """Return for every board the lines that somebody holds."""
    return {
        board: frozenset([(line, mark) for line, mark in enumerate(_states(board)) if mark in (X, O)])
        if winning_line(board)
        else frozenset()
        for board in oracle.boards()
    }


@cache
def alone() -> dict[tuple[int, str], list[Board]]:
    """Return for every line and player the boards on which that is the only line held."""
    found: dict[tuple[int, str], list[Board]] = {}
    for board, lines in held().items():
        if len(lines) == 1:
            found.setdefault(next(iter(lines)), []).append(board)
    return found


def lines_seen(answers: dict[Board, Key], nobody: Key) -> Seeable:
    """Return the lines with which a function does not answer what it does without a line."""
    return frozenset(line for line, boards in alone().items() if answers[boards[0]] != nobody)


def lines_left_out(seen: SeenReplies) -> Iterator[Variant]:
    """Propose the lines that are seen, the words for the winners, and the word for no winner."""
    answers = seen.by_board
    nobody = answers[START]
    if is_raised(nobody) or nobody in (X, O):  # then nothing shows which lines are seen
        return
    sees = lines_seen(answers, nobody)
    words = {mark: answers[alone()[line, mark][0]] for line, mark in sorted(sees, reverse=True)}
    if any(map(is_raised, words.values())):
        return

    def answer(board: Board) -> Key:
        lines = held()[board] & sees
        return words[next(iter(lines))[1]] if lines else nobody

    parts = [] if nobody is None else [_word_for_nobody(nobody)]
    if any(word != mark for mark, word in words.items()):
        parts.append(_words_for_winners(words))
    parts += left_out(ALL_LINES - sees)
    if parts:
        yield Variant(tuple(parts), always(answer))


def _word_for_nobody(nobody: Key) -> Part:
    title = later("answers {answer} for nobody")
    sentence = later("`winner` answers {answer} when nobody has won; it must be None.")
    hint = later("None means that there is no winner: `return None` at the end, or no `return` at all.")
    return Part("other-word-for-nobody", title, sentence, hint, {"answer": text_of(nobody)})


def _words_for_winners(words: dict[str, Key]) -> Part:
    """Return the words for answers other than X and O, by the winner."""
    parameters = {mark: text_of(word) for mark, word in words.items()}
    pairs = sorted(parameters.items(), reverse=True)
    shown = {
        "words": listing([_("{word} when {mark} has won", word=word, mark=mark) for mark, word in pairs])
    }
    if words == {X: O, O: X}:
        sentence = later("`winner` names the loser: {words}.")
        return Part("the-other-player", later("names the loser"), sentence, "", parameters, shown)
    if all(word == mark.lower() for mark, word in words.items()):
        sentence = later("`winner` answers in lower case: {words}. Return the constants X and O.")
        return Part("lower-case", later("answers in lower case"), sentence, "", parameters, shown)
    title = later("answers other words than X and O")
    sentence = later("`winner` answers {words}; it must be X or O.")
    return Part("other-words", title, sentence, later("Return the mark itself."), parameters, shown)


def left_out(missing: Seeable) -> tuple[Part, ...]:
    """Return the words for lines that a function never sees, if there are any."""
    if not missing:
        return ()
    by_mark = {mark: {line for line, who in missing if who == mark} for mark in (X, O)}
    both = by_mark[X] & by_mark[O]

    def listed() -> str:
        names = [_lines(both)] if both else []
        for mark, lines in by_mark.items():
            if len(lines) == 8:
                names.append(_("any line of {mark}'s", mark=mark))
            elif lines - both:
                names.append(_("{lines} for {mark}", lines=_lines(lines - both), mark=mark))
        return listing(names)

    parameters = {mark: [_NAMES[line] for line in sorted(lines)] for mark, lines in by_mark.items() if lines}
    part = Part(
        "lines-left-out",
        lambda **words: _("never sees {lines}", lines=listed()),
        lambda function, **words: _("`{function}` never sees {lines}.", function=function, lines=listed()),
        later("There are eight lines: three rows, three columns, two diagonals; each may be X's or O's."),
        parameters,
    )
    return (part,)


def _lines(lines: Iterable[int]) -> str:
    left, names = set(lines), []
    for group, members in _GROUPS.items():
        if left.issuperset(members):
            left -= set(members)
            names.append(_(_ALL_OF[group]))
    return enumerated(names + [_(_NAMES[line]) for line in sorted(left)])


def empty_lines(seen: SeenReplies) -> Iterator[Variant]:
    """Propose that three empty cells count as a line, in some groups, and end the search for a winner."""
    nobody = seen.by_board[TIE_BOARD]
    if is_raised(nobody) or any(key not in (None, nobody) for _, key in seen.wrong_answers):
        return
    for groups, missing, order in product(_EMPTY_LINES, _SKIPPED, _orders()):
        yield _stops_at_empty(groups, missing, order, nobody)
    for groups, order in product(_EMPTY_LINES, _orders()):
        yield _stops_at_empty(groups, frozenset(), order[::-1], nobody, keeps_last=True)


def _stops_at_empty(
    groups: tuple[str, ...],
    missing: frozenset[int],
    order: tuple[int, ...],
    nobody: Key,
    keeps_last: bool = False,
) -> Variant:
    counts = {line for group in groups for line in _GROUPS[group]}
    looked_at = [line for line in order if line not in missing]

    def answer(board: Board) -> Key:
        states = _states(board)
        for line in looked_at:
            mark = states[line]
            if mark and (mark != EMPTY or line in counts):
                return None if mark == EMPTY else mark
        return nobody

    then = later("it stops there with None, and never sees the line that is won")
    if keeps_last:
        then = later("None takes the place of the winner that was found before")
    title = later("counts three empty cells as a completed line")
    hint = later("Compare the three cells with each other and with EMPTY: an empty line is nobody's.")
    part = Part("empty-line", title, _EMPTY_LINES[groups], hint, {"groups": list(groups)}, {"then": _(then)})
    parts = (part, *left_out(frozenset(product(missing, (X, O)))))
    return Variant(parts if nobody is None else (*parts, _word_for_nobody(nobody)), always(answer))


_SKIPPED: Final = [
    frozenset[int](),
    *map(frozenset, _GROUPS.values()),
    *(frozenset({line}) for line in range(8)),
    *(frozenset({line + 1, line + 2}) for line in (0, 3)),
]
"""What may be left out beside: nothing, a group, a line, or all of a group but its first line."""


@cache
def _orders() -> tuple[tuple[int, ...], ...]:
    """Return the orders in which students look at lines: by group, or a row and a column in turn."""
    rows, columns = _GROUPS["rows"], _GROUPS["columns"]
    found: list[tuple[int, ...]] = []
    for diagonals in ((6, 7), (7, 6)):
        found += [sum(order, ()) for order in permutations((rows, columns, diagonals))]
        for first, second in ((rows, columns), (columns, rows)):
            turns = tuple(line for pair in zip(first, second, strict=True) for line in pair)
            found += [turns + diagonals, diagonals + turns]
    return tuple(found)


Read = dict[tuple[str, str], Key]
"""The answer for a complete line, by its mark and by what another cell holds."""


def another_cell(seen: SeenReplies) -> Iterator[Variant]:
    """Propose that the answer for a complete line depends on a cell that is not part of the line."""
    if all(is_raised(key) for _, key in seen.wrong_answers):  # the exception says more
        return
    cells, tables = dict[int, int](), dict[int, Read]()
    for line, inside in enumerate(LINES.values()):
        for cell in (inside[0], *(cell for cell in range(9) if cell not in inside)):
            if table := _answers_by_cell(seen.by_board, line, cell):
                cells[line], tables[line] = cell, table
                break
        else:
            return
    strange = {line: cell for line, cell in cells.items() if cell not in tuple(LINES.values())[line]}
    constant = {line: table for line, table in tables.items() if line not in strange}
    given = [(mark, key) for table in constant.values() for (mark, _), key in table.items()]
    if not strange or any(key not in (mark, None) and not is_raised(key) for mark, key in given):
        return

    def gives(call: Arguments, key: Key) -> bool:
        board = call[0]
        if not held()[board]:
            return key is None
        return any(key == tables[line].get((mark, board[cells[line]])) for line, mark in held()[board])

    missing = ((line, mark) for line, mark in product(constant, (X, O)) if tables[line][mark, mark] is None)
    parts = (_cell_outside(strange), *left_out(frozenset(missing)))
    if any(is_raised(key) for _, key in seen.wrong_answers) and (exception := exception_first(seen)):
        parts = (exception, *parts)
    yield Variant(parts, gives)


def _answers_by_cell(answers: dict[Board, Key], line: int, cell: int) -> Read | None:
    """Return the answers for a line by its mark and a cell, or None if they depend on more than that."""
    table: Read = {}
    for mark in (X, O):
        for board in alone()[line, mark]:
            if table.setdefault((mark, board[cell]), answers[board]) != answers[board]:
                return None
    return table


def _cell_outside(strange: dict[int, int]) -> Part:
    by_cell: dict[int, list[int]] = {}
    for line, cell in strange.items():
        by_cell.setdefault(cell, []).append(line)
    cells = [
        _("{cell} for {lines}", cell=CELLS[cell], lines=_lines(lines)) for cell, lines in by_cell.items()
    ]
    title = later("looks at a cell outside the line")
    sentence = later("`winner` looks at a cell that is not part of the line: {cells}.")
    hint = later(
        "Compare the indices where these lines are checked. After a loop its variable keeps the last value."
    )
    parameters = {_NAMES[line]: CELLS[cell] for line, cell in strange.items()}
    return Part("another-cell", title, sentence, hint, parameters, {"cells": listing(cells)})


def last_to_move(seen: SeenReplies) -> Iterator[Variant]:
    """Propose that the player who moved last is the winner, of every game or of every finished one."""
    title, hint = later("names the player who moved last"), later("The winner is who holds three in a row.")
    mover = {board: X if marks(board) % 2 else O for board in seen.by_board if marks(board)}
    sentence = later("`winner` names the player who moved last, whether or not there is a line.")
    yield Variant((Part("whoever-moved-last", title, sentence, hint),), always(mover.get))
    sentence = later(
        "`winner` names the player who moved last when the game is over, whether or not there is a line."
    )
    part = Part("whoever-moved-last-at-the-end", title, sentence, hint)
    yield Variant((part,), always(lambda board: mover[board] if is_over(board) else None))


FAMILIES: Final = (lines_left_out, empty_lines, another_cell, last_to_move)
