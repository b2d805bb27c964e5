"""Reports in another language: every sentence of ours is in it, and pages say so."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from string import ascii_letters

import pytest

import grader
import tests.pseudo
from grader.core.grade import (
    Comment,
    Count,
    DoesNotRun,
    FirstMove,
    Grade,
    RequestAnswer,
    Sweep,
    Tactic,
    Tally,
    Unrun,
    student_view,
)
from grader.core.messages import in_language
from grader.core.mistakes.policies import NAMES
from grader.core.scores import ungraded
from grader.course import rubric_files
from grader.course.courses import DEFAULT_RUBRIC
from grader.report import wording
from grader.report.pages import SCRIPTS, environment, page
from grader.report.terminal_report import render
from grader.report.wording import as_text, decimal, failure_text, number
from tests.places.grades import grade as small_grade
from tests.pseudo import CODE, english, known, pseudo, shown
from tests.report.test_pages import Tags, grade_with, pages_with

IDS = "winner", "quality", "extra", "player", "minimax", "ada", "py", "secret", "seen"
STYLE = Path(grader.__file__).parent / "report" / "page" / "style.css"


@pytest.fixture(autouse=True)
def _pseudo() -> Iterator[None]:
    with known():
        yield


def grades() -> dict[str, Grade]:
    """Return grades in which every sentence of a report has its turn; what is no sentence of ours is a 7."""
    answers = (RequestAnswer(request="7", answer="7", by="7"),)
    comments = (
        Comment(text="7", by="7"),
        Comment(text="7", by="7", line=1),
        Comment(text="7", by="7", line=1, file="7"),
    )
    failure = DoesNotRun(why=Unrun.RAISES, sentence="7", line=1, text="7", said="7")
    with in_language(CODE):
        whole = replace(
            grade_with("7"),
            comments=comments,
            answers=answers,
            decisions=("7",),
            for_instructors=("7",),
            for_a_person=("7",),
            sweep=Sweep(asked=1, seconds=1, recalled=False, why_plain="7"),
            first_move=FirstMove(seconds=1.5),
            tactics=(Tactic(name=NAMES[0], boards=1_234, done=1, as_good=1),),
            scaled=50.0,
            scale_to=60.0,
        )
    found = {
        "whole": whole,
        "student": student_view(whole),
        "unrun": grade_with("7", does_not_run=failure),
        "not gradable": replace(whole, not_gradable="7\n7"),
        "by hand": replace(
            whole, criteria=tuple(replace(criterion, by_hand=True) for criterion in whole.criteria)
        ),
        "smileys": replace(whole, smileys=True),
    }
    return {name: replace(made, language=CODE, title="7", submission="7") for name, made in found.items()}


@pytest.mark.parametrize("name", ["whole", "student", "unrun", "not gradable", "by hand", "smileys"])
def test_a_report_has_no_english_of_ours(name: str) -> None:
    given = grades()[name]
    assert english(as_text(render(replace(given, language="en"))), *IDS)
    assert english(as_text(render(given)), *IDS) == []
    assert english(as_text(render(given, every_case=True)), *IDS) == []
    assert english(shown(page(given, b"7 = 7\n", helpers=[("7", b"7")])), *IDS, "XO") == []
    in_all = dict.fromkeys(("winner", "quality", "extra"), 5.0)
    assert english(shown(page(given, b"7 = 7\n", in_all=in_all, elsewhere="7")), *IDS) == []


def test_the_title_of_a_shipped_course_is_in_the_language_of_the_grade() -> None:
    rubric = rubric_files.load(DEFAULT_RUBRIC)
    with in_language(CODE):
        assert ungraded(rubric, "7", "7").title == pseudo(rubric.title)


@pytest.mark.parametrize("width", [80, 124])
def test_longer_words_are_not_cut_off(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a language whose words are twice as long."""
    monkeypatch.setattr(tests.pseudo, "_LETTERS", {ord(letter): letter * 2 for letter in ascii_letters})
    given = grades()["whole"]
    given = replace(given, criteria=tuple(replace(criterion, description="") for criterion in given.criteria))
    text = as_text(render(given), width)
    assert "…" not in text
    for word in ("cases", "hidden", "Total", "call", "expected"):
        assert pseudo(word) in text


def test_the_pages_of_a_class_have_no_english_of_ours() -> None:
    with in_language(CODE):
        pages = pages_with("7")
    for name in ("class", "pair"):
        assert english(shown(pages[name]), "in") == []


def test_a_failure_has_no_english_of_ours_and_its_columns_stand() -> None:
    verdicts = [verdict for criterion in grades()["whole"].criteria for verdict in criterion.verdicts]
    with in_language(CODE):
        for verdict in verdicts:
            assert english(failure_text(verdict), *IDS) == []


@pytest.mark.parametrize("count", [1, 2])
def test_counts_and_changes_have_no_english_of_ours(count: int) -> None:
    counts = Count(passed=1, cases=count, not_judged=count - 1)
    before, after = small_grade(0.5, 0.5, 0), small_grade(1, 0.25, 0)
    with in_language(CODE):
        for tally in (Tally(public=counts), Tally(hidden=counts), Tally(public=counts, hidden=counts)):
            assert english(wording.cases_passed(tally)) == []
        for lines in (wording.changes(before, after), wording.changes(before, before)):
            assert english(" ".join(lines), *IDS) == []


def test_what_is_reported_of_a_grade_is_in_its_language_whatever_is_spoken() -> None:
    given = grades()["whole"]
    text = as_text(render(given))
    with in_language(CODE):
        assert as_text(render(given)) == text
        assert "Fix this first" in as_text(
            render(replace(grade_with("7", does_not_run=grades()["unrun"].does_not_run), language="en"))
        )


@pytest.mark.parametrize(("code", "direction"), [("en", "ltr"), (CODE, "rtl")])
def test_a_page_says_its_language_and_direction(code: str, direction: str) -> None:
    tags = Tags(page(replace(grades()["whole"], language=code), b"x = 1")).tags
    assert ("html", {"lang": code, "dir": direction}) in tags
    for kind in ("board", "board big", "source"):
        directions = {about.get("dir") for _, about in tags if about.get("class") == kind}
        assert directions == {"ltr"}, kind


def test_scripts_have_their_sentences_in_the_page_unless_they_are_english() -> None:
    given = grades()["whole"]
    text = page(given, b"x = 1")
    found = re.search(r'<script type="application/json" id="messages">(.*?)</script>', text)
    assert found
    sentences = json.loads(found[1])
    assert sentences["Your turn."] == pseudo("Your turn.")
    assert sentences["cell\ntop left"] == pseudo("top left")
    assert sentences["Move {at} of {last}: {mark}, the opponent, takes {cell}."].count("{") == 4
    assert 'id="messages"' not in page(replace(given, language="en"), b"x = 1")


def test_every_sentence_of_a_script_is_found_in_it() -> None:
    """Given the calls in our scripts: each is of a literal, as the pages look for them."""
    folder = STYLE.parent
    for name in {*SCRIPTS, "students.js"} - {"messages.js"}:
        script = (folder / name).read_text(encoding="utf-8")
        assert not re.search(r"\b(_|[np]gettext)\((?!\s*\")", script), name


def test_numbers_are_as_the_language_writes_them_and_as_programs_read_them() -> None:
    with in_language(CODE):
        assert (number(1234.5), decimal(1234.5)) == ("1234,5", "1234.5")
        assert wording.duration(3.25) == "3,25 s"


def test_the_style_names_no_side() -> None:
    text = re.sub(r"/\*.*?\*/", "", STYLE.read_text(encoding="utf-8"), flags=re.S)
    for line in text.splitlines():
        if not line.startswith((".board", ".cell")):
            assert not re.search(r"(?<![\w-])(left|right)\b|-(left|right)\b", line), line


def test_cells_and_signed_numbers_are_not_turned_around_in_a_page_from_the_right() -> None:
    ticks = environment().filters["ticks"]
    with in_language("ar"):
        assert ticks("تُغفل (0, 1), (2, 0)") == 'تُغفل <bdi dir="ltr">(0, 1), (2, 0)</bdi>'
        assert ticks("utility = -1.") == 'utility = <bdi dir="ltr">-1</bdi>.'
        assert ticks("`actions` 1-9") == "<code>actions</code> 1-9"
    with in_language("de"):
        assert ticks("(0, 1)") == "(0, 1)"


def test_what_python_says_is_quoted_as_english() -> None:
    ticks = environment().filters["ticks"]
    said = "NameError: name 'x' is not defined"
    with in_language("de"):
        marked = '<span lang="en" dir="ltr">NameError: name &#39;x&#39; is not defined</span>'
        assert (
            ticks(f"`winner` löst {said} (Zeile 3) aus.")
            == f"<code>winner</code> löst {marked} (Zeile 3) aus."
        )
        assert ticks(said) == marked
    assert "<span" not in ticks(said)
