"""The probe: does minimax prune, and how? Proved by what it does, whatever its names say.

`utility` is answered from a table of values on finished boards, strictly between -1 and 1 and all different,
so that no shortcut for a won game can fire. The walk of each search is replayed by textbook alpha-beta. Where
that does not fit (scores weighted by depth, a look at `winner` ahead), it is done once more in a game that
goes on until the board is full: there all finished boards are equally deep and nobody wins early.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from grader.checks.outcome import Context, Outcome, no_answer
from grader.course.questions import Probe
from grader.game.board import Board, place, rows
from grader.game.replay import CutOffs, replay, textbook
from grader.game.tree import Tree, leaves
from grader.game.walk import Node, StrangeStep, Walk, follow
from grader.grade import ProbedBoard, Pruning, Search, Status
from grader.sandbox.reply import Missing, NotLoaded, Returned
from grader.sandbox.walked import Walked, WalkQuestions

_LOOK = "look for a comparison that ends a loop over the actions early"
_STATUS = {
    Pruning.FULL: Status.PASSED,
    Pruning.SHALLOW: Status.FAILED,
    Pruning.NONE: Status.FAILED,
    Pruning.UNDECIDED: Status.SKIPPED,
}


@dataclass(frozen=True)
class Finding:
    """What a probe found. It is `sure` unless the other kind of game could still tell more."""

    pruning: Pruning
    why: str
    sure: bool = True
    cut_offs: CutOffs = field(default_factory=CutOffs)
    boards: tuple[ProbedBoard, ...] = ()

    @property
    def cuts_too_much(self) -> bool:
        """Whether the search stops where alpha-beta must not."""
        return bool(self.cut_offs.too_early)


def check_search(question: Probe, context: Context) -> Outcome:
    """Find out how minimax prunes; the rubric says what shallow pruning is worth."""
    found: list[tuple[Finding, list[Walked]]] = []
    for level in (False, True):
        walked = context.client.walks(questions_for(question.boards, level=level))
        if isinstance(walked[-1].reply, Missing | NotLoaded):
            return Outcome(*no_answer("minimax", walked[-1].reply))  # type: ignore[misc]
        trees = [_tree(board, level) for board in question.boards]
        found.append((_judged(trees, walked), walked))
        if found[-1][0].sure:
            break
        coarse = _judged_coarsely(trees, walked)
        if coarse:
            found[-1] = coarse, walked
            break
    finding, walked = found[-1] if found[-1][0].sure and _agree(found) else found[0]
    return _outcome(finding, _as_search(finding, walked), context.rubric.shallow_pruning)


def _agree(found: list[tuple[Finding, list[Walked]]]) -> bool:
    """Return whether the last finding may stand: that nothing is pruned must not contradict the first."""
    first, last = found[0][0], found[-1][0]
    pruned = first.cut_offs.taken > 0 and not first.cuts_too_much
    return not (last.pruning is Pruning.NONE and pruned)


def questions_for(boards: Sequence[Board], *, level: bool) -> WalkQuestions:
    """Return what the probe asks; it can be sent ahead."""
    return WalkQuestions(tuple((board, _tree(board, level).values) for board in boards), level)


def _outcome(finding: Finding, search: Search, shallow_share: float) -> Outcome:
    share = {Pruning.FULL: 1.0, Pruning.SHALLOW: shallow_share}.get(finding.pruning, 0.0)
    shown = rows(finding.cut_offs.too_early[0]) if finding.cuts_too_much else None
    return Outcome(_STATUS[finding.pruning], finding.why, share, board=shown, search=search)


def _as_search(finding: Finding, walked: list[Walked]) -> Search:
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


def _judged(trees: list[Tree], walked: list[Walked]) -> Finding:
    """Return what the walks of one kind of game say."""
    if not isinstance(walked[-1].reply, Returned):
        nothing = no_answer("minimax", walked[-1].reply)
        assert nothing
        return _unsure(f"With other values than -1, 0 and 1 for finished games: {nothing[1]}")
    if any(one.cut_short for one in walked):
        return _unsure(f"The search takes too many steps to follow them: {_LOOK}.")
    try:
        pairs = _followed(trees, walked)
    except StrangeStep:
        return _unsure(f"The search looks into boards that no game leads to: {_LOOK}.")
    if not any(walk.evaluated for _, walk in pairs):
        return _without_utility(pairs)
    cuts, wide = _cut_offs(pairs)
    optimal = all(_is_optimal(tree, one.reply) for tree, one in zip(trees, walked, strict=True))
    boards = tuple(_probed(tree, walk) for tree, walk in pairs)
    pruning, why, sure = _decision(cuts, wide, optimal)
    return Finding(pruning, f"{why} {_evidence(boards)}", sure, cuts, boards)


def _judged_coarsely(trees: list[Tree], walked: list[Walked]) -> Finding | None:
    """Return what the walks say of a search that makes other scores of `utility`, or None.

    Many files keep only who has won (`if utility(board) == 1`), or whole numbers only: all the probe's values
    are then one, or two. With so few values most cut-offs are ties, so all of these must be taken.
    """
    for scores in (0.0, 0.0), (-1.0, 1.0):
        coarser = [
            replace(tree, values={end: scores[value > 0] for end, value in tree.values.items()})
            for tree in trees
        ]
        try:
            pairs = _followed(coarser, walked)
        except (StrangeStep, ValueError):
            return None
        cuts, _ = _cut_offs(pairs, ties_end=True)
        if cuts.taken_deep and not cuts.missed and not cuts.too_early:
            boards = tuple(_probed(tree, walk) for tree, walk in pairs)
            why = "Alpha-beta pruning, by scores that keep only who has won: every cut-off is taken."
            return Finding(Pruning.FULL, f"{why} {_evidence(boards)}", cut_offs=cuts, boards=boards)
    return None


def _followed(trees: list[Tree], walked: list[Walked]) -> list[tuple[Tree, Walk]]:
    return [(tree, follow(tree.root, one.steps)) for tree, one in zip(trees, walked, strict=True)]


def _cut_offs(pairs: list[tuple[Tree, Walk]], *, ties_end: bool = False) -> tuple[CutOffs, CutOffs]:
    """Return the cut-offs of all walks; then the same for a root that gives each move a full window."""

    def total(remembers: bool, narrows: bool) -> CutOffs:
        found = (
            replay(tree, walk, remembers=remembers, root_narrows=narrows, ties_end=ties_end)
            for tree, walk in pairs
        )
        return sum(found, CutOffs())

    both = total(False, True), total(False, False)
    if both[0].too_early:  # or did the search answer from memory, instead of stopping?
        both = min(both, (total(True, True), total(True, False)), key=lambda one: len(one[0].too_early))
    return both


def _without_utility(pairs: list[tuple[Tree, Walk]]) -> Finding:
    if all(_boards_in(walk.root) == tree.size for tree, walk in pairs):
        return Finding(Pruning.NONE, "No pruning: the search looks into every board there is.")
    return _unsure(f"`minimax` never calls `utility`, so a probe cannot tell what it prunes: {_LOOK}.")


def _decision(cuts: CutOffs, wide: CutOffs, optimal: bool) -> tuple[Pruning, str, bool]:
    """Return what the cut-offs amount to, and whether that is sure."""
    if not cuts.taken and not cuts.too_early:
        return Pruning.NONE, "No pruning: the search never leaves a move out.", True
    if cuts.too_early and cuts.missed > cuts.taken:
        why = "No alpha-beta: it stops early on some boards, but not where alpha-beta does."
        return Pruning.NONE, why, False
    if cuts.too_early:
        why = (
            "Your pruning cuts too much: on this board it stops although nothing found so far allows that. "
            "(Unless it counts on symmetry, or on -1, 0 and 1 being all there is; a person has to decide.)"
        )
        return Pruning.UNDECIDED, why, False
    if not optimal:
        why = f"It leaves moves out, but its moves are not the best under the probe's values: {_LOOK}."
        return Pruning.UNDECIDED, why, False
    if not cuts.missed or not wide.missed:
        kept = "" if not cuts.missed else " (each move at the root gets a full window)"
        return Pruning.FULL, f"Alpha-beta pruning{kept}: every cut-off is taken, deep ones too.", True
    if not cuts.missed_shallow or not wide.missed_shallow:
        why = "Shallow pruning: it cuts off against the board one move up, not against those further up."
        return Pruning.SHALLOW, why, True
    if cuts.levels == {1}:
        why = "No alpha-beta: it cuts off right below the root only, and nowhere deeper."
        return Pruning.NONE, why, True
    some = f"It takes {cuts.taken} of {cuts.taken + cuts.missed} cut-offs"
    return Pruning.UNDECIDED, f"{some}, and not by a rule that the probe knows: {_LOOK}.", False


def _unsure(why: str) -> Finding:
    return Finding(Pruning.UNDECIDED, why, sure=False)


def _probed(tree: Tree, walk: Walk) -> ProbedBoard:
    figures = textbook(tree, walk)
    return ProbedBoard(
        board=rows(tree.root),
        finished=len(tree.values),
        evaluated=len(walk.evaluated),
        textbook_evaluated=figures.evaluated,
        plain=tree.size,
        made=walk.made,
        textbook_made=figures.made,
    )


def _evidence(boards: Sequence[ProbedBoard]) -> str:
    """Return the figures behind a decision in a sentence."""
    finished, evaluated, ideal, plain, made, ideal_made = (
        sum(getattr(board, name) for board in boards)
        for name in ("finished", "evaluated", "textbook_evaluated", "plain", "made", "textbook_made")
    )
    return (
        f"On {len(boards)} boards it evaluated {evaluated} of {finished} finished boards "
        f"(textbook alpha-beta in its order of moves: {ideal}) and called `result` {made:,} times "
        f"(textbook: {ideal_made:,}; without pruning: {plain:,})."
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
def _tree(root: Board, level: bool) -> Tree:
    """Return the game from a board on, with the probe's values: odd steps of a fixed shuffle, so never 0."""
    ends = leaves(root, level)
    count = len(ends)
    stride = next(step for step in (389, 13, 11, 7, 5, 3, 1) if math.gcd(step, count) == 1)
    values = {
        board: (2 * (number * stride % count) - count + 0.5) / (count + 1)
        for number, board in enumerate(ends)
    }
    return Tree(root, values, level)
