#include "sign/markup_words.h"

#include <string.h>

#include "sign/name_words.h"
#include "text/char_class.h"

enum { NAME_BYTES = 40, SEPARATED = 2 /* bytes of ":`" and ".." */ };

bool twx_is_markup_word(const twx_markup_words *words, uint32_t word) {
    for (size_t i = 0; i < words->n; i++)
        if (words->at[i] == word) return true;
    return false;
}

static void add(twx_markup_words *words, twx_slice name) {
    const uint32_t word = twx_name_word(name);
    if (words->n < TWX_MARKUP_WORDS_MAX && !twx_is_markup_word(words, word))
        words->at[words->n++] = word;
}

static bool is_name_byte(char c) {
    return (c >= 'a' && c <= 'z') || c == '-' || c == ':' || c == '_' || c == '+';
}

/* Adds the parts of a name: "py:func" is two words, as "code-block" is. */
static void add_parts(twx_markup_words *words, twx_slice name) {
    for (size_t from = 0, to; from < name.n; from = to + 1) {
        to = from;
        while (to < name.n && twx_is_alpha((unsigned char)name.p[to])) to++;
        if (to > from) add(words, twx_slice_sub(name, from, to));
    }
}

/* The name between a colon and `end`; absent: there is none. */
static twx_slice role_before(twx_slice text, size_t end) {
    size_t start = end;
    while (start > 0 && end - start < NAME_BYTES && is_name_byte(text.p[start - 1])) start--;
    return start < end && text.p[start] == ':' ? twx_slice_sub(text, start + 1, end)
                                               : (twx_slice){NULL, 0};
}

/* ".. name::" or ":name:" at the beginning of a line. */
static void read_line(twx_markup_words *words, twx_slice line) {
    size_t at = 0;
    while (at < line.n && line.p[at] == ' ') at++;
    const bool directive = line.n - at > 3 && memcmp(line.p + at, ".. ", 3) == 0;
    const bool field = !directive && line.n - at > 2 && line.p[at] == ':';
    if (!directive && !field) return;
    at += directive ? 3 : 1;
    size_t end = at;
    while (end < line.n && end - at < NAME_BYTES && is_name_byte(line.p[end]) && line.p[end] != ':')
        end++;
    const bool closed = end < line.n && line.p[end] == ':' &&
                        (field || (end + 1 < line.n && line.p[end + 1] == ':'));
    if (end > at && closed) add_parts(words, twx_slice_sub(line, at, end));
}

/* Is there a line that begins with ".. ", like directives and comments? */
static bool has_directive(twx_slice text) {
    for (size_t from = 0; from + 3 < text.n; from = twx_slice_find(text, '\n', from) + 1)
        if (memcmp(text.p + from, ".. ", 3) == 0) return true;
    return false;
}

bool twx_has_markup(twx_slice text) {
    enum { ROLES_WITHIN = 64 << 10, DIRECTIVES_WITHIN = 4 << 10 };
    const twx_slice within = twx_slice_sub(text, 0, ROLES_WITHIN);
    /* memchr() is many times faster than a search for two bytes */
    for (size_t at = 0; at < within.n; at++) {
        at = twx_slice_find(within, '`', at);
        if (at > 0 && at < within.n && within.p[at - 1] == ':') return true;
    }
    return has_directive(twx_slice_sub(text, 0, DIRECTIVES_WITHIN));
}

void twx_markup_words_of(twx_slice text, twx_markup_words *ret_words) {
    ret_words->n = 0;
    for (size_t at = 0; at + SEPARATED <= text.n;) {
        const char *found = memmem(text.p + at, text.n - at, ":`", SEPARATED);
        if (!found) break;
        const size_t end = (size_t)(found - text.p);
        const twx_slice role = role_before(text, end);
        if (role.n) add_parts(ret_words, role);
        at = end + SEPARATED;
    }
    for (size_t from = 0, to; from < text.n; from = to + 1) {
        to = twx_slice_find(text, '\n', from);
        read_line(ret_words, twx_slice_sub(text, from, to));
    }
}
