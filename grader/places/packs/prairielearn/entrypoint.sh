#!/usr/bin/env bash
# Run for every submission: grades /grade/student and writes /grade/results/results.json.
root=${GRADE_ROOT:-/grade}
GRADER_SECONDS=${GRADER_SECONDS:-270} bash "$root/tests/grade.sh" prairielearn "$root/student" "$root/results/results.json"
exit 0  # anything else means to PrairieLearn that there is no result
