"""Verdicts from the policy, on small engines that are wrong in one way."""

from functools import partial
from typing import Any

import pytest

from grader.core.checks.functions import check_answer, check_follow_through, check_unchanged
from grader.core.checks.outcome import Context, Outcome
from grader.core.checks.play import check_play, instead
from grader.core.course.course import Answer, FollowThrough, Play, Unchanged
from grader.core.game import oracle
from grader.core.game.oracle import Boards
from grader.core.grade import Status
from tests.core.checks.conftest import MakeContext
from tests.submissions import CORRECT, PLAIN
from tests.submissions.faults import FAULTS

KINDS: dict[str, dict[str, Any]] = {
    "optimal": {"must": "optimal"},
    "legal": {"must": "legal"},
    "end": {"must": "none_at_end"},
    "as X": {"must": "never_lose", "side": "X"},
    "as O": {"must": "never_lose", "side": "O"},
}


@pytest.fixture
def context_of(context_of: MakeContext) -> MakeContext:
    return partial(context_of, deadline=2, sweep_budget=30)


def outcomes(context: Context) -> dict[str, Outcome]:
    return {name: check_play(Play(id="p", check="play", **kind), context) for name, kind in KINDS.items()}


def statuses(context: Context) -> dict[str, str]:
    return {name: outcome.status.value for name, outcome in outcomes(context).items()}


def moves(body: str) -> str:
    """Return the plain engine with another minimax."""
    head, _, tail = PLAIN.partition("def minimax(board):")
    return head + f"def minimax(board):\n    {body}\n\n\ndef max_value" + tail.partition("def max_value")[2]


def test_a_perfect_engine(context_of: Any) -> None:
    found = outcomes(context_of(PLAIN))
    assert {outcome.status for outcome in found.values()} == {Status.PASSED}
    assert found["optimal"].reason.startswith(
        "an optimal move on all 4,520 running boards (5,478 boards asked in "
    )
    assert found["optimal"].reason.endswith(" s, with recall)")
    assert found["end"].asked == 958
    assert found["as X"].reason.startswith("As X against every opponent: ")
    assert found["as X"].reason.endswith(" 0 lost.")


def test_the_first_free_cell_can_be_beaten(context_of: Any) -> None:
    found = outcomes(context_of(moves("return None if terminal(board) else min(actions(board))")))
    failed = {name for name, outcome in found.items() if outcome.status is Status.FAILED}
    assert failed == {"optimal", "as X", "as O"}
    assert found["legal"].status is found["end"].status is Status.PASSED
    optimal = found["optimal"]
    assert "boards (" in optimal.reason and " lose, " in optimal.reason and "waste a win" in optimal.reason
    assert optimal.board is not None
    line = found["as O"].refutation
    assert line is not None
    assert line.side == "O"
    assert [move.by for move in line.moves] == ["X", "O", "X", "O", "X"]
    assert [(move.row, move.column) for move in line.moves if move.by == "O"] == [(0, 1), (0, 2)]
    assert len(line.boards) == 6
    assert line.boards[0] == ("...", "...", "...")


@pytest.mark.exhaustive
def test_a_wasted_win_shows_the_win(context_of: Any) -> None:
    wasteful = (
        "best = None if terminal(board) else sorted(actions(board))\n"
        "    if best is None: return None\n"
        "    value = max_value(board) if player(board) == X else min_value(board)\n"
        "    if len(best) == 5 and value == 1:\n"
        "        ties = [a for a in best if min_value(result(board, a)) == 0 and player(board) == X]\n"
        "        if ties: return ties[0]\n"
        "    choose = max if player(board) == X else min\n"
        "    return choose(best, key=lambda a: min_value(result(board, a)) if player(board) == X "
        "else max_value(result(board, a)))"
    )
    found = outcomes(context_of(moves(wasteful)))
    assert found["optimal"].status is Status.FAILED
    assert "0 lose" in found["optimal"].reason
    assert found["optimal"].missed_win is not None
    assert found["as X"].status is Status.PASSED


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ("return [0, 0]", {"optimal", "legal", "end", "as X", "as O"}),
        ("return (1, 1)", {"optimal", "legal", "end", "as X", "as O"}),
        ("return None", {"optimal", "legal", "as X", "as O"}),
        ("raise ValueError('no')", {"optimal", "legal", "end", "as X", "as O"}),
        ("return (0, 0) if terminal(board) else min(actions(board))", {"optimal", "end", "as X", "as O"}),
        ("return None if terminal(board) else (True, 0)", {"optimal", "legal", "as X", "as O"}),
    ],
)
def test_other_faults(context_of: Any, body: str, wrong: set[str]) -> None:
    found = statuses(context_of(moves(body)))
    assert {name for name, status in found.items() if status != "passed"} == wrong


def test_a_forfeit_is_a_loss_with_its_place(context_of: Any) -> None:
    outcome = outcomes(context_of(moves("return None")))["as X"]
    assert "leaves it without a legal move, as O: none" in outcome.reason


@pytest.mark.parametrize(
    ("source", "status", "reason"),
    [
        ("x = 1\n", "failed", "The file defines no function `minimax`."),
        ("def f(:\n", "crashed", "The file cannot be loaded: SyntaxError"),
    ],
)
def test_nothing_to_ask(context_of: Any, source: str, status: str, reason: str) -> None:
    for outcome in outcomes(context_of(source)).values():
        assert outcome.status == status
        assert reason in outcome.reason


def test_points_in_proportion(context_of: Any) -> None:
    context = context_of(moves("return None if terminal(board) else min(actions(board))"))
    outcome = check_play(Play(id="p", check="play", must="optimal", scoring="share"), context)
    assert outcome.asked and outcome.right
    assert outcome.share == outcome.right / outcome.asked
    assert 0.4 < outcome.share < 0.9


def test_without_recall_the_reason_says_so(context_of: Any) -> None:
    source = CORRECT["with_lru_cache"]
    found = outcomes(context_of(source, recall=False))
    assert {outcome.status for outcome in found.values()} == {Status.PASSED}
    assert found["optimal"].reason.endswith("without recall: switched off)")


def test_what_is_not_asked_in_time_counts_neither_way(context_of: Any) -> None:
    found = outcomes(context_of(PLAIN, recall=False, deadline=1, sweep_budget=1.5))
    assert found["optimal"].status is Status.PASSED
    assert " that were asked; " in found["optimal"].reason
    assert found["optimal"].share == 1.0 and found["optimal"].seen < 1.0
    assert 0 < (found["optimal"].seen or 0) < 1
    assert found["as X"].status is Status.SKIPPED
    assert "no game could be followed to its end, for boards were not asked" in found["as X"].reason


def test_a_copy_that_answers_differently_is_thrown_away(context_of: Any) -> None:
    # Depends on how often it was called: no memory may stand in for it, and what it changes has another name.
    source = moves(
        "same = ticks\n    same.append(1)\n"
        "    return None if terminal(board) else sorted(actions(board))[len(same) % len(actions(board))]"
    ).replace("EMPTY = None\n", "EMPTY = None\nticks = []\n", 1)
    context = context_of(source)
    assert context.sweeper.sweep().why_plain == "its copy with recall answered differently"


@pytest.mark.exhaustive
def test_blame_falls_on_the_smallest_set_of_rules(context_of: Any) -> None:
    question = FollowThrough(id="f", check="follow_through", weight=0)
    cases = {
        "winner_misses_the_anti_diagonal": (
            "With a correct `winner` this `minimax` plays perfectly.",
            ("answers", "end"),
        ),
        "player_o_starts": ("With a correct `player` this `minimax` plays perfectly.", ("answers",)),
        "minimax_takes_the_first_free_cell": ("The fault is in `minimax` itself", ()),
    }
    for name, (reason, restored) in cases.items():
        source = FAULTS[name].source
        outcome = check_follow_through(question, context_of(source))
        assert reason in outcome.reason
        assert outcome.restored == restored


@pytest.mark.exhaustive
def test_two_wrong_rules_are_named_together(context_of: Any) -> None:
    source = PLAIN.replace(
        "return X if count_x == count_o else O", "return O if count_x == count_o else X"
    ).replace("        if all(board[i][2 - i] == mark for i in range(3)):\n            return mark\n", "")
    outcome = check_follow_through(FollowThrough(id="f", check="follow_through"), context_of(source))
    assert outcome.reason == "With a correct `player` and `winner` this `minimax` plays perfectly."


def test_minimax_that_is_right_although_winner_is_wrong_keeps_its_points(context_of: Any) -> None:
    source = PLAIN.replace("def winner(board):", "def true_winner(board):").replace(
        "= winner(board)", "= true_winner(board)"
    )
    source = (
        source.replace("if winner(board)", "if true_winner(board)")
        + "\n\ndef winner(board):\n    return None\n"
    )
    found = statuses(context_of(source))
    assert set(found.values()) == {"passed"}
    outcome = check_follow_through(FollowThrough(id="f", check="follow_through"), context_of(source))
    assert (outcome.status, outcome.restored) == (Status.PASSED, None)


def test_finished_boards_are_asked_although_no_running_one_is_answered(context_of: Any) -> None:
    source = moves("if terminal(board): return None\n    raise NotImplementedError")
    found = outcomes(context_of(source))
    assert found["end"].status is Status.PASSED
    assert found["end"].asked == 958
    assert found["optimal"].asked == 49  # then no more were asked, and what was not asked is not counted
    assert (
        "no answer on any of the 49 boards that were asked, from the first move to the last."
        in found["optimal"].reason
    )


def test_a_taken_cell_is_told_as_one(context_of: Any) -> None:
    did = instead(context_of(moves("return (0, 0)")).sweeper.sweep())
    assert did == {"": "it answers (0, 0), a taken cell"}
    did = instead(context_of(moves("return (3, 3)")).sweeper.sweep())
    assert did == {"": "it answers (3, 3)"}


def test_without_time_for_a_single_board_nothing_is_judged(context_of: Any) -> None:
    context = context_of(PLAIN, recall=False, total=0.001)
    assert context.client.load_failure() is None
    assert set(statuses(context).values()) == {Status.SKIPPED}


ONCE = """
KNOWN = {}
search = minimax


def minimax(board):
    key = str(board)
    if key in KNOWN and not terminal(board):
        return OTHERWISE
    KNOWN[key] = True
    return search(board)
"""


@pytest.mark.exhaustive
@pytest.mark.parametrize(("otherwise", "legal"), [("min(actions(board))", True), ("None", False)])
def test_a_search_that_is_right_the_first_time_alone_is_charged(
    context_of: Any, otherwise: str, legal: bool
) -> None:
    """Given a cache that is wrong: no board is asked twice by the sweep, but games are played on."""
    source = PLAIN + ONCE.replace("OTHERWISE", otherwise)
    found = outcomes(context_of(source, deadline=2, sweep_budget=3))
    assert found["optimal"].status is not Status.PASSED
    assert "something is kept from one call to the next" in found["optimal"].reason
    assert found["optimal"].share == 0 and (found["legal"].status is Status.PASSED) == legal


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize("apart", [1, 2])
def test_a_search_that_is_wrong_on_the_next_board_of_a_game_is_charged(context_of: Any, apart: int) -> None:
    """Given a minimax that errs where a board has so many marks more than the one before it."""
    source = (
        PLAIN
        + """
LAST = [0]
search = minimax


def minimax(board):
    count = sum(cell is not EMPTY for row in board for cell in row)
    before, LAST[0] = LAST[0], count
    return min(actions(board)) if count == before + APART and not terminal(board) else search(board)
""".replace("APART", str(apart))
    )
    found = outcomes(context_of(source, deadline=2, sweep_budget=3))
    assert found["optimal"].status is not Status.PASSED


@pytest.mark.exhaustive
def test_a_cache_of_moves_costs_nothing(context_of: Any) -> None:
    source = PLAIN + ONCE.replace("OTHERWISE", "KNOWN[key]").replace(
        "KNOWN[key] = True\n    return search(board)", "return KNOWN.setdefault(key, search(board))"
    )
    found = outcomes(context_of(source, deadline=2, sweep_budget=3))
    assert {outcome.status for outcome in found.values()} <= {Status.PASSED, Status.SKIPPED}


@pytest.mark.exhaustive(beyond=2)
@pytest.mark.parametrize(
    "instead_of_a_move", ["return None", "os._exit(0)", "return 10 ** 100_000", "raise ValueError"]
)
def test_no_way_of_not_answering_is_better_than_a_wrong_answer(
    context_of: Any, instead_of_a_move: str
) -> None:
    """Given a minimax without a move on running boards, however it ends: all but the finished boards are lost."""
    source = PLAIN.replace("import math", "import math\nimport os", 1).replace(
        "def minimax(", "def search(", 1
    )
    source += (
        f"\n\ndef minimax(board):\n    if terminal(board):\n        return None\n    {instead_of_a_move}\n"
    )
    context = context_of(source, deadline=2, sweep_budget=3)
    found = outcomes(context)
    assert {name: outcome.status for name, outcome in found.items() if outcome.share} == {
        "end": Status.PASSED
    }
    assert not any(outcome.status is Status.SKIPPED for outcome in found.values())
    alone = Unchanged(id="u", check="unchanged", function="minimax", boards=Boards.ALL)
    assert check_unchanged(alone, context).share == 0
    for board in oracle.running()[:10]:
        single = Answer(id="a", function="minimax", board=board)
        assert check_answer(single, context).status not in (Status.PASSED, Status.SKIPPED)
