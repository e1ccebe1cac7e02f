#include "evaluate/eval_findable.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash64.h"
#include "evaluate/eval_pairs.h"
#include "ingest/input.h"
#include "job/document_label.h"
#include "job/ranking.h"
#include "store/generations.h"
#include "store/signatures.h"
#include "store/text_index.h"
#include "text/similarity.h"
#include "text/tokens.h"

enum {
    LOT_SEED = 21,
    WORD_SEED = 22,
    URL_SEED = 23,
    ALIKE_PPM = 900000,
    TITLE_PARTNERS = 32,
    HITS_KEPT = 4000,
    LINE_BYTES = 1 << 16,
    FIELDS = 3
};
#define STEPS_MAX ((double)(UINT64_C(1) << 36))

/* Hits of one title, best first. */
typedef struct title_hits {
    uint64_t title;
    TWX_VEC(uint32_t) documents;
} title_hits;

typedef struct known_pair {
    uint32_t a, b;
} known_pair;

struct twx_eval_finder {
    const twx_job *job;
    twx_opened *o;
    const twx_eval_finding *how;
    twx_similarity *similarity;
    twx_tokens tokens;
    twx_buf left, right, title, query;
    bool searches;
    char generation;
    twx_ranking_rules rules;
    TWX_VEC(title_hits) searched;
    twx_map64 searched_at; /* hash of a title -> number in `searched` */
    TWX_VEC(known_pair) known;
    twx_map64 alike;  /* two texts -> 1 when they are .9 similar, else 0 */
    uint8_t *visible; /* by text, for the method at hand */
};

static uint32_t text_of(const twx_eval_finder *f, uint32_t document) {
    return f->how->documents->at.at[document].text;
}

static uint64_t title_of(const twx_eval_finder *f, uint32_t document) {
    return f->how->documents->at.at[document].title;
}

static bool is_hidden(const uint32_t *rep, uint32_t document) {
    return rep[document] != TWX_NO_DOCUMENT && rep[document] != document;
}

static uint64_t lot_of(const twx_eval_finder *f, uint32_t document) {
    return twx_mix64(twx_mix64(f->how->seed, LOT_SEED),
                     f->how->documents->docs.at.at[document].facts.url_key);
}

static twx_measure share_of(uint64_t found, uint64_t sampled, uint64_t all) {
    if (sampled == 0) return (twx_measure){0};
    const double share = (double)found / (double)sampled;
    return sampled == all ? (twx_measure){true, share, share, share}
                          : twx_wilson(share, (double)sampled);
}

/* ---- known copies
 * --------------------------------------------------------------------------------------- */

typedef struct known_row {
    twx_slice prefix, other; /* other: a prefix, or the parameters of a query relation */
    bool query;
} known_row;

typedef struct known_reading {
    twx_eval_finder *f;
    twx_arena strings;
    TWX_VEC(known_row) rows;
    twx_map64 by_url; /* hash of the URL as stored -> document */
    twx_buf made;
    uint32_t next; /* number of the next document */
} known_reading;

static bool starts_with(twx_slice s, twx_slice prefix) {
    return s.n >= prefix.n && memcmp(s.p, prefix.p, prefix.n) == 0;
}

static twx_rc take_known_line(known_reading *k, twx_slice line, uint64_t number) {
    twx_slice field[FIELDS] = {{0}};
    twx_ctx *cx = k->f->job->cx;
    size_t n = 0, from = 0;
    if (twx_slice_trim(line).n == 0 || line.p[0] == '#') return TWX_OK;
    for (; n < FIELDS && from <= line.n; n++) {
        const size_t tab = twx_slice_find(line, '\t', from);
        field[n] = twx_slice_trim(twx_slice_sub(line, from, tab));
        from = tab + 1;
    }
    if (n < FIELDS || field[1].n == 0 || field[2].n == 0)
        return twx_fail(cx, TWX_E_DATA, "%s:%" PRIu64 ": not 'relation TAB prefix TAB prefix'",
                        k->f->how->known, number);
    if (twx_slice_eq(field[0], TWX_SLICE_LIT("version")) ||
        twx_slice_eq(field[0], TWX_SLICE_LIT("variant")) ||
        twx_slice_eq(field[0], TWX_SLICE_LIT("redirect")))
        return TWX_OK;
    known_row row = {.query = starts_with(field[0], TWX_SLICE_LIT("query"))};
    if (row.query && field[1].p[field[1].n - 1] == '*') field[1].n--;
    twx_rc rc = twx_arena_copy(cx, &k->strings, field[1], &row.prefix);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, &k->strings, field[2], &row.other);
    return rc == TWX_OK && !TWX_VEC_PUSH(cx, &k->rows, row) ? TWX_E_NOMEM : rc;
}

static twx_rc read_known_file(known_reading *k) {
    twx_ctx *cx = k->f->job->cx;
    twx_input *in = NULL;
    twx_buf line;
    uint64_t number = 0;
    twx_buf_init(&line, LINE_BYTES);
    twx_rc rc = twx_input_open(cx, k->f->how->known, &in);
    while (rc == TWX_OK) {
        twx_buf_clear(&line);
        rc = twx_input_line(in, &line);
        if (rc == TWX_OK) rc = take_known_line(k, twx_buf_slice(&line), ++number);
    }
    twx_input_close(in);
    twx_buf_done(&line);
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc list_url(void *arg, const twx_source_row *row) {
    known_reading *k = arg;
    const uint32_t document = k->next++;
    const twx_slice url = twx_bytes_of(&row->value[TWX_COL_URL]);
    if (!url.p || document >= k->f->how->documents->at.n ||
        text_of(k->f, document) == TWX_EVAL_NO_TEXT)
        return TWX_OK;
    return twx_map64_put(k->f->job->cx, &k->by_url, twx_hash64(url, URL_SEED), document);
}

/* The URL without its query, when the query is one of the parameters of the row alone. */
static bool without_query(const known_row *row, twx_slice url, twx_slice *ret_base) {
    const size_t mark = twx_slice_find(url, '?', 0);
    if (mark >= url.n) return false;
    const twx_slice query = twx_slice_sub(url, mark, url.n);
    const size_t equals = twx_slice_find(query, '=', 0);
    if (equals >= query.n || twx_slice_find(query, '&', 0) < query.n) return false;
    const twx_slice name = twx_slice_sub(query, 0, equals + 1);
    *ret_base = twx_slice_sub(url, 0, mark);
    for (size_t at = 0; at < row->other.n; at++)
        if (starts_with(twx_slice_sub(row->other, at, row->other.n), name)) return true;
    return false;
}

static twx_rc match_url(void *arg, const twx_source_row *row) {
    known_reading *k = arg;
    twx_eval_finder *f = k->f;
    const uint32_t a = k->next++;
    const twx_slice url = twx_bytes_of(&row->value[TWX_COL_URL]);
    if (!url.p || a >= f->how->documents->at.n || text_of(f, a) == TWX_EVAL_NO_TEXT) return TWX_OK;
    for (size_t i = 0; i < k->rows.n; i++) {
        const known_row *known = &k->rows.at[i];
        twx_slice other;
        uint64_t b = 0;
        if (!starts_with(url, known->prefix)) continue;
        twx_buf_clear(&k->made);
        if (known->query) {
            if (!without_query(known, url, &other)) continue;
        } else {
            twx_rc rc = twx_buf_add_slice(f->job->cx, &k->made, known->other);
            if (rc == TWX_OK)
                rc = twx_buf_add_slice(f->job->cx, &k->made,
                                       twx_slice_sub(url, known->prefix.n, url.n));
            if (rc != TWX_OK) return rc;
            other = twx_buf_slice(&k->made);
        }
        if (!twx_map64_get(&k->by_url, twx_hash64(other, URL_SEED), &b) || b == a) continue;
        if (text_of(f, a) == text_of(f, (uint32_t)b) || title_of(f, a) != title_of(f, (uint32_t)b))
            continue;
        if (!TWX_VEC_PUSH(f->job->cx, &f->known, (known_pair){a, (uint32_t)b})) return TWX_E_NOMEM;
    }
    return TWX_OK;
}

static twx_rc read_known(twx_eval_finder *f) {
    known_reading k = {.f = f};
    twx_arena_init(&k.strings, 0);
    twx_map64_init(&k.by_url, URL_SEED);
    twx_buf_init(&k.made, LINE_BYTES);
    twx_rc rc = read_known_file(&k);
    if (rc == TWX_OK) rc = twx_scan_documents(f->job, f->o, "list URLs", list_url, &k);
    k.next = 0;
    if (rc == TWX_OK) rc = twx_scan_documents(f->job, f->o, "find known copies", match_url, &k);
    twx_arena_done(&k.strings);
    TWX_VEC_DONE(&k.rows);
    twx_map64_done(&k.by_url);
    twx_buf_done(&k.made);
    return rc;
}

/* ---- opening
 * -------------------------------------------------------------------------------------------- */

static twx_rc open_index(twx_eval_finder *f) {
    twx_state state = {0};
    if (!f->o->writer || !f->o->generations) return TWX_OK;
    twx_rc rc = twx_text_index_has(f->o->writer, &f->searches);
    if (rc == TWX_OK) rc = twx_state_read(f->o->generations, &state);
    f->generation = state.generation;
    f->searches &= state.generation != 0;
    return rc == TWX_OK && f->searches ? twx_ranking_rules_load(f->job->cx, NULL, &f->rules) : rc;
}

twx_rc twx_eval_finder_open(const twx_job *job, twx_opened *o, const twx_eval_finding *how,
                            twx_eval_finder **ret_finder) {
    twx_eval_finder *f = twx_calloc(job->cx, 1, sizeof *f);
    if (!f) return TWX_E_NOMEM;
    f->job = job;
    f->o = o;
    f->how = how;
    twx_tokens_init(&f->tokens);
    twx_buf_init(&f->left, SIZE_MAX / 4);
    twx_buf_init(&f->right, SIZE_MAX / 4);
    twx_buf_init(&f->title, SIZE_MAX / 4);
    twx_buf_init(&f->query, SIZE_MAX / 4);
    twx_map64_init(&f->searched_at, 0);
    twx_map64_init(&f->alike, 0);
    twx_rc rc = twx_similarity_open(job->cx, &f->similarity);
    if (rc == TWX_OK) rc = open_index(f);
    if (rc == TWX_OK && how->known) rc = read_known(f);
    if (rc == TWX_OK) f->visible = twx_calloc(job->cx, how->texts->at.n + 1, 1);
    if (rc == TWX_OK && !f->visible) rc = TWX_E_NOMEM;
    if (rc == TWX_OK)
        *ret_finder = f;
    else
        twx_eval_finder_close(f);
    return rc;
}

void twx_eval_finder_close(twx_eval_finder *f) {
    if (!f) return;
    twx_similarity_close(f->similarity);
    twx_tokens_done(&f->tokens);
    twx_buf_done(&f->left);
    twx_buf_done(&f->right);
    twx_buf_done(&f->title);
    twx_buf_done(&f->query);
    if (f->searches) twx_ranking_rules_done(&f->rules);
    for (size_t i = 0; i < f->searched.n; i++) TWX_VEC_DONE(&f->searched.at[i].documents);
    TWX_VEC_DONE(&f->searched);
    twx_map64_done(&f->searched_at);
    TWX_VEC_DONE(&f->known);
    twx_map64_done(&f->alike);
    twx_free(f->visible);
    twx_free(f);
}

bool twx_eval_finder_searches(const twx_eval_finder *f) {
    return f->searches;
}

uint64_t twx_eval_finder_known(const twx_eval_finder *f) {
    return f->known.n;
}

/* ---- similar texts
 * --------------------------------------------------------------------------------------- */

/* Are two texts .9 similar? Texts that are too long to compare are not. Kept, because all methods
 * ask about the same pairs. */
static twx_rc compare(twx_eval_finder *f, uint32_t a, uint32_t b, bool *ret_alike) {
    const twx_eval_texts *t = f->how->texts;
    const uint64_t key = twx_eval_pair_of(a, b);
    uint64_t known = 0;
    int32_t ppm = -1;
    twx_rc rc = TWX_OK;
    if (!twx_map64_get(&f->alike, key, &known)) {
        const double x = (double)t->at.at[a].bytes, y = (double)t->at.at[b].bytes;
        const bool reach = 2e6 * (x < y ? x : y) >= ALIKE_PPM * (x + y) && x * y <= STEPS_MAX;
        twx_buf_clear(&f->left);
        twx_buf_clear(&f->right);
        if (reach) rc = twx_eval_text_fetch(f->job, f->o, t, a, &f->left);
        if (rc == TWX_OK && reach) rc = twx_eval_text_fetch(f->job, f->o, t, b, &f->right);
        if (rc == TWX_OK && reach)
            rc = twx_similarity_of(f->job->cx, f->similarity, twx_buf_slice(&f->left),
                                   twx_buf_slice(&f->right), ALIKE_PPM, &ppm);
        known = ppm >= ALIKE_PPM;
        if (rc == TWX_OK) rc = twx_map64_put(f->job->cx, &f->alike, key, known);
    }
    if (rc == TWX_OK) *ret_alike = known != 0;
    return rc;
}

/* ---- title words
 * ------------------------------------------------------------------------------------------ */

typedef struct page_reading {
    twx_eval_finder *f;
    twx_map64 *words; /* of title and text; NULL: the title is kept instead */
} page_reading;

static twx_rc add_words(twx_eval_finder *f, twx_slice text, twx_map64 *words) {
    twx_ctx *cx = f->job->cx;
    twx_token token;
    twx_tokens_start(&f->tokens, text);
    twx_rc rc = twx_tokens_next(cx, &f->tokens, &token);
    for (; rc == TWX_OK; rc = twx_tokens_next(cx, &f->tokens, &token)) {
        rc = twx_map64_put(cx, words, twx_hash64(token.text, WORD_SEED), 1);
        if (rc != TWX_OK) return rc;
    }
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc take_page(void *arg, const twx_source_row *row, bool *ret_enough) {
    const page_reading *r = arg;
    const twx_slice title = twx_bytes_of(&row->value[TWX_COL_TITLE]);
    *ret_enough = true;
    if (!r->words) {
        twx_buf_clear(&r->f->title);
        return twx_buf_add_slice(r->f->job->cx, &r->f->title, title);
    }
    twx_rc rc = add_words(r->f, title, r->words);
    return rc == TWX_OK ? add_words(r->f, twx_bytes_of(&row->value[TWX_COL_TEXT]), r->words) : rc;
}

static bool is_number(twx_slice word) {
    for (size_t i = 0; i < word.n; i++)
        if (!twx_is_digit((unsigned char)word.p[i])) return false;
    return true;
}

/* Looks the words of the title at hand up in those of the representative. */
static twx_rc look_up(twx_eval_finder *f, const twx_map64 *words, bool *ret_lost,
                      bool *ret_lost_word) {
    twx_ctx *cx = f->job->cx;
    twx_token token;
    uint64_t unused = 0;
    *ret_lost = *ret_lost_word = false;
    twx_tokens_start(&f->tokens, twx_buf_slice(&f->title));
    twx_rc rc = twx_tokens_next(cx, &f->tokens, &token);
    for (; rc == TWX_OK; rc = twx_tokens_next(cx, &f->tokens, &token)) {
        if (twx_map64_get(words, twx_hash64(token.text, WORD_SEED), &unused)) continue;
        *ret_lost = true;
        *ret_lost_word |= !is_number(token.text);
    }
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc check_title(twx_eval_finder *f, uint32_t document, uint32_t representative,
                          bool *ret_lost, bool *ret_lost_word) {
    twx_map64 words;
    page_reading of_title = {f, NULL}, of_words = {f, &words};
    twx_map64_init(&words, 0);
    twx_rc rc = twx_eval_document_fetch(f->job, f->o, f->how->documents, document, take_page,
                                        &of_title);
    if (rc == TWX_OK)
        rc = twx_eval_document_fetch(f->job, f->o, f->how->documents, representative, take_page,
                                     &of_words);
    if (rc == TWX_OK) rc = look_up(f, &words, ret_lost, ret_lost_word);
    twx_map64_done(&words);
    return rc;
}

/* ---- search
 * -----------------------------------------------------------------------------------------------
  * */

typedef struct hit_taking {
    twx_eval_finder *f;
    TWX_VEC(int64_t) docs;
} hit_taking;

static twx_rc take_hit(void *arg, const twx_hit *hit) {
    hit_taking *t = arg;
    return TWX_VEC_PUSH(t->f->job->cx, &t->docs, hit->doc) ? TWX_OK : TWX_E_NOMEM;
}

/* All words of the title, each in quotes: no word is an operator of FTS5. */
static twx_rc make_query(twx_eval_finder *f) {
    twx_ctx *cx = f->job->cx;
    twx_token token;
    twx_buf_clear(&f->query);
    twx_tokens_start(&f->tokens, twx_buf_slice(&f->title));
    twx_rc rc = twx_tokens_next(cx, &f->tokens, &token);
    for (; rc == TWX_OK; rc = twx_tokens_next(cx, &f->tokens, &token)) {
        if (f->query.n + token.text.n + 4 > TWX_QUERY_BYTES) return TWX_OK;
        rc = twx_buf_add_char(cx, &f->query, '"');
        if (rc == TWX_OK) rc = twx_buf_add_slice(cx, &f->query, token.text);
        if (rc == TWX_OK) rc = twx_buf_add_text(cx, &f->query, "\" ");
        if (rc != TWX_OK) return rc;
    }
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc number_hits(twx_eval_finder *f, const hit_taking *t, title_hits *hits) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < t->docs.n; i++) {
        twx_value id;
        rc = twx_id_of(f->o, t->docs.at[i], &id);
        const uint32_t document = rc == TWX_OK ? twx_eval_document_of(f->how->documents, &id)
                                               : TWX_NO_DOCUMENT;
        twx_signatures_release(f->o->signatures);
        if (rc == TWX_DONE) rc = TWX_OK;
        if (rc != TWX_OK || document == TWX_NO_DOCUMENT ||
            !twx_eval_takes_part(f->how->documents, document))
            continue;
        if (!TWX_VEC_PUSH(f->job->cx, &hits->documents, document)) rc = TWX_E_NOMEM;
    }
    return rc;
}

static twx_rc run_search(twx_eval_finder *f, title_hits *hits) {
    hit_taking taking = {.f = f};
    const twx_search search = {.query = twx_buf_slice(&f->query),
                               .generation = f->generation,
                               .direct = twx_source_is_direct(f->o->source),
                               .ranking = &f->rules.ranking,
                               .limit = HITS_KEPT};
    twx_rc rc = twx_text_search(f->o->writer, &search, take_hit, &taking);
    if (rc == TWX_OK) rc = number_hits(f, &taking, hits);
    TWX_VEC_DONE(&taking.docs);
    return rc;
}

/* The hits of the title at hand; borrowed until the next call. */
static twx_rc search_title(twx_eval_finder *f, uint64_t title, const title_hits **ret_hits) {
    uint64_t at = f->searched.n;
    title_hits made = {.title = title};
    if (!twx_map64_get(&f->searched_at, title, &at)) {
        twx_rc rc = make_query(f);
        if (rc == TWX_OK) rc = run_search(f, &made);
        if (rc == TWX_OK && !TWX_VEC_PUSH(f->job->cx, &f->searched, made)) rc = TWX_E_NOMEM;
        if (rc != TWX_OK) {
            TWX_VEC_DONE(&made.documents);
            return rc;
        }
        rc = twx_map64_put(f->job->cx, &f->searched_at, title, at);
        if (rc != TWX_OK) return rc;
    }
    *ret_hits = &f->searched.at[at];
    return TWX_OK;
}

static bool is_found(const twx_eval_finder *f, const uint32_t *rep, uint32_t document,
                     const title_hits *hits) {
    const uint32_t survivor = rep[document];
    for (size_t i = 0, shown = 0; i < hits->documents.n && shown < TWX_FINDABLE_TOP; i++) {
        const uint32_t hit = hits->documents.at[i];
        if (is_hidden(rep, hit)) continue;
        shown++;
        const uint32_t text = text_of(f, hit);
        if (hit == survivor || (text != TWX_EVAL_NO_TEXT &&
                                (text == text_of(f, survivor) || text == text_of(f, document))))
            return true;
    }
    return false;
}

/* ---- hidden documents
 * --------------------------------------------------------------------------------------- */

static twx_rc list_hidden(twx_eval_finder *f, const uint32_t *rep, twx_eval_lots *lots,
                          uint64_t *ret_hidden) {
    const twx_eval_documents *d = f->how->documents;
    twx_map64 seen;
    uint64_t first = 0;
    twx_rc rc = TWX_OK;
    twx_map64_init(&seen, 0);
    memset(f->visible, 0, f->how->texts->at.n);
    for (uint32_t i = 0; i < d->at.n; i++)
        if (text_of(f, i) != TWX_EVAL_NO_TEXT && !is_hidden(rep, i)) f->visible[text_of(f, i)] = 1;
    *ret_hidden = 0;
    for (uint32_t i = 0; rc == TWX_OK && i < d->at.n; i++) {
        if (text_of(f, i) == TWX_EVAL_NO_TEXT || !is_hidden(rep, i) || f->visible[text_of(f, i)])
            continue;
        rc = twx_map64_add(f->job->cx, &seen, twx_mix64(text_of(f, i), title_of(f, i)), i, &first);
        if (rc != TWX_OK || first != i) continue;
        ++*ret_hidden;
        if (title_of(f, i) && !TWX_VEC_PUSH(f->job->cx, lots, (twx_eval_lot){lot_of(f, i), i}))
            rc = TWX_E_NOMEM;
    }
    twx_map64_done(&seen);
    return rc;
}

static twx_rc measure_hidden(twx_eval_finder *f, const uint32_t *rep, twx_findable *result) {
    twx_eval_lots lots = {0};
    uint64_t lost = 0, lost_words = 0, found = 0;
    twx_rc rc = list_hidden(f, rep, &lots, &result->hidden);
    const uint64_t titled = lots.n;
    twx_eval_lots_keep(&lots, f->how->sample);
    for (size_t i = 0; rc == TWX_OK && i < lots.n; i++) {
        const uint32_t document = lots.at[i].item;
        const title_hits *hits = NULL;
        bool has_lost = false, has_lost_word = false;
        rc = check_title(f, document, rep[document], &has_lost, &has_lost_word);
        lost += has_lost;
        lost_words += has_lost_word;
        if (rc == TWX_OK && f->searches) rc = search_title(f, title_of(f, document), &hits);
        if (rc == TWX_OK && hits) found += is_found(f, rep, document, hits);
        if (rc == TWX_OK) rc = twx_cancelled(f->job->cx);
        twx_job_progress(f->job, "look for hidden documents", "documents", i + 1, lots.n);
    }
    result->sampled = lots.n;
    result->lost = share_of(lost, lots.n, titled);
    result->lost_words = share_of(lost_words, lots.n, titled);
    result->searched = f->searches ? lots.n : 0;
    result->found = share_of(found, result->searched, titled);
    TWX_VEC_DONE(&lots);
    return rc;
}

/* ---- visible copies
 * ------------------------------------------------------------------------------------------ */

/* A visible text with its title. */
typedef struct titled_text {
    uint64_t title, lot;
    uint32_t document;
} titled_text;
typedef TWX_VEC(titled_text) titled_texts;

static int by_title(const void *left, const void *right) {
    const titled_text *a = left, *b = right;
    if (a->title != b->title) return a->title < b->title ? -1 : 1;
    if (a->lot != b->lot) return a->lot < b->lot ? -1 : 1;
    return (a->document > b->document) - (a->document < b->document);
}

static twx_rc list_titled(twx_eval_finder *f, const uint32_t *rep, titled_texts *list) {
    const twx_eval_documents *d = f->how->documents;
    twx_map64 seen;
    uint64_t first = 0;
    twx_rc rc = TWX_OK;
    twx_map64_init(&seen, 0);
    for (uint32_t i = 0; rc == TWX_OK && i < d->at.n; i++) {
        if (text_of(f, i) == TWX_EVAL_NO_TEXT || is_hidden(rep, i) || title_of(f, i) == 0) continue;
        rc = twx_map64_add(f->job->cx, &seen, twx_mix64(text_of(f, i), title_of(f, i)), i, &first);
        if (rc == TWX_OK && first == i &&
            !TWX_VEC_PUSH(f->job->cx, list, (titled_text){title_of(f, i), lot_of(f, i), i}))
            rc = TWX_E_NOMEM;
    }
    twx_map64_done(&seen);
    if (rc == TWX_OK && list->n) qsort(list->at, list->n, sizeof *list->at, by_title);
    return rc;
}

/* Is one of the texts at[from..to) similar to that of at[i]? */
static twx_rc has_alike(twx_eval_finder *f, const titled_texts *list, size_t i, size_t from,
                        size_t to, bool *ret_alike) {
    twx_rc rc = TWX_OK;
    *ret_alike = false;
    for (size_t k = from, n = 0; rc == TWX_OK && k < to && n < TITLE_PARTNERS && !*ret_alike; k++) {
        if (k == i) continue;
        n++;
        rc = compare(f, text_of(f, list->at[i].document), text_of(f, list->at[k].document),
                     ret_alike);
    }
    return rc;
}

static twx_rc measure_titled(twx_eval_finder *f, const uint32_t *rep, twx_findable *result) {
    titled_texts list = {0};
    twx_eval_lots lots = {0};
    uint64_t alike = 0;
    twx_rc rc = list_titled(f, rep, &list);
    for (size_t i = 0; rc == TWX_OK && i < list.n; i++) {
        const bool shared = (i > 0 && list.at[i - 1].title == list.at[i].title) ||
                            (i + 1 < list.n && list.at[i + 1].title == list.at[i].title);
        if (shared && !TWX_VEC_PUSH(f->job->cx, &lots, (twx_eval_lot){list.at[i].lot, (uint32_t)i}))
            rc = TWX_E_NOMEM;
    }
    const uint64_t all = lots.n;
    twx_eval_lots_keep(&lots, f->how->sample);
    for (size_t i = 0; rc == TWX_OK && i < lots.n; i++) {
        const size_t at = lots.at[i].item;
        size_t from = at, to = at + 1;
        bool found = false;
        while (from > 0 && list.at[from - 1].title == list.at[at].title) from--;
        while (to < list.n && list.at[to].title == list.at[at].title) to++;
        rc = has_alike(f, &list, at, from, to, &found);
        alike += found;
        if (rc == TWX_OK) rc = twx_cancelled(f->job->cx);
    }
    result->titled_sampled = lots.n;
    result->same_title = share_of(alike, lots.n, all);
    TWX_VEC_DONE(&list);
    TWX_VEC_DONE(&lots);
    return rc;
}

static twx_rc measure_known(twx_eval_finder *f, const uint32_t *rep, twx_findable *result) {
    twx_eval_lots lots = {0};
    uint64_t sampled = 0, visible = 0;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < f->known.n; i++) {
        const uint64_t lot = twx_mix64(lot_of(f, f->known.at[i].a), lot_of(f, f->known.at[i].b));
        if (!TWX_VEC_PUSH(f->job->cx, &lots, (twx_eval_lot){lot, (uint32_t)i})) rc = TWX_E_NOMEM;
    }
    twx_eval_lots_keep(&lots, f->how->sample);
    for (size_t i = 0; rc == TWX_OK && i < lots.n; i++) {
        const known_pair *pair = &f->known.at[lots.at[i].item];
        bool alike = false;
        rc = compare(f, text_of(f, pair->a), text_of(f, pair->b), &alike);
        if (!alike) continue;
        const uint32_t a = is_hidden(rep, pair->a) ? rep[pair->a] : pair->a;
        const uint32_t b = is_hidden(rep, pair->b) ? rep[pair->b] : pair->b;
        sampled++;
        visible += a != b && text_of(f, a) != text_of(f, b);
    }
    result->known_sampled = sampled;
    result->known_visible = share_of(visible, sampled, lots.n == f->known.n ? sampled : UINT64_MAX);
    TWX_VEC_DONE(&lots);
    return rc;
}

twx_rc twx_eval_find(twx_eval_finder *f, const uint32_t *rep, twx_findable *result) {
    twx_rc rc = measure_hidden(f, rep, result);
    if (rc == TWX_OK) rc = measure_titled(f, rep, result);
    return rc == TWX_OK ? measure_known(f, rep, result) : rc;
}
