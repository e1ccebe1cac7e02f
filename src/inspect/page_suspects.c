/* Suspects for the report page: texts that stand at many paths, which are often error pages served
 * with status 200 (soft 404s), and titles that many shown documents have. */
#include "inspect/collect_page.h"

#include <stdlib.h>

#include "base/hash64.h"
#include "job/document_label.h"
#include "judge/eligible.h"
#include "judge/facts.h"
#include "store/display.h"
#include "store/flags_cursor.h"

enum { PATHS_LEAST = 5, EXCERPT_BYTES = 1 << 10, START_BYTES = 200 };

/* A document of an exact group. */
typedef struct member {
    int64_t group; /* doc of its representative */
    uint64_t path, host;
    int64_t doc;
} member;

typedef struct suspicion {
    const twx_listed_reading *reading;
    twx_flags_cursor flags;
    TWX_VEC(member) members;
    TWX_VEC(twx_page_suspect) found;
    TWX_VEC(int64_t) groups; /* of found */
} suspicion;

/* ---- one text at many paths -------------------------------------------------- */

/* The path of a URL in normal form, without scheme, host and query. */
static twx_slice path_of(twx_slice url) {
    const size_t scheme = twx_slice_find(url, ':', 0);
    const size_t slash = twx_slice_find(url, '/', scheme + 3);
    return twx_slice_sub(url, slash, twx_slice_find(url, '?', slash));
}

static twx_rc take_document(void *arg, const twx_stored *stored) {
    suspicion *s = arg;
    twx_ctx *cx = s->reading->job->cx;
    twx_facts facts;
    const twx_flag_row *row = NULL;
    twx_rc rc = twx_facts_unpack(cx, stored->facts, &facts);
    if (rc == TWX_OK) rc = twx_flags_cursor_of(&s->flags, stored->doc, &row);
    if (rc != TWX_OK || !row || row->v[TWX_FLAG_eligibility] != TWX_ELIGIBLE ||
        !twx_flag_known(row, TWX_FLAG_exact_rep))
        return rc;
    const member m = {.group = row->v[TWX_FLAG_exact_rep],
                      .path = twx_hash64(path_of(twx_facts_url(stored->facts)), 0),
                      .host = twx_hash64(facts.host, 0),
                      .doc = stored->doc};
    return TWX_VEC_PUSH(cx, &s->members, m) ? TWX_OK : TWX_E_NOMEM;
}

static int by_path(const void *a, const void *b) {
    const member *x = a, *y = b;
    if (x->group != y->group) return x->group < y->group ? -1 : 1;
    if (x->path != y->path) return x->path < y->path ? -1 : 1;
    return x->doc < y->doc ? -1 : x->doc > y->doc;
}

static int by_host(const void *a, const void *b) {
    const member *x = a, *y = b;
    return x->host < y->host ? -1 : x->host > y->host;
}

/* A group of members, which is sorted by path, and then by host. */
static twx_page_suspect measure(member *m, size_t n) {
    twx_page_suspect s = {.documents = n, .paths = 1, .hosts = 1};
    for (size_t i = 1; i < n; i++) s.paths += m[i].path != m[i - 1].path;
    qsort(m, n, sizeof *m, by_host);
    for (size_t i = 1; i < n; i++) s.hosts += m[i].host != m[i - 1].host;
    return s;
}

static twx_rc find_texts(suspicion *s) {
    twx_ctx *cx = s->reading->job->cx;
    member *m = s->members.at;
    if (s->members.n) qsort(m, s->members.n, sizeof *m, by_path);
    for (size_t from = 0, to = 0; from < s->members.n; from = to) {
        const int64_t group = m[from].group;
        for (to = from; to < s->members.n && m[to].group == group; to++) {
        }
        const twx_page_suspect found = measure(m + from, to - from);
        if (found.paths < PATHS_LEAST) continue;
        if (!TWX_VEC_PUSH(cx, &s->found, found) || !TWX_VEC_PUSH(cx, &s->groups, group))
            return TWX_E_NOMEM;
    }
    return TWX_OK;
}

/* The index of the suspect with most paths that is not taken yet; paths 0: it is taken. */
static size_t next_suspect(const suspicion *s) {
    size_t best = 0;
    for (size_t i = 1; i < s->found.n; i++)
        if (s->found.at[i].paths > s->found.at[best].paths) best = i;
    return best;
}

static bool is_word_byte(unsigned char c) {
    return c >= 0x80 || twx_is_alpha(c) || twx_is_digit(c);
}

/* Whether a title or text begins like an error page, in the languages of most error pages: one of
 * the words begins in it, as a word ("terror" is none). */
static bool is_error_start(twx_slice text) {
    static const char *const WORDS[] = {
        "404",           "not found",   "page not found", "error",          "forbidden",
        "access denied", "bad request", "server error",   "nicht gefunden", "introuvable",
        "no encontrada", "non trovata", "unavailable",    "log in",         "sign in"};
    const twx_slice start = twx_slice_sub(text, 0, START_BYTES);
    for (size_t w = 0; w < TWX_COUNTOF(WORDS); w++) {
        const twx_slice word = twx_slice_of(WORDS[w]);
        for (size_t i = 0; i + word.n <= start.n; i++)
            if ((i == 0 || !is_word_byte((unsigned char)start.p[i - 1])) &&
                twx_slice_starts_nocase(twx_slice_sub(start, i, start.n), word))
                return true;
    }
    return false;
}

/* Reads the representative and one more document of the group. */
static twx_rc describe(suspicion *s, int64_t group, twx_page_suspect *suspect) {
    const twx_listed_reading *r = s->reading;
    twx_slice text = {NULL, 0};
    twx_value id;
    int64_t other = group;
    for (size_t i = 0; i < s->members.n && other == group; i++)
        if (s->members.at[i].group == group) other = s->members.at[i].doc;
    const int64_t docs[] = {group, other};
    for (size_t i = 0; i < TWX_COUNTOF(docs) && (i == 0 || docs[1] != group); i++) {
        twx_rc rc = twx_id_of(r->o, docs[i], &id);
        if (rc == TWX_DONE) continue;
        if (rc == TWX_OK)
            rc = twx_page_document_read(r, &id, &suspect->examples[suspect->examples_n],
                                        i == 0 ? &text : NULL);
        if (rc != TWX_OK) return rc;
        suspect->examples_n++;
    }
    suspect->excerpt = twx_slice_sub(text, 0, EXCERPT_BYTES);
    suspect->says_so = is_error_start(suspect->examples[0].title) || is_error_start(text);
    return TWX_OK;
}

static twx_rc list_texts(suspicion *s, twx_report_page *p) {
    twx_rc rc = TWX_OK;
    p->same_text_n = s->found.n;
    for (size_t i = 0; rc == TWX_OK && i < TWX_PAGE_SUSPECTS && i < s->found.n; i++) {
        const size_t at = next_suspect(s);
        twx_page_suspect suspect = s->found.at[at];
        s->found.at[at].paths = 0;
        rc = describe(s, s->groups.at[at], &suspect);
        if (rc == TWX_OK && !TWX_VEC_PUSH(s->reading->job->cx, &p->same_text, suspect))
            rc = TWX_E_NOMEM;
    }
    return rc;
}

static twx_rc same_texts(const twx_listed_reading *r, twx_report_page *p) {
    suspicion s = {.reading = r};
    twx_state state;
    twx_rc rc = twx_state_read(r->o->generations, &state);
    if (rc == TWX_OK)
        rc = twx_flags_cursor_init(r->job->cx, r->o->generations, state.generation, &s.flags);
    if (rc == TWX_OK) rc = twx_signatures_each(r->o->signatures, true, take_document, &s);
    if (rc == TWX_OK) rc = find_texts(&s);
    if (rc == TWX_OK) rc = list_texts(&s, p);
    twx_flags_cursor_done(&s.flags);
    TWX_VEC_DONE(&s.members);
    TWX_VEC_DONE(&s.found);
    TWX_VEC_DONE(&s.groups);
    return rc;
}

/* ---- one title on many documents ------------------------------------------------ */

typedef struct titles {
    const twx_listed_reading *reading;
    twx_report_page *page;
    TWX_VEC(twx_value) ids; /* first and last of each */
} titles;

static twx_rc take_title(void *arg, const twx_value *columns, size_t n) {
    titles *t = arg;
    twx_ctx *cx = t->reading->job->cx;
    const twx_page_suspect suspect = {.documents = (uint64_t)columns[0].i};
    twx_rc rc = TWX_VEC_PUSH(cx, &t->page->same_title, suspect) ? TWX_OK : TWX_E_NOMEM;
    for (size_t i = 1; rc == TWX_OK && i < 3 && i < n; i++) {
        twx_value id = columns[i];
        rc = twx_arena_copy(cx, t->reading->arena, columns[i].bytes, &id.bytes);
        if (rc == TWX_OK && !TWX_VEC_PUSH(cx, &t->ids, id)) rc = TWX_E_NOMEM;
    }
    return rc;
}

static twx_rc same_titles(const twx_listed_reading *r, twx_report_page *p) {
    titles t = {.reading = r, .page = p};
    const twx_value limit = {.type = TWX_INT, .i = TWX_PAGE_SUSPECTS};
    const twx_display_query question = {
        .sql = twx_display_titles(), .values = &limit, .n_values = 1};
    twx_rc rc = twx_display(r->o->writer, &question, take_title, &t);
    for (size_t i = 0; rc == TWX_OK && i < t.ids.n; i++) {
        twx_page_suspect *s = &p->same_title.at[i / 2];
        rc = twx_page_document_read(r, &t.ids.at[i], &s->examples[i % 2], NULL);
        s->examples_n = i % 2 + 1;
    }
    p->titles_sql = question.sql;
    TWX_VEC_DONE(&t.ids);
    return rc;
}

twx_rc twx_page_suspects_read(const twx_listed_reading *r, twx_report_page *p) {
    twx_rc rc = same_texts(r, p);
    return rc == TWX_OK ? same_titles(r, p) : rc;
}
