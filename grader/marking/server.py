"""The page for marking, served on this machine only, and only with the key; and the decisions that it sends.

A decision is compared with what is on the disk, written there, and can be undone.
"""

import json
import re
import secrets
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal

from markupsafe import Markup, escape
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from grader.classroom.adjustments import Mark
from grader.classroom.records import source_of
from grader.classroom.similarity import rarity, words_on
from grader.core.errors import GraderError, UserError
from grader.core.grade import Grade
from grader.core.messages import _, active, figure, in_language, own_text
from grader.core.values import Unfit, Value, lines_of, printable, printable_lines, value_of
from grader.marking.desk import Desk, Seat, context, evidence, same, subject
from grader.marking.marks import Changed, revision
from grader.report import pages
from grader.report.pages import PairRow, environment, messages_in, page, pair_page, style

_LONGEST: Final = 5_000
_MOST_UNDONE: Final = 1_000
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
    revision: str = ""
    """Of what it is about, when it was seen."""
    criterion: str | None = None
    points: float | None = None
    delta: float | None = None
    comment: str = ""
    line: int | None = None
    file: str = ""
    request: str = ""
    asked: int | None = None
    """Which of the student's requests is answered."""
    mark: str = ""
    """The comment that is changed, or taken away."""
    remove: bool = False
    everybody: str = ""
    """A named mistake: every student who made it gets the same. With a mark: all who have that comment."""


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
    left: int = 0
    """How many keep what they have, where everybody of a kind was meant."""


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
                decision = replace(decision, request=_asked(decision, seat))
            self._hold(decision, seat)
            old = self._meant(decision, seat)
            new = [] if decision.remove else self._new(decision, seat, old)
            if not decision.mark and decision.revision != desk.revision(seat, _about(decision, new, old)):
                raise Changed
            left = 0
            if decision.everybody and not decision.mark:
                others = [one for one in desk.mistakes().get(decision.everybody, ()) if one.key != seat.key]
                copies = [one for other in others for one in _copied(new, other)]
                left = len(others) - len({one.student for one in copies})
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
            now = {one.id: one for one in self._desk.marks.all()}
            added, back = {one.id for one in done.added}, {one.id for one in done.removed}
            if any(now.get(one.id) != one for one in done.added) or (back - added) & now.keys():
                raise Changed
            return self._write(done.added, list(done.removed))

    def _write(self, old: Sequence[Mark], new: Sequence[Mark], left: int = 0) -> Operation:
        self._desk.change([one.id for one in old], new)
        done = Operation(secrets.token_hex(8), tuple(old), tuple(new), left)
        self._done[done.id] = done
        while len(self._done) > _MOST_UNDONE:
            self._done.pop(next(iter(self._done)))
        return done

    def _hold(self, decision: Decision, seat: Seat) -> None:
        """Raise UserError for what cannot be meant."""
        rubric = self._desk.kept.rubric
        criterion = rubric.criterion(decision.criterion) if decision.criterion else None
        if decision.criterion and criterion is None:
            raise UserError(rubric.unknown(decision.criterion))
        most = criterion.points if criterion else sum(one.points for one in rubric.all_criteria())
        if decision.points is not None and not 0 <= decision.points <= most:
            if criterion is None:
                raise UserError(_("the total takes 0 to {most:g} points", most=most))
            told = _("{criterion} takes 0 to {most:g} points", criterion=criterion.id, most=most)
            raise UserError(told)
        if decision.delta is not None and not -_MOST_CHANGED <= decision.delta <= _MOST_CHANGED:
            raise UserError(_("a change is at most {most:,} points", most=_MOST_CHANGED))
        if not decision.by.strip():
            raise UserError(_("say who you are, above: the student reads who decided"))
        if max(len(decision.comment), len(decision.request)) > _LONGEST:
            raise UserError(_("a text has at most {most:,} characters", most=_LONGEST))
        if len(decision.by) > _LONGEST_NAME:
            raise UserError(_("a name has at most {most:,} characters", most=_LONGEST_NAME))
        if decision.everybody and not decision.mark and decision.everybody not in self._desk.mistakes():
            raise UserError(_("nobody has made that mistake any more"))
        if decision.points is None and decision.kind == "points" and not decision.remove:
            raise UserError(_("how many points?"))
        if decision.kind in ("comment", "answer") and not decision.comment.strip() and not decision.remove:
            raise UserError(_("there is nothing in the comment"))
        if decision.line is not None and not 1 <= decision.line <= self._lines(decision, seat):
            raise UserError(_("there is no line {line}", line=decision.line))

    def _lines(self, decision: Decision, seat: Seat) -> int:
        source = source_of(self._desk.out, seat.key)
        texts = {"": source.text, **dict(source.helpers)} if source else {}
        return len(lines_of(texts.get(decision.file, "")))

    def _meant(self, decision: Decision, seat: Seat) -> list[Mark]:
        """Return the marks in whose place the decision comes."""
        own = [one for one in seat.own if isinstance(one, Mark)]
        if decision.mark:
            found = [one for one in own if (one.id, revision(one)) == (decision.mark, decision.revision)]
            if not found:
                raise Changed
            if decision.everybody:
                return [one for one in self._desk.marks.all() if same(one) == same(found[0])]
            return found
        return [one for one in own if _replaces(decision, one)]

    def _new(self, decision: Decision, seat: Seat, old: Sequence[Mark]) -> list[Mark]:
        told: dict[str, Any] = {
            "by": printable(decision.by.strip()),
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "comment": printable_lines(decision.comment.strip()),
        }
        if decision.mark:
            return [replace(one, **told, criterion=decision.criterion, delta=decision.delta) for one in old]
        if decision.kind == "points":
            told |= {"criterion": decision.criterion, "points": decision.points}
        elif decision.kind == "comment":
            told |= {
                "criterion": decision.criterion,
                "delta": decision.delta,
                "line": decision.line,
                "file": decision.file,
            }
        elif decision.kind == "late":
            told |= {"late": "excused"}
        elif decision.kind == "seen":
            told |= {"seen": True}
        else:
            told |= {"request": printable_lines(decision.request.strip())}
        return [Mark(student=seat.key, id=secrets.token_hex(8), **told)]


def _asked(decision: Decision, seat: Seat) -> str:
    """Return the request that is answered."""
    if decision.asked is None or not 0 <= decision.asked < len(seat.requests):
        raise UserError(_("there is no such request"))
    return seat.requests[decision.asked].text


def _about(decision: Decision, new: Sequence[Mark], old: Sequence[Mark]) -> str:
    """Return what a decision is about; one that takes something away tells it by what is there."""
    known = next(iter((*new, *old)), None)
    if known:
        return subject(known)
    return {"points": decision.criterion or "total"}.get(decision.kind, decision.kind)


def _replaces(decision: Decision, one: Mark) -> bool:
    """Return whether a decision comes in the place of a mark."""
    match decision.kind:
        case "points":
            return one.points is not None and one.criterion == decision.criterion
        case "late":
            return one.late is not None
        case "seen":
            return one.seen
        case "answer" | "request":
            return one.request == decision.request
    return False


def _copied(new: Iterable[Mark], other: Seat) -> Iterator[Mark]:
    """Yield marks for another student, without a line; what that one has already stays."""
    own = [one for one in other.own if isinstance(one, Mark)]
    for one in new:
        has = [mark for mark in own if mark.points is not None and mark.criterion == one.criterion]
        if not (has if one.points is not None else any(same(mark) == same(one) for mark in own)):
            yield replace(one, line=None, file="", student=other.key, id=secrets.token_hex(8))


PAGE: Final = Path(__file__).parent / "page"
_SENTENCES: Final = Path(pages.__file__).parent / "page" / "messages.js"
"""What a script takes its sentences from."""
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_OWN_POLICY: Final = "frame-ancestors 'none'; connect-src 'none'; form-action 'none'; base-uri 'none'"
"""For pages that bring a stricter policy with them, which names what is inside."""

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
_OPEN: Final = ("/", "/mark.js", "/mark.css")
"""What holds nothing of the class, and is given to everybody on this machine."""

_KEY: Final = "x-marking-key"


class Tickets:
    """Let a window of its own open one page, once: a link cannot carry the key, and an address is kept."""

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
    no cookie, for these go to every server of this machine.
    """

    def __init__(self, app: ASGIApp, secret: str, port: int, tickets: Tickets) -> None:
        self._app, self._secret, self._tickets = app, secret, tickets
        self._language = active().code
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or say why not, in the language in which the server was started."""
        if scope["type"] != "http":
            return  # no socket of another kind is opened here
        request = Request(scope, receive)
        with in_language(self._language):
            if refused := self._refused(request):
                await PlainTextResponse(refused, 403, _HEADERS)(scope, receive, send)
            else:
                await self._app(scope, receive, send)

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
        return [
            Route("/", _told(lambda request: _page(self._html("mark.html", messages=_messages())))),
            Route("/start", _told(self._start)),
            Route("/students/{number:int}", _told(self._student)),
            Route("/reports/{number:int}", _told(self._report)),
            Route("/pairs/{number:int}/{other:int}", _told(self._pair)),
            Route(
                "/mark.js",
                _told(
                    lambda request: _file(
                        "mark.js", "text/javascript", _SENTENCES.read_text(encoding="utf-8")
                    )
                ),
            ),
            Route("/mark.css", _told(lambda request: _file("mark.css", "text/css", style()))),
            Route("/decide", _posted(self._decide), methods=["POST"]),
            Route("/undo", _posted(self._undo), methods=["POST"]),
            Route("/ticket", _posted(self._ticket), methods=["POST"]),
        ]

    def _html(self, template: str, **about: Any) -> str:
        found = environment(PAGE)
        found.filters["keys"] = _keys
        return found.get_template(template).render(language=active(), figure=figure, **about)

    def _start(self, request: Request) -> Response:
        """Tell the page what it is about: it came without a word of the class."""
        first = self._desk.seats()[0].number
        title = own_text(self._desk.kept.rubric.title)
        about = {"title": title, "who": self._desk.marks.marker(), "first": first}
        return JSONResponse({**about, **self._counted(), "queue": self._listed()}, headers=_HEADERS)

    def _ticket(self, data: Any) -> Response:
        path = str(data["path"])
        if not path.startswith(("/reports/", "/pairs/")):
            raise ValueError("no page for a window of its own")
        return JSONResponse({"ticket": self._tickets.give(path)}, headers=_HEADERS)

    def _counted(self) -> dict[str, Any]:
        marked, needing = self._desk.tally()
        problem, queues = self._desk.scribe.problem, self._desk.queues()
        return {"marked": marked, "needing": needing, "problem": problem, "queues": queues}

    def _listed(self) -> str:
        return self._html("queue.html", seats=self._desk.seats())

    def _shown(self, seat: Seat) -> str:
        about = context(self._desk, seat)
        return self._html(
            "student.html", bank=self._desk.bank()[:50], evidence=self._seen(about["grade"]), **about
        )

    def _seen(self, grade: Grade | None) -> Markup:
        """Return what the grader saw, in the language of the grade."""
        if grade is None:
            return Markup()
        with in_language(grade.language):
            about = evidence(grade)
            is_any = about["items"] or about["searches"] or grade.does_not_run
            return Markup(self._html("evidence.html", **about) if is_any else "")

    def _student(self, request: Request) -> Response:
        return _page(self._shown(self._desk.seat(request.path_params["number"])))

    def _report(self, request: Request) -> Response:
        """Show the report on a student, as it is in the folder, with the name as the page has it."""
        seat = self._desk.seat(request.path_params["number"])
        grade, source = self._desk.whole(seat).grade, self._desk.source(seat)
        if grade is None or source is None:
            return PlainTextResponse(_("There is no report."), 404, _HEADERS)
        return _page(page(grade, source.text, source.name, helpers=source.helpers), _OWN_POLICY)

    def _pair(self, request: Request) -> Response:
        seats = [self._desk.seat(request.path_params[name]) for name in ("number", "other")]
        pair = {one.keys[1]: one for one in self._desk.alike(seats[0].key)}[seats[1].key]
        row = PairRow(seats[0].name, seats[1].name, pair.shares, rarity(pair), "")
        files = [source.files if (source := self._desk.source(seat)) else () for seat in seats]
        return _page(pair_page(row, files, words_on(pair, self._desk.kept.rubric)), _OWN_POLICY)

    def _decide(self, data: Any) -> Response:
        decision = value_of(Decision, data)
        return self._done(decision.student, lambda: self._decisions.decide(decision))

    def _undo(self, data: Any) -> Response:
        wanted = value_of(Undo, data)
        return self._done(wanted.student, lambda: self._decisions.undo(wanted.operation))

    def _done(self, number: int, change: Callable[[], Operation]) -> Response:
        """Change something; if somebody else has decided meanwhile, say so with what is there now."""
        try:
            done = change()
        except Changed:
            return self._answer(number, changed=True)
        touched = {one.student for one in (*done.removed, *done.added)}
        return self._answer(number, operation=done.id, students=len(touched), left=done.left)

    def _answer(self, number: int, **told: Any) -> Response:
        student, counted = self._shown(self._desk.seat(number)), self._counted()
        return JSONResponse(
            {"student": student, **counted, **told, "queue": self._listed()}, headers=_HEADERS
        )


def _messages() -> dict[str, Any]:
    """Return the sentences that the page's script needs; none in English."""
    found = messages_in((PAGE / "mark.js").read_text(encoding="utf-8"))
    return {**json.loads(found), ".": figure(".")} if found else {}


def _keys(text: str) -> Markup:
    """Return a sentence as HTML, with what stands between backticks as keys."""
    return Markup(re.sub(r"`([^`]+)`", r"<kbd>\1</kbd>", str(escape(text))))


def _told(answer: Callable[[Request], Response]) -> Callable[[Request], Response]:
    """Return an endpoint: what is not there, and what a user did wrong, is said in a sentence."""

    def endpoint(request: Request) -> Response:
        try:
            return answer(request)
        except KeyError:
            return PlainTextResponse(_("There is no such student."), 404, _HEADERS)
        except (GraderError, OSError) as error:
            return PlainTextResponse(printable_lines(str(error)), 422, _HEADERS)

    return endpoint


def _posted(answer: Callable[[Any], Response]) -> Callable[[Request], Awaitable[Response]]:
    """Return an endpoint that takes JSON, and not much of it."""

    async def endpoint(request: Request) -> Response:
        raw = b""
        try:
            async for part in request.stream():
                raw += part
                if len(raw) > _MOST_BYTES:
                    return PlainTextResponse(_("That is too much."), 413, _HEADERS)
        except ClientDisconnect:  # nobody is there any more to be told
            return PlainTextResponse(_("That did not come whole."), 400, _HEADERS)
        try:
            data = json.loads(raw)
        except (ValueError, RecursionError):
            return PlainTextResponse(_("That is no JSON."), 400, _HEADERS)

        def answered(request: Request) -> Response:
            try:
                return answer(data)
            except (Unfit, TypeError, ValueError):
                return PlainTextResponse(_("That is no decision."), 400, _HEADERS)
            except UserError as error:
                return JSONResponse({"wrong": printable_lines(str(error))}, headers=_HEADERS)

        return await run_in_threadpool(_told(answered), request)

    return endpoint


def _page(text: str, policy: str = _POLICY) -> Response:
    return HTMLResponse(text, headers={"Content-Security-Policy": policy, **_HEADERS})


def _file(name: str, kind: str, before: str = "") -> Response:
    text = before + (PAGE / name).read_text(encoding="utf-8")
    return Response(text, headers=_HEADERS, media_type=kind)


def application(desk: Desk, secret: str, port: int) -> ASGIApp:
    """Return the application for one desk."""
    tickets = Tickets()
    return Guard(Starlette(routes=MarkingPage(desk, tickets).routes()), secret, port, tickets)
