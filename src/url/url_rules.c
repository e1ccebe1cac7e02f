/* The patterns come from the user and are trusted; the URLs come from strangers. So each match is
 * bounded in three ways: the length of the subject, PCRE2's own limits, the size of the result. */
#include "url/url.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

enum { MATCH_LIMIT = 100000, DEPTH_LIMIT = 1000, HEAP_LIMIT_KIB = 1024, GROUPS = 10 };

/* A literal piece of a replacement, or a reference to a group. */
typedef struct piece {
    twx_slice text; /* p == NULL: the group */
    unsigned group;
} piece;

typedef struct rule {
    pcre2_code *code;
    char *replacement; /* the bytes that literal pieces point into */
    TWX_VEC(piece) pieces;
    bool global;
} rule;

struct twx_url_rules {
    TWX_VEC(rule) rules;
    pcre2_match_context *limits; /* read-only after loading, so threads may share it */
    uint64_t fingerprint;
};

/* The parser's position, a line and an offset in it, for messages. */
typedef struct reader {
    twx_ctx *cx;
    const char *name;
    size_t line;
    twx_slice text; /* the line */
    size_t at;
} reader;

/* The parts of a line as written. */
typedef struct rule_text {
    twx_slice regex, replacement, flags;
    char delimiter;
} rule_text;

static twx_rc wrong(const reader *r, size_t at, const char *reason) {
    return twx_fail(r->cx, TWX_E_CONFIG, "%s:%zu:%zu: %s", r->name, r->line, at + 1, reason);
}

static twx_rc out_of_memory(twx_ctx *cx) {
    return twx_fail(cx, TWX_E_NOMEM, "out of memory in a URL rule");
}

/* The part from r->at to the next delimiter; consumes the delimiter. */
static twx_rc read_part(reader *r, char delimiter, const char *missing, twx_slice *ret_part) {
    size_t end = r->at;
    while (end < r->text.n && r->text.p[end] != delimiter) end += r->text.p[end] == '\\' ? 2 : 1;
    if (end >= r->text.n) return wrong(r, r->text.n, missing);
    *ret_part = twx_slice_sub(r->text, r->at, end);
    if (ret_part->n > TWX_URL_RULE_PATTERN_MAX) return wrong(r, r->at, "longer than 4096 bytes");
    r->at = end + 1;
    return TWX_OK;
}

static bool is_delimiter(char c) {
    unsigned char u = (unsigned char)c;
    return !(twx_is_alpha(u) || twx_is_digit(u) || twx_is_space(u) || c == '\\');
}

static twx_rc split_rule(reader *r, rule_text *ret_text) {
    rule_text t = {.delimiter = r->text.n > 1 ? r->text.p[1] : ' '};
    if (r->text.p[0] != 's') return wrong(r, 0, "a rule begins with 's': s/regex/replacement/");
    if (!is_delimiter(t.delimiter))
        return wrong(r, 1, "a delimiter follows the 's': s/regex/replacement/");
    r->at = 2;
    twx_rc rc = read_part(r, t.delimiter, "the regex has no end: its delimiter is missing",
                          &t.regex);
    if (rc == TWX_OK)
        rc = read_part(r, t.delimiter, "the replacement has no end: its delimiter is missing",
                       &t.replacement);
    if (rc != TWX_OK) return rc;
    t.flags = twx_slice_sub(r->text, r->at, r->text.n);
    *ret_text = t;
    return TWX_OK;
}

static twx_rc read_flags(const reader *r, twx_slice flags, uint32_t *ret_options,
                         bool *ret_global) {
    for (size_t i = 0; i < flags.n; i++) {
        if (flags.p[i] == 'i')
            *ret_options |= PCRE2_CASELESS;
        else if (flags.p[i] == 'g')
            *ret_global = true;
        else
            return wrong(r, (size_t)(flags.p - r->text.p) + i,
                         "unknown flag: only i and g are known");
    }
    return TWX_OK;
}

/* Removes the backslashes before delimiters from a regex. origin[i] is the position in the regex of
 * the byte that becomes out[i]. */
static size_t unescape(twx_slice regex, char delimiter, char *out, size_t *origin) {
    size_t n = 0;
    for (size_t i = 0; i < regex.n; i++) {
        if (regex.p[i] == '\\' && i + 1 < regex.n) {
            /* others stay whole: "\d" is PCRE2's, and after "\\" a delimiter ends the regex */
            if (regex.p[i + 1] != delimiter) {
                origin[n] = i;
                out[n++] = regex.p[i];
            }
            i++;
        }
        origin[n] = i;
        out[n++] = regex.p[i];
    }
    origin[n] = regex.n;
    return n;
}

/* The compile context lives for one rule; PCRE2 allocates through base/alloc. */
static twx_rc compile(const reader *r, const rule_text *t, uint32_t options,
                      pcre2_code **ret_code) {
    char pattern[TWX_URL_RULE_PATTERN_MAX];
    size_t origin[TWX_URL_RULE_PATTERN_MAX + 1];
    size_t n = unescape(t->regex, t->delimiter, pattern, origin),
           start = (size_t)(t->regex.p - r->text.p);
    if (n >= 2 && memcmp(pattern, "(*", 2) == 0)
        return wrong(r, start, "a regex must not begin with (*");
    pcre2_general_context *general = pcre2_general_context_create(twx_malloc_for, twx_free_for,
                                                                  r->cx);
    pcre2_compile_context *context = general ? pcre2_compile_context_create(general) : NULL;
    int error = PCRE2_ERROR_HEAP_FAILED;
    PCRE2_SIZE offset = 0;
    pcre2_code *code = NULL;
    if (context)
        code = pcre2_compile((PCRE2_SPTR)pattern, n,
                             options | PCRE2_NEVER_BACKSLASH_C | PCRE2_NEVER_UTF | PCRE2_NEVER_UCP,
                             &error, &offset, context);
    pcre2_compile_context_free(context);
    pcre2_general_context_free(general);
    if (!code && error == PCRE2_ERROR_HEAP_FAILED) return out_of_memory(r->cx);
    if (!code) {
        PCRE2_UCHAR reason[256];
        pcre2_get_error_message(error, reason, sizeof reason);
        return wrong(r, start + origin[offset <= n ? offset : n], (const char *)reason);
    }
    (void)pcre2_jit_compile(code,
                            PCRE2_JIT_COMPLETE); /* on failure the interpreter does the work */
    *ret_code = code;
    return TWX_OK;
}

/* Splits the replacement into literal text and group references; consecutive literal bytes form one
 * piece. */
static twx_rc read_replacement(const reader *r, twx_slice text, uint32_t groups, rule *ret_rule) {
    char *out = twx_malloc(r->cx, text.n + 1);
    size_t n = 0, start = 0;
    ret_rule->replacement = out;
    if (!out) return TWX_E_NOMEM;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i], next = i + 1 < text.n ? text.p[i + 1] : '\0';
        bool group = c == '$' && twx_is_digit((unsigned char)next);
        size_t column = (size_t)(text.p - r->text.p) + i;
        if (c == '$' && !group && next != '$')
            return wrong(r, column, "'$' must be followed by a group 0-9; $$ is a dollar sign");
        if (group && (uint32_t)(next - '0') > groups)
            return wrong(r, column, "the regex has no such group");
        if ((c == '$' || c == '\\') && i + 1 < text.n) i++;
        if (!group) {
            out[n++] = text.p[i];
            continue;
        }
        piece literal = {{out + start, n - start}, 0}, call = {{NULL, 0}, (unsigned)(next - '0')};
        if (n > start && !TWX_VEC_PUSH(r->cx, &ret_rule->pieces, literal)) return TWX_E_NOMEM;
        if (!TWX_VEC_PUSH(r->cx, &ret_rule->pieces, call)) return TWX_E_NOMEM;
        start = n;
    }
    piece last = {{out + start, n - start}, 0};
    if (n > start && !TWX_VEC_PUSH(r->cx, &ret_rule->pieces, last)) return TWX_E_NOMEM;
    return TWX_OK;
}

static void rule_done(rule *one) {
    pcre2_code_free(one->code);
    twx_free(one->replacement);
    TWX_VEC_DONE(&one->pieces);
}

static twx_rc read_rule(reader *r, twx_url_rules *rules) {
    rule_text t;
    rule one = {0};
    uint32_t options = 0, groups = 0;
    twx_rc rc = split_rule(r, &t);
    if (rc == TWX_OK) rc = read_flags(r, t.flags, &options, &one.global);
    if (rc == TWX_OK) rc = compile(r, &t, options, &one.code);
    if (rc != TWX_OK) return rc;
    pcre2_pattern_info(one.code, PCRE2_INFO_CAPTURECOUNT, &groups);
    rc = read_replacement(r, t.replacement, groups, &one);
    if (rc == TWX_OK && rules->rules.n >= TWX_URL_RULES_MAX)
        rc = wrong(r, 0, "more than 10000 rules");
    if (rc == TWX_OK && !TWX_VEC_PUSH(r->cx, &rules->rules, one)) rc = TWX_E_NOMEM;
    if (rc != TWX_OK) rule_done(&one);
    return rc;
}

/* The limits of [R2] in the form pcre2_match() takes. */
static twx_rc set_limits(twx_ctx *cx, twx_url_rules *rules) {
    pcre2_general_context *general = pcre2_general_context_create(twx_malloc_for, twx_free_for, cx);
    if (general) rules->limits = pcre2_match_context_create(general);
    pcre2_general_context_free(general);
    if (!rules->limits) return out_of_memory(cx);
    pcre2_set_match_limit(rules->limits, MATCH_LIMIT);
    pcre2_set_depth_limit(rules->limits, DEPTH_LIMIT);
    pcre2_set_heap_limit(rules->limits, HEAP_LIMIT_KIB);
    return TWX_OK;
}

twx_rc twx_url_rules_parse(twx_ctx *cx, const char *name, twx_slice text,
                           twx_url_rules **ret_rules) {
    twx_url_rules *rules = twx_calloc(cx, 1, sizeof *rules);
    if (!rules) return TWX_E_NOMEM;
    rules->fingerprint = 1; /* differs from that of a NULL handle, 0 */
    reader r = {.cx = cx, .name = name};
    twx_rc rc = set_limits(cx, rules);
    for (size_t at = 0, end; rc == TWX_OK && at < text.n; at = end + 1) {
        end = twx_slice_find(text, '\n', at);
        r.line++;
        r.text = twx_slice_trim(twx_slice_sub(text, at, end));
        if (r.text.n == 0 || r.text.p[0] == '#') continue;
        rc = read_rule(&r, rules);
        rules->fingerprint = twx_hash64(r.text, rules->fingerprint) | 1;
    }
    TWX_HAND_OVER(rc, ret_rules, rules, twx_url_rules_close(rules));
    return rc;
}

twx_rc twx_url_rules_load(twx_ctx *cx, const char *path, twx_url_rules **ret_rules) {
    twx_buf text = {.max = TWX_URL_RULES_FILE_MAX};
    twx_rc rc = twx_file_read_named(cx, "url.rules", path, TWX_E_CONFIG, &text);
    if (rc == TWX_OK) rc = twx_url_rules_parse(cx, path, twx_buf_slice(&text), ret_rules);
    twx_buf_done(&text);
    return rc;
}

void twx_url_rules_close(twx_url_rules *rules) {
    if (!rules) return;
    for (size_t i = 0; i < rules->rules.n; i++) rule_done(&rules->rules.at[i]);
    TWX_VEC_DONE(&rules->rules);
    pcre2_match_context_free(rules->limits);
    twx_free(rules);
}

size_t twx_url_rules_count(const twx_url_rules *rules) {
    return rules ? rules->rules.n : 0;
}

uint64_t twx_url_rules_fingerprint(const twx_url_rules *rules) {
    return rules ? rules->fingerprint : 0;
}

/* State of one call of twx_url_rules_apply(). */
typedef struct applying {
    twx_ctx *cx;
    pcre2_match_data *match;
    pcre2_match_context *limits;
    twx_buf out;
} applying;

/* Group `group` of the last match; "" if it did not participate. With \K in a lookaround a match
 * can begin after its end (pcre2api, "\K in lookarounds"); it is empty then, because
 * twx_slice_sub() clips. */
static twx_slice group_of(const applying *a, twx_slice subject, unsigned group) {
    const PCRE2_SIZE *pairs = pcre2_get_ovector_pointer(a->match);
    PCRE2_SIZE start = pairs[2 * (size_t)group], end = pairs[2 * (size_t)group + 1];
    if (start == PCRE2_UNSET || end == PCRE2_UNSET) return TWX_SLICE_LIT("");
    return twx_slice_sub(subject, start, end);
}

/* Appends s. If the result would exceed its limit, appends nothing and returns TWX_DONE, which is
 * not an error. */
static twx_rc append(applying *a, twx_slice s) {
    if (s.n > TWX_URL_RULE_RESULT_MAX - a->out.n) return TWX_DONE;
    return twx_buf_add_slice(a->cx, &a->out, s);
}

/* Searches from `at`. Returns TWX_OK for a match, TWX_E_NOTFOUND (without a message) for none, and
 * TWX_DONE if a limit was hit. The JIT has no depth limit; its default stack of 32 KiB takes the
 * place of one. A match that overflows this stack is not retried in the interpreter, whose own
 * limit would be reached earlier. */
static twx_rc find(applying *a, const rule *one, twx_slice subject, size_t at) {
    int rc = pcre2_match(one->code, (PCRE2_SPTR)subject.p, subject.n, at, 0, a->match, a->limits);
    if (rc == PCRE2_ERROR_NOMATCH) return TWX_E_NOTFOUND;
    if (rc == PCRE2_ERROR_NOMEMORY) return out_of_memory(a->cx);
    return rc < 0 ? TWX_DONE : TWX_OK;
}

/* Rewrites subject into a->out. Returns what find() returns; a->out is valid after TWX_OK only. */
static twx_rc apply_rule(applying *a, const rule *one, twx_slice subject) {
    size_t copied = 0, at = 0;
    if (subject.n > TWX_URL_RULE_SUBJECT_MAX) return TWX_DONE;
    twx_buf_clear(&a->out);
    twx_rc rc = find(a, one, subject, at);
    if (rc != TWX_OK) return rc;
    while (rc == TWX_OK) {
        const PCRE2_SIZE *pair = pcre2_get_ovector_pointer(a->match);
        size_t start = pair[0], end = pair[1];
        if (start < copied || end < start) /* \K in a lookaround: there is nothing to replace */
            return TWX_DONE;
        rc = append(a, twx_slice_sub(subject, copied, start));
        for (size_t i = 0; rc == TWX_OK && i < one->pieces.n; i++) {
            const piece *p = &one->pieces.at[i];
            rc = append(a, p->text.p ? p->text : group_of(a, subject, p->group));
        }
        copied = end;
        at = end + (end == start);
        if (rc == TWX_OK)
            rc = one->global && at <= subject.n ? find(a, one, subject, at) : TWX_E_NOTFOUND;
    }
    if (rc != TWX_E_NOTFOUND) return rc;
    return append(a, twx_slice_sub(subject, copied, subject.n));
}

static twx_rc apply_all(applying *a, twx_arena *scratch, const twx_url_rules *rules, twx_slice *url,
                        uint64_t *skipped) {
    for (size_t i = 0; i < rules->rules.n; i++) {
        twx_rc rc = apply_rule(a, &rules->rules.at[i], *url);
        if (rc == TWX_OK) rc = twx_arena_copy(a->cx, scratch, twx_buf_slice(&a->out), url);
        if (rc == TWX_DONE)
            ++*skipped;
        else if (rc != TWX_OK && rc != TWX_E_NOTFOUND)
            return rc;
    }
    return TWX_OK;
}

twx_rc twx_url_rules_apply(twx_ctx *cx, twx_arena *scratch, const twx_url_rules *rules,
                           twx_slice url, twx_slice *ret_url, uint64_t *ret_skipped) {
    uint64_t skipped = 0;
    twx_slice result = url;
    twx_rc rc = TWX_OK;
    if (twx_url_rules_count(rules) && url.p) {
        pcre2_general_context *general = pcre2_general_context_create(twx_malloc_for, twx_free_for,
                                                                      cx);
        applying a = {.cx = cx, .limits = rules->limits, .out = {.max = TWX_URL_RULE_RESULT_MAX}};
        if (general) a.match = pcre2_match_data_create(GROUPS, general);
        rc = a.match ? apply_all(&a, scratch, rules, &result, &skipped) : out_of_memory(cx);
        twx_buf_done(&a.out);
        pcre2_match_data_free(a.match);
        pcre2_general_context_free(general);
    }
    if (rc != TWX_OK) return rc;
    *ret_url = result;
    *ret_skipped += skipped;
    return TWX_OK;
}
