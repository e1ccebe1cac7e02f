# Turns tests/fuzz/cost_shapes.tsv into COST_SHAPE_ROWS, a list of SHAPE(target, beginning, repeated part, end).
function literal(text) { return text == "-" ? "\"\"" : "\"" text "\"" }
{
    if (NF != 4 || $1 !~ /^[a-z0-9_]+$/) wrong("not a target, beginning, repeated part and end")
    rows = rows sprintf(" \\\n    SHAPE(%s, %s, %s, %s),", $1, literal($2), literal($3), literal($4))
}
END {
    if (failed) exit 1
    header("cost_shapes")
    print "#define COST_SHAPE_ROWS" rows
    print "#endif"
}
