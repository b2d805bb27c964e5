"""What places say to students is in the language of the grade, and so are the texts of packs and of the site."""

import html
import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from grader.core.errors import UserError
from grader.core.grade import Grade
from grader.core.messages import in_language, own_text
from grader.grading.session import Settings, check_configuration, load_course
from grader.places import WRITTEN_FOR, unknown
from grader.places.packers import check50, classroom50, material, prairielearn, vpl
from grader.places.place_report import PlaceReport, of_failure, of_grade
from grader.places.site import site
from grader.places.writers import text_for
from tests.places.grades import RUBRIC, grade, unrun
from tests.places.pseudo_language import CODE, english_in
from tests.pseudo import pseudo

pytestmark = pytest.mark.usefixtures("another_language")
GIVEN = (
    "Tic-Tac-Toe für Anfänger", "Tic-Tac-Toe", "Whose turn it is", "An optimal move", "Pruning", "player", "minimax", "alpha_beta",
    "why seen", "the secret", "secret", "seen", "ada.py", "imports numpy", "minimax(board)", "None", "The file is not valid Python: expected ':' (line 3).",
    "def winner(board)", "a person looks", "because",
)  # fmt: skip
"""What stands in these grades and is no sentence of ours."""

OF_THE_PLACE = {
    "visible", "hidden", "text", "passed", "failed", "desc", "local", "submit/local", "classroom50/result/v1", "graded",
}  # fmt: skip


def reports() -> dict[str, PlaceReport]:
    """Return what may be said of a submission, in the language."""
    by_hand = replace(
        RUBRIC, criteria=(RUBRIC.criteria[0], replace(RUBRIC.criteria[1], by_hand=True)), scale_to=10
    )

    def of(found: Grade, rubric: Any = RUBRIC) -> PlaceReport:
        return of_grade(found, rubric)

    return {
        "part": of(grade(1, 0.5, 0)),
        "bonus": of(grade(1, 1, 1)),
        "deducted": of(grade(1, 0.5, 0.5, deducted=True)),
        "by hand": of(grade(1, 0, 0.5, rubric=by_hand), by_hand),
        "leaderboard": of(grade(1, 1, 1), replace(RUBRIC, leaderboard=True)),
        "unrun": of(unrun()),
        "not gradable": of(grade(0, 0, 0, not_gradable="because")),
        "unfinished": of_failure("", "ada.py", RUBRIC),
        "no rubric": of_failure("", "ada.py"),
    }


CASES = [(place, name) for place in WRITTEN_FOR for name in ("part", "bonus", "deducted", "by hand", "leaderboard", "unrun", "not gradable", "unfinished", "no rubric")]  # fmt: skip


def texts_in(data: Any) -> Iterator[str]:
    """Yield the texts in plain data that a place does not read as its own words."""
    if isinstance(data, str) and data not in OF_THE_PLACE:
        yield data
    elif isinstance(data, dict):
        for part in data.values():
            yield from texts_in(part)
    elif isinstance(data, list):
        for part in data:
            yield from texts_in(part)


def shown(place: str, text: str) -> str:
    """Return what a person reads of the text for a place."""
    if text.startswith("{"):
        return "\n".join(
            part for part in texts_in(json.loads(text)) if not re.match(r"\d{4}-\d\d-\d\dT", part)
        )
    if place == "junit":
        messages = re.findall(r'message="([^"]*)"', text)
        return html.unescape("\n".join([*messages, *re.findall(r">([^<]*)<", text)]))
    if place == "markdown":
        return re.sub(r"\\(.)", r"\1", re.sub(r"</?\w+>|^`+text$", "", text, flags=re.M)).replace(
            "\u200b", ""
        )
    return re.sub(r"^(Comment|Grade) :=>>?", "", text, flags=re.M)


@pytest.mark.parametrize(("place", "name"), CASES)
def test_no_english_of_ours_is_left(place: str, name: str) -> None:
    with in_language(CODE):
        report = reports()[name]
    assert report.grade.language == CODE
    assert english_in(shown(place, text_for(place, report)), *GIVEN) == []  # in whatever language we are


def test_a_grade_for_vpl_is_a_number_that_programs_read() -> None:
    with in_language(CODE):
        text = text_for("vpl", of_grade(grade(1, 0.98, 0.5), RUBRIC))
    assert text.splitlines()[-1] == "Grade :=>> 100"
    assert "103,4" in text
    with in_language(CODE):
        assert text_for("vpl", of_grade(grade(1, 0.98, 0), RUBRIC)).splitlines()[-1] == "Grade :=>> 98.4"


def test_a_mistake_is_in_the_language_of_the_command() -> None:
    with in_language(CODE):
        found: UserError = unknown("vlp", WRITTEN_FOR, "write")
    assert english_in(str(found), "vlp", *WRITTEN_FOR) == []


@pytest.fixture
def settings(small: Settings) -> Settings:
    """Give a course in the language."""
    small.rubric_file.write_text(f"{small.rubric_file.read_text()}language: {CODE}\n")
    return small


def packed(place: str, settings: Settings) -> Any:
    return material(place, settings.rubric_file, settings.fixtures, check_configuration(settings))


@pytest.mark.exhaustive
def test_a_pack_has_the_sentences_of_its_scripts(settings: Settings) -> None:
    for pack, place in ((check50, "check50"), (classroom50, "classroom50")):
        found = json.loads(pack(packed(place, settings))["sentences.json"])
        assert found["."] == ","
        del found["."]
        assert found
        assert all(told == pseudo(sentence) for sentence, told in found.items())


def test_what_stands_in_a_pack_for_students_is_in_the_language(settings: Settings) -> None:
    question = prairielearn(packed("prairielearn", settings))["question/question.html"].decode()
    assert english_in(re.sub(r"<[^>]*>", "", question), "tictactoe.py") == []
    evaluate = vpl(packed("vpl", settings))["vpl_evaluate.sh"].decode()
    (told,) = re.findall(r'echo "Comment :=>>(.*)"', evaluate)
    assert english_in(told, "$VPL_GRADEMAX") == []
    assert "$VPL_GRADEMAX" in told
    criteria = json.loads(check50(packed("check50", settings))["criteria.json"])
    descriptions = [
        own_text(criterion.description) for criterion in load_course(settings).rubric.all_criteria()
    ]
    for criterion in criteria:
        assert english_in(criterion["about"], criterion["id"], *descriptions) == []


@pytest.mark.exhaustive
def test_a_pack_in_english_has_no_sentences(small: Settings) -> None:
    assert "sentences.json" not in check50(packed("check50", small))
    assert "sentences.json" not in classroom50(packed("classroom50", small))


def test_no_sentence_is_a_command_in_a_shell(small: Settings) -> None:
    small.rubric_file.write_text(f"{small.rubric_file.read_text()}language: {CODE}\n")
    given, said = packed("vpl", small), 'a"b`c$d\\e'
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("grader.places.packers._", lambda sentence, **more: f"{said} {more.get('given')}")
        evaluate = vpl(given)["vpl_evaluate.sh"].decode()
    (line,) = re.findall(r'echo "Comment :=>>.*"', evaluate)
    done = subprocess.run(
        ["bash", "-c", f"VPL_GRADEMAX=7; {line}"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"Comment :=>>{said} 7\n"


def page_of(settings: Settings) -> tuple[str, dict[str, bytes]]:
    files = site(load_course(settings), check_configuration(settings), None)
    return files["index.html"].decode(), files


def test_the_site_is_in_the_language_of_its_course_and_offers_the_others(settings: Settings) -> None:
    page, files = page_of(settings)
    title = load_course(settings).rubric.title
    assert f'<html lang="{CODE}" dir="rtl">' in page
    read = re.sub(r"<(meta|link)[^>]*>|<option.*?</option>|data-say=\"[^\"]*\"", "", page)
    attributes = re.findall(r'(?:aria-label|title|data-served|data-new)="([^"]*)"', read)
    known = (title, "tictactoe.py", "python -m http.server", "http://localhost:8000")
    for text in (*attributes, re.sub(r"<[^>]*>", "", read)):
        # Commands and addresses are no parameters here: they stand in the sentence, and are pseudo with it
        assert english_in(html.unescape(text), *known) == []
    assert '<option value="en" lang="en">English</option>' in page
    assert f'<option value="{CODE}" lang="{CODE}" selected>Ѡ</option>' in page
    assert files[f"languages/{CODE}.mo"]


def test_a_language_of_the_site_is_one_file_for_the_page_and_one_for_python(small: Settings) -> None:
    page, files = page_of(small)
    names = sorted(name for name in files if name.startswith("languages/"))
    assert names == ["languages/en.json", f"languages/{CODE}.json", f"languages/{CODE}.mo"]
    english, other = (json.loads(files[f"languages/{code}.json"]) for code in ("en", CODE))
    assert english == {
        "direction": "ltr",
        "elsewhere": "This page can check 6 of 10 points. The others: 4 for hidden tests.",
        "sentences": {},
    }
    assert other["direction"] == "rtl"
    assert english_in(other["elsewhere"]) == []
    said = {html.unescape(found) for found in re.findall(r'data-say="([^"]*)"', page)}
    assert said < other["sentences"].keys()
    assert all(told == pseudo(sentence) for sentence, told in other["sentences"].items() if sentence != ".")


def test_the_first_load_of_a_site_in_english_has_no_catalogue(small: Settings) -> None:
    """The archive, the page and its scripts are all that is loaded then."""
    files = page_of(small)[1]
    archive = files["grader.zip"]
    assert b"languages/" not in archive
