"""Programs that sleep are hurried; whatever is looked at again is seen as it is."""

import shutil
import time

import pytest

from grader.core.course.rubric import HowToRun, Limits
from grader.programs.built import Built, build
from grader.programs.program import Program
from grader.programs.recipes import Recipe, recipe_for
from grader.programs.terminal import Turn
from tests.programs.talkers.manners import handed_in
from tests.programs.test_languages import folder

LONG = 600
ASLEEP = {
    "python3": {"a__py": f"import time\nprint('hm', flush=True)\ntime.sleep({LONG})\ninput('now? ')\n"},
    "gcc": {"a__c": f"#include <stdio.h>\n#include <unistd.h>\nint main() {{ sleep({LONG}); usleep(500000); puts(\"now?\"); getchar(); }}\n"},
    "bash": {"a__sh": f"sleep {LONG}\nread -p 'now? ' it\n"},
    "perl": {"a__pl": f"$| = 1; sleep {LONG}; print 'now? '; my $it = <STDIN>;\n"},
}  # fmt: skip


def built(files: dict[str, str]) -> Built:
    recipe, limits = recipe_for(folder(**files)), Limits(memory_mb=400)
    assert isinstance(recipe, Recipe)
    found = build(recipe, folder(**files), limits, time.monotonic() + LONG)
    assert isinstance(found, Built)
    return found


@pytest.mark.exhaustive(beyond=1)
@pytest.mark.parametrize("tool", ASLEEP)
def test_who_hurries_does_not_sleep_until_something_is_looked_at_again(tool: str) -> None:
    if shutil.which(tool) is None:
        pytest.skip(f"no {tool} on this machine")
    program = built(ASLEEP[tool])
    program.skips_sleeps = True
    with program.opened() as terminal:
        assert terminal.wait(30) is Turn.WAITS and "now?" in terminal.said
    with program.opened(again=True) as terminal:
        assert terminal.wait(1) is Turn.TOO_LATE
    with program.opened() as terminal:
        assert terminal.wait(1) is Turn.TOO_LATE, "what comes after it, too"
    assert program.count == 3
    program.close()


def test_how_a_program_is_played_is_found_out_without_its_sleeps() -> None:
    (game,) = handed_in("squares_by_letters")
    program = Program(
        folder(game__py=f"import time\ntime.sleep({LONG})\n{game.content.decode()}"), Limits(), HowToRun()
    )
    assert program.discover() == "" and program.seconds < LONG


def test_a_program_that_crashes_without_its_sleeps_is_played_with_them() -> None:
    (game,) = handed_in("squares_by_letters")
    alarmed = (
        "import time\nbegan = time.monotonic()\ntime.sleep(0.5)\nassert time.monotonic() - began > 0.4\n"
    )
    program = Program(folder(game__py=alarmed + game.content.decode()), Limits(), HowToRun())
    assert program.discover() == ""


@pytest.mark.games(500)
@pytest.mark.exhaustive
def test_a_program_that_sleeps_before_each_reply_is_seen_whole() -> None:
    """Given two seconds of sleep for each reply, in less time than its games would take with them."""
    (game,) = handed_in("squares_by_letters")
    naps = game.content.replace(b"def typed(", b"import time\n\ndef typed(", 1).replace(
        b"    prompts, form =", b"    time.sleep(2)\n    prompts, form =", 1
    )
    program = Program(folder(game__py=naps.decode()), Limits(load=60, deadline=20, total=2_000), HowToRun())
    assert program.discover() == "" and naps != game.content
    assert program.play().decided and not program.play().faults
    assert program.play().seconds < len(program.play().replies) * 2
