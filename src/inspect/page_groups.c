/* The largest clusters for the report page, with some of their members and the differences of two
 * texts. */
#include "inspect/collect_page.h"

#include "inspect/diff.h"
#include "text/similarity.h"

enum { SIMILARITY_BYTES = 1 << 16 /* longest texts whose similarity is measured */ };

/* A document by its id, and the store that has it. */
typedef struct listed_id {
    twx_value id;
    uint32_t member;
} listed_id;
typedef TWX_VEC(listed_id) listed;

/* Rows of a list. They are read after the statement of the list has ended, because only one
 * statement is open at a time. */
typedef struct listing {
    twx_ctx *cx;
    twx_arena *arena;
    size_t most;
    listed ids;
    TWX_VEC(int64_t) documents;
} listing;

/* TWX_DONE: the list is full. */
static twx_rc keep_id(listing *l, uint32_t member, const twx_value *v) {
    listed_id copy = {*v, member};
    if (l->ids.n == l->most) return TWX_DONE;
    twx_rc rc = twx_arena_copy(l->cx, l->arena, v->bytes, &copy.id.bytes);
    return rc == TWX_OK && !TWX_VEC_PUSH(l->cx, &l->ids, copy) ? TWX_E_NOMEM : rc;
}

static twx_rc take_group(void *arg, uint32_t member, const twx_value *columns, size_t n) {
    listing *l = arg;
    (void)n;
    twx_rc rc = keep_id(l, member, &columns[0]);
    return rc == TWX_OK && !TWX_VEC_PUSH(l->cx, &l->documents, columns[1].i) ? TWX_E_NOMEM : rc;
}

static twx_rc take_member(void *arg, uint32_t member, const twx_value *columns, size_t n) {
    (void)n;
    return keep_id(arg, member, &columns[0]);
}

/* A number; in a damaged table also a text or a blob, which lives no longer than its row. */
typedef struct kept_signature {
    twx_ctx *cx;
    twx_arena *arena;
    twx_value value;
} kept_signature;

static twx_rc take_signature(void *arg, const twx_value *columns, size_t n) {
    kept_signature *kept = arg;
    (void)n;
    kept->value = columns[0];
    const twx_rc rc = twx_arena_copy(kept->cx, kept->arena, columns[0].bytes, &kept->value.bytes);
    return rc == TWX_OK ? TWX_DONE : rc;
}

/* ---- differences --------------------------------------------------------- */

static twx_rc compare_texts(const twx_listed_reading *r, const twx_slice texts[2],
                            twx_page_group *g) {
    twx_ctx *cx = r->job->cx;
    twx_text_diff diff;
    twx_similarity *s = NULL;
    twx_rc rc = twx_text_diff_of(cx, texts[0], texts[1], &diff);
    if (rc != TWX_OK) return rc;
    g->texts = TWX_TEXTS_COMPARED;
    g->coarse = diff.coarse;
    rc = twx_differences_list(cx, &diff, TWX_PAGE_PASSAGES, r->arena, &g->passages,
                              &g->differences);
    twx_text_diff_done(&diff);
    if (rc != TWX_OK || texts[0].n > SIMILARITY_BYTES || texts[1].n > SIMILARITY_BYTES) return rc;
    rc = twx_similarity_open(cx, &s);
    if (rc == TWX_OK) rc = twx_similarity_of(cx, s, texts[0], texts[1], 0, &g->similarity);
    twx_similarity_close(s);
    return rc;
}

/* Reads a member; the first text that differs from the representative's is kept in texts[1]. */
static twx_rc read_member(const twx_listed_reading *r, const listed_id *id, twx_page_group *g,
                          twx_slice texts[2]) {
    twx_page_document d;
    twx_slice text = {NULL, 0};
    twx_rc rc = twx_page_document_read(r, id->member, &id->id, &d, &text);
    if (rc != TWX_OK) return rc;
    if (g->members.n == 0) {
        texts[0] = text;
    } else if (!text.p || !texts[0].p) {
        g->texts = d.unreadable || g->members.at[0].unreadable ? TWX_TEXTS_UNREADABLE
                                                               : TWX_TEXTS_TOO_LONG;
    } else if (!texts[1].p && !twx_slice_eq(text, texts[0])) {
        texts[1] = text;
        g->other = g->members.n;
    }
    return TWX_VEC_PUSH(r->job->cx, &g->members, d) ? TWX_OK : TWX_E_NOMEM;
}

/* ---- a group ---------------------------------------------------------------- */

/* A member whose text differs comes first, so that it is listed and compared. */
static twx_rc list_members(const twx_listed_reading *r, const listed_id *representative,
                           listing *l) {
    static const int BY_ID[] = {1, 0};
    twx_set_member *home = &r->set->at[representative->member];
    const twx_value store = {.type = home->shard.p ? TWX_TEXT : TWX_NULL, .bytes = home->shard};
    kept_signature signature = {.cx = r->job->cx, .arena = r->arena};
    const twx_display_query of = {
        .sql = twx_display_signature(), .values = &representative->id, .n_values = 1};
    twx_rc rc = twx_display(home->o.writer, &of, take_signature, &signature);
    const twx_value about[] = {representative->id, store, signature.value};
    const twx_value values_of[] = {{.type = TWX_TEXT, .bytes = TWX_SLICE_LIT("verdict")},
                                   representative->id,
                                   {.type = TWX_INT, .i = TWX_PAGE_MEMBERS},
                                   store};
    const twx_set_query differing = {{.sql = twx_display_differing(),
                                      .values = about,
                                      .n_values = TWX_COUNTOF(about)},
                                     true,
                                     BY_ID},
                        members = {{.sql = twx_display_members(),
                                    .values = values_of,
                                    .n_values = TWX_COUNTOF(values_of)},
                                   true,
                                   BY_ID};
    l->most = 1;
    if (rc == TWX_OK) rc = twx_store_set_display(r->set, &differing, take_member, l);
    l->most = l->ids.n + TWX_PAGE_MEMBERS;
    return rc == TWX_OK ? twx_store_set_display(r->set, &members, take_member, l) : rc;
}

static bool is_same(const listed_id *a, const listed_id *b) {
    return a->member == b->member && twx_value_hash(&a->id, 0) == twx_value_hash(&b->id, 0);
}

/* Is it the representative, or the member that came first? */
static bool is_listed(const listing *l, size_t i, const listed_id *representative) {
    return is_same(&l->ids.at[i], representative) || (i && is_same(&l->ids.at[i], &l->ids.at[0]));
}

static twx_rc read_group(const twx_listed_reading *r, const listed_id *representative,
                         twx_page_group *g) {
    listing l = {.cx = r->job->cx, .arena = r->arena};
    twx_slice texts[2] = {{NULL, 0}, {NULL, 0}};
    twx_rc rc = list_members(r, representative, &l);
    if (rc == TWX_OK) rc = read_member(r, representative, g, texts);
    for (size_t i = 0; rc == TWX_OK && i < l.ids.n && g->members.n < TWX_PAGE_MEMBERS; i++)
        if (!is_listed(&l, i, representative)) rc = read_member(r, &l.ids.at[i], g, texts);
    if (rc == TWX_OK && texts[1].p) rc = compare_texts(r, texts, g);
    TWX_VEC_DONE(&l.ids);
    return rc;
}

twx_rc twx_page_groups_read(const twx_listed_reading *r, twx_report_page *p) {
    static const int LARGEST[] = {-2, 1, 0};
    listing l = {.cx = r->job->cx, .arena = r->arena, .most = TWX_PAGE_GROUPS};
    const twx_value limit = {.type = TWX_INT, .i = TWX_PAGE_GROUPS};
    const twx_set_query question = {
        {.sql = twx_display_largest(), .values = &limit, .n_values = 1}, false, LARGEST};
    twx_rc rc = twx_store_set_display(r->set, &question, take_group, &l);
    for (size_t i = 0; rc == TWX_OK && i < l.ids.n; i++) {
        const twx_page_group fresh = {.documents = l.documents.at[i], .similarity = -1};
        if (!TWX_VEC_PUSH(r->job->cx, &p->groups, fresh)) {
            rc = TWX_E_NOMEM;
            break;
        }
        twx_job_progress(r->job, "read groups", "groups", i, l.ids.n);
        rc = twx_cancelled(r->job->cx);
        if (rc == TWX_OK) rc = read_group(r, &l.ids.at[i], &p->groups.at[i]);
    }
    p->groups_sql = question.display.sql;
    TWX_VEC_DONE(&l.ids);
    TWX_VEC_DONE(&l.documents);
    return rc;
}
