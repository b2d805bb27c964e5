"""What every report says of a grade beside its cases, or since the grade before, in the same words."""

from collections.abc import Iterable, Sequence
from typing import Final

from grader.core.evidence import Comment, Count, Mistake, RequestAnswer, Tactic, Tally
from grader.core.grade import CriterionScore, Grade, Status
from grader.report.text import number

COMMENTS: Final = "Comments from your instructor"
FIX_FIRST: Final = "Fix this first: nothing else could be tested."


def that_is(grade: Grade) -> str:
    """Return what goes back where that is not the total, as the end of a sentence: `, that is 94 of 100`."""
    if grade.final == grade.total and grade.out_of == grade.points:
        return ""
    return f", that is {number(grade.final)} of {number(grade.out_of)}"


def cases_passed(tally: Tally) -> str:
    """Return how many passed: `27 of 29 cases passed, 2 not judged, and 3 of 5 hidden cases`."""
    public, hidden = tally.public, tally.hidden
    if not public.cases:
        return f"{_counted(hidden, 'hidden ')} passed{_not_judged(hidden)}" if hidden.cases else ""
    told = f"{_counted(public)} passed{_not_judged(public)}"
    if not hidden.cases:
        return told
    return f"{told}, and {_counted(hidden, 'hidden ')}{_not_judged(hidden)}"


def _counted(count: Count, kind: str = "") -> str:
    return f"{count.passed} of {count.cases} {kind}{'case' if count.cases == 1 else 'cases'}"


def _not_judged(count: Count) -> str:
    return f", {count.not_judged} not judged" if count.not_judged else ""


def not_judged(grade: Grade) -> list[str]:
    """Return why cases were not judged, each reason once with its cases; a bonus is told elsewhere.

    Where a person decided in their place, they are left out.
    """
    why: dict[str, list[str]] = {}
    for criterion in () if grade.marked_by else grade.criteria:
        for verdict in criterion.verdicts:
            is_told = criterion.bonus or criterion.marked_by or verdict.unrun or verdict.search
            if verdict.status is Status.SKIPPED and verdict.weight and not is_told:
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
    counts = criterion.tally.public, criterion.tally.hidden
    passed, cases = sum(one.passed for one in counts), sum(one.cases for one in counts)
    return bool(cases) and passed == cases and criterion.score >= criterion.points


def hidden_cost(grade: Grade) -> str:
    """Return what hidden cases cost besides those that are shown; nothing where none is left out."""
    lost = sum(criterion.tally.hidden.lost for criterion in grade.criteria if not criterion.bonus)
    told = grade.hidden and lost and not grade.does_not_run
    return f"Hidden cases cost another {number(lost)} points." if told else ""


def beyond_title(mistake: Mistake) -> str:
    """Return what the sentence about a mistake says beyond its title, which stands above it."""
    head = f"`{mistake.function}` {mistake.title}"
    if not mistake.sentence.startswith(head):
        return mistake.sentence
    rest = mistake.sentence.removeprefix(head)
    clause = next((rest.partition(mark)[2] for mark in (": ", "; ") if mark in rest), "")
    said = clause or ("" if rest.startswith(",") else f"{rest.strip(' ().')}.".lstrip("."))
    return said[:1].upper() + said[1:]


def comments_of(comments: Iterable[Comment], answers: Iterable[RequestAnswer]) -> list[str]:
    """Return what a person says of all of it and of its lines, and what is answered, a text each.

    A comment with points is a decision, and told as one.
    """
    told = []
    for one in comments:
        if not one.points:
            place = place_of(one.file, one.line)
            told.append(f"{place}: {one.text} ({one.by})" if place else f"{one.text} ({one.by})")
    return told + [f"You asked: {one.request}\nThe answer: {one.answer} ({one.by})" for one in answers]


def place_of(file: str, line: int | None) -> str:
    """Return a line of the submission, or of a module that came with it; nothing where none is meant."""
    return ", ".join(filter(None, (file, f"line {line}"))) if line else ""


def closing(grade: Grade) -> str:
    """Return the last line: how long it took, how minimax was asked, and how long its first move takes."""
    sentences = [f"Graded in {grade.seconds:.1f} s."]
    if grade.sweep:
        why = f" ({grade.sweep.why_plain})" if grade.sweep.why_plain else ""
        how = "with recall" if grade.sweep.recalled else f"without recall{why}"
        sentences.append(f"minimax was asked {grade.sweep.asked:,} boards {how}.")
    if grade.first_move:
        sentences.append(f"Its first move takes {grade.first_move.seconds:g} s.")
    return " ".join(sentences)


def search_sentences(grade: Grade) -> list[str]:
    """Return what the probe saw; a bonus that was not earned is told here, in a line."""
    told = []
    for criterion in grade.criteria:
        for verdict in criterion.verdicts:
            if verdict.search:
                missed = criterion.bonus and verdict.status.is_bad and not verdict.earned
                told.append(("The bonus is not earned. " if missed else "") + verdict.reason)
    return told


def shown_tactics(grade: Grade) -> Sequence[Tactic]:
    """Return the tactics of a minimax that does any of them, and not all or what is worth as much."""
    is_weak = any(one.done + one.as_good < one.boards for one in grade.tactics)
    return grade.tactics if is_weak and any(one.done for one in grade.tactics) else ()


def beside_it(tactic: Tactic) -> str:
    """Return how often something else was as good: who wins later has won."""
    return f"on {tactic.as_good:,} more a slower win, which is as good" if tactic.as_good else ""


def changes(before: Grade, now: Grade) -> list[str]:
    """Return what changed, the total first; one sentence where nothing did."""
    total = f"{number(before.total)} points became {number(now.total)}" if before.total != now.total else ""
    runs = not (now.does_not_run or now.not_gradable)
    if runs == bool(before.does_not_run or before.not_gradable):
        told = "It runs now." if runs else "It does not run any more: fix that first."
        return [*filter(None, [total]), told]
    known = {one.id: one for one in before.criteria}
    changed = [total, *(_change(known[one.id], one) for one in now.criteria if one.id in known)]
    return list(filter(None, changed)) or ["Nothing changed in what is judged."]


def _change(before: CriterionScore, now: CriterionScore) -> str:
    """Return what changed in a criterion, or nothing."""
    gained = round(now.score - before.score, 2)
    wrong = sum(one.status.is_bad and one.lost > 0 for one in now.verdicts)
    if gained > 0 and not wrong:
        return f"`{now.id}` fixed: +{number(gained)}"
    if gained:
        cases = f"{wrong} case{'s' if wrong > 1 else ''} still to fix" if gained > 0 else "look at it again"
        return f"`{now.id}`: {gained:+g}, {cases}"
    return ""
