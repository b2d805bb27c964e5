"""A submission found, read, and put behind the wall: it can be at work before the judge is there."""

from pathlib import Path

from grader.core.asking.client import Client
from grader.core.checks.imports import refuse_forbidden_imports
from grader.core.course import submission
from grader.core.course.rubric import Rubric
from grader.core.course.submission import Submission
from grader.grading import demands
from grader.sandbox.process import Process


def read(path: Path, rubric: Rubric) -> Submission:
    """Return the submission that a path means, as a rubric wants it."""
    return submission.read_as(rubric.kind, path, rubric.limits.source_kb, notebooks=rubric.notebooks)


def open_client(found: Submission, rubric: Rubric, rubric_file: Path) -> Client:
    """Return the client for a submission; forbidden imports keep it from running, if the rubric says so."""
    client = Client(found, rubric.limits, Process, demands.met(rubric, rubric_file))
    if rubric.kind == "functions":
        client.outline()
        refuse_forbidden_imports(client, rubric)
    return client
