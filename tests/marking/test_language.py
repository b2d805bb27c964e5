"""The page for marking is in the language of whoever marks; what it shows of a grade is in the grade's."""

import html
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.extract import extract

from grader.core.errors import UserError
from grader.core.messages import in_language
from grader.marking.desk import Desk
from grader.marking.server import PAGE, Decision, Decisions
from grader.places.packers import PACKS
from grader.report.pages import messages_in
from tests.marking.made import NAMES, RUBRIC, class_of, grade, leave, record, written
from tests.marking.test_server import KEY, ORIGIN, ask
from tests.places.pseudo_language import CODE, english_in
from tests.pseudo import pseudo

pytestmark = pytest.mark.usefixtures("another_language")
GIVEN = (
    *NAMES, *(f"{name}.py" for name in NAMES), "There is no file", "Whose turn it is", "How it is made", "More", "O begins.",
    "lets O begin", "Tic-Tac-Toe", "tictactoe.py", "player/every-board", "player/o-begins", "player(board)", "player", "design", "extra",
    "adjustments.yaml", "why player",
)  # fmt: skip
"""What stands in this class and is no sentence of ours."""

KEYS = ("Tab", "Enter", "Esc", "Ctrl")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Give a class that somebody marks in the language; its grades are in English."""
    out = class_of(tmp_path / "out", html=False)
    (out / "requests.csv").write_text("student,text,case\ns0,why player,player/every-board\n")
    with in_language(CODE):
        found = Desk(out)
        yield found
        leave(found)


def read(page: str) -> str:
    """Return what a person reads on a page, or hears, without the sources."""
    page = re.sub(r"<(script|code|option)\b.*?</\1>", "", page, flags=re.S)
    spoken = re.findall(r'(?:aria-label|placeholder|title)="([^"]*)"', page)
    return html.unescape("\n".join([*spoken, re.sub(r"<[^>]*>", "", page)]))


def test_the_page_has_no_english_of_ours(desk: Desk) -> None:
    page = ask(desk, "/").text
    assert f'<html lang="{CODE}" dir="rtl">' in page
    assert english_in(read(page), *KEYS) == []
    (carried,) = re.findall(r'<script type="application/json" id="messages">(.*?)</script>', page)
    sentences = json.loads(carried)
    assert sentences["Undone."] == pseudo("Undone.")
    forms, of = sentences["For {count} student."]
    assert forms == [pseudo("For {count} students.")]
    assert of == 200 * "0"
    assert sentences["."] == ","


def test_a_student_is_shown_in_the_language_and_what_the_grader_saw_in_that_of_the_grade(desk: Desk) -> None:
    for number in (1, 3, 4):
        page = ask(desk, f"/students/{number}", **KEY).text
        before, evidence, after = page.partition(f'<h3 id="evidence">{pseudo("What the grader saw")}</h3>')
        assert bool(evidence) == (number == 1)
        assert english_in(read(before), *GIVEN) == []
        if evidence:
            assert '<div lang="en" dir="ltr">' in after
            assert "expected" in read(after)
    queue = html.unescape(json.loads(ask(desk, "/start", **KEY).text)["queue"])
    texts = [
        text for told in re.findall(r'data-queues="(\{.*?\})"', queue) for text in json.loads(told).values()
    ]
    assert english_in("\n".join(texts), *GIVEN) == []


def test_evidence_of_a_grade_in_the_language_is_in_it(tmp_path: Path) -> None:
    told = replace(grade(NAMES[0]), language=CODE)
    desk = Desk(written(tmp_path / "out", [record("s0", NAMES[0], told)], html=False))
    page = ask(desk, "/students/1", **KEY).text
    desk.end()
    assert '<html lang="en"' in ask(desk, "/").text
    assert 'id="messages"' not in ask(desk, "/").text
    evidence = page.partition('<h3 id="evidence">What the grader saw</h3>')[2]
    assert f'<div lang="{CODE}" dir="rtl">' in evidence
    assert pseudo("expected") in evidence
    assert english_in(read(evidence), *GIVEN) == []


WRONG = (
    Decision(student=1, kind="points", by="B", criterion="player", points=99),
    Decision(student=1, kind="points", by="B", points=99),
    Decision(student=1, kind="points", by="B"),
    Decision(student=1, kind="points", by=" ", points=1),
    Decision(student=1, kind="comment", by="B"),
    Decision(student=1, kind="comment", by="B", comment="c", delta=1e9),
    Decision(student=1, kind="comment", by="B", comment=5_001 * "c"),
    Decision(student=1, kind="comment", by="B", comment="c", line=99),
    Decision(student=1, kind="comment", by="B", comment="c", everybody="nobody"),
    Decision(student=1, kind="answer", by="B", comment="c", asked=7),
)


@pytest.mark.parametrize("decision", WRONG)
def test_what_cannot_be_meant_is_said_in_the_language(desk: Desk, decision: Decision) -> None:
    with pytest.raises(UserError) as found:
        Decisions(desk).decide(decision)
    assert english_in(str(found.value), "player") == []


@pytest.mark.parametrize(
    ("path", "method", "headers"),
    [
        ("/students/99", "GET", KEY),
        ("/students/1", "GET", {"origin": "http://elsewhere", **KEY}),
        ("/students/1", "GET", {"host": "elsewhere", **KEY}),
        ("/students/1", "GET", {"x_marking_key": "another"}),
        ("/decide", "POST", {"origin": ORIGIN, **KEY}),
    ],
)
def test_a_refusal_is_in_the_language(desk: Desk, path: str, method: str, headers: dict[str, str]) -> None:
    answer = ask(desk, path, method, b"no JSON", **headers)
    assert answer.status >= 400
    assert answer.text
    assert english_in(answer.text, "JSON") == []


SCRIPTS = (PAGE / "mark.js", PACKS / "site" / "site.js", PACKS / "site" / "python.js")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_a_page_carries_all_sentences_of_its_script(script: Path) -> None:
    keywords = {"_": None, "ngettext": (1, 2)}
    found = extract("javascript", BytesIO(script.read_bytes()), keywords)  # as the catalogues are made
    wanted = {message if isinstance(message, str) else message[0] for _, message, _, _ in found}
    with in_language(CODE):
        assert json.loads(messages_in(script.read_text())).keys() == wanted
    assert len(wanted) > 10 or script.name == "python.js"


def test_english_carries_nothing() -> None:
    assert messages_in((PAGE / "mark.js").read_text()) == ""
    assert RUBRIC.language == "en"
