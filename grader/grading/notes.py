"""What a person should know beside the scores, and what is taken off for what belongs to no criterion."""

from grader.core.checks.hand_in import claims_pruning
from grader.core.checks.imports import forbidden_imports, import_sentence, import_sentences, unreadable
from grader.core.checks.source import given_code_notes
from grader.core.course.questions import Files, Question, Readme, Style
from grader.core.course.submission import Submission, unused
from grader.core.evidence import Pruning
from grader.core.grade import Deduction, Status, Verdict
from grader.core.text import printable
from grader.grading.grading import Grading

_PRINTED = 200
_FINDINGS = 5
_FILES = 8
_SLOW_LOAD = 1.0
"""Seconds of loading that are worth a note."""


def notes_of(grading: Grading) -> tuple[str, ...]:
    """Return what a person should know beside the scores."""
    client, loaded = grading.client, grading.rubric
    faults, unchecked = _hand_in(grading)
    faults = [verdict for verdict in faults if verdict.visibility == "public"]
    if grading.program:
        from grader.programs.told import program_notes  # who grades functions never needs it

        notes = program_notes(grading.program)
        notes += [verdict.reason for verdict in faults if loaded.hand_in == "note"]
        return tuple(notes + _style(grading))
    notes = _handed_in(client.submission)
    if not client.submission.is_gradable:
        return tuple(notes)
    notes += given_code_notes(client)
    notes += [verdict.reason for verdict in faults if loaded.hand_in == "note"]
    notes += _claims(grading)
    notes += _style(grading)
    if loaded.imports.forbidden == "note" and unreadable(client) is None:
        told = import_sentences(client.outline(), loaded)
        notes += [told] if told else []
    if client.worker.load_seconds > _SLOW_LOAD:
        notes.append(
            f"The file runs code when it is imported, which took {client.worker.load_seconds:.1f} s: "
            'trial code belongs under `if __name__ == "__main__":`.'
        )
    notes += [
        f"It imports {module} (line {line}), which cannot be had here: that matters only where it is used."
        for module, line in client.worker.absent
    ]
    notes += [f"It tried to {what} (line {line}); that was refused." for what, line in client.worker.tried]
    client.close()
    if client.output.strip():
        text = client.output.decode("utf-8", "replace").strip()
        more = "…" if len(text) > _PRINTED else ""
        notes.append(f"The file prints while it is graded: {text[:_PRINTED]!r}{more}")
    if unchecked:
        notes.append(f"Not checked, for the file came without its folder: {', '.join(unchecked)}.")
    return tuple(notes)


def _handed_in(submission: Submission) -> list[str]:
    """Return what to know of the files: what the file is, what it brings along, and what was left aside."""
    notes = [submission.note] if submission.note else []
    if submission.helpers:
        notes.append(f"It imports what came with it: {_listed([one.name for one in submission.helpers])}.")
    others = unused(submission)
    if others:
        notes.append(f"Graded was {submission.main}; also there, and not used by it: {_listed(others)}.")
    return notes


def _listed(names: list[str]) -> str:
    return ", ".join(names[:_FILES]) + (f" and {len(names) - _FILES} more" if len(names) > _FILES else "")


def for_instructors(grading: Grading) -> tuple[str, ...]:
    """Return what is for the person who grades alone: what to look at, and what did not confine it."""
    program, client = grading.program, grading.client
    notes: list[str] = []
    if program:
        from grader.programs.reading import notes_on  # who grades functions never needs it

        notes += notes_on(client.submission.folder or ())
    else:
        notes += [
            f"Worth a look: {printable(what)} ({one.place(line)})."
            for one in (client.outline(), *client.outline().helpers)
            for line, what in one.suspicious
        ]
    layers = program.layers if program else client.layers
    return tuple(
        notes + [f"Not confined by the layer '{name}': {why}." for name, why in layers.items() if why]
    )


def deductions_of(grading: Grading) -> list[Deduction]:
    """Return what the rubric takes off for forbidden imports and for the hand-in, when it names points."""
    client, loaded = grading.client, grading.rubric
    found: list[Deduction] = []
    if not isinstance(loaded.hand_in, str):
        found += [Deduction(points=loaded.hand_in, reason=_told(fault)) for fault in _hand_in(grading)[0]]
    cost = loaded.imports.forbidden
    if grading.program is None and not isinstance(cost, str) and unreadable(client) is None:
        imports = forbidden_imports(client.outline(), loaded)
        found += [Deduction(points=cost, reason=import_sentence(imports, loaded))] if imports else []
    return found


def _told(fault: Verdict) -> str:
    """Return why points are taken off, as a student may read it."""
    return fault.reason if fault.visibility == "public" else "The hand-in fails a hidden check."


def _hand_in(grading: Grading) -> tuple[list[Verdict], list[str]]:
    """Return the faults of the hand-in that no weight charges, and public checks that could not be made."""
    verdicts = _worth_nothing(grading, Files, Readme)
    skipped = [verdict for verdict in verdicts if verdict.status is Status.SKIPPED]
    unchecked = [verdict.id for verdict in skipped if verdict.visibility == "public"]
    return [verdict for verdict in verdicts if verdict.status is Status.FAILED], unchecked


def _worth_nothing(grading: Grading, *kinds: type[Question]) -> list[Verdict]:
    """Return the verdicts on cases of these kinds that have no weight."""
    cases = {
        (case.criterion, case.question.id)
        for case in grading.asked
        if isinstance(case.question, kinds) and not case.question.weight
    }
    return [verdict for criterion, verdict in grading.verdicts if (criterion, verdict.id) in cases]


def _style(grading: Grading) -> list[str]:
    """Return what a style that is worth nothing would have cost, with the first lines."""
    return [
        f"Style: {verdict.reason} "
        + "; ".join(f"{one.where}: {one.message}" for one in verdict.findings[:_FINDINGS])
        for verdict in _worth_nothing(grading, Style)
        if verdict.findings and verdict.visibility == "public"
    ]


def _claims(grading: Grading) -> list[str]:
    """Return what a README says of the search that the probe has not seen."""
    asked = [case.question for case in grading.asked if isinstance(case.question, Readme)]
    found = [verdict.search.pruning for _, verdict in grading.verdicts if verdict.search]
    if not found or not any(claims_pruning(grading.client.submission.folder, one) for one in asked):
        return []
    claim = "The README describes alpha-beta pruning; the search does not prune."
    return [claim] if found[0] is Pruning.NONE else []
