# Turns *.rows, the lists of what the rooms and the wings of a build have, into one header: for each KIND a macro that calls ROW(NAME)
# for each of its lines "KIND PLACE NAME", in order of PLACE. Commands are grouped by the hundreds of their places: ROW(NAME, GROUP).
BEGIN {
    FS = " "
    n_kinds = split("wing command method settings hooks functions", kinds, " ")
}
{
    known = 0
    for (k = 1; k <= n_kinds; k++) known = known || kinds[k] == $1
    if (!known || NF != 3 || $2 !~ /^[0-9]+$/) wrong("not a row \"KIND PLACE NAME\"")
    if (($1, $2) in used)
        wrong($1 " " $2 " is " used[$1, $2] " in another row; 'grep -rh \"^" $1 " \" src --include=*.rows' lists those that are taken")
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
    header("rows")
    for (k = 1; k <= n_kinds; k++) {
        printf "#define TWX_%s_ROWS(ROW)", toupper(kinds[k])
        for (i = 1; i <= n[kinds[k]]; i++)
            printf " \\\n    ROW(%s%s)", name[kinds[k], i], kinds[k] == "command" ? ", " int(place["command", i] / 100) : ""
        print ""
    }
    print "#endif"
}
