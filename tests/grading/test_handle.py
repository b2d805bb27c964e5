"""What an instructor's own tests call: in a failed assertion it is named as they named it."""

from grader.grading.handle import Handle
from tests.conftest import MakeClient


def test_a_function_is_named_as_the_test_names_it(make_client: MakeClient) -> None:
    submission = Handle(make_client("def player(board):\n    return 'X'\n"))
    assert submission.player([[None] * 3] * 3) == "X"
    assert (repr(submission), repr(submission.player)) == ("submission", "submission.player")
