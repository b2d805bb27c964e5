"""A walk: the part of the game tree that a search looked into, put together from the steps it made."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from grader.core.game.board import EMPTY, Board, marks, side_to_move

MADE, SEEN, EVALUATED = "made", "seen", "evaluated"
"""Kinds of steps: `result` returned a board, another function was given it, `utility` told its value."""

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


def tried_in(root: Board, steps: Iterable[Step]) -> Walk:
    """Return a walk that tries the moves on each board in the order of the steps: a board, then its children.

    What the steps do not tell is left to whoever walks.
    """
    nodes = {root: Node(root)}
    parent = nodes[root]
    for kind, board in steps:
        node = nodes.setdefault(board, Node(board))
        if kind == SEEN:
            parent = node
        else:
            parent.made[board] = parent.searched[board] = node
    return Walk(nodes[root])


@lru_cache(maxsize=20_000)
def _is_child(parent: Board, child: Board) -> bool:
    changed = [cell for cell in range(9) if parent[cell] != child[cell]]
    return len(changed) == 1 and parent[changed[0]] == EMPTY and child[changed[0]] == side_to_move(parent)
