# Turns docs/commands/*.txt and docs/topics/*.txt, the prose of each command and topic, into a C header: an array of twx_prose (src/cli/help.c).
# A file has three sections, each begun by its name alone on a line, in this order:
#   SUMMARY      one line, no full stop
#   DESCRIPTION  paragraphs separated by blank lines; lines that begin with four blanks are shown as they are
#   EXAMPLES     "$ command" lines, each followed by the sentences that explain it
# Only twindex.conf.txt and topics may do without EXAMPLES. Anything else stops the build with the file and the line.
function quoted(text) { gsub(/\\/, "\\\\", text); gsub(/"/, "\\\"", text); return "\"" text "\"" }
function wrong(what) {
    printf "%s:%d: %s\n", file, line, what > "/dev/stderr"
    failed = 1
    exit 1
}
function finish() {
    if (file == "") return
    if (summary == "") wrong("no SUMMARY")
    if (description == "") wrong("no DESCRIPTION")
    if (examples == 0 && name != "twindex.conf" && file !~ /topics\//) wrong("no EXAMPLES")
    if (examples > 0 && what[examples] == "") wrong("an example without an explanation")
    sub(/(\\n)+"$/, "\"", description)
    print "    {" quoted(name) ","
    print "     " quoted(summary) ","
    print description ","
    print "     {"
    for (i = 1; i <= examples; i++) print "      {" quoted(command[i]) ", " quoted(what[i]) "},"
    print "      {NULL, NULL}}},"
}
BEGIN {
    print "/* made from docs/commands and docs/topics by scripts/cmake/embed-commands.awk */"
    print "#ifndef TWX_PROSE_TEXT_H"
    print "#define TWX_PROSE_TEXT_H"
    print "static const twx_prose TWX_PROSE[] = {"
}
FNR == 1 {
    finish()
    file = FILENAME
    name = FILENAME; sub(/.*\//, "", name); sub(/\.txt$/, "", name)
    summary = description = section = ""
    examples = 0
}
{ line = FNR }
/[ \t\r]$/ { wrong("a blank at the end of the line") }
/^SUMMARY$/ { if (section != "") wrong("SUMMARY comes first"); section = $0; next }
/^DESCRIPTION$/ { if (section != "SUMMARY") wrong("DESCRIPTION comes after SUMMARY"); section = $0; next }
/^EXAMPLES$/ { if (section != "DESCRIPTION") wrong("EXAMPLES come after DESCRIPTION"); section = $0; next }
section == "" { wrong("the file begins with SUMMARY") }
section == "SUMMARY" && $0 == "" { next }
section == "SUMMARY" { if (summary != "") wrong("the summary has one line"); summary = $0; next }
section == "DESCRIPTION" && description == "" && $0 == "" { next }
section == "DESCRIPTION" {
    text = quoted($0)
    description = description (description == "" ? "" : "\n") "     " substr(text, 1, length(text) - 1) "\\n\""
    next
}
$0 == "" { next }
/^\$ / {
    if (examples > 0 && what[examples] == "") wrong("an example without an explanation")
    command[++examples] = substr($0, 3)
    what[examples] = ""
    next
}
{
    if (examples == 0) wrong("an example begins with '$ '")
    what[examples] = what[examples] (what[examples] == "" ? "" : " ") $0
}
END {
    if (failed) exit 1
    finish()
    print "};"
    print "#endif"
}
