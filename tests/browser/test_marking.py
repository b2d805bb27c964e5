"""A class is marked in a real browser: by keyboard, by two people, through a kill, without names."""

import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.classroom import records
from grader.classroom.adjustments import load
from grader.classroom.records import Alike, AlikePair
from grader.core.course.rubric import Level
from tests.browser.conftest import LOOKS, Visit
from tests.marking.made import NAMES, RUBRIC, class_of, grade, marking, record, written


class Server:
    """The command, marking a class."""

    def __init__(self, out: Path, *options: str) -> None:
        self.process, self.address = marking(out, *options)

    def end(self, how: signal.Signals = signal.SIGINT) -> int:
        if self.process.poll() is None:
            os.kill(self.process.pid, how)
            self.process.communicate()
        return self.process.returncode


class Marker(Visit):
    """Somebody in front of the page."""

    excused: str | None = None  # what the browser itself may say, sooner or later

    def __init__(self, browser: Any, server: Server, **how: Any) -> None:
        super().__init__(browser, server.address, **how)
        self.server = server
        self.begins()

    def begins(self) -> None:
        """Wait for the page, and say who is marking if it asks for that."""
        self.sees("#about")
        self.page.wait_for_function("() => who.value || document.querySelector('#name-dialog[open]')")
        if not self.page.locator("#who").input_value():
            self.types("B")
            self.presses("Enter")

    def window(self) -> "Marker":
        """Return another window of the same person."""
        return Marker(None, self.server, context=self.context)

    def sees(self, where: str, text: str | None = None) -> None:
        self.page.locator(where, has_text=text).first.wait_for(timeout=30_000)

    def presses(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def types(self, text: str) -> None:
        self.page.keyboard.type(text)

    def text(self, where: str) -> str:
        return str(self.page.locator(where).inner_text())

    def saves(self, *keys: str, says: str = "Saved:") -> None:
        """Press what saves, and wait for what is said then."""
        self.page.locator("#said").evaluate("(said) => { said.textContent = ''; }")
        self.presses(*keys)
        self.sees("#said", says)

    def goes(self, key: str, name: str) -> None:
        self.presses(key)
        self.sees("#name", name)

    def gives(self, points: str) -> None:
        self.types(points)
        self.saves("Enter")


Sit = Callable[..., Marker]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return class_of(tmp_path / "out", html=False)


@pytest.fixture
def serve(out: Path) -> Iterator[Callable[..., Server]]:
    started: list[Server] = []

    def start(*options: str) -> Server:
        started.append(Server(out, *options))
        return started[-1]

    yield start
    for opened in started:
        opened.end()


@pytest.fixture
def sit(browser: Any) -> Iterator[Sit]:
    """Give a function that opens the page; nothing may be said to the console, or asked from elsewhere."""
    sitting: list[Marker] = []

    def open_page(server: Server, **how: Any) -> Marker:
        sitting.append(Marker(browser, server, **how))
        return sitting[-1]

    yield open_page
    for opened in sitting:
        assert [line for line in opened.said if not (opened.excused and opened.excused in line)] == []
        assert all(url.startswith("http://127.0.0.1:") for url in opened.asked)
        opened.context.close()


@pytest.fixture
def me(serve: Any, sit: Sit) -> Marker:
    """Give somebody who marks the class, and looks at its first student."""
    found = sit(serve())
    found.goes("q", "Ada Lovelace")
    return found


def totals(out: Path) -> list[str]:
    return [line.split('","')[2] for line in (out / "gradebook.csv").read_text().splitlines()[1:]]


def decisions(out: Path) -> list[tuple[str | None, float | None, str]]:
    """Return what was decided: the criterion, the points and the reason of each mark."""
    students = [(name, f"s{number}") for number, name in enumerate(NAMES)]
    return [
        (mark.criterion, mark.points, mark.comment) for mark in load(out / "marks.yaml", RUBRIC, students)
    ]


def test_a_class_of_twelve_is_marked_by_keyboard_alone(serve: Any, sit: Sit, out: Path) -> None:
    server = serve()
    me = sit(server)
    assert me.text("#progress") == "0 of 12 marked"
    assert me.text("#name") == "Dan Ritchie"  # who handed in nothing comes first, in a queue of its own
    queues = me.text("#queues").replace("\n", " ")
    assert queues == "To look at 0 of 1 design 0 of 11 Everybody 0 of 12"
    me.saves("d")
    me.saves("n", says="Nobody else waits in this queue. In another one, design, 11 wait: press q.")
    for number, name in enumerate(name for name in NAMES if name != "Dan Ritchie"):
        me.goes("n" if number else "q", name)
        me.gives(str(number))
    me.saves("n", says="Nobody else waits in this queue.")
    assert me.text("#name") == NAMES[-1]
    assert me.text("#progress") == "12 of 12 marked"
    assert me.page.locator("#queue li:not([hidden]) .why").all_inner_texts() == 11 * ["marked"]
    assert server.end() == 0
    given = [float(total or 0) for total in totals(out)]
    assert given == [0, 1, 12, 0, 3, 4, 5, 6, 7, 8, 9, 10]  # the third has 10 points by the grader


@pytest.mark.exhaustive
def test_who_types_ahead_gives_everybody_the_own_points(serve: Any, sit: Sit, out: Path) -> None:
    server = serve()
    me = sit(server)
    for number in range(1, 12):
        me.presses("n" if number > 1 else "q")
        me.types(str(number))
        me.presses("Enter")
    me.sees("#progress", "11 of 12 marked")
    assert me.text("#name") == "Lin Wang"
    server.end()
    given = [float(total or 0) for total in totals(out)]
    assert given == [1, 2, 13, 0, 4, 5, 6, 7, 8, 9, 10, 11]


@pytest.mark.exhaustive
def test_comments_on_lines_the_bank_and_the_same_mistake_at_once(me: Marker, out: Path) -> None:
    me.presses("l")
    me.types("6")
    me.presses("c")  # still in the field: a letter is a letter there, and no line
    me.presses("Backspace", "Tab")
    me.types("X begins")
    me.saves("Control+Enter", says="Saved: a comment on line 6.")
    assert me.page.locator("li[data-line='6'] .comment").count() == 1
    me.goes("n", "Bob Bär")
    me.presses("b", "Enter")  # what was used before
    me.page.locator("#criterion").select_option("design")
    me.page.locator("#delta").fill("-2")
    me.page.locator("#everybody").select_option("player lets O begin")
    me.saves("Control+Enter", says="For 10 students.")
    assert (out / "marks.yaml").read_text().count("delta: -2") == 10
    me.page.locator(".comments .edit").click()
    me.page.locator("#comment").fill("X always begins")
    me.page.locator("#save").click()
    me.sees("#ask-words", "10 have this comment. Change it for all of them?")
    me.page.locator("#ask-yes").click()
    me.sees("#said", "For 10 students.")
    assert (out / "marks.yaml").read_text().count("X always begins") == 10
    me.saves("u", says="Undone.")
    me.saves("u", says="Undone.")
    assert (out / "marks.yaml").read_text().count("comment:") == 1


@pytest.mark.exhaustive
def test_a_digit_is_never_for_the_total_and_escape_changes_nothing(me: Marker, out: Path) -> None:
    me.gives("17")
    me.gives("18")  # what was given before is corrected
    assert "points: 18" in (out / "marks.yaml").read_text()
    assert me.page.locator("#points-total").input_value() == ""
    for student in ("Ada Lovelace", "Bob Bär"):
        me.presses("c")
        me.types("Fine")
        me.saves("Control+Enter", says="Saved: a comment.")
        if student == "Ada Lovelace":
            me.goes("n", "Bob Bär")
    me.page.locator(".comments .edit").click()
    me.page.locator("#comment").fill("Better")
    me.page.locator("#save").click()
    me.sees("#ask-words", "2 have this comment. Change it for all of them?")
    me.presses("Escape")
    me.sees("#said", "Nothing was changed.")
    assert (out / "marks.yaml").read_text().count("Fine") == 2


@pytest.mark.exhaustive
def test_after_the_digits_w_is_for_the_reason_and_no_letter_is_a_number(me: Marker, out: Path) -> None:
    me.types("15")
    me.types("wclear names")  # as the list of keys has it
    me.saves("Enter", says="Saved: design 15")
    assert decisions(out) == [("design", 15, "clear names")]
    me.goes("n", "Bob Bär")
    me.saves(".", says='Saved: design 15 with "clear names" for Bob Bär, the same as last.')
    me.saves("u", says="Undone.")
    me.types("25n")
    me.sees("#said", "25 is not saved: Enter saves it, w adds why, Esc drops it.")
    assert (me.text("#name"), me.page.locator("#points-design").input_value()) == ("Bob Bär", "25")
    me.saves("Enter", says="design takes 0 to 20 points")
    me.types("w")
    me.types("too long")
    me.presses("Escape")
    assert [me.page.locator(f"#{field}-design").input_value() for field in ("points", "why")] == ["", ""]
    me.gives("7")
    assert decisions(out)[1:] == [("design", 7, "")]  # no reason that was dropped
    me.goes("n", "Carol Shaw")
    me.types("w")
    me.types("fine")
    me.saves("Enter", says="How many points?")
    me.types("1.2.3")
    me.saves("Enter", says="That is no number of points: Esc drops it.")
    me.presses("Escape")
    me.goes("n", "Eve O'Neil")
    assert len(decisions(out)) == 2


@pytest.mark.exhaustive
def test_a_key_is_a_key_in_a_field_of_points_that_holds_nothing_new(me: Marker) -> None:
    me.page.locator("#points-design").focus()
    me.goes("n", "Bob Bär")


@pytest.mark.exhaustive
def test_what_is_typed_ahead_of_a_refusal_is_dropped(me: Marker, out: Path) -> None:
    held: list[Any] = []
    me.page.route("**/decide", lambda route: held.append(route))  # noqa: PLW0108 (no method can be marked)
    me.types("99")
    with me.page.expect_request("**/decide"):
        me.presses("Enter")
    me.presses("n", "7", "Enter")
    held[0].continue_()
    me.sees("#said", "design takes 0 to 20 points")
    assert (me.text("#name"), me.page.locator("#points-design").input_value()) == ("Ada Lovelace", "99")
    assert len(held) == 1 and not (out / "marks.yaml").exists()


@pytest.mark.exhaustive
def test_same_as_last_and_undo(me: Marker) -> None:
    me.gives("17")
    me.goes("n", "Bob Bär")
    me.saves(".")
    assert me.page.locator("#points-design").input_value() == "17"
    assert me.text("#progress") == "2 of 12 marked"
    me.saves("u", says="Undone.")
    assert me.page.locator("#points-design").input_value() == ""
    me.goes("p", "Ada Lovelace")
    assert me.page.locator("#points-design").input_value() == "17"


@pytest.mark.exhaustive
def test_same_as_last_asks_before_it_replaces_a_decision(me: Marker, out: Path) -> None:
    me.gives("17")
    me.goes("n", "Bob Bär")
    me.gives("3")
    me.goes("p", "Ada Lovelace")
    me.presses(".")
    me.sees("#ask-words", "design is decided here already: 17. Give 3 instead?")
    me.page.locator("#ask-no").click()
    me.sees("#said", "Nothing was changed.")
    assert (out / "marks.yaml").read_text().count("points: 17.0") == 1
    me.presses(".")
    me.sees("#ask-words")
    me.saves("Enter", says="Saved: design 3 for Ada Lovelace, the same as last.")
    assert (out / "marks.yaml").read_text().count("points: 3.0") == 2
    me.saves(".", says="Ada Lovelace has design 3 already.")  # and is not asked to have it instead
    me.presses("l")
    me.types("6")
    me.presses("Tab")
    me.types("Good name")
    me.saves("Control+Enter")
    me.goes("n", "Carol Shaw")
    me.saves(".", says="Saved: design 3 for Carol Shaw, the same as last.")  # no comment on another line
    me.presses("c")
    me.types("Fine")
    me.saves("Control+Enter")
    me.saves(".", says="This comment is here already.")
    me.goes("n", "Eve O'Neil")
    me.saves(".", says='Saved: the comment "Fine" for Eve O\'Neil, the same as last.')


@pytest.mark.exhaustive
def test_at_the_end_of_a_queue_n_goes_on_with_who_waits_before(me: Marker) -> None:
    me.gives("5")
    me.presses("/")
    me.types("lin")
    me.goes("Enter", "Lin Wang")
    more = (
        "That was the last one who waits in this queue; before it 9 wait: press Next (n) again for the first."
    )
    me.saves("n", says=more)
    assert me.text("#name") == "Lin Wang"
    me.goes("n", "Bob Bär")  # Ada waits no more
    me.goes("p", "Ada Lovelace")
    top, pick = (me.page.locator(where).bounding_box() for where in ("#queue [aria-current]", "#pick"))
    assert top["y"] >= pick["y"] + pick["height"] - 1  # in sight, below what stays at the top


@pytest.mark.exhaustive
def test_who_has_points_and_needs_a_look_is_marked_in_part(serve: Any, sit: Sit, out: Path) -> None:
    """Given two files that are alike: their points alone do not mark them, and the page says what does."""
    pair = AlikePair(keys=("s0", "s1"), shares=(1, 1), one_in=5_000)
    records.save_class(out, replace(records.load_class(out), alike=Alike(files=2, pairs=(pair,))))
    me = sit(serve())
    me.goes("q", "Ada Lovelace")
    me.types("5")
    me.saves(
        "Enter",
        says="Saved: design 5. Still to look at here: the file is like that of Bob Bär; then press Done (d).",
    )
    assert me.text("#progress") == "0 of 12 marked, 1 in part"
    me.saves("d", says="Saved: done.")
    assert me.text("#progress") == "1 of 12 marked"


@pytest.mark.exhaustive
def test_enter_opens_who_was_found_among_everybody(serve: Any, sit: Sit) -> None:
    me = sit(serve())
    me.presses("/")
    me.types("hopper")
    me.goes("Enter", "Grace Hopper")  # who is not in the queue that is shown
    assert me.page.locator("#queue li:not([hidden]) .name").all_inner_texts() == ["Dan Ritchie"]
    me.page.locator("#queue li").first.evaluate(
        '(student) => { student.dataset.queues = \'{"Everybody": "like Bob"}\'; }'
    )
    me.presses("/")
    me.types("bob")
    me.goes("Enter", "Bob Bär")  # and nobody who is like Bob
    me.presses("/")
    me.types("nobody")
    me.saves("Enter", says="Nobody fits that.")
    assert me.text("#name") == "Bob Bär"
    me.presses("Escape", "/")  # begins anew
    me.types("BAR")  # however the name is spelled
    assert me.page.locator("#queue li:not([hidden]) .name").all_inner_texts() == ["Bob Bär"]
    me.presses("Escape")
    assert me.page.locator("#find").input_value() == ""


@pytest.mark.exhaustive
def test_who_marks_is_asked_once_for_a_class(serve: Any, browser: Any, out: Path) -> None:
    first = serve()
    page = browser.new_context().new_page()
    page.goto(first.address)
    page.locator("#name-dialog[open]").wait_for()
    page.keyboard.type("Dr. X")
    page.keyboard.press("Escape")
    page.keyboard.press("d")  # nothing is decided by nobody
    page.locator("#name-dialog[open]").wait_for()
    assert not (out / "marks.yaml").exists()
    page.locator("#name-given").fill("Dr. B")
    page.keyboard.press("Enter")
    page.locator("#said", has_text="Saved: done.").wait_for()
    assert "by: Dr. B" in (out / "marks.yaml").read_text()
    first.end()
    page.goto(serve().address)
    page.locator("#about").wait_for()
    assert page.locator("#who").input_value() == "Dr. B"
    assert page.locator("#name-dialog[open]").count() == 0


@pytest.mark.exhaustive
def test_two_windows_never_overwrite_each_other(me: Marker, out: Path) -> None:
    other = me.window()
    other.goes("q", "Ada Lovelace")
    me.gives("17")
    other.types("3")
    other.presses("Enter")
    other.sees("#ask-words", "Somebody has decided otherwise meanwhile, as you see now.")
    assert other.text("#total").startswith("17")
    assert "17.0" in (out / "marks.yaml").read_text()
    other.page.locator("#ask-no").click()
    other.sees("#said", "nothing of yours was saved")
    assert "points: 3" not in (out / "marks.yaml").read_text()
    other.page.locator("#points-design").fill("4")
    other.saves("Enter")
    me.page.locator("#points-design").fill("5")
    me.presses("Enter")
    me.sees("#ask-words")
    me.page.locator("#ask-yes").click()
    me.sees("#said", "Saved:")
    assert "points: 5.0" in (out / "marks.yaml").read_text()


@pytest.mark.exhaustive
def test_killed_in_the_middle_nothing_that_was_saved_is_lost(serve: Any, sit: Sit, out: Path) -> None:
    first = serve()
    me = sit(first)
    me.goes("q", "Ada Lovelace")
    me.gives("17")
    me.excused = "ERR_CONNECTION_REFUSED"
    first.end(signal.SIGKILL)
    me.types("3")
    me.presses("Enter")
    me.sees("#said", "Nothing is saved")
    second = serve()
    again = sit(second)
    assert again.text("#progress") == "1 of 12 marked"
    again.page.reload()
    again.sees("#progress", "1 of 12 marked")
    again.excused = "ERR_CONNECTION_REFUSED"
    assert second.end() == 0
    assert totals(out)[0] == "17"  # the gradebook has followed


@pytest.mark.exhaustive
def test_without_names(serve: Any, sit: Sit, out: Path) -> None:
    me = sit(serve("--anonymous"))
    last_names = {name.split()[-1] for name in NAMES if name != NAMES[5]}
    assert not any(name in me.page.content() for name in last_names)
    me.presses("q")
    for _ in NAMES[1:]:
        me.presses("n")
    me.sees("#said", "That was the last one who waits in this queue; before it 10 wait")
    queue = me.page.locator("#queue .name").all_inner_texts()
    assert sorted(queue) == sorted(f"Student {number}" for number in range(1, 13))
    assert not any(name in me.page.content() for name in last_names)
    with me.context.expect_page() as opened:
        me.page.get_by_text("The whole report").click()
    opened.value.wait_for_url("**/reports/*")
    assert "Student 1" in opened.value.content()
    assert not any(name in opened.value.content() for name in last_names)
    assert opened.value.reload().status == 403  # a ticket is good once
    assert "key" not in me.page.url and me.context.cookies() == []
    me.page.reload()
    me.sees("#about")


@pytest.mark.exhaustive
def test_a_request_is_seen_with_its_board_and_answered(serve: Any, sit: Sit, out: Path) -> None:
    (out / "requests.csv").write_text("student,text\nBob Bär,I think player/every-board is right\n")
    server = serve()
    me = sit(server)
    assert me.text("#name") == "Bob Bär"
    assert "every-board" in me.text(".answer .case") and me.page.locator(".answer .board").count() == 1
    me.presses("a")
    me.types("X begins: see the assignment.")
    me.saves("Control+Enter")
    me.goes("n", "Dan Ritchie")
    me.presses("r")
    me.types("What about me?")
    me.saves("Control+Enter")
    assert "asks: What about me?" in me.text("#about")
    assert server.end() == 0
    text = (out / "feedback" / "s1.txt").read_text()
    assert "You asked: I think player/every-board is right" in text and "X begins: see the" in text


@pytest.mark.exhaustive
@pytest.mark.parametrize("look", LOOKS)
def test_everybody_can_use_it(serve: Any, sit: Sit, look: str) -> None:
    me = sit(serve(), **LOOKS[look])
    me.goes("q", "Ada Lovelace")
    me.presses("c")
    me.types("Fine.")
    me.saves("Control+Enter")
    assert me.violations() == ""
    me.presses("?")
    me.sees("#keys h2", "Keys")
    me.presses("Escape")
    me.page.locator("li[data-line='3']").hover()
    me.page.locator("li[data-line='3'] .on-line").click()  # by mouse, or with a finger
    assert me.page.locator("#line").input_value() == "3"


def test_no_entry_without_the_secret_or_from_another_page(serve: Any, sit: Sit, browser: Any, tmp_path: Path) -> None:  # fmt: skip
    server = serve()
    me = sit(server)
    door = server.address.partition("#")[0]
    stranger = browser.new_context().new_page()
    for address in (door, f"{door}#key=guessed"):
        stranger.goto("about:blank")
        stranger.goto(address)
        stranger.get_by_text("Open the address that was printed").wait_for()
        assert stranger.locator("#about").count() == 0 and stranger.locator("#queue li").count() == 0
    evil = tmp_path / "evil.html"
    evil.write_text(
        f"<iframe id=f src='{door}'></iframe><form id=g method=post action='{door}decide'><input name=x></form>"
    )
    other = me.context.new_page()
    other.goto(evil.as_uri())
    assert "marked" not in other.frames[-1].content()
    with other.expect_navigation() as went:
        other.locator("#g").evaluate("(form) => form.submit()")
    assert went.value.status == 403


@pytest.mark.exhaustive
def test_a_level_is_chosen_by_a_click_by_its_key_or_by_its_points(sit: Sit, tmp_path: Path) -> None:
    """Given a criterion with levels and a checklist: students read the name of a level beside its points."""
    levels = tuple(Level(name=name, points=points) for name, points in (("excellent", 20), ("weak", 8), ("well", 5)))  # fmt: skip
    player, design = RUBRIC.criteria
    rubric = replace(RUBRIC, criteria=(player, replace(design, levels=levels, checklist=("names", "<b>"))))
    out = written(tmp_path / "levels", [record("ada", "Ada", grade("Ada"))], rubric, html=False)
    server = Server(out)
    me = sit(server)
    assert me.text(".checklist").split("\n") == ["names", "<b>"]
    me.page.locator(".level[data-level=weak]").click()
    me.sees("#said", "Saved: design 8 (weak).")
    for keys, saved in (("ge", "20 (excellent)"), ("g3", "5 (well)"), ("8", "8 (weak)"), ("gE", "20 (excellent)")):  # fmt: skip
        me.types(keys)
        if keys == "8":
            me.presses("Enter")
        me.sees("#said", f"Saved: design {saved}.")
        points, name = saved.rstrip(")").split(" (")
        assert me.text(".level[aria-pressed]") == f"{name} {points}"
    me.page.locator("#why-design").fill("weak")  # no reason beside another level
    me.page.locator(".level[data-level=excellent]").click()
    me.page.locator("#why-design:not([data-typed])").wait_for()
    me.presses("g")
    me.sees("#said", "design: 1 excellent, 2 weak, 3 well. Press the number, or the first letter.")
    me.saves("w", says="2 levels begin with w: press g and the number.")
    me.presses("g")
    me.saves("Escape", says="No level was chosen.")
    assert server.end() == 0
    assert totals(out) == ["20"]
    assert "Design: 20 of 20 (excellent, marked by B)\n" in (out / "feedback" / "ada.txt").read_text()
    (mark,) = load(out / "marks.yaml", rubric, [("Ada", "ada")])
    assert (mark.criterion, mark.points, mark.comment) == ("design", 20, "")
