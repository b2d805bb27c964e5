"""The window on a real X server, with real clicks and keys from outside the process."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

import pytest

from grader.course.courses import ROOT
from tests.conftest import OUTSIDE
from tests.submissions.files import file_of

_PATIENCE = 90
REQUIRED = "GRADER_WINDOW"
"""Set to 'required', an X server that is missing fails these tests instead of skipping them."""

DRIVER = """
import sys
from grader.play import window
from grader.cli.main import main

class Told(window.Window):
    said = ""

    def draw(self):
        super().draw()
        now = f"{self.sentence()} | {self.match.board} | {self.match.score()}"
        if now != Told.said:
            Told.said = now
            self._pygame.image.save(self._screen, sys.argv[1])
            print(now, flush=True)

window.Window = Told
raise SystemExit(main(["play", "--window", *sys.argv[2:]]))
"""
"""Opens the window as the command does, and tells what it shows."""


def _without(reason: str) -> None:
    if os.environ.get(REQUIRED) == "required":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """Give an X server of our own."""
    for program in ("Xvfb", "xdotool"):
        if not shutil.which(program):
            _without(f"{program} is not installed")
    pytest.importorskip("pygame") if os.environ.get(REQUIRED) != "required" else None
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "800x800x24", "-nolisten", "tcp"],
        pass_fds=[write], stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(write)
    with os.fdopen(read) as stream:
        yield f":{stream.readline().strip()}"
    server.kill()
    server.wait()


class Desk:
    """A window with the game in it, and the hand that clicks there."""

    def __init__(
        self, display: str, folder: Path, *arguments: str, code: str = DRIVER, cwd: Path = ROOT
    ) -> None:
        self._environment = OUTSIDE | {
            "DISPLAY": display,
            "SDL_VIDEODRIVER": "x11",
            "SDL_AUDIODRIVER": "dummy",
            "SDL_VIDEO_WINDOW_POS": "0,0",
        }
        self.picture = folder / "window.png"
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, str(self.picture), *arguments],
            cwd=cwd, env=self._environment, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.lines: list[str] = []
        self._told: Queue[str] = Queue()
        Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout
        with self.process.stdout as stream:
            for line in stream:
                self._told.put(line.strip())

    def until(self, words: str) -> str:
        """Return what the window says as soon as it says these words."""
        with suppress(Empty):
            while True:
                self.lines.append(self._told.get(timeout=_PATIENCE))
                if words in self.lines[-1]:
                    return self.lines[-1]
        raise AssertionError(f"never said {words!r}: {self.lines}")

    def hand(self, *arguments: str) -> None:
        subprocess.run(["xdotool", *arguments], env=self._environment, check=True, capture_output=True)

    def click(self, x: int, y: int) -> None:
        """Click at a place of the window, which opens in the corner of the screen."""
        self.hand("mousemove", str(x), str(y), "click", "1")

    def press(self, key: str) -> None:
        self.hand("key", key)


@pytest.fixture
def desk(display: str, tmp_path: Path) -> Iterator[Desk]:
    opened = Desk(display, tmp_path, str(file_of("minimax_takes_the_first_free_cell")))
    yield opened
    opened.process.kill()
    opened.process.wait()


CELL = {number: (108 + 132 * ((number - 1) % 3), 88 + 132 * ((number - 1) // 3)) for number in range(1, 10)}
"""The middle of each cell in a window as it opens."""


@pytest.mark.exhaustive
def test_a_game_is_won_by_mouse_and_another_begins(desk: Desk) -> None:
    desk.until("Do you play X or O?")
    time.sleep(0.3)  # a window that has just opened does not hear everything yet
    desk.click(144, 555)
    desk.until("Your move. | .........")
    for cell, words in (
        (5, "Your move. | O...X"),
        (3, "Your move. | OOX.X"),
        (7, "You have won. | OOX.X.X.."),
    ):
        desk.click(*CELL[cell])
        desk.until(words)
    assert desk.picture.stat().st_size > 2_000
    desk.click(240, 555)
    assert "1 won, 0 drawn, 0 lost" in desk.until("Do you play X or O?")


@pytest.mark.exhaustive
def test_one_may_play_o_by_keyboard_and_close_it(desk: Desk) -> None:
    desk.until("Do you play X or O?")
    time.sleep(0.3)
    desk.click(336, 555)
    desk.until("Your move. | X........")
    desk.press("9")
    desk.until("Your move. | XX......O")
    desk.press("q")
    assert desk.process.wait(timeout=60) == 0


RUNNER = """
import runner

class Told(runner.Game):
    said = ""

    def draw(self):
        super().draw()
        now = f"{self.sentence()} {self.board}"
        if now != Told.said:
            Told.said = now
            print(now, flush=True)

Told().run()
"""


def test_the_references_own_window_plays(display: str, tmp_path: Path) -> None:
    desk = Desk(display, tmp_path, code=RUNNER, cwd=ROOT / "submission")
    try:
        desk.until("Press X or O")
        time.sleep(0.3)
        desk.click(240, 240)  # the pointer is over the window now, so that keys go there
        desk.press("x")
        desk.until("Your move.")
        desk.click(240, 240)
        assert "'O'" in desk.until("Your move.")
    finally:
        desk.process.kill()
        desk.process.wait()


def test_without_a_display_the_window_says_so(tmp_path: Path) -> None:
    environment = {
        name: value for name, value in OUTSIDE.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")
    }
    done = subprocess.run(
        [sys.executable, str(ROOT / "run_grader.py"), "play", "--window"],
        env=environment | {"SDL_VIDEODRIVER": "x11"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "error: " in done.stderr and "Traceback" not in done.stderr
