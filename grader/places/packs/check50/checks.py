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
TOLD = HERE / "sentences.json"
SENTENCES = json.loads(TOLD.read_text(encoding="utf-8")) if TOLD.exists() else {}
"""In the language of the course; without that file everything is said in English."""

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
        told = _("A person has to look at this.")
        raise check50.Failure(f"{told} {grade['not_gradable']}")
    criteria = {one["id"]: one for one in grade["criteria"]}
    counting = [case for one in criteria.values() for case in one["verdicts"] if case["weight"]]
    unrun = grade.get("does_not_run")
    if unrun:
        for line in filter(None, (unrun["sentence"], unrun["text"])):
            check50.log(line)
        if not any(case["status"] == "passed" for case in counting):
            raise check50.Failure(unrun["sentence"], help=_("Fix this first: nothing else could be tested."))
    mistakes = grade["mistakes"] if grade["show_mistakes"] else []
    return {name: summary(one, mistakes) for name, one in criteria.items()}


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
        try:
            done = subprocess.run(
                command,
                env=around,
                cwd=workplace,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=SECONDS,
                check=False,
            )
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
    spoilt = any(case.get("unrun") for case in failed)
    named = [one for one in mistakes if one["function"] in {case.get("function") for case in failed}]
    log = [f"{case['id']}: {case['reason']}" for case in failed if not case.get("unrun")]
    reasons = [one["sentence"] for one in named] or [case["reason"] for case in failed[:1]]
    reasons = [_("The file does not run.")] if spoilt else reasons
    of_mistakes = [one["hint"] for one in named if one["hint"]]
    hints = of_mistakes or [case["hint"] for case in failed if case.get("hint")]
    return {
        "score": criterion["score"],
        "points": criterion["points"],
        "given_back": criterion.get("given_back", 0),
        "log": log,
        "reason": " ".join(reasons),
        "help": " ".join(hints[:2]) or None,
    }


def check_of(criterion):
    """Return the check of one criterion."""

    def body(state):
        told = state[criterion["id"]]
        check50.data(points=told["score"], max_points=told["points"])
        for line in told["log"]:
            check50.log(line)
        if told["given_back"]:
            back = number(told["given_back"])
            check50.log(_("{points} points given back: the mistake is charged elsewhere", points=back))
        if criterion["by_hand"]:
            check50.log(_("a person judges this, up to {points} points", points=number(told["points"])))
        elif told["score"] < told["points"]:
            about = {name: number(told[name]) for name in ("score", "points")} | {"reason": told["reason"]}
            if criterion["bonus"]:
                check50.log(_("bonus: {score} of {points} points. {reason}", **about))
            else:
                raise check50.Failure(
                    _("{score} of {points} points. {reason}", **about).strip(), help=told["help"]
                )

    body.__name__, body.__doc__ = criterion["name"], criterion["about"]
    return check50.check(graded)(body)


for one in CRITERIA:
    globals()[one["name"]] = check_of(one)
