"""What the tests of places share: settings by which a grade takes a moment, and commands that are refused."""

from collections.abc import Callable
from pathlib import Path

import pytest

from grader.cli.main import main
from tests.classroom.conftest import small
from tests.course.deep import deep
from tests.places.pseudo_language import another_language

__all__ = ["another_language", "deep", "small"]

Refused = Callable[..., str]


@pytest.fixture
def refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Refused:
    """Give a function that runs a command which is refused, in a folder of its own; it returns the sentence."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> str:
        assert main([str(argument) for argument in arguments]) == 2
        output = capsys.readouterr()
        assert output.out == ""
        return output.err

    return run
