#!/bin/bash
# What the style of the code forbids and a pattern can see. Comments and string literals do not count.
# A line that has to break a rule says why: /* style: reason */.
. "$(dirname "$0")/common.sh"
cd "$root"

FUNCTION_MAX=100  # lines of a function; above 60 explain
FILE_MAX=700      # lines, of tests too
DOOR_MAX=1500     # of a header: all that a room shows

mapfile -t files < <(find src -name '*.[ch]' | sort)

# where (a pattern for paths), what (a pattern for code), why
rules=$(cat <<'RULES'
.	(strcpy|strcat|strncpy|strncat|sprintf|vsprintf|gets|alloca)[(]	writes without knowing the room
.	(strtok|strtok_r|atoi|atol|atoll|atof)[(]	cannot report what is wrong with its input
.	(rand|srand|random|drand48|rand_r)[(]	results must repeat: seeds are arguments
.	(setlocale|newlocale|uselocale|strcoll|strxfrm)[(]	no locale
.	(is(alpha|alnum|digit|xdigit|space|upper|lower|punct|print|cntrl)|tolower|toupper|strcasecmp|strncasecmp)[(]	follows the locale: base/slice.c has these
^src/(base|url|text|page|group|sign|judge|wings/lab)/	(time|gettimeofday|localtime|clock)[(]	the machine must not show in results
^src/([^b]|base/([^m]|m[^e]))	(malloc|calloc|realloc|reallocarray|free|strdup|strndup|asprintf|vasprintf)[(]	memory comes from base/memory.c
^src/([abd-z]|c[^l])	(printf|vprintf|puts|putchar|perror)[(]	only cli prints
^src/([abd-z]|c[^l])	(fprintf|fputs|fputc|fwrite)[(].*(stdout|stderr)	only cli prints
^src/([abd-z]|c[^l])	(exit|_exit|abort)[(]	a library does not end the program
.	(system|popen)[(]	no shell
.	vsnprintf[(]	writes a decimal comma in some locales: base/ctx.c
RULES
)

found=$(
    allowed=$(grep -n '/\* style: ' "${files[@]}" | cut -d: -f1,2 | tr '\n' ' ' || true)
    awk -f scripts/strip-c.awk "${files[@]}" |
        awk -F '\t' -v allowed="$allowed" '
            BEGIN { n = split(allowed, list, " "); for (i = 1; i <= n; i++) fine[list[i]] = 1 }
            FILENAME != "-" { where[++rules] = $1; what[rules] = "(^|[^A-Za-z0-9_>.])" $2; why[rules] = $3; next }
            {
                split($0, at, ":")
                place = at[1] ":" at[2]
                code = substr($0, length(place) + 2)
                if (place in fine || code ~ /^[ \t]*#[ \t]*include/) next
                for (i = 1; i <= rules; i++)
                    if (at[1] ~ where[i] && code ~ what[i]) print place ": " code " -- " why[i]
            }' <(printf '%s\n' "$rules") -

    # strip-c.awk removes the strings
    grep -nE '[^_]snprintf\(.*%[-+ 0-9.*]*[efgEFG]' "${files[@]}" | sed 's/$/ -- writes a decimal comma in some locales: base\/print.h/'

    awk -v function_max=$FUNCTION_MAX '
        FNR == 1 { start = 0 }
        /\t/ { print FILENAME ":" FNR ": a tab" }
        /[ \t]$/ { print FILENAME ":" FNR ": a blank at the end" }
        # a function: from the line of its name, over the rest of its parameters and its body, to the brace in column 1
        /^[A-Za-z_].*[(].*[^;]$/ && !start { start = FNR; signature = $0; body = 0 }
        start && !body && /;$/ { start = 0 }
        start && /\{$/ { body = 1 }
        /^}/ {
            if (start && FNR - start + 1 > function_max)
                print FILENAME ":" start ": " FNR - start + 1 " lines: " signature
            start = 0
        }' "${files[@]}"

    find src tests -name '*.[ch]' -exec wc -l {} + |
        awk -v file_max=$FILE_MAX -v door_max=$DOOR_MAX '
            $2 != "total" && $1 > ($2 ~ /^src.*\.h$/ ? door_max : file_max) { print $2 ": " $1 " lines" }'

    grep -nE '&& *(equal|holds|has) ' tests/*/*.sh | sed 's/$/ -- after a command that fails nothing is checked, and the test passes: a line of its own/' || true
)
if [ -n "$found" ]; then
    printf '%s\n' "$found"
    echo "not ok - style of src/ and tests/"
    exit 1
fi
echo "ok - style of src/ and tests/"
