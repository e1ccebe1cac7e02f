# Turns *.rows, the lists of what the rooms and the wings of a build have, into one header: for each KIND a macro that calls ROW(NAME)
# for each of its lines "KIND PLACE NAME", in order of PLACE. Commands are grouped by the hundreds of their places: ROW(NAME, GROUP).
BEGIN { n_kinds = split("wing command method settings hooks functions", kinds, " ") }
/^#/ || NF == 0 { next }
{
    known = 0
    for (k = 1; k <= n_kinds; k++) known = known || kinds[k] == $1
    if (!known || NF != 3 || $2 !~ /^[0-9]+$/) {
        printf "%s:%d: not a row \"KIND PLACE NAME\"\n", FILENAME, FNR > "/dev/stderr"
        exit failed = 1
    }
    if (($1, $2) in used) {
        printf "%s:%d: %s %d is %s in another row; 'grep -rh \"^%s \" src --include=*.rows' lists those that are taken\n",
            FILENAME, FNR, $1, $2, used[$1, $2], $1 > "/dev/stderr"
        exit failed = 1
    }
    used[$1, $2] = $3
    i = ++n[$1]
    for (; i > 1 && place[$1, i - 1] > $2 + 0; i--) {
        place[$1, i] = place[$1, i - 1]
        name[$1, i] = name[$1, i - 1]
    }
    place[$1, i] = $2 + 0
    name[$1, i] = $3
}
END {
    if (failed) exit 1
    print "/* made from *.rows by scripts/cmake/rows.awk */"
    print "#ifndef TWX_ROWS_H"
    print "#define TWX_ROWS_H"
    for (k = 1; k <= n_kinds; k++) {
        printf "#define TWX_%s_ROWS(ROW)", toupper(kinds[k])
        for (i = 1; i <= n[kinds[k]]; i++)
            printf " \\\n    ROW(%s%s)", name[kinds[k], i], kinds[k] == "command" ? ", " int(place["command", i] / 100) : ""
        print ""
    }
    print "#endif"
}
