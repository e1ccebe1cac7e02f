# Turns files of style and script into a C header: all *.css that follow each other make the string TWX_PAGE_CSS, all *.js TWX_PAGE_JS.
BEGIN {
    print "/* made from share/page and share/report by scripts/cmake/embed-page.awk */"
    print "#ifndef TWX_PAGE_TEXT_H"
    print "#define TWX_PAGE_TEXT_H"
}
FNR == 1 {
    kind = FILENAME; sub(/.*\./, "", kind)
    if (kind != last) {
        if (NR > 1) print "    ;"
        print "static const char TWX_PAGE_" toupper(kind) "[] ="
    }
    last = kind
}
{ gsub(/\\/, "&&"); gsub(/"/, "\\\""); print "    \"" $0 "\\n\"" }
END { print "    ;"; print "#endif" }
