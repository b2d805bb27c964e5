#!/usr/bin/env bash
# Run once, when Gradescope builds the image: Python 3.11 or newer, and the grader in an environment of its own.
set -euo pipefail
compilers=({compilers})  # for programs; functions need none
extra={extra}  # WebAssembly, which confines a file with functions where the container's kernel does not
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
wheel=$(echo "$root"/source/*.whl)
install() { "$root/grader/bin/python" -I -m pip install --quiet --disable-pip-version-check "$1"; }
if [ -n "$extra" ] && install "$wheel$extra"; then
    "$root/grader/bin/tictactoe-grader" sandbox --prepare || echo "WebAssembly is not prepared" >&2
else
    install "$wheel"
fi
"$root/grader/bin/tictactoe-grader" --version
chmod -R o= "$root/source"
