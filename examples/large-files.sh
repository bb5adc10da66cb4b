#!/bin/sh
# A sensor in shell: tells of files in the project that take a megabyte or more, each once. Rarely
# is one of them meant to be committed.
#
#   sensors:
#     large-files:
#       script: ~/attend/examples/large-files.sh
#       interval: 2m
#
# What `attend sensors try large-files` prints where a dump of 3 MiB lies in a project:
#
#  3.0  data/dump.sql takes 3072 KiB
#       shown
#
# It would print:
#
# [attend sensor=large-files priority=medium] data/dump.sql takes 3072 KiB
set -eu

# What was told already. The directory is this sensor's own; a trial has an empty one.
known="$ATTEND_STATE_DIR/known"
touch "$known"

# One line is one event: its magnitude, and what it says.
find . -name .git -prune -o -type f -size +1023k -print | sort | while IFS= read -r file; do
    if ! grep -qxF -e "$file" "$known"; then
        printf '%s\n' "$file" >>"$known"
        printf '3|%s takes %s KiB\n' "${file#./}" "$(($(wc -c <"$file") / 1024))"
    fi
done
