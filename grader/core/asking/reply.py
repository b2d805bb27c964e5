"""What a worker sent, checked: the reply to one call, and the outline of a source that was not run."""

import json
import marshal
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache, lru_cache
from itertools import chain
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from grader.core.course.submission import FILE_NAME
from grader.core.game import oracle
from grader.core.game.board import Action, Board, empty_cells, to_lists
from grader.core.messages import _, later, place_of
from grader.core.values import Frozen, printable
from grader.worker.wire import MAX_DEPTH, MAX_TEXT, NO_THREADS


class Alien(Frozen):
    """Stands for a value that is not plain data: an object, an instance of a subclass, something huge."""

    what: str

    def __repr__(self) -> str:
        return self.what


ALIENS: Final = (
    later("an object of class {name}"),
    later("an answer of many parts"),
    later("an integer of many digits"),
    later("something nested deeply"),
    later("a {kind} of {count} items"),
    later("a numpy.{name} ({how} makes it {kind})"),
    later("the number {number}"),
)
"""What a worker calls an answer that is no plain data."""


def data_of(payload: bytes) -> Any:
    """Return the JSON data of a payload."""
    try:
        return _DECODER.decode(payload.decode("ascii"))
    except (ValueError, RecursionError):
        raise ValueError("not JSON as a worker writes it") from None


def _refuse(text: str) -> Any:
    raise ValueError(text)


def _int_of(text: str) -> int:
    return int(text) if len(text) <= _MOST_DIGITS else _refuse(text)


_MOST_DIGITS: Final = 20
_DECODER: Final = json.JSONDecoder(parse_constant=_refuse, parse_float=_refuse, parse_int=_int_of)


def value_of(data: Any, depth: int = 0) -> Any:
    """Return the value that encoded data stands for."""
    if data is None or type(data) in (bool, int, str):
        return data
    if type(data) is not list or not data or type(data[0]) is not str or depth > MAX_DEPTH:
        raise ValueError("not a value")
    tag, items = data[0], data[1:]
    if tag == "b":
        return _board_of(items)
    if tag in ("?", "f"):
        if len(items) != 1 or type(items[0]) is not str:
            raise ValueError("not a value")
        return Alien(printable(items[0][: 2 * MAX_TEXT])) if tag == "?" else _float_of(items[0])
    values = [_pair_of(item, depth) if tag == "d" else value_of(item, depth + 1) for item in items]
    try:
        return {"l": list, "t": tuple, "s": set, "z": frozenset, "d": dict}[tag](values)
    except (KeyError, TypeError):  # an unknown tag, or a member that no set can hold
        raise ValueError("not a value") from None


def _board_of(items: list[Any]) -> list[list[str | None]]:
    match items:
        case [str(cells)] if len(cells) == 9 and not cells.strip("XO."):
            return to_lists(Board(cells))
    raise ValueError("not a value")


def _pair_of(data: Any, depth: int) -> Any:
    pair = value_of(data, depth + 1)
    if type(pair) is not tuple or len(pair) != 2:
        raise ValueError("not a value")
    return pair


def _float_of(text: str) -> float | Alien:
    number = float(text)
    return number if math.isfinite(number) else Alien(f"the number {text}")


PLAIN: Final = 2
"""The version of `marshal` that writes the same value always as the same bytes: later ones write references
where an object happens to be used elsewhere, too."""

Arguments = tuple[Board] | tuple[Board, object]


class Calls(NamedTuple):
    """Calls of one function, each once, and as a worker reads them."""

    arguments: list[Arguments]
    packed: bytes
    right: Mapping[Arguments, bytes | None]
    """The right answer to each call, as a worker writes it; None where there is none, or several."""
    lists: Sequence[Sequence[Arguments]]
    """The lists of calls to which there is one right answer each."""


def calls_once(
    calls: Iterable[Arguments],
    right: Mapping[Arguments, bytes] = MappingProxyType({}),
    lists: Sequence[Sequence[Arguments]] = (),
) -> Calls:
    """Return calls, each once, with the right answers to some of them: a class is asked them often."""
    known: dict[Arguments, bytes | None] = {**dict.fromkeys(calls), **right}
    arguments = list(known)
    return Calls(arguments, packed(arguments), known, lists)


def packed(calls: list[Arguments]) -> bytes:
    """Return calls as a worker reads them."""
    return marshal.dumps(calls, PLAIN)


@dataclass(frozen=True)
class Returned:
    """The call gave a value; `board_after` holds the board it was given if the call changed that.

    Then `shares` says what of that board is in the value: itself, its rows, or nothing.
    """

    value: Any
    changed: bool = False
    board_after: Any = None
    shares: str = ""


class Raised(Frozen):
    """The call raised an exception; the line is the last one within the submission, 0 when unknown."""

    error: str
    message: str
    line: int
    changed: bool = False
    board_after: Any = None

    @property
    def is_out_of_memory(self) -> bool:
        """Whether there was no memory left for the call."""
        return self.error == "MemoryError"

    @property
    def needs_threads(self) -> bool:
        """Whether the call needs a thread of its own, which the grader does not allow."""
        return self.error == "RuntimeError" and self.message in {NO_THREADS, "can't start new thread"}

    def __str__(self) -> str:
        text = f"{self.error}: {self.message}" if self.message else self.error
        return _("{text} (line {line})", text=text, line=self.line) if self.line else text


class Missing(Frozen):
    """The submission has no such name."""


class Loss(StrEnum):
    """How a worker was lost during a call."""

    DEADLINE = "deadline"
    DEATH = "death"
    BREACH = "breach"


class Lost(Frozen):
    """The call took the worker with it, or was not asked because too many calls before it had."""

    loss: Loss
    detail: str
    asked: bool = True
    given_up: bool = False
    """Whether it was not asked because calls of the same function had failed like that."""


class NotLoaded(Frozen):
    """The submission could not be run at all: why, how its worker was lost if so, and the line if known."""

    why: str
    loss: Loss | None = None
    raised: bool = False
    line: int = 0


Reply = Returned | Raised | Missing | Lost | NotLoaded


_MOST_KNOWN: Final = 20_000
_LONGEST_KNOWN: Final = 256
_known: dict[bytes, Reply] = {}


def reply_of(payload: bytes) -> Reply:
    """Return the reply in a payload; raise ValueError for anything a worker does not write.

    Most payloads come again and again, from one submission to the next, so replies are shared.
    """
    reply = _known.get(payload)
    if reply is None:
        reply = _decoded(payload)
        if len(_known) < _MOST_KNOWN and len(payload) <= _LONGEST_KNOWN:
            _known[payload] = reply
    return reply


def replies_of(payloads: Sequence[bytes]) -> list[Reply]:
    """Return the replies in payloads; raise ValueError for anything a worker does not write."""
    known = list(map(_known.get, payloads))
    if all(known):
        return known  # type: ignore[return-value]
    return [reply_of(payload) for payload in payloads]


def right_reply(payload: bytes) -> Reply:
    """Return the one reply in the payload of a right answer, stored for good: comparable by identity."""
    return _known.get(payload) or _known.setdefault(payload, _decoded(payload))


def right_payloads(function: str, boards: Sequence[Board]) -> list[bytes]:
    """Return the right answer on each board, as a worker writes it; of `result`, after each legal action.

    Of minimax none: several may be right.
    """
    if function == "minimax":
        return []
    if function == "result":
        after = chain.from_iterable(map(oracle.following, boards))
        return list(map(_board_payloads().__getitem__, after))
    if function == "actions":
        return list(map(_actions_payload, map(empty_cells, boards)))
    return list(map(_payload, map(oracle.right_answers(function).__getitem__, boards)))


@cache
def _board_payloads() -> dict[Board, bytes]:
    text = '["returned",["b","' + '"]]\t["returned",["b","'.join(oracle.boards()) + '"]]'
    return dict(zip(oracle.boards(), text.encode("ascii").split(b"\t"), strict=True))


@cache
def _actions_payload(actions: tuple[Action, ...]) -> bytes:
    """Return a set of actions as a worker writes it: the members are sorted as text."""
    members = sorted(f',["t",{row},{column}]' for row, column in actions)
    return f'["returned",["s"{"".join(members)}]]'.encode("ascii")


@lru_cache(maxsize=100, typed=True)
def _payload(value: object) -> bytes:
    return f'["returned",{json.dumps(value)}]'.encode("ascii")


_BOARD: Final = b'["returned",["b","'


def _decoded(payload: bytes) -> Reply:
    if payload.startswith(_BOARD) and payload.endswith(b'"]]') and len(payload) == len(_BOARD) + 12:
        return Returned(_board_of([payload[len(_BOARD) : -3].decode("ascii", "replace")]))
    match data_of(payload):
        case ["returned", value]:
            return Returned(value_of(value))
        case ["returned", value, board, ("itself" | "rows" | "nothing") as shares]:
            return Returned(value_of(value), True, value_of(board), shares)
        case ["raised", str(error), str(message), int(line)]:
            return Raised(printable(error), printable(message), line)
        case ["raised", str(error), str(message), int(line), list() | None as board, "nothing"]:
            return Raised(printable(error), printable(message), line, True, value_of(board))
        case ["missing"]:
            return Missing()
        case _:
            raise ValueError("not a reply")


class Import(NamedTuple):
    """An import: the helper module in which it is (nothing: the file itself), its line, and what of it."""

    file: str
    line: int
    module: str
    is_used: bool


class Outline(Frozen):
    """What a source defines and imports, or why it does not parse."""

    error: str | None = None
    line: int = 0
    column: int = 0
    """Where it does not parse; 0 when unknown."""
    functions: dict[str, tuple[int, tuple[str, ...], bool]] = field(default_factory=dict)
    variables: dict[str, tuple[int, str]] = field(default_factory=dict)
    own_imports: tuple[Import, ...] = ()
    suspicious: tuple[tuple[int, str], ...] = ()
    hidden: tuple[tuple[int, str], ...] = ()
    """The line and what there runs code that does not stand in the file, if anything does."""
    reach: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Which functions of the assignment each of them may call, itself or through others."""
    stand_ins: dict[str, str] = field(default_factory=dict)
    """The helpers that do all the work of a function of the assignment, each with that function."""
    file: str = ""
    """The helper module that it is of; nothing for the submission's file itself."""
    helpers: tuple["Outline", ...] = ()
    taken: frozenset[str] = frozenset()
    """The names that it takes from other modules; `*` stands for all that there are."""
    stem: str = "tictactoe"

    @property
    def imported(self) -> frozenset[str]:
        """The modules and packages that are imported, by helper modules too."""
        own = (found.module.partition(".")[0] for part in (self, *self.helpers) for found in part.own_imports)
        return frozenset(own)

    def defining(self, name: str) -> "Outline":
        """Return the outline of the file that defines a name: of a helper module if it is taken from one."""
        if name in {*self.functions, *self.variables} or self.taken.isdisjoint((name, "*")):
            return self
        return next(
            (helper for helper in self.helpers if name in {*helper.functions, *helper.variables}), self
        )

    def function_at(self, line: int, source: Sequence[str]) -> str | None:
        """Return the function in which a line of its source is, if nothing else begins between the two."""
        before = [(start, name) for name, (start, *_) in self.functions.items() if start <= line]
        start, name = max(before, default=(0, None))
        is_inside = all(text[:1] in "# \t)]}" for text in source[start:line])
        return name if is_inside else None

    def place(self, line: int) -> str:
        """Return where a line of it is, in words."""
        return place_of(self.file, line)

    def foreign(self, allowed: Sequence[str] = ()) -> list[Import]:
        """Return the imports that are neither of the standard library, nor allowed, nor of the submission.

        A module whose name is computed is called "?".
        """
        beside = {
            helper.file.partition("/")[0].removesuffix(".py") for helper in self.helpers
        }  # modules, packages
        own = {FILE_NAME.removesuffix(".py"), self.stem, *beside}
        known = {"", *own, *sys.stdlib_module_names, *allowed}  # no name: it is relative, `from . import`
        return [
            found
            for part in (self, *self.helpers)
            for found in part.own_imports
            if found.module.partition(".")[0] not in known
        ]


HIDING: Final = (later("the module {module}"),)
"""What a worker says of what runs code that does not stand in the file."""


def outline_of(data: Any, stem: str) -> Outline:
    """Return the outline of a submission and its helper modules in a worker's data."""
    whole, helpers = data
    parts = tuple(_part_of(part, name) for name, part in helpers.items())
    return replace(_part_of(whole, ""), helpers=parts, stem=stem)


def _part_of(data: Any, file: str) -> Outline:
    """Return the outline in a worker's data (the host's own: the submission has not run yet)."""
    if "error" in data:
        message, line, column = data["error"]
        return Outline(error=message, line=line, column=column, file=file)
    functions = data["functions"].items()
    return Outline(
        functions={name: (line, tuple(parameters), stub) for name, (line, parameters, stub) in functions},
        variables={name: (line, shown) for name, (line, shown) in data["variables"].items()},
        own_imports=tuple(Import(file, *found) for found in data["imports"]),
        hidden=tuple((line, what) for line, what in data["hidden"]),
        suspicious=tuple((line, what) for line, what in data["suspicious"]),
        reach={name: tuple(reached) for name, reached in data["reach"].items()},
        stand_ins=data["stand_ins"],
        taken=frozenset(data["taken"]),
        file=file,
    )
