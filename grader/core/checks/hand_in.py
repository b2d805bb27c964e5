"""Checks of the files that came with a submission. What is not found is for a person, never an accusation."""

from grader.core.checks.outcome import Context, Outcome, failed, passed
from grader.core.checks.reasons import because
from grader.core.course import readme
from grader.core.course.hand_in import MOST_COMPARED, Folder, matching
from grader.core.course.questions import Files, Readme
from grader.core.grade import Status

_BARE = Outcome(Status.SKIPPED, because("without-folder"))


def check_files(question: Files, context: Context) -> Outcome:
    """See whether all files are there, and those that were given are as they were."""
    folder = context.client.submission.folder
    if folder is None:
        return _BARE
    missing = [name.replace("|", " or ") for name in question.required if not matching(folder, name)]
    faults = [f"{name} is missing" for name in missing]
    too_large = []
    for name, known in question.unmodified.items():
        found = matching(folder, name)
        if not found:
            faults.append(f"{name} is missing")
        elif (is_copy := found[0].is_copy(known)) is None:
            too_large.append(found[0].name)
        elif not is_copy:
            faults.append(f"{found[0].name} is not as it was given")
    known_names = (*question.required, *question.optional, *question.unmodified)
    if question.others == "refused":
        strange = [one.name for one in folder if not any(matching((one,), name) for name in known_names)]
        faults += [f"{name} was not asked for" for name in strange[:5]]
    faults += [
        f"{one.name} has {one.size / 1000:,.0f} kB; at most {question.largest_kb:,} were asked for"
        for one in folder
        if one.size > 1000 * question.largest_kb
    ]
    if len(folder) > question.most:
        faults.append(f"there are {len(folder)} files; at most {question.most} were asked for")
    if faults:
        return failed(because("hand-in", faults=faults))
    if too_large:
        reason = because("too-large-to-compare", most=MOST_COMPARED / 1e6, files=too_large)
        return Outcome(Status.SKIPPED, reason)
    return passed(because("all-files", files=(*question.required, *question.unmodified)))


def check_readme(question: Readme, context: Context) -> Outcome:
    """See whether the README has its parts, as far as words can tell."""
    folder = context.client.submission.folder
    if folder is None:
        return _BARE
    text = readme_text(folder, question)
    if text is None:
        return failed(because("no-readme", file=question.file.rstrip("*")))
    missing = [part for part in question.parts if not readme.has(part, text, question.words)]
    if missing:
        return failed(because("readme-without", parts=[part.replace("_", " ") for part in missing]))
    return passed(because("readme-has-all"))


def readme_text(folder: Folder, question: Readme) -> str | None:
    """Return the README of a hand-in, or None."""
    found = sorted(matching(folder, question.file), key=lambda one: one.name.count("/"))
    return found[0].content.decode("utf-8", "replace") if found else None


def claims_pruning(folder: Folder | None, question: Readme) -> bool:
    """Return whether a README describes alpha-beta pruning."""
    text = readme_text(folder, question) if folder else None
    return text is not None and readme.has("alpha_beta", text, question.words)
