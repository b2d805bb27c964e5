"""Who grades the grader: a sample of the mutants here, all of them with `python run_grader.py audit`."""

import ast
from pathlib import Path

import pytest

from grader.audit import Audit, Mutant, MutantResult, audit, judge_mutant, mutants, render
from grader.core.course.submission import read
from grader.core.errors import UserError
from grader.core.game.oracle import FUNCTIONS
from grader.course.courses import DEFAULT_RUBRIC, DEFAULT_SUBMISSION
from grader.grading.session import Settings
from grader.report.wording import as_text

REFERENCE = read(DEFAULT_SUBMISSION, 1000)
EVERY = 20
SAMPLE = range(0, 239, EVERY)


def all_mutants() -> tuple[Mutant, ...]:
    return mutants(REFERENCE.source.decode())


@pytest.mark.exhaustive
@pytest.mark.parametrize("number", SAMPLE)
def test_a_mutant_is_caught_where_it_is_wrong_and_nowhere_else(number: int) -> None:
    mutant = all_mutants()[number]
    finding = judge_mutant(mutant, REFERENCE, Settings())
    assert not finding.got_away, mutant.name
    assert not finding.charged_wrongly, mutant.name


@pytest.mark.exhaustive
def test_the_sample_is_of_all() -> None:
    assert range(0, len(all_mutants()), EVERY) == SAMPLE


@pytest.mark.exhaustive
def test_an_audit_tells_how_far_it_is_and_what_it_found() -> None:
    seen: list[tuple[int, int]] = []
    found = audit(DEFAULT_SUBMISSION, Settings(), lambda *news: seen.append(news), every=len(all_mutants()))
    assert found.holds, as_text(render(found))
    assert len(found.findings) + found.same == 1
    assert seen == [(1, 1)]


@pytest.mark.exhaustive
def test_fixtures_that_lack_a_case_are_found_out(tmp_path: Path) -> None:
    """Given fixtures that never ask about columns, mutants that miss a column get away."""
    for file in (DEFAULT_SUBMISSION.parent / "fixtures").glob("*.yaml"):
        text = file.read_text()
        if file.name == "winner.yaml":
            text = "criterion: winner\ncases:\n  - id: row\n    board: [XXX, OO., ...]\n    expect: X\n"
        (tmp_path / file.name).write_text(text)
    (mutant,) = (found for found in all_mutants() if "Misses the left column for O" in found.name)
    assert judge_mutant(mutant, REFERENCE, Settings(fixtures=tmp_path)).got_away == {"winner"}


def test_the_report_names_who_got_away() -> None:
    breaks, loses = frozenset({"winner"}), frozenset({"player"})
    finding = MutantResult("a fault", breaks, loses, ("player/start",), frozenset())
    text = as_text(render(Audit((finding,), same=3)))
    assert "got away: a fault (winner)" in text
    assert "loses points where it breaks nothing: a fault (player)" in text
    assert "Hand-written cases alone catch 0.0% of the mutants." in text
    assert "The fixtures do not hold." in text


def test_a_criterion_by_hand_is_left_out() -> None:
    """Given a mutant that breaks what a person judges: no case can catch it there, and none has to."""
    winner = frozenset({"winner"})
    finding = MutantResult("m", frozenset({"winner", "player"}), frozenset(), (), frozenset(), by_hand=winner)
    assert finding.got_away == {"player"}
    assert list(Audit((finding,), same=0).per_criterion()) == [name for name in FUNCTIONS if name != "winner"]


def rubric_by_hand(tmp_path: Path, *ids: str) -> Settings:
    text = DEFAULT_RUBRIC.read_text()
    for name in ids:
        text = text.replace(f"  - id: {name}\n", f"  - id: {name}\n    by_hand: true\n")
    (tmp_path / "rubric.yaml").write_text(text)
    return Settings(tmp_path / "rubric.yaml")


@pytest.mark.exhaustive
def test_a_rubric_with_a_criterion_by_hand_is_audited(tmp_path: Path) -> None:
    settings = rubric_by_hand(tmp_path, "quality")
    found = audit(DEFAULT_SUBMISSION, settings, lambda *news: None, every=len(all_mutants()))
    assert found.holds and len(found.findings) == 1


@pytest.mark.exhaustive
def test_what_a_person_judges_alone_is_not_audited(tmp_path: Path) -> None:
    settings = rubric_by_hand(tmp_path, *FUNCTIONS, "quality")
    with pytest.raises(UserError, match="there is nothing to audit"):
        audit(DEFAULT_SUBMISSION, settings, lambda *news: None)


@pytest.mark.exhaustive
def test_there_are_many_and_each_is_another_program() -> None:
    found = all_mutants()
    assert len(found) >= 150
    assert len({mutant.source for mutant in found}) == len(found)
    for mutant in found:
        ast.parse(mutant.source)


@pytest.mark.exhaustive
def test_all_kinds_of_faults_are_there() -> None:
    names = " | ".join(mutant.name for mutant in all_mutants())
    kinds = (
        "another comparison|one more|one less|another operator|no return statement|max for min|the index before"
        "|a shallow copy|Misses the anti-diagonal for O|Stops at depth 1|Stops at depth 8|A table answers"
        "|The first free cell"
    )
    assert [kind for kind in kinds.split("|") if kind not in names] == []


@pytest.mark.exhaustive
def test_a_mutant_differs_in_one_place(reference_source: str) -> None:
    original = ast.unparse(ast.parse(reference_source)).splitlines()
    edited = [mutant for mutant in mutants(reference_source) if ", line " in mutant.name]
    for mutant in edited:
        lines = [line for line in mutant.source.splitlines() if line.strip() not in ("else:", "pass")]
        assert sum(line not in original for line in lines) <= 1
