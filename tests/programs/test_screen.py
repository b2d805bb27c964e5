import random
import time

import pyte
import pytest

from grader.programs.terminal import Screen, feed

COLUMNS, ROWS = 120, 200
FULL = "\x1b[H" + "x" * (COLUMNS * ROWS)
BYTES = 20_000
MOST_TIMES = 20

COSTLY = (
    "\x1b#8", "\x1b#8\x1b[2J", "\x1b[2J", "\x1b[3J", "\x1b[J", "\x1b[1J", "\x9b2J", "\x1bc", "\x1bc\x1b#8", "\n", "a\n", "\x1bM", "\x1bD",
    "\x1b[H\x1bM", "\x1b[L", "\x1b[999999999L", "\x1b[M", "\x1b[@", "\x1b[999999999@", "\x1b[P", "\x1b[999999999P", "\x1b[999999999X",
    "\x1b[999999999b", "\x1b[999999999S", "\x1b[999999999T", "\x1b[2K", "\x1b[?3h", "\x1b[?3h\x1b[?3l", "\x1b[?5h", "\x1b[?5h\x1b[?5l",
    "\x1b[4ha", "\x1b[?6h", "\x1bH", "\t", "\x1b[3g", "\x1b[1;2r\n", "\x1b[1;31;42m", "\x1b[" + "1;" * 500 + "m", "\x1b[" + "9" * 4_000 + "m",
    "\a", "\b", "\x1b]0;title\a", "\x1b]0;", "\x1bP", "\x1b_", "\x1b7", "\x1b8", "\x1b(0", "\x1b%G", "\x1b[6n", "\u0300", "\u05b0\u05b1",
    "\u05b0\x1b[m", "\u200d", "世", "\x1b[?", "\x1b[H" + "\x1b[L" * 9,
)  # fmt: skip


def cost(unit: str) -> float:
    """Return the processor time for a chunk of one code on a full screen."""
    screen = Screen(COLUMNS, ROWS)
    stream = pyte.Stream(screen)
    feed(stream, FULL)
    text = unit * (BYTES // len(unit.encode()))
    start = time.thread_time()
    feed(stream, text)
    return time.thread_time() - start


@pytest.fixture(scope="module")
def of_letters() -> float:
    return cost("a")


@pytest.mark.exhaustive(beyond=8)
@pytest.mark.parametrize("unit", COSTLY, ids=lambda unit: ascii(unit[:12]))
def test_no_code_costs_much_more_than_letters(unit: str, of_letters: float) -> None:
    assert any(cost(unit) < MOST_TIMES * of_letters for _ in range(3))


def shown(screen: pyte.Screen) -> list[str]:
    rows = (screen.buffer[row] for row in range(screen.lines))
    return ["".join(row[column].data for column in range(screen.columns)).rstrip() for row in rows]


CODES = (
    *("abc", "x", "é", "世", " ", "\n", "\r\n", "\b", "\t", "\x1bM", "\x1bD", "\x1bE", "\x1b7", "\x1b8", "\x1b[2J", "\x1b[J", "\x1b[1J", "\x1b[3J"),
    *("\x1b[K", "\x1b[1K", "\x1b[2K", "\x1b[L", "\x1b[3L", "\x1b[@", "\x1b[4@", "\x1b[P", "\x1b[3P", "\x1b[5X", "\x1b[H"),
    *("\x1b[3;5H", "\x1b[7;1H", "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[2;6r", "\x1b[r", "\x1b[31m", "\x1b[0m", "\x1b[?25l", "\x1bc"),
)  # fmt: skip


def test_it_shows_what_pyte_shows() -> None:
    chance = random.Random(1)
    for _ in range(300):
        text = "".join(chance.choices(CODES, k=60))
        ours, theirs = Screen(12, 8), pyte.Screen(12, 8)
        feed(pyte.Stream(ours), text)
        pyte.Stream(theirs).feed(text)
        assert shown(ours) == shown(theirs), ascii(text)
        assert (ours.cursor.x, ours.cursor.y) == (theirs.cursor.x, theirs.cursor.y)


def test_a_line_is_deleted_also_where_nothing_is_below_it() -> None:
    """Pyte leaves it there."""
    screen = Screen(COLUMNS, ROWS)
    feed(pyte.Stream(screen), "one\r\ntwo\r\nthree\x1b[2;1H\x1b[M")
    assert shown(screen)[:3] == ["one", "three", ""]
    feed(pyte.Stream(screen), "\x1b[2;1H\x1b[M")
    assert shown(screen)[:3] == ["one", "", ""]


def test_what_nobody_plays_with_changes_nothing() -> None:
    screen = Screen(COLUMNS, ROWS)
    feed(pyte.Stream(screen), "board\x1b#8\x1b[?3h\x1b[?5h\x1b[4h\x1b[?6h\r\nnext")
    assert (screen.columns, shown(screen)[:2]) == (COLUMNS, ["board", "next"])


def test_a_line_that_the_emulator_stumbles_over_costs_no_other() -> None:
    screen = Screen(COLUMNS, ROWS)
    feed(pyte.Stream(screen), "one\r\n\x1b[1;2;3;4;5Htwo\r\nthree")
    assert "three" in shown(screen)[1]


def test_a_letter_keeps_a_few_marks_and_the_line_goes_on_behind_what_takes_no_room() -> None:
    screen = Screen(COLUMNS, ROWS)
    feed(pyte.Stream(screen), "e\u0301" + "\u0323" * 50 + "! \u2b55\ufe0f|X")
    assert shown(screen)[0].startswith("\u1eb9") and shown(screen)[0].endswith("! \u2b55|X")
    assert len(screen.buffer[0][0].data) <= 4
