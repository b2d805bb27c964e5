"""Hand-ins of which a part can be built: what lies beside it costs nobody the program."""

import pytest

from grader.core.course.hand_in import Folder, Handed
from grader.core.course.limits import Limits
from grader.core.course.rubric import HowToRun
from grader.programs.built import Built
from grader.programs.languages import recipe_for
from grader.programs.program import Program
from grader.programs.recipes import Recipe
from grader.programs.wall import find
from grader.programs.ways import parts

LIMITS = Limits(load=60, deadline=20, total=60, memory_mb=1024)
MAIN = "public class Main { public static void main(String[] args) { new %s(); } }\n"
DRAFT = "public class Main { public static void main(String[] args) { no } }\n"


def folder(files: dict[str, str]) -> Folder:
    return tuple(Handed(name, len(text), text.encode()) for name, text in files.items())


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
    program = Program(folder(files), LIMITS, HowToRun())
    found = program.built
    assert isinstance(found, Built) and found.recipe.remark == f"built from {remark}"
    assert found.plain and not found.recipe.forgiven
    program.close()


@pytest.mark.parametrize(
    ("suffix", "text"), [("rs", "fn main() {}"), ("go", "func main() {}"), ("js", "require('readline')")]
)
def test_each_folder_is_tried_in_every_language(suffix: str, text: str) -> None:
    handed = folder({f"v1/main.{suffix}": text, f"v2/main.{suffix}": text, "README.md": ""})
    recipe = recipe_for(handed)
    assert isinstance(recipe, Recipe)
    assert [one.main for one in parts(recipe, handed)] == [f"v1/main.{suffix}", f"v2/main.{suffix}"]
