"""A reason is a code with parameters: every code has its sentence, and nobody decides by reading one."""

import ast
import json
import re
from collections.abc import Iterator

from grader.core.checks.reasons import SENTENCES, because
from grader.course.courses import ROOT

FILES = sorted((ROOT / "grader").rglob("*.py"))
NOT_OF_A_CHECK = {"not-judged", "grader-error"}
"""Codes of an instructor's own tests, and of a check that broke."""


def texts() -> Iterator[str]:
    """Yield every short text of the checks: codes are among them."""
    for file in FILES:
        if file.parent.name in ("checks", "programs"):
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield node.value


def codes() -> Iterator[str]:
    """Yield the codes that are written where a reason is made."""
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "because":
                first = node.args[0]
                if isinstance(first, ast.Constant):
                    yield str(first.value)


def test_every_code_has_a_sentence_and_every_sentence_a_code() -> None:
    assert set(codes()) <= SENTENCES.keys()
    assert SENTENCES.keys() <= set(texts())


def test_codes_are_words_that_can_stay() -> None:
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", code) for code in {*SENTENCES, *NOT_OF_A_CHECK})


def test_a_reason_within_a_reason_is_told_and_kept_as_data() -> None:
    first = because("cell-taken", action=(0, 1))
    whole = because("wrong-in-some", wrong=1_200, asked=4_520, first=first)
    assert str(whole) == "Wrong in 1,200 of 4,520 calls; the first: The cell (0, 1) is taken."
    data = whole.data()
    assert data["first"] == {"code": "cell-taken", "parameters": {"action": [0, 1]}}
    assert json.loads(json.dumps(data)) == data


def test_nobody_decides_by_reading_a_sentence() -> None:
    reading = re.compile(
        r"""["'] in [\w.\[\]"']*reason\b|reason\.(startswith|endswith|find|index|count)\(|"""
        r"""re\.\w+\([^)]*\breason\b|\.match\([\w.]*reason\)"""
    )
    found = [f"{file}: {match[0]}" for file in FILES for match in reading.finditer(file.read_text())]
    assert found == []
