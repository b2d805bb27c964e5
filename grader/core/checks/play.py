"""Checks of minimax on every board, and of what follows from its policy: every opponent, every game.

What is judged is what was asked. Boards that the budget left out count neither way.
"""

from collections import Counter
from dataclasses import replace
from itertools import islice, pairwise
from typing import Any, Final

from grader.core.asking.reply import Raised, Reply, Returned
from grader.core.checks.expected import moves_by_reply, value_text
from grader.core.checks.functions import show_answer, wrong_the_second_time
from grader.core.checks.outcome import (
    CallCount,
    Context,
    Outcome,
    failed,
    not_seen,
    passed,
    unanswered,
    wrong_in_some,
)
from grader.core.checks.reasons import because
from grader.core.checks.sweep import Sweeper, SweepReplies, can_go_wrong, legal_move
from grader.core.course.course import Play
from grader.core.game import oracle
from grader.core.game.board import CELLS, Action, Board, X, as_action, is_over, marks, rows, side_to_move
from grader.core.game.oracle import (
    Boards,
    move_between,
    opponent,
    play_all,
    quickest_win,
    seen_of_games,
    shortest_loss,
)
from grader.core.grade import Move, PlayedGame
from grader.core.messages import _

_MOST_INSTEAD: Final = 300
_COUNTS: Final = ("games", "won", "drawn", "lost", "unseen")


def check_play(question: Play, context: Context) -> Outcome:
    """Judge minimax by its answers on every board."""
    sweep = context.sweeper.sweep()
    if sweep.absent:
        return unanswered("minimax", sweep.absent)
    if question.must != "none_at_end" and sweep.needs_threads:
        return not_seen(because("no-threads", function="minimax"))
    if question.must == "never_lose":
        assert question.side
        return _never_lose(question.side, context)
    return _on_every_board(question, context)


def _on_every_board(question: Play, context: Context) -> Outcome:
    """Judge the moves on running boards, or that there are none on finished ones."""
    sweep, must = context.sweeper.sweep(), question.must
    family = Boards.FINISHED if must == "none_at_end" else Boards.RUNNING
    boards = family.members()
    asked = sweep.asked(boards)
    seen = sweep.seen(board for board in boards if must != "optimal" or can_go_wrong(board))
    if sweep.silent and asked and family is Boards.RUNNING:
        first = _shown(sweep, min(asked, key=marks))
        why = because("silent", asked=len(asked), first=first.why)
        return replace(first, why=why, asked=len(asked), right=0)
    wrong = [board for board in asked if board in sweep.faults]
    if must == "legal":
        policy, usual = sweep.policy, moves_by_reply()
        wrong = [
            board
            for board in asked
            if policy[board] is None
            or not (id(sweep.replies[board]) in usual or _is_exact(sweep.replies[board]))
        ]
    if wrong:
        right_share = sweep.right_share(boards, wrong) * sweep.steady_share
        count = CallCount(len(asked), len(wrong), seen, right_share)
        return _some_wrong(question, context, wrong, len(boards), count)
    if not asked or not seen:
        return not_seen(because("nothing-asked", how=sweep.how()))
    unsteady = sweep.unsteady if family is Boards.RUNNING else {}
    if must == "legal":
        unsteady = {board: reply for board, reply in unsteady.items() if legal_move(board, reply) is None}
    if unsteady:
        return _unsteady(sweep, unsteady, in_proportion=question.scoring == "share")
    reason = because(
        "right-everywhere",
        must="end" if family is Boards.FINISHED else must,
        asked=len(asked),
        total=len(boards),
        kind=str(family),
        stopped=sweep.stopped,
        how=sweep.how(),
    )
    return passed(reason, asked=len(asked), right=len(asked), seen=seen)


def _some_wrong(
    question: Play, context: Context, wrong: list[Board], total: int, count: CallCount
) -> Outcome:
    """Return the outcome of a check that found wrong answers, with one of them shown."""
    sweep, aspect = context.sweeper.sweep(), "end" if question.must == "none_at_end" else "answers"
    code = {"optimal": "not-optimal", "legal": "not-legal", "none_at_end": "not-none"}[question.must]
    showable = _showable(wrong, context, aspect)
    worst, counts, missed_win = showable[0], dict[str, int](), None
    if question.must == "optimal":
        loses = {board: _loses(board, move) for board in wrong if (move := sweep.policy[board])}
        worst = min(
            showable, key=lambda board: (not loses.get(board), board not in loses, marks(board), board)
        )
        losing = sum(loses.values())
        taken = sum(sweep.faults[board].code == "cell-taken" for board in wrong)
        no_move = len(wrong) - len(loses) - taken
        counts = {"lose": losing, "waste": len(loses) - losing, "taken": taken, "no_move": no_move}
        if loses.get(worst) is False:
            missed_win = line_of(quickest_win(worst), side_to_move(worst))
    shown = replace(_shown(sweep, worst), missed_win=missed_win)
    figures = {"wrong": count.wrong, "asked": count.asked, "total": total}
    return wrong_in_some(
        shown,
        because(code, **figures, first=shown.why, how=sweep.how(), **counts),
        count,
        in_proportion=question.scoring == "share",
        others=context.blamer.explaining("minimax", aspect),
    )


def _unsteady(sweep: SweepReplies, wrong: dict[Board, Reply], in_proportion: bool) -> Outcome:
    """Return the outcome of a minimax that is right the first time that it is asked, and not the second."""
    asked, (board, reply) = len(sweep.again), next(iter(wrong.items()))
    share = 1 - len(wrong) / asked if in_proportion else 0.0
    return wrong_the_second_time(show_answer("minimax", (board,), reply), len(wrong), asked, share)


def _showable(wrong: list[Board], context: Context, aspect: str) -> list[Board]:
    """Return the boards to choose an example from: given by the file itself, and not explained by others."""
    sweep, own = context.sweeper.sweep(), context.blamer.own("minimax", aspect)
    confirmed = [board for board in wrong if board not in sweep.unconfirmed] or wrong
    return [board for board in confirmed if (board,) in own] or confirmed


def _never_lose(side: str, context: Context) -> Outcome:
    sweep = context.sweeper.sweep()
    record, seen = play_all(sweep.policy, side), seen_of_games(sweep.policy, side)
    games: dict[str, Any] = {name: getattr(record, name) for name in _COUNTS} | {"side": side}
    if not seen and sweep.never_moves:
        return failed(because("never-moves", side=side, asked=len(sweep.policy)))
    if not seen:
        return not_seen(because("no-game-seen", how=sweep.how()))
    if not record.lost and sweep.unsteady:
        return _unsteady(sweep, sweep.unsteady, in_proportion=True)
    if not record.lost:
        reason = because("never-lost", **games, seen=seen, stopped=sweep.stopped)
        return passed(reason, seen=seen)
    own = context.blamer.own("minimax", "answers")
    others = context.blamer.explaining("minimax", "answers")
    path = None if others else shortest_loss(sweep.policy, side, {call[0] for call in own})
    if path is None:
        blame = context.blamer.of("minimax")
        guilty = blame.follows or blame.suspects
        return failed(because("lost-by-others", **games, others=guilty))
    if not _is_confirmed(path, context.sweeper):
        return not_seen(because("not-confirmed"))
    steps = pairwise(path)
    reason = because(
        "lost-game",
        **games,
        over=is_over(path[-1]),
        opponent=opponent(side),
        moves=[f"{side_to_move(before)} {move_between(before, after)}" for before, after in steps],
    )
    return failed(reason, board=rows(path[-1]), refutation=line_of(path, side))


def _is_confirmed(path: list[Board], sweeper: Sweeper) -> bool:
    """Return whether the submission itself makes a mistake of this lost game."""
    sweep = sweeper.sweep()
    if not is_over(path[-1]):  # forfeited: confirmed where it gave no legal move elsewhere too
        return any(move is None and board not in sweep.unconfirmed for board, move in sweep.policy.items())
    blunders = [board for board in path if board in sweep.faults]
    return any(sweeper.confirms(board) for board in reversed(blunders))


def _shown(sweep: SweepReplies, board: Board) -> Outcome:
    """Return the failure on one board."""
    return show_answer("minimax", (board,), sweep.replies[board])


def instead(sweep: SweepReplies) -> dict[str, str]:
    """Return what minimax did on running boards where it gave no legal move; under '' what it did most."""
    did = {
        board: _did(sweep.replies[board])
        for board in oracle.running()
        if board in sweep.policy and sweep.policy[board] is None
    }
    if not did:
        return {}
    (most, _), *_ = Counter(did.values()).most_common(1)
    others = ((board, words) for board, words in did.items() if words != most)
    return {"": most} | dict(islice(others, _MOST_INSTEAD))


def _did(reply: Reply) -> str:
    """Return what came of a call that gave no legal move on a running board, in a few words."""
    if isinstance(reply, Returned):
        answer = value_text(reply.value).replace("\n", " / ")
        if as_action(reply.value) in CELLS:
            return _("it answers {answer}, a taken cell", answer=answer)
        return _("it answers {answer}", answer=answer)
    return _("it raises {error}", error=reply) if isinstance(reply, Raised) else _("it gives no answer")


def _is_exact(reply: Reply) -> bool:
    """Return whether a legal move is a tuple of whole numbers (True counts as 1, but is none)."""
    return isinstance(reply, Returned) and type(reply.value[0]) is type(reply.value[1]) is int


def _loses(board: Board, move: Action) -> bool:
    """Return whether a move lets the other side win."""
    return oracle.value(oracle.successors(board)[move]) == (-1 if side_to_move(board) == X else 1)


def line_of(path: list[Board], side: str) -> PlayedGame:
    """Return a game as moves and boards; the side is the one whose game it is."""
    moves = []
    for before, after in pairwise(path):
        row, column = move_between(before, after)
        mover = side_to_move(before)
        gave_away = mover == side and oracle.value(after) != oracle.value(before)
        better = tuple(sorted(oracle.optimal_actions(before))) if gave_away else None
        moves.append(Move(by=mover, row=row, column=column, better=better))
    return PlayedGame(side=side, moves=tuple(moves), boards=tuple(rows(board) for board in path))
