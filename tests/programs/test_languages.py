import time

import pytest

from grader.core.course.hand_in import Folder, Handed
from grader.core.errors import UserError
from grader.programs.languages import Recipe, Unclear, recipe_for


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
        ({"Main__java": MAIN, "helper__py": "print()"}, "Java", "Main.java"),
        ({"Makefile": "all:\n\tgcc x.c\nrun: all\n\t./a.out\n", "x__c": "int main() {}"}, "make", "x.c"),
    ],
)  # fmt: skip
def test_the_files_tell_what_is_run(files: dict[str, str], language: str, main: str) -> None:
    found = recipe_for(folder(**files))
    assert isinstance(found, Recipe) and (found.language, found.main) == (language, main)


def test_of_several_mains_a_person_decides() -> None:
    several = folder(one__java=MAIN, two__java=MAIN, README__md="Start it:\n\n    java two\n")
    found = recipe_for(several)
    assert isinstance(found, Unclear)
    assert "one.java, two.java" in found.why and "--run" in found.why and "README says: java two" in found.why
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
