"""Functions that write names of their module: the copy answers, and leaves behind, what the file itself does."""

import random
from textwrap import dedent
from typing import Any

import pytest

from grader.worker.effects import Effects
from grader.worker.errors import NotRecallable
from grader.worker.recallable import recalled


def loaded(source: str, *, any_order: bool = True) -> dict[str, Any]:
    """Return the names of the copy; what one call leaves to the next may be looked at if order is no matter."""
    codes, has_effects, _ = recalled({"tictactoe.py": dedent(source).encode()})
    assert has_effects
    names = {**Effects().given(), "__name__": "tictactoe", "calls": []}
    if any_order:
        names["__loaded__"] = lambda *names: None
    exec(codes["tictactoe.py"], names)
    return names


STATEMENTS = [
    "n += 1", "n -= 2", "n = a", "n = n + a", "n = len(items)", "seen = n", "seen = (a, n)", "seen = None",
    "items.append(a)", "items.append((a, n))", "items.append([a])", "items.clear()", "items = []", "items = [a, b]", "items = list(items)",
    "items[:] = [b]", "items += [a]", "items.pop() if items else 0", "kept = items\nkept.append(b)", "items.append(f{other}(a, b - 1))",
    "table[a] = n", "table.clear()", "table[a] = b\nout.append(table.get(b))", "table = {{}}", "table.setdefault(b, a)",
    "rows[a % 2][0] = b", "rows[a % 2].append(b)\nrows[a % 2].pop()", "rows = [[a], [b]]", "row = rows[0]\nrow[0] = n",
    "out.append(n)", "out.append(len(items))", "out.append(seen)", "out.append(items[-1:])", "out.append(sorted(table.items()))", "out.append(rows[a % 2][0])",
    "out.append(f{other}(a, b - 1))", "out.append(f{other}(b, b - 1))", "f{other}(1, b - 1)", "out.append(f{other}([a, 1], b - 1))",
    "if n > 3: out.append(f{other}(a, b - 1))", "if len(items) > a: items.clear()", "if b and n % 2: n = 0", "if seen == a: return n", "if a == b: return items",
    "try:\n    f{other}(2, b - 1)\nexcept ValueError:\n    n += 5", "if n == 4: raise ValueError", "group.add(a)", "group.discard(b)\nout.append(len(group))",
    "[n for n in (1, 2)]", "out.append([items for items in (1,)])", "out.append((lambda n: n + b)(1))", "out.append((lambda: n)())",
]  # fmt: skip
"""What the functions of a made-up file are made of."""


def made_up(chance: random.Random) -> str:
    parts = ["n = 0", "seen = None", "items = []", "table = {}", "group = set()", "rows = [[0], [0]]"]
    parts += ["def unused():", "    global n, seen, items, table, group, rows"]  # so that all are shared
    parts += ["    n, seen, items, table, group, rows = n, seen, items, table, group, rows"]
    for number in range(3):
        parts += [f"def f{number}(a, b):", "    global n, seen, items, table, rows", "    out = []"]
        parts += ["    if b <= 0 or type(a) is list: return a"]
        for statement in chance.choices(STATEMENTS, k=chance.randint(1, 6)):
            lines = statement.format(other=chance.randrange(3)).splitlines()
            parts += [f"    {line}" for line in lines]
        parts.append("    return out")
    return "\n".join(parts)


def after(function: Any, arguments: tuple[Any, ...], names: dict[str, Any]) -> str:
    """Return what came of a call, and what it left behind."""
    try:
        answer: object = function(*arguments)
    except (ValueError, RecursionError, TypeError, AttributeError, IndexError) as error:
        answer = type(error)
    state = [names[name] for name in ("n", "seen", "items", "table", "rows")]
    return f"{answer} {state} {sorted(names['group'])} {answer is names['items']}"


@pytest.mark.parametrize("seed", range(8))
def test_made_up_files_answer_and_leave_behind_the_same(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(10):
        source = made_up(chance)
        plain: dict[str, Any] = {}
        exec(source, plain)
        try:
            copy = loaded(source)
        except (NotRecallable, AssertionError):
            continue
        for _ in range(40):
            name, arguments = f"f{chance.randrange(3)}", (chance.randrange(3), chance.randint(1, 3))
            try:
                found = after(copy[name], arguments, copy)
            except NotRecallable:
                break
            assert found == after(plain[name], arguments, plain), source
            if len(found) > 2_000:  # it grows and grows
                break


def test_effects_are_done_again_and_not_the_work() -> None:
    names = loaded(
        """
        best, count, moves = None, 0, []
        def f(x):
            global best, count
            calls.append(x)
            best = x
            count += 2
            moves.append(x)
            return -x
        def g():
            return best, count, moves[:]
        """
    )
    calls: list[int] = []
    names["calls"] = calls
    moves = names["moves"]
    assert [names["f"](1), names["f"](2), names["f"](1)] == [-1, -2, -1]
    assert (calls, names["g"](), moves) == ([1, 2], (1, 6, [1, 2, 1]), [1, 2, 1])
    assert names["moves"] is moves


def test_what_is_read_first_is_part_of_the_key() -> None:
    names = loaded("limit = 1\ndef f(x):\n    return x > limit\ndef s(x):\n    global limit\n    limit = x\n")
    assert names["f"](2)
    names["s"](5)
    assert not names["f"](2)


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (
            "best = 0\ndef f(x):\n    global best\n    best = max(best, x)\n    return best\n",
            "is read by the next",
        ),
        ("seen = {}\ndef f(x):\n    seen[x] = 1\n    return len(seen)\n", "is read by the next"),
    ],
)
def test_what_one_call_leaves_to_the_next_ends_it(source: str, why: str) -> None:
    f = loaded(source, any_order=False)["f"]
    f(1)
    with pytest.raises(NotRecallable, match=why):
        f(2)


@pytest.mark.parametrize(
    "source", ["a = []\nb = a\ndef f(x):\n    a.append(x)\n", "a = []\nb = [a]\ndef f(x):\n    a.append(x)\n"]
)
def test_two_names_for_one_list_are_refused(source: str) -> None:
    with pytest.raises(NotRecallable, match="share an object"):
        loaded(source, any_order=False)


def test_a_second_name_for_a_list_ends_it() -> None:
    f = loaded("a, b = [], [1]\ndef f(x):\n    global a\n    a = b\n", any_order=False)["f"]
    with pytest.raises(NotRecallable, match="the same object"):
        f(1)
