"""The reference engine: full marks are in test_session; here, how much it searches."""

from typing import Any

from grader.course.shipped import DEFAULT_SUBMISSION
from grader.course.submission import locate


def test_the_first_move_visits_few_boards() -> None:
    names: dict[str, Any] = {}
    exec(locate(DEFAULT_SUBMISSION).read_text(), names)
    visited = 0
    search = names["best_move"]

    def counted(*arguments: Any) -> Any:
        nonlocal visited
        visited += 1
        return search(*arguments)

    names["best_move"] = counted
    assert names["minimax"](names["initial_state"]()) == (1, 1)
    assert visited == 1_942
