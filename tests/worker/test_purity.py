"""Which files may be asked with a memory: those whose functions depend on nothing but their arguments."""

from typing import Any

import pytest

from grader.worker.module import NotRecallable
from grader.worker.recall import Memory, recalled

KEPT = {
    "a default": "def tick(log=[]):\n    log.append(1)\n    return len(log)\n",
    "a default by its name": "def tick(*, log={}):\n    log[0] = 1\n    return log\n",
    "an enclosed number": "def make():\n    n = 0\n    def tick():\n        nonlocal n\n        n += 1\n        return n\n    return tick\ntick = make()\n",
    "an enclosed list": "def make():\n    box = [0]\n    def tick():\n        box[0] += 1\n    return tick\ntick = make()\n",
    "a decorator that counts": "def counted(f):\n    calls = 0\n    def inner(*a):\n        nonlocal calls\n        calls += 1\n        return calls\n    return inner\n@counted\ndef tick():\n    pass\n",
    "a decorator with a memory": "def memo(f):\n    known = {}\n    def inner(x):\n        if x not in known:\n            known[x] = f(x)\n        return known[x]\n    return inner\n@memo\ndef tick(x=1):\n    return x\n",
    "a class, by a class method": "class S:\n    n = 0\n    @classmethod\n    def tick(cls):\n        cls.n += 1\ndef tick():\n    S.tick()\n",
    "a class, by an object": "class S:\n    n = 0\n    def tick(self):\n        type(self).n += 1\ns = S()\ndef tick():\n    s.tick()\n",
    "an object of its own": "class S:\n    def __init__(self):\n        self.n = 0\n    def tick(self):\n        self.n += 1\ns = S()\ndef tick():\n    s.tick()\n",
    "a stream": "import io\nout = io.StringIO()\ndef tick():\n    out.write('x')\n    return out.tell()\n",
    "an iterator": "import itertools\nnumbers = itertools.count()\ndef tick():\n    return next(numbers)\n",
    "a generator": "def numbers():\n    yield from range(9)\nnext_of = numbers()\ndef tick():\n    return next(next_of)\n",
    "a method under a name": "seen = []\nadd = seen.append\ndef tick():\n    add(1)\n    return len(seen)\n",
    "a number": "n = 0\ndef tick():\n    global n\n    n += 1\n    return n\n",
    "a list": "seen = []\ndef tick():\n    seen.append(1)\n    return len(seen)\n",
    "a list by its method's value": "seen = [1]\ndef tick():\n    return seen.pop()\n",
    "a dict": "table = {}\ndef tick():\n    table[1] = 2\n    return table.get(2)\n",
    "a name that another function reads": "best = None\ndef search():\n    global best\n    best = 1\ndef tick():\n    search()\n    return best\n",
    "an attribute of a function": "def tick():\n    tick.calls = 1\n    return tick.calls\n",
    "a class": "class C:\n    n = 0\ndef tick():\n    C.n += 1\n    return C.n\n",
    "a heap": "from heapq import heappush\nqueue = []\ndef tick():\n    heappush(queue, 1)\n    return queue[0]\n",
    "all names": "n = 0\ndef tick():\n    globals()['n'] += 1\n",
    "code": "n = 0\ndef tick():\n    exec('n += 1', {})\n",
    "a cache that is counted": "from functools import lru_cache\n@lru_cache\ndef f(x):\n    return x\ndef tick():\n    return f.cache_info().misses\n",
    "another module": "import math\ndef tick():\n    math.n = 1\n    return math.n\n",
    "the environment": "import os\ndef tick():\n    os.environ['n'] = '1'\n",
}  # fmt: skip

FREE = {
    "plain functions": "import math, random, copy\nX = 'X'\nORDER = [(0, 0)]\ndef tick(b=None, worst=-math.inf, corners=((0, 0),)):\n    return random.choice(ORDER), copy.copy(X), worst\n",
    "a function of another": "def twice(f):\n    def inner(x):\n        return f(f(x))\n    return inner\ntick = twice(lambda x: x + 1)\n",
    "names of a library": "from random import choice\nfrom functools import lru_cache\nimport re\nROW = re.compile('x')\n@lru_cache\ndef f(x):\n    return ROW.match(x)\ndef tick():\n    return choice([f('x')])\n",
    "nonlocal within a call": "def tick():\n    n = 0\n    def inner():\n        nonlocal n\n        n += 1\n    inner()\n    return n\n",
    "copies": "from copy import deepcopy\nimport copy\ndef tick():\n    return deepcopy([1]) + copy.deepcopy([2])\n",
    "a local eval": "def tick():\n    eval = 1\n    return eval\n",
    "a function that is called eval": "def eval(x):\n    return x\ndef tick():\n    return eval(1)\n",
    "an attribute eval": "class C:\n    def eval(self):\n        return 1\ndef tick():\n    return C().eval()\n",
    "a local copy": "import copy\ndef tick():\n    copy = [[], []]\n    copy[0].append(1)\n    return copy\n",
    "a parameter that is called like a module": "import math\ndef at(math):\n    math[0] = 1\n    return math\ndef tick():\n    return at([0])\n",
    "bounds with a default": "import math\ndef tick(alpha=-math.inf, beta=float('inf'), gamma=math.inf):\n    alpha = max(alpha, 1)\n    beta = gamma = 2\n    return alpha\n",
    "a default that is replaced": "def tick(board=None):\n    if board is None:\n        board = [0]\n    board[0] = 1\n    return board\n",
    "a default that is only read": "def tick(corners=[(0, 0)]):\n    return corners[0]\n",
    "a tally": "n = 0\ndef tick():\n    global n\n    n += 1\n    return 1\n",
    "a tally that is printed": "n = 0\ndef tick():\n    global n\n    n += 1\n    print(n, f'{n} nodes')\n    return 1\n",
    "a log": "seen = []\ncounts = {}\ndef tick():\n    seen.append(1)\n    counts[1] = 2\n    return 1\n",
    "state that minimax does not reach": "turn = 'X'\ndef play():\n    global turn\n    turn = 'O' if turn == 'X' else 'X'\n    return turn\ndef tick():\n    return 1\n",
    "names for types": "from typing import Optional\nBoard = list[list[str | None]]\nMove = Optional[tuple]\ndef tick(b: Board = None) -> Move:\n    return None\n",
    "an object that stays as it is": "class Node:\n    def __init__(self, x):\n        self.x = x\nROOT = Node(1)\ndef tick():\n    return ROOT.x\n",
}  # fmt: skip


def settled(source: str) -> None:
    """Load a copy that remembers, and check what it holds."""
    source += "def minimax(board):\n    return tick()\n"
    codes, check = recalled({"tictactoe.py": source.encode()})
    names: dict[str, Any] = {**Memory().given(), "__name__": "tictactoe"}
    exec(codes["tictactoe.py"], names)
    check([names])
    try:
        names["minimax"]([])
    except Exception:
        return


@pytest.mark.parametrize("source", KEPT.values(), ids=KEPT)
def test_a_file_that_keeps_something_is_not_recalled(source: str) -> None:
    with pytest.raises(NotRecallable):
        settled(source)


@pytest.mark.parametrize("source", FREE.values(), ids=FREE)
def test_a_file_that_keeps_nothing_is(source: str) -> None:
    settled(source)


def test_the_reason_names_the_line() -> None:
    with pytest.raises(NotRecallable, match=r"^it writes to n, which outlives the call \(line 4\)$"):
        settled(KEPT["a number"])
