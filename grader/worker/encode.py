"""The worker's half of the wire: values become JSON text, tagged by their exact type.

It runs beside the submission, so it reads values through base-class methods and tests them with `is`: no
method of a submission's object is ever called. It owns its builtins, so patched ones are not seen, and it
imports nothing that takes time: it is part of every worker's start.
"""

from _json import encode_basestring_ascii as _quote

from grader.worker.own import *
from grader.worker.wire import MAX_DEPTH, MAX_REPLY, MAX_TEXT

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
    known = [one for one in _CONTAINERS if one[0] is kind]
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
