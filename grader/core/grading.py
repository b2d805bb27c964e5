"""Make the grade of a judged submission: its scores, notes and deductions, and why a file does not run."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from grader.core.asking.client import Client
from grader.core.asking.reply import Loss
from grader.core.asking.worker import Opens
from grader.core.checks import sweep as sweeping
from grader.core.checks.play import instead
from grader.core.checks.source import (
    claims_pruning,
    forbidden_imports,
    given_code_notes,
    import_sentence,
    import_sentences,
    refuse_forbidden_imports,
    unreadable,
)
from grader.core.checks.style import Linter, Stylist
from grader.core.checks.sweep import Sweeper
from grader.core.course.course import Course, Files, Play, Question, Readme, Style
from grader.core.course.submission import Submission, unused
from grader.core.game.board import START
from grader.core.game.oracle import packed
from grader.core.grade import (
    Deduction,
    DoesNotRun,
    FirstMove,
    Grade,
    Mistake,
    Pruning,
    Status,
    Sweep,
    Unrun,
    Verdict,
)
from grader.core.judging import Judging, OnVerdict, no_news
from grader.core.messages import _, later, listing, ngettext, reworded
from grader.core.scores import make_grade
from grader.core.values import lines_of, printable, source_text

_PRINTED = 200
_FINDINGS = 5
_FILES = 8
_SLOW_LOAD = 1.0  # seconds of loading that are worth a note
_ON_TEXTS: Final = Style, Files, Readme  # what can be judged of a submission that does not run
_WIDEST: Final = 100
_TRIED: Final = (
    later("read frames"),
    later("read a function's insides"),
    later("search the memory"),
    later("make code objects"),
    later("trace the grader"),
    later("add an audit hook"),
    later("catch the grader's errors"),
    later("use ctypes"),
    later("open a socket"),
    later("look up an address"),
    later("start a process"),
    later("start a thread"),
    later("send a signal"),
    later("change limits"),
    later("use {name}"),
    later("open {file}"),
)
"""What a worker may refuse, as it stands after: It tried to."""

_BY_CHANCE: Final = frozenset(("random", "secrets", "uuid"))
_SUSPICIOUS: Final = (later("the file imports {module}"), later("the file uses {name}"))
_TAB: Final = 4


def _notes_on_files(submission: Submission) -> list[str]:
    """Return what to know of the files: what the file is, what it brings along, and what was left aside."""
    notes = [submission.note] if submission.note else []
    if submission.helpers:
        names = _listed([helper.name for helper in submission.helpers])
        notes.append(_("It imports what came with it: {names}.", names=names))
    if others := unused(submission):
        sentence = later("Graded was {file}; also there, and not used by it: {others}.")
        notes.append(_(sentence, file=submission.main, others=_listed(others)))
    return notes


def _listed(names: list[str]) -> str:
    shown, left = ", ".join(names[:_FILES]), len(names) - _FILES
    if left <= 0:
        return shown
    return ngettext("{names} and {count} more", "{names} and {count} more", left, names=shown)


def faults_of_hand_in(judging: Judging) -> list[str]:
    """Return the public faults of the submission's folder, where they cost a note."""
    if judging.course.rubric.hand_in != "note":
        return []
    return [fault.reason for fault in _uncharged(judging) if fault.visibility == "public"]


def not_confined(layers: Mapping[str, str]) -> list[str]:
    """Return a note for each layer that was off, with why."""
    return [
        _("Not confined by the layer '{name}': {why}.", name=name, why=why)
        for name, why in layers.items()
        if why
    ]


def deductions_of(judging: Judging) -> list[Deduction]:
    """Return what the rubric takes off, in points, for forbidden imports and for faults of the folder."""
    client, rubric = judging.client, judging.course.rubric
    found: list[Deduction] = []
    if not isinstance(rubric.hand_in, str):
        hidden = _("The submission fails a hidden check.")
        for fault in _uncharged(judging):
            reason = fault.reason if fault.visibility == "public" else hidden
            found.append(Deduction(points=rubric.hand_in, reason=reason))
    cost = rubric.imports.forbidden
    if rubric.kind == "functions" and not isinstance(cost, str) and unreadable(client) is None:
        imports = forbidden_imports(client.outline(), rubric)
        found += [Deduction(points=cost, reason=import_sentence(imports, rubric))] if imports else []
    return found


def _uncharged(judging: Judging) -> list[Verdict]:
    """Return the faults of the submission's folder that no weight charges."""
    unweighted = _without_weight(judging, Files, Readme)
    return [verdict for verdict in unweighted if verdict.status is Status.FAILED]


def _without_weight(judging: Judging, *kinds: type[Question]) -> list[Verdict]:
    """Return the verdicts on cases of these kinds that have no weight."""
    cases = {
        (case.criterion, case.question.id)
        for case in judging.asked
        if isinstance(case.question, kinds) and not case.question.weight
    }
    return [verdict for criterion, verdict in judging.verdicts if (criterion, verdict.id) in cases]


def style_notes(judging: Judging) -> list[str]:
    """Return what a style that is worth nothing would have cost, with the first lines."""
    return [
        _(
            "Style: {reason} {findings}",
            reason=verdict.reason,
            findings="; ".join(f"{found.where}: {found.message}" for found in verdict.findings[:_FINDINGS]),
        )
        for verdict in _without_weight(judging, Style)
        if verdict.findings and verdict.visibility == "public"
    ]


def _contradicted_claims(judging: Judging) -> list[str]:
    """Return the note on a README that describes pruning where the probe has seen none."""
    asked = [case.question for case in judging.asked if isinstance(case.question, Readme)]
    found = [verdict.search.pruning for _name, verdict in judging.verdicts if verdict.search]
    folder = judging.client.submission.folder
    if found[:1] == [Pruning.NONE] and any(claims_pruning(folder, question) for question in asked):
        return [_("The README describes alpha-beta pruning; the search does not prune.")]
    return []


def _spoilt(judging: Judging, why: DoesNotRun) -> list[tuple[str, Verdict]]:
    """Return the verdicts of a submission that does not run: those that it spoils say so, without a hint."""
    spoilt: dict[str, Any] = {"unrun": True, "reason": why.sentence, "code": "does-not-run"}
    spoilt |= {"parameters": {"why": why.sentence}, "hint": None, "line": why.line}
    stays = {
        (case.criterion, case.question.id) for case in judging.asked if isinstance(case.question, _ON_TEXTS)
    }
    return [
        (criterion, verdict)
        if (criterion, verdict.id) in stays or verdict.status in (Status.PASSED, Status.GRADER_ERROR)
        else (criterion, replace(verdict, **spoilt))
        for criterion, verdict in judging.verdicts
    ]


def _at(source: bytes, why: Unrun, sentence: str, line: int, column: int = 0) -> DoesNotRun:
    """Return the sentence with the line of the source; of one that is too wide, the part around the place."""
    lines = lines_of(source_text(source))
    if not 1 <= line <= len(lines):
        return DoesNotRun(why=why, sentence=sentence)
    text = lines[line - 1]
    parts = text[: max(0, column - 1)], text.rstrip()
    before, shown = (printable(part.expandtabs(_TAB)) for part in parts)
    start = max(0, len(before) - _WIDEST // 2) if len(shown) > _WIDEST else 0
    place = len(before) - start + 1 if column and len(before) <= len(shown) else None
    return DoesNotRun(
        why=why, sentence=sentence, line=line, column=place, text=shown[start : start + _WIDEST] or None
    )


Found = tuple[Sequence[tuple[str, Verdict]], tuple[Mistake, ...]]


def judging_of(
    found: Submission,
    course: Course,
    opens: Opens,
    linter: Linter | None = None,
    *,
    on_verdict: OnVerdict = no_news,
    recall: bool = True,
) -> Judging:
    """Return what judges a file with functions, one question after the other; the caller closes it."""
    client = Client(found, course.rubric.limits, opens)
    client.outline()
    refuse_forbidden_imports(client, course.rubric)
    stylist = Stylist(found.source, course.rubric.style, course.template, linter, found.helpers)
    return Judging(course, client, Sweeper(client, recall), stylist, on_verdict=on_verdict)


def grade_of(judging: Judging, subject: "Subject") -> Grade:
    """Return the grade of a submission when all its cases are judged."""
    found, rubric = judging.client.submission, judging.course.rubric
    verdicts: Sequence[tuple[str, Verdict]] = judging.verdicts
    known = subject.known(judging)
    of_functions = [verdict.status for _name, verdict in verdicts if verdict.function]
    may_run = Status.PASSED in of_functions or not found.is_gradable
    unrun = None if may_run else subject.does_not_run(judging)
    mistakes: tuple[Mistake, ...] = ()
    if unrun:
        verdicts = _spoilt(judging, unrun)
    elif any(status.is_bad for status in of_functions):
        verdicts, mistakes = subject.diagnosed(judging)
    return make_grade(
        rubric,
        found.name,
        verdicts,
        deductions=subject.deductions(judging),
        **known,
        does_not_run=unrun,
        mistakes=mistakes,
        show_mistakes=rubric.mistakes == "shown",
        not_gradable=None if found.is_gradable else found.problem,
        for_instructors=subject.for_instructors(judging),
        notes=subject.notes(judging),
        machine_was_busy=subject.was_busy(judging),
        boundary=judging.client.boundary,
        seconds=round(time.perf_counter() - judging.started, 3),
        submission_seconds=round(subject.seconds(judging), 3),
    )


class Subject:
    """What is handed in: a file with functions. For a program all methods are replaced."""

    def __init__(self, *, time_first_move: bool = False) -> None:
        self._time_first_move = time_first_move

    def prepare(self) -> None:
        """Raise NotGradable, before anything is judged, if it cannot be graded here."""

    def close(self) -> None:
        """End all that runs of it beside the client."""

    def does_not_run(self, judging: Judging) -> DoesNotRun | None:
        """Return why nothing of it could be asked, and where, or None if it runs."""
        client = judging.client
        if client.looks_runnable():
            return None
        source, problem = client.submission.source, unreadable(client)
        if problem:
            outline = client.outline()
            return _at(source, Unrun.NOT_PYTHON, problem, outline.line, outline.column)
        failure = client.load_failure()
        assert failure
        why = Unrun.RAISES if failure.raised else Unrun.REFUSED
        if failure.loss:
            why = Unrun.ENDLESS if failure.loss is Loss.DEADLINE else Unrun.DIES
        return _at(source, why, failure.why, failure.line)

    def known(self, judging: Judging) -> dict[str, Any]:
        """Return fields of the grade that no verdict holds: what was seen of minimax, if a case asks."""
        found = _swept(judging)
        if found is None:
            return {}
        client, first_move = judging.client, None
        if self._time_first_move:
            seconds = client.timed("minimax", [START], client.limits.sweep_budget)
            first_move = None if seconds is None else FirstMove(seconds=round(seconds, 3))
        tactics: tuple[Any, ...] = ()
        if found.faults:
            from grader.core.mistakes.policies import tactics_of  # a right file needs none of the mistakes

            tactics = tactics_of(found.policy)
        return {
            "policy": packed(found.policy),
            "instead": instead(found),
            "tactics": tactics,
            "sweep": Sweep(
                asked=len(found.replies),
                seconds=round(found.seconds, 3),
                recalled=found.recalled,
                why_plain=found.why_plain,
            ),
            "first_move": first_move,
        }

    def diagnosed(self, judging: Judging) -> Found:
        """Return the verdicts, each with the mistake that explains it, and the mistakes."""
        from grader.core.checks.diagnosis import diagnosed

        return diagnosed(judging.client, _swept(judging), judging.asked, judging.verdicts)

    def deductions(self, judging: Judging) -> Sequence[Deduction]:
        """Return what is taken off for what belongs to no criterion."""
        return deductions_of(judging)

    def notes(self, judging: Judging) -> tuple[str, ...]:
        """Return what a person should know beside the scores."""
        client, rubric = judging.client, judging.course.rubric
        notes = _notes_on_files(client.submission)
        if not client.submission.is_gradable:
            return tuple(notes)
        notes += given_code_notes(client)
        notes += faults_of_hand_in(judging)
        notes += _contradicted_claims(judging)
        notes += style_notes(judging)
        if rubric.imports.forbidden == "note" and unreadable(client) is None:
            notes += filter(None, [import_sentences(client.outline(), rubric)])
        if client.load_seconds > _SLOW_LOAD:
            sentence = later(
                "The file runs code when it is imported, which took {seconds:.1f} s: "
                'trial code belongs under `if __name__ == "__main__":`.'
            )
            notes.append(_(sentence, seconds=client.load_seconds))
        absent = later(
            "It imports {module} (line {line}), which cannot be had here: that matters only where it is used."
        )
        notes += [_(absent, module=module, line=line) for module, line in client.absent]
        tried = later("It tried to {what} (line {line}); that was refused.")
        notes += [_(tried, what=reworded(what, _TRIED), line=line) for what, line in client.tried]
        client.close()
        if client.output.strip():
            text = client.output.decode("utf-8", "replace").strip()
            shown = f"{text[:_PRINTED]!r}" + ("…" if len(text) > _PRINTED else "")
            notes.append(_("The file prints while it is graded: {text}", text=shown))
        unchecked = [
            verdict.id
            for verdict in _without_weight(judging, Files, Readme)
            if verdict.visibility == "public" and verdict.status is Status.SKIPPED
        ]
        if unchecked:
            sentence = later("Not checked, for the file came without its folder: {names}.")
            notes.append(_(sentence, names=", ".join(unchecked)))
        return tuple(notes)

    def for_instructors(self, judging: Judging) -> tuple[str, ...]:
        """Return what only the person who grades should know."""
        client = judging.client
        outline, boundary = client.outline(), client.boundary
        notes = []
        if client.allowance.was_busy:
            notes.append(
                _(
                    "This machine was too busy to ask everything, which cost no points: run the same command "
                    "again, and what was not asked is."
                )
            )
        look = later("Worth a look: {what} ({place}).")
        notes += [
            _(look, what=reworded(printable(what), _SUSPICIOUS), place=source.place(line))
            for source in (outline, *outline.helpers)
            for line, what in source.suspicious
        ]
        by_chance = outline.imported & _BY_CHANCE
        if boundary and boundary.kind == "wasm" and by_chance:
            same = later("It imports {modules}: inside the sandbox that gives the same numbers each time.")
            notes.append(_(same, modules=listing(sorted(by_chance))))
        if boundary and boundary.no_wasm:
            native = later("It ran in the native sandbox, because WebAssembly could not be prepared: {why}.")
            notes.append(_(native, why=printable(boundary.no_wasm)))
        return (*notes, *not_confined(client.layers))

    def seconds(self, judging: Judging) -> float:
        """Return how long its own code has run."""
        return judging.client.seconds

    def was_busy(self, judging: Judging) -> bool:
        """Return whether a busy machine kept the grader from asking everything."""
        return judging.client.allowance.was_busy


def _swept(judging: Judging) -> sweeping.SweepReplies | None:
    """Return how minimax was asked about every board, if a case wanted that and there is one to ask."""
    is_wanted = any(isinstance(case.question, Play) for case in judging.asked)
    found = judging.sweeper.sweep() if is_wanted and judging.client.looks_runnable() else None
    return None if found is None or found.absent else found
