"""Sentences about what was not taken of a download, and whose problem that is."""

from dataclasses import replace
from typing import Final

from grader.classroom.archives import Refused
from grader.classroom.entries import Entry
from grader.classroom.forms import student_of
from grader.core.errors import UserError

_SHOWN: Final = 100


def several(names: list[str]) -> str:
    """Return the problem of a hand-in in which more than one file could be meant."""
    return f"Several files could be meant: {', '.join(names[:5])}."


def refusal(archive: str, refused: Refused) -> str:
    """Return the problem of an archive, or of a member of it, that was not unpacked."""
    member = refused.member if len(refused.member) <= _SHOWN else f"{refused.member[:_SHOWN]}…"
    what = f"{member!r} in {archive}" if member else archive
    return f"{what}: {refused.why}."


def blamed(found: list[Entry], refused: list[Refused], archive: str, root: str) -> list[Entry]:
    """Return the entries of a class's archive; a refused member is a problem of the student it belongs to."""
    problems: dict[str, Refused] = {}
    known = {entry.submission for entry in found}
    for one in sorted(refused, key=lambda one: not one.needed):
        inside = one.member.removeprefix("" if root == "." else root + "/")
        owner = next((part for part in inside.split("/") if part not in ("", "..")), "")
        if one.needed or owner not in known:
            problems.setdefault(owner, one)
    if "" in problems and not found:
        raise UserError(refusal(archive, problems[""]))
    told = []
    for entry in found:
        problem = problems.pop(entry.submission, None)
        told.append(replace(entry, file=None, problem=refusal(archive, problem)) if problem else entry)
    for owner, problem in problems.items():
        told.append(Entry(student_of(owner) or archive, owner or archive, problem=refusal(archive, problem)))
    return told
