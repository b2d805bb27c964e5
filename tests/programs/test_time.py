"""However slow a program is, all that is asked of it ends in time by the wall's clock."""

import fcntl
import os
import termios
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from grader.core.course.course import ProgramQuestion as Question
from grader.core.course.rubric import HowToRun, Limits
from grader.core.errors import NotGradable
from grader.core.game.board import START, Board
from grader.core.grade import Status
from grader.programs import built, processes
from grader.programs import program as module
from grader.programs import terminal as terminals
from grader.programs.check import check_program
from grader.programs.game import Waits
from grader.programs.program import Program
from grader.programs.prompts import LONGEST_GIVEN, MOST_GIVEN, given_in
from grader.programs.results import program_notes
from grader.programs.series import Input
from grader.programs.terminal import Turn
from tests.programs.catalog import text_of
from tests.programs.conftest import Opens
from tests.programs.test_languages import folder

TOTAL = 4.0
LIMITS = Limits(load=30, deadline=5, total=TOTAL)
LATEST = 5 * TOTAL + 5.0
"""The wall-clock backstop, and some seconds: how soon the program has used its own seconds depends on the machine."""

RIGHT = text_of("as_assigned")
SLOW = "import builtins, select\n_ask = input\ndef input(*a):\n    select.select([], [], [], 0.5)\n    return _ask(*a)\n"
"""It waits in a way that is no sleep: for those it is hurried."""

BUSY = "import os\nfor _ in range(40):\n    if os.fork() == 0:\n        while True:\n            pass\n"
QUESTIONS: list[dict[str, Any]] = [
    *(
        {"must": must}
        for must in (
            *("play", "be_optimal", "never_lose", "end", "announce", "be_x", "start", "take_1_to_9"),
            "let_choose",
        )
    ),
    *({"must": "refuse", "input": kind.value} for kind in Input),
]


@pytest.fixture(autouse=True)
def few_games() -> None:
    """Take the shares of the time as they are."""


def seconds_for(source: str) -> float:
    """Return how long all questions take, as far as it can be graded."""
    program, start = Program(folder(ttt__py=source), LIMITS, HowToRun()), time.monotonic()
    with suppress(NotGradable):
        assert not program.discover()
        for question in QUESTIONS:
            check_program(Question(id="q", check="program", **question), program)
    return time.monotonic() - start


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize(
    "source",
    [
        SLOW + RIGHT,
        "import time\ntime.sleep(600)\n" + RIGHT,
        BUSY + RIGHT,
        "import time\nwhile True:\n    print('.', end='', flush=True)\n    time.sleep(0.001)\n",
        "while True:\n    input('What is your name? ')\n",
        "import time\nwhile True:\n    time.sleep(0.4)\n    input('Your move (1-9)? ')\n",
    ],
    ids=[
        "sleeps before each question",
        "sleeps for ever",
        "forty busy children",
        "drips",
        "asks for ever",
        "asks slowly",
    ],
)
def test_a_slow_program_ends_in_time(source: str) -> None:
    assert seconds_for(source) < LATEST


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize(("seconds", "seen"), [(TOTAL, 0.0), (0.0, 1.0)])
def test_what_a_slow_program_was_not_asked_was_not_seen_and_a_busy_machine_costs_nothing(
    seconds: float, seen: float
) -> None:
    """Given no time for what is asked last: it was the program that took it, or the machine."""
    program = Program(folder(ttt__py=RIGHT), LIMITS, HowToRun())
    assert not program.discover()
    series = program.play()
    series.patience = program.__dict__["_patience"] = Waits(1, 1, time.monotonic())
    program.built._before, program.built._running = seconds, []
    question = Question(id="q", check="program", must="refuse", input="end")
    outcome = check_program(question, program)
    assert (outcome.status, outcome.seen) == (Status.SKIPPED, seen)


def test_who_had_no_time_to_play_on_a_busy_machine_is_not_said_to_be_unplayable() -> None:
    """Given the end of all time before the first game, and a program that has taken none of it: grade it again."""
    program = Program(folder(ttt__py=RIGHT), LIMITS, HowToRun())
    program.__dict__["_patience"] = Waits(1, 1, time.monotonic())
    with pytest.raises(NotGradable, match="too busy to play it in time; grade it again, or with --patient"):
        assert program.discover()


def test_who_took_the_time_without_a_game_had_no_busy_machine() -> None:
    program = Program(folder(ttt__py=RIGHT), LIMITS, HowToRun())
    program.__dict__["_patience"] = Waits(1, 1, time.monotonic())
    program.build()
    program.built._before = 0.6 * LIMITS.total
    with pytest.raises(NotGradable, match="no game came about"):
        assert program.discover()


@pytest.mark.parametrize(("own", "told"), [(20.0, "after 20 seconds of its own"), (2.0, "too busy to build")])
def test_a_build_that_keeps_a_processor_busy_is_told_from_one_that_waits(
    own: float, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given the end of all time for a build that may take a minute."""
    watch = Mock(look=Mock(return_value=100.0), seconds=Mock(return_value=own))
    monkeypatch.setattr(built, "Stopwatch", Mock(return_value=watch))
    with pytest.raises(NotGradable, match=told):
        built._watched(Mock(pid=os.getpid()), Path(), seconds=60.0, end=50.0)


@pytest.mark.parametrize(
    ("asks", "given", "more"), [(True, (), False), (False, (), True), (True, ("n",), True)]
)
def test_where_nobody_chooses_the_games_have_the_time_of_the_other_choice(
    asks: bool, given: tuple[str, ...], more: bool
) -> None:
    played = Mock(manner=Mock(asks_who_starts=asks, given=given))
    Program(folder(ttt__py=RIGHT), LIMITS, HowToRun(answers=given))._play(played)
    (seconds, _), _ = played.play.call_args
    share = module._FOR_GAMES + (module._FOR_OTHER_SIDE if more else 0)
    assert seconds == share * LIMITS.total


@pytest.mark.parametrize(("asks", "left"), [(True, 0.47), (False, 0.35)])
def test_games_leave_time_for_refused_input_and_for_the_other_choice(
    asks: bool, left: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a program that was long found out about: its games have less time, and what comes after them has not."""
    played = Mock(manner=Mock(asks_who_starts=asks, given=()))
    monkeypatch.setattr(Program, "seconds", 0.9 * TOTAL)
    Program(folder(ttt__py=RIGHT), LIMITS, HowToRun())._play(played)
    (seconds, _), _ = played.play.call_args
    assert 0.9 * TOTAL + seconds == pytest.approx((module._IN_ALL - left) * TOTAL)


def test_refused_input_is_typed_before_the_games_of_the_other_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[object] = []

    def refusal(series: object, kind: Input) -> Mock:
        done.append(kind)
        return Mock()

    monkeypatch.setattr(module, "refusal", refusal)
    other = Mock(play=lambda *given: done.append("the other choice"))
    monkeypatch.setattr(module, "Series", lambda *given: other)
    program = Program(folder(ttt__py=RIGHT), LIMITS, HowToRun())
    program._built = Mock()
    program._done["play"] = Mock(manner=Mock(asks_who_starts=True, given=()))
    assert program.play_other_choice() is other and done == [*Input, "the other choice"]
    program._done.clear()  # so that nothing of it is saved


@pytest.mark.exhaustive
def test_who_can_be_beaten_fails_also_when_no_time_is_left_to_show_it() -> None:
    """Given replies from which a game is lost that was never played so, and the end of all time, that is enough."""
    program = Program(folder(ttt__py=RIGHT), LIMITS, HowToRun())
    assert not program.discover()
    series = program.play()
    board = START
    for mine, its in ((0, 1), (3, 2)):  # X takes the left column; O does not stop it
        after = Board(board[:mine] + "X" + board[mine + 1 :])
        series.replies[after] = Counter({divmod(its, 3): 1})
        board = Board(after[:its] + "O" + after[its + 1 :])
    series.sides.clear()
    series.sides["O"] = 1
    series.games.clear()
    series.patience = program.__dict__["_patience"] = Waits(1, 1, time.monotonic())
    outcome = check_program(Question(id="q", check="program", must="never_lose"), program)
    assert outcome.status is Status.FAILED and "It can be beaten: X 1, O 2, X 4, O 3, X 7" in outcome.reason


@pytest.mark.exhaustive
@pytest.mark.parametrize("is_busy", [False, True])
def test_a_compiler_that_does_not_end_is_ended_and_a_busy_machine_costs_nothing(
    is_busy: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a build without an end: by its own time it is to blame, and not for what it waits for a processor."""
    start, how = time.monotonic(), HowToRun(build="sleep 600", run="./program")
    program = Program(folder(t__c="int main(void) {}\n"), LIMITS, how)
    if is_busy:
        monkeypatch.setattr(processes, "_waited_together", lambda watched: time.monotonic())
        with pytest.raises(NotGradable, match="too busy"):
            assert program.discover()
    else:
        assert "It took too long" in program.discover()
    assert time.monotonic() - start < LATEST


def test_who_prints_all_the_time_is_late_as_well(opened: Opens) -> None:
    terminal = opened("import time\nwhile True:\n    print('.', end='', flush=True)\n    time.sleep(0.001)\n")
    start = time.monotonic()
    assert terminal.wait(1.0) in (Turn.TOO_LATE, Turn.OUT_OF_TIME)
    assert time.monotonic() - start < 8


@pytest.mark.exhaustive
def test_who_keeps_the_processors_busy_waits_for_himself(opened: Opens) -> None:
    terminal = opened(BUSY.replace("40", "8") + "while True:\n    pass\n")
    start = time.monotonic()
    is_late = terminal.wait(1.0) is Turn.TOO_LATE
    assert is_late or terminal.seconds < 1.0  # others may keep them busier
    assert time.monotonic() - start < 8


def test_what_a_processor_was_waited_for_is_nobodys_delay(
    opened: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a machine on which all the time passes in waiting, for the program or for whoever looks at it."""
    with opened("import time\ntime.sleep(600)\n") as terminal:
        monkeypatch.setattr(processes, "_waited", lambda task: time.monotonic_ns())
        assert terminal.wait(0.2) is Turn.OUT_OF_TIME
        assert terminal.seconds < 0.2


def test_who_leaves_a_child_that_prints_has_ended(opened: Opens) -> None:
    terminal = opened("import os\nif os.fork() == 0:\n    while True:\n        print('.' * 4000)\n")
    assert terminal.wait(30) in (Turn.ENDED, Turn.FLOODS)


def test_nothing_is_waited_for_after_the_end(opened: Opens) -> None:
    terminal = opened("import time\ntime.sleep(600)\n")
    assert terminal.wait(30, time.monotonic() + 0.3) is Turn.OUT_OF_TIME
    assert Waits(1, 1, time.monotonic()).is_over and not Waits(1, 1).is_over


def test_a_program_may_make_its_terminal_something_else(opened: Opens) -> None:
    """Given the line discipline 27, which is none, the kernel knows the terminal's settings no more."""
    source = "import fcntl, struct, termios, time\nprint('a')\nfcntl.ioctl(0, termios.TIOCSETD, struct.pack('i', 27))\ntime.sleep(600)\n"
    terminal = opened(source)
    assert terminal.wait(3.0) in (Turn.BROKEN, Turn.ENDED, Turn.TOO_LATE)  # where it is let, or not
    terminal.type("1")


@pytest.mark.parametrize(
    ("module", "name", "error"), [(fcntl, "ioctl", OSError(5, "EIO")), (termios, "tcgetattr", termios.error(25, "ENOTTY"))]
)  # fmt: skip
def test_whatever_the_terminal_answers_is_no_fault_of_the_grader(
    opened: Opens, monkeypatch: pytest.MonkeyPatch, module: Any, name: str, error: Exception
) -> None:
    def refuse(*_: object) -> None:
        raise error

    terminal = opened("input('a')\ninput('b')\n")
    assert terminal.wait(30) is Turn.WAITS
    terminal.type("1")
    monkeypatch.setattr(getattr(terminals, module.__name__), name, refuse)
    assert terminal.wait(30) is Turn.BROKEN


@pytest.mark.exhaustive
def test_sixty_thousand_answers_are_nobodys() -> None:
    many = "no\n" * 60_000
    start = time.monotonic()
    program = Program(folder(ttt__py=RIGHT, answers__txt=many), LIMITS, HowToRun())
    assert program.discover() == ""
    assert any("answers.txt was not taken" in note for note in program_notes(program))
    assert time.monotonic() - start < LATEST


def test_a_few_answers_are_taken() -> None:
    assert given_in(b"a\nb\n") == ("a", "b") and given_in(b"") == ()
    assert given_in(b"a\n" * MOST_GIVEN) == ("a",) * MOST_GIVEN
    assert given_in(b"a\n" * (MOST_GIVEN + 1)) is None
    assert given_in(b"a" * (LONGEST_GIVEN + 1)) is None


def test_the_programs_own_seconds_end_its_games_and_the_wall_clock_is_a_backstop() -> None:
    taken = [3.0]
    waits = Waits(1, 1, time.monotonic() + 100, total=5.0, taken=lambda: taken[0])
    assert waits.left == 2.0 and not waits.is_over
    taken[0] = 5.0
    assert waits.is_over
    assert Waits(1, 1, time.monotonic() - 1, total=5.0).is_over


def test_processor_time_counts_whoever_waits_for_it(opened: Opens) -> None:
    """Given a program that computes while nobody waits, its seconds count when somebody does."""
    with opened("sum(range(20_000_000))\ninput('now? ')\n") as terminal:
        while processes.ran(processes.tree(terminal._inside.pid)) < 0.1 and terminal.code is None:
            time.sleep(0.05)
        assert terminal.wait(60) is Turn.WAITS
        assert terminal.seconds >= 0.1
