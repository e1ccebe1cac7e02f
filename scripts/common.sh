# Sourced by the scripts beside it: where things are, and how to say what went wrong.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export LC_ALL=C.UTF-8

die() {
    printf '%s: %s\n' "$(basename "$0")" "$1" >&2
    exit "${2:-1}"
}

usage() { # the comment at the top of the script is its manual
    awk 'NR > 1 && !/^#/ { exit } NR > 1 { sub(/^# ?/, ""); print }' "$0"
}

# quiet LOG COMMAND...: shows what the command printed only when it fails
quiet() {
    local log=$1
    shift
    mkdir -p "$(dirname "$log")"
    if ! "$@" >"$log" 2>&1; then
        cat "$log" >&2
        return 1
    fi
}

# configure PRESET [cmake option...]
configure() {
    local preset=$1
    shift
    [ -n "$preset" ] && grep -q "\"name\": \"$preset\", \"inherits\"" "$root/CMakePresets.json" ||
        die "no preset '$preset'; there are:$(sed -n 's/.*"name": "\([a-z]*\)", "inherits".*/ \1/p' \
            "$root/CMakePresets.json" | tr -d '\n')" 64
    if command -v ccache >/dev/null; then set -- -DCMAKE_C_COMPILER_LAUNCHER=ccache "$@"; fi
    (cd "$root" && quiet "build/$preset/configure.log" cmake --preset "$preset" "$@") ||
        die "cannot configure '$preset'"
}

# watch_build PRESET: how far a build is, each second on a terminal, else each ten seconds
watch_build() {
    local pause=10 begin='' end='\n' since=$SECONDS at
    if [ -t 2 ]; then pause=1 begin='\r' end='\033[K'; fi
    while sleep "$pause" >/dev/null 2>&1 </dev/null; do
        at=$(tail -n 1 "$root/build/$1/build.log" 2>/dev/null | sed -n 's|^\[\([0-9]*\)/\([0-9]*\)\].*|\1 of \2 steps|p') || :
        # shellcheck disable=SC2059 # the formats are those above
        printf "${begin}building twindex (%s): %s, %d s${end}" "$1" "${at:-begun}" $((SECONDS - since)) >&2
    done
}

# build_targets PRESET TARGET...: ninja's output only when something breaks
build_targets() {
    local preset=$1 watcher result=0
    shift
    watch_build "$preset" &
    watcher=$!
    (cd "$root" && quiet "build/$preset/build.log" cmake --build "build/$preset" -j "$(nproc)" --target "$@") || result=1
    kill "$watcher" 2>/dev/null || :
    wait "$watcher" 2>/dev/null || :
    if [ -t 2 ]; then printf '\r\033[K' >&2; fi
    [ "$result" = 0 ] || die "cannot build '$preset'"
}
