"""Pages as text: nothing of a submission becomes markup, and nothing hidden is in a student's."""

import base64
import hashlib
import json
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import jsonschema
import pytest

from grader.cli.main import schema_text
from grader.core.course.rubric import Criterion, Rubric
from grader.core.game import oracle
from grader.core.game.board import empty_cells, marks
from grader.core.game.oracle import packed
from grader.core.grade import (
    Deduction,
    DoesNotRun,
    Example,
    Finding,
    Grade,
    Mistake,
    Move,
    PlayedGame,
    Status,
    Tactic,
    Unrun,
    Verdict,
    student_view,
)
from grader.core.scores import make_grade
from grader.core.values import printable_lines
from grader.report.pages import AlikeFiles, ClassPage, PairRow, StudentRow, class_page, page, pair_page
from grader.report.wording import Quoted
from tests.places.grades import grade as small_grade
from tests.places.grades import unrun, verdict, with_verdict

HOSTILE = [
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "</style><img src=x onerror=alert(1)>",
    "\"'><svg onload=alert(1)>",
    "javascript:alert(1)",
    "{{ 7 * 7 }}{% include 'x' %}",
    "<!-- --!> ]]>",
    "\u202eevil\u2066",
    "a" * 10_000,
]
BOARD = ("X..", ".O.", "...")


class Tags(HTMLParser):
    """Collects the tags of a page, their attributes, and the text of scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {"script": [], "style": []}
        self._inside = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside = tag if tag in self.texts else ""
        if self._inside:
            self.texts[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.texts[self._inside][-1] += data


def grade_with(text: str, **more: Any) -> Grade:
    """Return a grade that shows a text wherever a submission's or a person's words can be."""
    points = {"winner": 10, "quality": 5, "extra": 5}
    *criteria, bonus = (Criterion(id=name, description=text, points=most) for name, most in points.items())
    rubric = Rubric(title=text[:100], criteria=tuple(criteria), bonus=(bonus,))
    wrong: dict[str, Any] = {
        "status": Status.CRASHED, "weight": 1.0, "earned": 0.0, "reason": text, "hint": text, "board": BOARD, "line": 1,
        "call": text, "expected": text, "got": text, "transcript": text,
    }  # fmt: skip
    move = Move(by="X", row=0, column=0, better=((1, 1),))
    line = PlayedGame(side="O", moves=(move,), boards=(BOARD, BOARD))
    of_winner = wrong | {"function": "winner"}
    verdicts = [
        ("winner", Verdict(id="a", **of_winner, aspect="answers", explained_by=f"winner/{text}")),
        ("winner", Verdict(id="b", **of_winner, aspect="board", refutation=line)),
        ("winner", Verdict(id="c", **(of_winner | {"reason": "secret"}), visibility="hidden")),
        ("quality", Verdict(id="d", **wrong, findings=(Finding(line=1, rule=text, message=text),))),
        ("extra", Verdict(id="e", status=Status.GRADER_ERROR, weight=1.0, earned=None, reason=text)),
    ]
    example = Example(board=BOARD, call=text, expected=text, got=text)
    mistake = Mistake(function="winner", id="i", title=text, sentence=text, hint=text, boards=(example,))
    return make_grade(
        rubric, text, verdicts, deductions=[Deduction(points=1, reason=text)], mistakes=(mistake,), notes=(text,),
        policy="?" * 5_478, instead={"": text}, tactics=(Tactic(name=text, boards=2, done=1),),
        seconds=1.0, submission_seconds=0.5, **more,
    )  # fmt: skip


def pages_with(text: str) -> dict[str, str]:
    """Return every kind of page with a text in all places."""
    grade = grade_with(text)
    source = f'"""{text}"""\nx = 1  # {text}\n'.encode()
    row = StudentRow(text, 5.0, ((0.5, 5.0), (None, None)), text, "reports/a.html", "feedback/a.html")
    failure = DoesNotRun(why=Unrun.RAISES, sentence=text, line=1, text=text, said=text)
    pair = PairRow(text, text, (0.9, 0.8), "1 in 5,100", "pairs/a.html")
    quoted, alike = Quoted(text, "en"), AlikeFiles(text, [pair], [text])
    lists = [(quoted, [text])], [(text, 1)], [(row, [quoted])]
    shown = ClassPage(text, 10, (text, "b"), (row,), 2, 1, 1, *lists, alike)
    return {
        "report": page(grade, source),
        "decided": page(grade_with(text, decisions=(text,)), source),
        "unrun": page(grade_with(text, does_not_run=failure), source),
        "student": page(student_view(grade), source),
        "class": class_page(shown),
        "pair": pair_page(pair, 2 * [[(text, source.decode())]], [text]),
    }


USUAL = {kind: Tags(text) for kind, text in pages_with("usual").items()}


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:20])
def test_no_text_becomes_markup(text: str) -> None:
    for kind, html in pages_with(text).items():
        found = Tags(html)
        tags, usual = ([tag for tag, _ in page.tags if tag != "span"] for page in (found, USUAL[kind]))
        assert tags == usual, kind  # but for the spans, which highlight the source
        assert not [name for _, attributes in found.tags for name in attributes if name.startswith("on")]
        assert found.texts["script"][-1] == USUAL[kind].texts["script"][-1]
        for _, attributes in found.tags:
            for name in ("href", "src"):
                target = attributes.get(name) or "#"
                assert target.startswith(("#", "reports/", "feedback/", "pairs/", "../index.html"))


@pytest.mark.parametrize("kind", USUAL)
def test_only_what_we_wrote_may_run(kind: str) -> None:
    tags = USUAL[kind]
    known = {attributes.get("http-equiv"): attributes.get("content") for _, attributes in tags.tags}
    policy = known["Content-Security-Policy"]
    assert policy and policy.startswith("default-src 'none'; ") and "unsafe" not in policy
    for text in (tags.texts["script"][-1], *tags.texts["style"]):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    scripts = [attributes for tag, attributes in tags.tags if tag == "script"]
    assert all(attributes == {} or attributes["type"] == "application/json" for attributes in scripts)
    assert not any("style" in attributes for _, attributes in tags.tags)


def test_what_cannot_be_seen_is_shown() -> None:
    assert printable_lines("a\u202eb\x07c\nd\te") == "a\\u202eb\\x07c\nd\te"
    assert printable_lines("Zoë ✓ 漢字 עברית") == "Zoë ✓ 漢字 עברית"
    for html in pages_with("\u202eevil").values():
        assert "\u202e" not in html.replace("\\u202e", "")


def test_the_data_in_a_page_fits_the_published_schema() -> None:
    html = pages_with(HOSTILE[1])["report"]
    data = json.loads(Tags(html).texts["script"][0])
    jsonschema.validate(data, json.loads(schema_text("grade")))
    assert data["notes"] == [HOSTILE[1]]


def test_a_students_page_has_nothing_hidden() -> None:
    pages = pages_with("usual")
    assert "secret" in pages["report"] and "case-winner-c" in pages["report"]
    assert "secret" not in pages["student"] and "case-winner-c" not in pages["student"]
    assert "0 of 1 hidden case" in pages["student"]


def test_what_is_only_in_a_hidden_case_is_not_taken_over() -> None:
    line = PlayedGame(side="O", moves=(), boards=(BOARD,))
    about: dict[str, Any] = {"weight": 1, "reason": "r", "visibility": "hidden"}
    hidden = Verdict(id="h", status=Status.FAILED, earned=0, refutation=line, **about)
    broken = Verdict(id="g", status=Status.GRADER_ERROR, earned=None, **about)
    rubric = Rubric(title="t", criteria=(Criterion(id="a", description="d", points=1),))
    grade = make_grade(rubric, "s", [("a", hidden), ("a", broken)], seconds=0, submission_seconds=0)
    assert grade.refutation == line and grade.grader_errors
    seen = student_view(grade)
    assert seen.refutation is None and seen.grader_errors == ()


def test_marks_are_linked_both_ways() -> None:
    html = page(grade_with("usual"), b"x = 1\ny = 2\n")
    assert 'href="#L1"' in html and 'id="L1"' in html
    assert 'href="#case-quality-d"' in html and 'id="case-quality-d"' in html


def test_a_page_is_small_even_for_a_large_file() -> None:
    source = b"def f(x):\n    return [x, 'text', 1]  # why\n" * 5_000
    assert len(page(student_view(grade_with("usual")), source).encode()) < 250_000


def test_a_class_says_how_far_it_is() -> None:
    row = StudentRow("Ada", None, ((None, None),), "not graded")
    begun, done = (class_page(ClassPage("T", 10, ("a",), (row,), most, 0, 0, [], [], [])) for most in (3, 1))
    assert "1 of 3 so far" in begun and 'http-equiv="refresh"' in begun
    assert "so far" not in done and "refresh" not in done


@pytest.mark.parametrize(("seen", "side"), [((0,), "O"), ((1, 2), "X"), ((0, 1, 2), "X")])
def test_a_person_plays_the_side_that_is_known(seen: tuple[int, ...], side: str) -> None:
    """Given a program whose moves are known with so many marks on the board, a person can play against it."""
    policy = packed({board: empty_cells(board)[0] for board in oracle.running() if marks(board) in seen})
    text = page(replace(grade_with("a"), policy=policy), b"pass")
    assert f'value="{side}" checked' in text
    assert "on every board that was seen is in this page" in text


def test_the_page_of_a_file_that_does_not_run_has_its_line_and_no_bars() -> None:
    text = page(unrun(), b"\n\ndef winner(board)\n")
    assert "Fix this first" in text and 'id="L3"' in text
    assert "3 | def winner(board)\n  |                  ^" in text
    shown = text.partition('<script type="application/json"')[0]
    assert 'class="bar"' not in shown and "case-" not in shown and "Every case" not in shown


def test_a_remark_has_no_badge_of_a_case() -> None:
    noted = with_verdict(small_grade(1, 1, 1), verdict("remark", 0, weight=0))
    text = page(noted, b"")
    assert '<span class="tag">note</span> <bdi>remark</bdi>' in text
    assert "1 of 1 case passed, and 1 of 1 hidden case" in text


@pytest.mark.parametrize(
    ("share", "told"), [(0.0, "0 of 1 case passed, bonus not earned"), (0.5, "0 of 1 case passed, +2.5")]
)
def test_a_bonus_that_is_not_earned_is_no_loss_on_a_site(share: float, told: str) -> None:
    criterion = Criterion(id="alpha_beta", description="Prunes", points=5)
    rubric = Rubric(title="T", criteria=(replace(criterion, id="player"),), bonus=(criterion,))
    missed = Verdict(id="probe", status=Status.FAILED, weight=1, earned=share, reason="It does not prune.")
    right = Verdict(id="start", status=Status.PASSED, weight=1, earned=1, reason="right")
    found = [("player", right), ("alpha_beta", missed)]
    grade = make_grade(rubric, "s.py", found, seconds=1.0, submission_seconds=0.5)
    text = page(grade, "", in_all={"player": 5, "alpha_beta": 5})
    assert f'<dd class="points">{told} <span class="soft">(worth 5 in all)</span></dd>' in text
