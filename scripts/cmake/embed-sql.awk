# Turns SQL files into one C header of string constants, comments kept: they show up in traces. A line "-- name: x" begins a
# statement; what stands before the first one is about the file. The scripts steps_to_VERSION are also a list, TWX_SQL_STEPS, and the
# last VERSION is TWX_SQL_VERSION.
function constant(path, name) {
    sub(root, "", path); sub(/\.sql$/, "", path); path = path "_" name; gsub(/[^A-Za-z0-9]/, "_", path)
    return "TWX_SQL_" toupper(path)
}
function finish() { if (begun) print "    \"\""; blank = 0 }
BEGIN { print "/* made from sql/ by scripts/cmake/embed-sql.awk */"; print "#ifndef TWX_SQL_TEXT_H"; print "#define TWX_SQL_TEXT_H" }
FNR == 1 { finish(); begun = 0 }
/^-- name: steps_to_/ {
    to = substr($3, 10)
    if (to !~ /^[0-9]+$/ || (steps && to != version + 1)) {
        printf "%s:%d: %s is not the step to the version after %s\n", FILENAME, FNR, $3, version > "/dev/stderr"
        exit failed = 1
    }
    version = to + 0
    steps = steps (steps ? ", " : "") constant(FILENAME, $3)
}
/^-- name: / { finish(); begun = 1; print "#define " constant(FILENAME, $3) " \\"; next }
/^$/ { blank++; next } # not after a statement
begun { for (; blank; blank--) print "    \"\\n\" \\" }
begun { gsub(/\\/, "\\\\"); gsub(/"/, "\\\""); print "    \"" $0 "\\n\" \\" }
END {
    if (failed) exit 1
    finish()
    print "#define TWX_SQL_STEPS " steps
    print "#define TWX_SQL_VERSION " version
    print "#endif"
}
