#!/usr/bin/env bash
# Grades a copy of a submission in a clean environment; the result is put in its place when everything has ended.
#
#     bash grade.sh PLACE SUBMISSION_FOLDER RESULT_FILE
#
# GRADER          the command of the grader, if it is not in the path or in /opt/tictactoe-grader
# GRADER_SECONDS  how long it may take (540)
# GRADER_KEEP     variables of the environment that the grader may see
set -uo pipefail
place=$1 submission=$2 result=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
grader=${GRADER:-$(command -v tictactoe-grader || echo /opt/tictactoe-grader/bin/tictactoe-grader)}
mkdir -p "$(dirname "$result")"
results=$(cd "$(dirname "$result")" && pwd)
result=$results/$(basename "$result")

put() {  # never through a link or into a folder that a student left under the result's name
    local new
    [ -d "$2" ] && [ ! -L "$2" ] && { chmod -R u+rwX "$2"; rm -rf -- "$2"; }
    new=$(mktemp "$results/.result.XXXXXXXX") && cp -- "$1" "$new" && chmod 644 "$new" && mv -fT -- "$new" "$2"
}

put "$here/not-graded/$place" "$result" || exit 3  # whatever happens from here on, there is a file that says so

workplace=$(mktemp -d)
trap 'chmod -R u+rwX "$workplace"; rm -rf "$workplace"' EXIT
mkdir "$workplace/submission" "$workplace/results" "$workplace/home"
not_theirs=(--exclude=./.git --exclude=./.github --exclude='./vpl_*' --exclude=./result.json --exclude=./release-body.md)
tar -C "$submission" "${not_theirs[@]}" -cf - . | tar -C "$workplace/submission" --no-same-owner -xf -
find "$workplace/submission" ! -type f ! -type d -delete  # a link may lead anywhere, and a pipe never ends

kept=()
for name in ${GRADER_KEEP:-}; do kept+=("$name=${!name-}"); done
cd "$workplace" || exit 3
env -i PATH="$PATH" HOME="$workplace/home" TMPDIR="$workplace" LANG=C.UTF-8 "${kept[@]+"${kept[@]}"}" \
    timeout --kill-after=10 "${GRADER_SECONDS:-540}" \
    "$grader" submission --rubric "$here/course/rubric.yaml" --fixtures "$here/course/fixtures" \
    --write "$place" "results/$(basename "$result")" </dev/null >/dev/null 2>said
code=$?
tr '\r' ' ' <said | sed 's/^/grader: /' >&2  # a file's name must not look like a command to whoever reads this
for file in results/*; do [ -f "$file" ] && [ ! -L "$file" ] && put "$file" "$results/$(basename "$file")"; done
exit $code
