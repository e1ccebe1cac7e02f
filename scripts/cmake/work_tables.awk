# Turns src/wings/cluster/work_tables.tsv into work_tables.h: TWX_WORK_TABLE_ROWS(X), a list of X(NAME, name, key, STATEMENT).
{
    if (NF != 3 || $1 $3 !~ /^[a-z_]+$/) wrong("not a name, key and statement")
    rows = rows sprintf(" \\\n    X(%s, %s, %s, %s)", toupper($1), $1, quoted($2), toupper($3))
}
END {
    if (failed) exit 1
    header("work")
    print "#define TWX_WORK_TABLE_ROWS(X)" rows
    print "#endif"
}
