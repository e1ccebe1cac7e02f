# Turns settings.tsv and the settings_*.tsv of the wings of a build into setting_rows.h: for each PART of the list of settings a macro
# TWX_PART_SETTINGS, its rows as initialisers of twx_setting_row. src/run/settings.tsv describes the columns.
{
    if (NF != 8 || $1 !~ /^[A-Z]+$/) wrong("not a part, name, default, values, kind, member, check and help")
    add_row($1, sprintf("{{%s, %s, %s, %s}, TWX_KIND_%s, %s, %s}", quoted($2), quoted($3), quoted($4), quoted($8), $5,
        $6 == "-" ? "0" : "offsetof(twx_settings, " $6 ")", $7 == "-" ? "NULL" : $7))
}
END { if (!failed) print_parts("settings") }
