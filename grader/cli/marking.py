"""The command's job of marking: serve the page until Ctrl-C, and leave everything written."""

import os
import secrets
import socket
import sys
import webbrowser
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from grader.core.errors import GRADED, UserError
from grader.sandbox import private


def run(out: Path, *, anonymous: bool) -> int:
    """Serve the page for marking a class; return the exit code when somebody ends it."""
    if not (find_spec("starlette") and find_spec("uvicorn")):
        raise UserError(
            "marking needs Starlette and uvicorn: "
            "pip install 'tictactoe-grader[mark]' (-e '.[mark]' in a checkout)"
        )
    import uvicorn

    from grader.cli.classes import ended_politely
    from grader.marking.desk import Desk
    from grader.marking.serve import application

    desk = Desk(out, anonymous=anonymous)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port, secret = listening.getsockname()[1], secrets.token_urlsafe(32)
        address = f"http://127.0.0.1:{port}/#key={secret}"
        marked, needing = desk.tally()
        print(f"Marking {out}: {marked} of {needing} marked. This machine only; Ctrl-C ends it.\n{address}")
        sys.stdout.flush()
        app = application(desk, secret, port)
        config = uvicorn.Config(app, log_level="error", access_log=False, server_header=False, lifespan="off")
        place = _shown(address)
        try:
            with ended_politely(), suppress(KeyboardInterrupt):  # which is how it is meant to end
                uvicorn.Server(config).run([listening])
        finally:
            desk.end()
            if place:
                private.remove(place)
    marked, needing = desk.tally()
    print(f"{marked} of {needing} marked. Everything in {out}/ is up to date.")
    return GRADED


def _shown(address: str) -> Path | None:
    """Open the page in a browser, if somebody is there to look at it.

    The browser is given a file that only this user can read: everybody here can read a command line.
    """
    graphical = sys.platform == "darwin" or "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ
    if not graphical or not sys.stdout.isatty():
        return None
    place = private.new_folder()
    file = place / "marking.html"
    file.write_text(f'<meta http-equiv="refresh" content="0; url={address}">', encoding="utf-8")
    webbrowser.open(file.as_uri())
    return place
