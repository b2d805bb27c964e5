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


def probed(make_client: MakeClient, source: str) -> Outcome:
    client = make_client(source)
    assert isinstance(QUESTION, Probe)
    return check_search(QUESTION, context_for(client, RUBRIC, worth=10))


def source_of(name: str) -> str:
    return with_search((SEARCHES / f"{name}.py").read_text())


def test_every_search_has_an_expectation() -> None:
    assert {file.stem for file in SEARCHES.glob("*.py")} == set(EXPECTED)


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
