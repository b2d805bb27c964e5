"""JUnit XML, for whatever reads that: one suite, the same test cases under the same names every time.

The hidden cases of a criterion are one test case, `criterion/hidden`. A bonus that was not earned is skipped;
what the grader could not judge is an error and no failure. A remark that costs nothing is no test case.
"""

from typing import Final
from xml.etree import ElementTree

from grader.core.grade import Status, Verdict
from grader.places.told import Row, Told
from grader.places.words import counted, summary

_HEAD: Final = '<?xml version="1.0" encoding="utf-8"?>'
_UNKNOWN: Final = "grading"
"""The only test case when not even the rubric could be read."""


def write(told: Told) -> str:
    """Return the report."""
    suite = ElementTree.Element("testsuite", name=told.grade.title)
    for row in told.rows:
        public, hidden = ([case for case in some if case.weight] for some in (row.public(), row.hidden()))
        for case in public:
            _test(suite, row, case.id, _outcome(told, row, [case]), row.shown(case))
        if hidden:
            _test(suite, row, "hidden", _outcome(told, row, hidden), counted(row.tally))
        if not public and not hidden:
            outcome = "skipped" if row.by_hand else "error" if told.problem else None
            _test(suite, row, "whole", outcome, "A person judges this." if row.by_hand else told.problem)
    if not told.rows:
        alone = ElementTree.SubElement(suite, "testcase", classname=_UNKNOWN, name=_UNKNOWN)
        _problem(alone, "error", summary(told))
    for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(name, str(len(suite.findall(f"testcase/{tag}"))))
    suite.set("tests", str(len(suite.findall("testcase"))))
    suite.set("time", f"{told.grade.seconds:.3f}")
    ElementTree.SubElement(suite, "system-out").text = summary(told)
    suites = ElementTree.Element("testsuites")
    suites.append(suite)
    ElementTree.indent(suites)
    return f"{_HEAD}\n{ElementTree.tostring(suites, encoding='unicode')}\n"


def _test(suite: ElementTree.Element, row: Row, name: str, outcome: str | None, text: str) -> None:
    case = ElementTree.SubElement(suite, "testcase", classname=row.id, name=f"{row.id}/{name}", time="0")
    if outcome:
        _problem(case, outcome, text)


def _problem(case: ElementTree.Element, outcome: str, text: str) -> None:
    first = text.splitlines()[0] if text else outcome
    ElementTree.SubElement(case, outcome, message=first).text = text


def _outcome(told: Told, row: Row, cases: list[Verdict]) -> str | None:
    """Return the element for the worst of some cases, or None if all passed."""
    unjudged = told.problem and not any(case.status.counts for case in cases)
    if unjudged or any(case.status is Status.GRADER_ERROR for case in cases):
        return "error"
    bad = [case for case in cases if case.status.is_bad]
    if bad and not row.bonus:
        return "failure"
    return "skipped" if any(case.status is not Status.PASSED for case in cases) else None
