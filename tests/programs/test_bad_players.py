"""Players that try to pass without playing well: each loses what it does not show."""

from collections import Counter
from typing import Any
from unittest.mock import Mock

import pytest

from grader.core.course.course import ProgramQuestion as Question
from grader.core.course.rubric import HowToRun, Limits
from grader.core.game.board import Board
from grader.core.grade import Status
from grader.programs import check
from grader.programs.check import check_program
from grader.programs.program import Program
from grader.programs.results import coverage
from tests.programs.talkers.manners import BARS, BY_MARK, handed_in
from tests.programs.test_languages import folder

LIMITS = Limits(load=60, deadline=20, total=60)
ALL_GAMES = Limits(load=60, deadline=20, total=1200)
PLAIN = {"typed": "1-9", "ask": ["Your move (1-9): "], "board": BARS, "empty": "_", "says": BY_MARK}
ENGINE = handed_in("", **PLAIN)[0].content.decode()
FIRST_FREE = "\ndef value(board, side, other):\n    return 0, board.index(' ')\n"
"""A player that takes the first free square: most of its games can be won."""

BEGINS = handed_in("", **PLAIN, first="me", you="O")[0].content.decode()
THINKS = "            cell = value(board, side, other)[1]\n"
TAKES = "                return form.index(text)\n"
REFUSES = '        elif board[form.index(text)] == " ":\n'
LOSES = "winner(board[:form.index(text)] + mark + board[form.index(text) + 1:])"


def changed(*changes: tuple[str, str], source: str = ENGINE, limits: Limits = LIMITS) -> Program:
    for old, new in changes:
        assert old in source
        source = source.replace(old, new)
    return Program(folder(ttt__py=source), limits, HowToRun())


def outcome(program: Program, must: str) -> tuple[Status, float, str]:
    given: dict[str, Any] = {"must": must, "scoring": "share" if must == "be_optimal" else "all"}
    found = check_program(Question(id="q", check="program", **given), program)
    return found.status, found.share, found.reason


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize("overwritten", ["X", "O"])
def test_a_square_of_either_side_is_taken(overwritten: str) -> None:
    """Given a program that refuses the squares of one side alone."""
    program = changed((REFUSES, f'        elif board[form.index(text)] in (" ", "{overwritten}"):\n'))
    found = check_program(Question(id="q", check="program", must="refuse", input="taken"), program)
    assert found.status is Status.FAILED and "takes it as a move" in found.reason


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("says", "told"), [("crash", "it crashes"), ("You win!", "it announces that the user has won")]
)
def test_how_games_end_counts_with_the_other_choice_too(says: str, told: str) -> None:
    """Given a program that ends a drawn game wrongly where the user has begun, and there alone."""
    who = {
        "ask": "Who starts, me or you? ",
        "any_case": True,
        "takes": {"me": {"first": "you"}, "you": {"first": "me"}},
    }
    wrong = f'1 / 0 if {says!r} == "crash" else {says!r}'
    source = handed_in("", **PLAIN, you="O", setup=[who])[0].content.decode().replace(
        "    words = MANNER", f'    if word == "tie" and told["first"] == "you":\n        MANNER["says"]["tie"] = {wrong}\n    words = MANNER'
    )  # fmt: skip
    program = Program(folder(ttt__py=source), LIMITS, HowToRun())
    assert {outcome(program, must)[0] for must in ("play", "end", "announce")} == {Status.PASSED}
    status, _, reason = outcome(program, "let_choose")
    assert status.is_bad and told in reason


LOOKS_ONCE = (
    '        sys.stdout.write(MANNER.get("refuses", "That is not a free square.\\n"))\n',
    '        text = ask("Another one: ")\n        return form.index(text) if text in form else int(text)\n',
)
"""It checks its input once, and then accepts anything."""


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", ["taken", "off_board", "letters"])
def test_what_is_refused_once_is_refused_twice(kind: Any) -> None:
    program = changed(LOOKS_ONCE)
    found = check_program(Question(id="q", check="program", must="refuse", input=kind), program)
    assert found.status.is_bad


@pytest.mark.exhaustive
def test_a_taken_square_is_tried_when_both_marks_are_known() -> None:
    """Given a program that begins, so that on its first board the user's mark has not been seen yet."""
    source = handed_in("", **PLAIN, you="O", first="me")[0].content.decode()
    assert LOOKS_ONCE[0] in source
    program = Program(folder(ttt__py=source.replace(*LOOKS_ONCE)), LIMITS, HowToRun())
    found = check_program(Question(id="q", check="program", must="refuse", input="taken"), program)
    assert found.status is Status.FAILED and "takes it as a move" in found.reason


@pytest.mark.exhaustive
def test_who_errs_with_both_sides_has_let_the_user_choose() -> None:
    """Given a menu of who starts before a player that errs, and more often where it does not begin."""
    who = {
        "ask": "1. You start\n2. I start\n> ",
        "any_case": True,
        "takes": {"1": {"first": "you"}, "2": {"first": "me"}},
    }
    source = handed_in("", **PLAIN, you="O", setup=[who])[0].content.decode()
    program = Program(
        folder(ttt__py=source.replace("\n\ndef ask(", f"{FIRST_FREE}\n\ndef ask(")), LIMITS, HowToRun()
    )
    for must in ("be_optimal", "never_lose"):
        status, _, reason = outcome(program, must)
        assert status is Status.FAILED and reason.count("With ") == 2, reason  # what was seen of each choice
    assert outcome(program, "let_choose")[0] is Status.PASSED  # that it errs is charged already


@pytest.mark.exhaustive
def test_what_was_not_seen_counts_neither_way_and_is_told() -> None:
    """Given a player that knows the replies to a few boards, and waits long enough that few are seen.

    What is seen of a case is told beside what it earns: below `seen_at_least` it earns no more than that.
    """
    waits = "import select\ndef ask(prompt):\n    select.select([], [], [], 0.5)"
    source = ENGINE.replace("def ask(prompt):", waits)
    program = Program(folder(ttt__py=source), Limits(load=60, deadline=20, total=8), HowToRun())
    for must in ("be_optimal", "never_lose"):
        found = check_program(Question(id="q", check="program", must=must, scoring="share"), program)
        assert (found.status, found.share) == (Status.PASSED, 1.0)
        assert found.seen < 0.1 and "more could not be seen in time" in found.reason


def test_positions_in_which_every_reply_is_right_change_no_share() -> None:
    """Given a wrong reply to a corner, and a last square: whether that was seen depends on the time that was left."""
    wrong = (Board("X........"), (0, 1))
    series = Mock(replies={wrong[0]: Counter({wrong[1]: 1}), Board("XOXXOOOX."): Counter({(2, 2): 1})})
    assert check._replies(series, []) == ([wrong], [wrong])


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "refusal", [f"board[form.index(text)] == ' ' and not {LOSES}", "board[form.index(text)] == ' ' and (1 / (not {LOSES}))"]
)  # fmt: skip
def test_who_does_not_let_the_user_win_has_lost(refusal: str) -> None:
    """Given a bad player that refuses the move by which the user wins, or crashes on it."""
    condition = f"        elif {refusal.format(LOSES=LOSES)}:\n"
    program = changed(("\n\ndef ask(", f"{FIRST_FREE}\n\ndef ask("), (REFUSES, condition))
    assert outcome(program, "play")[0].is_bad
    assert outcome(program, "never_lose")[0] is Status.FAILED
    assert outcome(program, "be_optimal")[0] is Status.FAILED


@pytest.mark.exhaustive
def test_who_refuses_what_it_has_no_answer_for_loses_those_positions() -> None:
    """Given a right player that takes three first moves and calls the others taken, the rest is seen around them."""
    few = "        elif board[form.index(text)] == ' ' and (len(board.replace(' ', '')) > 1 or text in '259'):\n"
    begins = handed_in("", **PLAIN, first="me", you="O")[0].content.decode()
    program = Program(folder(ttt__py=begins.replace(REFUSES, few)), ALL_GAMES, HowToRun())
    status, share, reason = outcome(program, "be_optimal")
    assert status is Status.FAILED and 0 < share < 1 and "gave no reply at all" in reason
    assert outcome(program, "never_lose")[0] is Status.FAILED
    assert outcome(program, "play")[0] is Status.FAILED
    series = program.play()
    assert len(series.hidden) == 5 and len(series.replies) > 10
    assert "all" not in coverage(series) and "no reply came" in coverage(series)


@pytest.mark.exhaustive
def test_a_fault_that_is_not_seen_again_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a program that once in all its games did not reply, for the machine's reasons."""
    from grader.programs import game as games

    took, left = games.Game._accept, [games.Step.NO_REPLY]

    def falters(self: games.Game, *given: object) -> games.Step:
        step = took(self, *given)  # type: ignore[arg-type]
        return left.pop() if left and step is games.Step.MY_TURN and len(self.path) > 4 else step

    program = changed()
    assert not program.discover()
    monkeypatch.setattr(games.Game, "_accept", falters)
    assert program.play().faults == [] and len(program.doubts) == 1 and not left
    assert {outcome(program, must)[0] for must in ("play", "be_optimal", "never_lose")} == {Status.PASSED}


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("ttt.py", "def play(:\n    input('Your move: ')\n", "SyntaxError"),
        ("ttt.js", "const ask = require('readline';\n", "SyntaxError"),
        ("t.c", "#error fatal error: gone.h: No such file or directory\nint main(void) {}\n", "gone.h"),
        ("t.c", "int main(void) { return error: package gone does not exist; }\n", "expected"),
    ],
)
def test_an_error_in_the_students_own_text_is_theirs(name: str, text: str, told: str) -> None:
    program = Program(folder(**{name.replace(".", "__"): text}), LIMITS, HowToRun())
    assert told in program.discover()


@pytest.mark.exhaustive
@pytest.mark.games(500)
def test_a_reply_that_depends_on_the_order_of_moves_is_seen() -> None:
    """Given a right player that loses after 7 and 5, and replies rightly to the same position after 5 and 7."""
    keeps = f"                TYPED.append(text)\n{TAKES}"
    errs = THINKS.replace("value", '3 if TYPED == ["7", "5"] else value')
    program = changed(
        ("\n\ndef ask(", "\n\nTYPED = []\n\n\ndef ask("), (TAKES, keeps), (THINKS, errs), source=BEGINS, limits=ALL_GAMES
    )  # fmt: skip
    status, _, reason = outcome(program, "be_optimal")
    assert status is Status.FAILED and "the order of the moves" in reason and "by chance" not in reason
    assert outcome(program, "never_lose")[0] is Status.FAILED
    assert program.play().by_order and not program.play().by_chance


SAYS = '        sys.stdout.write(MANNER.get("refuses", '
AGAIN = 'while not DONE or ask("Play again (y/n)? ") == "y":'


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize(
    "changes",
    [
        [("\n\nplay()\n", f"\n\n{AGAIN}\n    play()\n    DONE.append(1)\n")],
        [("\n\nplay()\n", "\n\nwhile True:\n    play()\n    DONE.append(1)\n")],
        [(SAYS, f"        DONE.append(1)\n{SAYS}")],
    ],
    ids=["in another game that is offered", "in another game that begins at once", "after refused input"],
)
@pytest.mark.parametrize("errs", [True, False])
def test_replies_are_judged_wherever_they_are_given(changes: list[tuple[str, str]], errs: bool) -> None:
    """Given a player that takes the first free square from then on, and one that plays rightly throughout."""
    thinks = THINKS.replace("value", "free[0] if DONE else value") if errs else THINKS
    program = changed(
        ("\n\ndef ask(", "\n\nDONE = []\n\n\ndef ask("), (THINKS, thinks), *changes, source=BEGINS
    )
    for must in ("be_optimal", "never_lose"):
        assert outcome(program, must)[0] is (Status.FAILED if errs else Status.PASSED)
    assert program.play_on()


@pytest.mark.exhaustive
def test_enter_is_pressed_before_a_result_is_missed() -> None:
    """Given a program that waits for Enter after each move of its own, also the one that wins."""
    turns = "        mine = not mine\n"
    waits = '        if mine:\n            ask("Press Enter to continue...")\n'
    program = changed((turns, waits + turns), source=BEGINS)
    for must in ("play", "end", "announce"):
        assert outcome(program, must)[0] is Status.PASSED
    assert any(game.path[-1].count(".") for game in program.play().games), "one was won"
