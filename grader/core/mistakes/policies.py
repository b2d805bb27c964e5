"""Mistakes of `minimax`: a whole policy that it follows, or a tactic that it misses.

A variant has a set of moves for every board.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain, product
from typing import Any, Final

from grader.core.game import oracle
from grader.core.game.board import CELLS, EMPTY, LINES, Action, Board, O, X, empty_cells, side_to_move
from grader.core.game.oracle import Policy, opponent
from grader.core.grade import Tactic
from grader.core.messages import later, ngettext
from grader.core.mistakes.family import Gives, Key, Part, SeenReplies, Variant, always, number, text_of

Moves = Callable[[Board], frozenset[Action]]
Value = Callable[[Board], float]
Choose = Callable[..., Any]
Sides = tuple[Choose, Choose]
"""How X and O choose among values."""

Order = Callable[[Board], Sequence[Action]]
"""The free cells of a board in the order of a loop over `actions`."""

_DEEPEST: Final = 8
_RIGHT: Final[Sides] = max, min
_SWAPPED: Final[Sides] = min, max
_MAXIMISES: Final[Sides] = max, max
_MINIMISES: Final[Sides] = min, min
_FORMS: Final[dict[str, tuple[str, str]]] = {
    "": ("", ""),
    "list-for-tuple": (
        later("returns a list"),
        later("`minimax` returns a list [i, j]; it must be a tuple (i, j)."),
    ),
    "value-and-action": (
        later("returns a value and the action"),
        later("`minimax` returns a value together with the action."),
    ),
    "action-and-value": (
        later("returns the action and a value"),
        later("`minimax` returns the action together with a value."),
    ),
    "swapped": (
        later("swaps row and column"),
        later("`minimax` swaps row and column: an action is (row, column)."),
    ),
}


@lru_cache(maxsize=1_000)
def read(form: str, key: Key) -> Action | None:
    """Return the cell of an answer whose action is written in a form, or None."""
    match form, key:
        case ("value-and-action", ("tuple" | "list", (_, pair))):
            return read("", pair) or read("list-for-tuple", pair)
        case ("action-and-value", ("tuple" | "list", (pair, _))):
            return read("", pair) or read("list-for-tuple", pair)
        case (_, (str() as tag, (("number", int(i)), ("number", int(j))))):
            if tag != ("list" if form == "list-for-tuple" else "tuple"):
                return None
            return (j, i) if form == "swapped" else (i, j)
    return None


def policies(seen: SeenReplies) -> Iterator[Variant]:
    """Propose a form of the answer, and what the moves are among."""
    for form, (title, sentence) in _FORMS.items():
        if any(read(form, key) is None for key in (seen.keys[0], seen.keys[-1])):
            continue
        parts = (Part(form, title, sentence, later("Return the action alone, as a tuple.")),) if form else ()
        if form:
            yield Variant(parts, _among(form, oracle.optimal_actions))
        boards = tuple(seen.by_board)
        blunders = sum(
            read(form, key) not in oracle.optimal_actions(board) for board, key in seen.by_board.items()
        )
        some_moves = (
            (part, moves)
            for part, moves in _some_moves()
            if seen.is_explained(_among(form, moves)) and blunders >= _expected(moves, boards) / 2
        )
        one_side = _one_side() if len(boards) == len(oracle.running()) else ()
        for part, moves in chain(_one_move(), some_moves, one_side):
            yield Variant((*parts, part), _among(form, moves))
        for own, gives in _no_move_when_lost(seen, form):
            yield Variant((*parts, *own), gives)
    for form in ("list-for-tuple", "value-and-action", "action-and-value"):
        then = later("Return the action alone, as a tuple; its moves can be judged after that.")
        yield Variant((Part(form, *_FORMS[form], then),), _among(form, _free))


def _among(form: str, moves: Moves) -> Gives:
    return lambda call, key: read(form, key) in moves(call[0])


@lru_cache(maxsize=100)
def _expected(moves: Moves, boards: tuple[Board, ...]) -> float:
    """Return the expected number of wrong moves if each is chosen at random among these."""
    sets = ((moves(board), oracle.optimal_actions(board)) for board in boards)
    return sum(len(some - best) / len(some) for some, best in sets)


@cache
def _one_move() -> list[tuple[Part, Moves]]:
    """Return ways to play that say for every board which move it is, or that it is among the worst."""
    depths = range(1, _DEEPEST + 1)
    orders = (empty_cells, _in_a_set)
    stored = ((True, False), (True, True), (False, True))
    return [
        *_without_search(),
        *((_looks_ahead(depth), _chosen(_ahead(depth), choose)) for choose in (min, max) for depth in depths),
        (_wrong_sides("both-swapped"), _picked(_searched(_RIGHT), _SWAPPED)),
        (_wrong_sides("x-swapped"), _picked(_searched(_RIGHT), _MINIMISES)),
        (_wrong_sides("o-swapped"), _picked(_searched(_RIGHT), _MAXIMISES)),
        (_wrong_sides("maximises-for-both"), _picked(_searched(_MAXIMISES), _MAXIMISES)),
        (_wrong_sides("maximises-for-both"), _picked(_searched(_MAXIMISES), _RIGHT)),
        (_wrong_sides("minimises-for-both"), _picked(_searched(_MINIMISES), _MINIMISES)),
        (_wrong_sides("minimises-for-both"), _picked(_searched(_MINIMISES), _RIGHT)),
        (_wrong_sides("swapped-inside"), _picked(_searched(_SWAPPED), _RIGHT)),
        (_SETTLES, _chosen(holding, min)),
        *((_ONE_LINE, _one_line(order)) for order in orders),
        *((_OVERWRITTEN, _overwritten(order, *places)) for order in orders for places in stored),
    ]


def _some_moves() -> Iterator[tuple[Part, Moves]]:
    """Return ways to play that leave a choice, the narrowest first."""
    for depth in range(_DEEPEST, 0, -1):
        yield _looks_ahead(depth), _ahead(depth)
    yield _SETTLES, holding


def _one_side() -> Iterator[tuple[Part, Moves]]:
    """Return ways to play in which one side is right and the other plays anything."""
    for side in (X, O):
        title = later("is good as {side} only")
        sentence = later("`minimax` plays perfectly as {side}, and gives games away as {other}.")
        hint = later("Compare what it does for {other} with what it does for {side}: signs, min and max.")
        part = Part("one-side-only", title, sentence, hint, {"side": side}, {"other": opponent(side)})
        yield part, _right_as(side)


_SETTLES: Final = Part(
    "settles-for-a-tie",
    later("stops at the first move that does not lose"),
    later("`minimax` takes a move that does not lose, even where another one wins."),
    later("Look at all moves before you choose, and keep the best."),
)


_ONE_LINE: Final = Part(
    "one-line-of-play",
    later("follows one line of play below each move"),
    later("`minimax` tries every move, but below it only one: there each side takes the first free cell."),
    later("A `return` inside the loop ends it after the first action: return the best value after the loop."),
)
_OVERWRITTEN: Final = Part(
    "overwritten-action",
    later("returns an action from deeper in the search"),
    later("`minimax` returns the action that was stored last, for a board deeper in the search."),
    later("All levels of the search write to one variable: give the given board's best action its own."),
)


def _looks_ahead(depth: int) -> Part:
    return Part(
        "looks-ahead",
        lambda **words: ngettext("looks only one move ahead", "looks only {count} moves ahead", depth),
        lambda **words: ngettext(
            "`minimax` plays like a search that looks only one move ahead.",
            "`minimax` plays like a search that looks only {count} moves ahead.",
            depth,
        ),
        later("Search until the game is over: there are at most nine moves."),
        {"depth": depth},
    )


def _in_a_set(board: Board) -> Sequence[Action]:
    """Return the free cells in the order in which a loop finds them in a set."""
    found = set()
    for cell in empty_cells(board):  # one by one: a set of a known size would have another order
        found.add(cell)
    return tuple(found)


def _one_line(order: Order) -> Moves:
    """Return the best moves for a search that looks only at the first answer to each move."""

    @cache
    def value(board: Board) -> float:
        after = oracle.successors(board)
        return value(after[order(board)[0]]) if after else oracle.value(board)

    return _picked(value, _RIGHT)


def _overwritten(order: Order, shared: bool, improved: bool) -> Moves:
    """Return the action that was stored last in a search in which all levels store theirs in one place.

    Each side has a place of its own unless `shared`. Stored is every action, or if `improved` every one that
    is better than those before it.
    """

    @cache
    def stored(board: Board) -> dict[str, Action]:
        last: dict[str, Action] = {}
        side, after = side_to_move(board), oracle.successors(board)
        place, best = "" if shared else side, -2
        for action in order(board) if after else ():
            value = oracle.value(after[action]) * (1 if side == X else -1)
            if not improved:
                last[place] = action
            last |= stored(after[action])
            if improved and value > best:
                best, last[place] = value, action
        return last

    return lambda board: frozenset({stored(board)["" if shared else side_to_move(board)]})


def _no_move_when_lost(seen: SeenReplies, form: str) -> Iterator[tuple[tuple[Part, ...], Gives]]:
    """Propose that there is no legal action where every move loses, by right values or by swapped ones."""
    hint = later("Begin with `-math.inf` for X and `math.inf` for O: then the first move is always better.")
    for inside, others in ((_RIGHT, ()), (_SWAPPED, (_wrong_sides("swapped-inside"),))):
        for sides in ((X, O), (X,), (O,)):
            lost = _lost(_searched(inside), sides)
            nothing = next(key for board, key in reversed(seen.by_board.items()) if lost(board))
            if nothing is not None and read("", nothing) in (None, *CELLS):
                continue
            title = later("has no move where every move loses")
            sentence = later(
                "`minimax` answers {answer} where every move loses: no move is better than the value that it "
                "begins with."
            )
            if len(sides) == 1:
                title = later("has no move as {side} where every move loses")
                sentence = later(
                    "`minimax` answers {answer} as {side} where every move loses: no move is better than the "
                    "value that it begins with."
                )
            parameters, words = {"answer": text_of(nothing)}, {"side": sides[0]}
            part = Part("lost-without-a-move", title, sentence, hint, parameters, words)
            yield (part, *others), _unless(lost, nothing, _among(form, _picked(_searched(inside), _RIGHT)))


@cache
def _lost(value: Value, sides: tuple[str, ...]) -> Callable[[Board], bool]:
    """Return whether every move of one of these sides loses by the values of a search."""

    @cache
    def is_lost(board: Board) -> bool:
        side = side_to_move(board)
        worst = -1 if side == X else 1
        return side in sides and all(value(after) == worst for after in oracle.following(board))

    return is_lost


def _unless(is_lost: Callable[[Board], bool], nothing: Key, otherwise: Gives) -> Gives:
    return lambda call, key: key == nothing if is_lost(call[0]) else otherwise(call, key)


@cache
def _searched(sides: Sides) -> Value:
    """Return the values of boards for a search in which the sides choose so."""

    @cache
    def value(board: Board) -> float:
        below = list(map(value, oracle.following(board)))
        return _choice(sides, board)(below) if below else oracle.value(board)

    return value


def _choice(sides: Sides, board: Board) -> Choose:
    return sides[side_to_move(board) == O]


def _picked(value: Value, sides: Sides) -> Moves:
    """Return the moves that a search picks by the values of the boards after them."""

    @cache
    def moves(board: Board) -> frozenset[Action]:
        values = {action: value(after) for action, after in oracle.successors(board).items()}
        best = _choice(sides, board)(values.values())
        return frozenset([action for action, found in values.items() if found == best])

    return moves


@cache
def _value_at(depth: int) -> Value:
    """Return the values of boards for a search that looks `depth` moves further."""

    @cache
    def value(board: Board) -> float:
        after = oracle.following(board)
        if not after:
            return oracle.value(board)
        return _choice(_RIGHT, board)(map(_value_at(depth - 1), after)) if depth else 0

    return value


@cache
def _ahead(depth: int) -> Moves:
    return _picked(_value_at(depth - 1), _RIGHT)


def _free(board: Board) -> frozenset[Action]:
    return frozenset(empty_cells(board))


@cache
def completing(board: Board, side: str) -> frozenset[Action]:
    """Return the free cells with which a side would complete a line."""
    marks = [(board[a] + board[b] + board[c], (a, b, c)) for a, b, c in LINES.values()]
    gaps = [line for held, line in marks if held.count(side) == 2 and EMPTY in held]
    return frozenset([CELLS[at] for line in gaps for at in line if board[at] == EMPTY])


def _winning_or_free(board: Board) -> frozenset[Action]:
    return completing(board, side_to_move(board)) or _free(board)


def _winning_blocking_or_free(board: Board) -> frozenset[Action]:
    me = side_to_move(board)
    return completing(board, me) or completing(board, opponent(me)) or _free(board)


@cache
def holding(board: Board) -> frozenset[Action]:
    """Return the moves after which the game is not lost; all, if it is."""
    sign = 1 if side_to_move(board) == X else -1
    after = oracle.successors(board)
    kept = frozenset(action for action, next_board in after.items() if sign * oracle.value(next_board) >= 0)
    return kept or _free(board)


_WITHOUT_SEARCH: Final = {
    "first-free-cell": (later("takes the first free cell"), later("`minimax` takes the first free cell.")),
    "win-or-first": (
        later("wins at once, else takes the first free cell"),
        later("`minimax` wins if it can at once, and else takes the first free cell."),
    ),
    "win-block-or-first": (
        later("wins, blocks, else takes the first free cell"),
        later("`minimax` wins at once, else blocks, else takes the first free cell: it sees no further."),
    ),
    "last-free-cell": (later("takes the last free cell"), later("`minimax` takes the last free cell.")),
    "win-or-last": (
        later("wins at once, else takes the last free cell"),
        later("`minimax` wins if it can at once, and else takes the last free cell."),
    ),
    "win-block-or-last": (
        later("wins, blocks, else takes the last free cell"),
        later("`minimax` wins at once, else blocks, else takes the last free cell: it sees no further."),
    ),
}
"""Ways to play without a search: the first or the last of some cells."""


def _without_search() -> Iterator[tuple[Part, Moves]]:
    hint = later("Search: try each action, and what the other side can do then, to the end of the game.")
    ways = product((min, max), (_free, _winning_or_free, _winning_blocking_or_free))
    for (name, words), (choose, moves) in zip(_WITHOUT_SEARCH.items(), ways, strict=True):
        yield Part(name, *words, hint), _chosen(moves, choose)


_WRONG_SIDES: Final = {
    "both-swapped": (
        later("plays for the other side"),
        later("`minimax` plays for the other side: it takes the worst move where it should take the best."),
    ),
    "x-swapped": (
        later("plays X's moves for O"),
        later("`minimax` plays X's moves for O: it takes the worst move where it should take the best."),
    ),
    "o-swapped": (
        later("plays O's moves for X"),
        later("`minimax` plays O's moves for X: it takes the worst move where it should take the best."),
    ),
    "maximises-for-both": (
        later("maximises for both sides"),
        later("`minimax` maximises for both sides, as if the other one helped."),
    ),
    "minimises-for-both": (
        later("minimises for both sides"),
        later("`minimax` minimises for both sides, as if the other one helped."),
    ),
    "swapped-inside": (
        later("takes each side for the other"),
        later("Below the board itself `minimax` takes each side for the other."),
    ),
}


def _wrong_sides(name: str) -> Part:
    """Return the words for a search that takes the part of the wrong side, inside or at the root."""
    hint = later("X maximises and O minimises: on the board itself, and in turn below it.")
    return Part(name, *_WRONG_SIDES[name], hint)


def _right_as(side: str) -> Moves:
    return lambda board: oracle.optimal_actions(board) if side_to_move(board) == side else _free(board)


def _chosen(moves: Moves, choose: Callable[..., Action]) -> Moves:
    """Return the one move that comes first, or last, among some."""
    return cache(lambda board: frozenset({choose(moves(board))}))


_RETURN_NONE: Final = later("Begin with `if terminal(board): return None`.")


def when_over(seen: SeenReplies) -> Iterator[Variant]:
    """Propose that a finished board gets a move where a cell is free, its value, or any action."""
    last = next(key for board, key in seen.by_board.items() if EMPTY not in board)
    title = later("makes a move when the game is over")
    sentence = later("`minimax` makes a move on a finished board that has free cells; it must return None.")
    yield Variant(
        (Part("moves-when-over", title, sentence, _RETURN_NONE),),
        lambda call, key: read("", key) in _free(call[0]) if EMPTY in call[0] else key == last,
    )
    value = Part(
        "value-when-over",
        later("returns the value when the game is over"),
        later("`minimax` returns the value of a finished board; it must return None."),
        later(
            "The value is for the search below: begin `minimax` itself with `if terminal(board): return "
            "None`."
        ),
    )
    yield Variant((value,), always(lambda board: number(oracle.value(board))))
    yield Variant((value,), always(seen.others.get("utility", {}).get))
    sentence = later("`minimax` returns an action on every finished board; it must return None.")
    part = Part("moves-when-over", title, sentence, _RETURN_NONE)
    yield Variant((part,), lambda call, key: read("", key) is not None)


_KINDS: Final = {
    "number": (later("returns a number"), later("`minimax` returns a number; it must be a tuple (i, j).")),
    "bool": (
        later("returns True or False"),
        later("`minimax` returns True or False; it must be a tuple (i, j)."),
    ),
    "board": (later("returns a board"), later("`minimax` returns a board; it must be a tuple (i, j).")),
    "text": (later("returns text"), later("`minimax` returns text; it must be a tuple (i, j).")),
}
"""Answers that are no actions, by their kind."""


def no_actions(seen: SeenReplies) -> Iterator[Variant]:
    """Propose that every answer is a number or another value that is no action."""
    kind = _kind(seen.keys[0])
    if kind not in _KINDS:
        return
    title, sentence = _KINDS[str(kind)]
    if all(key == number(oracle.value(board)) for board, key in seen.by_board.items()):
        title = later("returns the value of the board")
        sentence = later("`minimax` returns the value of the board, not the move.")
    hint = later("Keep the action beside its value while you search, and return the action.")
    yield Variant((Part("another-type", title, sentence, hint),), lambda call, key: _kind(key) == kind)


def _kind(key: Key) -> Key:
    """Return what kind of value an answer is."""
    return key[0] if isinstance(key, tuple) else "text" if isinstance(key, str) else None


NAMES: Final = (
    later("wins in one"),
    later("blocks a threat"),
    later("makes a fork"),
    later("prevents a fork"),
)
"""The tactics."""


@cache
def _asked() -> dict[Board, tuple[str, frozenset[Action]]]:
    """Return the boards that ask for a tactic, each with the most pressing one and the moves that do it.

    Where all is lost, nothing is asked for.
    """
    names, codes = dict(zip("wbfp", NAMES, strict=True)), oracle.solved()["tactics"].split()
    known = {
        code: (names[code[0]], frozenset([CELLS[int(at)] for at in code[1:]])) for code in {*codes} - {"-"}
    }
    return {board: known[code] for board, code in zip(oracle.running(), codes, strict=True) if code in known}


def tactics_of(policy: Policy) -> tuple[Tactic, ...]:
    """Return on how many boards that ask for each tactic the policy does it, as far as it is known.

    A move that does something else is as good if it keeps what the board is worth: a win may be slower.
    """
    boards, done, as_good = Counter[str](), Counter[str](), Counter[str]()
    for board, (name, moves) in _asked().items():
        if board in policy:
            move = policy[board]
            boards[name] += 1
            done[name] += move in moves
            as_good[name] += move is not None and move not in moves and oracle.is_optimal(board, move)
    return tuple(
        Tactic(name=name, boards=boards[name], done=done[name], as_good=as_good[name]) for name in NAMES
    )
