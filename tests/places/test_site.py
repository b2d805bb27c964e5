"""The folder of a site: what is in it, what it is worth, what it says of the rest, and what is refused."""

import gzip
import html
import io
import json
import subprocess
import sys
import zipfile
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from grader.core.course.rubric import Criterion
from grader.core.values import value_of
from grader.grading.session import Settings, check_configuration, load_course
from grader.places.site import VERSION, elsewhere, site
from grader.site import Site
from tests.places.conftest import Refused
from tests.places.packing import course_options, packed

OWN_TEST = """\
import pytest


@pytest.mark.criterion("player")
def test_openly(submission):
    assert submission.player([[None] * 3] * 3) == "X"
"""


DESIGN = """\
  - id: design
    description: How it is made
    points: 20
    by_hand: true
    levels: {good: 20, weak: 8}
    checklist: [Names say what they hold]
"""


def files_of(settings: Settings) -> dict[str, bytes]:
    return site(load_course(settings), check_configuration(settings), None)


def data_of(settings: Settings) -> Any:
    return json.loads(files_of(settings)["site.json"])


def test_a_case_is_worth_what_it_is_worth_in_the_whole_course() -> None:
    settings = Settings()
    whole, listed = load_course(settings), check_configuration(settings)
    shown = value_of(Site, data_of(settings)["check"]).course
    assert {case.question.id for case in shown.cases} < {case.question.id for case in whole.cases}
    assert not [case for case in shown.cases if case.question.visibility != "public"]
    for criterion in shown.rubric.all_criteria():
        before = whole.rubric.criterion(criterion.id)
        assert before
        mine = [case.question for case in shown.cases if case.criterion == criterion.id]
        own = [question.weight for question in mine if question.check != "style"]
        weights = sum(case.weight for case in listed if case.criterion == criterion.id)
        assert criterion.points == pytest.approx(before.points * sum(own) / weights)


def test_no_place_on_this_machine_is_told() -> None:
    shown = value_of(Site, data_of(Settings())["check"]).course
    assert all(case.file.parent == Path() for case in shown.cases)
    assert str(Path.cwd()).encode() not in b"".join(files_of(Settings()).values())


def test_what_is_looked_at_elsewhere_is_a_sentence(small: Settings) -> None:
    def told() -> str:
        return elsewhere(load_course(small), check_configuration(small))

    assert told() == "This page can check 6 of 10 points. The others: 4 for hidden tests."
    (small.fixtures / "test_own.py").write_text(OWN_TEST)
    assert told() == (
        "This page can check 4.67 of 10 points. The others: 2.66 for hidden tests and 2.67 for tests of your "
        "instructor's."
    )
    assert b"test_openly" not in b"".join(files_of(small).values())
    course = load_course(small)
    public = replace(
        course, cases=tuple(case for case in course.cases if case.question.visibility == "public")
    )
    assert (
        elsewhere(
            public,
            [case for case in check_configuration(small) if not case.hidden and case.file.suffix == ".yaml"],
        )
        == ""
    )


def test_what_a_person_judges_is_named_with_its_points(small: Settings) -> None:
    course = load_course(small)
    design = Criterion(id="design", description="How it is made", points=20, by_hand=True)
    rubric = replace(course.rubric, criteria=(*course.rubric.criteria, design))
    assert elsewhere(replace(course, rubric=rubric), check_configuration(small)) == (
        "This page can check 6 of 30 points. The others: 4 for hidden tests and 20 for design."
    )


def test_levels_and_a_checklist_stay_at_home(small: Settings) -> None:
    text = small.rubric_file.read_text().replace("criteria:", f"criteria:\n{DESIGN}")
    small.rubric_file.write_text(f"{text}rounding: 0.5\nscale_to: 100\n")
    rubric = value_of(Site, data_of(small)["check"]).course.rubric
    assert rubric.criterion("design") == Criterion(
        id="design", description="How it is made", points=0, by_hand=True
    )
    assert (rubric.rounding, rubric.scale_to) == (None, None)


def test_the_page_says_that_somebody_elses_result_proves_nothing() -> None:
    page = html.unescape(files_of(Settings())["index.html"].decode())
    assert "Somebody else's file can show any result here: it proves nothing." in page


def test_the_whole_is_small_and_the_same_each_time() -> None:
    files = files_of(Settings())
    assert sum(len(gzip.compress(content)) for content in files.values()) < 1_000_000
    assert files == files_of(Settings())


def test_the_archive_has_all_that_a_check_imports(tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(files_of(Settings())["grader.zip"])) as archive:
        archive.extractall(tmp_path)
    code = (
        f"import sys; sys.path[:0] = [{str(tmp_path)!r}]\n"
        "from grader.site.checking import checker\n"
        f"checker(open({str(tmp_path / 'check.json')!r}).read())\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules} - sys.stdlib_module_names - {'__main__'}))"
    )
    (tmp_path / "check.json").write_text(json.dumps(data_of(Settings())["check"]))
    done = subprocess.run([sys.executable, "-ISc", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.strip() == "['grader', 'jinja2', 'markupsafe', 'pygments']"


class _Inline(HTMLParser):
    """Finds what a policy without exceptions would refuse."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.found += [name for name in given if name.startswith("on") or name == "style"]
        if (tag == "script" and "src" not in given) or tag == "style":
            self.found.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]


def test_the_page_has_nothing_inline_and_asks_nobody_else(small: Settings, tmp_path: Path) -> None:
    small.rubric_file.write_text(small.rubric_file.read_text().replace("A small one", "<b>A & {small} one"))
    page = (packed("site", small, tmp_path / "pack") / "index.html").read_text()
    found = _Inline()
    found.feed(page)
    assert found.found == []
    assert not [address for address in found.addresses if "//" in address]
    assert "&lt;b&gt;A &amp; {small} one" in page
    assert f"connect-src &#x27;self&#x27; https://cdn.jsdelivr.net/npm/pyodide@{VERSION}/;" in page


def test_a_course_of_which_everything_is_hidden_has_no_site(small: Settings, refused: Refused) -> None:
    for file in small.fixtures.glob("*.yaml"):
        head, _, _ = file.read_text().partition("cases:")
        file.write_text(f"{head}cases:\n  - {{id: a, board: [..., ..., ...], visibility: hidden}}\n")
    sentence = "no case of this course can be checked in a browser"
    assert sentence in refused("pack", "site", "out", *course_options(small))
