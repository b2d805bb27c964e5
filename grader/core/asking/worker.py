"""A worker: the process in which one submission is loaded, started anew whenever it was lost."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Final

from grader.core.asking import decode, rules
from grader.core.asking.allowance import Allowance
from grader.core.asking.carrier import Carrier, Opens, Packages, WorkerLost, breach
from grader.core.asking.outline import Outline, outline_of
from grader.core.asking.reply import Loss, NotLoaded, Raised, Reply, replies_of
from grader.core.course.rubric import Limits
from grader.core.course.submission import Submission, own_paths
from grader.core.errors import GraderFault
from grader.core.messages import _, later
from grader.core.text import printable
from grader.worker.wire import MAX_REPLY

_MAX_OUTLINE: Final = 200_000
_OUTLINE_DEADLINE: Final = 10.0
"""Seconds in which a source is parsed: the grader's own work, whatever a call of the submission may take."""

LoadArguments = tuple[bytes, str, dict[str, object]]


_READS_KEYBOARD: Final = later(
    "The file asks for input while it is imported (line {line}), and nobody is there to type. "
    'Call `input` inside a function, or below `if __name__ == "__main__":`.'
)
_CANNOT_BE_LOADED: Final = later("The file cannot be loaded: {raised}.")


class Worker:
    """Loads a submission into a process when it is needed, and again after a loss.

    The functions in `replace` are the grader's own then.
    """

    def __init__(
        self,
        submission: Submission,
        limits: Limits,
        opens: Opens,
        packages: Packages,
        allowance: Allowance,
        *,
        replace: Sequence[str] = (),
    ) -> None:
        self.submission, self.limits, self.opens = submission, limits, opens
        self.packages, self.allowance, self._replace = packages, allowance, tuple(replace)
        self.load_seconds = 0.0
        self.output = b""
        self._process: Carrier | None = None
        self._spent = 0.0
        self._loading: tuple[str, float] | None = None
        self._loaded = self._was_loaded = False
        self._failure = NotLoaded(submission.problem) if submission.problem else None
        self._outlining: str | None = None
        self._outline: Outline | None = None
        self.layers: dict[str, str] = {}
        self.tried: dict[tuple[str, int], None] = {}
        self.absent: dict[tuple[str, int], None] = {}

    def close(self) -> None:
        """End the process, if there is one."""
        if self._process:
            self.output = self.output or bytes(self._process.output)
            self._process.kill()
            self._spent += self._process.spent
            self._process = None
        self._outlining = self._loading = None
        self._loaded = False

    @property
    def spent(self) -> float:
        """The seconds that this worker's processes have taken."""
        return self._spent + (self._process.spent if self._process else 0.0)

    def refuse(self, why: str, line: int = 0) -> None:
        """Do not run the submission at all."""
        self.close()
        self._failure = NotLoaded(why, line=line)

    def take_outline(self, outline: Outline) -> None:
        """Know the outline from another worker of the same source."""
        self._outline = outline

    def begin_outline(self) -> str:
        """Let the process parse the source, and wait for nothing; return the token of the reply."""
        if self._outlining is None:
            source, helpers = self.submission.source, self._helpers()
            self._outlining = self._started().post("outline", source, helpers, self._memory_mb)
        return self._outlining

    def outline(self) -> Outline:
        """Return what the source defines and imports; it is parsed in the process, and not run."""
        if self._outline is None and self.submission.problem:
            self._outline = Outline(error=self.submission.problem)
        if self._outline is None:
            try:
                token = self.begin_outline()
                most = _MAX_OUTLINE * (1 + len(self.submission.helpers))
                replies = self._started().replies(token, _OUTLINE_DEADLINE, most)
                self._outline = outline_of(decode.data_of(next(replies)[0]), self.submission.path.stem)
            except WorkerLost as lost:  # then nobody knows what it would run
                self.close()
                why = _("Python cannot read it: {why}", why=lost.detail)
                self._outline, self._failure = Outline(error=why), NotLoaded(f"{why}.", lost.loss)
        return self._outline

    def looks_runnable(self) -> bool:
        """Return whether nothing is known yet that keeps the submission from running."""
        return self._failure is None and self.outline().error is None

    def failure(self) -> NotLoaded | None:
        """Return why the submission cannot be run, or None when it is loaded: it is, if need be."""
        if not self._loaded and not self._failure:
            if self._was_loaded and self.allowance.used_up:  # it can be run, but is not once more
                return None
            self.outline()  # while the process can still be relied on
            if self._failure:
                return self._failure
            try:
                self._failure = self._load()
            except (WorkerLost, ValueError) as error:
                self.close()
                loss = error.loss if isinstance(error, WorkerLost) else Loss.BREACH
                self._failure = NotLoaded(_(_CANNOT_BE_LOADED, raised=error), loss)
            self._loaded = self._was_loaded = self._failure is None
        return self._failure

    def begin(self) -> None:
        """Let the process load the submission, if it can be run; nobody waits for it yet."""
        if self.looks_runnable() and not self._loaded:
            self._send_load()

    def _send_load(self) -> tuple[str, float]:
        """Send the request to load, once; return its token, and what the process had taken before."""
        if self._loading is None:
            process = self._started()
            self._loading = process.load(*self.load_arguments()), process.spent
        return self._loading

    def _load(self) -> NotLoaded | None:
        token, before = self._send_load()
        process, self._loading = self._started(), None
        replies = process.replies(token, self.limits.load)
        self.layers, beforehand = prepared(next(replies)[0])
        answer = next(replies)[0]
        self.load_seconds = max(self.load_seconds, process.spent - before - beforehand)
        match decode.data_of(answer):
            case ["loaded", list() as notes]:
                self.note(notes)
                return None
            case ["raised", str(error), str(message), int(line), int(syntax_line), list() as notes]:
                self.note(notes)
                raised = Raised(printable(error), printable(message), syntax_line or line)
                sentence = _READS_KEYBOARD if raised.error == "EOFError" else _CANNOT_BE_LOADED
                why = _(sentence, raised=raised, line=raised.line)
                return NotLoaded(why, raised=True, line=raised.line)
        raise ValueError(_("its worker sent something that is no answer"))

    def note(self, notes: list[Any]) -> None:
        """Keep what the hook in a process has noted."""
        try:
            for known, told in zip((self.tried, self.absent), decode.value_of(notes), strict=True):
                for what, line in told:
                    known.setdefault((printable(str(what)), int(line)))
        except (TypeError, ValueError):
            raise breach() from None

    def load_arguments(self, *, recall: bool = False, replace: Sequence[str] = ()) -> LoadArguments:
        """Return what a process needs to load the submission, or a copy with other functions replaced."""
        own, replaced = own_paths(self.submission), (*self._replace, *replace)
        outline = self.outline() if replaced else self._outline  # known already wherever a grade is made
        stand_ins = outline.stand_ins if outline else {}
        imported = {module.partition(".")[0] for _, module, _ in self.outline().imports}
        settings: dict[str, object] = {
            "readable": [str(path) for path in own],
            "helpers": self._helpers(),
            "packages": list(self.packages.readable),
            "places": [(one.module, one.file, list(one.folders)) for one in self.packages.places],
            "at_once": [one.module for one in self.packages.places if one.module in imported],
            "memory_mb": self._memory_mb,
            "cpu_seconds": int(self.limits.total + self.limits.load) + 1,
            "recall": recall,
            "replace": {name: rules.sent(name) for name in replaced}
            | {helper: rules.sent(name) for helper, name in stand_ins.items() if name in replaced},
            "stand_ins": stand_ins,
        }
        return self.submission.source, self.submission.path.name, settings

    def _helpers(self) -> dict[str, bytes]:
        return {one.name: one.content for one in self.submission.helpers}

    def post(self, operation: str, *arguments: object) -> str:
        """Send a request to the loaded submission; return the token of its replies."""
        assert self._loaded and self._process
        return self._process.post(operation, *arguments)

    def replies(self, token: str, deadline: float, max_reply: int = MAX_REPLY) -> Iterator[list[bytes]]:
        """Yield the payloads of the replies to a request; raise WorkerLost when no more will come."""
        assert self._process
        try:
            yield from self._process.replies(token, deadline, max_reply)
        except (GeneratorExit, WorkerLost):
            raise
        except BaseException:  # an alarm or Ctrl-C: a late reply must not be read as that of the next request
            self.close()
            raise

    @property
    def peak_mb(self) -> int:
        """The address space that its process has taken at most, in MB."""
        return self._started().peak_mb

    @property
    def _memory_mb(self) -> int:
        """What the process may take: the submission's own, and what the packages take before it."""
        return self.limits.memory_mb + self.packages.memory_mb

    def _started(self) -> Carrier:
        if self._process is None:
            self._process = self.opens(self.allowance)
        return self._process


def prepared(payload: bytes) -> tuple[dict[str, str], float]:
    """Return the layers of a process in which nothing of the submission has run yet, by its first reply.

    Then the seconds that it took to import packages for it.
    """
    match decode.data_of(payload):
        case ["prepared", list() as layers, int(microseconds)]:
            return dict(decode.value_of(layers)), microseconds / 1e6
        case ["broken", str(error), str(message), int()]:
            raise GraderFault(f"the worker could not be made ready: {error}: {message}")
    raise GraderFault("the worker could not be made ready")


def replies_in(payloads: Sequence[bytes]) -> list[Reply]:
    """Return the replies in payloads; raise WorkerLost for what no worker would have written."""
    try:
        return replies_of(payloads)
    except ValueError:
        raise breach() from None


def seconds_in(payload: bytes) -> float:
    """Return how long the calls of a request ran inside the submission, from its last reply."""
    with suppress(ValueError):
        match decode.data_of(payload):
            case ["done", int(microseconds), list()]:
                return microseconds / 1e6
    raise breach()
