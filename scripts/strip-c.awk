# C sources without their comments, as "file:line:code". String literals are emptied; with -v only=strings
# the other way round: the literals alone, one a line. Both let the checks match code with plain patterns.
function emit(text) { if (text ~ /[^ \t]/) print FILENAME ":" FNR ":" text }

FNR == 1 { in_comment = 0 }
{
    line = $0; code = ""
    while (line != "") {
        if (in_comment) {
            end = index(line, "*/")
            if (!end) break
            line = substr(line, end + 2); in_comment = 0
            continue
        }
        if (!match(line, /"|'|\/\*|\/\//)) { code = code line; break }
        token = substr(line, RSTART, RLENGTH)
        code = code substr(line, 1, RSTART - 1); line = substr(line, RSTART + RLENGTH)
        if (token == "//") break
        if (token == "/*") { in_comment = 1; code = code " "; continue }
        end = token == "\"" ? match(line, /^([^"\\]|\\.)*"/) : match(line, /^([^'\\]|\\.)*'/)
        literal = end ? substr(line, 1, RLENGTH - 1) : line
        line = end ? substr(line, RLENGTH + 1) : ""
        keep = code ~ /^[ \t]*#[ \t]*include[ \t]*$/
        code = code token (keep ? literal : "") token
        if (only == "strings" && token == "\"" && !keep) emit(literal)
    }
    if (only != "strings") emit(code)
}
