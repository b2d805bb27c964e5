"""The linter: it reads what Python reads, says so when it gives up, and fills no report."""

import pytest

from grader.core.checks.style import Stylist
from grader.core.course.course import DESCRIBED, Style
from grader.core.course.rubric import Criterion, Rubric
from grader.core.messages import _, in_language
from grader.course.courses import course_names, fixtures_of, rubric_of
from grader.course.loading import load
from grader.grading.linter import SENTENCES, ruff

RUBRIC = Rubric(title="T", criteria=(Criterion(id="quality", description="q", points=5),))


def found(source: bytes, *rules: str) -> list[tuple[int, str, str]]:
    stylist = Stylist(source, RUBRIC.style, DESCRIBED, ruff)
    return [(finding.line, finding.rule, finding.message) for finding in stylist.findings(rules)]


def test_a_file_in_another_coding_is_read() -> None:
    assert found(b"# -*- coding: latin-1 -*-\n# caf\xe9\nimport os\n", "F401") == [
        (3, "F401", "`os` imported but unused")
    ]


def test_of_many_findings_of_a_kind_the_first_are_kept() -> None:
    many = found(b"def f():\n    " + b"0;" * 5_000 + b"\n", "E702", "E703", "B018")
    kinds = {rule for _line, rule, _said in many}
    assert all(sum(rule == kind for _line, rule, _said in many) <= 100 for kind in kinds)
    assert any(message.endswith("(and 4,900 more)") for _line, rule, message in many if rule == "B018")


def test_a_text_on_which_it_gives_up_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a linter that may not write what it has found."""
    monkeypatch.setattr("grader.grading.linter._RUFF_OUTPUT", 1_000)
    many = found(b"def f():\n    " + b"0;" * 5_000 + b"\n", "B018")
    assert many[-1] == (1, "syntax", "the linter cannot read the file to its end")


def test_every_rule_that_a_shipped_rubric_selects_has_a_sentence_of_ours() -> None:
    """ruff speaks English alone: in other languages our sentence is shown, with the name and the figures."""
    for name in course_names():
        course = load(rubric_of(name), fixtures_of(rubric_of(name)))
        rules = {
            rule for case in course.cases if isinstance(case.question, Style) for rule in case.question.rules
        }
        assert rules <= SENTENCES.keys()
    with in_language("pt"):
        assert found(b"import os\n", "F401") == [(1, "F401", _(SENTENCES["F401"], name="os"))]
    assert found(b"import os\n", "F401") == [(1, "F401", "`os` imported but unused")]
