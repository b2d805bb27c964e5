"""Whether a set of cases can be scored: told before anyone is graded."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from grader.core.course.course import Listed
from grader.core.course.rubric import Rubric
from grader.core.errors import UserError


def refuse_incomplete(
    listed: Sequence[Listed], rubric: Rubric, rubric_file: Path, *, all_of_it: bool
) -> None:
    """Raise UserError for a case of no criterion, two of one name, or a criterion whose points nobody earns.

    The last only if these are all cases there are.
    """
    weights: Counter[str] = Counter()
    seen: set[tuple[str, str]] = set()
    for one in listed:
        if rubric.criterion(one.criterion) is None:
            raise UserError(rubric.unknown(one.criterion), file=one.file, line=one.line)
        if (one.criterion, one.id) in seen:
            message = f"the criterion '{one.criterion}' has two cases '{one.id}': give one another id"
            raise UserError(message, file=one.file, line=one.line)
        seen.add((one.criterion, one.id))
        weights[one.criterion] += one.weight  # type: ignore[assignment]
    if not all_of_it:
        return
    from grader.course.rubric import without_case  # takes a while, and most courses are complete

    for owner in rubric.all_criteria():
        if not owner.by_hand and not any(criterion == owner.id for criterion, _ in seen):
            raise without_case(rubric_file, owner)
        if not owner.by_hand and owner.points and not weights[owner.id]:
            raise without_case(rubric_file, owner, weightless=True)
