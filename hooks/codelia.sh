#!/bin/sh
# Runs codelia where it is installed, and does nothing, successfully, where it is not: a command that a team commits
# must not fail for those who don't have the program. An agent reads exit code 2 of a hook as "block the tool".
#
#   sh hooks/codelia.sh resolve src/main.ts
command -v codelia >/dev/null 2>&1 || exit 0
exec codelia "$@"
