from grader.core.game import oracle
from grader.core.game.board import parse
from grader.core.game.oracle import FUNCTIONS, Boards

OVER = parse("XXX\nOO.\n...")
RUNNING = parse("XX.\nOO.\n...")


def test_the_seven_functions_their_parameters_and_where_they_may_be_asked() -> None:
    """Given a running game and a finished one."""
    assert {name: (f.parameters, f.allows(RUNNING), f.allows(OVER)) for name, f in FUNCTIONS.items()} == {
        "player": (("board",), True, False),
        "actions": (("board",), True, False),
        "result": (("board", "action"), True, False),
        "winner": (("board",), True, True),
        "terminal": (("board",), True, True),
        "utility": (("board",), False, True),
        "minimax": (("board",), True, True),
    }


def test_right_answers() -> None:
    asked = [(RUNNING,), (RUNNING,), (RUNNING, (0, 2)), (OVER,), (OVER,), (OVER,), (OVER,)]
    free = {(0, 2), (1, 2), (2, 0), (2, 1), (2, 2)}
    answers = [function.answer(*call) for function, call in zip(FUNCTIONS.values(), asked, strict=True)]
    assert answers == ["X", free, OVER, "X", True, 1, None]
    assert FUNCTIONS["minimax"].answer(RUNNING) == {(0, 2)}


def test_families_of_boards() -> None:
    assert Boards.ALL.members() == oracle.boards()
    assert Boards.RUNNING.members() == oracle.running()
    assert Boards.FINISHED.members() == oracle.finished()
