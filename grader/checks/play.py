"""Checks of minimax on every board, and of what follows from its policy: every opponent, every game."""

import itertools
from collections import Counter
from itertools import islice
from typing import Final

from grader.checks.answers import expected_text, value_text
from grader.checks.outcome import Context, Outcome, failed, no_answer, passed
from grader.checks.sweep import Sweep, Sweeper, was_asked
from grader.course.questions import Play
from grader.evidence import Line, Move
from grader.game import oracle
from grader.game.board import CELLS, Board, X, as_action, is_over, marks, rows, side_to_move
from grader.game.interface import Boards
from grader.game.policy import (
    Record,
    move_between,
    opponent,
    play_all,
    quickest_win,
    shortest_loss,
)
from grader.grade import Status
from grader.sandbox.reply import Missing, NotLoaded, Raised, Reply, Returned

_MOST_INSTEAD: Final = 300


def check_play(question: Play, context: Context) -> Outcome:
    """Judge minimax by its answers on every board."""
    sweep = context.sweeper.sweep()
    nothing = next(iter(sweep.replies.values()), None)
    if isinstance(nothing, Missing | NotLoaded):
        reason = no_answer("minimax", nothing)
        assert reason
        return Outcome(*reason)
    match question.must:
        case "optimal":
            return _optimal(question, sweep)
        case "legal":
            return _legal(question, sweep)
        case "none_at_end":
            return _none_at_end(question, sweep)
        case "never_lose":
            assert question.side
            return _never_lose(question.side, context.sweeper)


def _optimal(question: Play, sweep: Sweep) -> Outcome:
    asked = sweep.counted(Boards.RUNNING.members())
    wrong = [board for board in asked if board in sweep.faults]
    if not wrong:
        return _all_right("an optimal move on all", asked, Boards.RUNNING, sweep)
    policy = sweep.policy
    losing = [
        b for b in wrong if b in policy and _sign(b) * oracle.value(oracle.successors(b)[policy[b]]) == -1
    ]
    wasteful = [b for b in wrong if b in policy and b not in losing]
    illegal = len(wrong) - len(losing) - len(wasteful)
    count = f"{len(losing):,} lose, {len(wasteful):,} waste a win, {illegal:,} are no move"
    worst = min(losing or wasteful or wrong, key=lambda board: (marks(board), board))
    outcome = _shown(sweep, worst)
    return _many(
        question,
        outcome,
        f"Not optimal on {len(wrong):,} of {len(asked):,} boards ({count}). The worst: {outcome.reason}",
        asked,
        wrong,
        sweep,
        missed_win=line_of(quickest_win(worst), side_to_move(worst)) if worst in wasteful else None,
    )


def _legal(question: Play, sweep: Sweep) -> Outcome:
    asked = sweep.counted(Boards.RUNNING.members())
    policy = sweep.policy
    wrong = [board for board in asked if board not in policy or not _exact(sweep, board)]
    if not wrong:
        return _all_right("a legal move, as a tuple, on all", asked, Boards.RUNNING, sweep)
    outcome = _shown(sweep, wrong[0])
    reason = (
        f"No legal move as a tuple on {len(wrong):,} of {len(asked):,} boards; the first: {outcome.reason}"
    )
    return _many(question, outcome, reason, asked, wrong, sweep)


def _none_at_end(question: Play, sweep: Sweep) -> Outcome:
    asked = sweep.counted(Boards.FINISHED.members())
    wrong = [board for board in asked if board in sweep.faults]
    if not wrong:
        return _all_right("None on all", asked, Boards.FINISHED, sweep)
    outcome = _shown(sweep, wrong[0])
    reason = f"Not None on {len(wrong):,} of {len(asked):,} finished boards; the first: {outcome.reason}"
    return _many(question, outcome, reason, asked, wrong, sweep)


def _never_lose(side: str, sweeper: Sweeper) -> Outcome:
    sweep = sweeper.sweep()
    missing = [board for board in oracle.running() if board not in sweep.replies]
    if missing:
        reason = f"Not judged: {len(missing):,} boards could not be asked in time ({sweep.how()})."
        return Outcome(Status.SKIPPED, reason)
    policy = sweep.policy
    record = play_all(policy, side)
    summary = f"As {side} against every opponent: {_games(record)}."
    path = shortest_loss(policy, side)
    if path is None:
        return passed(summary)
    if not _is_confirmed(path, sweeper):
        return Outcome(Status.SKIPPED, "Not judged: the losing move could not be asked again in time.")
    how = "beats it" if is_over(path[-1]) else "leaves it without a legal move"
    return failed(
        f"{summary} The shortest game that {how}, as {opponent(side)}: {_moves(path)}.",
        board=rows(path[-1]),
        refutation=line_of(path, side),
    )


def _is_confirmed(path: list[Board], sweeper: Sweeper) -> bool:
    """Return whether the submission itself makes a mistake of this lost game."""
    sweep, policy = sweeper.sweep(), sweeper.sweep().policy
    if not is_over(path[-1]):  # forfeited: confirmed where it gave no legal move elsewhere too
        return any(board not in policy for board in sweep.counted(oracle.running()))
    blunders = [board for board in path if board in sweep.faults]
    return any(sweeper.confirms(board) for board in reversed(blunders))


def _games(record: Record) -> str:
    return f"{record.games:,} games, {record.won:,} won, {record.drawn:,} drawn, {record.lost:,} lost"


def _all_right(what: str, asked: list[Board], family: Boards, sweep: Sweep) -> Outcome:
    """Return the outcome of a check that found nothing wrong; it says what was not asked."""
    total = len(family.members())
    if not asked:
        return Outcome(
            Status.SKIPPED, f"Not judged: none of its boards was asked of the file itself ({sweep.how()})."
        )
    left = f" that were asked; {total - len(asked):,} were not" if len(asked) < total else ""
    reason = f"{what} {len(asked):,} {family} boards{left} ({sweep.how()})"
    return passed(reason, asked=len(asked), right=len(asked))


def _many(  # noqa: PLR0917
    question: Play,
    worst: Outcome,
    reason: str,
    asked: list[Board],
    wrong: list[Board],
    sweep: Sweep,
    missed_win: Line | None = None,
) -> Outcome:
    """Return the outcome of a check that found wrong answers, with the worst of them shown."""
    share = (len(asked) - len(wrong)) / len(asked) if question.scoring == "share" else 0.0
    return Outcome(
        worst.status,
        f"{reason} ({sweep.how()})",
        share,
        board=worst.board,
        call=worst.call,
        expected=worst.expected,
        got=worst.got,
        line=worst.line,
        asked=len(asked),
        right=len(asked) - len(wrong),
        missed_win=missed_win,
    )


def _shown(sweep: Sweep, board: Board) -> Outcome:
    """Return the failure on one board."""
    reply = sweep.replies[board]
    status, reason = no_answer("minimax", reply) or (Status.FAILED, sweep.faults.get(board, ""))
    got = value_text(reply.value) if isinstance(reply, Returned) else "no answer"
    return Outcome(
        status,
        reason,
        board=rows(board),
        call="minimax(board)",
        expected=expected_text("minimax", board, None),
        got=str(reply) if isinstance(reply, Raised) else got,
        line=reply.line if isinstance(reply, Raised) else None,
    )


def instead(sweep: Sweep) -> dict[str, str]:
    """Return what minimax did on running boards where it gave no legal move; under '' what it did most."""
    did = {
        board: _did(sweep.replies[board])
        for board in oracle.running()
        if board in sweep.replies and board not in sweep.policy and was_asked(sweep.replies[board])
    }
    if not did:
        return {"": "it gives no answer"} if len(sweep.policy) < len(oracle.running()) else {}
    (most, _), *_ = Counter(did.values()).most_common(1)
    others = ((board, words) for board, words in did.items() if words != most)
    return {"": most} | dict(islice(others, _MOST_INSTEAD))


def _did(reply: Reply) -> str:
    """Return what came of a call that gave no legal move on a running board, in a few words."""
    if isinstance(reply, Returned):
        taken = ", a taken cell" if as_action(reply.value) in CELLS else ""
        return f"it answers {value_text(reply.value)}{taken}".replace("\n", " / ")
    return f"it raises {reply}" if isinstance(reply, Raised) else "it gives no answer"


def _exact(sweep: Sweep, board: Board) -> bool:
    """Return whether a legal move is a tuple of whole numbers (True counts as 1, but is none)."""
    reply = sweep.replies[board]
    return isinstance(reply, Returned) and type(reply.value[0]) is type(reply.value[1]) is int


def _sign(board: Board) -> int:
    return 1 if side_to_move(board) == X else -1


def line_of(path: list[Board], side: str) -> Line:
    """Return a game as moves and boards; the side is the one whose game it is."""
    moves = []
    for before, after in itertools.pairwise(path):
        row, column = move_between(before, after)
        mover = side_to_move(before)
        gave_away = mover == side and oracle.value(after) != oracle.value(before)
        better = tuple(sorted(oracle.optimal_actions(before))) if gave_away else None
        moves.append(Move(by=mover, row=row, column=column, better=better))
    return Line(side=side, moves=tuple(moves), boards=tuple(rows(board) for board in path))


def _moves(path: list[Board]) -> str:
    steps = itertools.pairwise(path)
    return (
        ", ".join(f"{side_to_move(before)} {move_between(before, after)}" for before, after in steps)
        or "none"
    )
