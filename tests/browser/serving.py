"""A site made by the command, served on this machine, and visited as a student visits it."""

import base64
import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from grader.cli.main import main
from grader.course.courses import DEFAULT_FIXTURES
from grader.places.site import VERSION
from tests.browser.conftest import Visit

# set to 'required', a Pyodide that is missing fails these tests instead of skipping them
REQUIRED = "GRADER_SITE"
FOLDER = "GRADER_PYODIDE"
IMPATIENT = "{deadline: 1, strikes: 1, sweep_budget: 60}"
LONG = 240_000  # milliseconds for what takes seconds: a busy machine is no reason to fail


def pyodide() -> Path:
    """Return the folder of an unpacked Pyodide."""
    if found := os.environ.get(FOLDER):
        return Path(found)
    reason = f"{FOLDER} names no unpacked 'npm pack pyodide@{VERSION}'"
    if os.environ.get(REQUIRED) == "required":
        pytest.fail(reason)
    pytest.skip(reason)


def limited(folder: Path, limits: str) -> Path:
    """Return the default rubric with other limits."""
    rubric = folder / "rubric.yaml"
    rubric.write_text(f"extends: default\nlimits: {limits}\n")
    return rubric


def made(folder: Path, *options: str, limits: str = IMPATIENT) -> Path:
    """Return a site by the default rubric with other limits."""
    given = ["--rubric", str(limited(folder, limits)), "--fixtures", str(DEFAULT_FIXTURES)]
    assert main(["pack", "site", str(folder / "site"), *given, *options]) == 0
    return folder / "site"


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, and writes nothing on the terminal."""

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Give the address at which `python -m http.server` would serve a folder."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


class Student(Visit):
    """Somebody at the page of a site."""

    checks = 0

    def choose(self, *files: Path) -> None:
        """Choose files, and wait for what comes of it."""
        self.page.set_input_files("#file", [str(file) for file in files])
        self.wait()

    def drop(self, name: str, text: str) -> None:
        """Drop a file on the page, and wait for what comes of it."""
        self.page.evaluate(
            """([name, text]) => {
              const data = new DataTransfer();
              data.items.add(new File([text], name));
              document.getElementById("drop").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
            }""",
            [name, text],
        )
        self.wait()

    def reload(self) -> None:
        """Load the page anew."""
        self.page.reload()
        self.checks = 0

    def wait_for_the_verdict(self) -> None:
        """Wait until one more check is done than was seen so far."""
        self.page.wait_for_function(
            "(count) => Number(document.body.dataset.checks ?? 0) > count", arg=self.checks, timeout=LONG
        )
        self.checks = int(self.page.evaluate("document.body.dataset.checks"))

    def wait(self) -> None:
        """Wait until one more check is done, and what came of it is shown."""
        self.wait_for_the_verdict()
        self.page.locator("#page:not([hidden]), #problem:not([hidden])").first.wait_for(timeout=LONG)

    @property
    def total(self) -> str:
        """What the page of the result says first."""
        return str(self.page.frame_locator("#page").locator(".total").inner_text())

    @property
    def problem(self) -> str:
        """The sentence in the place of a result."""
        return str(self.page.locator("#problem").inner_text())


_CHECK = """async ([name, text]) => {
  const lost = [];
  const watch = { asking() {}, judged() {}, lost: ({ what }) => lost.push(what) };
  const files = new Map([[name, Uint8Array.from(atob(text), (char) => char.charCodeAt(0))]]);
  const told = await window.engine.check(files, undefined, watch, new AbortController().signal);
  return JSON.stringify({ ...told, html: undefined, lost });
}"""


class Engine:
    """The site's own Python, asked without the page around it."""

    def __init__(self, browser: Any, address: str) -> None:
        self.page = browser.new_page()
        self.page.goto(address)
        self.page.set_default_timeout(LONG)
        self.page.evaluate(
            "async () => { const { fetched, Python } = await import('/python.js');"
            " window.engine = await Python.of(await fetched(() => {})); }"
        )

    def check(self, name: str, source: bytes) -> dict[str, Any]:
        """Return what the page is told of a file."""
        told: dict[str, Any] = json.loads(
            self.page.evaluate(_CHECK, [name, base64.b64encode(source).decode()])
        )
        return told
