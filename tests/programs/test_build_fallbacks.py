"""Sources that the plain way does not build, and that a person would get to run, or a part of them."""

import pytest

from grader.core.course.rubric import HowToRun, Limits
from grader.core.errors import NotGradable
from grader.programs.built import Built
from grader.programs.program import Program
from grader.programs.recipes import Recipe, parts, recipe_for
from grader.programs.results import program_notes
from grader.programs.wall import find
from tests.programs.catalog import text_of
from tests.programs.talkers.manners import handed_in
from tests.programs.test_languages import folder

LIMITS = Limits(load=60, deadline=20, total=60, memory_mb=1024)
C = text_of("overwrites_a_taken_square")
RIGHT = text_of("as_assigned")


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize(
    ("files", "remark"),
    [
        ({"main__c": '#include "logic.c"\nint main(void) { return f(); }', "logic__c": "int f(void) { return 0; }"}, "the file with main alone"),
        ({"main__c": "int main(void) { return INT_MIN < 0; }"}, "headers that it forgets"),
        ({"main__cpp": "#include <iostream>\nint main() { return std::numeric_limits<int>::max() < 0; }"}, "headers that it forgets"),
        ({"main__c": "#include <conio.h>\nint main(void) { return 0; }"}, "nothing in place of conio.h"),
        ({"main__c": "int main(void) { return 0; }", "Makefile": "all:\n\tcc -o game gone.c\nrun: all\n\t./game\n"}, "without its Makefile"),
    ],
)  # fmt: skip
def test_what_can_be_built_is_built(files: dict[str, str], remark: str) -> None:
    if find("g++") is None:
        pytest.skip("no g++ on this machine")
    program = Program(folder(**files), LIMITS, HowToRun())
    found = program.build()
    assert isinstance(found, Built) and remark in found.recipe.remark
    assert found.plain and found.recipe.forgiven == ("forgets" in remark)


def test_a_makefile_may_link_again_when_it_is_run() -> None:
    if find("gcc") is None or find("make") is None:
        pytest.skip("no gcc or no make on this machine")
    makefile = ".PHONY: game\nall: game\ngame:\n\tgcc -o game tic.c\nrun: game\n\t./game\n"
    program = Program(folder(tic__c=C, Makefile=makefile), LIMITS, HowToRun())
    built = program.build()
    assert isinstance(built, Built) and built.recipe.run == ("./game",)
    assert program.discover() == ""


@pytest.mark.exhaustive
def test_a_package_that_only_reads_a_line_has_a_stand_in() -> None:
    if find("node") is None:
        pytest.skip("no node on this machine")
    program = Program(handed_in("readline_sync"), LIMITS, HowToRun())
    assert program.discover() == ""
    assert any("a stand-in for readline-sync" in note for note in program_notes(program))


@pytest.mark.parametrize("text", ["print 'hello'\n", "name = raw_input('Your move: ')\n"])
def test_python_2_is_not_gradable_here(text: str) -> None:
    program = Program(folder(ttt__py=text), LIMITS, HowToRun())
    with pytest.raises(NotGradable, match="Python 2"):
        assert program.discover()


@pytest.mark.exhaustive
def test_of_several_mains_the_one_is_taken_that_plays() -> None:
    program = Program(folder(one__py="print(input('Size of the test: '))", two__py=RIGHT), LIMITS, HowToRun())
    assert program.discover() == "" and program.choose_recipe().main == "two.py"
    both = Program(folder(one__py=RIGHT, two__py=RIGHT), LIMITS, HowToRun())
    with pytest.raises(NotGradable, match="several files could be started"):
        assert both.discover()


MAIN = "public class Main { public static void main(String[] args) { new %s(); } }\n"
DRAFT = "public class Main { public static void main(String[] args) { no } }\n"


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("files", "compiler", "remark"),
    [
        (
            {
                "src/ttt/Main.java": "package ttt;\n" + MAIN % "ttt.ui.View",
                "src/ttt/ui/View.java": "package ttt.ui;\npublic class View {}\n",
                "test/ttt/MainTest.java": "package ttt;\nimport org.junit.Test;\nclass MainTest {}\n",
            },
            "javac",
            "what its main needs",
        ),
        (
            {
                "v1/Main.java": MAIN % "Board", "v1/Board.java": "class Board {}",
                "v2/Main.java": MAIN % "Board", "v2/Board.java": "class Board {}",
            },
            "javac",
            "what its main needs",
        ),
        ({"v1/Main.java": DRAFT, "v2/Main.java": MAIN % "Object"}, "javac", "the folder v2 alone"),
        ({"v1/main.c": "int main(void) { no }\n", "v2/main.c": "int main(void) {}\n"}, "gcc", "the folder v2 alone"),
    ],
)  # fmt: skip
def test_a_part_that_can_be_built_is_built(files: dict[str, str], compiler: str, remark: str) -> None:
    if find(compiler) is None:
        pytest.skip(f"no {compiler} on this machine")
    program = Program(folder(**files), LIMITS, HowToRun())
    found = program.build()
    assert isinstance(found, Built) and found.recipe.remark == f"built from {remark}"
    assert found.plain and not found.recipe.forgiven


@pytest.mark.parametrize(
    ("suffix", "text"), [("rs", "fn main() {}"), ("go", "func main() {}"), ("js", "require('readline')")]
)
def test_each_folder_is_tried_in_every_language(suffix: str, text: str) -> None:
    handed = folder(**{f"v1/main.{suffix}": text, f"v2/main.{suffix}": text, "README.md": ""})
    recipe = recipe_for(handed)
    assert isinstance(recipe, Recipe)
    assert [part.main for part in parts(recipe, handed)] == [f"v1/main.{suffix}", f"v2/main.{suffix}"]
