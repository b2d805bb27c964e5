"""What every report says of a grade beside its cases, in the same words."""

from collections.abc import Sequence
from typing import Final

from grader.core.evidence import Count, Mistake, Tactic, Tally
from grader.core.grade import CriterionScore, Grade, Status
from grader.report.agenda import is_bad
from grader.report.text import number

MEND_FIRST: Final = "Mend this first: nothing else could be asked of it."


def cases_passed(tally: Tally) -> str:
    """Return how many passed: `27 of 29 cases passed, 2 not judged; 3 of 5 hidden cases beside these`."""
    public, hidden = tally.public, tally.hidden
    if not public.cases:
        return f"{_counted(hidden, 'hidden ')} passed{_not_judged(hidden)}" if hidden.cases else ""
    told = f"{_counted(public)} passed{_not_judged(public)}"
    if not hidden.cases:
        return told
    return f"{told}; {_counted(hidden, 'hidden ')} beside these{_not_judged(hidden)}"


def _counted(count: Count, kind: str = "") -> str:
    return f"{count.passed} of {count.cases} {kind}{'case' if count.cases == 1 else 'cases'}"


def _not_judged(count: Count) -> str:
    return f", {count.not_judged} not judged" if count.not_judged else ""


def not_judged(grade: Grade) -> list[str]:
    """Return why cases were not judged, each reason once with its cases; a bonus is told elsewhere."""
    why: dict[str, list[str]] = {}
    for criterion in grade.criteria:
        for verdict in criterion.verdicts:
            if verdict.status is Status.SKIPPED and verdict.weight and not (verdict.unrun or verdict.search):
                why.setdefault(verdict.reason, []).append(f"{criterion.id}/{verdict.id}")
    return [f"{', '.join(cases)}: {reason}" for reason, cases in why.items()]


def what_is_right(grade: Grade) -> str:
    """Return the criteria in which nothing is wrong, with their points; nothing if all or none are so."""
    judged = [one for one in grade.criteria if not one.bonus and not one.by_hand]
    right = [one for one in judged if _is_right(one)]
    if not right or right == judged:
        return ""
    points = number(sum(one.points for one in right))
    return f"Right: {', '.join(one.id for one in right)} ({points} of {points})."


def _is_right(criterion: CriterionScore) -> bool:
    wrong = any(is_bad(verdict) and verdict.weight for verdict in criterion.verdicts)
    judged = criterion.tally.public.cases + criterion.tally.hidden.cases
    return bool(judged) and criterion.score >= criterion.points and not wrong


def hidden_cost(grade: Grade) -> str:
    """Return what hidden cases cost beside those that are shown; nothing where none is left out."""
    lost = sum(criterion.tally.hidden.lost for criterion in grade.criteria if not criterion.bonus)
    told = grade.hidden and lost and not grade.does_not_run
    return f"Hidden cases cost {number(lost)} points beside that." if told else ""


def beyond_title(mistake: Mistake) -> str:
    """Return what the sentence about a mistake says beyond its title, which stands above it."""
    head = f"`{mistake.function}` {mistake.title}"
    if not mistake.sentence.startswith(head):
        return mistake.sentence
    rest = mistake.sentence.removeprefix(head)
    clause = next((rest.partition(mark)[2] for mark in (": ", "; ") if mark in rest), "")
    said = clause or ("" if rest.startswith(",") else f"{rest.strip(' ().')}.".lstrip("."))
    return said[:1].upper() + said[1:]


def closing(grade: Grade) -> str:
    """Return the last line: how long it took, how minimax was asked, and how long its first move takes."""
    sentences = [f"Graded in {grade.seconds:.1f} s."]
    if grade.sweep:
        why = f" ({grade.sweep.why_plain})" if grade.sweep.why_plain else ""
        how = "with recall" if grade.sweep.recalled else f"without recall{why}"
        sentences.append(f"minimax was asked {grade.sweep.asked:,} boards {how}.")
    if grade.first_move:
        seconds = grade.first_move.seconds
        told = f"about {float(f'{seconds:.1g}'):g} s (an estimate)"
        sentences.append(f"Its first move takes {told if grade.first_move.estimated else f'{seconds:g} s'}.")
    return " ".join(sentences)


def search_sentences(grade: Grade) -> list[str]:
    """Return what the probe saw; a bonus that was not earned is told here, in a line."""
    told = []
    for criterion in grade.criteria:
        for verdict in criterion.verdicts:
            if verdict.search:
                missed = criterion.bonus and is_bad(verdict) and not verdict.earned
                told.append(("The bonus is not earned. " if missed else "") + verdict.reason)
    return told


def shown_tactics(grade: Grade) -> Sequence[Tactic]:
    """Return the tactics of a minimax that does any of them, and not all or what is worth as much."""
    is_weak = any(one.done + one.as_good < one.boards for one in grade.tactics)
    return grade.tactics if is_weak and any(one.done for one in grade.tactics) else ()


def beside_it(tactic: Tactic) -> str:
    """Return how often something else was as good: who wins later has won."""
    if not tactic.as_good:
        return ""
    return f"on {tactic.as_good:,} more a slower win, which is as good"
