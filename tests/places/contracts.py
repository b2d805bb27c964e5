"""What each place takes, as far as its own sources say: a model of every contract, stricter where that is wise."""

import json
import re
from typing import Annotated, Literal
from xml.etree import ElementTree

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, model_validator

from grader.places import WRITTEN_FOR
from grader.places.place_report import PlaceReport
from grader.places.writers import text_for

Number = Annotated[float, Field(allow_inf_nan=False)]
Text = Annotated[str, Field(min_length=1)]
Visibility = Literal["hidden", "after_due_date", "after_published", "visible"]
Format = Literal["text", "html", "simple_format", "md", "ansi"]


class Contract(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class GradescopeTest(Contract):
    number: str | None = None
    name: Text
    score: Number | None = None
    max_score: Number | None = None
    status: Literal["passed", "failed"] | None = None
    output: str
    visibility: Visibility


class Leader(Contract):
    name: Text
    value: Number | str
    order: Literal["asc", "desc"]


class Gradescope(Contract):
    score: Number | None = None
    output: Text
    output_format: Format
    test_output_format: Format
    test_name_format: Format
    visibility: Visibility
    stdout_visibility: Visibility
    execution_time: Number
    tests: Annotated[list[GradescopeTest], Field(min_length=1)]
    leaderboard: list[Leader] | None = None

    @model_validator(mode="after")
    def _no_score_anywhere_or_one_that_counts(self) -> "Gradescope":
        if self.score is None:
            assert all(test.score is None and test.max_score is None for test in self.tests)
        hidden = [test for test in self.tests if test.visibility != "visible"]
        assert all(test.score is None for test in hidden), "what a student cannot see must not count apart"
        return self


Whole = Annotated[StrictInt, Field(ge=0)]


class Classroom50Test(Contract):
    name: Text = Field(alias="test-name")
    passed: StrictBool
    score: Whole
    maximum: Whole = Field(alias="max-score")
    message: str

    @model_validator(mode="after")
    def _within(self) -> "Classroom50Test":
        assert self.score <= self.maximum
        return self


class Classroom50(Contract):
    schema_: Literal["classroom50/result/v1"] = Field(alias="schema")
    classroom: Text
    assignment: Text
    submission: Annotated[str, Field(pattern="^submit/.+")]
    commit: Text
    release: Text
    review: Text
    datetime: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]
    score: Whole
    maximum: Whole = Field(alias="max-score")
    tests: list[Classroom50Test]

    @model_validator(mode="after")
    def _within(self) -> "Classroom50":
        assert self.score <= self.maximum
        return self


class PrairieLearnTest(Contract):
    name: Text
    points: Number
    max_points: Number
    message: str
    output: str


class PrairieLearn(Contract):
    gradable: StrictBool
    score: Annotated[Number, Field(ge=0, le=1)] | None = None
    format_errors: list[Text] | None = None
    message: Text
    output: str | None = None
    tests: list[PrairieLearnTest] | None = None

    @model_validator(mode="after")
    def _a_score_or_the_reason_why_not(self) -> "PrairieLearn":
        assert (self.score is not None) == self.gradable == (self.format_errors is None)
        return self


_GRADE = re.compile(r"^Grade :=>>(.*)$", re.MULTILINE)


def vpl_grade(text: str) -> float | None:
    """Return the grade that VPL would find: the last line of that form."""
    found = _GRADE.findall(text)
    assert len(found) <= 1
    assert text.endswith("\n")
    for line in text.split("\n")[:-1]:
        assert line.startswith(("Comment :=>>", "Grade :=>>")), line
    if found:
        assert text.split("\n")[-2].startswith("Grade :=>>")
    return float(found[0]) if found else None


def junit_outcomes(text: str) -> dict[str, str]:
    """Return what became of each test case by its name; the suite's counts must agree."""
    (suite,) = ElementTree.fromstring(text.encode())
    outcomes = {}
    for case in suite.findall("testcase"):
        (name, problems) = case.get("name"), [problem.tag for problem in case]
        assert name and name not in outcomes and len(problems) <= 1
        outcomes[name] = problems[0] if problems else "passed"
    counts = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    for attribute, tag in counts.items():
        assert suite.get(attribute) == str(list(outcomes.values()).count(tag))
    assert suite.get("tests") == str(len(outcomes))
    return outcomes


def hold_hidden(report: PlaceReport) -> None:
    """Hold that no place which cannot hide is told what a hidden case asks."""
    public = {case.reason for row in report.rows for case in row.public()}
    failed = {case.reason for row in report.rows for case in row.hidden() if case.status.is_bad}
    hidden = {reason for reason in failed if not any(reason in shown for shown in public)}
    for place in WRITTEN_FOR:
        text = text_for(place, report)
        if place == "gradescope":
            tests = json.loads(text)["tests"]
            text = json.dumps([test for test in tests if test["visibility"] == "visible"], ensure_ascii=False)
        for reason in hidden:
            line = json.dumps(reason, ensure_ascii=False)[1:-1]
            assert line not in text and reason not in text, (place, reason)


def hold_everywhere(report: PlaceReport) -> None:
    """Hold what every place gets against its contract, and the numbers in it against each other."""
    gradescope = Gradescope.model_validate_json(text_for("gradescope", report))
    classroom50 = Classroom50.model_validate_json(text_for("classroom50", report))
    prairielearn = PrairieLearn.model_validate_json(text_for("prairielearn", report))
    vpl = text_for("vpl", report)
    junit = junit_outcomes(text_for("junit", report))
    markdown = text_for("markdown", report)
    assert gradescope.score == (report.grade.final if report.gradable else None)
    assert vpl_grade(vpl) == (
        round(min(report.grade.final, report.grade.out_of), 2) if report.gradable else None
    )
    assert prairielearn.gradable == (report.gradable and not report.not_python)
    counted = report.grade.final if report.grade.scaled is None else report.grade.total
    assert abs(classroom50.score - counted) < 1 if report.gradable else classroom50.maximum == 0
    assert ("error" in junit.values()) == (
        not report.gradable and not report.problem.startswith("A person judges")
    )
    assert 0 < len(markdown) < 65_536
    hold_hidden(report)
    for place in ("gradescope", "classroom50", "prairielearn"):
        text = text_for(place, report)
        assert len(text.encode()) < 1_000_000
        json.loads(text)
