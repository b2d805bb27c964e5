"""The command's job to play: which submission, in which way."""

import argparse
import sys
from pathlib import Path

from grader.core.course import submission
from grader.core.errors import GRADED, UserError
from grader.course import rubric
from grader.grading.asking import open_client
from grader.play.opponent import Opponent
from grader.play.terminal import Table


def run(path: Path, options: argparse.Namespace) -> int:
    """Let a person play against a submission, and return the exit code."""
    loaded = rubric.load(options.rubric)
    found = submission.read(path, loaded.limits.source_kb, notebooks=loaded.notebooks)
    with open_client(found, loaded, options.rubric) as client:
        failure = client.load_failure()
        if failure:
            raise UserError(f"cannot be played against: {failure.why}", file=path)
        opponent = Opponent(client)
        if options.window:
            from grader.play.window import show

            show(opponent, coach=options.coach)
        else:
            Table(opponent, iter(sys.stdin), sys.stdout, options.coach).play()
    return GRADED
