"""The sweep: minimax is asked about every board, by the copy that remembers if possible.

No wrong answer of that copy is shown before the untouched submission has given it too; all those that are
cheap are asked again, and some with each number of marks, and a sample of its right answers as well. On any
difference its answers are dropped. Where the copy cannot answer, or not in time, the submission itself is
asked: first a few boards with each number of marks, then as many as the budget allows. Answers are weighed by
the number of marks, so that neither the order of the boards nor how quick the cheap ones are decides a score.
"""

import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from functools import cache, cached_property
from itertools import accumulate, chain, groupby
from typing import Final

from grader.core.asking.client import Client
from grader.core.asking.patience import FINISHED, FIRST_MOVE
from grader.core.asking.recalled import NotRecalled, RecalledCopy, TooSlow
from grader.core.asking.reply import Loss, Lost, Missing, NotLoaded, Raised, Reply, Returned
from grader.core.checks.expected import fault, known_answers, moves_by_reply
from grader.core.checks.reasons import Reason, because
from grader.core.game import oracle
from grader.core.game.board import CELLS, START, Action, Board, as_action, empty_cells, marks
from grader.core.messages import _, ngettext
from grader.core.values import Frozen

_SAMPLE: Final = 32
"""Right answers of the copy that are asked again."""

_SILENT: Final = 100
"""Running boards without a single answer, after which a spread over the whole game decides."""

_RECALL: Final = 0.5
"""The part of the budget that a copy with recall may take."""

_CHEAP: Final = 200
"""Nodes of a full search below which a right answer may be asked again."""

_SECOND_LOOK: Final = 8_000
"""Nodes of full searches for which wrong answers are asked again, the cheapest first: about 0.2 seconds.

Counted in nodes and not in seconds, so that the same submission gets the same grade each time."""

_SECOND_FAILURES: Final = 20
"""Boards without an answer that are asked again. An exception is never remembered, so a sample will do."""

_SPREAD: Final = 6
"""Boards of the spread with each number of marks."""

_SPREAD_PART: Final = 0.1
"""The part of the budget for the boards of the spread with one number of marks, beside the first."""

_ENDS: Final = 0.25
"""The part of the budget that finished boards may take: they need no search."""

_GROUP: Final = 1 / 3
"""The part of what is left of the budget that boards with one number of marks may take."""

_HOPELESS: Final = 1.2
"""A board is not asked if it would take so many times the deadline, at the pace of those before it."""

_MIDDLE: Final = (4, 5)
"""Marks on the boards from which games are played on: it is X's turn on some, and O's on others."""

_NOTHING: Final = because("nothing")


class SweepReplies(Frozen):
    """What minimax answers on every board that was asked, and how that was found out."""

    replies: dict[Board, Reply]
    """Of the boards that were asked, and of no other."""
    seconds: float
    recalled: bool
    why_plain: str = ""
    unconfirmed: frozenset[Board] = frozenset()
    """Wrong answers of the copy with recall that were not asked for again: they count, and are not shown."""
    silent: bool = False
    """Whether none of a spread over the whole game was answered, so that nothing more was asked."""
    stopped: str = ""
    """Why boards were left out."""
    faults: dict[Board, Reason] = field(default_factory=dict)
    again: dict[Board, Reply] = field(default_factory=dict)
    """Second answers of a file that keeps state, in games that were played on in one process."""

    @cached_property
    def unsteady(self) -> dict[Board, Reply]:
        """Second answers that are wrong where the first ones are right."""
        return {
            board: reply
            for board, reply in self.again.items()
            if board not in self.faults and fault_of(board, reply)
        }

    @property
    def steady_share(self) -> float:
        """The share of second answers that are as right as the first ones."""
        return 1 - len(self.unsteady) / len(self.again) if self.again else 1.0

    def asked(self, boards: tuple[Board, ...]) -> tuple[Board, ...]:
        """Return those among these boards that were asked."""
        return boards if self.is_whole else tuple([board for board in boards if board in self.replies])

    def seen(self, boards: Iterable[Board]) -> float:
        """Return the share of these boards of whose kind, by the number of marks, at least one was asked."""
        if self.is_whole or self.silent:  # and where nothing was answered, nothing more is to be seen
            return 1.0
        boards = list(boards)
        total = Counter(map(marks, boards))
        asked = set(map(marks, filter(self.replies.__contains__, boards)))
        return sum(total[kind] for kind in asked) / total.total() if total else 0.0

    def right_share(self, boards: tuple[Board, ...], wrong: Sequence[Board]) -> float:
        """Return the share of right answers, each number of marks weighed by how many boards have it."""
        total, faults = Counter(map(marks, boards)), Counter(map(marks, wrong))
        asked = Counter(map(marks, self.asked(boards)))
        right = sum(total[kind] * (1 - faults[kind] / asked[kind]) for kind in asked)
        return right / sum(total[kind] for kind in asked)

    @cached_property
    def is_whole(self) -> bool:
        """Whether every board there is was asked."""
        return len(self.replies) == len(oracle.boards())

    @property
    def absent(self) -> Missing | NotLoaded | None:
        """Why there is no minimax to ask, if so: it is the reply on every board."""
        first = next(iter(self.replies.values()), None)
        return first if isinstance(first, Missing | NotLoaded) else None

    @cached_property
    def policy(self) -> dict[Board, Action | None]:
        """The move on each running board that was asked, None where no legal one was given."""
        moves, following = moves_by_reply(), oracle.following
        return {
            board: action
            if (action := moves.get(id(reply))) in empty_cells(board)
            else legal_move(board, reply)
            for board, reply in self.replies.items()
            if following(board)
        }

    @cached_property
    def needs_threads(self) -> bool:
        """Whether every running board that was asked needs threads, which the grader does not allow."""
        return bool(self.policy) and need_threads(map(self.replies.__getitem__, self.policy))

    @cached_property
    def never_moves(self) -> bool:
        """Whether boards were asked, and no running one has a legal move for an answer: none is to come."""
        return not self.absent and bool(self.policy) and not any(self.policy.values())

    def how(self) -> str:
        """Return how the answers were obtained, for the reason of a verdict."""
        asked, seconds, why = len(self.replies), self.seconds, self.why_plain
        if self.recalled:
            return ngettext(
                "{count:,} boards asked in {seconds:.1f} s, with recall",
                "{count:,} boards asked in {seconds:.1f} s, with recall",
                asked,
                seconds=seconds,
            )
        if why:
            return ngettext(
                "{count:,} boards asked in {seconds:.1f} s, without recall: {why}",
                "{count:,} boards asked in {seconds:.1f} s, without recall: {why}",
                asked,
                seconds=seconds,
                why=why,
            )
        return ngettext(
            "{count:,} boards asked in {seconds:.1f} s",
            "{count:,} boards asked in {seconds:.1f} s",
            asked,
            seconds=seconds,
        )


def legal_move(board: Board, reply: Reply) -> Action | None:
    """Return the legal move that a reply is, or None."""
    action = as_action(reply.value) if isinstance(reply, Returned) else None
    return action if action in oracle.successors(board) else None


def was_asked(reply: Reply) -> bool:
    """Return whether a reply is one: after too many calls without an answer no more are asked."""
    return not isinstance(reply, Lost) or reply.asked


def count_asked(replies: Sequence[Reply]) -> int:
    """Return how many of some replies are one."""
    return sum(map(was_asked, replies)) if Lost in set(map(type, replies)) else len(replies)


def need_threads(replies: Iterable[Reply]) -> bool:
    """Return whether every call needs threads; what fails so on some boards alone is just wrong."""
    return all(isinstance(reply, Raised) and reply.needs_threads for reply in replies)


@cache
def can_go_wrong(board: Board) -> bool:
    """Return whether a legal answer can be wrong: on many boards every move is as good as any other."""
    after = oracle.following(board)
    return not after or len(oracle.optimal_cells()[board]) < len(after)


def fault_of(board: Board, reply: Reply) -> Reason | None:
    """Return what is wrong with minimax's reply on a board, or None."""
    if _sign_of().get(id(reply), "?") in oracle.optimal_cells()[board]:
        return None
    return fault("minimax", board, None, reply.value) if isinstance(reply, Returned) else _NOTHING


def faults_of(replies: dict[Board, Reply]) -> dict[Board, Reason]:
    """Return the boards on which a reply is wrong, with what is wrong."""
    signs, optimal = _sign_of(), oracle.optimal_cells()
    doubtful = [board for board, reply in replies.items() if signs.get(id(reply), "?") not in optimal[board]]
    return {board: found for board in doubtful if (found := fault_of(board, replies[board]))}


@cache
def _sign_of() -> dict[int, str]:
    """Return each move's number as the oracle writes it, and - for None, by the identity of the reply."""
    return {key: str(CELLS.index(move)) if move else "-" for key, move in moves_by_reply().items()}


class Sweeper:
    """Asks minimax about every board, once, when the first check needs it."""

    def __init__(self, client: Client, recall: bool = True) -> None:
        self._client = client
        self._recall = recall
        self._sweep: SweepReplies | None = None

    def sweep(self) -> SweepReplies:
        """Return the sweep of the submission."""
        if self._sweep is None:
            sweep = self._swept()
            may_keep_state = not (sweep.recalled or sweep.silent or sweep.absent)
            self._sweep = replace(sweep, again=_played_on(self._client, sweep)) if may_keep_state else sweep
        return self._sweep

    def recalled_reply(self, board: Board) -> Reply | None:
        """Return what minimax returned or raised on a board if it was swept with recall; sweep if need be."""
        if not self._recall or oracle.unreachable(board):
            return None
        sweep = self.sweep()
        reply = sweep.replies.get(board) if sweep.recalled else None
        return reply if isinstance(reply, Returned | Raised) else None

    def confirms(self, board: Board) -> bool:
        """Return whether the submission itself gives the same wrong answer; it is asked if need be."""
        sweep, budget = self.sweep(), self._client.limits.sweep_budget
        if board not in sweep.unconfirmed:
            return True
        again = self._client.ask_within("minimax", [board], budget, budget)
        return board in again and _agree(board, sweep.replies[board], again[board], by_chance=False)

    def _swept(self) -> SweepReplies:
        failure = self._client.load_failure()
        if failure:
            replies: dict[Board, Reply] = dict.fromkeys(oracle.boards(), failure)
            return SweepReplies(replies, 0.0, False, failure.why, faults=faults_of(replies))
        if not self._recall:
            return direct_sweep(self._client, _("switched off"))
        if self._client.is_silent("minimax"):
            return direct_sweep(self._client, _("it gave no answer"))
        if not self._client.looks_runnable():  # its source could not be read whole, and yet it runs
            return direct_sweep(self._client, _("its source cannot be read"))
        seconds = _RECALL * self._client.limits.sweep_budget
        copy = RecalledCopy(self._client, sweep_order(), seconds=seconds, known=known_answers(self._client))
        try:
            return self._recalled(copy)
        except NotRecalled as why:
            return direct_sweep(self._client, str(why))
        finally:
            copy.close()

    def _recalled(self, copy: RecalledCopy) -> SweepReplies:
        """Return what the copy with recall answers; raise NotRecalled where it cannot stand for the file."""
        replies: dict[Board, Reply] = {}
        started = time.perf_counter()
        asked, is_answered, is_late = 0, False, False
        try:
            for boards, found in copy.batches():
                replies.update(zip(boards, found, strict=True))
                if is_answered:
                    continue
                running = [
                    reply for board, reply in zip(boards, found, strict=True) if oracle.following(board)
                ]
                asked += len(running)
                is_answered = any(isinstance(reply, Returned) for reply in running)
                if asked >= _SILENT and not is_answered:
                    if nothing := silent_sweep(self._client):
                        return nothing
                    is_answered = True
        except TooSlow:
            if 2 * len(replies) < len(oracle.boards()):
                raise
            is_late = True
        self._client.seconds += copy.seconds
        sweep = _second_look(self._client, replies, time.perf_counter() - started)
        if not is_late or not sweep.recalled:
            return sweep
        return direct_sweep(self._client, "", self._client.limits.sweep_budget - copy.spent, sweep)


@cache
def sweep_order() -> tuple[Board, ...]:
    """Return all boards, the fullest first: each answer then needs but one move more than is remembered."""
    return oracle.boards()[::-1]


def _second_look(client: Client, replies: dict[Board, Reply], seconds: float) -> SweepReplies:
    """Ask the untouched submission for every wrong answer and some right ones; return what both say."""
    faults = faults_of(replies)
    signs = _sign_of()
    others = {board: reply for board, reply in replies.items() if id(reply) not in signs}
    changed = [board for board, reply in others.items() if getattr(reply, "changed", False)]
    silent = [board for board, reply in others.items() if not isinstance(reply, Returned)]
    right = [board for board in _cheap_boards() if board in replies and board not in faults]
    sample = right[:: max(1, len(right) // _SAMPLE)]
    by_chance = not client.outline().imported.isdisjoint(("random", "secrets"))
    wrong = {*faults, *changed}.difference(silent[_SECOND_FAILURES:])
    doubtful = _of_each_kind_first(wrong)
    budget = client.limits.sweep_budget
    again = client.ask_within(
        "minimax", sample + doubtful, budget, client.limits.deadline, kind="a second look"
    )
    if wrong and not doubtful:  # only dear ones are in doubt, and one at least has to be confirmed
        again |= client.ask_within("minimax", sorted(wrong, key=oracle.tree_size), budget, budget)
    if not all(_agree(board, replies[board], reply, by_chance) for board, reply in again.items()):
        return direct_sweep(client, _("its copy with recall answered differently"))
    unconfirmed = frozenset(board for board in wrong if board not in again)
    return SweepReplies(replies, seconds, True, unconfirmed=unconfirmed, faults=faults)


@cache
def _cheap_boards() -> tuple[Board, ...]:
    """Return the boards that any search answers at once, in the order of the sweep."""
    return tuple(board for board in sweep_order() if oracle.tree_size(board) < _CHEAP)


def _of_each_kind_first(wrong: set[Board]) -> list[Board]:
    """Return boards to ask again, as many as may be: one with each number of marks, then the cheapest."""
    cheapest = sorted(wrong, key=lambda board: (oracle.tree_size(board), board))
    firsts = list({marks(board): board for board in reversed(cheapest)}.values())[::-1]
    ordered = [board for board in dict.fromkeys(firsts + cheapest) if oracle.tree_size(board) < _SECOND_LOOK]
    return ordered[: bisect_right(list(accumulate(map(oracle.tree_size, ordered))), _SECOND_LOOK)]


def _agree(board: Board, recalled: Reply, again: Reply, by_chance: bool) -> bool:
    """Return whether copy and submission say the same: equal values, no answer either, or equal luck."""
    if not isinstance(recalled, Returned):
        return not isinstance(again, Returned)
    return recalled == again or (by_chance and not fault_of(board, recalled) and not fault_of(board, again))


def direct_sweep(
    client: Client, why: str, budget: float | None = None, known: SweepReplies | None = None
) -> SweepReplies:
    """Ask the submission itself: the spread, all ends, then what can go wrong, then the rest.

    What a copy with recall has answered before its time was up need not be asked again; `why` says why
    there is none.
    """
    asking = _Asking(client, client.limits.sweep_budget if budget is None else budget, known)
    asking.ask_spread()
    asking.ask_ends()
    asking.ask_first_move()
    if not asking.is_silent:
        for telling in (True, False):
            for group in groups(over=False):
                asking.ask_group([board for board in group if can_go_wrong(board) is telling])
    return asking.swept(why)


def _played_on(client: Client, sweep: SweepReplies) -> dict[Board, Reply]:
    """Play games to their ends, all in one process; return the answers to each position, a wrong one if any.

    Each game is played twice: first minimax plays one side, then both, so that it is asked about boards one
    move and two moves apart, and a second time. What a file keeps from one call to the next shows in these.
    Games begin in the middle; where the first move was quick enough to be seen, at the start as well.
    """
    middle = chain(*(spread(group) for group in groups(over=False) if marks(group[0]) in _MIDDLE))
    answers: dict[Board, Reply] = {}
    for start in (*middle, *([START] if START in sweep.replies else [])):
        for both_sides in (False, True):
            board, mine = start, True
            while oracle.following(board):
                action: Action | None = min(oracle.optimal_actions(board))
                if mine or both_sides:
                    replies = client.ask_again("minimax", [(board,)])
                    if not replies:
                        return answers
                    reply = replies[0]
                    if board not in answers or not fault_of(board, answers[board]):
                        answers[board] = reply
                    action = legal_move(board, reply)
                if action is None:
                    break
                board, mine = oracle.successors(board)[action], not mine
    return answers


def silent_sweep(client: Client) -> SweepReplies | None:
    """Return the sweep of a submission that answers nothing from the first move to the last, or None."""
    asking = _Asking(client, client.limits.sweep_budget)
    asking.ask_spread()
    if not asking.is_silent:
        return None
    asking.ask_ends()
    asking.ask_first_move()
    return asking.swept("")


@cache
def groups(over: bool) -> tuple[tuple[Board, ...], ...]:
    """Return the finished boards, or the running ones, by their number of marks: the fullest first."""
    boards = oracle.finished() if over else oracle.running()
    return tuple(tuple(group) for _, group in groupby(reversed(boards), key=marks))


@cache
def spread(group: tuple[Board, ...]) -> tuple[Board, ...]:
    """Return several boards of a group, evenly chosen."""
    return tuple(group[at * len(group) // _SPREAD] for at in range(_SPREAD)) if len(group) > 1 else group


class _Asking:
    """Asks one submission for its moves, within a budget of seconds, and keeps the pace of its answers.

    A board for which the file is merely too slow is not a fault and not an answer: it was not seen. One on
    which it hangs, is.
    """

    def __init__(self, client: Client, budget: float, known: SweepReplies | None = None) -> None:
        self._client, self._budget, self._deadline = client, budget, client.limits.deadline
        self._started, self._before = time.perf_counter(), client.spent
        self._paces: dict[int, float] = {}
        self._hung = 0.0
        self._stopped = ""
        self._known = known
        self.replies: dict[Board, Reply] = dict(known.replies) if known else {}

    @property
    def is_silent(self) -> bool:
        """Whether no running board has been answered."""
        answered = (board for board, reply in self.replies.items() if isinstance(reply, Returned))
        return not any(map(oracle.following, answered))

    def ask_spread(self) -> None:
        """Ask a few boards with each number of marks, under the deadline of a call.

        Where nothing has been answered yet and the first of them hangs or dies, one is enough; after a few
        of these, only the first move is asked: the others take more. A file that was given up is asked none.
        """
        for group in groups(over=False):
            if self._client.is_silent("minimax"):
                return
            first, *others = spread(group)
            lost = sum(isinstance(reply, Lost) for reply in self.replies.values())
            if self.is_silent and lost >= self._client.limits.strikes and first != START:
                continue
            self._ask(self._affordable([first], min(_HOPELESS * self._deadline, self._left)))
            reply = self.replies.get(first)
            if reply is None or isinstance(reply, Missing | NotLoaded):  # too slow, and so are those to come
                return
            if not (isinstance(reply, Lost) and self.is_silent):
                self._ask(self._affordable(others, _SPREAD_PART * self._budget))

    def ask_ends(self) -> None:
        """Ask all finished boards; where it hangs or dies on all with one number of marks, no others."""
        end = self._client.spent + _ENDS * self._budget
        for group in groups(over=True):
            self._ask(group, end - self._client.spent)
            replies = [self.replies[board] for board in group if board in self.replies]
            if replies and all(isinstance(reply, Lost) for reply in replies):
                return

    def ask_first_move(self) -> None:
        """Ask the empty board of a file that was given up: some know that one move by heart."""
        if self._client.is_silent("minimax"):
            self.replies = self._client.lost("minimax") | self.replies
            self._ask([START])

    def ask_group(self, boards: Sequence[Board]) -> None:
        """Ask running boards with one number of marks, evenly chosen if the budget will not do for all."""
        pending = [board for board in boards if board not in self.replies]
        self._ask(self._affordable(pending, _GROUP * self._left))

    def swept(self, why: str) -> SweepReplies:
        """Return what was found; a function that is missing is so on every board."""
        absent = next(
            (reply for reply in self.replies.values() if isinstance(reply, Missing | NotLoaded)), None
        )
        if absent:
            return SweepReplies(dict.fromkeys(oracle.boards(), absent), 0.0, False, why)
        return SweepReplies(
            self.replies,
            time.perf_counter() - self._started + (self._known.seconds if self._known else 0.0),
            self._known is not None,
            why,
            unconfirmed=self._known.unconfirmed if self._known else frozenset(),
            silent=self.is_silent,
            stopped=self._stopped,
            faults=faults_of(self.replies),
        )

    @property
    def _left(self) -> float:
        """The seconds that are left; calls that hang are limited by their number, and take none of it."""
        return max(0.0, self._budget + self._hung - (self._client.spent - self._before))

    def _pace(self, number: int) -> float:
        """Estimate the seconds per node on boards with so many marks.

        A search that prunes gets quicker with each mark less: by as much as from the last kind to this.
        """
        if number in self._paces or len(self._paces) < 2:
            return self._paces.get(number) or next(iter(self._paces.values()), 0.0)
        *_, before, last = self._paces.values()
        return last * min(1.0, last / before)

    def _affordable(self, boards: Sequence[Board], seconds: float) -> Sequence[Board]:
        """Return as many of some boards, all with the same number of marks, as can be asked in a time."""
        if not boards:
            return boards
        pace = self._pace(marks(boards[0]))
        takes = pace * sum(map(oracle.tree_size, boards))
        if takes <= seconds:
            return boards
        self._stopped = _(
            "all of them together may take {seconds:g} s", seconds=self._client.limits.sweep_budget
        )
        count = int(len(boards) * seconds / takes)
        return [boards[at * len(boards) // count] for at in range(count)]

    def _ask(self, boards: Sequence[Board], seconds: float | None = None) -> None:
        """Ask boards with one number of marks; what is only too slow for a call is left out."""
        pending = [board for board in boards if board not in self.replies]
        if not pending:
            return
        number, before = marks(pending[0]), self._client.spent
        pace = self._pace(number)
        replies = self._client.ask_within(
            "minimax",
            pending,
            max(self._left, 0.001) if seconds is None else seconds,
            self._deadline,
            kind=_kind(pending[0]),
        )
        for board, reply in replies.items():
            is_late = isinstance(reply, Lost) and reply.loss is Loss.DEADLINE
            if is_late and was_asked(reply) and pace * oracle.tree_size(board) > self._deadline / 2:
                self._stopped = _("a call may take {seconds:g} s", seconds=self._deadline)
            elif was_asked(reply):
                self.replies[board] = reply
                continue
            self._client.forget("minimax", board)
        self._hung += self._deadline * sum(
            isinstance(reply, Lost) and reply.asked for reply in replies.values()
        )
        answered = [reply for reply in replies.values() if isinstance(reply, Returned)]
        has_choice = len(oracle.following(pending[0])) > 1  # others tell no pace
        took = self._client.spent - before
        if has_choice and took > 0 and len(answered) == len(pending):
            self._paces[number] = took / sum(map(oracle.tree_size, pending))


def _kind(board: Board) -> str:
    """Return the kind of boards that are given up together, if they hang or die too often."""
    if board == START:
        return FIRST_MOVE
    return f"{'running boards' if oracle.following(board) else FINISHED} with {marks(board)} marks"
