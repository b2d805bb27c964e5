"""Patterns on a stranger's text: none takes more than in proportion to it, whatever the text is."""

import ast
import importlib
import re
import re._constants as constants  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import islice, product
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, AnyStr

import pytest

from grader.course.courses import ROOT

GRADER = ROOT / "grader"
MODULES = sorted(
    ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for file in GRADER.rglob("*.py")
    if "packs" not in file.parts and "import re\n" in file.read_text()
)
USED = {"compile", "search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn"}

UNITS = (
    " ", "\n", "\t", "\r\n", "(", ")", "[", "{", "<", "a", "A", "x", "1", '"', "'", "-", "|", "_", ".", ",", "`", "/", "=", ":",
    "\\", "\x1b", "\x1b[1", "\x1b]", "\u0300", "é", "a b", "a ", "a\n", " \n", "\n\t", "a.", "a,", "1 ", "x/", "[ ", "(a", "a:",
)  # fmt: skip
"""What a text is made of, again and again."""

FILLERS = (" ", "\n", "a", "1", "-", ".")
"""What follows upon a beginning by which a pattern begins to match."""

BEGINNINGS = ("a", "1", "x", "(", "[", "1.", "a(", "#")
END = "b(\nx\x00"
MOST_WORDS = 6
SMALL, MIDDLE, LARGE = 1_000, 10_000, 100_000
QUICK = 0.0004
"""Seconds for 10 kB with which even a hundred times as much work for ten times the text does not matter."""

MOST_TIMES = 30
"""A hundred is the square of the growth, ten is the growth."""

GIVES_UP = 1.0
PARTS = 20
"""The texts are tried in so many parts, of which one stands for the others."""


class TooLong(Exception):
    pass


def patterns_in(value: object, depth: int = 3) -> Iterator["re.Pattern[Any]"]:
    """Yield the patterns that a value is or holds."""
    if isinstance(value, re.Pattern):
        yield value
    elif depth and isinstance(value, dict):
        for key, item in value.items():
            yield from patterns_in(key, depth - 1)
            yield from patterns_in(item, depth - 1)
    elif depth and isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from patterns_in(item, depth - 1)
    elif depth and is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from patterns_in(getattr(value, field.name, None), depth - 1)


def calls_in(module: ModuleType) -> Iterator[ast.Call]:
    """Yield the calls inside the functions of a module by which patterns are made."""
    assert module.__file__
    whole = ast.walk(ast.parse(Path(module.__file__).read_text()))
    functions = [node for node in whole if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    for node in dict.fromkeys(inner for function in functions for inner in ast.walk(function)):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in USED
        ):
            yield node


def written_in(module: ModuleType) -> Iterator["re.Pattern[Any]"]:
    """Yield the patterns that are written where they are used; an `a` stands for what is only known then."""
    for call in calls_in(module):
        text = call.args[0]
        if isinstance(text, ast.JoinedStr):
            text.values = [
                ast.Constant("a")
                if isinstance(part, ast.FormattedValue) and not _is_known(part, module)
                else part
                for part in text.values
            ]
        flags = [part.value for part in call.keywords if part.arg == "flags"]
        places = {"sub": 4, "subn": 4, "split": 3}
        at = places.get(call.func.attr, 1 if call.func.attr == "compile" else 2)  # type: ignore[attr-defined]
        flags += call.args[at : at + 1]
        found = _value(text, module)
        yield re.compile(found, _value(flags[0], module) if flags else 0)


def _value(node: ast.expr, module: ModuleType) -> Any:
    return eval(
        compile(ast.fix_missing_locations(ast.Expression(node)), module.__name__, "eval"), vars(module)
    )


def _is_known(node: ast.FormattedValue, module: ModuleType) -> bool:
    try:
        _value(node.value, module)
    except (NameError, AttributeError):
        return False
    return True


@cache
def patterns_of(name: str) -> list["re.Pattern[Any]"]:
    """Return the patterns of a module."""
    module = importlib.import_module(name)
    return list(dict.fromkeys((*patterns_in(dict(vars(module))), *written_in(module))))


def words_in(pattern: "re.Pattern[Any]") -> list[str]:
    """Return the words that stand in a pattern as they are."""
    parsed = parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    found: dict[str, None] = {}

    def walk(parts: Any) -> None:
        word = ""
        for operator, argument in parts:
            if operator is constants.LITERAL:
                word += chr(argument)
                continue
            found.setdefault(word)
            word = ""
            for inner in argument if isinstance(argument, list | tuple) else ():
                for part in inner if isinstance(inner, list) else (inner,):
                    if isinstance(part, parser.SubPattern):
                        walk(part)
        found.setdefault(word)

    walk(parsed)
    return sorted(filter(None, found), key=len, reverse=True)[:MOST_WORDS]


def texts_for(pattern: "re.Pattern[Any]") -> Iterator[Callable[[int], str]]:
    """Yield what makes texts of any size that may be hard for a pattern."""

    def repeated(before: str, unit: str, after: str) -> Callable[[int], str]:
        return lambda size: before + unit * (size // len(unit)) + after

    for unit in UNITS:
        yield repeated("", unit, "")
    for beginning, unit in product(BEGINNINGS, FILLERS):
        yield repeated(beginning, unit, END)
    for word in words_in(pattern):
        yield repeated("", word, "")
        yield repeated("", f"{word} ", "")
        for unit in FILLERS:
            yield repeated(word, unit, END)


def taken(work: Callable[[], object], repeats: int = 1) -> float:
    """Return the least processor time of some tries; raise TooLong for what would go on."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, GIVES_UP)
    try:
        least = GIVES_UP
        for _ in range(repeats):
            start = time.thread_time()
            work()
            least = min(least, time.thread_time() - start)
        return least
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def grows_too_fast(work: Callable[[str], object], text: Callable[[int], str]) -> str:
    """Return how the time grows with the text if that is by more than the text does, or nothing."""
    times: dict[int, float] = {}

    def at(size: int, repeats: int) -> float:
        whole = text(size)
        times[size] = taken(lambda: work(whole), repeats)
        return times[size]

    try:
        for size in (100, 300, SMALL):  # what is worse than all others shows itself here
            at(size, 1)
        if at(MIDDLE, 1) < QUICK or times[MIDDLE] < 11 * at(SMALL, 2):
            return ""
        if at(LARGE, 1) < 0.05 or times[LARGE] < MOST_TIMES * times[MIDDLE]:
            return ""
        slow = at(LARGE, 2) > max(0.05, MOST_TIMES * at(MIDDLE, 3))
    except TooLong:
        slow = True
    told = ", ".join(f"{size}: {seconds:.4f} s" for size, seconds in times.items())
    return f"{text(20)!r}: {told}" if slow else ""


def exhausted(pattern: "re.Pattern[AnyStr]") -> list[Callable[[AnyStr], object]]:
    """Return what a pattern can be used for: who finds every match has matched, searched and replaced, too."""
    return [lambda text: sum(1 for _ in pattern.finditer(text)), pattern.fullmatch]


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(n, marks=pytest.mark.exhaustive) for n in range(1, PARTS))]
)
@pytest.mark.parametrize("name", MODULES)
def test_a_pattern_takes_no_more_than_in_proportion_to_the_text(name: str, part: int) -> None:
    slow = []
    for pattern in patterns_of(name):
        is_bytes = isinstance(pattern.pattern, bytes)
        for text in islice(texts_for(pattern), part, None, PARTS):
            whole = (lambda size, made=text: made(size).encode()) if is_bytes else text
            slow += [
                (pattern, found) for work in exhausted(pattern) if (found := grows_too_fast(work, whole))
            ]
    assert not slow


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize(
    "bad", [r"(?:a+)+b", r"\s*b\(", r"require\W+\s*\W*game\b", r"^\s*([a-z])\s*=", r"1\s*(?:to)?\s*[a-z]"]
)
def test_a_pattern_that_is_worse_than_linear_is_found(bad: str) -> None:
    pattern = re.compile(bad, re.M)
    found = (grows_too_fast(work, text) for text in texts_for(pattern) for work in exhausted(pattern))
    assert next(filter(None, found))


def test_patterns_are_found_wherever_they_are() -> None:
    assert sum(len(patterns_of(name)) for name in MODULES) > 200
    assert patterns_of("grader.programs.recipes")
