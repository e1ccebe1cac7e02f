#include "lab/known_copies.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "run/document_reader.h"
#include "run/input.h"

enum { URL_SEED = 23, LINE_BYTES = 1 << 16, FIELDS = 3, PLACE_BYTES = 400 };

typedef struct known_reading {
    const twx_job *job;
    const twx_eval_finding *how;
    twx_known_pairs *pairs;
    twx_arena strings;
    TWX_VEC(twx_known_rule) rules;
    twx_map64 by_url; /* hash of the URL as stored -> document */
    twx_buf made;
    uint32_t next; /* document of the next row */
} known_reading;

static bool starts_with(twx_slice s, twx_slice prefix) {
    return s.n >= prefix.n && memcmp(s.p, prefix.p, prefix.n) == 0;
}

/* ---- the file ---- */

static bool relates_copies(twx_slice relation) {
    return !twx_slice_eq(relation, TWX_SLICE_LIT("version")) &&
           !twx_slice_eq(relation, TWX_SLICE_LIT("variant")) &&
           !twx_slice_eq(relation, TWX_SLICE_LIT("redirect"));
}

twx_rc twx_known_rule_parse(twx_ctx *cx, twx_slice line, const char *place, twx_arena *arena,
                            twx_known_rule *ret_rule) {
    twx_slice field[FIELDS] = {{0}};
    size_t n = 0, from = 0;
    if (twx_slice_trim(line).n == 0 || line.p[0] == '#') return TWX_DONE;
    for (; n < FIELDS && from <= line.n; n++) {
        const size_t tab = twx_slice_find(line, '\t', from);
        field[n] = twx_slice_trim(twx_slice_sub(line, from, tab));
        from = tab + 1;
    }
    if (n < FIELDS || field[1].n == 0 || field[2].n == 0)
        return twx_fail(cx, TWX_E_DATA, "%s: not 'relation TAB prefix TAB prefix'", place);
    if (!relates_copies(field[0])) return TWX_DONE;
    twx_known_rule rule = {.query = starts_with(field[0], TWX_SLICE_LIT("query"))};
    if (rule.query && field[1].p[field[1].n - 1] == '*') field[1].n--;
    twx_rc rc = twx_arena_copy(cx, arena, field[1], &rule.prefix);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, arena, field[2], &rule.other);
    if (rc == TWX_OK) *ret_rule = rule;
    return rc;
}

static twx_rc read_line(known_reading *k, twx_slice line, uint64_t number) {
    char place[PLACE_BYTES];
    twx_known_rule rule;
    snprintf(place, sizeof place, "%.300s:%" PRIu64, k->how->known, number);
    twx_rc rc = twx_known_rule_parse(k->job->cx, line, place, &k->strings, &rule);
    if (rc == TWX_OK && !TWX_VEC_PUSH(k->job->cx, &k->rules, rule)) rc = TWX_E_NOMEM;
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc read_file(known_reading *k) {
    twx_ctx *cx = k->job->cx;
    twx_input *in = NULL;
    twx_buf line;
    uint64_t number = 0;
    twx_buf_init(&line, LINE_BYTES);
    twx_rc rc = twx_input_open_list(cx, k->how->known, TWX_INPUT_LIST_BYTES, &in);
    while (rc == TWX_OK) {
        twx_buf_clear(&line);
        rc = twx_input_line(in, &line);
        if (rc == TWX_OK) rc = read_line(k, twx_buf_slice(&line), ++number);
    }
    twx_input_close(in);
    twx_buf_done(&line);
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* ---- the URLs ---- */

/* The URL without its query, if the query consists of exactly one of the rule's parameters. */
static bool without_query(const twx_known_rule *rule, twx_slice url, twx_slice *ret_base) {
    const size_t mark = twx_slice_find(url, '?', 0);
    if (mark >= url.n) return false;
    const twx_slice query = twx_slice_sub(url, mark, url.n);
    const size_t equals = twx_slice_find(query, '=', 0);
    if (equals >= query.n || twx_slice_find(query, '&', 0) < query.n) return false;
    const twx_slice name = twx_slice_sub(query, 0, equals + 1);
    *ret_base = twx_slice_sub(url, 0, mark);
    for (size_t at = 0; at < rule->other.n; at++)
        if (starts_with(twx_slice_sub(rule->other, at, rule->other.n), name)) return true;
    return false;
}

twx_rc twx_known_rule_apply(twx_ctx *cx, const twx_known_rule *rule, twx_slice url, twx_buf *room,
                            twx_slice *ret_other) {
    twx_buf_clear(room);
    if (!starts_with(url, rule->prefix)) return TWX_DONE;
    if (rule->query) return without_query(rule, url, ret_other) ? TWX_OK : TWX_DONE;
    twx_rc rc = twx_buf_add_slice(cx, room, rule->other);
    if (rc == TWX_OK) rc = twx_buf_add_slice(cx, room, twx_slice_sub(url, rule->prefix.n, url.n));
    if (rc == TWX_OK) *ret_other = twx_buf_slice(room);
    return rc;
}

/* The index and the URL of the row's document; false: it has no text or no URL. */
static bool next_document(known_reading *k, const twx_source_row *row, uint32_t *ret_document,
                          twx_slice *ret_url) {
    *ret_document = twx_eval_document_again(k->how->documents, row, &k->next);
    *ret_url = twx_bytes_of(&row->value[TWX_COL_URL]);
    return ret_url->p && *ret_document != TWX_NO_DOCUMENT &&
           twx_finding_text(k->how, *ret_document) != TWX_EVAL_NO_TEXT;
}

static twx_rc list_url(void *arg, const twx_source_row *row) {
    known_reading *k = arg;
    uint32_t document;
    twx_slice url;
    if (!next_document(k, row, &document, &url)) return TWX_OK;
    return twx_map64_put(k->job->cx, &k->by_url, twx_hash64(url, URL_SEED), document);
}

static bool is_pair(const known_reading *k, uint32_t a, uint32_t b) {
    return a != b && twx_finding_text(k->how, a) != twx_finding_text(k->how, b) &&
           twx_finding_title(k->how, a) == twx_finding_title(k->how, b);
}

static twx_rc match_url(void *arg, const twx_source_row *row) {
    known_reading *k = arg;
    twx_ctx *cx = k->job->cx;
    uint32_t a;
    twx_slice url;
    if (!next_document(k, row, &a, &url)) return TWX_OK;
    for (size_t i = 0; i < k->rules.n; i++) {
        twx_slice other;
        uint64_t b = 0;
        const twx_rc rc = twx_known_rule_apply(cx, &k->rules.at[i], url, &k->made, &other);
        if (rc == TWX_DONE) continue;
        if (rc != TWX_OK) return rc;
        if (!twx_map64_get(&k->by_url, twx_hash64(other, URL_SEED), &b)) continue;
        if (is_pair(k, a, (uint32_t)b) &&
            !TWX_VEC_PUSH(cx, k->pairs, (twx_known_pair){a, (uint32_t)b}))
            return TWX_E_NOMEM;
    }
    return TWX_OK;
}

twx_rc twx_known_copies_read(const twx_job *job, twx_opened *o, const twx_eval_finding *how,
                             twx_known_pairs *ret_pairs) {
    known_reading k = {.job = job, .how = how, .pairs = ret_pairs};
    twx_arena_init(&k.strings, 0);
    twx_map64_init(&k.by_url, URL_SEED);
    twx_buf_init(&k.made, SIZE_MAX / 4);
    twx_rc rc = read_file(&k);
    if (rc == TWX_OK) rc = twx_scan_documents(job, o, "list URLs", list_url, &k);
    k.next = 0;
    if (rc == TWX_OK) rc = twx_scan_documents(job, o, "find known copies", match_url, &k);
    twx_arena_done(&k.strings);
    TWX_VEC_DONE(&k.rules);
    twx_map64_done(&k.by_url);
    twx_buf_done(&k.made);
    return rc;
}
