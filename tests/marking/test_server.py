"""Who is let in: this machine, this page, with the secret; and what the page may do."""

import asyncio
import json
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.classroom.records import Alike, AlikePair, LateWork
from grader.core.course.rubric import Late
from grader.marking.desk import Desk
from grader.marking.server import Tickets, application
from tests.marking.made import RUBRIC, class_of, grade, leave, record, written

HOST = "127.0.0.1:4000"
ORIGIN = f"http://{HOST}"
SECRET = "s3cret"
KEY: dict[str, Any] = {"x-marking-key": SECRET}


@pytest.fixture
def desk(tmp_path: Path) -> Any:
    found = Desk(class_of(tmp_path / "out", html=False))
    yield found
    leave(found)


class Answer:
    """What came back."""

    def __init__(self, sent: list[dict[str, Any]]) -> None:
        self.status = sent[0]["status"] if sent else 0
        self.headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]} if sent else {}
        self.text = b"".join(message.get("body", b"") for message in sent[1:]).decode()


def ask(desk: Desk, path: str, method: str = "GET", body: bytes = b"", kind: str = "http", **headers: Any) -> Answer:  # fmt: skip
    """Ask the application for something, as a browser on this machine does unless told otherwise."""
    path, _, query = path.partition("?")
    named = {"host": HOST, **{name.replace("_", "-"): value for name, value in headers.items()}}
    scope = {
        "type": kind,
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in named.items() if value],
        "scheme": "http",
        "server": ("127.0.0.1", 4000),
    }
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    answering = application(desk, SECRET, 4000)(scope, receive, send)
    with ThreadPoolExecutor(1) as own:  # where no other test has left a loop that runs
        own.submit(asyncio.run, answering).result()  # type: ignore[arg-type]
    return Answer(sent)


WISH = {"student": 1, "kind": "points", "by": "B", "criterion": "design", "points": 5}


LATE = "Handed in 1 day late: 10% of 30 points per day or part of a day."


def decided(desk: Desk, body: bytes, path: str = "/decide", **how: Any) -> "Answer":
    return ask(desk, path, "POST", body, **{**KEY, "origin": ORIGIN, **how})


def wish(desk: Desk, **more: Any) -> bytes:
    seen = desk.revision(desk.seat(1), "design")
    return json.dumps({**WISH, "revision": seen, **more}).encode()


@pytest.mark.parametrize(
    ("wrong", "marks", "total", "late"),
    [
        (False, [], "7 of 30", f"-3: {LATE}"),
        (False, [5], "12 of 30, 7 by the grader", f"-3: {LATE}"),
        (True, [], "0 of 30", f"{LATE} There was nothing to take off."),
        (True, [2], "0 of 30", f"-2: {LATE} That would be 3 points: all that there were are taken off."),
    ],
)
def test_a_late_student_is_headed_by_the_totals_of_the_gradebook_and_by_the_delay(
    wrong: bool, marks: list[float], total: str, late: str, tmp_path: Path
) -> None:
    """Given a rubric that takes 10% off per day: 10 points by the cases, or none, and perhaps some by hand."""
    rubric, made = (
        replace(RUBRIC, late=Late(per_day="10%")),
        [record("ada", "Ada", grade("Ada", wrong=wrong))],
    )
    desk = Desk(written(tmp_path / "out", made, rubric, html=False, late={"ada": LateWork(by=86_400)}))
    for points in marks:
        assert decided(desk, wish(desk, points=points)).status == 200
    told = ask(desk, "/students/1", **KEY).text
    desk.scribe.end()
    shown = re.sub(r"<[^>]+>", "", told.partition('<p class="total" id="total">')[2].partition("</p>")[0])
    assert shown == total
    assert f'<div class="row" id="late"><span>{late}</span>' in told


def test_the_page_itself_holds_nothing_of_the_class(desk: Desk) -> None:
    """Given no key: everybody on this machine gets the empty page, and nothing is set or kept by it."""
    for path in OPEN:
        told = ask(desk, path)
        assert told.status == 200 and "set-cookie" not in told.headers
        assert not any(seat.name in told.text for seat in desk.seats())
    assert json.loads(ask(desk, "/start", **KEY).text)["first"] == desk.seats()[0].number


OPEN = ["/", "/mark.js", "/mark.css"]
PATHS = ["/start", "/students/1", "/reports/1", "/nowhere", "/pairs/1/2", "/ticket"]


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"x-marking-key": "other"},
        {"x-marking-key": ""},
        {"cookie": f"marking-4000={SECRET}"},
        {**KEY, "host": "evil.example:4000"},
        {**KEY, "host": "127.0.0.1"},
        {**KEY, "host": "127.0.0.1:4001"},
        {**KEY, "host": "127.0.0.1:4000.evil.example"},
        {**KEY, "host": ""},
        {**KEY, "origin": "http://evil.example"},
        {**KEY, "origin": "null"},
        {**KEY, "origin": "http://127.0.0.1:4001"},
    ],
)
def test_nobody_else_is_let_in(desk: Desk, headers: dict[str, Any]) -> None:
    assert {ask(desk, path, **headers).status for path in PATHS} == {403}


@pytest.mark.parametrize("path", ["/start?key=" + SECRET, "/decide?key=" + SECRET])
def test_an_address_that_a_server_sees_opens_nothing(desk: Desk, path: str) -> None:
    assert ask(desk, path).status == 403


def test_a_ticket_opens_one_page_once(desk: Desk) -> None:
    tickets = Tickets()
    ticket, other = tickets.give("/reports/1"), tickets.give("/reports/2")
    assert not tickets.take("", "/reports/1") and not tickets.take("guessed", "/reports/1")
    assert tickets.take(ticket, "/reports/1") and not tickets.take(ticket, "/reports/1")
    assert not tickets.take(other, "/students/2") and not tickets.take(other, "/reports/2")
    for path in ("/start", "/decide", "", "//evil.example/reports/"):
        body = json.dumps({"path": path}).encode()
        assert decided(desk, body, "/ticket").status == 400
    found = decided(desk, b'{"path": "/reports/1"}', "/ticket")
    assert len(json.loads(found.text)["ticket"]) > 20


@pytest.mark.parametrize("points", ["1e400", "-1e400", "1" * 400, "NaN", "Infinity"])
def test_points_that_nobody_can_count_with_are_no_decision(desk: Desk, points: str) -> None:
    body = wish(desk).replace(b'"points": 5', b'"points": ' + points.encode())
    assert decided(desk, body).status == 400
    assert desk.marks.all() == ()


@pytest.mark.parametrize("path", ["/students/{}", "/reports/{}", "/pairs/1/{}"])
def test_a_number_of_five_thousand_digits_is_nobody(desk: Desk, path: str) -> None:
    assert ask(desk, path.format("9" * 5_000), **KEY).status == 403
    assert ask(desk, path.format("9" * 50), **KEY).status == 404


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_nothing_is_taken_from_here_by_another_page(desk: Desk, site: str) -> None:
    assert {ask(desk, path, **KEY, sec_fetch_site=site).status for path in PATHS} == {403}


@pytest.mark.parametrize("origin", ["", "null", "http://evil.example", "https://127.0.0.1:4000", "http://127.0.0.1:4001"])  # fmt: skip
def test_nobody_else_decides(desk: Desk, origin: str) -> None:
    for path, body in (("/decide", wish(desk)), ("/undo", b"{}")):
        assert decided(desk, body, path, origin=origin).status == 403
    assert desk.marks.all() == ()


def test_what_is_decided_is_on_the_disk_when_that_is_said(desk: Desk) -> None:
    told = decided(desk, wish(desk))
    assert told.status == 200 and json.loads(told.text)["marked"] == 1
    assert "points: 5.0" in (desk.out / "marks.yaml").read_text()
    changed = decided(desk, wish(desk, revision="old", points=6))
    assert json.loads(changed.text)["changed"] is True
    assert "points: 5.0" in (desk.out / "marks.yaml").read_text()


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b'{"student": 1}', b'{"student": "1"}', b"[" * 50_000, json.dumps({**WISH, "points": "5"}).encode(),
     json.dumps({**WISH, "__class__": "x"}).encode(), json.dumps({**WISH, "kind": "all"}).encode()],
)  # fmt: skip
def test_nonsense_is_refused(desk: Desk, body: bytes) -> None:
    for path in ("/decide", "/undo"):
        assert decided(desk, body, path).status == 400
        assert decided(desk, b" " * 200_000, path).status == 413
    assert desk.marks.all() == ()


def test_nobody_is_shown_who_is_not_there(desk: Desk) -> None:
    assert ask(desk, "/students/99", **KEY).status == 404
    assert ask(desk, "/students/..", **KEY).status == 404
    assert ask(desk, "/pairs/1/2", **KEY).status == 404


def test_files_that_are_alike_say_how_unusual_that_is(tmp_path: Path) -> None:
    """Given a pair: on each student's page, and on its own, the shares stand in that student's order."""
    pair = AlikePair(keys=("s0", "s1"), shares=(0.9, 0.86), one_in=5_148)
    out = class_of(tmp_path / "out", html=False, alike=Alike(files=3, pairs=(pair,)))
    desk = Desk(out)
    try:
        first, second = (desk.numbers[key] for key in pair.keys)
        assert "(86 % and 90 %, 1 in 5,100)" in ask(desk, f"/students/{second}", **KEY).text
        text = ask(desk, f"/pairs/{second}/{first}", **KEY).text
        assert "about 1 in 5,100 is at least as alike" in text and "no proof of anything" in text
        assert text.index("86 % of what") < text.index("90 % of what")
    finally:
        leave(desk)


def test_a_socket_of_another_kind_is_not_answered(desk: Desk) -> None:
    assert ask(desk, "/", kind="websocket", **KEY).status == 0


def test_the_page_runs_nothing_but_its_own_and_cannot_be_framed(desk: Desk) -> None:
    for path in ("/", "/students/1"):
        headers = ask(desk, path, **KEY).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy and headers["x-frame-options"] == "DENY"
        assert headers["cache-control"] == "no-store" and headers["referrer-policy"] == "no-referrer"


def test_who_marks_is_kept_for_the_class_and_the_queues_are_counted(desk: Desk) -> None:
    """Given a class of twelve with a criterion by hand, of whom one handed in nothing."""
    told = json.loads(ask(desk, "/start", **KEY).text)
    assert (told["who"], told["queues"]) == (
        "",
        [["To look at", 0, 1], ["design", 0, 11], ["Everybody", 0, 12]],
    )
    told = json.loads(decided(desk, wish(desk, by=" Dr. B ")).text)
    assert told["queues"][1:] == [["design", 1, 11], ["Everybody", 1, 12]]
    assert json.loads(ask(desk, "/start", **KEY).text)["who"] == "Dr. B"


def test_a_total_leaves_no_field_that_waits(desk: Desk) -> None:
    assert 'class="give waits' in ask(desk, "/students/1", **KEY).text
    seen = desk.revision(desk.seat(1), "total")
    told = decided(desk, wish(desk, criterion=None, revision=seen))
    assert json.loads(told.text)["marked"] == 1
    assert 'class="give waits' not in json.loads(told.text)["student"]


def test_names_and_comments_are_text(desk: Desk) -> None:
    evil = "\"'><script>alert(1)</script>"
    body = wish(desk, comment=evil, by=evil, kind="comment", points=None)
    told = decided(desk, body)
    assert json.loads(told.text)["marked"] == 0
    for path in ("/students/1", "/students/6", "/", "/reports/6"):
        text = ask(desk, path, **KEY).text
        assert "<script>alert" not in text and "<img src=x" not in text
    queue = json.loads(ask(desk, "/start", **KEY).text)["queue"]
    assert "<img src=x" not in queue and "&lt;img src=x onerror=alert(1)&gt;" in queue
    assert "&lt;img src=x onerror=alert(1)&gt;" in ask(desk, "/students/6", **KEY).text
