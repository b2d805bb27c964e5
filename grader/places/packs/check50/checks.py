"""The grader runs once; then a check for each criterion shows its points, the mistake and a hint."""

import json
import os
import site
import subprocess
import sys
import tempfile
from pathlib import Path

import check50

HERE = Path(__file__).resolve().parent
SECONDS = int(os.environ.get("GRADER_SECONDS", "300"))
TRANSLATED = HERE / "sentences.json"
# in the language of the course; without that file everything is in English
SENTENCES = json.loads(TRANSLATED.read_text(encoding="utf-8")) if TRANSLATED.exists() else {}
CRITERIA = json.loads((HERE / "criteria.json").read_text(encoding="utf-8"))


def _(sentence, **parameters):
    """Return a sentence in the language of the course."""
    return SENTENCES.get(sentence, sentence).format(**parameters)


def number(points):
    """Return points as the language of the course writes them."""
    return f"{points:g}".replace(".", SENTENCES.get(".", "."))


class NotGraded(Exception):
    """The grader failed, and not the file: check50 itself says then that it could not check."""


@check50.check(timeout=SECONDS + 30)
def graded():
    """tictactoe.py can be graded"""
    grade = run_grader()
    if grade.get("not_gradable"):
        raise check50.Failure(" ".join((_("A person has to look at this."), grade["not_gradable"])))
    unrun = grade.get("does_not_run")
    if unrun:
        for line in filter(None, (unrun["sentence"], unrun["text"])):
            check50.log(line)
        cases = [case for criterion in grade["criteria"] for case in criterion["verdicts"] if case["weight"]]
        if not any(case["status"] == "passed" for case in cases):
            raise check50.Failure(unrun["sentence"], help=_("Fix this first: nothing else could be tested."))
    mistakes = grade["mistakes"] if grade["show_mistakes"] else []
    return {criterion["id"]: summary(criterion, mistakes) for criterion in grade["criteria"]}


graded.__doc__ = _("tictactoe.py can be graded")


def run_grader():
    """Return the grade of the file in this folder, made by a process of its own."""
    with tempfile.TemporaryDirectory() as workplace:
        result = Path(workplace) / "grade.json"
        command = [sys.executable, "-m", "grader", str(Path("tictactoe.py").resolve()), "--json", str(result)]
        command += ["--rubric", str(HERE / "course/rubric.yaml"), "--fixtures", str(HERE / "course/fixtures")]
        around = {"PATH": os.environ.get("PATH", ""), "HOME": workplace, "LANG": "C.UTF-8"}
        around["PYTHONPATH"] = str(HERE / "lib")
        around["PYTHONUSERBASE"] = site.getuserbase()  # there check50 installs, unless in an environment
        how = {"env": around, "cwd": workplace, "stdin": subprocess.DEVNULL, "timeout": SECONDS}
        try:
            done = subprocess.run(command, capture_output=True, check=False, **how)
        except subprocess.TimeoutExpired:
            raise NotGraded(
                _(
                    "The grader did not finish within {seconds} seconds, so nothing is checked: try again, and tell your instructor if it happens again.",  # noqa: E501
                    seconds=SECONDS,
                )
            ) from None
        is_there = done.returncode in (0, 3) and result.exists()
        grade = json.loads(result.read_text(encoding="utf-8")) if is_there else {}
    if not grade or grade["grader_errors"]:
        for line in done.stderr.decode(errors="replace").strip().splitlines()[-3:]:
            check50.log(line)
        raise NotGraded(
            _(
                "The grader itself failed, and that is not your fault: nothing is checked. Tell your instructor."  # noqa: E501
            )
        )
    return grade


def summary(criterion, mistakes):
    """Return what a criterion's check says; no case is hidden here."""
    bad = ("failed", "crashed", "timed_out")
    failed = [case for case in criterion["verdicts"] if case["status"] in bad and case["weight"]]
    functions = {case.get("function") for case in failed}
    named = [mistake for mistake in mistakes if mistake["function"] in functions]
    reasons = [mistake["sentence"] for mistake in named] or [case["reason"] for case in failed[:1]]
    if any(case.get("unrun") for case in failed):
        reasons = [_("The file does not run.")]
    hints = [mistake["hint"] for mistake in named if mistake["hint"]]
    hints = hints or [case["hint"] for case in failed if case.get("hint")]
    return {
        "score": criterion["score"],
        "points": criterion["points"],
        "given_back": criterion.get("given_back", 0),
        "log": [f"{case['id']}: {case['reason']}" for case in failed if not case.get("unrun")],
        "reason": " ".join(reasons),
        "help": " ".join(hints[:2]) or None,
    }


def check_of(criterion):
    """Return the check of one criterion."""

    def body(state):
        found = state[criterion["id"]]
        check50.data(points=found["score"], max_points=found["points"])
        for line in found["log"]:
            check50.log(line)
        if found["given_back"]:
            back = number(found["given_back"])
            check50.log(_("{points} points given back: the mistake is charged elsewhere", points=back))
        about = {"score": number(found["score"]), "points": number(found["points"])}
        if criterion["by_hand"]:
            check50.log(_("a person judges this, up to {points} points", points=about["points"]))
        elif found["score"] < found["points"] and criterion["bonus"]:
            check50.log(_("bonus: {score} of {points} points. {reason}", **about, reason=found["reason"]))
        elif found["score"] < found["points"]:
            why = _("{score} of {points} points. {reason}", **about, reason=found["reason"])
            raise check50.Failure(why.strip(), help=found["help"])

    body.__name__, body.__doc__ = criterion["name"], criterion["about"]
    return check50.check(graded)(body)


for criterion in CRITERIA:
    globals()[criterion["name"]] = check_of(criterion)
