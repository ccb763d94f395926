#!/bin/sh
# Adds every reminder, with where it was given, to a log of one JSON object a line. Prints nothing: the reminder stays.
exec cat >>"${REMINDER_LOG:-$HOME/codelia-reminders.jsonl}"
