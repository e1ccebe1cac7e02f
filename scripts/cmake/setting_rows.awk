# Turns settings.tsv and the settings_*.tsv of the wings of a build into one header: for each PART of the list of settings a macro
# TWX_PART_SETTINGS, its rows as initialisers of twx_setting_row. src/run/settings.tsv describes the columns.
BEGIN { FS = "\t" }
/^#/ || NF == 0 { next }
function text(value) {
    if (value == "-") return "\"\""
    gsub(/[\\"]/, "\\\\&", value)
    gsub(/TWX_[A-Z_]+/, "\" & \"", value)
    return "\"" value "\""
}
{
    if (NF != 8 || $1 !~ /^[A-Z]+$/) {
        printf "%s:%d: not a part, name, default, values, kind, member, check and help, separated by tabs\n", FILENAME, FNR > "/dev/stderr"
        exit failed = 1
    }
    if (!($1 in rows)) parts[++n] = $1
    rows[$1] = rows[$1] sprintf(" \\\n    {{%s, %s, %s, %s}, TWX_KIND_%s, %s, %s},", text($2), text($3), text($4), text($8), $5,
        $6 == "-" ? "0" : "offsetof(twx_settings, " $6 ")", $7 == "-" ? "NULL" : $7)
}
END {
    if (failed) exit 1
    print "/* made from settings.tsv and settings_*.tsv by scripts/cmake/setting_rows.awk */"
    print "#ifndef TWX_SETTING_ROWS_H"
    print "#define TWX_SETTING_ROWS_H"
    for (i = 1; i <= n; i++) print "#define TWX_" parts[i] "_SETTINGS" rows[parts[i]]
    print "#endif"
}
