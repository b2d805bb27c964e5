"""Walks of textbook searches over all small boards: what a replay says of each is known."""

import math
import random
from collections.abc import Callable

import pytest

from grader.core.game import oracle
from grader.core.game.board import START, Board, X, marks, parse, side_to_move
from grader.core.game.walk import (
    EVALUATED,
    MADE,
    CutOffs,
    Node,
    StrangeStep,
    Tree,
    Walk,
    follow,
    leaves,
    replay,
    textbook,
)

SAMPLE = [board for board in oracle.running() if marks(board) == 4][::40]
Order = Callable[[list[Board]], list[Board]]


def shuffled(boards: list[Board]) -> list[Board]:
    return random.Random("".join(boards)).sample(boards, len(boards))


ORDERS: list[Order] = [list, lambda boards: boards[::-1], shuffled]


def tree_of(root: Board, level: bool = False) -> Tree:
    ends = leaves(root, level)
    spread = random.Random(1).sample(range(len(ends)), len(ends))
    places = zip(ends, spread, strict=True)
    return Tree(root, {end: (2 * place - len(ends) + 0.5) / len(ends) / 1.1 for end, place in places}, level)


def searched(tree: Tree, order: Order, kind: str) -> Walk:
    """Return the walk of a search: full or strict alpha-beta, shallow, none, or one that stops at once."""
    steps: list[tuple[str, Board]] = []

    def value(board: Board, low: float, high: float) -> float:
        if tree.is_leaf(board):
            steps.append((EVALUATED, board))
            return tree.values[board]
        is_x = side_to_move(board) == X
        best = -math.inf if is_x else math.inf
        for child in order(tree.children(board)):
            steps.append((MADE, child))
            shallow = (best, math.inf) if is_x else (-math.inf, best)
            below = value(child, *(shallow if kind == "shallow" else (low, high)))
            best = max(best, below) if is_x else min(best, below)
            low, high = (max(low, best), high) if is_x else (low, min(high, best))
            if (
                kind == "early"
                or (kind == "strict" and low > high)
                or (kind in ("full", "shallow") and low >= high)
            ):
                break
        return best

    value(tree.root, -math.inf, math.inf)
    return follow(tree.root, steps)


@pytest.mark.parametrize("level", [False, True])
@pytest.mark.parametrize("order", ORDERS)
def test_alpha_beta_misses_nothing_and_costs_what_the_textbook_says(order: Order, level: bool) -> None:
    deep = 0
    for board in SAMPLE:
        tree = tree_of(board, level)
        for kind in ("full", "strict"):
            walk = searched(tree, order, kind)
            cuts = replay(tree, walk)
            assert (cuts.missed, cuts.too_early) == (0, [])
        walk = searched(tree, order, "full")
        assert (textbook(tree, walk).made, textbook(tree, walk).evaluated) == (walk.made, len(walk.evaluated))
        deep += replay(tree, walk).taken_deep
    assert deep >= len(SAMPLE) / 2


@pytest.mark.parametrize("order", ORDERS)
def test_shallow_pruning_misses_deep_cut_offs_only(order: Order) -> None:
    total = sum((replay(tree, searched(tree, order, "shallow")) for tree in map(tree_of, SAMPLE)), CutOffs())
    assert total.missed_shallow == 0 and not total.too_early
    assert total.taken_shallow > 0 and total.missed_deep > 0


def test_without_pruning_every_cut_off_is_missed() -> None:
    for tree in map(tree_of, SAMPLE):
        walk = searched(tree, list, "none")
        cuts = replay(tree, walk)
        assert cuts.taken == 0 and cuts.missed > 0 and not cuts.too_early
        assert walk.made == tree.size and len(walk.evaluated) == len(tree.values)
        assert textbook(tree, walk) == textbook(tree, searched(tree, list, "full"))


def test_stopping_without_a_reason_is_too_early() -> None:
    for tree in map(tree_of, SAMPLE):
        assert replay(tree, searched(tree, list, "early")).too_early


def test_alpha_beta_from_the_empty_board_in_two_orders() -> None:
    values = {end: float(oracle.value(end)) for end in oracle.finished()}
    tree = Tree(START, values)
    assert textbook(tree, Walk(Node(START))).made + 1 == 18_297
    strongest = [4, 0, 2, 6, 8, 1, 3, 5, 7]
    nodes = {board: Node(board) for board in oracle.boards()}
    for board in oracle.running():
        children = oracle.successors(board)
        for action in sorted(children, key=lambda action: strongest.index(3 * action[0] + action[1])):
            child = nodes[children[action]]
            nodes[board].made[child.board] = nodes[board].searched[child.board] = child
    assert textbook(tree, Walk(nodes[START])).made + 1 == 7_275


@pytest.mark.parametrize("step", ["X........", "XX.O.....", "O........", "XO......."])
def test_a_step_that_no_search_makes_is_refused(step: str) -> None:
    root = parse(["X..", ".O.", "..."])
    with pytest.raises(StrangeStep):
        follow(root, [(MADE, Board(step))])


def test_exact_values_are_those_of_minimax() -> None:
    tree = Tree(START, {end: float(oracle.value(end)) for end in oracle.finished()})
    assert tree.size + 1 == 549_946
    assert all(tree.exact[board] == oracle.value(board) for board in oracle.boards())
