"""Threads run in the thread that starts them; what needs one of its own says so, and a person decides."""

from typing import Any

import pytest

from grader.core.course.rubric import Limits
from grader.core.course.submission import from_bytes
from grader.core.grade import Grade
from tests.judged import judged
from tests.submissions import PLAIN

VALUE = '''

def value_of(board):
    """
    Gives what the board is worth.
    """
    if terminal(board):
        return utility(board)
    values = [value_of(result(board, action)) for action in actions(board)]
    return max(values) if player(board) == X else min(values)


def minimax(board):
    """
    Gives the best move, each one looked at by a thread of its own.
    """
    if terminal(board):
        return None
    values = {}
    found = []

    def look(action):
        values[action] = value_of(result(board, action))
        found.append(action)

'''
BEST = """
    return (max if player(board) == X else min)(values, key=values.get)
"""
WAYS = {
    "Thread": """
    threads = [threading.Thread(target=look, args=(action,)) for action in actions(board)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
        assert not thread.is_alive()
""",
    "a class": """
    class Looking(threading.Thread):
        def __init__(self, action):
            super().__init__(daemon=True)
            self.action = action

        def run(self):
            with LOCK:
                look(self.action)

    for action in actions(board):
        thread = Looking(action)
        thread.start()
        thread.join(timeout=10)
""",
    "ThreadPoolExecutor.map": """
    with ThreadPoolExecutor(max_workers=4) as pool:
        list(pool.map(look, actions(board)))
""",
    "ThreadPoolExecutor.submit": """
    with ThreadPoolExecutor() as pool:
        futures = [pool.submit(value_of, result(board, action)) for action in actions(board)]
        values = dict(zip(actions(board), [one.result() for one in futures]))
        assert len(list(as_completed(futures))) == len(values)
""",
    "a queue that is filled before": """
    jobs = queue.Queue()
    for action in actions(board):
        jobs.put(action)

    def work():
        while not jobs.empty():
            look(jobs.get())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
""",
}
NEEDING = {
    "a queue that is filled afterwards": """
    jobs = queue.Queue()
    thread = threading.Thread(target=lambda: look(jobs.get()))
    thread.start()
    jobs.put(min(actions(board)))
""",
    "an event": """
    ready = threading.Event()
    thread = threading.Thread(target=lambda: (ready.wait(), look(min(actions(board)))))
    thread.start()
    ready.set()
""",
    "a pool of another library": """
    with ThreadPool(2) as pool:
        pool.map(look, actions(board))
""",
}
IMPORTS = """import math
import queue
import threading
from concurrent.futures import ThreadPoolExecutor, as_completed
from multiprocessing.pool import ThreadPool

LOCK = threading.Lock()
"""


def grade_of(way: str) -> Grade:
    source = (
        PLAIN.replace("def minimax(", "def unused(", 1).replace("import math\n", IMPORTS, 1)
        + VALUE
        + way
        + BEST
    )
    limits: dict[str, Any] = {"sweep_budget": 20.0, "deadline": 5.0}
    assert Limits(**limits)
    return judged(from_bytes("tictactoe.py", source.encode(), len(source), 1000), limits=limits)


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize("way", WAYS)
def test_threads_do_their_work_at_once(way: str) -> None:
    minimax = next(one for one in grade_of(WAYS[way]).criteria if one.id == "minimax")
    assert minimax.score == minimax.points


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize("way", NEEDING)
def test_what_needs_a_thread_of_its_own_is_left_to_a_person(way: str) -> None:
    grade = grade_of(NEEDING[way])
    minimax = next(one for one in grade.criteria if one.id == "minimax")
    assert "a person decides about its 25 points" in grade.for_a_person[0]
    assert minimax.undecided and minimax.score < 3
    reasons = {one.code for one in minimax.verdicts if one.weight and one.status.value == "skipped"}
    assert reasons == {"no-threads"}


@pytest.mark.exhaustive
def test_who_says_so_on_some_boards_alone_is_charged() -> None:
    """Given a file that raises what the grader raises, where it knows no answer: that is no answer."""
    way = """
    if len(actions(board)) < 4:
        raise RuntimeError("the grader allows no threads")
"""
    grade = grade_of(way + WAYS["Thread"])
    minimax = next(one for one in grade.criteria if one.id == "minimax")
    assert not grade.for_a_person and minimax.score < 0.6 * minimax.points
