# What the scripts table-*.awk share, which turn share/tables/NAME.tsv into the C header NAME_table.h. A file has comments, which begin
# with #, and rows whose values are separated by tabs. Run with LC_ALL=C.
function wrong(what) {
    printf "%s:%d: %s\n", FILENAME, FNR, what > "/dev/stderr"
    failed = 1
    exit 1
}
function header(name) {
    print "/* made from share/tables by scripts/cmake/table-*.awk */"
    print "#ifndef TWX_" toupper(name) "_TABLE_H"
    print "#define TWX_" toupper(name) "_TABLE_H"
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
