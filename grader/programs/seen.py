"""What was seen of a program: its replies by position, what it made unreachable, and what is open.

The games of an unfinished series are saved in the user's cache folder for the next run. Only games without a
fault are saved: whatever costs points is seen again. A file is ignored if it is damaged, belongs to another
user, or holds games that are impossible.
"""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from grader import __version__
from grader.core.course.rubric import HowToRun
from grader.core.course.submission import Folder
from grader.core.errors import UserError
from grader.core.game import oracle
from grader.core.game.board import START, Action, Board, X, is_over, side_to_move, winner
from grader.core.game.oracle import move_between
from grader.core.system import write
from grader.programs.game import Step

Course = tuple[Board, ...]
"""The boards of a game so far."""

MOST_SAMPLED: Final = 60
"""Games with a program that chooses by chance: then no number of them is all."""


@dataclass(frozen=True)
class Fault:
    """A game that could not go on: how far it came, what was typed last, and what came of it."""

    step: Step
    path: tuple[Board, ...]
    its: str
    typed: str
    drawn: Board | None
    transcript: str
    at: Board = START
    """The position to which it gave no reply: after what was typed, whether that was taken or not."""

    @property
    def loses(self) -> bool:
        """Whether the user has won there, or can."""
        return self.at != START and oracle.value(self.at) == (-1 if self.its == X else 1)

    @property
    def hides(self) -> bool:
        """Whether it made a position unreachable; a program that draws a wrong board has replied."""
        return self.at != START and not is_over(self.at) and self.step is not Step.WRONG_BOARD


@dataclass(kw_only=True)
class Seen:
    """Replies by position; X is the side that begins."""

    replies: dict[Board, Counter[Action]] = field(default_factory=dict)
    by_course: dict[Course, Counter[Action]] = field(default_factory=dict)
    """The same replies by the course of the game: the order of the moves may matter to a program."""
    lost: dict[Board, Fault] = field(default_factory=dict)
    """Positions to which no reply came, by a fault of the program that was seen twice."""
    sides: Counter[str] = field(default_factory=Counter)
    """How often the program had each side."""
    _varies: bool = False
    _varies_in_course: bool = False
    """Whether there were different replies to one position, and in one course of a game."""

    @property
    def by_chance(self) -> bool:
        """Whether it has replied differently in the same course of a game, or begins by chance."""
        return len(self.sides) > 1 or self._varies_in_course

    @property
    def by_order(self) -> bool:
        """Whether a reply to the same position depends on the order of the moves that led there."""
        return not self.by_chance and self._varies

    @property
    def has_other_orders(self) -> bool:
        """Whether a position where a reply can lose can be reached by an order of moves that was not seen."""
        return any(self._is_new_order((START,), side) for side in self.sides)

    @property
    def complete(self) -> bool:
        """Whether nothing is left to be seen: every position was, or was made unreachable."""
        return bool(self.sides) and not any(any(self._unseen(START, side)) for side in self.sides)

    @property
    def decided(self) -> bool:
        """Whether nothing is left to which a reply can be wrong."""
        return bool(self.sides) and self.open_positions() == 0

    @property
    def hidden(self) -> list[Fault]:
        """The faults by which positions were made unreachable, the shortest game first."""
        return sorted(
            (fault for fault in self.lost.values() if fault.hides), key=lambda fault: len(fault.path)
        )

    def share_seen(self, games: int) -> float:
        """Return the share of all possible positions that was seen, as far as they are known."""
        if self.by_chance:
            return 1.0 if self.complete else min(1.0, games / MOST_SAMPLED)
        seen, misdrawn = len(self.replies) + len(self.hidden), len(self.lost) - len(self.hidden)
        unseen = {board for side in self.sides for board in self._unseen(START, side, True, beyond=True)}
        total = seen + misdrawn + len(unseen)
        return seen / total if total else 0.0

    def open_positions(self) -> int:
        """Return how many positions are known to come up and were not seen, though a reply can be wrong."""
        return sum(len(list(self._unseen(START, side, True))) for side in self.sides)

    def remember(self, course: Sequence[Board], its: str, since: int = 0) -> None:
        """Keep the replies of a game, from one of its boards on."""
        for at, (before, after) in enumerate(pairwise(course)):
            if at >= since and side_to_move(before) == its:
                action = move_between(before, after)
                there = self.replies.setdefault(before, Counter())
                then = self.by_course.setdefault(tuple(course[: at + 1]), Counter())
                there[action] += 1
                then[action] += 1
                self._varies |= len(there) > 1
                self._varies_in_course |= len(then) > 1

    def telling_cell(self, board: Board, its: str) -> int:
        """Return the user's move that loses nothing and to which most replies lose."""
        lost, free = -1 if its == X else 1, self._free(board)

        def worth(action: Action) -> tuple[int, float]:
            replies = oracle.successors(free[action]).values()
            losing = sum(oracle.value(after) == lost for after in replies)
            return lost * oracle.value(free[action]), losing / max(1, len(replies))

        return _cell(max(sorted(free), key=worth))

    def _free(self, board: Board) -> Mapping[Action, Board]:
        """Return the user's moves, without those that were refused if there are others."""
        following = oracle.successors(board)
        return {action: after for action, after in following.items() if after not in self.lost} or following

    def next_cell(self, course: Sequence[Board], its: str, beaten: bool) -> int:
        """Return a move that leads to a position not seen yet, or else one that wins, or the first.

        Positions in which a reply can be wrong come before others, and those that can be lost are reached by
        every order of moves before positions in which nothing can be wrong. A program that moves at random is
        beaten when possible: the next game may not offer it again.
        """
        board = course[-1]
        free = self._free(board)
        wins = [action for action, after in free.items() if winner(after)]
        if wins and (self.by_chance or not beaten):
            return _cell(wins[0])
        if not beaten and oracle.value(board) == (-1 if its == X else 1):  # the one thing to see first
            best = [action for action in sorted(oracle.optimal_actions(board)) if action in free]
            if best:
                return _cell(best[0])
        here_first = sorted(free, key=lambda action: self._priority(free[action]))
        wanted: tuple[Callable[[Board], Iterable[object]], ...] = (
            lambda after: self._unseen(after, its, True),
            lambda after: [self._is_new_order((*course, after), its)],
            lambda after: self._unseen(after, its),
        )
        for unseen in wanted:
            for action in here_first:
                if any(unseen(free[action])):
                    return _cell(action)
        return _cell((wins or list(free))[0])

    def _priority(self, board: Board) -> tuple[bool, int]:
        """Return how often a position was seen, those first that were not and in which a reply can be wrong.

        What is not seen in time is then spread over all positions, and is not a part that somebody chose.
        """
        times = self.replies[board].total() if board in self.replies else 0
        return times > 0 or not can_err(board), times

    def _unseen(
        self,
        board: Board,
        its: str,
        at_stake: bool = False,
        *,
        beyond: bool = False,
        met: set[Board] | None = None,
    ) -> Iterator[Board]:
        """Yield the unseen positions that may follow; if `at_stake`, only where a reply can be wrong.

        If `beyond`, continue behind them with a right reply.
        """
        met = set() if met is None else met
        hopeless = at_stake and not _may_follow(board, its, can_err)
        if is_over(board) or board in met or board in self.lost or hopeless:
            return
        met.add(board)
        following = oracle.successors(board)
        actions: Iterable[Action] = following
        if side_to_move(board) == its:
            actions = self.replies.get(board, ())
            if not actions:
                yield board
                actions = [min(oracle.optimal_actions(board))] if beyond else ()
        for action in actions:
            yield from self._unseen(following[action], its, at_stake, beyond=beyond, met=met)

    def _is_new_order(self, course: Course, its: str) -> bool:
        """Return whether a position that can be lost can follow in an order of moves that was not seen."""
        board = course[-1]
        if self.by_chance or board in self.lost or not _may_follow(board, its, _can_lose):
            return False
        following = oracle.successors(board)
        actions: Iterable[Action] = following
        if side_to_move(board) == its:
            if course not in self.by_course and _can_lose(board):
                return True
            actions = self.by_course.get(course, self.replies.get(board, ()))
        return any(self._is_new_order((*course, following[action]), its) for action in actions)


@cache
def can_err(board: Board) -> bool:
    """Return whether a reply to a board can be wrong."""
    return len(oracle.optimal_actions(board)) < len(oracle.following(board))


@cache
def _can_lose(board: Board) -> bool:
    """Return whether a reply to a board can lose although another reply does not."""
    lost = -1 if side_to_move(board) == X else 1
    values = {oracle.value(after) for after in oracle.following(board)}
    return lost in values and len(values) > 1


@cache
def _may_follow(board: Board, its: str, is_such: Callable[[Board], bool]) -> bool:
    """Return whether a side may have to reply to such a board: to this one, or to one that follows."""
    if side_to_move(board) == its and is_such(board):
        return True
    return any(_may_follow(after, its, is_such) for after in oracle.following(board))


def _cell(action: Action) -> int:
    return 3 * action[0] + action[1]


_FOLDER: Final = "tictactoe-grader/programs"
_MOST_BYTES: Final = 1_000_000
_MOST: Final = 200
"""Programs of one user: those graded last."""

Game = tuple[str, Course]
"""The side of the program, and the boards."""

Key = tuple[tuple[str, ...], str]
"""What was answered before the game, and how squares are typed."""


class Progress:
    """Games of one program that earlier runs have seen."""

    def __init__(self, files: Folder, how: HowToRun) -> None:
        found = hashlib.sha256(f"{__version__} {how.build} {how.run} {how.answers} {how.squares}".encode())
        for file in files:
            found.update(f"\n{file.name}\n{len(file.content)}\n".encode())
            found.update(file.content)
        root = os.environ.get("XDG_CACHE_HOME") or ""
        self._file: Path | None = None
        with suppress(OSError, RuntimeError):  # there is no home
            cache = Path(root) if os.path.isabs(root) else Path.home() / ".cache"  # noqa: PTH117
            if cache.parent.is_dir():
                self._file = cache / _FOLDER / f"{found.hexdigest()[:32]}.json"

    def games(self, key: Key) -> list[Game]:
        """Return the games that were saved for these answers and this way of typing."""
        with suppress(OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            if self._file:
                about = self._file.stat()
                if about.st_uid == os.getuid() and about.st_size <= _MOST_BYTES:
                    data: Any = json.loads(self._file.read_bytes())
                    return [_game(its, boards) for its, boards in data[_name(key)]]
        return []

    def keep(self, found: Iterable[tuple[Key, Sequence[Game]]]) -> None:
        """Save games; remove the file where none are given."""
        data = {_name(key): [(its, "/".join(path)) for its, path in games] for key, games in found if games}
        with suppress(OSError, UserError):
            if self._file and not data:
                self._file.unlink(missing_ok=True)
            elif self._file:
                self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                write(self._file, json.dumps(data))
                saved = sorted(self._file.parent.glob("*.json"), key=lambda file: -file.stat().st_mtime_ns)
                for old in saved[_MOST:]:
                    old.unlink(missing_ok=True)


def _name(key: Key) -> str:
    answers, scheme = key
    return json.dumps([*answers, scheme])


def _game(its: str, text: str) -> Game:
    """Return a saved game; raise ValueError if it is impossible."""
    course = tuple(map(Board, text.split("/")))
    follows = (after in oracle.successors(before).values() for before, after in pairwise(course))
    if its not in ("X", "O") or course[0] != START or not all(follows):
        raise ValueError(text)
    return its, course
