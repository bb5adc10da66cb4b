#!/bin/sh
# What `attend run` costs while nothing happens: beside a process that is named and recorded as the
# host's, with all sensors, a repository of 50,000 files and a long transcript.
#
#   benches/idle.sh [SECONDS [STATUS]]     120 idle; the status is what the host says it is doing
#
# OFF="git process" switches sensors off, BESIDE=300 lets so many processes sleep beside it.
# unshare -pf --mount-proc benches/idle.sh shows it no process of the machine's.
#
# Everything stands in a temporary directory. It is read from /proc, in nanoseconds, and needs
# Linux, git, and a release build: cargo build --release -p attend-bin
set -eu

seconds=${1:-120}
status=${2:-idle}
files=${FILES:-50000}
megabytes=${MEGABYTES:-8}
target=${CARGO_TARGET_DIR:-$(dirname "$0")/../target}
attend=$(realpath "$target/release/attend")
session=00000000-0000-4000-8000-000000000001

home=$(mktemp -d)
host=
beside=
end() {
    [ -z "$host" ] || kill "$host" 2>/dev/null || true
    [ -z "${pid:-}" ] || kill "$pid" 2>/dev/null || true
    [ -z "$beside" ] || kill $beside 2>/dev/null || true
    rm -rf "$home"
}
trap end EXIT
trap 'exit 1' INT TERM HUP

for name in $(env | sed -n 's/^\(CLAUDE[A-Z_]*\|ATTEND[A-Z_]*\|XDG[A-Z_]*\|GIT[A-Z_]*\)=.*/\1/p'); do
    unset "$name"
done
export HOME="$home" ATTEND_HOME="$home/attend" CLAUDE_CONFIG_DIR="$home/config"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1

# The repository: directories of 20 files, three levels deep.
repo=$home/repo
mkdir "$repo"
git -C "$repo" init -q -b main
awk -v files="$files" 'BEGIN {
    for (n = 0; n < files; n += 20) printf "%d/%d/%d\n", n / 20000, n / 400, n / 20
}' | (cd "$repo" && xargs mkdir -p)
awk -v files="$files" 'BEGIN {
    for (n = 0; n < files; n++) printf "%d/%d/%d/file-%d\n", n / 20000, n / 400, n / 20, n
}' | (cd "$repo" && while read -r file; do echo "$file" >"$file"; done)
git -C "$repo" add -A
git -C "$repo" -c user.name=a -c user.email=a@example.org commit -qm base
repo=$(realpath "$repo")

# The transcript: prompts and answers, each answer a little further into the window.
folder=$CLAUDE_CONFIG_DIR/projects/$(printf %s "$repo" | sed 's/[^A-Za-z0-9]/-/g')
mkdir -p "$folder" "$CLAUDE_CONFIG_DIR/sessions"
awk -v bytes="$((megabytes * 1048576))" -v id="$session" -v cwd="$repo" 'BEGIN {
    words = "some words that somebody wrote and that nobody counts "
    for (n = 0; n < 6; n++) words = words words
    for (n = 1; written < bytes; n++) {
        about = "\"isSidechain\":false,\"sessionId\":\"" id "\",\"cwd\":\"" cwd "\",\"timestamp\":\"2026-11-01T00:00:00Z\""
        row = "{\"type\":\"user\"," about ",\"message\":{\"role\":\"user\",\"content\":\"" words "\"}}\n"
        row = row "{\"type\":\"assistant\"," about ",\"message\":{\"id\":\"msg_" n "\",\"role\":\"assistant\",\"model\":\"claude-opus-4-8\"," \
            "\"content\":[{\"type\":\"text\",\"text\":\"" words "\"}],\"usage\":{\"input_tokens\":3,\"cache_creation_input_tokens\":0," \
            "\"cache_read_input_tokens\":" 10000 + n * 20 ",\"output_tokens\":9}}}\n"
        printf "%s", row
        written += length(row)
    }
}' >"$folder/$session.jsonl"

if [ -n "${OFF:-}" ]; then
    mkdir -p "$ATTEND_HOME/config"
    echo "sensors:" >"$ATTEND_HOME/config/config.yaml"
    for name in $OFF; do
        echo "  $name: {enabled: false}" >>"$ATTEND_HOME/config/config.yaml"
    done
fi

n=0
while [ "$n" -lt "${BESIDE:-0}" ]; do
    sleep 100000 &
    beside="$beside $!"
    n=$((n + 1))
done

# The host: a shell of its own name, which records itself and has attend as a child.
cp /bin/sh "$home/claude"
cat >"$home/script" <<'HOST'
cd "$1"
started=$(sed 's/.*) //' /proc/$$/stat | cut -d' ' -f20)
printf '{"pid":%s,"procStart":"%s","sessionId":"%s","cwd":"%s","startedAt":1,"kind":"interactive","entrypoint":"cli","status":"%s","statusUpdatedAt":%s000}' \
    $$ "$started" "$2" "$1" "$3" "$(date +%s)" >"$CLAUDE_CONFIG_DIR/sessions/$$.json"
"$4" run >"$5/lines" 2>"$5/errors" &
echo $! >"$5/pid"
wait
HOST
"$home/claude" "$home/script" "$repo" "$session" "$status" "$attend" "$home" &
host=$!

checkpoint=$ATTEND_HOME/state/sessions/$session/checkpoint.json
tries=0
until [ -s "$checkpoint" ] && [ -s "$home/pid" ]; do
    tries=$((tries + 1))
    if [ "$tries" -gt 120 ]; then
        echo "attend does not begin:" >&2
        cat "$home/errors" >&2
        exit 1
    fi
    sleep 0.5
done
pid=$(cat "$home/pid")
sleep 20

now() { date +%s%N; }
cpu() { awk '{ns += $1} END {printf "%d\n", ns}' /proc/"$pid"/task/*/schedstat; }
wakeups() { awk '/^voluntary/ {n += $2} END {print n}' /proc/"$pid"/task/*/status; }
# Each thread, with the time that it took so far.
threads() {
    for task in /proc/"$pid"/task/*; do
        echo "$(cat "$task/comm" | tr ' ' '-') $(cut -d' ' -f1 "$task/schedstat")"
    done
}
# Page faults and CPU of children that ended: a process that was started leaves some.
children() { awk '{sub(/.*\) /, ""); print $9 + $11, $14 + $15}' /proc/"$pid"/stat; }
writes() { awk '/^syscw/ {print $2}' /proc/"$pid"/io; }
written() { stat -c %i:%Y "$checkpoint"; }

threads >"$home/threads"
at=$(now) ns=$(cpu) woken=$(wakeups) born=$(children) wrote=$(writes) file=$(written)
sleep "$seconds"
then=$at
at=$(now)
awk -v ns="$(($(cpu) - ns))" -v wall="$((at - then))" 'BEGIN {
    printf "CPU of the process, ns per second of wall time: %d (%.3f ms)\n", ns / wall * 1e9, ns / wall * 1e3
}'
threads | paste -d' ' - "$home/threads" | awk -v wall="$((at - then))" '{
    printf "  of them by %s: %d\n", $1, ($2 - $4) / wall * 1e9
}'
awk -v woken="$(($(wakeups) - woken))" -v wall="$((at - then))" 'BEGIN {
    printf "wakeups a second, all threads: %.2f\n", woken / wall * 1e9
}'
[ "$(children)" = "$born" ] && echo "processes started: 0" || echo "processes started: some ($born, then $(children))"
echo "write calls: $(($(writes) - wrote))"
[ "$(written)" = "$file" ] && echo "checkpoints written: 0" || echo "checkpoints written: some"
grep -E '^(Threads|VmRSS|VmHWM)' /proc/"$pid"/status
echo "lines: $(wc -l <"$home/lines"), errors: $(wc -l <"$home/errors")"
awk '{print "load: " $1}' /proc/loadavg
