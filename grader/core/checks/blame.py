"""Find the function to blame for a failure: the one that fails, or one that it relies on.

Each fault is charged once, and per aspect: a function may get its answers wrong because of others, and its
refusals by itself.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field
from itertools import combinations, compress
from typing import Final

from grader.core.asking.client import Client
from grader.core.asking.recalled import NotRecalled, RecalledCopy, TooSlow
from grader.core.asking.reply import Arguments, Raised, Reply, Returned
from grader.core.checks.expected import doubtful, every_call, fault, known_answers
from grader.core.checks.sweep import Sweeper, direct_sweep, fault_of, sweep_order
from grader.core.game import oracle
from grader.core.game.board import Board, empty_cells, is_over, marks
from grader.core.game.oracle import FUNCTIONS, MENDING
from grader.core.values import Frozen

_MOST_TRIALS: Final = 16
_SHARE: Final = 0.5
"""All trials together take at most this part of the budget of a sweep."""

_LATE: Final = 7
"""Boards with this many marks or more come first in a trial. Replacing what changes nothing there ends it."""

_ENOUGH: Final = 0.5
"""The part of all boards that has to be seen before a search without recall is called right."""

Faults = Mapping[str, frozenset[Arguments]]
"""The calls that are wrong, by the aspect in which they are."""


class Blame(Frozen):
    """What was found out about a function: in which aspects it is wrong, and which wrong ones make it so."""

    wrong: tuple[str, ...] = ()
    suspects: tuple[str, ...] = ()
    follows: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    """The aspects in which it is right as soon as those are that it follows."""
    own: Faults = field(default_factory=dict)
    """What is wrong even then."""
    circle: tuple[str, ...] = ()
    """The functions that rely on each other, this one included: none of them follows another."""


class Blamer:
    """Tries the functions of a submission with the grader's own in the place of wrong ones, each once.

    All trials together take a small share of the submission's time.
    """

    def __init__(self, client: Client, sweeper: Sweeper) -> None:
        self._client, self._sweeper = client, sweeper
        self._left = _SHARE * client.limits.sweep_budget
        self._known: dict[str, Blame] = {}
        self._faults: dict[str, Faults] = {}
        self._trials: dict[tuple[str, tuple[str, ...]], Faults | None] = {}
        self._refusals: list[Arguments] = []
        self._wanted: set[str] = set()

    def must_refuse(self, calls: Sequence[Arguments]) -> None:
        """Add calls that `result` has to refuse; it is right only if it does."""
        self._refusals += calls

    def must_follow(self, function: str) -> None:
        """Find the functions that one follows: it is asked for. Others are not tried."""
        self._wanted.add(function)

    def own(self, function: str, aspect: str) -> frozenset[Arguments]:
        """Return the calls that are wrong whatever other functions do, as far as that is asked for."""
        return self.of(function).own.get(aspect, frozenset()) if function in self._wanted else frozenset()

    def explaining(self, function: str, aspect: str) -> tuple[str, ...]:
        """Return the functions that make this one wrong in an aspect, if it is not so by itself."""
        blame = self.of(function) if function in self._wanted else Blame()
        return blame.follows if aspect in blame.restored else ()

    def of(self, function: str) -> Blame:
        """Return what is to blame for a function's faults.

        Follow-through has no circles: functions that need each other to be right are all charged.
        """
        found = self._found(function)
        circle = self._circle(function)
        return Blame(found.wrong, own=self._faults_of(function), circle=circle) if circle else found

    def _circle(self, function: str) -> tuple[str, ...]:
        """Return the functions that follow each other in a circle with this one, or nothing."""
        if function == "minimax" or not self._found(function).follows:  # the rules do not rely on minimax
            return ()
        following = [name for name in MENDING[:-1] if self._found(name).follows]
        circles = {name for name in following if name in self._led_to(name)}
        members = circles | {
            name
            for name in following
            if any(
                self._is_restored(other, (name,), self._found(other).restored) for other in circles - {name}
            )
        }
        if function not in members:
            return ()
        return tuple(
            name
            for name in MENDING
            if name == function
            or (name in members and (name in self._led_to(function) or function in self._led_to(name)))
        )

    def _led_to(self, function: str) -> set[str]:
        """Return the functions that this one follows, itself or through those that it follows."""
        reached: set[str] = set()
        pending = [function]
        while pending:
            new = set(self._found(pending.pop()).follows) - reached
            reached |= new
            pending += new
        return reached

    def _found(self, function: str) -> Blame:
        """Return which functions have to be right for this one to be, whatever makes these wrong.

        A function that is right in a trial, but wrong on boards that those functions cannot affect, has
        detected the trial.
        """
        if function not in self._known:
            found = self._found_once(function)
            if "answers" in found.restored and not self._can_explain(found.follows, function):
                found = Blame(found.wrong, found.suspects, own=self._faults_of(function))
            self._known[function] = found
        return self._known[function]

    def _can_explain(self, follows: Sequence[str], function: str) -> bool:
        """Return whether most wrong answers are on boards from which a wrong call of those can be reached."""
        faults = [self._faults_of(name).values() for name in follows]
        reached = {call[0] for calls in faults for aspect in calls for call in aspect}
        for board in reversed(oracle.boards()):
            if not reached.isdisjoint(oracle.following(board)):
                reached.add(board)
        wrong = self._faults_of(function)["answers"]
        return 2 * sum(call[0] in reached for call in wrong) >= len(wrong)

    def _found_once(self, function: str) -> Blame:
        wrong = tuple(self._faults_of(function))
        if not wrong:
            return Blame()
        suspects = self._suspects(function)
        roots = self._roots(suspects)
        if function == "minimax" and len(suspects) > 1 and self._sweeper.sweep().recalled:
            for name in roots or suspects:  # most often it is one of them, and all is said
                if self._is_restored(function, (name,), wrong):
                    return Blame(wrong, suspects, (name,), wrong, {})
        if roots and roots != suspects and self._tried(function, roots) == {}:
            return Blame(wrong, suspects, self._fewest(function, roots, wrong), wrong, {})
        tried = self._tried(function, suspects) if suspects else None
        if tried is None:
            return Blame(wrong, suspects)
        restored = tuple(aspect for aspect in wrong if aspect not in tried)
        if not restored:
            return Blame(wrong, suspects, own=tried)
        return Blame(wrong, suspects, self._fewest(function, suspects, restored), restored, tried)

    def _fewest(self, function: str, suspects: tuple[str, ...], restored: tuple[str, ...]) -> tuple[str, ...]:
        """Return the fewest of the suspects that have to be right for a function to be."""
        roots = self._roots(suspects)
        if roots != suspects and roots and self._is_restored(function, roots, restored):
            suspects = roots
        sets = [chosen for size in range(1, len(suspects)) for chosen in combinations(suspects, size)]
        tried = (chosen for chosen in sets[:_MOST_TRIALS] if self._is_restored(function, chosen, restored))
        return next(tried, suspects)

    def _is_restored(self, function: str, replaced: Sequence[str], restored: tuple[str, ...]) -> bool:
        found = self._tried(function, replaced, restored)
        return found is not None and not any(aspect in found for aspect in restored)

    def _suspects(self, function: str) -> tuple[str, ...]:
        """Return the wrong functions that this one may call."""
        reach = self._client.outline().reach.get(function, MENDING)
        others = [name for name in MENDING[:-1] if name != function and name in reach]
        return tuple(name for name in others if self._faults_of(name))

    def _roots(self, suspects: Sequence[str]) -> tuple[str, ...]:
        """Return those among wrong functions that are not right as soon as others are."""
        others = {name: self._suspects(name) for name in suspects}
        return tuple(name for name in suspects if not others[name] or self._tried(name, others[name]) != {})

    def _faults_of(self, function: str) -> Faults:
        """Return what is wrong with a function as it is."""
        if function not in self._faults:
            sweep = self._sweeper.sweep() if function == "minimax" else None
            self._faults[function] = (
                _of_minimax(sweep.replies, sweep.faults) if sweep else self._of_rule(self._client, function)
            )
        return self._faults[function]

    def _tried(self, function: str, replaced: Sequence[str], needed: tuple[str, ...] = ()) -> Faults | None:
        """Return what is wrong on every board with the grader's own functions in these places.

        None where too little time was left. It may end as soon as something is wrong in a needed aspect.
        """
        known = function, tuple(replaced)
        if known not in self._trials:
            if self._left <= 0:
                return None
            if function == "minimax":
                found = self._tried_minimax(replaced, needed)
                if found and needed:  # its trial may have ended early
                    return found
            else:
                with self._client.mended(replaced) as copy:
                    found = self._of_rule(copy, function)
                    self._count(copy)
            self._trials[known] = found
        return self._trials[known]

    def _of_rule(self, client: Client, function: str) -> Faults:
        boards = FUNCTIONS[function].domain.members()
        calls = every_call(function, boards)
        found: dict[str, list[Arguments]] = {}
        if not client.is_right(function, calls):
            replies = client.ask(function, calls)
            asked = doubtful(function, boards, replies)
            found["answers"] = [call for call, reply in asked if not _is_right(function, call, reply)]
            found["board"] = _touched(asked, replies)
            if all(isinstance(reply, Returned) and reply.value is None for reply in replies):
                found["board"] = [call for call, _ in asked]  # it does nothing, so it shows nothing
        if function == "result":
            found["refusals"] = self._accepted(client)
        return _wrong(found)

    def _accepted(self, client: Client) -> list[Arguments]:
        """Return what `result` has to refuse and does not, or does only because it refuses everything."""
        replies = client.ask("result", self._refusals)
        accepted = [not isinstance(reply, Raised) for reply in replies]
        if not client.is_right("result", every_call("result", FUNCTIONS["result"].domain.members())):
            valid = client.ask("result", [(call[0], empty_cells(call[0])[0]) for call in self._refusals])
            accepted = [
                is_accepted or isinstance(reply, Raised)
                for is_accepted, reply in zip(accepted, valid, strict=True)
            ]
        return list(compress(self._refusals, accepted))

    def _tried_minimax(self, replaced: Sequence[str], needed: tuple[str, ...]) -> Faults | None:
        known = known_answers(self._client, replaced)
        copy = RecalledCopy(self._client, sweep_order(), replaced, self._left, known)
        replies: dict[Board, Reply] = {}
        faults: list[Board] = []
        try:
            for board, reply in copy.answers():
                if marks(board) < marks(next(reversed(replies), board)) <= _LATE:
                    found, before = _of_minimax(replies, faults), self._faults_of("minimax")
                    if len(found) == len(before) and found == _on(replies, before):
                        return before  # the trial changes nothing on these boards
                replies[board] = reply
                wrong = _wrong_in(board, reply)
                faults += [board] if wrong and wrong[0] != "board" else []
                if any(aspect in needed for aspect in wrong):
                    break
            return _of_minimax(replies, faults)
        except TooSlow:
            return None
        except NotRecalled:
            return self._tried_without_recall(replaced)
        finally:
            copy.close()
            self._count(copy)

    def _count(self, copy: Client | RecalledCopy) -> None:
        """Count what a trial has taken."""
        self._left -= copy.spent
        self._client.seconds += copy.seconds

    def _tried_without_recall(self, replaced: Sequence[str]) -> Faults | None:
        """Return what is wrong with minimax on as many boards as there is time for, without recall."""
        with self._client.mended(replaced) as copy:
            sweep = direct_sweep(copy, "", self._left)
            self._count(copy)
        return _of_minimax(sweep.replies, sweep.faults) if sweep.seen(sweep_order()) >= _ENOUGH else None


def _of_minimax(replies: Mapping[Board, Reply], faults: Iterable[Board]) -> Faults:
    """Return what is wrong with the moves on boards; without any move, changes of the board are unknown."""
    found: dict[str, list[Arguments]] = {"answers": [], "end": []}
    for board in faults:
        found["end" if is_over(board) else "answers"].append((board,))
    moves = any(isinstance(reply, Returned) and not is_over(board) for board, reply in replies.items())
    touched = (board for board, reply in replies.items() if not moves or getattr(reply, "changed", False))
    return _wrong({**found, "board": [(board,) for board in touched]})


def _on(boards: Collection[Board], faults: Faults) -> Faults:
    """Return the faults on some of the boards."""
    return _wrong({aspect: [call for call in calls if call[0] in boards] for aspect, calls in faults.items()})


def _wrong_in(board: Board, reply: Reply) -> list[str]:
    """Return the aspects in which a move is wrong."""
    wrong = ["end" if is_over(board) else "answers"] if fault_of(board, reply) else []
    return [*wrong, "board"] if getattr(reply, "changed", False) else wrong


def _touched(asked: Iterable[tuple[Arguments, Reply]], replies: Iterable[Reply]) -> list[Arguments]:
    """Return the calls that changed the board; all of them where none gives an answer."""
    if not any(isinstance(reply, Returned) for reply in replies):
        return [call for call, _ in asked]
    return [call for call, reply in asked if isinstance(reply, Returned | Raised) and reply.changed]


def _wrong(found: Mapping[str, Iterable[Arguments]]) -> Faults:
    return {aspect: frozenset(calls) for aspect, calls in found.items() if calls}


def _is_right(function: str, call: Arguments, reply: Reply) -> bool:
    """Return whether a reply is the right one."""
    action = call[1] if len(call) == 2 else None
    return isinstance(reply, Returned) and fault(function, call[0], action, reply.value) is None  # type: ignore[arg-type]
