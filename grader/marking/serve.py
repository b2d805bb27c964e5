"""The page for marking, served on this machine only, and only to who has the key."""

import json
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from grader.classroom.similarity import rarity, words_on
from grader.core.errors import GraderError, UserError
from grader.core.plain import Unfit, value_of
from grader.core.text import printable_lines
from grader.marking.deciding import Decisions, Operation, Undo, Wish
from grader.marking.desk import Desk, Seat, context
from grader.marking.marks import Changed
from grader.report.class_page import PairRow, pair_page
from grader.report.pages import environment, page, style

PAGE: Final = Path(__file__).parent / "page"
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
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or say why not."""
        if scope["type"] != "http":
            return  # no socket of another kind is opened here
        request = Request(scope, receive)
        if refused := self._refused(request):
            await PlainTextResponse(refused, 403, _HEADERS)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _refused(self, request: Request) -> str:
        """Return why a request is not answered; nothing if it is."""
        host, origin = request.headers.get("host", ""), request.headers.get("origin")
        if host not in self._hosts:
            return "This page is for this machine alone."
        if origin != f"http://{host}" and (origin is not None or request.method not in ("GET", "HEAD")):
            return "This page answers no other page."
        site = request.headers.get("sec-fetch-site", "none")
        path, reads = request.url.path, request.method == "GET"
        if len(path) > _LONGEST_PATH:
            return "There is no such page."
        if path != "/" and site not in ("same-origin", "none"):
            return "This page answers no other page."
        if reads and (path in _OPEN or self._tickets.take(request.query_params.get("ticket", ""), path)):
            return ""
        given = request.headers.get(_KEY, "")
        if not secrets.compare_digest(given.encode(), self._secret.encode()):
            return "Open the address that was printed, all of it."
        return ""


class Page:
    """Answers what the page asks for."""

    def __init__(self, desk: Desk, tickets: Tickets) -> None:
        self._desk, self._tickets = desk, tickets
        self._decisions = Decisions(desk)

    def routes(self) -> list[Route]:
        """Return what can be asked for."""
        return [
            Route("/", _told(lambda request: _page(self._html("mark.html")))),
            Route("/start", _told(self._start)),
            Route("/students/{number:int}", _told(self._student)),
            Route("/reports/{number:int}", _told(self._report)),
            Route("/pairs/{number:int}/{other:int}", _told(self._pair)),
            Route("/mark.js", _told(lambda request: _file("mark.js", "text/javascript"))),
            Route("/mark.css", _told(lambda request: _file("mark.css", "text/css", style()))),
            Route("/decide", _posted(self._decide), methods=["POST"]),
            Route("/undo", _posted(self._undo), methods=["POST"]),
            Route("/ticket", _posted(self._ticket), methods=["POST"]),
        ]

    def _html(self, template: str, **about: Any) -> str:
        return environment(PAGE).get_template(template).render(**about)

    def _start(self, request: Request) -> Response:
        """Tell the page what it is about: it came without a word of the class."""
        first = self._desk.seats()[0].number
        about = {"title": self._desk.kept.rubric.title, "who": self._desk.marks.marker(), "first": first}
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
        return self._html("student.html", bank=self._desk.bank()[:50], **context(self._desk, seat))

    def _student(self, request: Request) -> Response:
        return _page(self._shown(self._desk.seat(request.path_params["number"])))

    def _report(self, request: Request) -> Response:
        """Show the report on a student, as it is in the folder, with the name as the page has it."""
        seat = self._desk.seat(request.path_params["number"])
        grade, source = self._desk.whole(seat).grade, self._desk.source(seat)
        if grade is None or source is None:
            return PlainTextResponse("There is no report.", 404, _HEADERS)
        return _page(page(grade, source.text, source.name, helpers=source.helpers), _OWN_POLICY)

    def _pair(self, request: Request) -> Response:
        seats = [self._desk.seat(request.path_params[name]) for name in ("number", "other")]
        pair = {one.keys[1]: one for one in self._desk.alike(seats[0].key)}[seats[1].key]
        row = PairRow(seats[0].name, seats[1].name, pair.shares, rarity(pair), "")
        files = [source.files if (source := self._desk.source(seat)) else () for seat in seats]
        return _page(pair_page(row, files, words_on(pair, self._desk.kept.rubric)), _OWN_POLICY)

    def _decide(self, data: Any) -> Response:
        wish = value_of(Wish, data)
        return self._done(wish.student, lambda: self._decisions.decide(wish))

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


def _told(answer: Callable[[Request], Response]) -> Callable[[Request], Response]:
    """Return an endpoint: what is not there, and what a user did wrong, is said in a sentence."""

    def endpoint(request: Request) -> Response:
        try:
            return answer(request)
        except KeyError:
            return PlainTextResponse("There is no such student.", 404, _HEADERS)
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
                    return PlainTextResponse("That is too much.", 413, _HEADERS)
        except ClientDisconnect:  # nobody is there any more to be told
            return PlainTextResponse("That did not come whole.", 400, _HEADERS)
        try:
            data = json.loads(raw)
        except (ValueError, RecursionError):
            return PlainTextResponse("That is no JSON.", 400, _HEADERS)

        def answered(request: Request) -> Response:
            try:
                return answer(data)
            except (Unfit, TypeError, ValueError):
                return PlainTextResponse("That is no decision.", 400, _HEADERS)
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
    return Guard(Starlette(routes=Page(desk, tickets).routes()), secret, port, tickets)
