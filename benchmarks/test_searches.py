"""Plain minimax against alpha-beta, by position: `pytest benchmarks/test_searches.py [--submission FILE]`.

Node counts are exact and must be those of `baseline.json`; times are compared within the run, as ratios.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from benchmarks import peers
from benchmarks.conftest import BASELINE
from benchmarks.costs import compared, cost_of
from benchmarks.searches import SEARCHES, Nodes
from grader.core.asking.client import Client
from grader.core.asking.worker import Walked, WalkQuestions
from grader.core.course.rubric import Limits
from grader.core.course.submission import read
from grader.core.game import oracle
from grader.core.game.board import START, Board, parse, place, to_lists
from grader.core.game.walk import SEEN, Node, Tree, Walk, textbook
from grader.course.courses import DEFAULT_SUBMISSION
from grader.sandbox.process import Process

POSITIONS: dict[str, Board] = {
    "empty board": START,
    "board with one mark": parse(["...", ".X.", "..."]),
    "board with two marks": parse(["O..", ".X.", "..."]),
    "board with four marks": parse(["O.X", ".X.", "O.."]),
}
GAME = "whole game"
PATIENCE = 120.0
"""Seconds for one move of a submission."""

seconds: dict[tuple[str, str], float] = {}
"""The best time of each position and search in this run."""

first_moves: dict[str, Callable[[], Any]] = {}
"""What takes part in this run, to be measured again side by side."""


def asked(engine: Callable[[Board], Any], position: str) -> list[Board]:
    """Ask an engine for its move in a position, or for all of a game against itself; return the boards."""
    board = POSITIONS.get(position, START)
    boards = [board]
    board = place(board, engine(board))
    while position == GAME and oracle.successors(board):
        boards.append(board)
        board = place(board, engine(board))
    return boards


def rounds_for(nodes: int) -> int:
    """Return how often to measure: what is quick is repeated."""
    return 1 if nodes > 100_000 else 5 if nodes > 5_000 else 20


def keep(benchmark: Any, position: str, name: str, nodes: int) -> None:
    """Note a measurement for the comparison, and its node count for whoever reads the JSON."""
    benchmark.extra_info.update(position=position, search=name, nodes=nodes)
    if benchmark.stats:
        seconds[position, name] = benchmark.stats.stats.min


@pytest.mark.parametrize("position", [*POSITIONS, GAME])
@pytest.mark.parametrize("name", SEARCHES)
def test_textbook_search(benchmark: Any, reference: ModuleType, position: str, name: str) -> None:
    """The searches of `searches.py` over the reference's rules."""
    benchmark.group = position
    nodes = Nodes()

    def engine(board: Board) -> Any:
        return SEARCHES[name](reference, to_lists(board), nodes)

    first_moves[name] = lambda: SEARCHES[name](reference, to_lists(START), Nodes())
    expected = BASELINE["nodes"][name][position]
    rounds = rounds_for(expected)
    benchmark.pedantic(asked, (engine, position), rounds=rounds)
    keep(benchmark, position, name, expected)
    assert nodes.visited == expected * rounds


@pytest.mark.parametrize("position", [*POSITIONS, GAME])
def test_reference(benchmark: Any, reference: ModuleType, position: str) -> None:
    """The reference's own minimax."""
    benchmark.group = position

    def engine(board: Board) -> Any:
        return reference.minimax(to_lists(board))

    first_moves["reference"] = lambda: engine(START)
    nodes = counted(reference, engine, position)
    benchmark.pedantic(asked, (engine, position), rounds=rounds_for(nodes))
    keep(benchmark, position, "reference", nodes)
    assert nodes == BASELINE["nodes"]["reference"][position]


def counted(module: ModuleType, engine: Callable[[Board], Any], position: str) -> int:
    """Return how many positions an engine visits: the boards it is asked, and all that it makes of them."""
    made, original = 0, module.result

    def result(board: Any, action: Any) -> Any:
        nonlocal made
        made += 1
        return original(board, action)

    module.__dict__["result"] = result
    boards = asked(engine, position)
    module.__dict__["result"] = original
    return made + len(boards)


@pytest.fixture(scope="module")
def student(request: pytest.FixtureRequest) -> Iterator[Client]:
    """Give the client of the file named with --submission."""
    file: Path = request.config.getoption("--submission")
    if file == DEFAULT_SUBMISSION:
        pytest.skip("add a student's engine with --submission FILE")
    with Client(read(file, 1_000), Limits(deadline=PATIENCE, sweep_budget=600), Process) as client:
        failure = client.load_failure()
        if failure:
            pytest.fail(failure.why)
        yield client


@pytest.mark.parametrize("position", [*POSITIONS, GAME])
def test_submission(benchmark: Any, student: Client, position: str) -> None:
    """A student's engine, in its worker: the time outside its functions is measured and taken off."""
    benchmark.group = position
    walks: list[Walked] = []

    def engine(board: Board) -> Any:
        walks.append(walked(student, board))
        move = getattr(walks[-1].reply, "value", None)
        assert move in oracle.successors(board), f"minimax gives no legal move: {walks[-1].reply}"
        return move

    boards = asked(engine, position)
    calls = {name: sum(walk.calls[name] for walk in walks) for name in walks[0].calls}
    overheads: list[float] = []

    def ask() -> float:
        started = time.perf_counter()
        inside = student.timed("minimax", boards, PATIENCE)
        assert inside is not None, f"minimax gives no answer within {PATIENCE:g} seconds"
        overheads.append(time.perf_counter() - started - inside)
        return inside

    nodes = calls["result"] + len(boards)
    benchmark.pedantic(ask, rounds=rounds_for(nodes))
    keep(benchmark, position, "submission", nodes)
    overhead = min(overheads)
    benchmark.extra_info.update(calls=calls, overhead_seconds=round(overhead, 6))
    if position != GAME:
        benchmark.extra_info["alpha_beta_in_its_order"] = in_its_order(POSITIONS[position], walks[0])
    if benchmark.stats:
        net = seconds[position, "submission"] = max(0.0, benchmark.stats.stats.min - overhead)
        benchmark.extra_info["net_seconds"] = round(net, 6)


def walked(student: Client, board: Board) -> Walked:
    """Return how a student's minimax searches on a board."""
    walk = student.walks(WalkQuestions(((board, None),), orders=True), PATIENCE)[0]
    assert walk.calls, f"minimax gives no answer: {walk.reply}"
    return walk


def in_its_order(board: Board, walk: Walked) -> int:
    """Return how many positions alpha-beta visits when it tries the moves in a student's order."""
    nodes = {board: Node(board)}
    parent = nodes[board]
    for kind, shown in walk.steps:  # a board, then its children; what the steps do not show is left out
        node = nodes.setdefault(shown, Node(shown))
        if kind == SEEN:
            parent = node
        else:
            parent.made[shown] = parent.searched[shown] = node
    values = {end: float(oracle.value(end)) for end in oracle.finished()}
    return 1 + textbook(Tree(board, values), Walk(nodes[board])).made


@pytest.mark.parametrize("name", peers.PEERS)
def test_peer(benchmark: Any, name: str) -> None:
    """The first move by another engine."""
    make = peers.installed().get(name)
    if make is None:
        pytest.skip(f"{name} is not installed")
    benchmark.group = "empty board"
    first_moves[name] = make()
    benchmark.pedantic(first_moves[name], rounds=5, warmup_rounds=1)
    benchmark.extra_info.update(position="empty board", search=name)
    if benchmark.stats:
        seconds["empty board", name] = benchmark.stats.stats.min


@pytest.mark.parametrize(("slow", "quick", "least"), BASELINE["ratios"])
def test_ratio(slow: str, quick: str, least: float) -> None:
    """What CI gates on: how many times faster one is than the other, from the empty board, side by side."""
    if slow not in first_moves or quick not in first_moves:
        pytest.skip("not measured in this run")
    costs = (lambda: cost_of(first_moves[quick]), lambda: cost_of(first_moves[slow]))
    assert compared(*costs, 2 if slow == "plain minimax" else 12) <= 1 / least
