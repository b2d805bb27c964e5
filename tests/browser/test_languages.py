"""The site in other languages: chosen in its menu, remembered, and spoken by the next check; on every page boards stay."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.serving import LONG, Student, made, pyodide, served
from tests.places.pseudo_language import CODE, english_in, there_is_another_language
from tests.pseudo import pseudo
from tests.submissions import PLAIN

WRONG = f"{PLAIN}\ndef player(board):\n    return 'O'\n"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Give the address of a site with another language in it."""
    with there_is_another_language(tmp_path_factory.mktemp("languages")):
        site = made(tmp_path_factory.mktemp("site"), "--pyodide", str(pyodide()))
    with served(site) as found:
        yield found


@pytest.mark.exhaustive
def test_the_language_of_the_site_is_chosen_and_remembered(browser: Any, address: str) -> None:
    student = Student(browser, address)
    page = student.page
    root = page.locator("html")
    assert not [url for url in student.asked if "/languages/" in url], "English needs nothing"
    student.drop("tictactoe.py", WRONG)
    assert student.total.startswith("7")
    page.locator("#language").select_option(CODE)
    page.locator("#give-title", has_text=pseudo("Your file")).wait_for(timeout=LONG)
    assert (root.get_attribute("lang"), root.get_attribute("dir")) == (CODE, "rtl")
    assert page.locator("#drop .large code").inner_text() == "tictactoe.py"
    for part in ("#give", "#result"):
        assert english_in(page.locator(part).inner_text(), "tictactoe.py") == []
    page.locator("#again").click()
    student.wait()
    frame = page.frame_locator("#page")
    report = frame.locator("html")
    assert (report.get_attribute("lang"), report.get_attribute("dir")) == (CODE, "rtl")
    assert pseudo("expected") in frame.locator("body").inner_text()
    assert frame.locator(".board").first.evaluate("(board) => getComputedStyle(board).direction") == "ltr"
    assert student.violations() == ""
    student.reload()
    page.locator("#give-title", has_text=pseudo("Your file")).wait_for(timeout=LONG)
    assert page.locator("#language").input_value() == CODE
    page.locator("#language").select_option("en")
    page.locator("#give-title", has_text="Your file").wait_for(timeout=LONG)
    assert (root.get_attribute("lang"), root.get_attribute("dir")) == ("en", "ltr")
    assert page.title().endswith(": check yourself")
    assert student.said == []
    student.context.close()


@pytest.mark.exhaustive
def test_where_nothing_can_be_remembered_the_language_is_for_this_visit(browser: Any, address: str) -> None:
    context = browser.new_context()
    context.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('none'); } })"
    )
    student = Student(browser, address, context=context)
    student.page.locator("#language").select_option(CODE)
    student.page.locator("#give-title", has_text=pseudo("Your file")).wait_for(timeout=LONG)
    assert student.said == []
    context.close()


@pytest.mark.exhaustive
def test_a_language_that_cannot_be_had_changes_nothing(browser: Any, address: str) -> None:
    context = browser.new_context()
    context.route("**/languages/*", lambda route: route.fulfill(status=500))
    student = Student(browser, address, context=context)
    student.page.locator("#language").select_option(CODE)
    student.page.wait_for_function("() => document.getElementById('language').value === 'en'")
    assert student.page.locator("#give-title").inner_text() == "Your file"
    assert student.page.locator("html").get_attribute("lang") == "en"
    context.close()
