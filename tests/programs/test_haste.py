"""What is run in haste is the same program, but for its sleeps."""

import pytest

from grader.programs.languages import recipe_for
from grader.programs.recipes import Recipe
from grader.programs.starts import without_sleeps
from tests.programs.test_languages import MAIN, folder


@pytest.mark.parametrize(
    ("written", "taken"),
    [
        ("Thread.sleep(1000);", "Thread.sleep(0);"),
        ("Thread.sleep( 1_000L );", "Thread.sleep(0);"),
        ("Thread.sleep(pause);", "Thread.sleep(0);"),
        ("TimeUnit.SECONDS.sleep(2);", "TimeUnit.SECONDS.sleep(0);"),
    ],
)
def test_a_java_source_sleeps_for_no_time(written: str, taken: str) -> None:
    files = folder(A__java=f"class A {{ {MAIN} {written} }}", notes__txt=written)
    recipe = recipe_for(files)
    assert isinstance(recipe, Recipe)
    assert without_sleeps(recipe, files) == (
        recipe,
        folder(A__java=f"class A {{ {MAIN} {taken} }}", notes__txt=written),
    )


@pytest.mark.parametrize(
    "files",
    [
        {"A__java": f"class A {{ {MAIN} Thread.sleep(2 * pause()); void sleep(int time) {{}} }}"},
        {"a__c": "int main() { sleep(1); }"},
        {"a__py": "import time\ntime.sleep(1)\ninput()\n"},
    ],
)
def test_nothing_is_built_another_time_where_nothing_is_gained(files: dict[str, str]) -> None:
    recipe = recipe_for(folder(**files))
    assert isinstance(recipe, Recipe)
    assert without_sleeps(recipe, folder(**files)) is None


def test_the_timers_that_lie_beside_javascript_have_a_name_of_their_own() -> None:
    files = folder(a__js="require('readline')\n", haste="mine\n")
    recipe = recipe_for(files)
    assert isinstance(recipe, Recipe)
    found = without_sleeps(recipe, files)
    assert found and found[1] == files
    (brought,) = found[0].brought
    assert brought.name == "haste_2/timers.cjs" and f"./{brought.name}" in found[0].run
