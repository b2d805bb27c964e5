"""How a search walks through the tree of the game, replayed by textbook alpha-beta."""

import math
import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

from grader.core.game.board import EMPTY, Board, X, empty_cells, is_over, marks, place, side_to_move
from grader.core.values import Frozen


class Tree(Frozen):
    """The game from one board on, with a value for each finished board.

    With `level` it goes on until the board is full, so that all finished boards are equally deep.
    """

    root: Board
    values: dict[Board, float]
    level: bool = False

    def is_leaf(self, board: Board) -> bool:
        """Return whether the game is over."""
        return EMPTY not in board if self.level else is_over(board)

    def children(self, board: Board) -> list[Board]:
        """Return the boards after one more move, by cell; none when the game is over."""
        return [] if self.is_leaf(board) else [place(board, action) for action in empty_cells(board)]

    @cached_property
    def exact(self) -> dict[Board, float]:
        """The value of every board under optimal play."""
        known: dict[Board, float] = {}

        def value(board: Board) -> float:
            if board not in known:
                best = max if side_to_move(board) == X else min
                below = [value(child) for child in self.children(board)]
                known[board] = best(below) if below else self.values[board]
            return known[board]

        value(self.root)
        return known

    @cached_property
    def size(self) -> int:
        """How many boards a search without pruning makes."""

        def below(board: Board) -> int:
            return sum(1 + below(child) for child in self.children(board))

        return below(self.root)


def leaves(root: Board, level: bool) -> list[Board]:
    """Return the finished boards that can be reached, in the order of their cells."""
    tree = Tree(root, {}, level)
    layer, found = {root}, set[Board]()
    while layer:
        ended = {board for board in layer if tree.is_leaf(board)}
        found |= ended
        layer = {child for board in layer - ended for child in tree.children(board)}
    return sorted(found)


MADE, SEEN, EVALUATED = "made", "seen", "evaluated"
"""Kinds of steps: `result` returned a board, another function was given it, `utility` returned its value."""

Step = tuple[str, Board]


class StrangeStep(ValueError):
    """A step that no search of this game makes: the walk cannot be followed."""


@dataclass(eq=False)
class Node:
    """One visit of a board; `searched` holds the children below which something was evaluated, in order."""

    board: Board
    made: dict[Board, "Node"] = field(default_factory=dict)
    searched: dict[Board, "Node"] = field(default_factory=dict)


@dataclass
class Walk:
    """The visit of the root, the finished boards that were evaluated, and how many boards were made."""

    root: Node
    evaluated: set[Board] = field(default_factory=set)
    made: int = 0


def follow(root: Board, steps: Iterable[Step]) -> Walk:
    """Return the walk that steps describe; raise StrangeStep when they are no walk through the game.

    A search goes down before it goes on, so a board's number of marks tells where it belongs.
    """
    walk = Walk(Node(root))
    path, first = [walk.root], marks(root)
    for kind, board in steps:
        depth = marks(board) - first
        if depth <= 0:
            if board != root:
                raise StrangeStep(board)
            del path[1:]
            continue
        if depth > len(path) or not _is_child(path[depth - 1].board, board):
            raise StrangeStep(board)
        del path[depth:]
        path.append(path[-1].made.setdefault(board, Node(board)))
        walk.made += kind == MADE
        if kind == EVALUATED:
            walk.evaluated.add(board)
            for at in range(depth, 0, -1):
                parent, child = path[at - 1], path[at]
                if child.board in parent.searched:  # and so it is all the way up
                    break
                parent.searched[child.board] = child
    return walk


@lru_cache(maxsize=20_000)
def _is_child(parent: Board, child: Board) -> bool:
    changed = [cell for cell in range(9) if parent[cell] != child[cell]]
    return len(changed) == 1 and parent[changed[0]] == EMPTY and child[changed[0]] == side_to_move(parent)


@dataclass
class CutOffs:
    """Cut-offs that were taken, missed, and taken too early.

    A shallow one is justified by what the parent has already, a deep one only by a board further up.
    `levels` are the depths at which they were taken.
    """

    taken_shallow: int = 0
    taken_deep: int = 0
    missed_shallow: int = 0
    missed_deep: int = 0
    too_early: list[Board] = field(default_factory=list)
    levels: list[int] = field(default_factory=list)

    @property
    def taken(self) -> int:
        """All that were taken."""
        return self.taken_shallow + self.taken_deep

    @property
    def missed(self) -> int:
        """All that were missed."""
        return self.missed_shallow + self.missed_deep

    def __add__(self, other: "CutOffs") -> "CutOffs":
        theirs = vars(other)
        return CutOffs(**{name: mine + theirs[name] for name, mine in vars(self).items()})


def replay(
    tree: Tree,
    walk: Walk,
    *,
    remembers: bool = False,
    root_narrows: bool = True,
    ties_end: bool = False,
    swapped: bool = False,
) -> CutOffs:
    """Return the cut-offs of a walk.

    Equal values may end the look or not (`>` and `>=` are both alpha-beta); with `ties_end` they must. A
    search that remembers may answer for a board it has finished before. Without `root_narrows` each move of
    the root gets a full window. With `swapped` the search takes X for the side that minimises, and O for the
    other.
    """
    beyond = operator.ge if ties_end else operator.gt
    found = _Replay(tree, remembers, root_narrows, beyond, -1 if swapped else 1)
    found.value(walk.root, _Window(), 0)
    return found.cut_offs


class _Window(NamedTuple):
    """Bounds in the eyes of the side to move: it is sure of `low` elsewhere, and the other side of `high`.

    `parent` is the part of `high` that comes from the board one move up.
    """

    low: float = -math.inf
    high: float = math.inf
    parent: float = math.inf

    def below(self, best: float) -> "_Window":
        """Return the window one move further, when `best` has been found here."""
        return _Window(-self.high, -max(self.low, best), -best)


@dataclass
class _Replay:
    """Goes through a walk the way the search did; values are in the eyes of the side to move."""

    tree: Tree
    remembers: bool
    root_narrows: bool
    beyond: Callable[[float, float], bool]
    sides: int
    cut_offs: CutOffs = field(default_factory=CutOffs)
    known: dict[Board, float] = field(default_factory=dict)

    def value(self, node: Node, window: _Window, depth: int) -> float:
        """Return what the search made of a board, and count its cut-offs."""
        if self.tree.is_leaf(node.board):
            return self._leaf(node.board)
        best, needless, tried = -math.inf, False, set[Board]()
        for visit in self._tried(node):
            tried.add(visit.board)
            if not needless and self.beyond(best, window.high):
                needless, shallow = True, self.beyond(best, window.parent)
                self.cut_offs.missed_shallow += shallow
                self.cut_offs.missed_deep += not shallow
            if needless or self._is_known(visit):
                below = self._settled(visit)
            else:
                is_open = depth == 0 and not self.root_narrows
                below = self.value(visit, _Window() if is_open else window.below(best), depth + 1)
            best = max(best, -below)
        left = set(self.tree.children(node.board)) - tried
        if left and not needless and not (self.remembers and left <= self.known.keys()):
            self._stopped(node.board, best, window, depth)
        self.known.setdefault(node.board, best)
        return best

    def _tried(self, node: Node) -> Iterator[Node]:
        """Yield the children that were looked into, or may have been answered from memory, in their order.

        What is in memory grows on the way, so each is looked up when its turn has come.
        """
        if not self.remembers:
            yield from (node.made[board] for board in node.searched)
            return
        for board, visit in node.made.items():
            if visit.made or board in node.searched or board in self.known:
                yield visit

    def _is_known(self, visit: Node) -> bool:
        """Return whether a visit was no look, but an answer from memory."""
        return not visit.made and visit.board in self.known

    def _settled(self, node: Node) -> float:
        """Return what the search makes of a board that alpha-beta would not have looked into."""
        if self.tree.is_leaf(node.board):
            return self._leaf(node.board)
        if self._is_known(node):
            return self.known[node.board]
        best = max((-self._settled(visit) for visit in self._tried(node)), default=-math.inf)
        self.known.setdefault(node.board, best)
        return best

    def _leaf(self, board: Board) -> float:
        return self.known.setdefault(board, self.sides * _sign(board) * self.tree.values[board])

    def _stopped(self, board: Board, best: float, window: _Window, depth: int) -> None:
        """Count a board whose children were not all tried."""
        if best < window.high:
            self.cut_offs.too_early.append(board)
            return
        self.cut_offs.levels.append(depth)
        self.cut_offs.taken_shallow += best >= window.parent
        self.cut_offs.taken_deep += best < window.parent


class Figures(Frozen):
    """What a search costs: finished boards it evaluates (each counted once), and boards it makes."""

    evaluated: int
    made: int


def textbook(tree: Tree, walk: Walk) -> Figures:
    """Return what textbook alpha-beta costs when it tries the moves in the order of a walk."""
    visits = _first_visits(walk.root, {})
    evaluated: set[Board] = set()
    made = 0

    def value(board: Board, node: Node | None, low: float, high: float) -> float:
        nonlocal made
        if tree.is_leaf(board):
            evaluated.add(board)
            return _sign(board) * tree.values[board]
        node = node if node and node.searched else visits.get(board)
        known = [*node.searched, *node.made] if node else []
        best = -math.inf
        for child in dict.fromkeys([*known, *tree.children(board)]):
            made += 1
            best = max(best, -value(child, node.made.get(child) if node else None, -high, -max(low, best)))
            if best >= high:
                break
        return best

    value(tree.root, walk.root, -math.inf, math.inf)
    return Figures(len(evaluated), made)


def _first_visits(node: Node, found: dict[Board, Node]) -> dict[Board, Node]:
    """Return the first visit of every board below which the search looked."""
    if node.searched and node.board not in found:
        found[node.board] = node
        for child in node.searched.values():
            _first_visits(child, found)
    return found


def _sign(board: Board) -> int:
    return 1 if side_to_move(board) == X else -1
