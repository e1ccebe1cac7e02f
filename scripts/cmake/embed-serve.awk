# Turns the files of share/page and share/serve into a C header: a table of name, type and bytes, TWX_STATIC_FILES. Those of share/rules
# become one of them, presets.js, which exports their names and texts.
function escaped(text) { gsub(/\\/, "&&", text); gsub(/"/, "\\\"", text); return text }
function line(text) { print "     \"" escaped(text) "\\n\"" }
function begin_file(name, extension) {
    if (files++) print "    },"
    print "    {\"" name "\", " type_of[extension] ","
}
BEGIN {
    type_of["html"] = "TWX_ANSWER_HTML"; type_of["css"] = "TWX_ANSWER_CSS"; type_of["js"] = "TWX_ANSWER_SCRIPT"
    print "/* made from share/page, share/serve and share/rules by scripts/cmake/embed-serve.awk */"
    print "#ifndef TWX_SERVE_TEXT_H"
    print "#define TWX_SERVE_TEXT_H"
    print "static const twx_static_file TWX_STATIC_FILES[] = {"
}
FNR == 1 {
    name = FILENAME; sub(/.*\//, "", name)
    extension = name; sub(/.*\./, "", extension)
    is_rules = extension == "rules"
    if (is_rules) text_of[names[++presets] = name] = ""
    else begin_file(name, extension)
}
is_rules { text_of[name] = text_of[name] escaped($0) "\\n"; next }
{ line($0) }
END {
    begin_file("presets.js", "js")
    line("export const presets = [")
    for (i = 1; i <= presets; i++) line("  { name: \"" names[i] "\", text: \"" text_of[names[i]] "\" },")
    line("];")
    print "    },"; print "};"; print "#endif"
}
