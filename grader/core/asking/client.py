"""The client: the judge's handle on one submission, whatever becomes of its workers.

Every call has a deadline. A call that hangs, dies or breaks the protocol costs its own answer; the next one
gets a fresh worker. A function that does so too often is asked no more, so grading always ends. Questions can
be sent ahead: the worker then answers them while the judge is busy with others.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import islice
from typing import Final

from grader.core.asking import reply
from grader.core.asking.patience import Patience
from grader.core.asking.reply import Arguments, Calls, Lost, Missing, Reply, Returned, packed, right_reply
from grader.core.asking.worker import (
    MAX_WALK,
    NONE,
    Allowance,
    Opens,
    Packages,
    Walked,
    WalkQuestions,
    Worker,
    WorkerLost,
    breach,
    replies_in,
    seconds_in,
    walked_of,
)
from grader.core.course.rubric import Limits
from grader.core.course.submission import Submission
from grader.core.game.board import Board, is_over, marks
from grader.core.grade import Boundary

PATIENCE: Final = 0.025
"""Seconds that a worker may collect quick answers before it sends them."""

_FULL: Final = 4
"""Marks on a board that no search is too slow for: one that gives no answer there hangs."""

_MISSING: Final = Missing()


class Client(Worker):
    """Asks one submission, remembers its replies, and never lets it near the judge."""

    def __init__(
        self,
        submission: Submission,
        limits: Limits,
        opens: Opens,
        packages: Packages = NONE,
        *,
        allowance: Allowance | None = None,
        replace: Sequence[str] = (),
        wary: Collection[str] = (),
    ) -> None:
        """Open a client; `replace` names functions of the grader's, `wary` those with a single try."""
        allowance = allowance or Allowance(limits.total)
        super().__init__(submission, limits, opens, packages, allowance, replace=replace)
        self.seconds = 0.0
        self.boundary: Boundary | None = None
        """What the submission runs in, if the code that opened the client has set it."""
        self.patience = Patience(limits, allowance, wary)
        self._one_by_one = bool(wary)
        self._ahead: dict[str, tuple[str, Calls]] = {}
        self._right: dict[str, Calls] = {}
        """What was sent ahead and answered right, byte for byte: answers are decoded when they are needed."""
        self._answers: defaultdict[str, dict[Arguments, Reply]] = defaultdict(dict)
        self._asked: dict[tuple[str, int], tuple[Sequence[Arguments], list[Reply]]] = {}

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process, if there is one, and forget what was sent ahead."""
        self._ahead.clear()
        super().close()

    def mended(self, functions: Sequence[str]) -> "Client":
        """Return a client for a copy with the grader's own functions in these places, in the same time."""
        given = self.submission, self.limits, self.opens, self.packages
        copy = Client(*given, allowance=self.allowance, replace=functions, wary=self.patience.silent)
        copy._outline = self.outline()
        return copy

    def foresee(self, questions: Mapping[str, Calls]) -> None:
        """Send questions ahead, by function; `ask` finds them answered."""
        for function, calls in questions.items():
            if function not in self._ahead and not self.load_failure() and not self.allowance.used_up:
                token = self.post("ask", function, calls.packed, PATIENCE)
                self._ahead[function] = token, calls

    def ask(self, function: str, calls: Sequence[Arguments]) -> list[Reply]:
        """Return the reply to each call; a call asked before is not asked again."""
        before = self._asked.get((function, id(calls)))
        if before and before[0] is calls:
            return before[1]
        replies = self.known(function, calls)  # nearly always, for they were sent ahead
        if replies is None:
            self._ask(function, calls, self.limits.deadline, math.inf)
            replies = self.known(function, calls)
            assert replies is not None
        self._asked[function, id(calls)] = calls, replies
        return replies

    def known(self, function: str, calls: Sequence[Arguments]) -> list[Reply] | None:
        """Return the replies to calls that have all been asked before, or None."""
        self._collect(function)
        replies = list(map(self._answers[function].get, calls))
        if function in self._right and not all(replies):
            replies = list(map(self._known_reply(function), calls))
        return replies if all(replies) else None  # type: ignore[return-value]

    def _known_reply(self, function: str) -> Callable[[Arguments], Reply | None]:
        """Return a function that looks up the reply to a call of a function."""
        answers, right = self._answers[function].get, self._right_answers(function)
        if not right:
            return answers
        return lambda call: answers(call) or (right_reply(known) if (known := right.get(call)) else None)

    def _right_answers(self, function: str) -> Mapping[Arguments, bytes | None]:
        """Return the right answers of a function that has given all of them, else nothing."""
        return self._right[function].right if function in self._right else {}

    def is_right(self, function: str, calls: Sequence[Arguments]) -> bool:
        """Return whether a list of calls was sent ahead, and every answer is right, byte for byte."""
        self._collect(function)
        return function in self._right and any(calls is known for known in self._right[function].lists)

    def ask_within(
        self, function: str, boards: Sequence[Board], seconds: float, deadline: float, kind: str = ""
    ) -> dict[Board, Reply]:
        """Return the replies to as many of the calls, one a board, as can be had within a time.

        Calls that hang or die on boards of a named kind are counted apart: others of it are then given up.
        """
        calls: list[Arguments] = [(board,) for board in boards]
        self._ask(function, calls, deadline, self.spent + seconds, kind)
        known = map(self._known_reply(function), calls)
        return {board: reply for board, reply in zip(boards, known, strict=True) if reply}

    def is_silent(self, function: str) -> bool:
        """Return whether a function was given up without an answer."""
        return function in self.patience.silent

    def lost(self, function: str) -> dict[Board, Reply]:
        """Return the running boards on which a function lost its worker."""
        return {
            call[0]: reply
            for call, reply in self._answers[function].items()
            if isinstance(reply, Lost) and reply.asked and not is_over(call[0])
        }

    def forget(self, function: str, board: Board) -> None:
        """Forget the reply on a board: it may be asked again."""
        self._answers[function].pop((board,), None)

    def _ask(
        self, function: str, calls: Sequence[Arguments], deadline: float, end: float, kind: str = ""
    ) -> None:
        """Ask what has not been asked before, until the end is reached."""
        self._collect(function)
        answers = self._answers[function]
        right = self._right_answers(function)
        pending = [call for call in dict.fromkeys(calls) if call not in answers and not right.get(call)]
        while pending and self.spent < end:
            nothing = self._not_asked(function, kind)
            if nothing:
                answers.update(dict.fromkeys(pending, nothing))
                return
            patience = 0.0 if self._one_by_one else PATIENCE
            token = self.post("ask", function, packed(pending), patience)
            pending = self._read(function, pending, token, deadline, end, kind)

    def _not_asked(self, function: str, kind: str = "") -> Reply | None:
        """Return why a function cannot be asked; if it can be, a worker is loaded and free to answer.

        What was sent ahead is read before, for it may take the worker along; to load another takes its time.
        """
        self._collect()
        given_up = self.patience.given_up
        return given_up(function, kind) or self.load_failure() or given_up(function, kind)

    def _collect(self, function: str | None = None) -> None:
        """Read what was sent ahead, as far as a function needs it, or all of it."""
        while self._ahead and (function is None or function in self._ahead):
            name = next(iter(self._ahead))
            token, calls = self._ahead.pop(name)
            self._read(name, calls.arguments, token, self.limits.deadline, math.inf, sent_ahead=calls)

    def _read(  # noqa: PLR0917
        self,
        function: str,
        calls: list[Arguments],
        token: str,
        deadline: float,
        end: float,
        kind: str = "",
        sent_ahead: Calls | None = None,
    ) -> list[Arguments]:
        """Read the replies to calls until all are there, the worker is lost, or the end is reached.

        Return the calls that are still open.
        """
        answers, answered = self._answers[function], 0
        right, as_expected = list(sent_ahead.right.values()) if sent_ahead else [], 0
        is_right = len(right) > 0
        started = self.spent
        own_time = end == math.inf  # not a time that the caller has set
        if own_time:
            end = started + self.patience.left(function)
        try:
            for payloads in self.replies(token, deadline):
                if answered == len(calls):
                    self.seconds += seconds_in(payloads[0])
                    self.note(reply.data_of(payloads[0])[2])
                    if sent_ahead and is_right:
                        self._right[function], as_expected = sent_ahead, 0
                    return []
                expected = right[answered : answered + len(payloads)] if is_right else []
                numbers, is_right = _to_decode(payloads, expected)
                as_expected += len(payloads) * is_right
                replies = replies_in([payloads[number] for number in numbers])
                if not answered and replies[:1] == [_MISSING]:
                    answers.update(dict.fromkeys(calls, _MISSING))
                    return []
                if answered + len(payloads) > len(calls):
                    raise breach()
                asked = calls[answered : answered + len(payloads)]
                answers.update(zip([asked[number] for number in numbers], replies, strict=True))
                self._hear(function, asked)
                answered += len(payloads)
                self.patience.mark_answered(kind or function, returned=len(numbers) < len(payloads))
                if self.patience.ran_out(kind or function, replies) or self.spent >= end:
                    self.close()
                    return calls[answered:]
        except WorkerLost as lost:
            self.close()
            is_known = self._one_by_one or len(calls) - answered == 1
            self._one_by_one = True
            self._count(function, calls[answered:], lost, by_known_call=is_known)
            if not is_known:  # answers were still on their way: find out which call it was
                return calls[answered:]
            strike = self.patience.strike(kind or function, lost)
            if answered < len(calls):
                answers[calls[answered]] = strike
        finally:
            known = zip(calls[:as_expected], right[:as_expected], strict=True)
            answers.update((call, right_reply(payload)) for call, payload in known if payload)
            if own_time:
                self.patience.spend(function, self.spent - started)
        return calls[answered + 1 :]

    def _count(
        self, function: str, calls: Sequence[Arguments], lost: WorkerLost, *, by_known_call: bool = False
    ) -> None:
        """Count a lost worker, unless minimax may only be slow, or was lost on a finished board."""
        if function == "minimax" and not self.is_silent(function):
            boards = [call[0] for call in calls]
            if not boards or is_over(boards[0]) or min(map(marks, boards)) < _FULL:
                return
        self.patience.lose(function, lost, by_known_call=by_known_call)

    def _hear(self, function: str, calls: Sequence[Arguments]) -> None:
        """Remember that calls were answered; that minimax says nothing on a finished board is no answer."""
        if function != "minimax" or not all(is_over(call[0]) for call in calls):
            self.patience.mark_not_silent(function)

    def ask_again(self, function: str, calls: Sequence[Arguments]) -> list[Reply]:
        """Make calls in one process, whatever they were answered before; return the replies there are."""
        if self._not_asked(function):
            return []
        replies: list[Reply] = []
        try:
            token = self.post("ask", function, packed(list(calls)), PATIENCE)
            for payloads in self.replies(token, self.limits.deadline):
                if len(replies) == len(calls):
                    self.seconds += seconds_in(payloads[0])
                    break
                replies += replies_in(payloads)
        except WorkerLost as lost:
            self.close()
            self._count(function, calls, lost)
            replies.append(self.patience.strike(function, lost))
        return replies

    def timed(self, function: str, boards: Sequence[Board], deadline: float) -> float | None:
        """Return the seconds that calls take, of processor time; None when one of them gives no answer."""
        if self._not_asked(function):
            return None
        calls: list[Arguments] = [(board,) for board in boards]
        count, before = 0, self.spent
        try:
            token = self.post("ask", function, packed(calls), PATIENCE)
            for payloads in self.replies(token, deadline):
                if count == len(calls):
                    self.seconds += seconds_in(payloads[0])
                    return self.spent - before
                if not all(isinstance(reply, Returned) for reply in replies_in(payloads)):
                    break
                count += len(payloads)
        except WorkerLost:
            pass
        self.close()
        return None

    def walks(self, questions: WalkQuestions, deadline: float | None = None) -> list[Walked]:
        """Return how minimax searches for its move on each board; a loss ends the list.

        Each search is done by a fresh copy of the file, in which the given values stand in for `utility`.
        """
        nothing = self._not_asked("minimax", kind="a search that is watched")
        if nothing:
            return [Walked(nothing, {})]
        found = list[Walked]()
        try:
            replies = self.replies(self.post("walk", *questions), deadline or self.limits.deadline, MAX_WALK)
            found += map(walked_of, islice(replies, len(questions.boards)))
            self.patience.mark_not_silent("minimax")
        except WorkerLost as lost:
            self.close()
            self._count("minimax", [(board,) for board, _ in questions.boards[len(found) :]], lost)
            found.append(Walked(Lost(lost.loss, lost.detail), {}))
        self.seconds += sum(walked.seconds for walked in found)
        return found

    def call(self, function: str, *arguments: object) -> Reply:
        """Return the reply to one call with any plain arguments; nothing is remembered."""
        nothing = self._not_asked(function)
        if nothing:
            return nothing
        try:
            token = self.post("call", function, list(arguments))
            return replies_in(next(self.replies(token, self.limits.deadline)))[0]
        except WorkerLost as lost:
            self.close()
            return self.patience.strike(function, lost)


def _to_decode(payloads: list[bytes], right: list[bytes | None]) -> tuple[Sequence[int], bool]:
    """Return the numbers of the payloads that have to be decoded, and whether all others are right."""
    if payloads == right:
        return (), True
    pairs = zip(payloads, right, strict=False)
    others = [number for number, (payload, known) in enumerate(pairs) if payload != known]
    if len(payloads) == len(right) and all(right[number] is None for number in others):
        return others, True
    return range(len(payloads)), False
