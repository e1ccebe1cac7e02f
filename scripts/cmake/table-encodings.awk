# Encodings: an enum with those of one byte a character first, their names and labels, and the tables of encoding_indexes.tsv: for each
# pointer a code point, 0 for none. Code points on plane 2 have a bit in a table of their own.
BEGIN {
    # how many pointers the decoders can ask for
    size["jis0208"] = 60 * 188
    size["jis0212"] = 94 * 94
    size["gbk"] = 126 * 190
    size["big5"] = 126 * 157
    size["euc-kr"] = 125 * 190
    size["gb18030-ranges"] = 39420
    n_tables = split("jis0208 jis0212 gbk big5 euc-kr", tables, " ")
}
function identifier(text) {
    text = tolower(text)
    gsub(/[^a-z0-9]/, "_", text)
    return text
}
function print_index(name,    p) {
    for (p = 0; p < size[name]; p++) item((name, p) in code ? code[name, p] : 0)
}
FILENAME ~ /encodings\.tsv$/ {
    if (NF != 3 || $1 !~ /^(single|multiple)$/) wrong("not 'single NAME LABELS' or 'multiple NAME LABELS'")
    if ($1 == "single") { single[++singles] = $2; size[$2] = 128 } else multiple[++multiples] = $2
    n = split($3, label, " ")
    for (i = 1; i <= n; i++) {
        if (label[i] in labelled) wrong("a second encoding for '" label[i] "'")
        labelled[label[i]] = 1
        labels[++n_labels] = "{\"" label[i] "\", ENCODING_" identifier($2) "}"
    }
    next
}
{
    if (NF != 3 || !($1 in size) || $2 !~ /^[0-9]+$/) wrong("not 'TABLE POINTER CODES' of a known table")
    pointer = $2 + 0
    if (pointer < after[$1]) wrong("pointers are not in order")
    n = split($3, runs, " ")
    for (i = 1; i <= n; i++) {
        last = split(runs[i], run, "-")
        from = number(run[1])
        to = number(run[last])
        if (last > 2 || to < from || to > 196607 || (to > 65535 && (from < 131072 || $1 != "big5"))) wrong("'" runs[i] "' is not a run of code points")
        if ($1 == "gb18030-ranges") {
            # what stands between two runs has no code point: 0, and only one pointer can say so
            if (pointer > after[$1] + 1) wrong("two pointers of gb18030-ranges without a code point")
            if (pointer > after[$1]) ranges[++n_ranges] = "{" after[$1] + 0 ", 0}"
            if (pointer > after[$1] || from != next_code) ranges[++n_ranges] = "{" pointer ", 0x" run[1] "}"
            pointer += to - from + 1
            next_code = to + 1
        } else
            for (; from <= to; from++) {
                if (from > 65535) plane_2[$1, pointer] = 1
                code[$1, pointer++] = from % 65536
            }
        after[$1] = pointer
    }
    if (pointer > size[$1]) wrong("a pointer beyond the table")
}
END {
    if (failed) exit 1
    header(name)
    print "#include <stdint.h>"
    print "typedef enum encoding {"
    for (i = 1; i <= singles; i++) item("ENCODING_" identifier(single[i]))
    item("SINGLE_BYTES")
    for (i = 1; i <= multiples; i++) item("ENCODING_" identifier(multiple[i]) (i == 1 ? " = SINGLE_BYTES" : ""))
    item("ENCODINGS, NO_ENCODING = ENCODINGS")
    print line "\n} encoding;"
    open_list("static const char *const NAMES[ENCODINGS]")
    for (i = 1; i <= singles; i++) item("\"" single[i] "\"")
    for (i = 1; i <= multiples; i++) item("\"" multiple[i] "\"")
    close_list()
    print "static const struct {\n    const char *label;\n    encoding encoding;"
    open_list("} LABELS[]")
    for (i = 1; i <= n_labels; i++) item(labels[i])
    close_list()
    open_list("static const uint16_t SINGLE_BYTE[SINGLE_BYTES][128]")
    for (i = 1; i <= singles; i++) {
        print line "    {"
        line = ""
        print_index(single[i])
        print line "},"
        line = ""
    }
    close_list()
    for (t = 1; t <= n_tables; t++) {
        open_list("static const uint16_t " toupper(identifier(tables[t])) "[" size[tables[t]] "]")
        print_index(tables[t])
        close_list()
    }
    # a bit for each pointer of big5: its code point is on plane 2
    open_list("static const uint8_t BIG5_PLANE_2[" int((size["big5"] + 7) / 8) "]")
    for (p = 0; p < size["big5"]; p += 8) {
        bits = 0
        for (b = 7; b >= 0; b--) bits = 2 * bits + (("big5", p + b) in plane_2)
        item(bits)
    }
    close_list()
    print "/* four-byte sequences of GB 18030 from a pointer on, to code points from a first one on */"
    print "static const struct {\n    uint16_t pointer, first;"
    open_list("} GB18030_RANGES[" n_ranges "]")
    for (i = 1; i <= n_ranges; i++) item(ranges[i])
    close_list()
    print "#endif"
}
