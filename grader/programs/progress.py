"""Games of an unfinished series, kept in the user's cache folder so that the next run goes on from there.

Only games in which everything was right are kept: whatever costs points is seen again. The file is data,
and is ignored where it is damaged, belongs to somebody else, or tells of games that cannot be.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from grader import __version__
from grader.core.course.hand_in import Folder
from grader.core.course.rubric import HowToRun
from grader.core.errors import UserError
from grader.core.files import write
from grader.core.game import oracle
from grader.core.game.board import START, Board
from grader.programs.seen import Course

_FOLDER: Final = "tictactoe-grader/programs"
_MOST_BYTES: Final = 1_000_000
_MOST: Final = 200
"""Programs of one user: those graded last."""

Game = tuple[str, Course]
"""The side of the program, and the boards."""

Key = tuple[tuple[str, ...], str]
"""What was answered before the game, and how squares are typed."""


class Progress:
    """What earlier runs have seen of one program."""

    def __init__(self, files: Folder, how: HowToRun) -> None:
        found = hashlib.sha256(f"{__version__} {how.build} {how.run} {how.answers} {how.squares}".encode())
        for file in files:
            found.update(f"\n{file.name}\n{len(file.content)}\n".encode())
            found.update(file.content)
        self._file = _place(f"{found.hexdigest()[:32]}.json")

    def games(self, key: Key) -> list[Game]:
        """Return the games that were kept for these answers and this way of typing."""
        with suppress(OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            if self._file:
                about = self._file.stat()
                if about.st_uid == os.getuid() and about.st_size <= _MOST_BYTES:
                    data: Any = json.loads(self._file.read_bytes())
                    return [_game(its, boards) for its, boards in data[_name(key)]]
        return []

    def keep(self, found: Iterable[tuple[Key, Sequence[Game]]]) -> None:
        """Keep games, or nothing where none are given."""
        data = {_name(key): [(its, "/".join(path)) for its, path in games] for key, games in found if games}
        with suppress(OSError, UserError):
            if self._file and not data:
                self._file.unlink(missing_ok=True)
            elif self._file:
                self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                write(self._file, json.dumps(data))
                kept = sorted(self._file.parent.glob("*.json"), key=lambda one: -one.stat().st_mtime_ns)
                for old in kept[_MOST:]:
                    old.unlink(missing_ok=True)


def _name(key: Key) -> str:
    answers, scheme = key
    return json.dumps([*answers, scheme])


def _game(its: str, text: str) -> Game:
    """Return a game as it was kept; raise ValueError if it cannot be."""
    course = tuple(map(Board, text.split("/")))
    follows = (after in oracle.successors(before).values() for before, after in pairwise(course))
    if its not in ("X", "O") or course[0] != START or not all(follows):
        raise ValueError(text)
    return its, course


def _place(name: str) -> Path | None:
    """Return where something is kept in the user's cache folder, or None where there is none."""
    root = os.environ.get("XDG_CACHE_HOME") or ""
    with suppress(OSError, RuntimeError):  # nobody is at home
        folder = Path(root) if os.path.isabs(root) else Path.home() / ".cache"  # noqa: PTH117
        return folder / _FOLDER / name if folder.parent.is_dir() else None
    return None
