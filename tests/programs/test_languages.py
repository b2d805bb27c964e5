import time

import pytest

from grader.core.course.submission import Folder, Handed
from grader.core.errors import UserError
from grader.programs.recipes import Recipe, Unclear, recipe_for


def folder(**files: str) -> Folder:
    """Return a hand-in; a dot in a name is written as two underscores."""
    return tuple(Handed(name.replace("__", "."), len(text), text.encode()) for name, text in files.items())


MAIN = "public static void main(String[] args) {}"


@pytest.mark.parametrize(
    ("files", "language", "main"),
    [
        ({"game__py": "input()"}, "Python", "game.py"),
        ({"ai__py": "def f(): pass", "play__py": "import ai\ninput()"}, "Python", "play.py"),
        ({"a__py": "input()", "b__py": "import a\nif __name__ == '__main__': pass"}, "Python", "b.py"),
        ({"Main__java": MAIN, "Board__java": "class Board {}"}, "Java", "Main.java"),
        ({"t__c": "int main(void) {}"}, "C", "t.c"),
        ({"t__cpp": "int main() {}", "b__cpp": "int f() {}"}, "C++", "t.cpp"),
        ({"index__js": "require('readline')"}, "JavaScript", "index.js"),
        ({"main__rs": "fn main() {}"}, "Rust", "main.rs"),
        ({"main__go": "func main() {}"}, "Go", "main.go"),
        ({"ttt__rb": "gets", "board__rb": "class Board; end"}, "Ruby", "ttt.rb"),
        ({"ttt__pl": "<STDIN>"}, "Perl", "ttt.pl"),
        ({"ttt__php": "fgets(STDIN)"}, "PHP", "ttt.php"),
        ({"ttt__lua": "io.read()"}, "Lua", "ttt.lua"),
        ({"ttt__tcl": "gets stdin line"}, "Tcl", "ttt.tcl"),
        ({"ttt__sh": "read square", "colours__sh": "red=1"}, "Bash", "ttt.sh"),
        ({"main__py": "input()", "run__sh": "read -p 'ready?'; python3 main.py"}, "Python", "main.py"),
        ({"Main__java": MAIN, "helper__py": "print()"}, "Java", "Main.java"),
        ({"Makefile": "all:\n\tgcc x.c\nrun: all\n\t./a.out\n", "x__c": "int main() {}"}, "make", "x.c"),
    ],
)  # fmt: skip
def test_the_files_tell_what_is_run(files: dict[str, str], language: str, main: str) -> None:
    found = recipe_for(folder(**files))
    assert isinstance(found, Recipe) and (found.language, found.main) == (language, main)


def test_of_several_mains_a_person_decides() -> None:
    several = folder(one__java=MAIN, two__java=MAIN, README__md="Start it:\n\n    java three\n")
    found = recipe_for(several)
    assert isinstance(found, Unclear)
    assert (
        "one.java, two.java" in found.why and "--run" in found.why and "README says: java three" in found.why
    )
    assert [recipe.main for recipe in found.candidates] == ["one.java", "two.java"]
    decided = recipe_for(several, None, "java -cp classes two")
    assert isinstance(decided, Recipe) and decided.run == ("java", "-cp", "classes", "two")


def test_commands_come_before_what_the_files_tell() -> None:
    found = recipe_for(folder(x__c="int main() {}"), "make special", "./special --terminal")
    assert isinstance(found, Recipe)
    assert (found.build, found.run) == ((("make", "special"),), ("./special", "--terminal"))


def test_no_source_is_told() -> None:
    assert isinstance(recipe_for(folder(report__pdf="")), Unclear)
    assert isinstance(recipe_for(()), Unclear)


def test_a_package_of_java_is_run_by_its_whole_name() -> None:
    found = recipe_for(folder(Game__java=f"package ttt.ui;\nclass Game {{ {MAIN} }}"))
    assert isinstance(found, Recipe) and found.run[-1] == "ttt.ui.Game"


@pytest.mark.parametrize(
    ("name", "text", "run"),
    [
        ("oxo/__main__.py", "from oxo.cli import main\nmain()\n", ("-m", "oxo")),
        ("oxo/__main__.py", "from .cli import main\nmain()\n", ("-m", "oxo")),
        ("src/play.py", "import src.board\ninput()\n", ("-m", "src.play")),
        ("src/play.py", "import board\ninput()\n", ("src/play.py",)),
        ("my game/play.py", "from .board import *\ninput()\n", ("my game/play.py",)),
        ("play.py", "from . import board\ninput()\n", ("play.py",)),
    ],
)
def test_a_main_of_a_package_that_imports_itself_is_run_as_a_module(
    name: str, text: str, run: tuple[str, ...]
) -> None:
    found = recipe_for((Handed(name, len(text), text.encode()),))
    assert isinstance(found, Recipe) and found.run[4:] == run


def test_of_several_mains_that_is_meant_that_is_played() -> None:
    """Given a main that lets programs play each other and imports the game, the game is run."""
    guard = "if __name__ == '__main__':\n    play()\n"
    found = recipe_for(folder(game__py=f"input()\n{guard}", simulate__py=f"from game import play\n{guard}"))
    assert isinstance(found, Recipe) and found.main == "game.py"


def test_several_mains_of_one_language_hide_no_other() -> None:
    assert isinstance(recipe_for(folder(A__java=MAIN, B__java=MAIN, c__c="int main() {}")), Unclear)


def test_a_build_of_its_own_goes_with_what_the_files_tell() -> None:
    found = recipe_for(folder(x__c="int main() {}"), "make program")
    assert isinstance(found, Recipe) and (found.build, found.run) == ((("make", "program"),), ("./program",))


def test_a_command_that_cannot_be_read_is_told() -> None:
    with pytest.raises(UserError, match="cannot be read as a command"):
        recipe_for(folder(x__c="int main() {}"), None, "./x 'unclosed")


def test_a_long_source_takes_no_time() -> None:
    started = time.process_time()
    recipe_for(folder(x__c="\n" * 300_000, Y__java="\n" * 300_000, README__md="python" + " " * 5000 + "!"))
    assert time.process_time() - started < 3


def test_of_several_mains_the_one_is_meant_that_the_readme_starts() -> None:
    several = folder(one__java=MAIN, two__java=MAIN, README__md="Start it:\n\n    java two\n")
    found = recipe_for(several)
    assert isinstance(found, Recipe) and found.main == "two.java"


def test_what_is_built_has_a_name_of_its_own() -> None:
    found = recipe_for((Handed("program/t.c", 17, b"int main(void) {}"), Handed("program_2", 0, b"")))
    assert isinstance(found, Recipe) and found.run == ("./program_3",)
    java = recipe_for((Handed("classes/Main.java", len(MAIN), MAIN.encode()),))
    assert isinstance(java, Recipe) and "classes_2" in java.build[0]


def test_a_source_in_another_encoding_is_read_in_it() -> None:
    found = recipe_for((Handed("Main.java", 50, MAIN.encode() + "// é".encode("latin-1")),))
    assert isinstance(found, Recipe) and "ISO-8859-1" in found.build[0]


def test_no_name_of_a_file_is_taken_for_an_option_or_a_list() -> None:
    for name in ("-oabc.c", "@list.c"):
        found = recipe_for((Handed(name, 17, b"int main(void) {}"),))
        assert isinstance(found, Recipe) and f"./{name}" in found.build[0]


def test_a_file_that_reads_no_line_is_started_if_it_imports_what_does() -> None:
    """Given a main that imports a game and is imported by nobody, in two languages."""
    found = recipe_for(
        folder(game__py="def play():\n    input()\n", main__py="from game import play\nplay()\n")
    )
    assert isinstance(found, Recipe) and found.main == "main.py"
    files = {"src/lib/game.js": "require('readline')", "src/play.js": 'require("./lib/game").play()'}
    handed = tuple(Handed(name, len(text), text.encode()) for name, text in files.items())
    found = recipe_for(handed)
    assert isinstance(found, Recipe) and found.main == "src/play.js"


def test_of_several_mains_one_with_a_computer_is_played() -> None:
    """Given a main for two people of the usual name, and two with a computer, one of them by minimax."""
    main = "class {0} {{ public static void main(String[] a) {{ {1} }} }}"
    files = {
        "TicTacToe": "new Player();",
        "AlphaBetaGame": "new AlphaBeta();",
        "MinimaxGame": "new Minimax();",
    }
    found = recipe_for(folder(**{f"{name}__java": main.format(name, text) for name, text in files.items()}))
    assert isinstance(found, Recipe) and found.main == "MinimaxGame.java"
