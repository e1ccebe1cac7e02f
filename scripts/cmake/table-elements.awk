# Elements: TWX_ELEMENTS(X), a list of X(name, flags, display, start rule, end rule); TWX_BODY_STARTS(X) and TWX_BODY_ENDS(X), the rules that
# occur, X(NAME, name), first other; and a perfect hash of the names of elements, of the first, the middle (n / 2) and the last byte and
# the length n.
BEGIN {
    SLOTS = 1024
    SEEDS = 60000
    for (i = 32; i < 127; i++) byte[sprintf("%c", i)] = i
    add_rule("STARTS", "other")
    add_rule("ENDS", "other")
}
function add_rule(kind, rule) {
    if ((kind, rule) in rule_known) return
    rule_known[kind, rule] = 1
    rules[kind] = rules[kind] " \\\n    X(" toupper(rule) ", " rule ")"
}
function flags(text,    n, i, names, bits) {
    if (text == "-") return 0
    n = split(text, names, " ")
    for (i = 1; i <= n; i++) bits = bits (i > 1 ? " | " : "") "TWX_EL_" toupper(names[i])
    return bits
}
# whether the multipliers give each name a slot of its own; leaves the names in `taken`
function is_perfect(a, b, c, d,    i, slot) {
    split("", taken)
    for (i = 1; i <= n_names; i++) {
        slot = (first[i] * a + middle[i] * b + last[i] * c + bytes[i] * d) % SLOTS
        if (slot in taken) return 0
        taken[slot] = names[i]
    }
    return 1
}
{
    if (NF != 5 || $1 !~ /^[a-z][a-z0-9-]*$/) wrong("not a name, flags, display, start and end rule")
    n = bytes[++n_names] = length($1)
    gsub(/-/, "_", $1)
    names[n_names] = $1
    first[n_names] = byte[substr($1, 1, 1)]
    middle[n_names] = byte[substr($1, int(n / 2) + 1, 1)]
    last[n_names] = byte[substr($1, n, 1)]
    if (n > longest) longest = n
    add_rule("STARTS", $4)
    add_rule("ENDS", $5)
    rows[n_names] = "X(" $1 ", " flags($2) ", " toupper($3) ", " toupper($4) ", " toupper($5) ")"
}
END {
    if (failed) exit 1
    header(name)
    print "#define TWX_ELEMENTS(X) \\"
    for (i = 1; i <= n_names; i++) print "    " rows[i] (i < n_names ? " \\" : "")
    print "#define TWX_BODY_STARTS(X)" rules["STARTS"]
    print "#define TWX_BODY_ENDS(X)" rules["ENDS"]
    for (seed = 1; seed < SEEDS; seed++) {
        a = seed % 61 + 1
        b = int(seed / 61) % 59 + 1
        c = int(seed * 7 / 13) % 53 + 1
        d = int(seed * 31 / 17) % 47 + 1
        if (is_perfect(a, b, c, d)) break
    }
    if (seed == SEEDS) wrong("no perfect hash of the names of elements found")
    print "enum { TWX_ELEMENT_NAME_MAX = " longest ", TWX_ELEMENT_SLOTS = " SLOTS " };"
    print "#define TWX_ELEMENT_HASH(first, middle, last, n) (((first) * " a "u + (middle) * " b "u + (last) * " c "u + (n) * " d "u) % " SLOTS "u)"
    print "#define TWX_ELEMENT_SLOT_ROWS \\"
    for (slot = 0; slot < SLOTS; slot++) if (slot in taken) print "    [" slot "] = TWX_TAG_" taken[slot] ", \\"
    print "\n#endif"
}
