"""Checks of what the functions answer, refuse and leave alone."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, Final

from grader.checks.answers import expected_text, fault, value_text
from grader.checks.outcome import Context, Outcome, failed, no_answer, passed
from grader.checks.rights import calls_on, calls_with_actions, calls_with_taken_cells, doubtful, rights
from grader.course.questions import AboutBoards, Answer, Question, Reject, Unchanged
from grader.game import oracle
from grader.game.board import Board, empty_cells, rows
from grader.grade import Status
from grader.sandbox.client import Arguments, Client
from grader.sandbox.reply import Missing, NotLoaded, Raised, Reply, Returned

_LONG_SEARCH: Final = 2_000
"""Nodes of a full search from which on a single board is left to the sweep, which knows the answer anyway."""

IsWrong = Callable[[str, Arguments, Reply], bool]
Show = Callable[[str, Arguments, Reply], Outcome]


def check_answer(question: Answer, context: Context) -> Outcome:
    """Hold the function's answers against the oracle."""
    return _judge_all(question, context, _is_wrong, _show_answer)


def check_unchanged(question: Unchanged, context: Context) -> Outcome:
    """See whether the function leaves the boards it is given as they were."""
    _, replies = _ask(question, context)
    if all(isinstance(reply, Returned) and reply.value is None for reply in replies) and len(replies) > 1:
        return failed(f"`{question.function}` returns None on every board, so it shows nothing.")
    return _judge_all(question, context, _is_no_plain_answer, _show_change)


def check_reject(question: Reject, context: Context) -> Outcome:
    """See whether `result` raises for actions that are not valid, and not for one that is."""
    board = question.chosen()[0]
    if isinstance(context.client.ask("result", [(board, empty_cells(board)[0])])[0], Raised):
        return failed("`result` raises for valid actions too, so its refusals show nothing.")
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


def foresee(questions: Iterable[Question], client: Client) -> None:
    """Send the worker everything that these questions will ask, so that it need not wait for the judge.

    Meanwhile the judge finds out what is right: answers that are known need not be read when they come.
    """
    ahead: dict[str, dict[int, Sequence[Arguments]]] = {}
    asked = [one for one in questions if isinstance(one, AboutBoards) and not _is_swept(one)]
    for question in asked:
        calls = calls_of(question)
        ahead.setdefault(question.function or "", {})[id(calls)] = calls  # many are one and the same
    client.foresee({function: list(chain(*calls.values())) for function, calls in ahead.items()})
    for question in asked:
        if question.board is None and not isinstance(question, Reject):
            rights(question.function or "", question.chosen())


def _is_swept(question: AboutBoards) -> bool:
    """Return whether the sweep answers a question: minimax on many boards, or on one that takes long."""
    if question.function != "minimax":
        return False
    return question.board is None or oracle.tree_size(question.board) > _LONG_SEARCH


def _is_wrong(function: str, call: Arguments, reply: Reply) -> bool:
    return not isinstance(reply, Returned) or fault(function, call[0], _action(call), reply.value) is not None


def _show_answer(function: str, call: Arguments, reply: Reply) -> Outcome:
    board, action = call[0], _action(call)
    status, reason = no_answer(function, reply) or (Status.FAILED, "")
    if isinstance(reply, Returned):
        reason = fault(function, board, action, reply.value) or ""
    return _shown(function, call, reply, status, reason, expected_text(function, board, action))


def _is_no_plain_answer(function: str, call: Arguments, reply: Reply) -> bool:
    return not isinstance(reply, Returned) or reply.changed


def _show_change(function: str, call: Arguments, reply: Reply) -> Outcome:
    if isinstance(reply, Returned | Raised) and reply.changed:
        reason = f"`{function}` changed the board it was given. Work on a copy, all three rows of it."
        expected = "the board as it was:\n" + "\n".join(rows(call[0]))
        shown = _shown(function, call, reply, Status.FAILED, reason, expected)
        return replace(shown, got="the board is now:\n" + value_text(reply.board_after))
    nothing = no_answer(function, reply)
    assert nothing
    return _shown(function, call, reply, *nothing, "an answer, and the board as it was")


def _is_accepted(function: str, call: Arguments, reply: Reply) -> bool:
    return not isinstance(reply, Raised)


def _show_acceptance(function: str, call: Arguments, reply: Reply) -> Outcome:
    status, reason = no_answer(function, reply) or (Status.FAILED, _why_invalid(call[0], _action(call)))
    return _shown(function, call, reply, status, reason, "an exception")


def _shown(  # noqa: PLR0917
    function: str, call: Arguments, reply: Reply, status: Status, reason: str, expected: str
) -> Outcome:
    """Return a failure that shows the board, the call and what came of it."""
    action = f", {call[1]!r}" if len(call) == 2 else ""
    return Outcome(
        status,
        reason,
        board=rows(call[0]),
        call=f"{function}(board{action})",
        expected=expected,
        got=_got(reply),
        line=reply.line if isinstance(reply, Raised) else None,
    )


def _action(call: Arguments) -> Any:
    return call[1] if len(call) == 2 else None


def _why_invalid(board: Board, action: Any) -> str:
    match action:
        case (int(i), int(j)) if 0 <= i <= 2 and 0 <= j <= 2:
            return f"The cell {action} is taken by {board[3 * i + j]}: `result` must raise an exception."
        case (int(i), int(j)) if i < 0 or j < 0:
            return (
                f"{action} is off the board: a negative index counts from the end, so test for it and raise."
            )
        case (int(), int()):
            return f"{action} is off the board: `result` must raise an exception."
        case _:
            return f"{action!r} is not a pair of row and column: `result` must raise an exception."


def _judge_all(question: AboutBoards, context: Context, is_wrong: IsWrong, show: Show) -> Outcome:
    """Ask all calls of a question at once and return the outcome: the first failure, with the count."""
    function = question.function or ""
    calls, replies = _ask(question, context)
    if replies and isinstance(replies[0], Missing | NotLoaded):
        nothing = no_answer(function, replies[0])
        assert nothing
        return Outcome(*nothing)
    asked: Iterable[tuple[Arguments, Reply]] = zip(calls, replies, strict=True)
    if question.board is None and not isinstance(question, Reject) and not _is_swept(question):
        asked = doubtful(function, question.chosen(), replies)
    wrong = [(call, reply) for call, reply in asked if is_wrong(function, call, reply)]
    first = show(function, *wrong[0]) if wrong else None
    if question.board is not None and replies:
        return first or passed("right")
    return _counted(question, len(replies), first, len(wrong))


def _ask(question: AboutBoards, context: Context) -> tuple[Sequence[Arguments], Sequence[Reply]]:
    """Return the calls with their replies; minimax on many boards is known from the sweep."""
    if not _is_swept(question):
        calls = calls_of(question)
        return calls, context.client.ask(question.function or "", calls)
    sweep = context.sweeper.sweep()
    boards = sweep.counted(question.chosen())
    return [(board,) for board in boards], [sweep.replies[board] for board in boards]


def _counted(question: AboutBoards, total: int, first: Outcome | None, wrong: int) -> Outcome:
    """Return the outcome of a question about so many calls."""
    if total == 0:
        return Outcome(Status.SKIPPED, "Not judged: its board was not asked of the file itself.")
    if first is None:
        return passed(f"right on all {total:,}", asked=total, right=total)
    share = (total - wrong) / total if question.scoring == "share" else 0.0
    reason = f"Wrong in {wrong:,} of {total:,} calls; the first: {first.reason}"
    return replace(first, reason=reason, share=share, asked=total, right=total - wrong)


def _got(reply: Reply) -> str:
    match reply:
        case Returned():
            return value_text(reply.value)
        case Raised():
            return str(reply)
        case _:
            return "no answer"
