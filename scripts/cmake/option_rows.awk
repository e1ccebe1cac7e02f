# Turns options.tsv and the command_*.tsv of the wings of a build into option_rows.h: for each PART a macro TWX_PART_OPTIONS, its rows as
# initialisers of twx_option. src/cli/options.tsv describes the columns.
function or_null(value) { return value == "-" ? "NULL" : quoted(value) }
{
    if (NF != 7 || $1 !~ /^[A-Z_]+$/) wrong("not a part, name, letter, argument, target, setting and help")
    target = "TWX_TO_SETTING, 0"
    if ($5 != "-") {
        if ($5 !~ /^[a-z0-9_]+ [a-z0-9_]+\.[a-z0-9_.]+$/) wrong("'" $5 "' is not a kind and a member of a struct")
        split($5, word, " ")
        dot = index(word[2], ".")
        target = "TWX_TO_" toupper(word[1]) ", offsetof(" substr(word[2], 1, dot - 1) ", " substr(word[2], dot + 1) ")"
    }
    equals = index($6, "=")
    setting = equals ? substr($6, 1, equals - 1) : $6
    add_row($1, sprintf("{%s, %s, %s, %s, %s, %s, %s}", quoted($2), $3 == "-" ? "0" : "'" $3 "'", or_null($4),
        setting == "*" ? "\"\"" : or_null(setting), equals ? quoted(substr($6, equals + 1)) : "NULL", target, or_null($7)))
}
END { if (!failed) print_parts("options") }
