import ast

import pytest

from grader.audit import mutants


@pytest.mark.exhaustive
def test_there_are_many_and_each_is_another_program(reference_source: str) -> None:
    found = mutants(reference_source)
    assert len(found) >= 150
    assert len({mutant.source for mutant in found}) == len(found)
    for mutant in found:
        ast.parse(mutant.source)


@pytest.mark.exhaustive
def test_all_kinds_of_faults_are_there(reference_source: str) -> None:
    names = " | ".join(mutant.name for mutant in mutants(reference_source))
    for kind in (
        "another comparison",
        "one more",
        "one less",
        "another operator",
        "no return statement",
        "max for min",
        "the index before",
        "a shallow copy",
        "Misses the anti-diagonal for O",
        "Stops at depth 1",
        "Stops at depth 8",
        "A table answers",
        "The first free cell",
    ):
        assert kind in names


@pytest.mark.exhaustive
def test_a_mutant_differs_in_one_place(reference_source: str) -> None:
    original = ast.unparse(ast.parse(reference_source)).splitlines()
    edited = [mutant for mutant in mutants(reference_source) if ", line " in mutant.name]
    for mutant in edited:
        lines = [line for line in mutant.source.splitlines() if line.strip() not in ("else:", "pass")]
        assert sum(line not in original for line in lines) <= 1
