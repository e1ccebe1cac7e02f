# Turns share/patterns/pages.tsv into a C header: the lines that are no comments, as one string; the others are empty, so that lines
# keep their numbers in messages.
BEGIN {
    print "/* made from share/patterns by scripts/cmake/embed-patterns.awk */"
    print "#ifndef TWX_PATTERNS_TEXT_H"
    print "#define TWX_PATTERNS_TEXT_H"
    print "static const char TWX_PATTERNS[] ="
}
/^#/ { $0 = "" }
{ gsub(/\\/, "\\\\&"); gsub(/"/, "\\\""); gsub(/\?\?/, "?\"\"?"); print "    \"" $0 "\\n\"" }
END { print "    ;"; print "#endif" }
