"""The page for marking, served on this machine only, and only with the key; and the decisions that it sends.

A decision is compared with what is on the disk, written there, and can be undone.
"""

import json
import re
import secrets
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal

from markupsafe import Markup, escape
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grader.classroom.adjustments import Mark
from grader.classroom.records import source_of
from grader.classroom.similarity import rarity, words_on
from grader.core.errors import GraderError, UserError
from grader.core.grade import Grade
from grader.core.messages import _, active, figure, in_language, own_text
from grader.core.values import Value, lines_of, printable, printable_lines, value_of
from grader.marking.desk import Desk, Seat, context, same, subject
from grader.marking.marks import Changed, revision
from grader.report import pages
from grader.report.pages import PairRow, environment, messages_in, page, pair_page, style
from grader.report.wording import agenda, search_sentences

_LONGEST: Final = 5_000
_MOST_CHANGED: Final = 10_000
_LONGEST_NAME: Final = 100


class Decision(Value):
    """What somebody decides on the page.

    `kind` says how: points in the place of others, a comment beside others, late work excused, an answer to a
    request, a new request, or that nothing is left to decide.
    """

    student: int
    kind: Literal["points", "comment", "late", "answer", "request", "seen"]
    by: str
    revision: str = ""  # of what it is about, when it was seen
    criterion: str | None = None
    points: float | None = None
    delta: float | None = None
    comment: str = ""
    line: int | None = None
    file: str = ""
    request: str = ""
    asked: int | None = None  # which of the student's requests is answered
    mark: str = ""  # the comment that is changed, or taken away
    remove: bool = False
    # A named mistake: every student who made it gets the same. With a mark: all who have that comment.
    everybody: str = ""


class Undo(Value):
    """What somebody takes back, and whom the page shows."""

    operation: str
    student: int


@dataclass(frozen=True)
class Operation:
    """What was changed: it can be undone as long as nobody has changed it since."""

    id: str
    removed: tuple[Mark, ...]
    added: tuple[Mark, ...]
    left: int = 0  # how many keep what they have, of those with the same mistake


class Decisions:
    """Carries out what is decided at a desk."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._done: dict[str, Operation] = {}

    def decide(self, decision: Decision) -> Operation:
        """Write a decision to the disk; raise Changed if it is about something else than was seen."""
        desk = self._desk
        with desk.marks.alone():
            seat = desk.seat(decision.student)
            if decision.kind == "answer":
                if decision.asked is None or not 0 <= decision.asked < len(seat.requests):
                    raise UserError(_("there is no such request"))
                decision = replace(decision, request=seat.requests[decision.asked].text)
            self._validate(decision, seat)
            old = self._replaced(decision, seat)
            new = [] if decision.remove else _new_marks(decision, seat, old)
            if not decision.mark and decision.revision != desk.revision(seat, _about(decision, new, old)):
                raise Changed
            left = 0
            if decision.everybody and not decision.mark:
                others = [
                    other for other in desk.mistakes().get(decision.everybody, ()) if other.key != seat.key
                ]
                copies = [mark for other in others for mark in _copied(new, other)]
                left = len(others) - len({mark.student for mark in copies})
                new += copies
            done = self._write(old, new, left)
            desk.marks.keep_marker(printable(decision.by.strip()))
            return done

    def undo(self, operation: str) -> Operation:
        """Take a decision back; raise Changed if somebody has decided otherwise since."""
        done = self._done.get(operation)
        if done is None:
            raise UserError(_("that can no longer be undone"))
        with self._desk.marks.alone():
            now = {mark.id: mark for mark in self._desk.marks.all()}
            added, back = {mark.id for mark in done.added}, {mark.id for mark in done.removed}
            if any(now.get(mark.id) != mark for mark in done.added) or (back - added) & now.keys():
                raise Changed
            return self._write(done.added, done.removed)

    def _write(self, old: Sequence[Mark], new: Sequence[Mark], left: int = 0) -> Operation:
        self._desk.change([mark.id for mark in old], new)
        done = Operation(secrets.token_hex(8), tuple(old), tuple(new), left)
        self._done[done.id] = done
        return done

    def _validate(self, decision: Decision, seat: Seat) -> None:
        """Raise UserError for a decision that is impossible."""

        def refuse(is_wrong: bool, sentence: str) -> None:
            if is_wrong:
                raise UserError(sentence)

        rubric, points, comment = self._desk.kept.rubric, decision.points, decision.comment.strip()
        criterion = rubric.criterion(decision.criterion) if decision.criterion else None
        if decision.criterion and criterion is None:
            raise UserError(rubric.unknown(decision.criterion))
        most = criterion.points if criterion else sum(owner.points for owner in rubric.all_criteria())
        in_total = _("the total takes 0 to {most:g} points", most=most)
        in_criterion = _("{criterion} takes 0 to {most:g} points", criterion=decision.criterion, most=most)
        refuse(points is not None and not 0 <= points <= most, in_criterion if criterion else in_total)
        within = decision.delta is None or -_MOST_CHANGED <= decision.delta <= _MOST_CHANGED
        refuse(not within, _("a change is at most {most:,} points", most=_MOST_CHANGED))
        refuse(not decision.by.strip(), _("say who you are, above: the student reads who decided"))
        longest = max(len(decision.comment), len(decision.request))
        refuse(longest > _LONGEST, _("a text has at most {most:,} characters", most=_LONGEST))
        refuse(
            len(decision.by) > _LONGEST_NAME, _("a name has at most {most:,} characters", most=_LONGEST_NAME)
        )
        if decision.everybody and not decision.mark:
            has_made = decision.everybody in self._desk.mistakes()
            refuse(not has_made, _("nobody has made that mistake any more"))
        if not decision.remove:
            refuse(points is None and decision.kind == "points", _("how many points?"))
            refuse(
                decision.kind in ("comment", "answer") and not comment, _("there is nothing in the comment")
            )
        if decision.line is not None:
            source = source_of(self._desk.out, seat.key)
            texts = {"": source.text, **dict(source.helpers)} if source else {}
            is_there = 1 <= decision.line <= len(lines_of(texts.get(decision.file, "")))
            refuse(not is_there, _("there is no line {line}", line=decision.line))

    def _replaced(self, decision: Decision, seat: Seat) -> list[Mark]:
        """Return the marks that the decision replaces."""
        own = [mark for mark in seat.own if isinstance(mark, Mark)]
        if not decision.mark:
            return [mark for mark in own if _replaces(decision, mark)]
        found = [mark for mark in own if (mark.id, revision(mark)) == (decision.mark, decision.revision)]
        if not found:
            raise Changed
        if decision.everybody:
            return [mark for mark in self._desk.marks.all() if same(mark) == same(found[0])]
        return found


def _new_marks(decision: Decision, seat: Seat, old: Sequence[Mark]) -> list[Mark]:
    about: dict[str, Any] = {
        "by": printable(decision.by.strip()),
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "comment": printable_lines(decision.comment.strip()),
    }
    if decision.mark:
        return [replace(mark, **about, criterion=decision.criterion, delta=decision.delta) for mark in old]
    match decision.kind:
        case "late":
            about["late"] = "excused"
        case "seen":
            about["seen"] = True
        case "answer" | "request":
            about["request"] = printable_lines(decision.request.strip())
        case _:
            fields = (
                ("criterion", "points")
                if decision.kind == "points"
                else ("criterion", "delta", "line", "file")
            )
            about |= {name: getattr(decision, name) for name in fields}
    return [Mark(student=seat.key, id=secrets.token_hex(8), **about)]


def _about(decision: Decision, new: Sequence[Mark], old: Sequence[Mark]) -> str:
    """Return the subject of a decision; that of a removal is the subject of what is there."""
    if known := next(iter((*new, *old)), None):
        return subject(known)
    return (decision.criterion or "total") if decision.kind == "points" else decision.kind


def _replaces(decision: Decision, mark: Mark) -> bool:
    """Return whether a decision replaces a mark."""
    match decision.kind:
        case "points":
            return mark.points is not None and mark.criterion == decision.criterion
        case "late":
            return mark.late is not None
        case "seen":
            return mark.seen
        case "answer" | "request":
            return mark.request == decision.request
    return False


def _copied(new: Iterable[Mark], other: Seat) -> list[Mark]:
    """Return marks for another student, without a line; what that one has already stays."""
    own = [mark for mark in other.own if isinstance(mark, Mark)]
    having_points = {mark.criterion for mark in own if mark.points is not None}
    return [
        replace(mark, line=None, file="", student=other.key, id=secrets.token_hex(8))
        for mark in new
        if not (mark.criterion in having_points if mark.points is not None else same(mark) in map(same, own))
    ]


PAGE: Final = Path(__file__).parent / "page"
# what a script takes its sentences from
_SENTENCES: Final = Path(pages.__file__).parent / "page" / "messages.js"
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# for pages that bring a stricter policy with them, which names what is inside
_OWN_POLICY: Final = "frame-ancestors 'none'; connect-src 'none'; form-action 'none'; base-uri 'none'"
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_MOST_BYTES: Final = 100_000
_MOST_TICKETS: Final = 20
_LONGEST_PATH: Final = 100
# what holds nothing of the class, and is given to everybody on this machine
_OPEN: Final = ("/", "/mark.js", "/mark.css")
_KEY: Final = "x-marking-key"


class Tickets:
    """Tickets for one page, once: a link cannot carry the key, and browsers keep addresses."""

    def __init__(self) -> None:
        self._given: dict[str, str] = {}

    def give(self, path: str) -> str:
        """Return a ticket for a page; only the newest few are good."""
        ticket = secrets.token_urlsafe(16)
        self._given[ticket] = path
        while len(self._given) > _MOST_TICKETS:
            del self._given[next(iter(self._given))]
        return ticket

    def take(self, ticket: str, path: str) -> bool:
        """Return whether a ticket is for this page, and let it be good no longer."""
        return self._given.pop(ticket, None) == path


class Guard:
    """Lets in who comes from this machine's page with the key, in a header that only the page can send.

    The address has it behind the `#`, which no browser sends; the page keeps it for its own window. It is in
    no cookie, for these go to every server of this machine. Every answer has the headers that protect a page.
    """

    def __init__(self, app: ASGIApp, secret: str, port: int, tickets: Tickets) -> None:
        self._app, self._secret, self._tickets = app, secret, tickets
        self._language = active().code
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or say why not, in the language in which the server was started."""
        if scope["type"] != "http":
            return  # no socket of another kind is opened here

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        with in_language(self._language):
            refused = self._refused(Request(scope, receive))
            app = PlainTextResponse(refused, 403) if refused else self._app
            await app(scope, receive, send_with_headers)

    def _refused(self, request: Request) -> str:
        """Return why a request is not answered; nothing if it is."""
        host, origin = request.headers.get("host", ""), request.headers.get("origin")
        if host not in self._hosts:
            return _("This page is for this machine alone.")
        if origin != f"http://{host}" and (origin is not None or request.method not in ("GET", "HEAD")):
            return _("This page answers no other page.")
        site = request.headers.get("sec-fetch-site", "none")
        path, reads = request.url.path, request.method == "GET"
        if len(path) > _LONGEST_PATH:
            return _("There is no such page.")
        if path != "/" and site not in ("same-origin", "none"):
            return _("This page answers no other page.")
        if reads and (path in _OPEN or self._tickets.take(request.query_params.get("ticket", ""), path)):
            return ""
        given = request.headers.get(_KEY, "")
        if not secrets.compare_digest(given.encode(), self._secret.encode()):
            return _("Open the address that was printed, all of it.")
        return ""


class MarkingPage:
    """Answers what the page asks for."""

    def __init__(self, desk: Desk, tickets: Tickets) -> None:
        self._desk, self._tickets = desk, tickets
        self._decisions = Decisions(desk)

    def routes(self) -> list[Route]:
        """Return what can be asked for."""
        script = _SENTENCES.read_text(encoding="utf-8") + (PAGE / "mark.js").read_text(encoding="utf-8")
        look = style() + (PAGE / "mark.css").read_text(encoding="utf-8")
        return [
            Route("/", lambda request: _page(self._html("mark.html", messages=_messages()))),
            Route("/start", self._start),
            Route("/students/{number:int}", lambda request: _page(self._shown(self._seat(request)))),
            Route("/reports/{number:int}", self._report),
            Route("/pairs/{number:int}/{other:int}", self._pair),
            Route("/mark.js", lambda request: Response(script, media_type="text/javascript")),
            Route("/mark.css", lambda request: Response(look, media_type="text/css")),
            Route("/decide", _posted(self._decide), methods=["POST"]),
            Route("/undo", _posted(self._undo), methods=["POST"]),
            Route("/ticket", _posted(self._ticket), methods=["POST"]),
        ]

    def _html(self, template: str, **about: Any) -> str:
        found = environment(PAGE)
        found.filters["keys"] = _keys
        return found.get_template(template).render(language=active(), figure=figure, **about)

    def _seat(self, request: Request, name: str = "number") -> Seat:
        return self._desk.seat(request.path_params[name])

    def _start(self, request: Request) -> Response:
        """Give the page what it is about: it came without a word of the class."""
        first = self._desk.seats()[0].number
        title = own_text(self._desk.kept.rubric.title)
        about = {"title": title, "who": self._desk.marks.marker(), "first": first}
        return JSONResponse({**about, **self._state()})

    def _ticket(self, data: Any) -> dict[str, Any]:
        path = str(data["path"])
        if not path.startswith(("/reports/", "/pairs/")):
            raise ValueError("no page for a window of its own")
        return {"ticket": self._tickets.give(path)}

    def _state(self) -> dict[str, Any]:
        """Return what the page shows beside a student: the queue, and how far the class is marked."""
        marked, needing = self._desk.tally()
        queue = self._html("queue.html", seats=self._desk.seats())
        about = {"problem": self._desk.scribe.problem, "queues": self._desk.queues(), "queue": queue}
        return {"marked": marked, "needing": needing, **about}

    def _shown(self, seat: Seat) -> str:
        about = context(self._desk, seat)
        evidence = self._evidence(about["grade"])
        return self._html("student.html", bank=self._desk.bank()[:50], evidence=evidence, **about)

    def _evidence(self, grade: Grade | None) -> Markup:
        """Return what the grader saw, in the language of the grade."""
        if grade is None:
            return Markup()
        with in_language(grade.language):
            items, searches = agenda(grade), search_sentences(grade)
            if not (items or searches or grade.does_not_run):
                return Markup()
            return Markup(self._html("evidence.html", grade=grade, items=items, searches=searches))

    def _report(self, request: Request) -> Response:
        """Show the report on a student, as it is in the folder, with the name as the page has it."""
        seat = self._seat(request)
        grade, source = self._desk.whole(seat).grade, self._desk.source(seat)
        if grade is None or source is None:
            return PlainTextResponse(_("There is no report."), 404)
        return _page(page(grade, source.text, source.name, helpers=source.helpers), _OWN_POLICY)

    def _pair(self, request: Request) -> Response:
        seats = [self._seat(request, name) for name in ("number", "other")]
        pair = {pair.keys[1]: pair for pair in self._desk.alike(seats[0].key)}[seats[1].key]
        row = PairRow(seats[0].name, seats[1].name, pair.shares, rarity(pair), "")
        files = [source.files if (source := self._desk.source(seat)) else () for seat in seats]
        return _page(pair_page(row, files, words_on(pair, self._desk.kept.rubric)), _OWN_POLICY)

    def _decide(self, data: Any) -> dict[str, Any]:
        decision = value_of(Decision, data)
        return self._done(decision.student, lambda: self._decisions.decide(decision))

    def _undo(self, data: Any) -> dict[str, Any]:
        wanted = value_of(Undo, data)
        return self._done(wanted.student, lambda: self._decisions.undo(wanted.operation))

    def _done(self, number: int, change: Callable[[], Operation]) -> dict[str, Any]:
        """Change something; if somebody else has decided meanwhile, say so with what is there now."""
        about: dict[str, Any]
        try:
            done = change()
        except Changed:
            about = {"changed": True}
        else:
            touched = {mark.student for mark in (*done.removed, *done.added)}
            about = {"operation": done.id, "students": len(touched), "left": done.left}
        return {"student": self._shown(self._desk.seat(number)), **self._state(), **about}


def _messages() -> dict[str, Any]:
    """Return the sentences that the page's script needs; none in English."""
    found = messages_in((PAGE / "mark.js").read_text(encoding="utf-8"))
    return {**json.loads(found), ".": figure(".")} if found else {}


def _keys(text: str) -> Markup:
    """Return a sentence as HTML, with what stands between backticks as keys."""
    return Markup(re.sub(r"`([^`]+)`", r"<kbd>\1</kbd>", str(escape(text))))


def _posted(answer: Callable[[Any], dict[str, Any]]) -> Callable[[Request], Awaitable[Response]]:
    """Return an endpoint that takes JSON, and not much of it, and answers with JSON."""

    async def endpoint(request: Request) -> Response:
        raw = b""
        try:
            async for part in request.stream():
                raw += part
                if len(raw) > _MOST_BYTES:
                    return PlainTextResponse(_("That is too much."), 413)
            data = json.loads(raw)
        except ClientDisconnect:
            return PlainTextResponse(_("That did not come whole."), 400)
        except (ValueError, RecursionError):
            return PlainTextResponse(_("That is no JSON."), 400)
        try:
            return JSONResponse(await run_in_threadpool(answer, data))
        except UserError as error:
            return JSONResponse({"wrong": printable_lines(str(error))})
        except (TypeError, ValueError):
            return PlainTextResponse(_("That is no decision."), 400)

    return endpoint


def _page(text: str, policy: str = _POLICY) -> Response:
    return HTMLResponse(text, headers={"Content-Security-Policy": policy})


def _nobody(request: Request, error: Exception) -> Response:
    return PlainTextResponse(_("There is no such student."), 404)


def _wrong(request: Request, error: Exception) -> Response:
    return PlainTextResponse(printable_lines(str(error)), 422)


def application(desk: Desk, secret: str, port: int) -> ASGIApp:
    """Return the application for one desk."""
    tickets = Tickets()
    handlers: Any = {KeyError: _nobody, GraderError: _wrong, OSError: _wrong}
    app = Starlette(routes=MarkingPage(desk, tickets).routes(), exception_handlers=handlers)
    return Guard(app, secret, port, tickets)
