"""What a student does on a site: drop, choose, paste, check again, save; and what files do that mean no good."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.course.courses import ROOT
from grader.places.site import VERSION
from tests.browser import serving
from tests.browser.conftest import LOOKS
from tests.browser.serving import LONG, Student, made, pyodide, served
from tests.submissions import PLAIN
from tests.submissions.faults import FAULTS

ELSEWHERE = f"https://cdn.jsdelivr.net/npm/pyodide@{VERSION}/"


@pytest.fixture(scope="module")
def there(browser: Any, address: str) -> Student:
    """Give one student who stays for all tests, for Python takes seconds to start."""
    return Student(browser, address, accept_downloads=True)


@pytest.fixture
def student(there: Student, address: str) -> Iterator[Student]:
    """Give the student; afterwards nobody may have complained, or been asked outside."""
    forget = there.page.locator("#forget")
    if forget.is_visible():
        forget.evaluate("(button) => button.click()")  # wherever the page is scrolled to
    yield there
    assert there.said == []
    assert all(url.startswith((address, "blob:", "data:", "about:")) for url in there.asked)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Give a right file that can be changed."""
    found = tmp_path / "tictactoe.py"
    found.write_text(PLAIN)
    return found


@pytest.mark.exhaustive
def test_a_file_is_checked_mended_checked_again_and_saved(
    student: Student, file: Path, tmp_path: Path
) -> None:
    file.write_text(FAULTS["winner_misses_columns"].source)
    student.choose(file)
    frame = student.page.frame_locator("#page")
    assert "winner" in frame.locator("#mend-1 h3").inner_text()
    assert student.page.locator("#result-title").inner_text() == "tictactoe.py: checked"
    assert frame.locator(".elsewhere").inner_text() == (
        "This page can check 80.22 of 100 points. The others: 14.78 for hidden tests and 5 for style."
    )
    player = frame.locator(".criteria > div").first.inner_text()
    assert "all public cases passed (worth 10 in all)" in player
    before = len(student.asked)
    file.write_text(PLAIN)
    student.choose(file)
    changes = student.page.locator("#changes li").all_inner_texts()
    assert any(line.startswith("winner fixed: +") for line in changes), changes
    student.page.locator("#again").click()
    student.wait()
    since, changes = student.page.locator("#changes li").all_inner_texts()
    assert since.startswith("Compared with the tictactoe.py that was checked here at ")
    assert changes == "Nothing changed in what is judged."
    assert student.total.startswith("80.22 of the 80.22")
    assert not [url for url in student.asked[before:] if url.startswith("http")], "nothing is loaded again"
    with student.page.expect_download() as download:
        student.page.locator("#save").click()
    assert download.value.suggested_filename == "tictactoe-checked.html"
    saved = tmp_path / "saved.html"
    download.value.save_as(saved)
    alone = student.context.new_page()
    alone.goto(saved.as_uri())
    assert alone.locator(".total").inner_text().startswith("80.22 of the 80.22")
    alone.locator("#play button.cell").first.click()
    assert alone.locator("#play .cell.o").count() == 1
    alone.close()


def test_a_dropped_file_has_its_film_and_its_game(student: Student) -> None:
    student.drop("tictactoe.py", FAULTS["minimax_takes_the_first_free_cell"].source)
    frame = student.page.frame_locator("#page")
    frame.locator("#film [data-do=last]").click()
    assert frame.locator("#film .said").inner_text().endswith("has won.")
    frame.locator("#play button.cell").nth(4).click()
    assert frame.locator("#play .cell.o").count() == 1


@pytest.mark.exhaustive
def test_by_keyboard_alone_a_text_is_checked(student: Student) -> None:
    page = student.page
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.tagName") == "SUMMARY":
            break
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.insert_text("def player(board):\n    return 'X'\n")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    student.wait()
    assert page.evaluate("document.activeElement.id") == "result"
    assert "actions" in page.frame_locator("#page").locator("#mend ~ ol").inner_text()


@pytest.mark.exhaustive
def test_a_file_that_is_watched_is_checked_when_it_is_saved(student: Student) -> None:
    """The browser's own files stand for those that a person picks: they can be watched just so."""
    save = """async (text) => {
      const folder = await navigator.storage.getDirectory();
      const handle = await folder.getFileHandle("tictactoe.py", { create: true });
      const stream = await handle.createWritable();
      await stream.write(text);
      await stream.close();
      window.showOpenFilePicker = async () => [handle];
    }"""
    student.page.evaluate(save, FAULTS["winner_misses_columns"].source)
    student.page.locator("#choose").click()
    student.wait()
    assert "is watched: save it" in student.page.locator("#watching").inner_text()
    student.page.evaluate(save, PLAIN)
    student.wait()
    assert "winner fixed: +" in student.page.locator("#changes").inner_text()


@pytest.mark.exhaustive
def test_the_last_result_stays_until_it_is_forgotten(student: Student, file: Path) -> None:
    student.choose(file)
    student.reload()
    assert student.total.startswith("80.22 of the 80.22")
    assert student.page.locator("#again").is_hidden()
    student.page.locator("#forget").click()
    student.reload()
    assert student.page.locator("#result").is_hidden() and student.page.locator("#page").is_hidden()


ENDS = {
    "hangs": ("while True:\n        pass", "winner gave no answer", "timed out"),
    "ends": ("__import__('os')._exit(3)", "winner ended Python", "crashed"),
    "floods": ("while True:\n        print('x' * 999)", "winner gave no answer", "timed out"),
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("how", ENDS)
def test_a_function_that_takes_python_along_is_named_and_the_rest_goes_on(student: Student, how: str) -> None:
    does, told, status = ENDS[how]
    student.drop("tictactoe.py", f"{PLAIN}\ndef winner(board):\n    {does}\n")
    heard = student.page.locator("#changes").inner_text()
    assert re.search(rf"{told}.* \(on [XO.]{{3}} / [XO.]{{3}} / [XO.]{{3}}\)\. ", heard), heard
    assert "Python is started anew, and the rest goes on." in heard
    frame = student.page.frame_locator("#page")
    assert frame.locator(".tag").get_by_text(status, exact=True).count() > 0
    right = frame.locator(".criteria > div", has_text="all public cases passed")
    assert right.first.inner_text().startswith("player")
    student.drop("tictactoe.py", PLAIN)
    assert student.total.startswith("80.22 of the 80.22")


SPOILERS = {
    "memory": (
        "def winner(board):\n    kept = []\n    while True:\n        kept.append(bytearray(10**7))\n",
        "",
    ),
    "recursion": ("def winner(board):\n    return winner(board)\n", ""),
    "builtins": ("import builtins\nbuiltins.len = builtins.sorted = builtins.dict = None\n", ""),
    "modules": ("import json, time\njson.dumps = json.loads = time.perf_counter = None\n", ""),
    "judge": (
        "import gc\nfor names in gc.get_objects():\n    if isinstance(names, dict) and 'make_grade' in names:\n"
        "        names['make_grade'] = None\n",
        "changes what the check",
    ),
    "page": ("import js\njs.postMessage = None\n", ""),
    "grader": ("import grader.core.scores as it\nit.make_grade = None\n", ""),
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("what", SPOILERS)
def test_a_file_that_spoils_its_python_spoils_nothing_else(student: Student, what: str) -> None:
    text, sentence = SPOILERS[what]
    student.drop("tictactoe.py", f"{PLAIN}\n{text}")
    assert sentence in student.problem if sentence else student.total
    student.drop("tictactoe.py", PLAIN)
    assert student.total.startswith("80.22 of the 80.22") and student.problem == ""


def test_a_check_can_be_stopped(student: Student) -> None:
    student.page.locator("details").evaluate("(details) => { details.open = true; }")
    student.page.locator("#text").fill("while True:\n    pass\n")
    student.page.locator("#paste").click()
    student.page.locator("#stop").click()
    student.page.locator("#problem", has_text="Stopped.").wait_for()


@pytest.mark.exhaustive
def test_names_and_sources_are_text(student: Student) -> None:
    evil = "<img src=x onerror=alert(1)>"
    student.drop(f"{evil}.py", f'"""</script><script>alert(1)</script>{evil}"""\n{PLAIN}')
    assert evil in student.page.locator("#result-title").inner_text()
    assert student.page.frame_locator("#page").locator("img").count() == 0


LOADED = """new MutationObserver(() => {
  const text = document.getElementById("loaded-text")?.textContent;
  if (text && !document.getElementById("loading").hidden) (window.heard ??= new Set()).add(text);
}).observe(document, { subtree: true, childList: true, characterData: true, attributes: true })"""


@pytest.mark.exhaustive
def test_python_is_loaded_once_and_says_how_far_it_is(
    browser: Any, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a browser with a cache on disk: who comes back does not load Python again, which never changes."""
    asked: list[str] = []
    monkeypatch.setattr(serving.Quiet, "log_message", lambda self, *_: asked.append(self.path))
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    context = browser.browser_type.launch_persistent_context(
        tmp_path, executable_path=chromium, args=["--no-sandbox"]
    )
    context.add_init_script(LOADED)
    student = Student(browser, address, context=context)
    student.page.locator("#loaded-text", has_text="Python is starting").wait_for(timeout=LONG)
    told = student.page.evaluate("[...window.heard]")
    assert any(re.match(r"Python is loading: [\d.]+ of 1\d\.\d MB\. You can", text) for text in told), told
    assert any(text.startswith("Python is starting: step 1 of 3. You can") for text in told), told
    assert len([path for path in asked if path.startswith("/python/")]) == 4
    student.reload()
    student.page.locator("#loaded-text", has_text="Python is starting").wait_for(timeout=LONG)
    assert len([path for path in asked if path.startswith("/python/")]) == 4
    context.close()


def test_a_file_that_is_too_large_is_not_read(student: Student, file: Path) -> None:
    file.write_text(11_000_000 * "#")
    student.choose(file)
    assert student.problem == "tictactoe.py is larger than 10 MB, so it was not read: is it the right file?"


@pytest.mark.exhaustive
def test_several_files_are_one_submission(student: Student, file: Path) -> None:
    (file.parent / "rules.py").write_text("def winner(board):\n    return None\n")
    file.write_text(f"{PLAIN}\nfrom rules import winner\n")
    student.choose(file, file.parent / "rules.py")
    assert "rules.py" in student.page.frame_locator("#page").locator("h3").all_inner_texts()
    (file.parent / "other.py").write_text("")
    file.rename(file.with_name("mine.py"))
    student.choose(file.with_name("mine.py"), file.parent / "other.py")
    assert "2 files, and none is called tictactoe.py" in student.problem


@pytest.mark.exhaustive
@pytest.mark.parametrize("look", LOOKS)
def test_everybody_can_use_it(student: Student, look: str) -> None:
    student.page.emulate_media(color_scheme=LOOKS[look].get("color_scheme", "light"))
    student.page.set_viewport_size(LOOKS[look].get("viewport", {"width": 1280, "height": 720}))
    assert student.violations() == ""
    student.drop("tictactoe.py", FAULTS["player_o_starts"].source)
    assert student.violations() == ""


def test_nothing_gets_out(browser: Any, address: str) -> None:
    student = Student(browser, address)
    blocked = "fetch('http://127.0.0.1:9/').then(() => 'sent', () => 'refused')"
    assert student.page.evaluate(blocked) == "refused"
    assert "Content Security Policy" in student.said[0]
    worker = "new Worker(URL.createObjectURL(new Blob(['1'])))"
    heard = f"new Promise((done) => {{ try {{ {worker}.onerror = () => done(0) }} catch {{ done(0) }} }})"
    assert student.page.evaluate(heard) == 0  # the page itself runs no worker
    student.context.close()


def test_as_a_file_it_says_that_it_needs_a_server(browser: Any, tmp_path: Path) -> None:
    student = Student(browser, (made(tmp_path) / "index.html").as_uri())
    assert "python -m http.server" in student.page.locator("#needs").inner_text()
    assert student.page.locator("#drop").is_hidden()
    student.context.close()


def test_a_browser_that_is_too_old_is_told(browser: Any, address: str) -> None:
    context = browser.new_context()
    context.add_init_script("delete window.WebAssembly")
    page = context.new_page()
    page.goto(address)
    assert page.locator("#needs").inner_text().startswith("This browser is too old to run Python")
    assert page.locator("#drop").is_hidden()
    context.close()


@pytest.mark.exhaustive
def test_where_no_picture_of_python_can_be_made_each_starts_from_nothing(
    browser: Any, address: str, file: Path
) -> None:
    worker = (ROOT / "grader" / "places" / "packs" / "site" / "worker.js").read_text()
    context = browser.new_context()
    without = worker.replace("python.makeMemorySnapshot()", "nobody.paints()")
    context.route("**/worker.js", lambda route: route.fulfill(body=without, content_type="text/javascript"))
    student = Student(browser, address, context=context)
    student.choose(file)
    assert student.total.startswith("80.22 of the 80.22")
    assert student.said == []
    context.close()


@pytest.mark.exhaustive
@pytest.mark.parametrize("as_published", [True, False])
def test_without_python_in_it_there_is_one_other_address(
    browser: Any, tmp_path: Path, file: Path, as_published: bool
) -> None:
    files = shutil.copytree(pyodide(), tmp_path / "python")
    if not as_published:
        (files / "pyodide.mjs").write_text("throw new Error('not the one')")
    with served(made(tmp_path)) as address:
        context = browser.new_context()
        open_to_all = {"access-control-allow-origin": "*"}
        context.route(
            f"{ELSEWHERE}*",
            lambda route: route.fulfill(
                path=files / route.request.url.removeprefix(ELSEWHERE), headers=open_to_all
            ),
        )
        asked: list[str] = []
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.goto(address)
        page.set_input_files("#file", str(file))
        page.wait_for_function("() => document.body.dataset.checks === '1'", timeout=LONG)
        outside = {
            url.rpartition("/")[0] + "/" for url in asked if not url.startswith((address, "blob:", "data:"))
        }
        assert outside - {"about:/", "/"} == {ELSEWHERE}
        problem = page.locator("#problem").inner_text()
        assert problem == "" if as_published else "pyodide.mjs cannot be had" in problem
        context.close()
