"""Result files by system: Gradescope, PrairieLearn, VPL, Classroom 50, JUnit, Markdown."""

import json
import math
import os
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

from grader.core.grade import Status, Verdict
from grader.core.messages import _, in_language
from grader.core.system import write
from grader.places.place_report import (
    PlaceReport,
    ReportRow,
    body,
    clipped,
    counted,
    listed,
    name,
    points,
    summary,
    taken_off,
)
from grader.report.wording import decimal, number

_VISIBLE: Final = "visible"
_HIDDEN: Final = "hidden"


def write_gradescope(report: PlaceReport) -> str:
    """Return results.json."""
    rows = report.judged()
    tests = [_gradescope_test(count, row, len(rows)) for count, row in enumerate(rows, 1)]
    tests += [_note(reason) for reason in taken_off(report)]
    tests += _for_instructors(rows)
    result: dict[str, Any] = {
        "output": "\n".join([summary(report), *report.notes]),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": _VISIBLE,
        "stdout_visibility": _HIDDEN,
        "execution_time": report.grade.seconds,
        "tests": tests or [_note(summary(report))],
    }
    if report.gradable:
        result["score"] = report.grade.final
    if report.gradable and report.leaderboard:
        ranks = [{"name": _("points"), "value": report.grade.final, "order": "desc"}]
        if move := report.grade.first_move:
            ranks.append({"name": _("first move (s)"), "value": move.seconds, "order": "asc"})
        result["leaderboard"] = ranks
    return _json(result)


def _json(result: dict[str, Any]) -> str:
    return json.dumps(result, ensure_ascii=False, indent=1) + "\n"


def _gradescope_test(count: int, row: ReportRow, rows: int) -> dict[str, Any]:
    test: dict[str, Any] = {"number": str(count), "name": name(row), "visibility": _VISIBLE}
    test["output"] = "\n".join(filter(None, (f"{points(row)}.", body(row, rows))))
    if row.score is not None:
        test["score"] = row.score
        if not row.bonus:
            test["max_score"] = row.points
        if row.full or not row.bonus:
            test["status"] = "passed" if row.full else "failed"
    return test


def _note(text: str) -> dict[str, Any]:
    """Return a row without a score."""
    return {"name": text.splitlines()[0], "status": "failed", "output": text, "visibility": _VISIBLE}


def _for_instructors(rows: list[ReportRow]) -> list[dict[str, Any]]:
    """Return a row with all hidden cases, if there are any: it has no score, and students never see it."""
    hidden = [(row.id, listed(row.hidden())) for row in rows if row.hidden()]
    text = "\n".join(line for name, cases in hidden for line in (name, *(f"  {case}" for case in cases)))
    test = {"name": _("Hidden cases"), "visibility": _HIDDEN, "status": "passed", "output": text}
    return [test] if text else []


def write_prairielearn(report: PlaceReport) -> str:
    """Return results.json.

    A row worth nothing is shown in grey there, so a bonus that was not earned is no red cross.
    """
    grade, rows = report.grade, report.judged()
    problem = report.problem or (summary(report) if report.not_python else "")
    if problem:
        errors = [row.text for row in rows if row.text] or [problem]
        return _json({"gradable": False, "format_errors": errors, "message": problem})
    above = [_("The score ends at full marks: what is above them is not in it.")]
    # not by a scaled total, which has two decimals
    share = grade.final / grade.out_of if grade.rounding else grade.total / grade.points
    tests = [
        {
            "name": name(row),
            "points": 0 if row.score is None or row.bonus else row.score,
            "max_points": 0 if row.score is None or row.bonus else row.points,
            "message": f"{points(row)}.",
            "output": body(row, len(report.rows)),
        }
        for row in rows
    ]
    return _json(
        {
            "gradable": True,
            "score": round(min(1.0, share), 6),
            "message": "\n".join(
                [summary(report), *above * (grade.total > grade.points), *taken_off(report)]
            ),
            "output": "\n".join(report.notes),
            "tests": tests,
        }
    )


_COMMENT: Final = "Comment :=>>"
_GRADE: Final = "Grade :=>> "


def write_vpl(report: PlaceReport) -> str:
    """Return what an evaluation prints."""
    lines = [*_title(_("Result")), *_plain(summary(report), *taken_off(report), *report.notes)]
    final = report.grade.final
    grade = min(final, report.grade.out_of)
    if report.gradable and final > grade:
        figures = {"most": number(grade), "above": number(final - grade)}
        lines += _plain(_("The grade ends at {most}: {above} above it are not in it.", **figures))
    for row in report.judged():
        lines += [*_title(f"{row.id}: {points(row)}"), *_plain("" if row.text else row.description)]
        lines += _plain(body(row, len(report.rows)))
    lines += [f"{_GRADE}{decimal(grade)}"] if report.gradable else []
    return "".join(f"{line}\n" for line in lines)


def _title(text: str) -> list[str]:
    """Return a title that can be unfolded; one that ended in a bracket could be cut off there."""
    return [f"{_COMMENT}-{' '.join(text.split())}"]


def _plain(*texts: str) -> Iterable[str]:
    """Return text as it stands, every line of it behind the tag."""
    return [f"{_COMMENT}>{line}" for text in texts for line in text.splitlines()]


BODY: Final = "release-body.md"  # the file beside it that students read
_SCHEMA: Final = "classroom50/result/v1"
_LOCAL: Final = "local"  # stands for what only the place knows


def write_classroom50(
    report: PlaceReport, around: Mapping[str, str] = os.environ, now: datetime | None = None
) -> str:
    """Return result.json; `around` is the environment in which the place runs a grader."""
    commit = around.get("COMMIT_URL") or _LOCAL
    most = sum(row.points for row in report.rows)
    result = {
        "schema": _SCHEMA,
        "classroom": around.get("CLASSROOM") or _LOCAL,
        "assignment": around.get("ASSIGNMENT") or _LOCAL,
        "submission": around.get("SUBMISSION_TAG") or f"submit/{_LOCAL}",
        "commit": commit,
        "release": around.get("RELEASE_URL") or _LOCAL,
        "review": around.get("REVIEW_URL") or commit,
        "datetime": (now or datetime.now(UTC)).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "score": _counted(report, most) if report.gradable else 0,
        "max-score": math.ceil(most) if report.gradable else 0,
        "tests": _tests(report, most) if report.gradable else [],
    }
    return _json(result)


def _counted(report: PlaceReport, most: float) -> int:
    """Return the total as a whole number; it is in points here, whatever they are scaled to elsewhere."""
    return whole(report.grade.final if report.grade.scaled is None else report.grade.total, most)


def whole(score: float, points: float) -> int:
    """Return a score as a whole number: the nearest, and full marks only for full marks."""
    maximum = math.ceil(points)
    return maximum if score >= points else min(math.floor(score + 0.5), maximum - 1)


def _tests(report: PlaceReport, most: float) -> list[dict[str, Any]]:
    tests = []
    for row in report.judged():
        worth = 0.0 if row.score is None else row.points
        message = f"{points(row)}. {body(row, len(report.rows))}".strip()
        scores = whole(row.score or 0.0, worth), math.ceil(worth)
        tests.append(_classroom50_test(name(row), message, row.full or row.bonus or row.by_hand, *scores))
    for reason in taken_off(report):
        tests.append(_classroom50_test(_("taken off"), reason, False))
    counted, total = _counted(report, most), report.grade.total
    if counted != total:
        exact = _("The exact total is {total}; {counted} is counted.", total=number(total), counted=counted)
        tests.append(_classroom50_test(_("rounded"), exact, True))
    return tests


def _classroom50_test(
    title: str, message: str, passed: bool, score: int = 0, most: int = 0
) -> dict[str, Any]:
    return {"test-name": title, "passed": passed, "score": score, "max-score": most, "message": message}


_HEAD: Final = '<?xml version="1.0" encoding="utf-8"?>'
_UNKNOWN: Final = "grading"  # the only test case when not even the rubric could be read


def write_junit(report: PlaceReport, *, with_hidden: bool = False) -> str:
    """Return the report, with the number of hidden cases alone or, for instructors, each of them."""
    suite = ElementTree.Element("testsuite", name=report.grade.title)

    def add(group: str, name: str, outcome: str | None, text: str, **more: str) -> None:
        case = ElementTree.SubElement(suite, "testcase", {"classname": group, "name": name, **more})
        if outcome:
            first = text.splitlines()[0] if text else outcome
            ElementTree.SubElement(case, outcome, message=first).text = text

    for row in report.rows:
        sorts = (row.verdicts, ()) if with_hidden else (row.public(), row.hidden())
        listed, hidden = ([case for case in some if case.weight] for some in sorts)
        for case in listed:
            add(row.id, f"{row.id}/{case.id}", _outcome(report, row, [case]), row.shown(case), time="0")
        if hidden:
            add(row.id, f"{row.id}/hidden", _outcome(report, row, hidden), counted(row.tally), time="0")
        if not listed and not hidden:
            outcome = "skipped" if row.by_hand else "error" if report.problem else None
            text = _("A person judges this.") if row.by_hand else report.problem
            add(row.id, f"{row.id}/whole", outcome, text, time="0")
    if not report.rows:
        add(_UNKNOWN, _UNKNOWN, "error", summary(report))
    for count, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(count, str(len(suite.findall(f"testcase/{tag}"))))
    suite.set("tests", str(len(suite.findall("testcase"))))
    suite.set("time", f"{report.grade.seconds:.3f}")
    ElementTree.SubElement(suite, "system-out").text = summary(report)
    suites = ElementTree.Element("testsuites")
    suites.append(suite)
    ElementTree.indent(suites)
    return f"{_HEAD}\n{ElementTree.tostring(suites, encoding='unicode')}\n"


def _outcome(report: PlaceReport, row: ReportRow, cases: list[Verdict]) -> str | None:
    """Return the element for the worst of some cases, or None if all passed."""
    unjudged = report.problem and not any(case.status.counts for case in cases)
    if unjudged or any(case.status is Status.GRADER_ERROR for case in cases):
        return "error"
    bad = [case for case in cases if case.status.is_bad]
    if bad and not row.bonus:
        return "failure"
    return "skipped" if any(case.status is not Status.PASSED for case in cases) else None


_MOST: Final = 60_000  # A comment on GitHub holds 65,536 characters
_MARKUP: Final = re.compile(r"([\\`*_{}\[\]<>()#+!|~&@$^-])")


def write_markdown(report: PlaceReport) -> str:
    """Return the whole result; nothing of a submission is read as markup."""
    parts = [f"## {plain(report.grade.title)}", f"**{plain(summary(report))}**"]
    if report.grade.submission:
        parts.append(plain(_("Submission: {submission}", submission=report.grade.submission)))
    parts += [f"- {plain(line)}" for line in taken_off(report)]
    rows = report.judged()
    parts += [_fenced(row.text) for row in rows if row.text]
    if rows:
        titles = plain(_("criterion")), plain(_("score")), plain(_("points"))
        table = (f"| | {' | '.join(titles)} |", "|---|---|---:|---:|", *map(_line, rows))
        parts.append("\n".join(table))
    limit = _MOST // (1 + sum(not row.full for row in rows))
    for row in rows:
        if row.score is not None and not row.full and not row.text:
            title = escape(f"{row.id}: {points(row)}", quote=False)
            text = _fenced(clipped(body(row), limit // 2))
            parts.append(f"<details><summary>{title}</summary>\n\n{text}\n\n</details>")
    parts += [f"- {plain(note)}" for note in report.notes]
    return clipped("\n\n".join(parts), _MOST) + "\n"


def plain(text: str) -> str:
    """Return text on one line in which nothing is markup: no link, no mention, no HTML."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split())).replace("\\@", "@\u200b")


def _line(row: ReportRow) -> str:
    mark = "✅" if row.full else "·" if row.score is None or row.bonus else "❌"
    score = "" if row.score is None else number(row.score)
    if row.given_back:
        score = _("{score} ({points} given back)", score=score, points=number(row.given_back))
    criterion, description = plain(row.id), plain(row.description)
    what = f"{criterion}: {description}"
    if row.bonus:
        what = _("{criterion}: {description} (bonus)", criterion=criterion, description=description)
    return f"| {mark} | {what} | {score} | {number(row.points)} |"


def _fenced(text: str) -> str:
    """Return a text in a fence that nothing in it can close."""
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence}text\n{text}\n{fence}"


WRITERS: Final[dict[str, Callable[[PlaceReport], str]]] = {
    "gradescope": write_gradescope,
    "classroom50": write_classroom50,
    "prairielearn": write_prairielearn,
    "vpl": write_vpl,
    "junit": write_junit,
    "markdown": write_markdown,
}


def text_for(place: str, report: PlaceReport) -> str:
    """Return what a place reads, in the language of the grade."""
    with in_language(report.grade.language):
        return WRITERS[place](report)


def write_for(place: str, report: PlaceReport, file: Path) -> None:
    """Write what a place reads, and what belongs beside it."""
    if place == "classroom50":
        write(file.with_name(BODY), text_for("markdown", report))
    write(file, text_for(place, report))
