"""A fault is charged once, by aspect: what is right with the right functions is given back, the rest is not."""

import random
from collections.abc import Sequence
from functools import cache
from types import SimpleNamespace

import pytest

from grader.core.checks.blame import Blame, Blamer, Faults
from grader.core.course.rubric import Limits
from grader.core.course.submission import from_bytes
from grader.core.game.board import START
from grader.core.game.oracle import MENDING
from grader.core.grade import Grade, Status, Verdict
from tests.judged import judged
from tests.submissions import PLAIN
from tests.submissions.faults import FAULTS, body, drop, swap

NO_NONE_AT_END = drop("    if terminal(board):", "        return None")
ACCEPTS_ALL = drop("    if action not in actions(board):", '        raise ValueError("not a valid action")')
SMALL_LETTERS = swap("return X if count_x == count_o else O", "return 'x' if count_x == count_o else 'o'")
NEVER_COLUMNS = drop(
    "            if all(board[j][i] == mark for j in range(3)):", "                return mark"
)

SOURCES = {
    "winner and the end": NO_NONE_AT_END(NEVER_COLUMNS(PLAIN)),
    "player and refusals": ACCEPTS_ALL(SMALL_LETTERS(PLAIN)),
    "winner alone": NEVER_COLUMNS(PLAIN),
    "a fault off its own way": swap(
        "    if terminal(board):\n        return None\n",
        "    if terminal(board):\n        return None\n"
        "    if board == [[EMPTY, O, EMPTY], [EMPTY, X, EMPTY], [EMPTY] * 3]:\n        return 2, 1\n",
    )(NEVER_COLUMNS(PLAIN)),
    "all its own": body("minimax", "return (0, 0) if winner(board) else min(actions(board), default=None)")(
        NEVER_COLUMNS(PLAIN)
    ),
    "moves of its own, and refusals": body(
        "minimax",
        "if terminal(board):",
        "    return None",
        "first = min(actions(board))",
        "result(board, first)",
        "return first",
    )(ACCEPTS_ALL(PLAIN)),
    "recognises a trial": PLAIN.replace(
        "def winner(board):",
        "def winner(board):\n    if board == [[X, X, X], [O, O, EMPTY], [EMPTY] * 3]:\n        return None",
        1,
    ).replace("def terminal(board):", "def terminal(board):\n    if winner is MINE:\n        return 7", 1)
    + "\n\nMINE = winner\n",
    "winner and result": NEVER_COLUMNS(ACCEPTS_ALL(PLAIN)),
    "a circle of three": body("player", "return X if len(actions(board)) % 2 else O")(
        body(
            "actions",
            "found = set()",
            "for i in range(3):",
            "    for j in range(3):",
            "        if board[i][j] is EMPTY and result(board, (i, j)):",
            "            found.add((i, j))",
            "return found",
        )(
            body(
                "result",
                "i, j = action",
                "if not (0 <= i < 3 and 0 <= j < 3) or board[i][j] is not EMPTY:",
                "    raise ValueError",
                "after = [row[:] for row in board]",
                "after[i][j] = player(board)",
                "return after",
            )(PLAIN)
        )
    ),
    "a circle of two": body("winner", "return {1: X, -1: O, 0: None}[utility(board)]")(PLAIN),
    "moves of its own": body(
        "minimax", "if terminal(board):", "    return None", "return min(actions(board))"
    )(NEVER_COLUMNS(PLAIN)),
}


@cache
def grade_of(name: str) -> Grade:
    source = SOURCES[name].encode()
    return judged(from_bytes(name, source, len(source), 1000))


def verdicts(name: str, criterion: str) -> dict[str, Verdict]:
    (found,) = (
        criterion_score for criterion_score in grade_of(name).criteria if criterion_score.id == criterion
    )
    return {verdict.id: verdict for verdict in found.verdicts}


def lost(name: str) -> dict[str, set[str | None]]:
    """Return what still costs points in the end: by criterion, the aspects."""
    return {
        row.id: {verdict.aspect for verdict in row.verdicts if verdict.lost > 1e-6}
        for row in grade_of(name).criteria
        if row.score < row.points and not row.bonus
    }


@pytest.mark.exhaustive
def test_who_follows_in_its_moves_and_forgets_the_end_pays_for_the_end() -> None:
    assert lost("winner and the end") == {"winner": {"answers"}, "minimax": {"end"}}
    told = verdicts("winner and the end", "minimax")
    assert told["follow-through"].restored is not None and "answers" in told["follow-through"].restored
    assert "end" not in told["follow-through"].restored
    assert "still wrong in its answers when the game is over" in told["follow-through"].reason
    optimal = told["optimal-on-every-board"]
    assert (optimal.code, optimal.board) == ("wrong-by-others", None)
    assert optimal.reason.endswith("each by what `winner` gets wrong.")
    assert told["never-loses-as-x"].refutation is None
    assert grade_of("winner and the end").refutation is None


@pytest.mark.exhaustive
def test_what_is_shown_of_the_end_is_its_own() -> None:
    shown = verdicts("winner and the end", "minimax")["none-on-every-finished-board"]
    assert shown.status is not Status.PASSED
    assert shown.board is not None and shown.parameters["first"]["code"] in ("move-at-end", "raised")


@pytest.mark.exhaustive
def test_who_refuses_nothing_pays_for_that_alone() -> None:
    assert lost("player and refusals") == {"player": {"answers"}, "result": {"refusals"}}
    assert verdicts("player and refusals", "result")["follow-through"].restored == ("answers",)


@pytest.mark.exhaustive
def test_a_function_is_tried_with_those_alone_that_it_may_call() -> None:
    told = verdicts("winner and result", "winner")["follow-through"]
    assert told.code == "own-fault"  # and not: even with a correct `result`
    assert verdicts("winner and result", "terminal")["follow-through"].follows == ("winner",)


@pytest.mark.exhaustive
def test_a_trial_that_finds_nothing_is_no_good_news() -> None:
    told = verdicts("all its own", "minimax")["follow-through"]
    assert told.status is Status.SKIPPED
    assert told.code == "own-fault-too"
    assert verdicts("winner alone", "winner")["follow-through"].status is Status.SKIPPED


@pytest.mark.exhaustive
def test_no_board_is_shown_that_another_function_explains() -> None:
    assert verdicts("moves of its own", "minimax")["follow-through"].restored == ("end",)
    own = verdicts("moves of its own", "minimax")["optimal-on-every-board"]
    assert own.board is not None
    line = grade_of("moves of its own").refutation
    assert line is not None and any(move.better for move in line.moves)


@pytest.mark.exhaustive
def test_a_trial_that_changes_nothing_on_late_boards_ends_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given moves of its own, and a `result` that only refuses nothing: all wrong moves are its own."""
    ended = list[bool]()
    tried = Blamer._tried_minimax

    def spy(blamer: Blamer, replaced: Sequence[str], needed: tuple[str, ...]) -> Faults | None:
        found = tried(blamer, replaced, needed)
        ended.append(found is blamer._faults_of("minimax"))  # a trial to the last board finds them anew
        return found

    monkeypatch.setattr(Blamer, "_tried_minimax", spy)
    assert lost("moves of its own, and refusals") == {"result": {"refusals"}, "minimax": {"answers"}}
    assert ended == [True]


def test_a_function_that_recognises_its_trial_is_charged() -> None:
    """Given a `winner` that is wrong on one board, and a `terminal` that is right with another `winner` alone."""
    assert "answers" in lost("recognises a trial")["terminal"]
    assert grade_of("recognises a trial").criteria[4].given_back == 0


@pytest.mark.exhaustive
def test_games_that_others_lose_are_told_with_their_names() -> None:
    told = verdicts("a fault off its own way", "minimax")
    assert "answers" not in (told["follow-through"].restored or ())
    lost_as = [told[name] for name in ("never-loses-as-x", "never-loses-as-o")]
    by_others = [verdict for verdict in lost_as if verdict.code == "lost-by-others"]
    assert by_others and all(
        verdict.reason.endswith("They are lost by what `winner` gets wrong.") for verdict in by_others
    )


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["winner_misses_columns", "player_o_starts"])
def test_a_planted_fault_of_one_function_costs_that_function_alone(name: str) -> None:
    SOURCES[name] = FAULTS[name].source
    assert lost(name).keys() == {FAULTS[name].loses.split()[0]}


@pytest.mark.exhaustive
def test_functions_in_a_circle_are_all_charged() -> None:
    """Given three functions that call each other without end, and a minimax that relies on them."""
    assert lost("a circle of three").keys() - {"quality"} == {"player", "actions", "result"}
    for name in ("player", "actions", "result"):
        told = verdicts("a circle of three", name)["follow-through"]
        assert told.code == "circle" and told.follows is None
        assert (
            told.reason
            == "`player`, `actions` and `result` call each other in a circle: none of them can answer."
        )
    assert verdicts("a circle of three", "minimax")["follow-through"].status is Status.PASSED


def test_a_circle_of_two_is_charged_whichever_is_asked_first() -> None:
    scores = {row.id: row.score for row in grade_of("a circle of two").criteria}
    assert scores["winner"] < 3 and scores["utility"] < 3
    told = verdicts("a circle of two", "winner")["follow-through"]
    assert told.reason == "`winner` calls `utility`, and `utility` calls `winner`: neither can answer."
    assert verdicts("a circle of two", "utility")["follow-through"].reason == told.reason


class Simulated(Blamer):
    """Blames functions of which is known who calls whom, and which are wrong by themselves."""

    def __init__(self, calls: dict[str, set[str]], broken: set[str]) -> None:
        reach = {name: tuple(self._below(name, calls)) for name in MENDING}
        client = SimpleNamespace(limits=Limits(), outline=lambda: SimpleNamespace(reach=reach))
        sweeper = SimpleNamespace(sweep=lambda: SimpleNamespace(recalled=True))
        super().__init__(client, sweeper)  # type: ignore[arg-type]
        self._calls, self._broken = calls, broken

    @staticmethod
    def _below(name: str, calls: dict[str, set[str]]) -> set[str]:
        found: set[str] = set()
        pending = [name]
        while pending:
            new = calls[pending.pop()] - found
            found |= new
            pending += new
        return found - {name}

    def is_wrong(self, name: str, replaced: Sequence[str] = (), above: tuple[str, ...] = ()) -> bool:
        """Return whether a function is wrong by itself, by one that it calls, or calls itself without end."""
        if name in replaced:
            return False
        if name in self._broken or name in above:
            return True
        return any(self.is_wrong(other, replaced, (*above, name)) for other in self._calls[name])

    def _faults_of(self, function: str) -> Faults:
        return {"answers": frozenset([(START,)])} if self.is_wrong(function) else {}

    def _tried(self, function: str, replaced: Sequence[str], needed: tuple[str, ...] = ()) -> Faults | None:
        return {"answers": frozenset([(START,)])} if self.is_wrong(function, replaced) else {}


def made_up(chance: random.Random) -> Simulated:
    """Return a blamer for functions that call each other by chance; nobody calls minimax."""
    calls = {
        name: {other for other in MENDING[:-1] if other != name and chance.random() < 0.25}
        for name in MENDING
    }
    return Simulated(calls, {name for name in MENDING if chance.random() < 0.2})


@pytest.mark.parametrize("seed", range(300))
def test_what_is_given_back_follows_a_function_that_is_charged(seed: int) -> None:
    blamer = made_up(random.Random(seed))
    blames: dict[str, Blame] = {name: blamer.of(name) for name in MENDING}
    for name, blame in blames.items():
        assert bool(blame.wrong) == blamer.is_wrong(name)
        chain, pending = set[str](), {name}
        while pending and blame.follows:
            chain |= pending
            pending = {other for name_ in pending for other in blames[name_].follows}
            assert not pending & {name}, "a circle"
            ends = {follower for follower in pending if not blames[follower].follows}
            assert all(
                blames[follower].wrong for follower in pending
            )  # nobody follows a function that is right
            pending -= ends
        assert not (blame.circle and blame.follows)
        assert set(blame.follows) <= set(blamer._client.outline().reach[name])


@pytest.mark.exhaustive
def test_any_order_of_asking_gives_the_same_blame() -> None:
    for seed in range(100):
        first, other = made_up(random.Random(seed)), made_up(random.Random(seed))
        forward = {name: first.of(name) for name in MENDING}
        assert forward == {name: other.of(name) for name in reversed(MENDING)}
