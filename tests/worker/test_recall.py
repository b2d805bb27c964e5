"""The copy that remembers must answer as the file itself does, whatever the file looks like."""

import ast
from array import array
from types import SimpleNamespace
from typing import Any

import pytest

from grader.worker import calling
from grader.worker.module import NotRecallable
from grader.worker.recall import Memory, looked_up, recalled, wrapped


def loaded(source: str, memory: Memory | None = None) -> dict[str, Any]:
    """Load a copy in which every function remembers, whether it calls itself or not."""
    names: dict[str, Any] = {**(memory or Memory()).given(), "__name__": "tictactoe", "calls": []}
    tree = ast.parse(source)
    nodes = set(ast.walk(tree))
    defined = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    exec(wrapped(tree, "tictactoe.py", SimpleNamespace(recursive=defined, reached=nodes)), names)
    return names


def test_a_function_runs_once_for_the_same_content() -> None:
    names = loaded("def f(board):\n    note(board)\n    return len(board)\n")
    seen: list[Any] = []
    names["note"] = seen.append
    assert [names["f"]([1, 2]), names["f"]([1, 2]), names["f"]([1])] == [2, 2, 1]
    assert seen == [[1, 2], [1]]


def test_one_true_and_one_point_nought_are_three_arguments() -> None:
    f = loaded("def f(x):\n    return repr(x)\n")["f"]
    assert [f(1), f(True), f(1.0), f("1")] == ["1", "True", "1.0", "'1'"]


def test_lists_are_copied_on_the_way_out() -> None:
    f = loaded("def f(x):\n    return [[x], {x}]\n")["f"]
    first = f(1)
    first[0].append(9)
    first[1].add(9)
    assert f(1) == [[1], {1}]
    assert f(1) is not f(1)


def test_a_call_that_changes_its_arguments_is_not_remembered() -> None:
    f = loaded("def f(x):\n    x.append(1)\n    return len(x)\n")["f"]
    given: list[int] = []
    assert [f(given), f(given), f([])] == [1, 2, 1]
    assert given == [1, 1]


def test_what_is_not_plain_data_passes_through() -> None:
    names = loaded("def f(g):\n    return g()\ndef make(x):\n    return object()\n")
    counter = iter(range(9))
    assert [names["f"](lambda: next(counter)), names["f"](lambda: next(counter))] == [0, 1]
    assert names["make"](1) is not names["make"](1)


def test_defaults_and_keywords() -> None:
    f = loaded("def f(a, b=2, *, c=3):\n    return (a, b, c)\n")["f"]
    assert [f(1), f(1, 5), f(1, b=6), f(1, c=7), f(a=0), f(1)] == [
        (1, 2, 3),
        (1, 5, 3),
        (1, 6, 3),
        (1, 2, 7),
        (0, 2, 3),
        (1, 2, 3),
    ]


def test_a_function_with_a_list_for_a_default_that_it_only_reads_is_left_alone() -> None:
    f = loaded("def f(x, seen=[3]):\n    return len(seen)\n")["f"]
    assert [f(1), f(1)] == [1, 1]


def test_nested_functions_see_the_variables_around_them() -> None:
    outer = loaded(
        "def outer(factor):\n"
        "    def inner(x):\n        return twice(x) * factor\n"
        "    def twice(x):\n        return 2 * x + offset\n"
        "    offset = factor\n"
        "    return [inner(1), inner(1), inner(2)]\n"
    )["outer"]
    assert outer(10) == [120, 120, 140]
    assert outer(100) == [10200, 10200, 10400]


def test_a_variable_changed_around_a_nested_function_counts() -> None:
    outer = loaded(
        "def outer(n):\n"
        "    total = 0\n"
        "    def add(x):\n        nonlocal total\n        total += x\n        return total\n"
        "    return [add(n), add(n), add(n), total]\n"
    )["outer"]
    assert outer(5) == [5, 10, 15, 15]


def test_lambdas_and_recursion_through_a_variable() -> None:
    names = loaded("fact = lambda n: 1 if n < 2 else n * fact(n - 1)\nagain = fact\n")
    assert names["again"](10) == 3_628_800


def test_methods_depend_on_their_object() -> None:
    names = loaded(
        "class Side:\n"
        "    def __init__(self, mark):\n        self.mark = mark\n        self.count = 0\n"
        "    def play(self, x):\n        return self.mark + str(x)\n"
        "    def tick(self):\n        self.count += 1\n        return self.count\n"
        "    @staticmethod\n    def fixed(x):\n        return -x\n"
        "    @property\n    def loud(self):\n        return self.mark * 2\n"
    )
    first, second = names["Side"]("X"), names["Side"]("O")
    assert [first.play(1), second.play(1), first.play(1)] == ["X1", "O1", "X1"]
    assert [first.tick(), first.tick(), second.tick()] == [1, 2, 1]
    assert names["Side"].fixed(3) == -3
    assert [first.loud, second.loud] == ["XX", "OO"]


def test_generators_still_generate() -> None:
    g = loaded("def g(n):\n    for i in range(n):\n        yield i\n")["g"]
    assert [list(g(3)), list(g(3))] == [[0, 1, 2], [0, 1, 2]]


def test_exceptions_are_raised_each_time_with_their_line() -> None:
    f = loaded("def f(x):\n    if x:\n        raise ValueError('no')\n    return 1\n")["f"]
    for _ in range(2):
        with pytest.raises(ValueError, match="no") as caught:
            f(1)
        assert caught.traceback[-1].lineno == 2


def test_other_decorators_stay_outside() -> None:
    names = loaded("from functools import lru_cache\n@lru_cache\ndef f(x):\n    return [x]\n")
    assert names["f"](1) is names["f"](1)


def test_only_functions_that_call_themselves_remember() -> None:
    source = (
        "def winner(b):\n    note('winner')\n    return None\n"
        "def search(b):\n    note('search')\n    winner(b)\n    return search(b[1:]) if b else 0\n"
        "def minimax(b):\n    return search(b)\n"
    )
    seen: list[str] = []
    names: dict[str, Any] = {**Memory().given(), "__name__": "tictactoe", "note": seen.append}
    exec(recalled({"tictactoe.py": source.encode()})[0]["tictactoe.py"], names)
    assert [names["minimax"]([1, 2]) for _ in range(3)] == [0, 0, 0]
    assert seen == ["search", "winner"] * 3


def test_a_call_that_returns_its_argument_is_not_remembered() -> None:
    """Given a list that the caller goes on changing, by way of what was returned."""
    f = loaded("def f(x):\n    return x\n")["f"]
    given = [1]
    assert f(given) is given and f(given) is given


def test_a_default_that_is_changed_is_refused() -> None:
    with pytest.raises(NotRecallable, match=r"the default of seen, which outlives the call \(line 1\)"):
        loaded("def f(x, seen=[3]):\n    seen.append(x)\n    return len(seen)\n")


def test_at_the_bound_of_entries_it_forgets_and_goes_on() -> None:
    memory = Memory(max_entries=10)
    f = loaded("def f(x):\n    return x + 1\n", memory)["f"]
    assert [f(i) for i in range(100)] == list(range(1, 101))
    assert memory.entries <= 10


def test_at_the_bound_of_bytes_it_forgets_and_goes_on() -> None:
    memory = Memory(max_bytes=5_000)
    f = loaded("def f(x):\n    return [x]\n", memory)["f"]
    assert all(f("x" * 500 + str(i)) for i in range(100))
    assert memory.bytes <= 5_000


def test_huge_arguments_are_not_remembered() -> None:
    memory = Memory()
    loaded("def f(x):\n    return 1\n", memory)["f"]("x" * 10_000)
    assert memory.entries == 0


ARRAYS = """
def f(x):
    return str(x)

def halved(x):
    return x[: len(x) // 2]

class Kept:
    def __init__(self, x):
        self.x = x
"""


def test_arrays_are_neither_looked_up_nor_kept() -> None:
    """Given arrays of equal bytes, which `marshal` cannot tell apart and does not give back."""
    numpy = pytest.importorskip("numpy")
    names = loaded(ARRAYS, Memory(buffers=True))
    f, halved, kept = names["f"], names["halved"], names["Kept"]
    line, square = numpy.array([1, 2, 3, 4]), numpy.array([[1, 2], [3, 4]])
    for pack in (lambda x: x, lambda x: [x], lambda x: {"a": (x,)}, lambda x: {1: {2: x}}):
        assert [f(pack(line)), f(pack(square))] == [str(pack(line)), str(pack(square))]
    assert [type(halved(line)), type(halved(line))] == [numpy.ndarray] * 2
    assert [f(numpy.True_), f(numpy.int8(1)), f(numpy.bytes_(b"\x01"))] == ["True", "1", "b'\\x01'"]
    assert f(kept(line)) != f(kept(square))
    assert [type(halved(array("b", b"XO"))) for _ in range(2)] == [array] * 2


@pytest.mark.parametrize("buffers", [True, False])
def test_results_that_are_instances_or_large_are_as_they_were(buffers: bool) -> None:
    source = "class Own:\n    x = 0\ndef own(x):\n    return Own()\ndef large(x):\n    return [x] * 5000\n"
    names = loaded(source, Memory(buffers=buffers))
    assert [type(names["own"](1)) for _ in range(2)] == [names["Own"]] * 2
    assert [names["large"](1) for _ in range(2)] == [[1] * 5000] * 2


def test_plain_data_beside_arrays_is_kept() -> None:
    names = loaded("class Own:\n    x = 0\ndef f(x):\n    note(x)\n    return [x]\n", Memory(buffers=True))
    seen: list[Any] = []
    names["note"] = seen.append
    for _ in range(2):
        for value in ([["X", None], ["O", 1.5]], {(0, 1), (2, 2)}, {"a": frozenset([1])}, True):
            assert names["f"](value) == [value]
    assert len(seen) == 4


BOARD = [["X", None, "O"], [None, "X", None], ["O", None, None]]
CELLS = "X.O.X.O.."


def answering(name: str, answers: dict[str, object]) -> tuple[Any, list[Any]]:
    """Return a function that looks up these answers, and the list of calls that it has made for want of one."""
    calling.draw_boards()
    calls: list[Any] = []

    def called(*arguments: Any, **named: Any) -> str:
        calls.append((*arguments, *named.items()))
        return "called"

    return looked_up(name, answers, called), calls


@pytest.mark.parametrize("known", [None, False, 0, 1.0, "X"])
def test_a_known_answer_is_given_without_a_call(known: object) -> None:
    winner, calls = answering("winner", {CELLS: known})
    assert winner(BOARD) is known
    assert calls == []


@pytest.mark.parametrize(
    "board",
    [
        [["X", None, None], [None] * 3, [None] * 3],
        [["X", None, "O"], [None, "X", None], ("O", None, None)],
        [["X", "", "O"], ["", "X", ""], ["O", "", ""]],
        CELLS,
        None,
        object(),
    ],
    ids=["another board", "a tuple for a row", "other empty cells", "text", "None", "an object"],
)
def test_whatever_else_a_function_is_given_it_is_called(board: object) -> None:
    winner, calls = answering("winner", {CELLS: "X"})
    assert winner(board) == "called" == winner(board, 1) == winner(board=BOARD)
    assert calls == [(board,), (board, 1), (("board", BOARD),)]


def test_a_known_result_is_a_new_board_with_one_cell_taken() -> None:
    result, calls = answering("result", {CELLS: "X"})
    after = result(BOARD, (0, 1))
    assert after == [["X", "X", "O"], [None, "X", None], ["O", None, None]]
    assert all(row is not before for row, before in zip(after, BOARD, strict=True))
    assert BOARD[0] == ["X", None, "O"] and calls == []


@pytest.mark.parametrize(
    "action", [(0, 0), (0, 3), (-1, 2), [0, 1], (0, 1, 2), (0.0, 1), (False, 1), (0, True), None, "01"]
)
def test_a_result_for_anything_but_an_empty_cell_is_called_for(action: object) -> None:
    result, calls = answering("result", {CELLS: "X"})
    assert result(BOARD, action) == "called"
    assert calls == [(BOARD, action)]


def test_a_board_whose_rows_are_one_list_is_left_to_the_function() -> None:
    result, calls = answering("result", {".........": "X"})
    row = [None] * 3
    assert result([row, row, row], (0, 0)) == "called" == result([[None] * 3, row, row], (0, 0))
    assert len(calls) == 2
