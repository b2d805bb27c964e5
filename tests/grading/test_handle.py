"""What an instructor's own tests call: in a failed assertion it is named as they named it."""

import pytest

from grader.core.asking.client import Client
from grader.core.checks.sweep import Sweeper
from grader.core.game import board as boards
from grader.core.game.board import START
from grader.grading.plugin import Handle
from tests.conftest import MakeClient
from tests.submissions import PLAIN

EMPTY = boards.to_lists(START)
TO_MOVE = boards.to_lists(boards.parse(["XOX", "OXO", "OX."]))
OVER = boards.to_lists(boards.parse(["XXX", "OO.", "..."]))
TWO_TURNS = boards.to_lists(boards.parse(["XX.", "...", "..."]))


def test_a_function_is_named_as_the_test_names_it(make_client: MakeClient) -> None:
    submission = Handle(make_client("def player(board):\n    return 'X'\n"))
    assert submission.player([[None] * 3] * 3) == "X"
    assert (repr(submission), repr(submission.player)) == ("submission", "submission.player")


def test_what_a_test_does_to_an_answer_changes_no_other_answer(make_client: MakeClient) -> None:
    submission = Handle(make_client(PLAIN))
    after = submission.result(EMPTY, (0, 0))
    after[1][1] = "O"
    assert submission.result(EMPTY, (0, 0)) == [["X", None, None], [None] * 3, [None] * 3]


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """Give what the client is asked to call, one call at a time."""
    calls: list[tuple[object, ...]] = []
    call = Client.call

    def listed(client: Client, function: str, *arguments: object) -> object:
        calls.append((function, *arguments))
        return call(client, function, *arguments)

    monkeypatch.setattr(Client, "call", listed)
    return calls


def swept(client: Client, *, recall: bool = True) -> Handle:
    return Handle(client, Sweeper(client, recall))


def minimax(body: str) -> str:
    """Return the engine with another minimax, which may call the old one."""
    return f"{PLAIN.replace('def minimax(', 'def old(')}\n\ndef minimax(board):\n    {body}\n"


def test_minimax_is_answered_by_the_sweep(make_client: MakeClient, called: list[object]) -> None:
    """Given the first move of a search that takes much longer than a call may."""
    submission = swept(make_client(PLAIN))
    assert submission.minimax(EMPTY) in [(row, column) for row in range(3) for column in range(3)]
    assert (submission.minimax(TO_MOVE), submission.minimax(OVER)) == ((2, 2), None)
    assert called == []


@pytest.mark.parametrize(
    "arguments", [(TWO_TURNS,), ([["x"]],), ("no board",), ((*TO_MOVE,),), (TO_MOVE, 1), ()]
)
def test_what_is_no_reachable_board_is_asked(
    make_client: MakeClient, called: list[object], arguments: tuple[object, ...]
) -> None:
    submission = swept(make_client("def minimax(*arguments):\n    return len(arguments)\n"))
    assert submission.minimax(*arguments) == len(arguments)
    assert called == [("minimax", *arguments)]


def test_a_wrong_answer_and_an_exception_are_those_of_the_sweep(
    make_client: MakeClient, called: list[object]
) -> None:
    lines = "if terminal(board):\n        raise KeyError('over')\n    return [9, 9]"
    submission = swept(make_client(minimax(lines)))
    assert submission.minimax(TO_MOVE) == [9, 9]
    with pytest.raises(submission.Raised, match="`minimax` raised KeyError: over"):
        submission.minimax(OVER)
    assert called == []


def test_a_board_that_minimax_changes_is_the_tests_own_no_more_than_before(make_client: MakeClient) -> None:
    client = make_client(minimax("board[2][2] = 'X'\n    return board"))
    given = [[*row] for row in TO_MOVE]
    answers = [handle.minimax(given) for handle in (Handle(client), swept(client))]
    assert answers[0] == answers[1] == [["X", "O", "X"], ["O", "X", "O"], ["O", "X", "X"]]
    assert given == TO_MOVE


STATE = "global calls\n    calls = 1 + globals().get('calls', 0)\n    return calls"


@pytest.mark.parametrize(("body", "recall"), [(STATE, True), ("return old(board)", False)])
def test_a_file_that_is_asked_without_recall_is_asked_each_time(
    make_client: MakeClient, called: list[object], body: str, recall: bool
) -> None:
    """Given a file that keeps state, and one for which recall is switched off."""
    submission = swept(make_client(minimax(body)), recall=recall)
    for _ in range(2):
        submission.minimax(TO_MOVE)
    assert called == 2 * [("minimax", TO_MOVE)]


RAISES = """\
import copy


def helper(board):
    return board[9]


def result(board, action):
    after = copy.deepcopy(board)

    # one row too far
    return after[3]


def minimax(board):
    return result(board, (0, 0))
"""


@pytest.mark.parametrize(
    ("function", "line", "more"),
    [("minimax", 12, " Line 12 is in `result`."), ("result", 12, ""), ("helper", 5, "")],
)
def test_a_line_in_another_function_is_said_to_be_there(
    make_client: MakeClient, function: str, line: int, more: str
) -> None:
    submission = Handle(make_client(RAISES))
    arguments = (EMPTY, (0, 0)) if function == "result" else (EMPTY,)
    with pytest.raises(Handle.Raised) as error:
        getattr(submission, function)(*arguments)
    assert str(error.value) == f"`{function}` raised IndexError: list index out of range (line {line}).{more}"


def test_a_line_in_a_class_is_in_no_function_before_it(make_client: MakeClient) -> None:
    source = "def result(board, action):\n    return board\n\n\nclass Search:\n    def move(self):\n        return [][0]\n\n\n"
    submission = Handle(make_client(f"{source}def minimax(board):\n    return Search().move()\n"))
    with pytest.raises(Handle.Raised, match=r"\(line 7\)\.$"):
        submission.minimax(EMPTY)
