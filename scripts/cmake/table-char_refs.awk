# Named character references: all names in one string, and for each where it stands, its length and its code points.
function points(text) {
    n = split(text, part, " ")
    if (n < 1 || n > 2 || (n == 2 && number(part[2]) > 65535)) wrong("not one code point, or two of which the second has 16 bits")
    return "0x" part[1] ", " (n == 2 ? "0x" part[2] : 0)
}
{
    if (NF != 2 || $1 !~ /^[A-Za-z][A-Za-z0-9]*;?$/) wrong("not a name and its code points")
    if ($1 "" <= last "") wrong("'" $1 "' is not in byte order")
    reference[++references] = "{" at + 0 ", " length($1) ", " points($2) "}"
    names[references] = last = $1
    at += length($1)
}
END {
    if (failed) exit 1
    header(name)
    print "#include <stdint.h>"
    print "enum { REFERENCES = " references " };"
    print "static const char REFERENCE_NAMES[] ="
    for (i = 1; i <= references; i++) print "    \"" names[i] "\""
    print "    ;"
    print "/* where the name stands in REFERENCE_NAMES and how long it is; its one or two code points */"
    print "static const struct {\n    uint16_t at;\n    uint8_t n;\n    uint32_t first;\n    uint16_t second;"
    open_list("} REFERENCE[REFERENCES]")
    for (i = 1; i <= references; i++) item(reference[i])
    close_list()
    print "#endif"
}
