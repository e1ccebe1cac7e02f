# Turns the files of share/page and share/serve into a C header: a table of name, extension and bytes, TWX_STATIC_FILES.
function begin_file(path) {
    if (files++) print "    },"
    name = path; sub(/.*\//, "", name)
    extension = name; sub(/.*\./, "", extension)
    print "    {\"" name "\", \"" extension "\","
}
BEGIN {
    print "/* made from share/page and share/serve by scripts/cmake/embed-serve.awk */"
    print "#ifndef TWX_SERVE_TEXT_H"
    print "#define TWX_SERVE_TEXT_H"
    print "static const twx_static_file TWX_STATIC_FILES[] = {"
}
FNR == 1 { begin_file(FILENAME) }
{ gsub(/\\/, "&&"); gsub(/"/, "\\\""); print "     \"" $0 "\\n\"" }
END { print "    },"; print "};"; print "#endif" }
