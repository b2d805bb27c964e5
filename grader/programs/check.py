"""Checks of a terminal program: every reply against the solved game; and what its source says to a person."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

from grader.core.checks.outcome import Outcome, failed, not_seen, passed
from grader.core.checks.play import line_of
from grader.core.checks.reasons import because
from grader.core.course.course import ProgramQuestion as Question
from grader.core.course.submission import Folder, Handed
from grader.core.game import oracle
from grader.core.game.board import Action, Board, O, X, marks, rows, side_to_move, winner
from grader.core.game.oracle import move_between, packed
from grader.core.grade import Deduction, DoesNotRun, Status, Unrun
from grader.core.grading import Found, Subject, deductions_of, faults_of_hand_in, not_confined, style_notes
from grader.core.judging import Judging
from grader.core.messages import _, later, ngettext
from grader.core.values import lines_of
from grader.programs import results
from grader.programs.announcements import USER
from grader.programs.built import Built
from grader.programs.program import Program, losing_path, lost_game
from grader.programs.recipes import SUFFIXES
from grader.programs.seen import can_err
from grader.programs.series import WORDS, Finished, Input, Response, Series
from grader.programs.squares import AS_ASSIGNED

_WIDE: Final = 100
_LONG: Final = 40
_MOST_LOOKS: Final = 5
_COMMENTS: Final = ("#", "//", "/*", "*", '"""', "'''")
_USUAL: Final = set("ijkxymnrcbs_")
"""Usual names of one letter in this game: counters, cells, the board."""

_BEFORE: Final = re.compile(r"[A-Za-z_][\w:<>\[\],*&\s]*+")
"""What stands before the brackets of a function: its name after some words."""

_RECEIVER: Final = re.compile(r"func\s++\(\w++\s++\*?\w++\)(?=\s)")
_NAME: Final = re.compile(r"[A-Za-z_]\w*+")
_SUSPICIOUS: Final = re.compile(
    r"^\s*+(?:import|from|#\s*include|use|const|var|let)\b[^\n]{0,80}?\b(ctypes|fcntl|marshal|mmap|multiprocessing|pickle|pty"
    r"|ptrace|signal|socket|subprocess|child_process|ProcessBuilder)\b"
)
"""What a game in a terminal has little use for; it decides nothing."""

_NOT_HEADS: Final = {"if", "for", "while", "switch", "else", "catch", "return", "match", "elif", "with", "do"}
_NAMES: Final = re.compile(
    r"\b(?:int|char|bool|boolean|auto|let|var|const|String|string|float|double)\s++(?:mut\s++)?([A-Za-z])\b\s*+[=;,)]"
    r"|^[ \t]*+([A-Za-z])[ \t]*+(?::=|=)(?!=)", re.M,
)  # fmt: skip


@dataclass(frozen=True)
class _Function:
    name: str
    file: str
    line: int
    length: int


def notes_on(folder: Folder) -> list[str]:
    """Return notes for the instructor: suspicious imports, and sizes, comments and names in the sources."""
    files = [file for file in folder if file.name.lower().endswith(SUFFIXES)]
    texts = {file.name: lines_of(_text(file)) for file in files}
    written = [line for lines in texts.values() for line in lines if line.strip()]
    if not written:
        return []
    comments = sum(line.strip().startswith(_COMMENTS) for line in written)
    functions = [function for name, lines in texts.items() for function in _functions(name, lines)]
    wide = sum(len(line) > _WIDE for line in written)
    words = [
        _(
            "{lines} in {files}",
            lines=ngettext("{count} line", "{count} lines", len(written)),
            files=ngettext("{count} file", "{count} files", len(files)),
        ),
        _("{share} % of them comments", share=100 * comments // len(written)),
        ngettext("{count} function", "{count} functions", len(functions)),
    ]
    if functions:
        longest = max(functions, key=lambda function: function.length)
        words.append(
            ngettext(
                "the longest `{name}` ({place}) with {count} lines",
                "the longest `{name}` ({place}) with {count} lines",
                longest.length,
                name=longest.name,
                place=f"{longest.file}:{longest.line}",
            )
        )
        long = sum(function.length > _LONG for function in functions)
        words.append(ngettext("{count} of more than {most}", "{count} of more than {most}", long, most=_LONG))
    words.append(
        ngettext("{count} line wider than {most}", "{count} lines wider than {most}", wide, most=_WIDE)
    )
    short = sorted({name for file in files for name in _short_names(_text(file))})
    figures = ", ".join(words)
    if short:
        names = ", ".join(short)
        figures = _("{figures}; names of one letter: {names}", figures=figures, names=names)
    design = _("For the person who judges its design: {figures}.", figures=figures)
    return [*_worth_a_look(texts), design]


def _worth_a_look(texts: Mapping[str, Sequence[str]]) -> list[str]:
    """Return what a person should look at, a few of them: each has an innocent use."""
    found = [
        _("Worth a look: the program uses {what} ({place}).", what=match[1], place=f"{name}:{number}")
        for name, lines in texts.items()
        for number, line in enumerate(lines, 1)
        if (match := _SUSPICIOUS.match(line))
    ]
    return found[:_MOST_LOOKS]


def _functions(name: str, lines: Sequence[str]) -> Iterator[_Function]:
    """Yield the functions of a file: from a head to where its braces, or its indentation, end."""
    ends = (_indented if name.endswith(".py") else _braced)(lines)
    for number, line in enumerate(lines):
        if head := _head(line):
            yield _Function(head, name, number + 1, ends[number] - number)


def _head(line: str) -> str:
    """Return the name of the function that begins in a line, or nothing."""
    text = line.strip()
    before, bracket, after = _RECEIVER.sub("func", text, count=1).partition("(")
    words = before.split()
    if not text.endswith(("{", ":")) or not bracket or ";" in after or len(words) < 2:
        return ""
    is_head = (
        _BEFORE.fullmatch(before) and _NAME.fullmatch(words[-1]) and not _NOT_HEADS & {words[0], words[-1]}
    )
    return words[-1] if is_head else ""


def _indented(lines: Sequence[str]) -> list[int]:
    """Return for each line where the lines end that are indented below it."""
    ends, still_open, last = [number + 1 for number in range(len(lines))], list[tuple[int, int]](), 0
    for number, line in enumerate(lines):
        if line.strip():
            depth = len(line) - len(line.lstrip())
            while still_open and still_open[-1][1] >= depth:
                ends[still_open.pop()[0]] = last
            still_open.append((number, depth))
            last = number + 1
    for number, _depth in still_open:
        ends[number] = last
    return ends


def _braced(lines: Sequence[str]) -> list[int]:
    """Return for each line where the braces that it opens are closed again."""
    ends, still_open, depth = [len(lines)] * len(lines), list[tuple[int, int]](), 0
    for number, line in enumerate(lines):
        still_open.append((number, depth))
        depth += line.count("{") - line.count("}")
        while still_open and still_open[-1][1] >= depth:
            ends[still_open.pop()[0]] = number + 1
    return ends


def _short_names(text: str) -> set[str]:
    found = {first or second for first, second in _NAMES.findall(text)}
    return {name for name in found if name.lower() not in _USUAL}


def _text(file: Handed) -> str:
    return file.content.decode("utf-8", "replace")


_Reply = tuple[Board, Action]


def check_program(question: Question, program: Program) -> Outcome:
    """Judge a program by its games."""
    if program.discover():
        return Outcome(Status.CRASHED, because("does-not-run", why=program.discover()), hinted=False)
    outcome = _CHECKS[question.must](question, program)
    if outcome.status is Status.SKIPPED and program.is_out_of_time and program.is_slow:
        return not_seen(because("games-took-too-long", seconds=round(program.seconds)))
    return outcome


def _play(question: Question, program: Program) -> Outcome:
    series = program.play()
    if series.faults:
        return results.faulty(series.faults[0])
    return results.without_games(series) or passed(
        because("games-played", games=results.games_in_words(len(series.games)), typed=results.typed(series))
    )


_Judge = Callable[[Question, Program, Series], Outcome]


def _in_each_choice(judge: _Judge) -> Callable[[Question, Program], Outcome]:
    """Return a check of the games with each choice that a program offers: the worse one counts."""

    def check(question: Question, program: Program) -> Outcome:
        other = program.play_other_choice()  # before the games after other games, or after refused input
        first = judge(question, program, program.play())
        choice, alternative = results.answers_of(program.play()), results.answers_of(other) if other else ""
        if other is None or not other.games or alternative == choice:
            return first
        worse, better = first, judge(question, program, other)
        if better.status.is_bad and better.share < first.share:
            worse, better, choice, alternative = better, worse, alternative, choice
        both = because("in-each-choice", choice=choice, other=alternative, found=worse.why, also=better.why)
        return replace(worse, why=both, seen=first.seen)

    return check


def _optimal(question: Question, program: Program, series: Series) -> Outcome:
    games = _games(program, series)
    asked, wrong = _replies(series, games)
    nothing = results.without_games(series)
    if nothing or not (asked or series.hidden):
        return nothing or Outcome(Status.SKIPPED, because("no-reply-read"))
    if not wrong and not series.hidden:
        count = len(asked)
        reason = because("replies-optimal", on=results.coverage(series))
        return passed(reason, asked=count, right=count, seen=series.seen)
    count, right = len(asked) + len(series.hidden), len(asked) - len(wrong)
    share = right / count if question.scoring == "share" else 0.0
    details = {"wrong": count - right, "asked": count, "on": results.coverage(series)}
    if wrong:
        board, action = wrong[0]
        better = ", ".join(map(_square, sorted(oracle.optimal_actions(board))))
        shown = failed(
            because("replies-not-optimal", **details, square=_square(action), worth=_worth(board, action)),
            board=rows(board),
            call=_("its reply"),
            expected=_("square {square}", square=better),
            got=_("square {square}", square=_square(action)),
            transcript=_with_reply(games, board, action),
        )
    else:
        reason = because("replies-missing", **details, without=len(series.hidden))
        shown = replace(results.faulty(series.hidden[0]), status=Status.FAILED, why=reason)
    return replace(shown, share=share, seen=series.seen, asked=count, right=right)


def _games(program: Program, series: Series) -> list[Finished]:
    """Return the games of a series, of the first one also those after other games, or after refused input."""
    return [*series.games, *(program.play_on() if series is program.play() and series.games else ())]


def _replies(series: Series, games: Iterable[Finished]) -> tuple[list[_Reply], list[_Reply]]:
    """Return the replies of a program that could be wrong, and those that are, the earliest in a game first.

    How many others are seen depends on how much time was left, which changes no share.
    """
    asked = [(board, action) for board, found in series.replies.items() for action in found]
    steps = ((step, game.its) for game in games for step in pairwise(game.path))
    asked += [(step[0], move_between(*step)) for step, its in steps if side_to_move(step[0]) == its]
    asked = [reply for reply in dict.fromkeys(asked) if can_err(reply[0])]
    wrong = [reply for reply in asked if reply[1] not in oracle.optimal_actions(reply[0])]
    return asked, sorted(wrong, key=lambda reply: (marks(reply[0]), reply[0]))


def _worth(board: Board, action: Action) -> str:
    after, best = oracle.successors(board)[action], oracle.value(board)
    return "gives a win away" if oracle.value(after) == 0 and best else "loses"


def _never_lose(question: Question, program: Program, series: Series) -> Outcome:
    beaten = (game for game in _games(program, series) if game.result == USER)
    lost = lost_game(series) or min(beaten, key=lambda game: len(game.path), default=None)
    if lost:
        return replace(_beaten(lost.path, lost.its), transcript=results.end_of(lost.transcript))
    escaped = next((fault for fault in series.faults if fault.loses), None)
    if escaped or series.hidden:
        return replace(results.faulty(escaped or series.hidden[0]), status=Status.FAILED)
    if program.is_out_of_time and (path := losing_path(series)):  # not played once more
        return _beaten(path, O if winner(path[-1]) == X else X)
    if nothing := results.without_games(series):
        return nothing
    reason = because("unbeaten", games=results.games_in_words(len(series.games)), on=results.coverage(series))
    return passed(reason, seen=series.seen)


def _beaten(path: Sequence[Board], its: str) -> Outcome:
    line = line_of(list(path), its)
    moves = [f"{move.by} {_square((move.row, move.column))}" for move in line.moves]
    return failed(because("beaten", moves=moves), board=rows(path[-1]), refutation=line)


def _refuse(question: Question, program: Program) -> Outcome:
    kind = Input(question.input or "")
    found = program.refusal(kind)
    what = _(WORDS[kind])
    if found.response is Response.NOT_TRIED:
        return Outcome(Status.SKIPPED, because("input-not-tried", what=what))
    if found.response.is_right:
        return passed(because("input-refused", what=what, how=_(str(found.response))))
    statuses = {Response.CRASHES: Status.CRASHED, Response.HANGS: Status.TIMED_OUT}
    typed = repr(found.typed) if found.typed and kind not in (Input.EMPTY, Input.END) else ""
    reason = because("input-not-refused", what=what, typed=typed, how=_(str(found.response)))
    return Outcome(
        statuses.get(found.response, Status.FAILED), reason, transcript=results.end_of(found.transcript)
    )


_CROSSES: Final = frozenset("Xx\u00d7✕✖✗✘❌❎\u0425\u0445\u03a7\u03c7")
"""Signs that are meant for an X, an emoji or a letter of another alphabet among them."""


def _be_x(question: Question, program: Program) -> Outcome:
    signs = set(filter(None, program.play().signs))
    if signs and signs <= _CROSSES:
        return passed(because("plays-x"))
    nothing = None if signs else results.without_games(program.play())
    return nothing or failed(because("plays-not-x", signs=sorted(signs)))


def _start(question: Question, program: Program) -> Outcome:
    sides = program.play().sides
    if set(sides) == {"X"}:
        return passed(because("starts"))
    nothing = None if sides else results.without_games(program.play())
    return nothing or failed(because("starts-by-chance" if len(sides) > 1 else "user-starts"))


def _take_1_to_9(question: Question, program: Program) -> Outcome:
    scheme = program.play().manner.scheme
    if scheme.name == AS_ASSIGNED.name:
        return passed(because("takes-1-to-9"))
    return failed(because("takes-other-squares", typed=results.typed(program.play())))


def _let_choose(question: Question, program: Program) -> Outcome:
    first, other = program.play(), program.play_other_choice()
    if not first.manner.asks_who_starts:
        return failed(because("no-choice"))
    if (other is None or not other.games) and program.is_out_of_time:
        return Outcome(Status.SKIPPED, because("other-choice-not-tried"))
    answer = results.answers_of(other) if other else ""
    if other is None or answer == results.answers_of(first):
        return Outcome(Status.SKIPPED, because("other-choice-without-game"))
    if set(first.sides) == set(other.sides) and set(first.signs) == set(other.signs):
        is_asked = first.manner.says_who_starts  # otherwise it was chance that made two answers differ
        return failed(because("choice-without-effect", answer=answer) if is_asked else because("no-choice"))
    if other.faults:
        return results.faulty(other.faults[0])
    for wrongly in (results.ended_wrongly, results.announced_wrongly):
        bad = wrongly(program, other)
        if bad and not wrongly(program, first):  # what is charged already is not charged again
            return bad
    return passed(because("choice-works", answer=answer, on=results.coverage(other)))


def _square(action: Action) -> str:
    return str(3 * action[0] + action[1] + 1)


def _with_reply(games: Iterable[Finished], board: Board, action: Action) -> str | None:
    step = (board, oracle.successors(board)[action])
    game = next((game for game in games if step in pairwise(game.path)), None)
    return results.end_of(game.transcript) if game else None


_CHECKS: Final[dict[str, Callable[[Question, Program], Outcome]]] = {
    "play": _play,
    "be_optimal": _in_each_choice(_optimal),
    "never_lose": _in_each_choice(_never_lose),
    "end": results.check_end,
    "announce": results.check_announce,
    "refuse": _refuse,
    "be_x": _be_x,
    "start": _start,
    "take_1_to_9": _take_1_to_9,
    "let_choose": _let_choose,
}


_TOO_BUSY: Final = later(
    "Most of the time this program waited for a processor, so not every game could be played: grade it again "
    "on a machine that is less busy, or with --patient; it goes on with the games that were not seen."
)


class Played(Subject):
    """A program that is played in a terminal."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def prepare(self) -> None:
        """Build it, find out how it is played, and play it; raise NotGradable if nothing could be judged."""
        program = self.program
        if not program.discover():
            program.require_games()

    def close(self) -> None:
        """End all its processes."""
        self.program.close()

    def does_not_run(self, judging: Judging) -> DoesNotRun | None:
        """Return why it could not be built, or does not start, or None."""
        program = self.program
        if not program.discover():
            return None
        sentence, _, said = program.discover().partition("\n")
        why = Unrun.DIES if isinstance(program.build(), Built) else Unrun.NOT_BUILT
        return DoesNotRun(why=why, sentence=sentence.rstrip(": \u00a0\u202f") + ".", said=said or None)

    def known(self, judging: Judging) -> dict[str, Any]:
        """Return the moves that were seen."""
        return {} if self.program.discover() else {"policy": packed(results.policy_of(self.program))}

    def diagnosed(self, judging: Judging) -> Found:
        """Return the verdicts as they are: mistakes are those of functions."""
        return judging.verdicts, ()

    def deductions(self, judging: Judging) -> Sequence[Deduction]:
        """Return the deductions: also for forgotten headers, if the rubric says so."""
        cost, built = judging.course.rubric.program.forgiven, self.program.build()
        found = deductions_of(judging)
        if isinstance(built, Built) and built.recipe.forgiven and cost != "note":
            found.append(Deduction(points=cost, reason=_("It was {remark}.", remark=built.recipe.remark)))
        return found

    def notes(self, judging: Judging) -> tuple[str, ...]:
        """Return what a person should know beside the scores."""
        return (*results.program_notes(self.program), *faults_of_hand_in(judging), *style_notes(judging))

    def for_instructors(self, judging: Judging) -> tuple[str, ...]:
        """Return notes for the instructor alone."""
        seen = notes_on(judging.client.submission.folder or ())
        busy = [_(_TOO_BUSY)] if self.program.was_busy else []
        return (*busy, *seen, *results.seen_once(self.program), *not_confined(self.program.layers))

    def seconds(self, judging: Judging) -> float:
        """Return how long it has run."""
        return self.program.seconds

    def was_busy(self, judging: Judging) -> bool:
        """Return whether most of the time was spent waiting for a processor, and games are missing."""
        return self.program.was_busy
