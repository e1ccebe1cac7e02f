# Turns share/report/report.css and report.js into a C header: the string TWX_PAGE_CSS and TWX_PAGE_JS.
BEGIN {
    print "/* made from share/report by scripts/cmake/embed-page.awk */"
    print "#ifndef TWX_PAGE_TEXT_H"
    print "#define TWX_PAGE_TEXT_H"
}
FNR == 1 {
    if (NR > 1) print "    ;"
    name = FILENAME; sub(/.*\./, "", name)
    print "static const char TWX_PAGE_" toupper(name) "[] ="
}
{ gsub(/\\/, "&&"); gsub(/"/, "\\\""); print "    \"" $0 "\\n\"" }
END { print "    ;"; print "#endif" }
