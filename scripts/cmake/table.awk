# What the scripts share that turn tables of text into C headers: table-*.awk those of share/tables, *rows.awk and work_tables.awk those
# of src. A file has comments, which begin with #, and rows whose values are separated by tabs. Run with LC_ALL=C.
function wrong(what) {
    printf "%s:%d: %s\n", FILENAME, FNR, what > "/dev/stderr"
    failed = 1
    exit 1
}
function header(name) {
    print "/* made from tables of text by scripts/cmake */"
    print "#ifndef TWX_" toupper(name) "_TABLE_H"
    print "#define TWX_" toupper(name) "_TABLE_H"
}
# a string of C; "-" is the empty one, and TWX_... the macro of that name
function quoted(value) {
    if (value == "-") return "\"\""
    gsub(/[\\"]/, "\\\\&", value)
    gsub(/TWX_[A-Z_]+/, "\" & \"", value)
    return "\"" value "\""
}
# adds a row to the macro TWX_PART_KIND; print_parts() prints them
function add_row(part, row) {
    if (!(part in part_rows)) part_names[++n_parts] = part
    part_rows[part] = part_rows[part] " \\\n    " row ","
}
function print_parts(kind,    i) {
    header(kind)
    for (i = 1; i <= n_parts; i++) print "#define TWX_" part_names[i] "_" toupper(kind) part_rows[part_names[i]]
    print "#endif"
}
function number(hex,    i) {
    if (!(hex in known_number)) {
        if (hex !~ /^[0-9A-F]+$/) wrong("'" hex "' is not a hexadecimal number")
        for (i = 1; i <= length(hex); i++)
            known_number[hex] = 16 * known_number[hex] + index("0123456789ABCDEF", substr(hex, i, 1)) - 1
    }
    return known_number[hex]
}
# an initialiser of several lines
function open_list(declaration) { print declaration " = {"; line = "" }
function item(text) {
    if (length(line) + length(text) > 95) { print line; line = "" }
    line = line " " text ","
}
function close_list() { print line " };" }
BEGIN { FS = "\t" }
/^#/ || NF == 0 { next }
