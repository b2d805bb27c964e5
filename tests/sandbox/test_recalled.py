import pytest

from grader.core.asking.recalled import NotRecalled, RecalledCopy
from grader.core.asking.reply import Missing, Returned
from grader.core.course.limits import Limits
from grader.core.game import oracle
from grader.core.game.board import START
from tests.conftest import MakeClient
from tests.submissions import PLAIN, SHARED

FULLEST_FIRST = oracle.boards()[::-1]


def test_the_copy_answers_as_the_file_does(make_client: MakeClient) -> None:
    client = make_client(PLAIN)
    recalled = dict(RecalledCopy(client, FULLEST_FIRST).answers())
    assert list(recalled) == list(FULLEST_FIRST)
    some = [board for board in oracle.boards() if board.count(".") <= 5][::40]
    assert [recalled[board] for board in some] == client.ask("minimax", [(board,) for board in some])


def test_rules_can_be_replaced_in_the_copy(make_client: MakeClient) -> None:
    wrong = PLAIN.replace("return X if count_x == count_o else O", "return O")
    client = make_client(wrong)
    replies = dict(RecalledCopy(client, FULLEST_FIRST, replace=["player"]).answers())
    right = dict(RecalledCopy(make_client(PLAIN), FULLEST_FIRST).answers())
    assert replies == right


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("class C:\n    n = 0\ndef minimax(board):\n    C.n = 1\n", "it writes to C"),
        ("n = 0\ndef minimax(board):\n    global n\n    n = n + 1\n", "is read by the next"),
        ("def minimax(board)\n", "does not load"),
        ("def minimax(board):\n    while True: pass\n", "its worker was lost"),
        ("import os\ndef minimax(board):\n    os._exit(0)\n", "its worker was lost"),
    ],
)
def test_a_copy_that_cannot_answer_says_why(make_client: MakeClient, source: str, why: str) -> None:
    copy = RecalledCopy(make_client(source), (START, START))
    with pytest.raises(NotRecalled, match=why):
        dict(copy.answers())


def test_a_file_without_minimax(make_client: MakeClient) -> None:
    assert dict(RecalledCopy(make_client("x = 1\n"), (START,)).answers()) == {START: Missing()}


def test_reading_may_stop_early(make_client: MakeClient) -> None:
    copy = RecalledCopy(make_client(PLAIN), FULLEST_FIRST)
    board, reply = next(copy.answers())
    assert (board, reply) == (FULLEST_FIRST[0], Returned(None))
    copy.close()


WRONG = {
    "best_move_of_every_level": ("    move = here\n", "    move = move if here == (1, 1) else here\n"),
    "best_move_in_a_global": ("if depth == 0:", "if depth <= 1:"),
    "counter_that_is_read": ("    if terminal(board):\n        return utility(board)", "    if nodes > 40:\n        return 0\n    if terminal(board):\n        return utility(board)"),
    "list_filled_at_the_root": ("if depth == 0:", "if depth in (0, 2):"),
    "list_filled_at_every_level": ("(value, before - len(visited))", "before - len(visited)"),
    "cache_for_each_move": ("key = str(board)", "key = str(board[:2])"),
    "board_that_is_rebound": ("        state = here\n", "        state = here if value < 1 else state\n"),
    "board_that_is_marked": ("    table[i][j] = None\n    return value", "    table[i][j] = None if value else table[i][j]\n    return value"),
    "depth_limit_that_changes": ("limit = len(actions(board))", "limit = 2"),
}  # fmt: skip
"""What makes each file a wrong one."""


@pytest.mark.exhaustive
@pytest.mark.parametrize("is_wrong", [False, True], ids=["right", "wrong"])
@pytest.mark.parametrize("name", SHARED)
def test_names_of_the_module_that_functions_write(make_client: MakeClient, name: str, is_wrong: bool) -> None:
    """Given all boards, or every fifth of a wrong file; itself it is asked those with four marks or more."""
    source = SHARED[name].replace("copy.deepcopy(board)", "[row[:] for row in board]")
    if is_wrong:
        before, after = WRONG[name]
        assert before in source
        source = source.replace(before, after)
    client = make_client(source, Limits(deadline=30, sweep_budget=300))
    boards = FULLEST_FIRST[:: 5 if is_wrong else 1]
    try:
        recalled = dict(RecalledCopy(client, boards).answers())
    except NotRecalled as why:
        assert is_wrong and "is read by the next" in str(why)
        return
    some = [board for board in boards if board.count(".") <= 5]
    assert client.ask("minimax", [(board,) for board in some]) == [recalled[board] for board in some]
