"""Calls as a worker reads them."""

from grader.core.asking.reply import Arguments, calls_once, packed
from grader.core.game.board import Board


def calls() -> list[Arguments]:
    return [(Board("".join(text)),) for text in (["X........"], ["X...O...."])]


def test_the_same_calls_are_the_same_bytes_whoever_else_has_them() -> None:
    first, second = calls(), calls()
    elsewhere = [second, [board for (board, *_) in second], *second]
    assert packed(first) == packed(second)
    assert len(elsewhere) == 4


def test_each_call_is_made_once() -> None:
    assert calls_once([*calls(), *calls()]).arguments == calls()
