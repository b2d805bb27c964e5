"""The nodes of a syntax tree: the same as the library's, in the same order."""

import ast

import pytest

from grader.worker.source_outline import walk
from tests.submissions import CORRECT


@pytest.mark.parametrize("name", CORRECT)
def test_every_node_of_a_submission_in_the_order_of_the_library(name: str) -> None:
    tree = ast.parse(CORRECT[name])
    assert walk(tree) == list(ast.walk(tree))


def test_a_tree_in_which_parts_are_missing_is_walked_all_the_same() -> None:
    tree = ast.Call(ast.Name("print", ast.Load()))  # type: ignore[call-arg]
    assert walk(tree) == list(ast.walk(tree))
