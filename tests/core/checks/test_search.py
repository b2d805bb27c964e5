"""The probe on one small submission for each way of searching: the rules are the same, the search differs."""

from pathlib import Path

import pytest

from grader.core.checks.outcome import Outcome
from grader.core.checks.probe import check_search
from grader.core.course.course import Probe
from grader.core.course.rubric import Limits
from grader.core.game import oracle
from grader.core.grade import Pruning, Status
from grader.course.cases import load
from grader.course.courses import DEFAULT_FIXTURES, DEFAULT_RUBRIC
from grader.course.rubric_files import load as load_rubric
from tests.conftest import MakeClient, context_for
from tests.submissions import with_search

RULES = with_search("")
SEARCHES = Path(__file__).parent / "searches"
RUBRIC = load_rubric(DEFAULT_RUBRIC)
QUESTION = load(DEFAULT_FIXTURES / "alpha_beta.yaml", RUBRIC)[0].question

FULL, SHALLOW, NONE, UNDECIDED = Pruning
EXPECTED = {
    "alpha_beta": FULL,
    "strict_comparison": FULL,
    "window_of_one": FULL,
    "window_of_two": FULL,
    "negamax_alpha_beta": FULL,
    "nested_functions": FULL,
    "utility_as_default_argument": FULL,
    "utility_as_local_name": FULL,
    "weighted_by_depth_alpha_beta": FULL,
    "alpha_beta_with_memory": FULL,
    "alpha_beta_with_lru_cache": FULL,
    "first_move_from_a_table": FULL,
    "shuffled_alpha_beta": FULL,
    "children_made_first": FULL,
    "marks_the_board_and_takes_it_back": FULL,
    "looks_for_a_win_first": FULL,
    "root_with_full_windows": FULL,
    "utility_asks_who_has_won": FULL,
    "scores_only_who_has_won": FULL,
    "scores_by_a_chain_of_ifs": FULL,
    "scores_by_sign_and_depth": FULL,
    "scores_as_whole_numbers": FULL,
    "fail_hard": FULL,
    "shallow": SHALLOW,
    "plain": NONE,
    "weighted_by_depth": NONE,
    "lru_cache": NONE,
    "memory_in_a_dict": NONE,
    "early_exit_on_a_win": NONE,
    "stops_at_the_first_win": NONE,
    "root_only": NONE,
    "names_without_pruning": NONE,
    "never_calls_utility": NONE,
    "cuts_too_much": UNDECIDED,
    "stops_at_any_lead": UNDECIDED,
    "skips_mirrored_boards": UNDECIDED,
    "never_calls_utility_alpha_beta": FULL,
    "prunes_for_one_side_only": UNDECIDED,
    "needs_whole_numbers": UNDECIDED,
    "fail_hard_and_strict": UNDECIDED,
}

DOCSTRING = '''    """
    Returns the value of the board and an action that reaches it.
    """
'''
END = "        return utility(board), None\n"
FIRST_BREAK = "            if alpha >= beta:\n                break\n"
LAST_BREAK = "        if alpha >= beta:\n            break\n"
CALL = "search(result(board, action), alpha, beta)"
FIRST_CALL = f"            reached, _ = {CALL}\n"
LAST_CALL = f"        reached, _ = {CALL}\n"
ROOT = "    return search(board, -math.inf, math.inf)[1]\n"
DEPTH = [
    ("math.inf)[1]", "math.inf, 0)[1]"),
    ("def search(board, alpha, beta)", "def search(board, alpha, beta, depth)"),
    (CALL, "search(result(board, action), alpha, beta, depth + 1)"),
]
FROZEN = '''def frozen(board):
    """
    Returns the board as something that can be remembered.
    """
    return tuple(tuple(row) for row in board)


@functools.lru_cache(maxsize=None)
'''
VARIANTS: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "strict_comparison": ("alpha_beta", [("alpha >= beta", "alpha > beta")]),
    "window_of_one": ("alpha_beta", [("(board, -math.inf, math.inf)", "(board, -1, 1)")]),
    "window_of_two": (
        "alpha_beta",
        [("import math\n\n\n", ""), ("-math.inf, math.inf", "-2, 2"), ("-math.inf", "-2"), ("math.inf", "2")],
    ),
    "shallow": (
        "alpha_beta",
        [
            (FIRST_CALL, FIRST_CALL.replace("alpha, beta", "value, math.inf")),
            (LAST_CALL, LAST_CALL.replace("alpha, beta", "-math.inf, value")),
        ],
    ),
    "names_without_pruning": ("alpha_beta", [(FIRST_BREAK, ""), (LAST_BREAK, "")]),
    "prunes_for_one_side_only": ("alpha_beta", [(LAST_BREAK, "")]),
    "cuts_too_much": (
        "alpha_beta",
        [
            (FIRST_BREAK, FIRST_BREAK.replace("beta", "beta or value > 0")),
            (LAST_BREAK, LAST_BREAK.replace("beta", "beta or value < 0")),
        ],
    ),
    "utility_as_local_name": (
        "alpha_beta",
        [(END, "        evaluate = utility\n        return evaluate(board), None\n")],
    ),
    "utility_as_default_argument": (
        "alpha_beta",
        [
            ("search(board, alpha, beta)", "search(board, alpha, beta, evaluate=utility)"),
            ("n utility(", "n evaluate("),
        ],
    ),
    "never_calls_utility_alpha_beta": (
        "alpha_beta",
        [("utility(board)", "{X: 1, O: -1, None: 0}[winner(board)]")],
    ),
    "needs_whole_numbers": ("alpha_beta", [("utility(board)", "[0, 1, -1][utility(board)]")]),
    "scores_as_whole_numbers": ("alpha_beta", [("utility(board)", "int(utility(board))")]),
    "utility_asks_who_has_won": (
        "alpha_beta",
        [("    if terminal(board):\n" + END, "    if utility(board) != 0 or not actions(board):\n" + END)],
    ),
    "scores_only_who_has_won": (
        "alpha_beta",
        [
            (
                "    if terminal(board):\n" + END,
                "    score = utility(board)\n    if score == 1 or score == -1:\n        return score, None\n"
                "    if not actions(board):\n        return 0, None\n",
            )
        ],
    ),
    "first_move_from_a_table": (
        "alpha_beta",
        [(ROOT, "    if board == initial_state():\n        return (1, 1)\n" + ROOT)],
    ),
    "looks_for_a_win_first": (
        "alpha_beta",
        [
            (
                ROOT,
                "    for action in sorted(actions(board)):\n"
                "        if winner(result(board, action)) == player(board):\n            return action\n"
                + ROOT,
            ),
            (
                "    best = None\n",
                "    best = None\n    for action in sorted(actions(board)):\n"
                "        if winner(result(board, action)) is not None:\n"
                "            return utility(result(board, action)), action\n",
            ),
        ],
    ),
    "root_with_full_windows": (
        "alpha_beta",
        [
            (
                ROOT,
                "    sign = 1 if player(board) == X else -1\n    best_value, best = -math.inf, None\n"
                "    for action in sorted(actions(board)):\n"
                "        value = sign * search(result(board, action), -math.inf, math.inf)[0]\n"
                "        if value > best_value:\n            best_value, best = value, action\n    return best\n",
            )
        ],
    ),
    "marks_the_board_and_takes_it_back": (
        "alpha_beta",
        [
            (
                f"{space}reached, _ = {CALL}\n        {more}if",
                f"{space}board[action[0]][action[1]] = {mark}\n{space}reached, _ = search(board, alpha, beta)\n"
                f"{space}board[action[0]][action[1]] = EMPTY\n        {more}if",
            )
            for space, more, mark in ((" " * 12, "    ", "X"), (" " * 8, "", "O"))
        ],
    ),
    "children_made_first": (
        "alpha_beta",
        [
            (
                f"{space}for action in sorted(actions(board)):\n{space}    reached, _ = {CALL}\n",
                f"{space}children = [(action, result(board, action)) for action in sorted(actions(board))]\n"
                f"{space}for action, child in children:\n{space}    reached, _ = search(child, alpha, beta)\n",
            )
            for space in (" " * 8, " " * 4)
        ],
    ),
    "alpha_beta_with_lru_cache": (
        "alpha_beta",
        [
            ("import math\n", "import math\nimport functools\n"),
            ("search(board, -math.inf", "search(frozen(board), -math.inf"),
            ("def search(board,", FROZEN + "def search(cells,"),
            (DOCSTRING, DOCSTRING + "    board = [list(row) for row in cells]\n"),
            (CALL, "search(frozen(result(board, action)), alpha, beta)"),
        ],
    ),
    "alpha_beta_with_memory": (
        "alpha_beta",
        [
            ("math.inf)[1]", "math.inf, {})[1]"),
            ("def search(board, alpha, beta)", "def search(board, alpha, beta, memory)"),
            (
                DOCSTRING,
                DOCSTRING + "    key = str(board)\n    if key not in memory:\n"
                "        memory[key] = look(board, alpha, beta, memory)\n    return memory[key]\n\n\n"
                'def look(board, alpha, beta, memory):\n    """\n    Returns what search remembers.\n    """\n',
            ),
            (CALL, "search(result(board, action), alpha, beta, memory)"),
        ],
    ),
    "shuffled_alpha_beta": (
        "alpha_beta",
        [
            ("import math\n", "import math\nimport random\n"),
            ("sorted(actions(board))", "shuffled(actions(board))"),
            (
                "def search(",
                'def shuffled(moves):\n    """\n    Returns the moves in an order that chance decides.\n    """\n'
                "    moves = sorted(moves)\n    random.shuffle(moves)\n    return moves\n\n\ndef search(",
            ),
        ],
    ),
    "skips_mirrored_boards": (
        "alpha_beta",
        [
            ("sorted(actions(board))", "different(board)"),
            (
                "def search(",
                'def different(board):\n    """\n'
                "    Returns the actions without those that lead to a mirror image of a board that another leads to.\n"
                '    """\n    seen, found = [], []\n    for action in sorted(actions(board)):\n'
                "        after = result(board, action)\n"
                "        if [row[::-1] for row in after] not in seen and after[::-1] not in seen:\n"
                "            found.append(action)\n        seen.append(after)\n    return found\n\n\ndef search(",
            ),
        ],
    ),
    "weighted_by_depth_alpha_beta": (
        "alpha_beta",
        [*DEPTH, ("utility(board)", "utility(board) * (10 - depth)")],
    ),
    **{
        name: (
            "alpha_beta",
            [
                *DEPTH,
                (
                    END,
                    f"        score = utility(board)\n        if score {won}:\n            return 10 - depth, None\n"
                    f"        if score {lost}:\n            return depth - 10, None\n        return 0, None\n",
                ),
            ],
        )
        for name, won, lost in (
            ("scores_by_a_chain_of_ifs", "== 1", "== -1"),
            ("scores_by_sign_and_depth", "> 0", "< 0"),
        )
    },
    "fail_hard_and_strict": ("fail_hard", [("value >= beta", "value > beta")]),
    "stops_at_any_lead": ("early_exit_on_a_win", [("value == 1", "value > 0")]),
    "never_calls_utility": ("plain", [("utility(board)", "{X: 1, O: -1, None: 0}[winner(board)]")]),
    "weighted_by_depth": (
        "plain",
        [
            ("def value_of(board)", "def value_of(board, depth=1)"),
            ("utility(board)", "utility(board) * (10 - depth)"),
            ("best(value_of(result(board, action))", "best(value_of(result(board, action), depth + 1)"),
        ],
    ),
    "lru_cache": (
        "plain",
        [
            ("def minimax", "import functools\n\n\ndef minimax"),
            ("value_of(result(board, action))", "value_of(frozen(result(board, action)))"),
            ("def value_of(board):", FROZEN + "def value_of(cells):"),
            (
                "    if terminal(board):\n        return u",
                "    board = [list(row) for row in cells]\n    if terminal(board):\n        return u",
            ),
        ],
    ),
}
"""The search that each is like, and what is replaced in it."""


def probed(make_client: MakeClient, source: str) -> Outcome:
    client = make_client(source)
    assert isinstance(QUESTION, Probe)
    return check_search(QUESTION, context_for(client, RUBRIC, worth=10))


def source_of(name: str) -> str:
    base, changes = VARIANTS.get(name, (name, []))
    search = (SEARCHES / f"{base}.py").read_text()
    for old, new in changes:
        assert old in search
        search = search.replace(old, new)
    return with_search(search)


def test_every_search_has_an_expectation() -> None:
    assert {file.stem for file in SEARCHES.glob("*.py")} | VARIANTS.keys() == EXPECTED.keys()
    assert len(set(map(source_of, EXPECTED))) == len(EXPECTED)


@pytest.mark.exhaustive(beyond=6)
@pytest.mark.parametrize(("name", "pruning"), EXPECTED.items())
def test_pruning_is_told_by_behaviour(make_client: MakeClient, name: str, pruning: Pruning) -> None:
    outcome = probed(make_client, source_of(name))
    assert outcome.search is not None
    assert outcome.search.pruning is pruning, outcome.reason
    assert outcome.share == {FULL: 1, SHALLOW: RUBRIC.shallow_pruning}.get(pruning, 0)
    assert (outcome.status is Status.SKIPPED) == (pruning is UNDECIDED)


@pytest.mark.exhaustive(beyond=8)
@pytest.mark.parametrize("name", EXPECTED)
def test_every_search_plays_perfectly_in_the_real_game(make_client: MakeClient, name: str) -> None:
    boards = [board for board in oracle.running() if oracle.tree_size(board) < 100][::40]
    for board, reply in zip(
        boards, make_client(source_of(name)).ask("minimax", [(b,) for b in boards]), strict=True
    ):
        assert reply.value in oracle.optimal_actions(board)  # type: ignore[union-attr]


def test_the_evidence_is_that_of_the_textbook(make_client: MakeClient) -> None:
    search = probed(make_client, source_of("alpha_beta")).search
    assert search is not None
    for board in search.boards:
        assert board.evaluated == board.textbook_evaluated < board.finished
        assert board.made == board.textbook_made < board.plain
    assert search.taken_deep > 3 and search.missed_deep == search.missed_shallow == 0
    assert search.calls["minimax"] == len(search.boards)
    assert search.calls["result"] == sum(board.made for board in search.boards)


def test_a_good_order_is_no_credit_and_a_bad_one_no_blame(make_client: MakeClient) -> None:
    source = source_of("alpha_beta")
    backwards = source.replace("sorted(actions(board))", "sorted(actions(board), reverse=True)")
    assert backwards != source
    outcomes = [probed(make_client, text) for text in (source, backwards)]
    made = [sum(board.made for board in outcome.search.boards) for outcome in outcomes if outcome.search]
    assert made[0] != made[1]
    assert [outcome.share for outcome in outcomes] == [1, 1]


def test_counts_are_the_same_on_each_run(make_client: MakeClient) -> None:
    first, second = (probed(make_client, source_of("shuffled_alpha_beta")).search for _ in range(2))
    assert first == second


def test_pruning_that_cuts_too_much_is_told_so_with_the_board(make_client: MakeClient) -> None:
    outcome = probed(make_client, source_of("cuts_too_much"))
    assert outcome.reason.startswith("Your pruning cuts too much")
    assert outcome.board is not None


@pytest.mark.exhaustive
def test_undecided_says_what_to_look_at(make_client: MakeClient) -> None:
    assert "look for a comparison" in probed(make_client, source_of("prunes_for_one_side_only")).reason


SWAPPED = {
    "everywhere": ("if player(board) == X:\n        value", "if player(board) == O:\n        value"),
    "below_the_root": ("return search(board, -math.inf, math.inf)[1]", "return for_the_other_side(board)"),
}
BELOW_THE_ROOT = """

def for_the_other_side(board):
    return max(sorted(actions(board)), key=lambda a: search(result(board, a), -math.inf, math.inf)[0])
"""


@pytest.mark.parametrize("where", SWAPPED)
def test_textbook_cut_offs_with_the_sides_swapped_are_pruning_all_the_same(
    make_client: MakeClient, where: str
) -> None:
    source = source_of("alpha_beta")
    old, new = SWAPPED["everywhere"]
    swapped = source.replace(old, new)
    if where == "below_the_root":
        swapped = swapped.replace(*SWAPPED[where]) + BELOW_THE_ROOT
    assert swapped != source
    outcome = probed(make_client, swapped)
    assert outcome.search is not None
    assert outcome.search.pruning is FULL
    assert "with the sides swapped" in outcome.reason


@pytest.mark.exhaustive
def test_a_search_led_astray_is_probed_with_the_right_rule(make_client: MakeClient) -> None:
    source = source_of("alpha_beta").replace("return X if count_x == count_o else O", "return X")
    assert source != source_of("alpha_beta")
    outcome = probed(make_client, source)
    assert outcome.search is not None
    assert outcome.search.pruning is FULL
    assert outcome.reason.startswith("With a correct `player`: Alpha-beta pruning")


@pytest.mark.parametrize(
    "body",
    ["raise NotImplementedError", "return [][0]", "return min(actions(board)) if actions(board) else None"],
)
def test_who_has_no_working_search_has_no_pruning_and_bothers_nobody(
    make_client: MakeClient, body: str
) -> None:
    outcome = probed(make_client, f"{RULES}\n\ndef minimax(board):\n    {body}\n")
    assert outcome.search is not None
    assert outcome.search.pruning is NONE
    assert outcome.status is Status.FAILED


def test_who_hangs_when_the_game_is_over_prunes_all_the_same(make_client: MakeClient) -> None:
    head, _, tail = source_of("alpha_beta").partition("def minimax(board):")
    source = f"{head}def minimax(board):\n    while terminal(board):\n        pass{tail}"
    client = make_client(source, Limits(deadline=0.3, sweep_budget=10))
    for board in oracle.finished()[:4]:
        client.ask("minimax", [(board,)])  # so often that it is asked no more
    outcome = check_search(QUESTION, context_for(client, RUBRIC))  # type: ignore[arg-type]
    assert outcome.search is not None and outcome.search.pruning is FULL


def test_without_minimax_there_is_nothing_to_probe(make_client: MakeClient) -> None:
    outcome = probed(make_client, RULES)
    assert (outcome.status, outcome.search) == (Status.FAILED, None)
    assert outcome.reason == "The file defines no function `minimax`."


@pytest.mark.exhaustive
def test_a_search_that_hangs_under_the_probe_is_undecided(make_client: MakeClient) -> None:
    source = source_of("plain").replace(
        "return utility(board)",
        "score = utility(board)\n        while score % 1:\n            pass\n        return score",
    )
    outcome = probed(make_client, source)
    assert outcome.status is Status.SKIPPED and "no answer" in outcome.reason
