"""A real browser, and pages of real grades to open in it."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.cli.main import main
from grader.core.grade import Grade
from grader.grading.session import Settings
from grader.report.pages import page
from tests.judged import grade_submission
from tests.submissions.faults import FAULTS

# set to 'required', a browser that is missing fails these tests instead of skipping them
REQUIRED = "GRADER_BROWSER"


def _without(reason: str) -> None:
    if os.environ.get(REQUIRED) == "required":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Give the system's Chromium."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _without("playwright is not installed: pip install -e '.[browser]'")
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not found:
        _without("there is no Chromium on the PATH")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield started
        started.close()


PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}}
LOOKS: dict[str, dict[str, Any]] = {"light": {}, "dark": {"color_scheme": "dark"}, "phone": PHONE}


class Visit:
    """An open page, and everything that it asked for or complained about."""

    def __init__(self, browser: Any, address: str, context: Any = None, **how: Any) -> None:
        self.context = context or browser.new_context(**how)
        self.page = self.context.new_page()
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", self._dialog)
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(address)

    def _dialog(self, dialog: Any) -> None:
        self.said.append("dialog")
        dialog.dismiss()

    def violations(self) -> str:
        """Return what axe finds wrong with the page as it is, and whether it is wider than the screen."""
        from axe_playwright_python.sync_playwright import Axe

        wide = self.page.evaluate("document.documentElement.scrollWidth - innerWidth") > 0
        found = Axe().run(self.page)
        return ("too wide" if wide else "") + (found.generate_report() if found.violations_count else "")


Open = Callable[..., Visit]


@pytest.fixture
def visit(browser: Any) -> Iterator[Open]:
    """Give a function that opens a page; afterwards nothing may have been said, and nothing else asked for."""
    visits: list[Visit] = []

    def open_page(file: Path, **how: Any) -> Visit:
        visits.append(Visit(browser, file.as_uri(), **how))
        return visits[-1]

    yield open_page
    for opened in visits:
        assert opened.said == []
        assert all(url.startswith("file:") for url in opened.asked)
        opened.context.close()


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Give the address of a site that has Python in it."""
    from tests.browser.serving import made, pyodide, served  # which builds upon this module

    with served(made(tmp_path_factory.mktemp("site"), "--pyodide", str(pyodide()))) as found:
        yield found


def graded(folder: Path, source: str, name: str = "tictactoe.py") -> tuple[Grade, Path]:
    """Return the grade of a source, and the page on it."""
    file = folder / name
    file.write_text(source, encoding="utf-8")
    grade = grade_submission(file, Settings())
    shown = folder / "page.html"
    shown.write_text(page(grade, file.read_bytes()), encoding="utf-8")
    return grade, shown


@pytest.fixture(scope="session")
def beatable(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the page on a file that can be beaten."""
    folder = tmp_path_factory.mktemp("beatable")
    return graded(folder, FAULTS["minimax_takes_the_first_free_cell"].source)[1]


@pytest.fixture(scope="session")
def reference(tmp_path_factory: pytest.TempPathFactory, reference_text: str) -> Path:
    """Give the page on the reference."""
    return graded(tmp_path_factory.mktemp("reference"), reference_text)[1]


@pytest.fixture(scope="session")
def reference_text() -> str:
    from grader.course.courses import ROOT

    return (ROOT / "submission" / "tictactoe.py").read_text()


@pytest.fixture(scope="session")
def classroom(tmp_path_factory: pytest.TempPathFactory, reference_text: str) -> Path:
    """Give the index of a class with names and files that mean no good."""
    folder = tmp_path_factory.mktemp("class")
    evil = '"""</script><script>alert(1)</script><img src=x onerror=alert(1)>"""\n'
    for student, source in {
        "Ada": reference_text,
        "<img src=x onerror=alert(1)>": evil + FAULTS["player_o_starts"].source,
        "Bob \"'><script>alert(1)<": FAULTS["file_imports_numpy"].source,
        "\u202edaC": FAULTS["player_o_starts"].source,
    }.items():
        (folder / "in" / student).mkdir(parents=True)
        (folder / "in" / student / "tictactoe.py").write_text(source)
    (folder / "in" / "Nobody").mkdir()
    (folder / "in" / "Nobody" / "note.txt").write_text("later")
    assert main([str(folder / "in"), "--out", str(folder / "out"), "--similarity"]) == 0
    return folder / "out" / "index.html"
