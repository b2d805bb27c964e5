"""Checks of what the functions answer, refuse and leave alone."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from grader.cases import Answer, Reject, Unchanged
from grader.checks.answers import expected_text, fault, value_text
from grader.checks.outcome import Context, Outcome, failed, no_answer, passed
from grader.game.board import Board, empty_cells, rows, taken_cells
from grader.grade import Status
from grader.sandbox.client import Arguments
from grader.sandbox.reply import Missing, NotLoaded, Raised, Reply, Returned

Judge = Callable[[str, Arguments, Reply], Outcome | None]


def check_answer(question: Answer, context: Context) -> Outcome:
    """Hold the function's answers against the oracle."""
    return _judge_all(question, context, _judge_answer, _answer_calls(question))


def check_unchanged(question: Unchanged, context: Context) -> Outcome:
    """See whether the function leaves the boards it is given as they were."""
    calls = list(_answer_calls(question))
    replies = context.client.ask(question.function or "", calls)
    if all(isinstance(reply, Returned) and reply.value is None for reply in replies) and len(replies) > 1:
        return failed(f"`{question.function}` returns None on every board, so it shows nothing.")
    return _judge_all(question, context, _judge_unchanged, calls)


def check_reject(question: Reject, context: Context) -> Outcome:
    """See whether `result` raises for actions that are not valid, and not for one that is."""
    chosen = question.chosen()
    control = chosen[0]
    legal: list[Arguments] = [(control, empty_cells(control)[0])]
    if isinstance(context.client.ask("result", legal)[0], Raised):
        return failed("`result` raises for valid actions too, so its refusals show nothing.")
    if question.board is not None:
        calls: list[Arguments] = [(question.board, question.action)]
    else:
        calls = [
            (board, taken[number % len(taken)])
            for number, board in enumerate(chosen)
            if (taken := taken_cells(board))
        ]
    return _judge_all(question, context, _judge_reject, calls)


def _answer_calls(question: Answer | Unchanged) -> Iterator[Arguments]:
    """Return the calls of a question: one a board, and for `result` one a legal action."""
    for board in question.chosen():
        if question.function != "result":
            yield (board,)
        elif isinstance(question, Answer) and question.action is not None:
            yield board, question.action
        else:
            yield from ((board, action) for action in empty_cells(board))


def _judge_answer(function: str, call: Arguments, reply: Reply) -> Outcome | None:
    board, action = call[0], _action(call)
    reason = fault(function, board, action, reply.value) if isinstance(reply, Returned) else ""
    if reason is None:
        return None
    status, reason = no_answer(function, reply) or (Status.FAILED, reason)
    return _shown(function, call, reply, status, reason, expected_text(function, board, action))


def _judge_unchanged(function: str, call: Arguments, reply: Reply) -> Outcome | None:
    if isinstance(reply, Returned | Raised) and reply.changed:
        reason = f"`{function}` changed the board it was given. Work on a copy, all three rows of it."
        expected = "the board as it was:\n" + "\n".join(rows(call[0]))
        shown = _shown(function, call, reply, Status.FAILED, reason, expected)
        return replace(shown, got="the board is now:\n" + value_text(reply.board_after))
    nothing = no_answer(function, reply)
    return _shown(function, call, reply, *nothing, "an answer, and the board as it was") if nothing else None


def _judge_reject(function: str, call: Arguments, reply: Reply) -> Outcome | None:
    if isinstance(reply, Raised):
        return None
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


def _judge_all(
    question: Answer | Reject | Unchanged, context: Context, judge: Judge, calls: Iterable[Arguments]
) -> Outcome:
    """Ask all calls of a question at once and return the outcome: the first failure, with the count."""
    function = question.function or ""
    asked = list(calls)
    replies = context.client.ask(function, asked)
    judged = (judge(function, call, reply) for call, reply in zip(asked, replies, strict=True))
    failures = [outcome for outcome in judged if outcome]
    first = failures[0] if failures else None
    if question.board is not None:
        return first or passed("right")
    return _counted(question, replies, first, len(failures))


def _counted(
    question: Answer | Reject | Unchanged, replies: list[Reply], first: Outcome | None, wrong: int
) -> Outcome:
    """Return the outcome of a question about many boards."""
    total = len(replies)
    if first is None:
        return passed(f"right on all {total:,}", asked=total, right=total)
    share = (total - wrong) / total if question.scoring == "share" else 0.0
    if isinstance(replies[0], Missing | NotLoaded):
        return replace(first, board=None, call=None, expected=None, got=None, asked=0, right=0)
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
