"""The probe: does minimax prune, and how? Proved by what it does, whatever its names say.

`utility` is answered from a table of values on finished boards, strictly between -1 and 1 and all different,
so that no shortcut for a won game can fire. The walk of each search is replayed by textbook alpha-beta. Where
that does not fit (scores weighted by depth, a look at `winner` ahead), it is done once more in a game that
goes on until the board is full: there all finished boards are equally deep and nobody wins early. Where a
wrong rule function leads the search astray, it is probed with a right one. Who has no working search has no
pruning: only of a search that works a person is asked to decide what the probe cannot.
"""

from collections import Counter
from dataclasses import replace

from grader.core.asking.client import Client
from grader.core.asking.reply import Missing, NotLoaded
from grader.core.asking.walked import Walked
from grader.core.checks.outcome import Context, Outcome, unanswered
from grader.core.checks.probe import BY_WINNER, LEVEL, ORDINARY, Detection, judged, judged_coarsely
from grader.core.checks.reasons import because
from grader.core.course.questions import Probe
from grader.core.evidence import Pruning, Search
from grader.core.game.board import Board, is_over, rows
from grader.core.game.replay import CutOffs
from grader.core.grade import Status

Probed = tuple[Detection, list[Walked]]


def check_search(question: Probe, context: Context) -> Outcome:
    """Find out how minimax prunes; the rubric says what shallow pruning is worth."""
    finding, walked = _probed(context.client, question.boards)
    if isinstance(walked[-1].reply, Missing | NotLoaded):
        return unanswered("minimax", walked[-1].reply)
    if not finding.sure and context.sweeper.sweep().faults:
        finding, walked = _probed_mended(context, question, (finding, walked))
    return _outcome(finding, _as_search(finding, walked), context.rubric.shallow_pruning)


def _probed_mended(context: Context, question: Probe, first: Probed) -> Probed:
    """Return what a probe with right rule functions finds; who is wrong even then has pruned nothing."""
    blame = context.blamer.of("minimax")
    if blame.follows:
        with context.client.mended(blame.follows) as copy:
            finding, walked = _probed(copy, question.boards)
        why = because("probed-with-right-ones", follows=blame.follows, found=finding.why)
        return replace(finding, why=why), walked
    finding, walked = first
    is_lost = any(not is_over(board) for board in context.sweeper.sweep().faults)
    if finding.pruning is Pruning.UNDECIDED and is_lost:
        finding = replace(finding, pruning=Pruning.NONE, why=because("no-working-search"), cut_offs=CutOffs())
    return finding, walked


def _probed(client: Client, boards: tuple[Board, ...]) -> Probed:
    """Return what the probe finds, in one kind of game after the other until it is sure."""
    found: list[Probed] = []
    for game in (ORDINARY, LEVEL, BY_WINNER):
        if game is BY_WINNER and any(finding.asks_utility for finding, _ in found):
            break
        walked = client.walks(game.questions(boards))
        found.append((judged(game, boards, walked), walked))
        if found[-1][0].sure or isinstance(walked[-1].reply, Missing | NotLoaded):
            break
        coarse = judged_coarsely(game, boards, walked)
        if coarse:
            found[-1] = coarse, walked
            break
    return found[-1] if found[-1][0].sure and _agree(found) else found[0]


def _agree(found: list[Probed]) -> bool:
    """Return whether the last finding may stand: that nothing is pruned must not contradict the first."""
    first, last = found[0][0], found[-1][0]
    return last.pruning is not Pruning.NONE or not first.cut_offs.taken or first.cuts_too_much


def _outcome(finding: Detection, search: Search, shallow_share: float) -> Outcome:
    share = {Pruning.FULL: 1.0, Pruning.SHALLOW: shallow_share}.get(finding.pruning, 0.0)
    statuses = {Pruning.FULL: Status.PASSED, Pruning.UNDECIDED: Status.SKIPPED}
    status = statuses.get(finding.pruning, Status.FAILED)
    shown = rows(finding.cut_offs.too_early[0]) if finding.cuts_too_much else None
    return Outcome(status, finding.why, share, board=shown, search=search)


def _as_search(finding: Detection, walked: list[Walked]) -> Search:
    cuts = finding.cut_offs
    return Search(
        pruning=finding.pruning,
        taken_shallow=cuts.taken_shallow,
        taken_deep=cuts.taken_deep,
        missed_shallow=cuts.missed_shallow,
        missed_deep=cuts.missed_deep,
        too_early=len(cuts.too_early),
        boards=finding.boards,
        calls=dict(sum((Counter(one.calls) for one in walked), Counter())),
    )
