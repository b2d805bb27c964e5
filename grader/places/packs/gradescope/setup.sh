#!/usr/bin/env bash
# Run once, when Gradescope builds the image: Python 3.11 or newer, and the grader in an environment of its own.
set -euo pipefail
compilers=({compilers})  # for programs; functions need none
root=${AUTOGRADER_ROOT:-/autograder}

python() {
    for name in python3.14 python3.13 python3.12 python3.11 python3; do
        if command -v "$name" >/dev/null && "$name" -I -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$name"
            return
        fi
    done
    return 1
}

if ! python >/dev/null; then
    apt-get update
    apt-get install --yes --no-install-recommends python3.11 python3.11-venv
fi
if [ ${#compilers[@]} -gt 0 ]; then
    apt-get update
    apt-get install --yes --no-install-recommends "${compilers[@]}"
fi
"$(python)" -I -m venv "$root/grader"
"$root/grader/bin/python" -I -m pip install --quiet --disable-pip-version-check "$root"/source/*.whl
"$root/grader/bin/tictactoe-grader" --version
chmod -R o= "$root/source"
