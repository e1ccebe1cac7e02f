# Turns files into a C header of strings: all *.css that follow each other make the string TWX_<part>_CSS, all *.js TWX_<part>_JS. Called with
# -v part=NAME.
BEGIN {
    print "/* made from share by scripts/cmake/embed-page.awk */"
    print "#ifndef TWX_" part "_TEXT_H"
    print "#define TWX_" part "_TEXT_H"
}
FNR == 1 {
    kind = FILENAME; sub(/.*\./, "", kind)
    if (kind != last) {
        if (NR > 1) print "    ;"
        print "static const char TWX_" part "_" toupper(kind) "[] ="
    }
    last = kind
}
{ gsub(/\\/, "&&"); gsub(/"/, "\\\""); print "    \"" $0 "\\n\"" }
END { print "    ;"; print "#endif" }
