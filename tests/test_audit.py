"""Who grades the grader: a sample of the mutants here, all of them with `python run_grader.py --audit`."""

from pathlib import Path

from grader.audit import Audit, Finding, audit, judge_mutant
from grader.grading import DEFAULT_SUBMISSION
from grader.mutants import mutants
from grader.report.audit import render
from grader.report.text import as_text
from grader.session import Settings
from grader.submission import read


def test_a_sample_of_mutants_is_caught_where_it_is_wrong_and_nowhere_else() -> None:
    seen: list[tuple[int, int]] = []
    found = audit(DEFAULT_SUBMISSION, Settings(), lambda *news: seen.append(news), every=110)
    assert found.holds, as_text(render(found))
    assert len(found.findings) >= 2
    assert seen[-1][0] == seen[-1][1]


def test_fixtures_that_lack_a_case_are_found_out(tmp_path: Path) -> None:
    """Given fixtures that never ask about columns, mutants that miss a column get away."""
    for file in (DEFAULT_SUBMISSION.parent / "fixtures").glob("*.yaml"):
        text = file.read_text()
        if file.name == "winner.yaml":
            text = "criterion: winner\ncases:\n  - id: row\n    board: [XXX, OO., ...]\n    expect: X\n"
        (tmp_path / file.name).write_text(text)
    reference = read(DEFAULT_SUBMISSION, 1000)
    (mutant,) = (
        one for one in mutants(reference.source.decode()) if "Misses the left column for O" in one.name
    )
    assert judge_mutant(mutant, reference, Settings(fixtures=tmp_path)).got_away == {"winner"}


def test_the_report_names_who_got_away() -> None:
    finding = Finding("a fault", frozenset({"winner"}), frozenset({"player"}), ("player/start",), frozenset())
    text = as_text(render(Audit((finding,), same=3)))
    assert "got away: a fault (winner)" in text
    assert "loses points where it breaks nothing: a fault (player)" in text
    assert "Hand-written cases alone catch 0.0% of the mutants." in text
    assert "The fixtures do not hold." in text
