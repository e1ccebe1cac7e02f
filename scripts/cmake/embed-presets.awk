# Turns share/presets/*.conf into a C header: an array of the files' texts, in the order given.
BEGIN {
    print "/* made from share/presets by scripts/cmake/embed-presets.awk */"
    print "#ifndef TWX_PRESETS_TEXT_H"
    print "#define TWX_PRESETS_TEXT_H"
    print "static const struct { const char *name, *text; } TWX_PRESETS[] = {"
}
FNR == 1 {
    if (NR > 1) print "    },"
    name = FILENAME; sub(/.*\//, "", name); sub(/\.conf$/, "", name)
    print "    {\"" name "\","
}
{ gsub(/\\/, "\\\\"); gsub(/"/, "\\\""); print "    \"" $0 "\\n\"" }
END { print "    },"; print "};"; print "#endif" }
