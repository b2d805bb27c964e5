"""Calls functions of the submission, and encodes what came of it as JSON, tagged by exact types.

It runs beside the submission, so it calls no method of a submission's object: values are read through
base-class methods and compared by identity. `marshal` reads what was returned: it distinguishes 1 from True
and refuses all but plain data. Builtins are this module's own, so patched ones are not seen. It imports
nothing that takes time: it is part of every worker's start.
"""

from _json import encode_basestring_ascii as _quote
from marshal import dumps
from time import perf_counter

from grader.worker.own import *
from grader.worker.watch import Lookout
from grader.worker.wire import MAX_DEPTH, MAX_REPLY, MAX_TEXT, TOGETHER

_MAX_ITEMS = 32
_MAX_FILE = 80
_MAX_INT = 2**63

_LIKE_PLAIN = (
    ("bool", "a bool", "bool(...)"),
    ("int", "an int", "int(...)"),
    ("uint", "an int", "int(...)"),
    ("float", "a float", "float(...)"),
    ("str", "a str", "str(...)"),
    ("ndarray", "a list", ".tolist()"),
)
"""Classes of numpy by the beginning of their names, what they are taken for, and what makes that of them."""

_type_name = type.__dict__["__name__"].__get__
_module = type.__dict__["__module__"].__get__
_bases = type.__dict__["__mro__"].__get__
_arguments = BaseException.__dict__["args"].__get__
_traceback = BaseException.__dict__["__traceback__"].__get__
_CONTAINERS: Any = (
    (tuple, "t", tuple.__iter__),
    (set, "s", set.__iter__),
    (list, "l", list.__iter__),
    (dict, "d", dict.items),
    (frozenset, "z", frozenset.__iter__),
)


_COPIES: Any = (
    (tuple, lambda value: tuple.__getitem__(value, slice(None))),
    (str, str.__str__),
    (int, int.__int__),
)
"""What an object of a subclass is taken for, and what makes a plain one of it, by no method of the object."""


def encode(value: object) -> str:
    """Return a value as JSON text no longer than an answer may be."""
    cells = cells_of(value)
    if cells is not None:
        return f'["b","{cells}"]'
    text = _encode(value, 0)
    return text if len(text) <= MAX_REPLY - 2048 else '["?","an answer of many parts"]'


def _encode(value: Any, depth: int) -> str:
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    kind = type(value)
    if kind is str:
        return _quote(value if len(value) <= MAX_TEXT else value[:MAX_TEXT] + "…")
    if kind is int:
        return repr(value) if -_MAX_INT < value < _MAX_INT else '["?","an integer of many digits"]'
    if kind is float:
        return f'["f","{value!r}"]'
    if kind is tuple and len(value) == 2 and type(value[0]) is int and type(value[1]) is int:
        return f'["t",{_encode(value[0], depth)},{_encode(value[1], depth)}]'
    known = [container for container in _CONTAINERS if container[0] is kind]
    if not known:
        plain = _plain(value, kind)
        return f'["?",{_quote(_described(kind))}]' if plain is value else _encode(plain, depth)
    ((_, tag, iterate),) = known
    if depth == MAX_DEPTH:
        return '["?","something nested deeply"]'
    if len(value) > _MAX_ITEMS:
        return f'["?","a {_type_name(kind)} of {len(value)} items"]'
    texts = ["," + _encode(item, depth + 1) for item in iterate(value)]
    if kind is set:
        texts.sort()  # the same set is the same text, in whatever order it was filled
    return f'["{tag}"' + "".join(texts) + "]"


def _plain(value: Any, kind: Any) -> Any:
    """Return the tuple, text or whole number that an object of a subclass is (a named tuple, an enum)."""
    for base in _bases(kind):
        for plain, copy in _COPIES:
            if base is plain:
                return copy(value)
    return value


def _described(kind: Any) -> str:
    """Return what a value of a class is called; what looks like plain data, with what makes it that."""
    name, module = _type_name(kind)[:MAX_TEXT], _module(kind)
    if type(module) is not str or module != "numpy":
        return f"an object of class {name}"
    for start, plain, mend in _LIKE_PLAIN:
        if name[: len(start)] == start:
            return f"a numpy.{name} ({mend} makes it {plain})"
    return f"an object of class numpy.{name}"


def cells_of(board: Any) -> str | None:
    """Return the nine cells of a board as text, or None when the value is anything but a plain board."""
    if type(board) is not list or len(board) != 3:
        return None
    a, b, c = board
    if type(a) is not list or type(b) is not list or type(c) is not list:
        return None
    if len(a) != 3 or len(b) != 3 or len(c) != 3:
        return None
    cells = ""
    for cell in (*a, *b, *c):
        if cell is None:
            cells += "."
        elif type(cell) is str and (cell == "X" or cell == "O"):  # noqa: PLR1714 - one test less, often
            cells += cell
        else:
            return None
    return cells


def syntax_place(error: Any) -> tuple[str, int]:
    """Return the file and the line that are no Python, if that is the error; what is not plain is nothing."""
    if type(error) not in (SyntaxError, IndentationError, TabError):
        return "", 0
    file, line = error.filename, error.lineno
    return (file, line) if type(file) is str and type(line) is int else ("", 0)


def encode_error(error: BaseException, files: tuple[str, ...]) -> str:
    """Return an exception as the JSON text of its class, its message and its last line in the first file.

    If it went on in another of the files, the message ends with where.
    """
    arguments = _arguments(error)
    message = arguments[0] if len(arguments) and type(arguments[0]) is str else ""
    caught, line, where = _traceback(error), 0, ""
    step = caught and caught.tb_next  # for it was caught by us
    while step is not None:
        file = step.tb_frame.f_code.co_filename
        if file == files[0]:
            line, where = step.tb_lineno, ""
        elif file in files:
            where = f" ({file[:_MAX_FILE]}, line {step.tb_lineno})"
        step = step.tb_next
    file, number = syntax_place(error)
    if file in files[1:]:
        where = f" ({file[:_MAX_FILE]}, line {number})"
    shown = message[: MAX_TEXT - len(where)] + where if where else message
    return f"{_quote(_type_name(type(error))[:MAX_TEXT])},{_encode(shown, 0)},{line}"


Mark = str | None
Rows = list[list[Mark]]
Cells = tuple[Mark, Mark, Mark, Mark, Mark, Mark, Mark, Mark, Mark]

_MOST_TEXTS = 20_000
_LONGEST_KEY = 4_096
_NONE, _TRUE, _FALSE, _X, _O = (f'["returned",{text}]' for text in ("null", "true", "false", '"X"', '"O"'))


class Answers:
    """The answers of one submission as JSON text, and how long its own code took for them."""

    def __init__(self, lookout: Lookout) -> None:
        self.seconds = 0.0
        self._lookout = lookout
        self._boards, self._texts = {**_BOARDS}, {**_TEXTS}
        self._sets: dict[bytes, str] = {}

    def to(
        self, function: Any, calls: "Iterable[tuple[str] | tuple[str, object]]", patience: float
    ) -> "Iterator[str]":
        """Yield the answers to calls with a board and at most one value more, several of them together.

        They are collected while they come quickly, and sent at the latest when `patience` (seconds) is over.
        """
        boards, texts, now = self._boards, self._texts, perf_counter
        waiting, due = list[str](), now() + patience
        for call in calls:
            cells = call[0]
            a, b, c, d, e, f, g, h, i = boards.get(cells) or _draw(cells, boards, texts)
            board = [top, middle, bottom] = [[a, b, c], [d, e, f], [g, h, i]]
            started = now()
            try:
                value = function(board) if len(call) == 1 else function(board, call[1])
            except BaseException as error:
                ended = now()
                text, value = self.raised(error), None
            else:
                ended = now()
                text = self.returned(value)
            self.seconds += ended - started
            if not (
                len(board) == len(top) == len(middle) == len(bottom) == 3
                and board[0] is top
                and board[1] is middle
                and board[2] is bottom
                and top[0] is a
                and top[1] is b
                and top[2] is c
                and middle[0] is d
                and middle[1] is e
                and middle[2] is f
                and bottom[0] is g
                and bottom[1] is h
                and bottom[2] is i
            ) and not _is_same(board, cells):
                text = f'{text[:-1]},{encode(board)},"{_shared(value, board)}"]'
            waiting.append(text)
            if ended >= due or len(waiting) == TOGETHER:
                yield "\t".join(waiting)
                waiting.clear()
                due = now() + patience
        if waiting:
            yield "\t".join(waiting)

    def raised(self, error: BaseException) -> str:
        """Return an exception as an answer."""
        self._lookout.resting = True  # where it was raised is read by us, not by the submission
        try:
            return f'["raised",{encode_error(error, self._lookout.files)}]'
        finally:
            self._lookout.resting = False

    def returned(self, value: Any) -> str:
        """Return a value as an answer."""
        if value is None:
            return _NONE
        if value is True:
            return _TRUE
        if value is False:
            return _FALSE
        if type(value) is str and (value == "X" or value == "O"):  # noqa: PLR1714 - one test less, often
            return _X if value == "X" else _O
        is_set = type(value) is set
        texts = self._sets if is_set else self._texts
        try:  # a set as a list, in whatever order: dumps would go by way of the audit hook for each member
            key = dumps([*value] if is_set else value, 2)
        except (ValueError, MemoryError):  # not plain, or too large to be looked up
            return f'["returned",{encode(value)}]'
        text = texts.get(key)
        if text is None:
            text = f'["returned",{encode(value)}]'
            if len(texts) < _MOST_TEXTS and len(key) <= _LONGEST_KEY:
                texts[key] = text
        return text


CONTENTS: dict[str, bytes] = {}
_BOARDS: dict[str, Cells] = {}
_TEXTS: dict[bytes, str] = {}
"""The boards that are drawn before anybody asks: as `marshal` writes them, their cells, answers with one."""


def draw_boards() -> None:
    """Draw every board with as many X as O or one more; processes forked from here inherit them.

    What `marshal` writes of a board is put together from what it writes of the rows.
    """
    rows = list[Any]()
    for cells in [a + b + c for a in "XO." for b in "XO." for c in "XO."]:
        marks = [None if cell == "." else cell for cell in cells]
        rows.append((cells, (*marks,), dumps(marks, 2), cells.count("X") - cells.count("O")))
    three = dumps([None] * 3, 2)[:5]
    for top, a, x, i in rows:
        for middle, b, y, j in rows:
            for bottom, c, z, k in rows:
                if 0 <= i + j + k <= 1:
                    cells = top + middle + bottom
                    content = CONTENTS[cells] = three + x + y + z
                    _BOARDS[cells] = a + b + c
                    _TEXTS[content] = f'["returned",["b","{cells}"]]'


def _draw(cells: str, boards: dict[str, Cells], texts: dict[bytes, str]) -> Cells:
    rows = drawn(cells)
    texts[dumps(rows, 2)] = f'["returned",["b","{cells}"]]'
    (a, b, c), (d, e, f), (g, h, i) = rows
    marks = boards[cells] = a, b, c, d, e, f, g, h, i
    return marks


def _is_same(board: Rows, cells: str) -> bool:
    """Return whether a board still has these cells, though perhaps in other rows."""
    try:
        return dumps(board, 2) == dumps(drawn(cells), 2)
    except (ValueError, MemoryError):
        return False


def _shared(value: Any, board: Rows) -> str:
    """Return what an answer has in common with the board that the call was given, and changed."""
    if value is board:
        return "itself"
    if type(value) is list and len(value) == len(board):
        for row, given in zip(value, board):  # noqa: B905 - equally long
            if row is given:
                return "rows"
    return "nothing"


def drawn(cells: str) -> Rows:
    """Return a board as submissions know it."""
    marks = [None if cell == "." else cell for cell in cells]
    return [marks[:3], marks[3:6], marks[6:]]
