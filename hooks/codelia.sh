#!/bin/sh
# Runs codelia if it is installed, and otherwise succeeds without doing anything: a command that a team commits must not
# fail for members without the program. Agents read exit code 2 of a hook as "block the tool".
#
#   sh hooks/codelia.sh resolve src/main.ts
command -v codelia >/dev/null 2>&1 || exit 0
exec codelia "$@"
