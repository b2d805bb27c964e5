"""Checks of what the functions answer, refuse and leave alone, and of which functions they follow."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from operator import is_
from typing import Any, Final

from grader.core.asking.client import Client
from grader.core.asking.reply import (
    Arguments,
    Calls,
    Lost,
    Missing,
    NotLoaded,
    Raised,
    Reply,
    Returned,
    calls_once,
    right_payloads,
)
from grader.core.checks.expected import (
    calls_on,
    calls_with_actions,
    calls_with_taken_cells,
    doubtful,
    every_call,
    expected_text,
    fault,
    value_text,
)
from grader.core.checks.outcome import (
    CallCount,
    Context,
    Outcome,
    failed,
    no_answer,
    not_seen,
    passed,
    unanswered,
    wrong_in_some,
)
from grader.core.checks.reasons import Reason, because
from grader.core.checks.sweep import can_go_wrong, count_asked, need_threads, was_asked
from grader.core.course.course import AboutBoards, Answer, FollowThrough, Question, Reject, Unchanged
from grader.core.game import oracle
from grader.core.game.board import empty_cells, is_over, rows
from grader.core.game.oracle import FUNCTIONS
from grader.core.grade import Status
from grader.core.messages import _

_SWEPT: Final = 150
"""Nodes of a full search from which on a single board is left to the sweep, which knows the answer anyway."""

_LONG_SEARCH: Final = 2_000
"""The same where the sweep has left it out."""

_TWICE: Final = 48
"""Calls of a function that are made a second time, at least: a cache that is polluted shows in these."""

IsWrong = Callable[[str, Arguments, Reply], bool]
Show = Callable[[str, Arguments, Reply], Outcome]


def check_answer(question: Answer, context: Context) -> Outcome:
    """Hold the function's answers against the oracle."""
    return _judge_all(question, context, _is_wrong, show_answer)


def check_unchanged(question: Unchanged, context: Context) -> Outcome:
    """See whether the function leaves the boards it is given as they were."""
    if _is_right(question, context.client):
        return _judge_all(question, context, _is_changed, _show_change)
    _, replies = _ask(question, context)
    if _is_swept(question) and question.board is None:
        sweep = context.sweeper.sweep()
        if sweep.needs_threads:
            return not_seen(because("no-threads", function="minimax"))
        if sweep.never_moves:
            return failed(because("shows-no-move"))
    if len(replies) > 1 and all(isinstance(reply, Returned) and reply.value is None for reply in replies):
        return failed(because("nothing-on-every-board", function=question.function))
    has_answers = any(isinstance(reply, Returned) for reply in replies)
    return _judge_all(question, context, _is_changed if has_answers else _is_no_plain_answer, _show_change)


def check_reject(question: Reject, context: Context) -> Outcome:
    """See whether `result` raises for actions that are not valid, and not for one that is."""
    board = question.chosen()[0]
    if isinstance(context.client.ask("result", [(board, empty_cells(board)[0])])[0], Raised):
        return failed(because("refuses-valid"))
    return _judge_all(question, context, _is_accepted, _show_acceptance)


def calls_of(question: AboutBoards) -> Sequence[Arguments]:
    """Return the calls that answer a question: for `result` one an action, else one a board."""
    if question.function != "result":
        return calls_on(question.chosen())
    if isinstance(question, Answer | Reject) and question.board is not None:
        return [(question.board, question.action)]
    if isinstance(question, Reject):
        return calls_with_taken_cells(question.chosen())
    return calls_with_actions(question.chosen())


def ask_together(questions: Iterable[Question], client: Client) -> None:
    """Send all calls of these questions to the worker, one request for each function.

    A grade takes 10 % more processor time if each question sends its own calls.
    """
    asked = [
        question for question in questions if isinstance(question, AboutBoards) and not _is_swept(question)
    ]
    client.foresee(_calls_ahead(_Asked(asked)))


class _Asked(tuple[AboutBoards, ...]):
    """Questions compared by identity: all submissions of a class share the same objects."""

    __slots__ = ()

    def __hash__(self) -> int:
        return hash(tuple(map(id, self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Asked) and len(self) == len(other) and all(map(is_, self, other))


@lru_cache(maxsize=4)
def _calls_ahead(asked: _Asked) -> dict[str, Calls]:
    """Return all calls that answer questions, by function."""
    by_function: dict[str, list[AboutBoards]] = {}
    for question in asked:
        by_function.setdefault(question.function or "", []).append(question)
    return {function: _calls_of_all(function, questions) for function, questions in by_function.items()}


def _calls_of_all(function: str, questions: Sequence[AboutBoards]) -> Calls:
    """Return the calls that answer questions about one function, each once."""
    known = {question.chosen(): calls_of(question) for question in questions if _is_known(question)}
    right: dict[Arguments, bytes] = {}
    for boards, calls in known.items():
        right.update(zip(calls, right_payloads(function, boards), strict=True))
    lists = {id(calls): calls for calls in map(calls_of, questions)}  # many are one and the same
    return calls_once(chain.from_iterable(lists.values()), right, [*known.values()])


def _is_swept(question: AboutBoards) -> bool:
    """Return whether the sweep answers a question: minimax on many boards, or on one that takes long."""
    if question.function != "minimax":
        return False
    return question.board is None or oracle.tree_size(question.board) > _SWEPT


def _is_known(question: AboutBoards) -> bool:
    """Return whether the right replies to a question are known one by one."""
    return question.board is None and not isinstance(question, Reject) and not _is_swept(question)


def _is_right(question: AboutBoards, client: Client) -> bool:
    """Return whether all calls of a question were sent ahead and answered right."""
    return _is_known(question) and client.is_right(question.function or "", calls_of(question))


def _is_wrong(function: str, call: Arguments, reply: Reply) -> bool:
    return not isinstance(reply, Returned) or fault(function, call[0], _action(call), reply.value) is not None


def show_answer(function: str, call: Arguments, reply: Reply) -> Outcome:
    """Return the failure of a call whose answer is wrong, or has none."""
    board, action = call[0], _action(call)
    wrong = fault(function, board, action, reply.value) if isinstance(reply, Returned) else None
    return _shown(function, call, reply, wrong or because("right"), expected_text(function, board, action))


def _is_changed(function: str, call: Arguments, reply: Reply) -> bool:
    """Return whether a call changed the board; one that fails otherwise shows nothing of it."""
    return isinstance(reply, Returned | Raised) and reply.changed


def _is_no_plain_answer(function: str, call: Arguments, reply: Reply) -> bool:
    return not isinstance(reply, Returned) or reply.changed


def _show_change(function: str, call: Arguments, reply: Reply) -> Outcome:
    if isinstance(reply, Returned | Raised) and reply.changed:
        reason = because("changes-the-board", function=function)
        expected = _("the board as it was:") + "\n" + "\n".join(rows(call[0]))
        got = _("the board is now:") + "\n" + value_text(reply.board_after)
        shown = _shown(function, call, reply, reason, expected)
        return replace(shown, status=Status.FAILED, why=reason, got=got)
    return _shown(function, call, reply, because("right"), _("an answer, and the board as it was"))


def _is_accepted(function: str, call: Arguments, reply: Reply) -> bool:
    return not isinstance(reply, Raised)


def _show_acceptance(function: str, call: Arguments, reply: Reply) -> Outcome:
    board, action = call[0], _action(call)
    match action:
        case (int(i), int(j)) if 0 <= i <= 2 and 0 <= j <= 2:
            why = because("takes-taken-cell", action=action, mark=board[3 * i + j])
        case (int(i), int(j)):
            why = because("takes-negative" if i < 0 or j < 0 else "takes-off-the-board", action=action)
        case _:
            why = because("takes-no-pair", action=repr(action))
    return _shown(function, call, reply, why, _("an exception"))


def _shown(function: str, call: Arguments, reply: Reply, wrong: Reason, expected: str) -> Outcome:
    """Return a failure that shows the board, the call and what came of it: a wrong value, or none."""
    status, reason = no_answer(function, reply) or (Status.FAILED, wrong)
    action = f", {call[1]!r}" if len(call) == 2 else ""
    raised = str(reply) if isinstance(reply, Raised) else _("no answer")
    got = value_text(reply.value) if isinstance(reply, Returned) else raised
    return Outcome(
        status,
        reason,
        board=rows(call[0]),
        call=f"{function}(board{action})",
        expected=expected,
        got=got,
        line=reply.line if isinstance(reply, Raised) else None,
    )


def _action(call: Arguments) -> Any:
    return call[1] if len(call) == 2 else None


def _judge_all(question: AboutBoards, context: Context, is_wrong: IsWrong, show: Show) -> Outcome:
    """Ask all calls of a question at once and return the outcome: a failure, with the count.

    The failure shown is the first that no other function explains, if there is one.
    """
    function = question.function or ""
    if _is_right(question, context.client):
        calls = calls_of(question)
        right = _all_right(len(calls), len(calls), 1.0)
        return _unless_wrong_again(right, question, *_second_time(question, context, calls))
    calls, replies = _ask(question, context)
    if replies and isinstance(replies[0], Missing | NotLoaded):
        return unanswered(function, replies[0])
    total = len(question.chosen() if _is_swept(question) else calls)
    count = count_asked(replies)
    if replies and count == 0 and isinstance(replies[0], Lost) and replies[0].given_up:
        return unanswered(function, replies[0])
    if count == 0:
        lost = next((reply for reply in replies if isinstance(reply, Lost)), None)
        why = lost.detail if lost else _("its board was not asked of the file itself")
        return not_seen(because("not-asked", why=why))
    if need_threads(replies) and _never_without_threads(function, context):
        return not_seen(because("no-threads", function=function))
    asked: Iterable[tuple[Arguments, Reply]] = zip(calls, replies, strict=True)
    if count == total and _is_known(question):
        asked = doubtful(function, question.chosen(), replies)
    wrong = [(call, reply) for call, reply in asked if is_wrong(function, call, reply) and was_asked(reply)]
    if question.board is not None:
        return show(function, *wrong[0]) if wrong else passed(because("right"))
    left_out = replies if count < len(replies) else ()
    given_up = sum(isinstance(reply, Lost) and reply.given_up for reply in left_out)
    seen, right_share = count / total, (count - len(wrong)) / (count + given_up)
    if isinstance(question, Answer) and _is_swept(question):
        sweep, boards = context.sweeper.sweep(), question.chosen()
        seen = sweep.seen(filter(can_go_wrong, boards))
        right_share = sweep.right_share(boards, [call[0] for call, _ in wrong])
    sample, again = _second_time(question, context, calls)
    if not wrong:
        return _unless_wrong_again(_all_right(total, count, seen), question, sample, again, right_share)
    right_share *= 1 - len(again) / (len(sample) or 1)
    aspect = question.about[1] if question.about else "answers"
    own = context.blamer.own(function, aspect)
    first = show(
        function, *min(wrong, key=lambda pair: pair[0] not in own)
    )  # one that no other function explains
    return wrong_in_some(
        first,
        because("wrong-in-some", wrong=len(wrong), asked=count, first=first.why),
        CallCount(count, len(wrong), seen, right_share),
        in_proportion=question.scoring == "share",
        others=context.blamer.explaining(function, aspect),
    )


def _second_time(
    question: AboutBoards, context: Context, calls: Sequence[Arguments]
) -> tuple[Sequence[Arguments], list[tuple[Arguments, Reply]]]:
    """Return a sample of calls that are made twice, and those that are right at first and then wrong."""
    if not isinstance(question, Answer) or question.function == "minimax":  # its games are played on
        return [], []
    function = question.function or ""
    sample = calls[:: max(1, len(calls) // _TWICE)]
    second = context.client.ask_again(function, [*sample, *sample])[len(sample) :]
    both = zip(sample, context.client.ask(function, sample), second, strict=False)
    return sample, [
        (call, reply)
        for call, first, reply in both
        if _is_wrong(function, call, reply) and not _is_wrong(function, call, first)
    ]


def _unless_wrong_again(
    right: Outcome,
    question: AboutBoards,
    sample: Sequence[Arguments],
    again: Sequence[tuple[Arguments, Reply]],
    share: float = 1.0,
) -> Outcome:
    """Return the outcome of calls that are right the first time, unless some are wrong the second time."""
    if not again:
        return right
    share = share * (1 - len(again) / len(sample)) if question.scoring == "share" else 0.0
    return wrong_the_second_time(
        show_answer(question.function or "", *again[0]), len(again), len(sample), share
    )


def wrong_the_second_time(shown: Outcome, wrong: int, asked: int, share: float) -> Outcome:
    """Return the outcome of a function that is right the first time that it is asked, and not the second."""
    why = because("wrong-the-second-time", wrong=wrong, asked=asked, first=shown.why)
    return replace(shown, why=why, share=share)


def _all_right(total: int, asked: int, seen: float) -> Outcome:
    """Return the outcome of a question about many calls that are right, as far as they were asked."""
    if not seen:
        return not_seen(because("not-asked", why=_("nothing was asked on which an answer can be wrong")))
    reason = because("right-on", asked=asked, total=total)
    return passed(reason, asked=asked, right=asked, seen=seen)


def _never_without_threads(function: str, context: Context) -> bool:
    """Return whether a function needs threads wherever it may be asked; minimax on running boards."""
    if function == "minimax":
        return context.sweeper.sweep().needs_threads
    return need_threads(
        context.client.ask(function, every_call(function, FUNCTIONS[function].domain.members()))
    )


def _ask(question: AboutBoards, context: Context) -> tuple[Sequence[Arguments], Sequence[Reply]]:
    """Return the calls with their replies; minimax on many boards is known from the sweep."""
    if not _is_swept(question):
        calls = calls_of(question)
        replies = context.client.ask(question.function or "", calls)
        if question.function != "minimax" or count_asked(replies) == len(replies):
            return calls, replies
    sweep = context.sweeper.sweep()
    board = question.board
    if board is not None and board not in sweep.replies:
        if sweep.never_moves and not is_over(board):  # then the outcome is known
            return [(board,)], [next(reply for other, reply in sweep.replies.items() if not is_over(other))]
        if oracle.tree_size(board) <= _LONG_SEARCH:
            return [(board,)], context.client.ask("minimax", [(board,)])
    boards = sweep.asked(question.chosen())
    calls = calls_on(boards) if sweep.is_whole else [(board,) for board in boards]
    return calls, list(map(sweep.replies.__getitem__, boards))


def check_follow_through(question: FollowThrough, context: Context) -> Outcome:
    """Find the smallest set of wrong functions with whose correction this one is right, in what aspects."""
    function = question.function or "minimax"
    if not context.client.looks_runnable():
        return Outcome(Status.SKIPPED, because("file-does-not-run"))
    blame = context.blamer.of(function)
    if not blame.wrong:
        return passed(because("stands-alone", function=function))
    if blame.follows:
        still = [aspect for aspect in blame.wrong if aspect not in blame.restored]
        found = {"follows": blame.follows, "restored": blame.restored}
        return passed(because("follows", function=function, **found, still=still), **found)
    reason = because("own-fault", function=function)
    if blame.suspects:
        reason = because("own-fault-too", function=function, suspects=blame.suspects)
    if blame.circle:
        replies = context.client.ask(function, every_call(function, FUNCTIONS[function].domain.members()))
        if any(isinstance(reply, Raised) and reply.error == "RecursionError" for reply in replies):
            reason = because("circle", names=blame.circle)
    return Outcome(Status.SKIPPED, reason, restored=())
