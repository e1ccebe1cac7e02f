#include "url/host_patterns.h"

/* Takes the next word off the text. */
static bool next_word(twx_slice *text, twx_slice *ret_word) {
    size_t from = 0, to = 0;
    while (from < text->n && twx_is_space((unsigned char)text->p[from])) from++;
    for (to = from; to < text->n && !twx_is_space((unsigned char)text->p[to]);) to++;
    *ret_word = twx_slice_sub(*text, from, to);
    *text = twx_slice_sub(*text, to, text->n);
    return to > from;
}

bool twx_host_section_next(twx_slice *sections, twx_host_section *ret_section) {
    while (sections->n > 0) {
        const size_t end = twx_slice_find(*sections, '|', 0);
        twx_slice values = twx_slice_sub(*sections, 0, end), pattern;
        *sections = twx_slice_sub(*sections, end + 1, sections->n);
        if (!next_word(&values, &pattern)) continue;
        const size_t star = twx_slice_starts_nocase(pattern, TWX_SLICE_LIT("*."));
        const bool below = star || pattern.p[0] == '.';
        *ret_section = (twx_host_section){.pattern = pattern,
                                          .host = twx_slice_sub(pattern, star + below, pattern.n),
                                          .below = below,
                                          .values = values};
        return true;
    }
    return false;
}

bool twx_host_value_next(twx_slice *values, twx_slice *ret_name, twx_slice *ret_value) {
    twx_slice word;
    if (!next_word(values, &word)) return false;
    const size_t equals = twx_slice_find(word, '=', 0);
    *ret_name = twx_slice_sub(word, 0, equals);
    *ret_value = equals < word.n ? twx_slice_sub(word, equals + 1, word.n) : (twx_slice){NULL, 0};
    return true;
}

static bool applies(const twx_host_section *s, twx_slice host) {
    if (!s->below || host.n == s->host.n) return twx_slice_eq(s->host, host);
    return host.n > s->host.n && host.p[host.n - s->host.n - 1] == '.' &&
           twx_slice_eq(s->host, twx_slice_sub(host, host.n - s->host.n, host.n));
}

unsigned twx_host_section_of(twx_slice sections, twx_slice host, twx_host_section *ret_section) {
    twx_host_section s, best = {0};
    unsigned found = 0;
    for (unsigned number = 1; twx_host_section_next(&sections, &s); number++) {
        if (!applies(&s, host)) continue;
        const bool better = !found || (best.below && !s.below) ||
                            (best.below == s.below && s.host.n > best.host.n);
        if (!better) continue;
        best = s;
        found = number;
    }
    if (found && ret_section) *ret_section = best;
    return found;
}

twx_slice twx_host_section_value(const twx_host_section *section, const char *name) {
    twx_slice values = section->values, key, value;
    while (twx_host_value_next(&values, &key, &value))
        if (twx_slice_eq_nocase(key, twx_slice_of(name))) return value;
    return (twx_slice){NULL, 0};
}
