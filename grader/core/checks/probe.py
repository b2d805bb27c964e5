"""The probe: does minimax prune, and how? Proved by what it does, whatever its names say.

`utility` is answered from a table of values on finished boards, strictly between -1 and 1 and all different,
so that no shortcut for a won game can fire. Textbook alpha-beta replays the walk of each search. Where that
does not fit (scores weighted by depth, a look at `winner` ahead), the probe is repeated in a game that lasts
until the board is full: there all finished boards are equally deep and nobody wins early. Where a wrong rule
function leads the search astray, it is probed with a right one. A submission without a working search has no
pruning; a person decides only about a working search that the probe cannot judge.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from functools import cache

from grader.core.asking.client import Client
from grader.core.asking.reply import Missing, NotLoaded, Returned
from grader.core.asking.worker import Walked, WalkQuestions
from grader.core.checks.outcome import Context, Outcome, no_answer, unanswered
from grader.core.checks.reasons import Reason, because
from grader.core.course.course import Probe
from grader.core.game.board import Board, is_over, place, rows
from grader.core.game.walk import CutOffs, Node, StrangeStep, Tree, Walk, follow, leaves, replay, textbook
from grader.core.grade import ProbedBoard, Pruning, Search, Status
from grader.core.values import Frozen


class ProbeGame(Frozen):
    """A kind of game to probe a search in.

    A `level` one goes on until the board is full. In one `by_winner` it is `winner` that tells the values, as
    who has won, for a search that never asks for the utility.
    """

    level: bool = False
    by_winner: bool = False

    def questions(self, boards: Sequence[Board]) -> WalkQuestions:
        """Return what the probe asks; it can be sent ahead."""
        asked = tuple((tree.root, tree.values) for tree in self.trees(boards))
        return WalkQuestions(asked, self.level, by_winner=self.by_winner)

    def trees(self, boards: Sequence[Board]) -> list[Tree]:
        """Return the game from each board on, with the probe's values."""
        return [_tree(board, self.level, self.by_winner) for board in boards]


ORDINARY, LEVEL, BY_WINNER = ProbeGame(), ProbeGame(level=True), ProbeGame(level=True, by_winner=True)


class Detection(Frozen):
    """What a probe found. It is `sure` unless another kind of game could still tell more."""

    pruning: Pruning
    why: Reason
    sure: bool = True
    cut_offs: CutOffs = field(default_factory=CutOffs)
    boards: tuple[ProbedBoard, ...] = ()
    asks_utility: bool = True


def judged(game: ProbeGame, roots: Sequence[Board], walked: list[Walked]) -> Detection:
    """Return what the walks of one kind of game say."""
    trees = game.trees(roots)
    if not isinstance(walked[-1].reply, Returned):
        nothing = no_answer("minimax", walked[-1].reply)
        assert nothing
        return _unsure(because("probe-unanswered", nothing=nothing[1]))
    if any(search.cut_short for search in walked):
        return _unsure(because("probe-too-long"))
    try:
        pairs = _followed(trees, walked)
    except StrangeStep:
        return _unsure(because("probe-strange-boards"))
    if not any(walk.evaluated for _, walk in pairs):
        if all(_boards_in(walk.root) == tree.size for tree, walk in pairs):
            return Detection(Pruning.NONE, because("prunes-nothing-at-all"))
        return replace(_unsure(because("probe-without-utility")), asks_utility=False)
    found = _cut_offs(pairs)
    cuts = next(found)
    optimal = all(_is_optimal(tree, search.reply) for tree, search in zip(trees, walked, strict=True))
    pruning, code, sure = _decision(cuts, found, optimal)
    detected = _detected(pairs, pruning, code, cuts, sure=sure, taken=cuts.taken, missed=cuts.missed)
    return detected if sure else _with_sides_swapped(pairs) or detected


def judged_coarsely(game: ProbeGame, roots: Sequence[Board], walked: list[Walked]) -> Detection | None:
    """Return what the walks say of a search that makes other scores of `utility`, or None.

    Many files keep only who has won (`if utility(board) == 1`), or whole numbers only: all the probe's values
    are then one, or two. With so few values most cut-offs are ties, so all of these must be taken.
    """
    for scores in (0.0, 0.0), (-1.0, 1.0):
        coarser = [
            replace(tree, values={end: scores[value > 0] for end, value in tree.values.items()})
            for tree in game.trees(roots)
        ]
        try:
            pairs = _followed(coarser, walked)
        except (StrangeStep, ValueError):
            return None
        cuts = next(_cut_offs(pairs, ties_end=True))
        if cuts.taken_deep and not cuts.missed and not cuts.too_early:
            return _detected(pairs, Pruning.FULL, "prunes-by-winner", cuts)
    return None


def _followed(trees: list[Tree], walked: list[Walked]) -> list[tuple[Tree, Walk]]:
    return [(tree, follow(tree.root, search.steps)) for tree, search in zip(trees, walked, strict=True)]


def _cut_offs(
    pairs: list[tuple[Tree, Walk]], *, ties_end: bool = False, swapped: bool = False
) -> Iterator[CutOffs]:
    """Yield the cut-offs of all walks; then the same for a root that gives each move a full window."""

    def total(remembers: bool, narrows: bool) -> CutOffs:
        found = (
            replay(tree, walk, remembers=remembers, root_narrows=narrows, ties_end=ties_end, swapped=swapped)
            for tree, walk in pairs
        )
        return sum(found, CutOffs())

    cuts, remembers = total(False, True), False
    if cuts.too_early:  # or did the search answer from memory, instead of stopping?
        others = total(True, True)
        if len(others.too_early) < len(cuts.too_early):
            cuts, remembers = others, True
    yield cuts
    yield total(remembers, False)


def _with_sides_swapped(pairs: list[tuple[Tree, Walk]]) -> Detection | None:
    """Return what a search prunes that takes each side for the other, if it does so by the book; or None."""
    for cuts in _cut_offs(pairs, swapped=True):
        if cuts.taken and not cuts.too_early and not cuts.missed_shallow:
            if cuts.taken_deep and not cuts.missed:
                return _detected(pairs, Pruning.FULL, "prunes-swapped", cuts)
            return _detected(pairs, Pruning.SHALLOW, "prunes-swapped-shallow", cuts)
    return None


def _decision(cuts: CutOffs, others: Iterator[CutOffs], optimal: bool) -> tuple[Pruning, str, bool]:
    """Return what the cut-offs amount to, the code of the reason, and whether that is sure.

    Those for a root that gives each move a full window are next among `others`: counted only if it matters.
    """
    if not cuts.taken and not cuts.too_early:
        return Pruning.NONE, "prunes-nothing", True
    if cuts.too_early and cuts.missed > cuts.taken:
        return Pruning.NONE, "prunes-elsewhere", False
    if cuts.too_early:
        return Pruning.UNDECIDED, "prunes-too-much", False
    if not optimal:
        return Pruning.UNDECIDED, "prunes-and-errs", False
    if not cuts.missed:
        return Pruning.FULL, "prunes", True
    wide = next(others)
    if not wide.missed:
        return Pruning.FULL, "prunes-below-the-root", True
    if not cuts.missed_shallow or not wide.missed_shallow:
        return Pruning.SHALLOW, "prunes-shallow", True
    if set(cuts.levels) == {1}:
        return Pruning.NONE, "prunes-at-the-root-only", True
    return Pruning.UNDECIDED, "prunes-some", False


def _unsure(why: Reason) -> Detection:
    return Detection(Pruning.UNDECIDED, why, sure=False)


def _detected(
    pairs: list[tuple[Tree, Walk]],
    pruning: Pruning,
    code: str,
    cuts: CutOffs,
    *,
    sure: bool = True,
    **counts: int,
) -> Detection:
    """Return what was found, with the figures behind it."""
    boards = []
    for tree, walk in pairs:
        book = textbook(tree, walk)
        probed = ProbedBoard(
            board=rows(tree.root),
            finished=len(tree.values),
            evaluated=len(walk.evaluated),
            textbook_evaluated=book.evaluated,
            plain=tree.size,
            made=walk.made,
            textbook_made=book.made,
        )
        boards.append(probed)
    names = ("finished", "evaluated", "textbook_evaluated", "plain", "made", "textbook_made")
    figures = {name: sum(getattr(board, name) for board in boards) for name in names}
    return Detection(
        pruning, because(code, **counts, boards=len(boards), **figures), sure, cuts, tuple(boards)
    )


def _is_optimal(tree: Tree, reply: object) -> bool:
    """Return whether a move keeps the value of the probe's board."""
    action = reply.value if isinstance(reply, Returned) else None
    if type(action) is not tuple:
        return False
    try:
        after = place(tree.root, action)
        return tree.exact[after] == tree.exact[tree.root]
    except (KeyError, IndexError, TypeError, ValueError):
        return False


def _boards_in(node: Node) -> int:
    return sum(1 + _boards_in(child) for child in node.made.values())


@cache
def _tree(root: Board, level: bool, by_winner: bool) -> Tree:
    """Return the game from a board on, with the probe's values: odd steps of a fixed shuffle, so never 0.

    A winner can tell three values only.
    """
    ends = leaves(root, level)
    count = len(ends)
    stride = next(step for step in (389, 13, 11, 7, 5, 3, 1) if math.gcd(step, count) == 1)
    values = {
        board: (2 * (number * stride % count) - count + 0.5) / (count + 1)
        for number, board in enumerate(ends)
    }
    if by_winner:
        values = {board: float(round(1.5 * value)) for board, value in values.items()}
    return Tree(root, values, level)


Probed = tuple[Detection, list[Walked]]


def check_search(question: Probe, context: Context) -> Outcome:
    """Find out how minimax prunes; the rubric says what shallow pruning is worth."""
    finding, walked = _probe(context.client, question.boards)
    if isinstance(walked[-1].reply, Missing | NotLoaded):
        return unanswered("minimax", walked[-1].reply)
    if not finding.sure and context.sweeper.sweep().faults:
        finding, walked = _probed_mended(context, question, (finding, walked))
    shares = {Pruning.FULL: 1.0, Pruning.SHALLOW: context.rubric.shallow_pruning}
    statuses = {Pruning.FULL: Status.PASSED, Pruning.UNDECIDED: Status.SKIPPED}
    too_early = finding.cut_offs.too_early
    return Outcome(
        statuses.get(finding.pruning, Status.FAILED),
        finding.why,
        shares.get(finding.pruning, 0.0),
        board=rows(too_early[0]) if too_early else None,
        search=_as_search(finding, walked),
    )


def _probed_mended(context: Context, question: Probe, first: Probed) -> Probed:
    """Return what a probe with correct rule functions finds; a search still wrong counts as no pruning."""
    blame = context.blamer.of("minimax")
    if blame.follows:
        with context.client.mended(blame.follows) as copy:
            finding, walked = _probe(copy, question.boards)
        why = because("probed-with-right-ones", follows=blame.follows, found=finding.why)
        return replace(finding, why=why), walked
    finding, walked = first
    is_lost = any(not is_over(board) for board in context.sweeper.sweep().faults)
    if finding.pruning is Pruning.UNDECIDED and is_lost:
        finding = replace(finding, pruning=Pruning.NONE, why=because("no-working-search"), cut_offs=CutOffs())
    return finding, walked


def _probe(client: Client, boards: tuple[Board, ...]) -> Probed:
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
    first, last = found[0][0], found[-1][0]
    contradicts = last.pruning is Pruning.NONE and first.cut_offs.taken and not first.cut_offs.too_early
    return found[-1] if last.sure and not contradicts else found[0]


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
        calls=dict(sum((Counter(search.calls) for search in walked), Counter())),
    )
