#include "page/style_sheet.h"

#include <string.h>

enum {
    WINDOW_WIDTH = 1280,
    WORK_PER_BYTE = 64,
    WORK_AT_LEAST = 1 << 20,
    ID_WEIGHT = 1 << 24,
    CLASS_WEIGHT = 1 << 18,
    ELEMENT_WEIGHT = 1 << 14 /* below it: the order */
};

/* ---- names -------------------------------------------------------------- */

static uint64_t hash_name(char kind, twx_slice name, bool lower) {
    uint64_t h = (UINT64_C(0xCBF29CE484222325) ^ (unsigned char)kind) * UINT64_C(0x100000001B3);
    for (size_t i = 0; i < name.n; i++)
        h = (h ^ (unsigned char)(lower ? twx_lower(name.p[i]) : name.p[i])) *
            UINT64_C(0x100000001B3);
    return h;
}

static uint64_t class_hash(const twx_sheet *s, twx_slice name) {
    return hash_name('.', name, s->quirks);
}

static uint64_t id_hash(const twx_sheet *s, twx_slice name) {
    return hash_name('#', name, s->quirks);
}

static uint64_t element_hash(twx_slice name) {
    return hash_name('<', name, true);
}

/* ---- parsing ------------------------------------------------------------ */

static bool is_name_byte(char c) {
    return twx_is_alpha((unsigned char)c) || twx_is_digit((unsigned char)c) || c == '-' ||
           c == '_' || (unsigned char)c >= 0x80;
}

static twx_slice name_at(twx_slice s, size_t at) {
    size_t end = at;
    while (end < s.n && is_name_byte(s.p[end])) end++;
    return twx_slice_sub(s, at, end);
}

/* One compound at *at. false: it has something that is not understood, or too many names. [R1] */
static bool parse_compound(const twx_sheet *s, twx_slice text, size_t *at, twx_compound *c,
                           uint32_t *strength) {
    size_t i = *at;
    *c = (twx_compound){0};
    if (i < text.n && text.p[i] == '*') i++;
    while (i < text.n && !twx_is_space((unsigned char)text.p[i]) && text.p[i] != '>') {
        const char kind = text.p[i];
        const bool named = kind == '.' || kind == '#';
        const twx_slice name = name_at(text, i + named);
        if (name.n == 0 || c->names == TWX_SHEET_NAMES || (!named && i > *at)) return false;
        *strength += kind == '#' ? ID_WEIGHT : kind == '.' ? CLASS_WEIGHT : ELEMENT_WEIGHT;
        c->name[c->names++] = kind == '#'   ? id_hash(s, name)
                              : kind == '.' ? class_hash(s, name)
                                            : element_hash(name);
        i += named + name.n;
    }
    *at = i;
    return true;
}

static bool parse_selector(const twx_sheet *s, twx_slice text, twx_selector *ret) {
    twx_compound list[TWX_SHEET_COMPOUNDS];
    size_t n = 0;
    bool child = false;
    text = twx_slice_trim(text);
    for (size_t at = 0; at < text.n;) {
        if (n == TWX_SHEET_COMPOUNDS || !parse_compound(s, text, &at, &list[n], &ret->strength))
            return false;
        list[n++].child = child;
        child = false;
        for (; at < text.n && (twx_is_space((unsigned char)text.p[at]) || text.p[at] == '>'); at++)
            child |= text.p[at] == '>';
    }
    if (n == 0 || child || list[n - 1].names == 0) return false;
    for (size_t i = 0; i < n; i++) ret->compound[i] = list[n - 1 - i];
    ret->compounds = (uint8_t)n;
    return true;
}

static uint32_t *bucket_of(twx_sheet *s, uint64_t name) {
    return &s->bucket[(name ^ name >> 32) % TWX_SHEET_BUCKETS];
}

static twx_rc add_rule(twx_ctx *cx, twx_sheet *s, twx_slice selectors,
                       const twx_declared *declared) {
    for (size_t at = 0, end; at < selectors.n && s->selectors.n < TWX_SHEET_SELECTORS;
         at = end + 1) {
        twx_selector one = {.declared = *declared};
        end = twx_slice_find(selectors, ',', at);
        if (!parse_selector(s, twx_slice_sub(selectors, at, end), &one)) continue;
        one.strength += (uint32_t)s->selectors.n;
        uint32_t *first = bucket_of(s, one.compound[0].name[one.compound[0].names - 1]);
        one.next = *first;
        if (!TWX_VEC_PUSH(cx, &s->selectors, one)) return TWX_E_NOMEM;
        *first = (uint32_t)s->selectors.n;
    }
    return TWX_OK;
}

/* The end of a block: its '}' or the end of the text. at: after '{'. */
static size_t block_end(twx_slice css, size_t at) {
    unsigned depth = 1;
    for (char quote = 0; at < css.n; at++) {
        const char c = css.p[at];
        if (quote && c == '\\')
            at++;
        else if (quote)
            quote = c == quote || c == '\n' ? 0 : quote;
        else if (c == '"' || c == '\'')
            quote = c;
        else if (c == '{')
            depth++;
        else if (c == '}' && --depth == 0)
            return at;
    }
    return css.n;
}

/* Rules at one level; *ret_inside: a block whose rules hold too and come next. */
static size_t skip_noise(twx_slice css, size_t at) {
    for (;;) {
        while (at < css.n &&
               (twx_is_space((unsigned char)css.p[at]) || css.p[at] == '}' || css.p[at] == ';'))
            at++;
        const twx_slice rest = twx_slice_sub(css, at, css.n);
        if (twx_slice_starts(rest, TWX_SLICE_LIT("<!--"))) {
            at += 4;
        } else if (twx_slice_starts(rest, TWX_SLICE_LIT("-->"))) {
            at += 3;
        } else if (twx_slice_starts(rest, TWX_SLICE_LIT("/*"))) {
            for (at += 2; at + 1 < css.n && !(css.p[at] == '*' && css.p[at + 1] == '/'); at++)
                continue;
            at = at + 2 < css.n ? at + 2 : css.n;
        } else {
            return at;
        }
    }
}

static bool starts_word(twx_slice s, twx_slice word) {
    return twx_slice_starts_nocase(s, word) && (s.n == word.n || !is_name_byte(s.p[word.n]));
}

/* An at-rule that ends at `open` ('{' or ';'). Returns where to go on: inside its block when that
 * holds, else after it. */
static size_t at_rule(twx_slice css, size_t at, size_t open) {
    const twx_slice name = twx_slice_sub(css, at + 1, open);
    if (open == css.n || css.p[open] == ';') return open;
    const bool media = starts_word(name, TWX_SLICE_LIT("media"));
    const bool holds = media ? twx_media_matches(twx_slice_sub(name, 5, name.n))
                             : starts_word(name, TWX_SLICE_LIT("supports")) ||
                                   starts_word(name, TWX_SLICE_LIT("layer"));
    return holds ? open + 1 : block_end(css, open + 1) + 1;
}

twx_rc twx_sheet_add(twx_ctx *cx, twx_sheet *s, twx_slice css) {
    twx_rc rc = TWX_OK;
    for (size_t at = skip_noise(css, 0); rc == TWX_OK && at < css.n; at = skip_noise(css, at)) {
        size_t open = at;
        while (open < css.n && css.p[open] != '{' && !(css.p[open] == ';' && css.p[at] == '@'))
            open++;
        if (css.p[at] == '@') {
            at = at_rule(css, at, open);
            continue;
        }
        const size_t end = block_end(css, open + 1 < css.n ? open + 1 : css.n);
        twx_declared declared;
        if (twx_declarations(twx_slice_sub(css, open + 1, end), &declared))
            rc = add_rule(cx, s, twx_slice_sub(css, at, open), &declared);
        at = end + 1;
    }
    return rc;
}

/* ---- media -------------------------------------------------------------- */

/* "(max-width: 600px)" for a window of WINDOW_WIDTH; false: it does not hold, or is not understood.
 */
static bool feature_holds(twx_slice feature) {
    const size_t colon = twx_slice_find(feature, ':', 0);
    const twx_slice name = twx_slice_trim(twx_slice_sub(feature, 0, colon));
    const twx_slice value = twx_slice_trim(twx_slice_sub(feature, colon + 1, feature.n));
    size_t pixels = 0, i = 0;
    for (; i < value.n && twx_is_digit((unsigned char)value.p[i]) && i < 6; i++)
        pixels = pixels * 10 + (size_t)(value.p[i] - '0');
    while (i < value.n && (value.p[i] == '.' || twx_is_digit((unsigned char)value.p[i]))) i++;
    const twx_slice unit = twx_slice_sub(value, i, value.n);
    if (twx_slice_eq_nocase(unit, TWX_SLICE_LIT("em")) ||
        twx_slice_eq_nocase(unit, TWX_SLICE_LIT("rem")))
        pixels *= 16;
    else if (!twx_slice_eq_nocase(unit, TWX_SLICE_LIT("px")))
        return false;
    if (twx_slice_eq_nocase(name, TWX_SLICE_LIT("max-width"))) return WINDOW_WIDTH <= pixels;
    return twx_slice_eq_nocase(name, TWX_SLICE_LIT("min-width")) && WINDOW_WIDTH >= pixels;
}

static bool is_holding_word(twx_slice word) {
    static const char *const WORDS[] = {"all", "and", "only", "screen"};
    for (size_t i = 0; i < TWX_COUNTOF(WORDS); i++)
        if (twx_slice_eq_nocase(word, twx_slice_of(WORDS[i]))) return true;
    return false;
}

/* One query of a list: words and features joined by "and". */
static bool query_holds(twx_slice query) {
    bool holds = true;
    for (size_t at = 0; at < query.n;) {
        if (twx_is_space((unsigned char)query.p[at])) {
            at++;
        } else if (query.p[at] == '(') {
            const size_t close = twx_slice_find(query, ')', at);
            holds &= feature_holds(twx_slice_sub(query, at + 1, close));
            at = close + 1;
        } else {
            const twx_slice word = name_at(query, at);
            if (word.n == 0) return false;
            holds &= is_holding_word(word);
            at += word.n;
        }
    }
    return holds;
}

bool twx_media_matches(twx_slice query) {
    if (twx_slice_trim(query).n == 0) return true;
    for (size_t at = 0, end; at <= query.n; at = end + 1) {
        end = twx_slice_find(query, ',', at);
        if (query_holds(twx_slice_sub(query, at, end))) return true;
    }
    return false;
}

/* ---- matching ----------------------------------------------------------- */

static bool has_class(const twx_sheet *s, twx_slice list, uint64_t wanted) {
    for (size_t i = 0, end; i < list.n; i = end + 1) {
        for (end = i; end < list.n && !twx_is_space((unsigned char)list.p[end]); end++) continue;
        if (end > i && class_hash(s, twx_slice_sub(list, i, end)) == wanted) return true;
    }
    return false;
}

static bool compound_holds(twx_sheet *s, const twx_compound *c, const twx_open *e) {
    for (size_t i = 0; i < c->names; i++) {
        const uint64_t wanted = c->name[i];
        const uint64_t cost = 1 + e->classes.n / 8;
        s->work -= cost < s->work ? cost : s->work;
        if (element_hash(e->name) != wanted && id_hash(s, e->id) != wanted &&
            !has_class(s, e->classes, wanted))
            return false;
    }
    return true;
}

/* The compounds left of the last one: each of the nearest ancestor for which it holds. */
static bool ancestors_hold(twx_sheet *s, const twx_selector *selector, const twx_open *stack,
                           size_t depth) {
    size_t at = depth;
    for (size_t k = 1; k < selector->compounds; k++) {
        const bool child = selector->compound[k - 1].child;
        bool found = false;
        while (at > 0 && s->work > 0 && !found) {
            found = compound_holds(s, &selector->compound[k], &stack[--at]);
            if (child) break;
        }
        if (!found) return false;
    }
    return true;
}

static void match_bucket(twx_sheet *s, uint64_t name, const twx_open *stack, size_t depth,
                         const twx_open *e, twx_cascade *cascade) {
    for (uint32_t i = *bucket_of(s, name); i != 0 && s->work > 0; i = s->selectors.at[i - 1].next) {
        const twx_selector *selector = &s->selectors.at[i - 1];
        s->work--;
        const twx_compound *last = &selector->compound[0];
        if (last->name[last->names - 1] == name && compound_holds(s, last, e) &&
            ancestors_hold(s, selector, stack, depth))
            twx_cascade_add(cascade, &selector->declared, selector->strength);
    }
}

void twx_sheet_match(twx_sheet *s, const twx_open *stack, size_t depth, const twx_open *e,
                     twx_cascade *cascade) {
    if (s->selectors.n == 0 || s->work == 0) return;
    match_bucket(s, element_hash(e->name), stack, depth, e, cascade);
    if (e->id.n) match_bucket(s, id_hash(s, e->id), stack, depth, e, cascade);
    for (size_t i = 0, end; i < e->classes.n; i = end + 1) {
        for (end = i; end < e->classes.n && !twx_is_space((unsigned char)e->classes.p[end]); end++)
            continue;
        if (end > i)
            match_bucket(s, class_hash(s, twx_slice_sub(e->classes, i, end)), stack, depth, e,
                         cascade);
    }
}

void twx_sheet_clear(twx_sheet *s, size_t page_bytes) {
    s->selectors.n = 0;
    memset(s->bucket, 0, sizeof s->bucket);
    s->work = WORK_AT_LEAST + (uint64_t)page_bytes * WORK_PER_BYTE;
    s->quirks = false;
}

void twx_sheet_done(twx_sheet *s) {
    if (s) TWX_VEC_DONE(&s->selectors);
}
