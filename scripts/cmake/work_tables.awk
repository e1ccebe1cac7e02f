# Turns src/wings/cluster/work_tables.tsv into TWX_WORK_TABLE_ROWS(X), a list of X(NAME, name, key, STATEMENT).
BEGIN { FS = "\t" }
/^#/ || NF == 0 { next }
{
    if (NF != 3 || $1 $3 !~ /^[a-z_]+$/) {
        printf "%s:%d: not a name, key and statement, separated by tabs\n", FILENAME, FNR > "/dev/stderr"
        exit failed = 1
    }
    rows = rows sprintf(" \\\n    X(%s, %s, \"%s\", %s)", toupper($1), $1, $2, toupper($3))
}
END {
    if (failed) exit 1
    print "/* made from work_tables.tsv by scripts/cmake/work_tables.awk */"
    print "#ifndef TWX_WORK_TABLES_H"
    print "#define TWX_WORK_TABLES_H"
    print "#define TWX_WORK_TABLE_ROWS(X)" rows
    print "#endif"
}
