from grader.core.game import oracle
from grader.core.game.board import parse
from grader.core.game.oracle import FUNCTIONS, Boards

OVER = parse("XXX\nOO.\n...")
RUNNING = parse("XX.\nOO.\n...")


def test_the_seven_functions_and_their_parameters() -> None:
    assert {name: function.parameters for name, function in FUNCTIONS.items()} == {
        "player": ("board",),
        "actions": ("board",),
        "result": ("board", "action"),
        "winner": ("board",),
        "terminal": ("board",),
        "utility": ("board",),
        "minimax": ("board",),
    }


def test_where_a_function_may_be_asked() -> None:
    allowed = {name: (f.allows(RUNNING), f.allows(OVER)) for name, f in FUNCTIONS.items()}
    assert allowed == {
        "player": (True, False),
        "actions": (True, False),
        "result": (True, False),
        "winner": (True, True),
        "terminal": (True, True),
        "utility": (False, True),
        "minimax": (True, True),
    }


def test_right_answers() -> None:
    assert FUNCTIONS["player"].answer(RUNNING) == "X"
    assert FUNCTIONS["actions"].answer(RUNNING) == {(0, 2), (1, 2), (2, 0), (2, 1), (2, 2)}
    assert FUNCTIONS["result"].answer(RUNNING, (0, 2)) == OVER
    assert FUNCTIONS["winner"].answer(OVER) == "X"
    assert FUNCTIONS["terminal"].answer(OVER) is True
    assert FUNCTIONS["utility"].answer(OVER) == 1
    assert FUNCTIONS["minimax"].answer(OVER) is None
    assert FUNCTIONS["minimax"].answer(RUNNING) == {(0, 2)}


def test_families_of_boards() -> None:
    assert Boards.ALL.members() == oracle.boards()
    assert Boards.RUNNING.members() == oracle.running()
    assert Boards.FINISHED.members() == oracle.finished()
