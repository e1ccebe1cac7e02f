# Turns functions.tsv and the ext_*.tsv of the wings of a build into function_rows.h: for each PART of the list of SQL functions a macro
# TWX_PART_FUNCTIONS, its rows as initialisers of twx_ext_function. src/ext/functions.tsv describes the columns.
function count(arguments) { return arguments ~ /[^ ]/ ? gsub(/,/, "", arguments) + 1 : 0 }
{
    if (NF != 7 || $1 !~ /^[A-Z]+$/) wrong("not a part, name, arguments, function, detector, trait and help")
    arguments = $3 == "-" ? "" : $3
    optional = index(arguments "[", "[")
    add_row($1, sprintf("{%s, %s, %d, %d, %s, %s, %s, %s}", quoted($2), quoted($3), count(substr(arguments, 1, optional - 1)), count(arguments),
        $6 == "-" ? "0" : "TWX_EXT_" toupper($6), $4, $5 == "-" ? "NULL" : "&TWX_DETECTOR_" $5, quoted($7)))
}
END { if (!failed) print_parts("functions") }
