# Turns SQL files into one C header of string constants, comments kept: they show up in traces. A line "-- name: x" begins a
# statement; what stands before the first one is about the file.
function constant(path, name) {
    sub(root, "", path); sub(/\.sql$/, "", path); path = path "_" name; gsub(/[^A-Za-z0-9]/, "_", path)
    return "TWX_SQL_" toupper(path)
}
function finish() { if (begun) print "    \"\""; blank = 0 }
BEGIN { print "/* made from sql/ by scripts/cmake/embed-sql.awk */"; print "#ifndef TWX_SQL_TEXT_H"; print "#define TWX_SQL_TEXT_H" }
FNR == 1 { finish(); begun = 0 }
/^-- name: / { finish(); begun = 1; print "#define " constant(FILENAME, $3) " \\"; next }
/^$/ { blank++; next } # not after a statement
begun { for (; blank; blank--) print "    \"\\n\" \\" }
begun { gsub(/\\/, "\\\\"); gsub(/"/, "\\\""); print "    \"" $0 "\\n\" \\" }
END { finish(); print "#endif" }
