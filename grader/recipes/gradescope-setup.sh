#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the autograder's image.
set -euo pipefail

source=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

bash "$source/install"
# Students' code runs as other users; they shall not even see what is here.
chmod -R go-rwx "$source"
# A mistake in the course is found here, and not at the first submission.
/opt/grader/bin/grader --course "$source/course" exercises
