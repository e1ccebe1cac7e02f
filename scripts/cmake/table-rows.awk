# Rows of C: for each KIND, the first column, a macro KIND_ROWS of its rows: one value as it is, more of them in braces. A .txt is words
# separated by blanks or line ends, in byte order, of the kind that the file is named for. Values but numbers and TWX_... become strings; a
# number in double quotes is one already.
function value(text) {
    if (text ~ /^"[0-9]+"$/ || text ~ /^(0x[0-9A-F]+|[0-9]+|TWX_[A-Z_]+)$/) return text
    gsub(/[\\"]/, "\\\\&", text)
    return "\"" text "\""
}
function add(kind, row) {
    if (kind !~ /^[a-z_]+$/) wrong("'" kind "' is not a kind of rows")
    if (!(kind in rows)) kinds[++n_kinds] = kind
    rows[kind] = rows[kind] " \\\n    " row ","
}
FILENAME ~ /\.txt$/ {
    kind = FILENAME
    sub(/.*\//, "", kind)
    sub(/\.txt$/, "", kind)
    n = split($0, words, " ")
    for (i = 1; i <= n; i++) {
        if (words[i] "" <= last "") wrong("'" words[i] "' is not in byte order")
        add(kind, value(last = words[i]))
    }
    next
}
{
    if (NF < 2) wrong("a row without a value")
    row = value($2)
    for (i = 3; i <= NF; i++) row = row ", " value($i)
    add($1, NF > 2 ? "{" row "}" : row)
}
END {
    if (failed) exit 1
    header(name)
    for (k = 1; k <= n_kinds; k++) print "#define " toupper(kinds[k]) "_ROWS" rows[kinds[k]]
    print "#endif"
}
