# Turns SQL files into one C header of string constants, comments kept: they show up in traces.
function constant(path) {
    sub(root, "", path); sub(/\.sql$/, "", path); gsub(/[^A-Za-z0-9]/, "_", path)
    return "TWX_SQL_" toupper(path)
}
BEGIN { print "/* made from sql/ by scripts/cmake/embed-sql.awk */"; print "#ifndef TWX_SQL_TEXT_H"; print "#define TWX_SQL_TEXT_H" }
FNR == 1 { if (NR > 1) print "    \"\""; print "#define " constant(FILENAME) " \\" }
{ gsub(/\\/, "\\\\"); gsub(/"/, "\\\""); print "    \"" $0 "\\n\" \\" }
END { print "    \"\""; print "#endif" }
