"""What every report says of a grade beside its cases, in the same words."""

from collections.abc import Sequence

from grader.evidence import Tactic
from grader.grade import Grade
from grader.report.agenda import is_bad


def closing(grade: Grade) -> str:
    """Return the last line: how long it took, how minimax was asked, and how long its first move takes."""
    sentences = [f"Graded in {grade.seconds:.1f} s."]
    if grade.sweep:
        how = "with recall" if grade.sweep.recalled else f"without recall ({grade.sweep.why_plain})"
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
    """Return the tactics of a minimax that does any of them."""
    return grade.tactics if any(one.done for one in grade.tactics) else ()
