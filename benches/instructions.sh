#!/usr/bin/env bash
# Compares how many instructions derived and hand-written traversals take, counted by callgrind. Fails where the derived
# one takes more, to two digits. What PyO3 spends on a class with nothing to visit is taken off both.
#
# Then the same for a collection of garbage, the class's whole life included, with the hooks that the import line installs
# and with those by hand. They let go of links one by one, which hooks by hand don't: a fifth more is the limit. (In time
# they take 1.05 at most, see collect.rs.)
#
# Usage: benches/instructions.sh

set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v valgrind >/dev/null; then
    echo "instructions.sh needs valgrind (Debian and Ubuntu: apt install valgrind; Fedora: dnf install valgrind)" >&2
    exit 2
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cargo build --profile bench --bench instructions --message-format=json-render-diagnostics >"$scratch/build"
binary=$(sed -n 's/.*"name":"instructions".*"executable":"\([^"]*\)".*/\1/p' "$scratch/build")

# The instructions of ten traversals: count CLASS SHAPE
count() {
    if ! valgrind --tool=callgrind --callgrind-out-file="$scratch/out" --toggle-collect=measured --toggle-collect=collection \
        "$binary" "$1" "$2" >"$scratch/log" 2>&1; then
        cat "$scratch/log" >&2
        return 1
    fi
    awk '/^(summary|totals):/ { print $2; exit }' "$scratch/out"
}

base=$(count "by hand" nothing)
if [[ -z $base || $base -eq 0 ]]; then
    echo "callgrind has counted nothing" >&2
    exit 1
fi

shapes=$("$binary" list)
status=0
printf '%-28s %12s %12s %8s\n' "instructions" "derived" "by hand" "ratio"
while read -r shape; do
    derived=$(count derived "$shape")
    by_hand=$(count "by hand" "$shape")
    derived=$((derived - base)) by_hand=$((by_hand - base))
    ratio=$(awk -v ours="$derived" -v theirs="$by_hand" 'BEGIN {
        if (theirs > 0) printf "%.2f", ours / theirs
        else print (ours > theirs ? "inf" : "1.00")
    }')
    printf '%-28s %12d %12d %8s\n' "$shape" "$derived" "$by_hand" "$ratio"
    if [[ $ratio == inf ]] || awk -v ratio="$ratio" 'BEGIN { exit !(ratio > 1) }'; then
        status=1
    fi
done <<<"$shapes"

if [[ $status -ne 0 ]]; then
    echo "derived traversals take more instructions than hand-written ones" >&2
fi

wired=$(count garbage wired)
by_hand=$(count garbage "by hand")
ratio=$(awk -v ours="$wired" -v theirs="$by_hand" 'BEGIN { printf "%.2f", ours / theirs }')
printf '%-28s %12d %12d %8s\n' "garbage, wired class" "$wired" "$by_hand" "$ratio"
if awk -v ratio="$ratio" 'BEGIN { exit !(ratio > 1.2) }'; then
    echo "garbage of a wired class takes too many instructions" >&2
    status=1
fi
exit "$status"
