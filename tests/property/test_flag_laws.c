/* The flags against a judge that is written as plainly as the rules are: quadratic, in strings,
 * straight from what the pages mean (store_maker.h). It shares no code with src/ but for what a
 * text is to a detector: of the program's work it takes over one number a page, the signature of
 * the text profile, from src/detect the keys and the similarity of near-duplicates (near_signs.h),
 * and which documents are copies of each other: these groups are checked for what holds of them
 * whatever words a site has in common (judge/names.h; check_copies). Rules: docs/internals.md;
 * group/leaders.h. Then the promises to those who filter are checked with the SQL they would write.
 */
#include "method/detectors.h"
#include "near_signs.h"
#include "store_maker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { N_MAX = 128, STORES = TEST_SANITIZED ? 150 : 300, NOBODY = -1 };

typedef enum slot { SCHEME, WWW, EXACT, FUZZY, TITLE, DESCRIPTION, NEAR, COPY, SLOTS } slot;
static const char *const DETECTORS[SLOTS] = {"scheme", "www",         "exact", "fuzzy",
                                             "title",  "description", "near",  "copy"};

/* The numbers that are stored (judge/eligible.h). */
enum { TAKES_PART, BAD_URL, LOAD_FAILED, REDIRECTED, BAD_STATUS, NOINDEX, CANONICALISED };
enum {
    LINK_NONE,
    LINK_HONOURED,
    LINK_MISSING,
    LINK_FOREIGN,
    LINK_LOOP,
    LINK_DEAD_END,
    LINK_COLLAPSE
};

typedef enum scope { STORE, DOMAIN, HOST } scope;

typedef struct rules {
    bool https, www;
    const char *order; /* verdict.order */
    bool joins[SLOTS], canonical, redirect;
    int collapse_min;
    scope scope[SLOTS];
    bool link;         /* near.join */
    size_t candidates; /* near.candidates */
} rules;

typedef struct judged {
    int own;         /* what keeps it out apart from its link */
    int eligibility; /* with its link */
    int link_state, target;
    int end; /* where following links from here ends */
    int rep[SLOTS], count[SLOTS];
    int cluster_rep, cluster_count;
    bool http_unique, www_unique;
    const char *type;
    int duplicate_of;
} judged;

typedef struct judge {
    rules how;
    size_t n;
    test_shape shape;
    const test_page *const *page; /* lowest id first */
    bool has_profile[N_MAX];
    int64_t profile[N_MAX];
    char title[2][N_MAX][TEST_CELL_BYTES]; /* title, description, without needless white space */
    int subgroup[N_MAX];                   /* of its profile group: translations are kept apart */
    near_signs near;                       /* of the texts */
    /* of the near copies it is one of, itself when it has none; NOBODY: no signature */
    int leader[N_MAX];
    int32_t similarity[N_MAX]; /* to the text that it was joined with, millionths */
    /* the first document of its group of copies, as published; itself: alone; NOBODY: no
     * signature */
    int copy[N_MAX];
    int siblings[N_MAX];
    size_t near_capped, near_translations; /* who was left out for the cap, who was not joined */
    judged at[N_MAX];
} judge;

static const test_meaning *means(const judge *j, int i) {
    return &j->page[i]->means;
}

static bool equal(const char *a, const char *b) {
    return strcmp(a, b) == 0;
}

/* ---- the total order ---------------------------------------------------- */

static int compare_by(const char *criterion, const test_meaning *a, const test_meaning *b) {
    if (strncmp(criterion, "score", 5) == 0) {
        if (a->scored != b->scored) return a->scored ? -1 : 1;
        return a->scored ? (a->score < b->score) - (a->score > b->score) : 0;
    }
    if (strncmp(criterion, "url_length", 10) == 0) return (int)strlen(a->url) - (int)strlen(b->url);
    if (a->dated != b->dated) return a->dated ? -1 : 1;
    return a->dated ? (a->fetched_at > b->fetched_at) - (a->fetched_at < b->fetched_at) : 0;
}

static bool good_scheme(const judge *j, int i) {
    return !means(j, i)->web || means(j, i)->https == j->how.https;
}

static bool good_www(const judge *j, int i) {
    return !means(j, i)->web || means(j, i)->www == j->how.www;
}

static bool better(const judge *j, int a, int b) {
    if (good_scheme(j, a) != good_scheme(j, b)) return good_scheme(j, a);
    if (good_www(j, a) != good_www(j, b)) return good_www(j, a);
    for (const char *word = j->how.order; *word;) {
        int order = compare_by(word, means(j, a), means(j, b));
        if (order) return order < 0;
        word += strcspn(word, " ");
        word += strspn(word, " ");
    }
    return a < b;
}

/* ---- links -------------------------------------------------------------- */

static int own_eligibility(const test_meaning *m) {
    if (!m->usable) return BAD_URL;
    if (m->failed) return LOAD_FAILED;
    if (m->status != 200) return BAD_STATUS;
    return m->noindex ? NOINDEX : TAKES_PART;
}

/* Of several documents with the URL, one that takes part is meant before one that does not, then
 * the best. */
static int find_target(const judge *j, const char *url) {
    int found = NOBODY;
    for (int i = 0; i < (int)j->n; i++) {
        if (!means(j, i)->usable || !equal(means(j, i)->url, url)) continue;
        bool in = j->at[i].own == TAKES_PART;
        if (found == NOBODY || (in != (j->at[found].own == TAKES_PART) ? in : better(j, i, found)))
            found = i;
    }
    return found;
}

static bool all_link_to(const judge *j, const char *host, int target, int *ret_pages) {
    *ret_pages = 0;
    for (int i = 0; i < (int)j->n; i++) {
        if (!equal(means(j, i)->host, host)) continue;
        bool linked = j->at[i].link_state == LINK_HONOURED;
        if (linked && j->at[i].target != target) return false;
        if (!linked && i != target && j->at[i].own == TAKES_PART) return false;
        *ret_pages += linked;
    }
    return true;
}

static void disbelieve(judge *j) {
    bool collapsed[N_MAX] = {false};
    for (int i = 0; i < (int)j->n; i++) {
        int pages = 0;
        collapsed[i] = j->at[i].link_state == LINK_HONOURED &&
                       all_link_to(j, means(j, i)->host, j->at[i].target, &pages) &&
                       pages >= j->how.collapse_min;
    }
    for (int i = 0; i < (int)j->n; i++)
        if (collapsed[i]) j->at[i].link_state = LINK_COLLAPSE;
}

static void find_loops(judge *j) {
    bool loops[N_MAX] = {false};
    for (int i = 0; i < (int)j->n; i++) {
        int at = i;
        for (size_t steps = 0; steps < j->n && j->at[at].link_state == LINK_HONOURED && !loops[i];
             steps++) {
            at = j->at[at].target;
            loops[i] = at == i;
        }
    }
    for (int i = 0; i < (int)j->n; i++)
        if (loops[i]) j->at[i].link_state = LINK_LOOP;
}

static int follow(judge *j, int i) {
    judged *d = &j->at[i];
    if (d->link_state == LINK_HONOURED) {
        d->end = follow(j, d->target);
        if (d->end != NOBODY) return d->end;
        d->link_state = LINK_DEAD_END;
    }
    return d->end = d->own == TAKES_PART ? i : NOBODY;
}

static void judge_links(judge *j) {
    for (int i = 0; i < (int)j->n; i++) j->at[i].own = own_eligibility(means(j, i));
    for (int i = 0; i < (int)j->n; i++) {
        const test_meaning *m = means(j, i);
        judged *d = &j->at[i];
        d->target = NOBODY;
        if (!m->linked || equal(m->link, m->url)) continue;
        d->target = find_target(j, m->link);
        d->link_state = d->target == NOBODY                             ? LINK_MISSING
                        : equal(m->domain, means(j, d->target)->domain) ? LINK_HONOURED
                                                                        : LINK_FOREIGN;
    }
    disbelieve(j);
    find_loops(j);
    for (int i = 0; i < (int)j->n; i++) (void)follow(j, i);
    for (int i = 0; i < (int)j->n; i++) {
        judged *d = &j->at[i];
        const bool honoured = d->link_state == LINK_HONOURED;
        if (honoured) d->target = d->end;
        d->eligibility = d->own;
        if (!honoured || d->own == BAD_URL || d->own == LOAD_FAILED) continue;
        if (means(j, i)->redirect)
            d->eligibility = REDIRECTED;
        else if (d->own == TAKES_PART)
            d->eligibility = CANONICALISED;
    }
}

/* ---- groups ------------------------------------------------------------- */

static bool same_text(const judge *j, int a, int b) {
    const test_cell *x = &j->page[a]->cell[TEST_TEXT], *y = &j->page[b]->cell[TEST_TEXT];
    return x->n == y->n && memcmp(x->bytes, y->bytes, x->n) == 0;
}

static bool same_title(const judge *j, int which, int a, int b) {
    return j->title[which][a][0] && equal(j->title[which][a], j->title[which][b]);
}

static const char *bare_host(const test_meaning *m) {
    return m->host + (m->www ? strlen("www.") : 0);
}

static bool same_scope(const judge *j, slot s, int a, int b) {
    const test_meaning *x = means(j, a), *y = means(j, b);
    if (j->how.scope[s] == STORE) return true;
    return j->how.scope[s] == DOMAIN ? equal(x->domain, y->domain) : equal(x->host, y->host);
}

static bool same_profile(const judge *j, int a, int b) {
    return j->has_profile[a] && j->has_profile[b] && j->profile[a] == j->profile[b] &&
           same_scope(j, FUZZY, a, b);
}

static bool in_one_group(const judge *j, slot s, int a, int b) {
    const test_meaning *x = means(j, a), *y = means(j, b);
    switch (s) {
    case SCHEME: return x->web && y->web && equal(x->host, y->host) && equal(x->path, y->path);
    case WWW:
        return x->web && y->web && x->https == y->https && equal(bare_host(x), bare_host(y)) &&
               equal(x->path, y->path);
    case EXACT:
        return j->page[a]->cell[TEST_TEXT].n > 0 && same_text(j, a, b) && same_scope(j, s, a, b);
    case FUZZY: return same_profile(j, a, b) && j->subgroup[a] == j->subgroup[b];
    case TITLE: return same_title(j, 0, a, b) && same_scope(j, s, a, b);
    case NEAR: return j->leader[a] != NOBODY && j->leader[a] == j->leader[b];
    case COPY: return j->copy[a] != NOBODY && j->copy[a] == j->copy[b];
    default: return same_title(j, 1, a, b) && same_scope(j, s, a, b);
    }
}

static bool takes_part(const judge *j, int i) {
    return j->at[i].eligibility == TAKES_PART;
}

/* Is there, in this subgroup of i's profile group, another text that shares an hreflang group with
 * i's text? */
static bool has_translation(const judge *j, int i, int subgroup) {
    for (int a = 0; a < (int)j->n; a++) {
        if (!takes_part(j, a) || !same_profile(j, i, a) || j->subgroup[a] != subgroup ||
            same_text(j, i, a))
            continue;
        for (int b = 0; b < (int)j->n; b++)
            if (takes_part(j, b) && same_profile(j, i, b) && same_text(j, i, b) &&
                means(j, b)->hreflang[0] && equal(means(j, a)->hreflang, means(j, b)->hreflang))
                return true;
    }
    return false;
}

/* Texts of a group, best first, each go to the first subgroup that holds no other text of one of
 * their hreflang groups. */
static void keep_apart(judge *j) {
    for (int i = 0; i < (int)j->n; i++) j->subgroup[i] = NOBODY;
    for (;;) {
        int best = NOBODY;
        for (int i = 0; i < (int)j->n; i++)
            if (takes_part(j, i) && j->has_profile[i] && j->subgroup[i] == NOBODY &&
                (best == NOBODY || better(j, i, best)))
                best = i;
        if (best == NOBODY) return;
        int subgroup = 0;
        while (has_translation(j, best, subgroup)) subgroup++;
        for (int i = 0; i < (int)j->n; i++)
            if (takes_part(j, i) && same_profile(j, best, i) && same_text(j, best, i))
                j->subgroup[i] = subgroup;
    }
}

/* ---- near copies -------------------------------------------------------- */

/* Texts in their scopes are what is grouped; each is represented by its best document, its head. */
typedef struct heads {
    int at[N_MAX], n; /* those that later texts are compared with, best first */
} heads;

static bool one_text(const judge *j, int a, int b) {
    return takes_part(j, a) && takes_part(j, b) && same_text(j, a, b) && same_scope(j, NEAR, a, b);
}

/* Does one of the keys lead from i to the head? A key knows the best `candidates` heads only. */
static bool meet(judge *j, const heads *h, int i, int head) {
    const near_sign *own = &j->near.at[i];
    bool shared = false;
    if (!same_scope(j, NEAR, i, head)) return false;
    for (size_t k = 0; k < own->n; k++) {
        size_t before = 0;
        if (!near_has_key(&j->near, head, &own->keys[k])) continue;
        for (int b = 0; h->at[b] != head; b++)
            before += same_scope(j, NEAR, i, h->at[b]) &&
                      near_has_key(&j->near, h->at[b], &own->keys[k]);
        if (before < j->how.candidates) return true;
        shared = true;
    }
    j->near_capped += shared;
    return false;
}

/* Is another text of one of the hreflang groups of i's text in this leader's group? */
static bool holds_translation(const judge *j, int i, int leader) {
    for (int a = 0; a < (int)j->n; a++)
        for (int b = 0; b < (int)j->n && j->leader[a] == leader; b++)
            if (one_text(j, i, b) && means(j, b)->hreflang[0] &&
                equal(means(j, a)->hreflang, means(j, b)->hreflang))
                return true;
    return false;
}

/* The leader of the most similar head whose group may be joined, ties: the better head; i itself
 * when there is none. */
static int find_leader(judge *j, const heads *h, int i) {
    int32_t similarity[N_MAX];
    for (int k = 0; k < h->n; k++)
        similarity[k] = meet(j, h, i, h->at[k]) ? near_similarity(&j->near, i, h->at[k]) : -1;
    for (;;) {
        int best = NOBODY;
        for (int k = 0; k < h->n; k++)
            if (similarity[k] >= 0 && (best == NOBODY || similarity[k] > similarity[best]))
                best = k;
        j->similarity[i] = best == NOBODY ? NEAR_SAME : similarity[best];
        if (best == NOBODY) return i;
        if (!holds_translation(j, i, j->leader[h->at[best]])) return j->leader[h->at[best]];
        similarity[best] = -1;
        j->near_translations++;
    }
}

static void find_near_copies(judge *j) {
    heads h = {.n = 0};
    for (int i = 0; i < (int)j->n; i++) j->leader[i] = NOBODY;
    for (;;) {
        int best = NOBODY;
        for (int i = 0; i < (int)j->n; i++)
            if (takes_part(j, i) && j->near.at[i].n > 0 && j->leader[i] == NOBODY &&
                (best == NOBODY || better(j, i, best)))
                best = i;
        if (best == NOBODY) return;
        const int leader = find_leader(j, &h, best);
        if (leader == best || j->how.link) h.at[h.n++] = best;
        for (int i = 0; i < (int)j->n; i++) {
            if (!one_text(j, best, i)) continue;
            j->leader[i] = leader;
            j->similarity[i] = j->similarity[best];
        }
    }
}

/* Groups of copies among the near-duplicates of a document, its own left out. */
static void count_siblings(judge *j) {
    for (int i = 0; i < (int)j->n; i++) {
        j->siblings[i] = 0;
        for (int a = 0; a < (int)j->n && takes_part(j, i); a++) {
            bool first = i != a && takes_part(j, a) && in_one_group(j, NEAR, i, a) &&
                         !in_one_group(j, COPY, i, a);
            for (int b = 0; b < a && first; b++)
                first = !(takes_part(j, b) && in_one_group(j, NEAR, i, b) &&
                          in_one_group(j, COPY, a, b));
            j->siblings[i] += first;
        }
    }
}

static void judge_groups(judge *j) {
    keep_apart(j);
    find_near_copies(j);
    count_siblings(j);
    for (int s = 0; s < SLOTS; s++)
        for (int i = 0; i < (int)j->n; i++) {
            judged *d = &j->at[i];
            d->rep[s] = NOBODY;
            d->count[s] = 0;
            if (!takes_part(j, i)) continue;
            for (int k = 0; k < (int)j->n; k++) {
                if (!takes_part(j, k) || !in_one_group(j, (slot)s, i, k)) continue;
                d->count[s]++;
                if (d->rep[s] == NOBODY || better(j, k, d->rep[s])) d->rep[s] = k;
            }
            if (d->count[s] < 2) d->rep[s] = NOBODY;
        }
}

/* Whoever shares a group of a joined relation has one label in the end. */
static void judge_clusters(judge *j) {
    int label[N_MAX];
    bool changed = true;
    for (int i = 0; i < (int)j->n; i++) label[i] = i;
    while (changed) {
        changed = false;
        for (int s = 0; s < SLOTS; s++)
            for (int i = 0; i < (int)j->n; i++) {
                int rep = j->at[i].rep[s];
                if (!j->how.joins[s] || rep == NOBODY || label[rep] == label[i]) continue;
                label[rep] = label[i] = label[rep] < label[i] ? label[rep] : label[i];
                changed = true;
            }
    }
    for (int i = 0; i < (int)j->n; i++) {
        judged *d = &j->at[i];
        d->cluster_rep = NOBODY;
        d->cluster_count = 0;
        for (int k = 0; k < (int)j->n; k++) {
            if (!takes_part(j, i) || !takes_part(j, k) || label[i] != label[k]) continue;
            d->cluster_count++;
            if (d->cluster_rep == NOBODY || better(j, k, d->cluster_rep)) d->cluster_rep = k;
        }
    }
}

/* ---- flags -------------------------------------------------------------- */

static bool shares_layout(const judge *j, slot s, int i) {
    for (int k = 0; k < (int)j->n; k++)
        if (k != i && takes_part(j, k) && in_one_group(j, s, i, k) && means(j, i)->layout[0] &&
            equal(means(j, i)->layout, means(j, k)->layout))
            return true;
    return false;
}

/* A page of the form that is not preferred is unique when no twin that takes part has the preferred
 * form. */
static bool url_unique(const judge *j, slot s, int i, bool (*good)(const judge *, int)) {
    if (good(j, i)) return true;
    for (int k = 0; k < (int)j->n; k++)
        if (takes_part(j, k) && in_one_group(j, s, i, k) && good(j, k)) return false;
    return true;
}

static int survivor(const judge *j, int i) {
    return j->at[i].cluster_rep == NOBODY ? i : j->at[i].cluster_rep;
}

static void judge_flags(judge *j) {
    for (int i = 0; i < (int)j->n; i++) {
        judged *d = &j->at[i];
        d->duplicate_of = NOBODY;
        d->type = NULL;
        if (!takes_part(j, i)) {
            bool joined = means(j, i)->redirect ? j->how.redirect : j->how.canonical;
            if (d->link_state == LINK_HONOURED && joined) d->duplicate_of = survivor(j, d->target);
            continue;
        }
        d->http_unique = url_unique(j, SCHEME, i, good_scheme);
        d->www_unique = url_unique(j, WWW, i, good_www);
        if (d->rep[EXACT] != NOBODY)
            d->type = shares_layout(j, EXACT, i) ? "full-layout" : "full-content";
        else if (d->rep[COPY] != NOBODY)
            d->type = shares_layout(j, COPY, i) ? "partial-layout" : "partial-content";
        else if (d->rep[NEAR] != NOBODY)
            d->type = "sibling";
        else if (d->rep[FUZZY] != NOBODY)
            d->type = shares_layout(j, FUZZY, i) ? "partial-layout" : "partial-content";
        if (survivor(j, i) != i) d->duplicate_of = survivor(j, i);
    }
}

/* ---- comparing ---------------------------------------------------------- */

typedef struct context {
    judge *j;
    sqlite3 *db;
    uint64_t seed;
    char generation;
} context;

static void expect(const context *c, int i, const char *column, sqlite3_stmt *stmt, int at,
                   const char *wanted) {
    const char *got = (const char *)sqlite3_column_text(stmt, at);
    char id[TEST_ID_BYTES];
    if (!got == !wanted && (!got || equal(got, wanted))) return;
    test_page_id(c->j->shape, c->j->page[i]->key, id);
    const char *url = c->j->page[i]->means.url;
    fail_msg("seed %" PRIu64 ", shape %d: %s of document %s (%s) is %s, not %s", c->seed,
             c->j->shape, column, id, url, got ? got : "NULL", wanted ? wanted : "NULL");
}

static void expect_number(const context *c, int i, const char *column, sqlite3_stmt *stmt, int at,
                          int64_t wanted) {
    char number[24];
    snprintf(number, sizeof number, "%" PRId64, wanted);
    expect(c, i, column, stmt, at, number);
}

static void expect_id(const context *c, int i, const char *column, sqlite3_stmt *stmt, int at,
                      int wanted) {
    char id[TEST_ID_BYTES];
    if (wanted != NOBODY) test_page_id(c->j->shape, c->j->page[wanted]->key, id);
    expect(c, i, column, stmt, at, wanted == NOBODY ? NULL : id);
}

static sqlite3_stmt *query(const context *c, const char *sql) {
    sqlite3_stmt *stmt = NULL;
    if (sqlite3_prepare_v2(c->db, sql, -1, &stmt, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sqlite3_errmsg(c->db), sql);
    return stmt;
}

static void step(const context *c, sqlite3_stmt *stmt, int wanted) {
    int got = sqlite3_step(stmt);
    if (got != wanted)
        fail_msg("seed %" PRIu64 ": %s: %s", c->seed, sqlite3_sql(stmt), sqlite3_errmsg(c->db));
}

/* Judgements of a slot: unique and copy count, NULL for who does not take part. */
static void expect_judgement(const context *c, int i, slot s, sqlite3_stmt *stmt, int at) {
    const judged *d = &c->j->at[i];
    if (!takes_part(c->j, i)) {
        expect(c, i, DETECTORS[s], stmt, at, NULL);
        expect(c, i, DETECTORS[s], stmt, at + 1, NULL);
        return;
    }
    expect_number(c, i, DETECTORS[s], stmt, at, d->rep[s] == NOBODY || d->rep[s] == i);
    expect_number(c, i, DETECTORS[s], stmt, at + 1, d->rep[s] == NOBODY ? 1 : d->count[s]);
}

/* Documents of one group of near copies have one number, others have others; who has no signature
 * has none. */
static void compare_clusters(const context *c, const int64_t cluster[N_MAX]) {
    const judge *j = c->j;
    for (int a = 0; a < (int)j->n; a++)
        for (int b = 0; b < a; b++)
            if (j->leader[a] != NOBODY && j->leader[b] != NOBODY &&
                (cluster[a] == cluster[b]) != in_one_group(j, NEAR, a, b))
                fail_msg("seed %" PRIu64 ": near_cluster_l and groups of near copies differ",
                         c->seed);
}

static void expect_near(const context *c, int i, sqlite3_stmt *stmt, int64_t *ret_cluster) {
    const bool none = !c->j->near.d;
    for (int at = 12; at < 14 && none; at++) expect(c, i, "near", stmt, at, NULL);
    if (!none) expect_judgement(c, i, NEAR, stmt, 12);
    if ((sqlite3_column_type(stmt, 14) != SQLITE_NULL) != (c->j->leader[i] != NOBODY))
        fail_msg("seed %" PRIu64
                 ": near_cluster_l of a text that has none, or none of one that has",
                 c->seed);
    *ret_cluster = sqlite3_column_int64(stmt, 14);
}

static void compare_flags(const context *c) {
    int64_t cluster[N_MAX];
    static const char SELECT[] =
        "SELECT id, indexable_b, http_unique_b, www_unique_b, exact_signature_unique_b, "
        "exact_signature_copycount_i, fuzzy_signature_unique_b, fuzzy_signature_copycount_i, "
        "title_unique_b, title_copycount_i, description_unique_b, description_copycount_i, "
        "near_unique_b, near_copycount_i, near_cluster_l, duplicate_type, representative_b, "
        "duplicate_of FROM document_flags ORDER BY id";
    sqlite3_stmt *stmt = query(c, SELECT);
    for (int i = 0; i < (int)c->j->n; i++) {
        const judged *d = &c->j->at[i];
        const bool in = takes_part(c->j, i);
        step(c, stmt, SQLITE_ROW);
        expect_id(c, i, "id", stmt, 0, i);
        expect_number(c, i, "indexable_b", stmt, 1, in);
        expect(c, i, "http_unique_b", stmt, 2, in ? d->http_unique ? "1" : "0" : NULL);
        expect(c, i, "www_unique_b", stmt, 3, in ? d->www_unique ? "1" : "0" : NULL);
        for (int s = EXACT; s < NEAR; s++)
            expect_judgement(c, i, (slot)s, stmt, 4 + 2 * (s - EXACT));
        expect_near(c, i, stmt, &cluster[i]);
        expect(c, i, "duplicate_type", stmt, 15, d->type);
        expect(c, i, "representative_b", stmt, 16,
               in ? d->duplicate_of == NOBODY ? "1" : "0" : NULL);
        expect_id(c, i, "duplicate_of", stmt, 17, d->duplicate_of);
    }
    step(c, stmt, SQLITE_DONE);
    sqlite3_finalize(stmt);
    compare_clusters(c, cluster);
}

/* ---- copies ------------------------------------------------------------- */

/* The groups of copies as they were published. */
static void read_copies(const context *c) {
    judge *j = c->j;
    char wanted[TEST_ID_BYTES];
    sqlite3_stmt *stmt = query(c, "SELECT f.id, m.representative, f.copy_cluster_l IS NULL FROM "
                                  "document_flags AS f LEFT JOIN twindex_group_member AS m ON "
                                  "m.document = f.id AND m.detector = 'copy' ORDER BY f.id");
    for (int i = 0; i < (int)j->n; i++) {
        step(c, stmt, SQLITE_ROW);
        const char *rep = (const char *)sqlite3_column_text(stmt, 1);
        j->copy[i] = sqlite3_column_int(stmt, 2) ? NOBODY : i;
        for (int k = 0; k < (int)j->n && rep; k++) {
            test_page_id(j->shape, j->page[k]->key, wanted);
            if (equal(rep, wanted)) j->copy[i] = k;
        }
    }
    step(c, stmt, SQLITE_DONE);
    sqlite3_finalize(stmt);
}

static bool is_ascii_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Does the text hold the word (n bytes), whole and in any case? */
static bool holds_word(const char *text, size_t size, const char *word, size_t n) {
    for (size_t at = 0; at + n <= size; at++)
        if ((at == 0 || !is_ascii_word(text[at - 1])) &&
            (at + n == size || !is_ascii_word(text[at + n])) &&
            strncasecmp(text + at, word, n) == 0)
            return true;
    return false;
}

static bool anywhere(const test_page *p, const char *word, size_t n) {
    static const test_column IN[] = {TEST_TITLE, TEST_TEXT, TEST_URL};
    for (size_t k = 0; k < sizeof IN / sizeof *IN; k++)
        if (holds_word(p->cell[IN[k]].bytes, p->cell[IN[k]].n, word, n)) return true;
    return false;
}

/* Is every word of the title somewhere in the other page? Only plain titles of a few words are
 * read: numbers may be joined, and of long titles one place stands for several words. */
static bool is_named_in(const test_cell *title, const test_page *other) {
    size_t words = 0;
    for (size_t i = 0; i < title->n; i++) {
        if (!is_ascii_word(title->bytes[i]) && !strchr(" \t\n-,", title->bytes[i])) return true;
        words += is_ascii_word(title->bytes[i]) && (i == 0 || !is_ascii_word(title->bytes[i - 1]));
    }
    for (size_t i = 0; i < title->n && words <= 7;) {
        size_t n = 0;
        while (i + n < title->n && is_ascii_word(title->bytes[i + n])) n++;
        if (n && !anywhere(other, title->bytes + i, n)) return false;
        i += n + 1;
    }
    return true;
}

static size_t pages_of_host(const judge *j, int i) {
    size_t n = 0;
    for (int k = 0; k < (int)j->n; k++) n += equal(means(j, i)->host, means(j, k)->host);
    return n;
}

enum { LEARNED_FROM = 16 /* names of a host teach which words are common */ };

static void check_copy(const context *c, int i, int rep, size_t *ret_named) {
    const judge *j = c->j;
    if (!takes_part(j, i) || !takes_part(j, rep))
        fail_msg("seed %" PRIu64 ": a copy that does not take part", c->seed);
    if (same_text(j, i, rep)) return;
    if (near_similarity(&j->near, i, rep) < 0)
        fail_msg("seed %" PRIu64 ": document %d is no near-duplicate of %d, which it is a copy of",
                 c->seed, i, rep);
    if (pages_of_host(j, i) >= LEARNED_FROM || j->page[i]->cell[TEST_TITLE].type != SQLITE_TEXT)
        return;
    ++*ret_named;
    if (!is_named_in(&j->page[i]->cell[TEST_TITLE], j->page[rep]))
        fail_msg("seed %" PRIu64 ": '%.*s' (%s) is hidden behind '%.*s' (%s)", c->seed,
                 (int)j->page[i]->cell[TEST_TITLE].n, j->page[i]->cell[TEST_TITLE].bytes,
                 means(j, i)->url, (int)j->page[rep]->cell[TEST_TITLE].n,
                 j->page[rep]->cell[TEST_TITLE].bytes, means(j, rep)->url);
}

/* Every copy is similar to its representative, which has the words of its title; equal texts are
 * copies of each other; translations are not. */
static void check_copies(const context *c, size_t *ret_named) {
    const judge *j = c->j;
    for (int i = 0; i < (int)j->n; i++) {
        if (j->copy[i] == NOBODY || j->copy[i] == i) continue;
        check_copy(c, i, j->copy[i], ret_named);
    }
    for (int a = 0; a < (int)j->n; a++)
        for (int b = 0; b < a; b++) {
            if (!takes_part(j, a) || !takes_part(j, b) || j->leader[a] == NOBODY ||
                j->leader[b] == NOBODY)
                continue;
            if (one_text(j, a, b) && !in_one_group(j, COPY, a, b))
                fail_msg("seed %" PRIu64 ": equal texts %d and %d are no copies", c->seed, a, b);
            if (in_one_group(j, COPY, a, b) && !same_text(j, a, b) && means(j, a)->hreflang[0] &&
                equal(means(j, a)->hreflang, means(j, b)->hreflang))
                fail_msg("seed %" PRIu64 ": translations %d and %d are copies", c->seed, a, b);
        }
}

static void compare_copies(const context *c) {
    const bool none = !c->j->near.d;
    int64_t cluster[N_MAX];
    sqlite3_stmt *stmt = query(c, "SELECT copy_unique_b, copy_copycount_i, sibling_count_i, "
                                  "copy_cluster_l FROM document_flags ORDER BY id");
    for (int i = 0; i < (int)c->j->n; i++) {
        step(c, stmt, SQLITE_ROW);
        for (int at = 0; at < 3 && none; at++) expect(c, i, "copy", stmt, at, NULL);
        if (!none) expect_judgement(c, i, COPY, stmt, 0);
        if (!none && takes_part(c->j, i))
            expect_number(c, i, "sibling_count_i", stmt, 2, c->j->siblings[i]);
        if (!takes_part(c->j, i)) expect(c, i, "sibling_count_i", stmt, 2, NULL);
        if ((sqlite3_column_type(stmt, 3) != SQLITE_NULL) != (c->j->leader[i] != NOBODY))
            fail_msg("seed %" PRIu64
                     ": copy_cluster_l of a text that has none, or none of one that has",
                     c->seed);
        cluster[i] = sqlite3_column_int64(stmt, 3);
    }
    step(c, stmt, SQLITE_DONE);
    sqlite3_finalize(stmt);
    for (int a = 0; a < (int)c->j->n; a++)
        for (int b = 0; b < a; b++)
            if (c->j->leader[a] != NOBODY && c->j->leader[b] != NOBODY &&
                (cluster[a] == cluster[b]) != in_one_group(c->j, COPY, a, b))
                fail_msg("seed %" PRIu64 ": copy_cluster_l and groups of copies differ", c->seed);
}

/* What is stored beneath the view. */
static void compare_links(const context *c) {
    char sql[256];
    const bool direct = c->j->shape <= TEST_NARROW;
    snprintf(sql, sizeof sql,
             "SELECT f.eligibility, f.link_state, %s, f.near_similarity FROM twindex_flag_%c AS f "
             "%s ORDER BY %s",
             direct ? "f.link_doc" : "(SELECT id FROM twindex_document WHERE doc = f.link_doc)",
             c->generation, direct ? "" : "JOIN twindex_document AS d USING (doc)",
             direct ? "f.doc" : "d.id");
    sqlite3_stmt *stmt = query(c, sql);
    for (int i = 0; i < (int)c->j->n; i++) {
        step(c, stmt, SQLITE_ROW);
        expect_number(c, i, "eligibility", stmt, 0, c->j->at[i].eligibility);
        expect_number(c, i, "link_state", stmt, 1, c->j->at[i].link_state);
        expect_id(c, i, "link_doc", stmt, 2, c->j->at[i].target);
        if (c->j->at[i].rep[NEAR] == NOBODY)
            expect(c, i, "near_similarity", stmt, 3, NULL);
        else
            expect_number(c, i, "near_similarity", stmt, 3, c->j->similarity[i]);
    }
    step(c, stmt, SQLITE_DONE);
    sqlite3_finalize(stmt);
}

static void compare_members(const context *c, const char *detector, sqlite3_stmt *stmt,
                            int slot_or_verdict) {
    sqlite3_reset(stmt);
    sqlite3_bind_text(stmt, 1, detector, -1, SQLITE_STATIC);
    for (int i = 0; i < (int)c->j->n; i++) {
        const judged *d = &c->j->at[i];
        const bool verdict = slot_or_verdict == SLOTS;
        const int rep = verdict ? d->cluster_rep : d->rep[slot_or_verdict];
        const int count = verdict ? d->cluster_count : d->count[slot_or_verdict];
        if (count < 2) continue;
        step(c, stmt, SQLITE_ROW);
        expect_id(c, i, "group member", stmt, 0, i);
        expect_id(c, i, "representative", stmt, 1, rep);
        expect_number(c, i, "documents", stmt, 2, count);
    }
    step(c, stmt, SQLITE_DONE);
}

static void compare_groups(const context *c) {
    sqlite3_stmt *stmt = query(c, "SELECT document, representative, documents FROM "
                                  "twindex_group_member WHERE detector = ?1 ORDER BY document");
    for (int s = 0; s < SLOTS; s++) compare_members(c, DETECTORS[s], stmt, s);
    compare_members(c, "verdict", stmt, SLOTS);
    sqlite3_finalize(stmt);
}

/* ---- what the program has signed ---------------------------------------- */

static void collapse(const test_cell *cell, char ret_text[TEST_CELL_BYTES]) {
    size_t n = 0;
    bool pending = false;
    for (size_t i = 0; i < cell->n; i++) {
        if (strchr(" \t\n", cell->bytes[i])) {
            pending = n > 0;
            continue;
        }
        if (pending) ret_text[n++] = ' ';
        pending = false;
        ret_text[n++] = cell->bytes[i];
    }
    ret_text[n] = '\0';
}

/* Equal signatures and equal contents are the same thing; no content, no signature. */
static void check_signatures(const context *c, slot s, const bool *has, const int64_t *sig) {
    const judge *j = c->j;
    for (int a = 0; a < (int)j->n; a++)
        for (int b = 0; b <= a; b++) {
            bool empty = s <= FUZZY ? j->page[a]->cell[TEST_TEXT].n == 0
                                    : !j->title[s - TITLE][a][0];
            bool same = s == EXACT   ? same_text(j, a, b)
                        : s == FUZZY ? true
                                     : same_title(j, s - TITLE, a, b);
            if (has[a] == empty)
                fail_msg("seed %" PRIu64 ": %s signature where there is no content", c->seed,
                         DETECTORS[s]);
            if (s != FUZZY && !empty && has[b] && same != (sig[a] == sig[b]))
                fail_msg("seed %" PRIu64 ": %s signatures and contents differ", c->seed,
                         DETECTORS[s]);
            if (s == FUZZY && !empty && same_text(j, a, b) && sig[a] != sig[b])
                fail_msg("seed %" PRIu64 ": two profiles of one text", c->seed);
        }
}

static void read_signatures(const context *c) {
    int64_t sig[NEAR][N_MAX];
    bool has[NEAR][N_MAX];
    judge *j = c->j;
    sqlite3_stmt *stmt = query(c, "SELECT exact_signature_l, fuzzy_signature_l, title_signature_l, "
                                  "description_signature_l FROM document_flags ORDER BY id");
    for (size_t i = 0; i < j->n; i++) {
        step(c, stmt, SQLITE_ROW);
        for (int s = EXACT; s < NEAR; s++) {
            has[s][i] = sqlite3_column_type(stmt, s - EXACT) != SQLITE_NULL;
            sig[s][i] = sqlite3_column_int64(stmt, s - EXACT);
        }
        j->has_profile[i] = has[FUZZY][i];
        j->profile[i] = sig[FUZZY][i];
        collapse(&j->page[i]->cell[TEST_TITLE], j->title[0][i]);
        collapse(&j->page[i]->cell[TEST_DESCRIPTION], j->title[1][i]);
        near_signs_add(&j->near, (twx_slice){j->page[i]->cell[TEST_TEXT].bytes,
                                             j->page[i]->cell[TEST_TEXT].n});
    }
    step(c, stmt, SQLITE_DONE);
    sqlite3_finalize(stmt);
    for (int s = EXACT; s < NEAR; s++) check_signatures(c, (slot)s, has[s], sig[s]);
}

/* ---- the promises in SQL ------------------------------------------------ */

#define COUNT_IS_ZERO(name, sql) \
    { name, sql }
static const struct {
    const char *what, *sql;
} LAWS[] = {
    COUNT_IS_ZERO(
        "filtering on the six unique flags leaves a document of every cluster that their relations "
        "join",
        "WITH RECURSIVE edge(a, b) AS (  SELECT document, representative FROM member WHERE "
        "detector IN ('scheme', 'www', 'exact', 'fuzzy', 'near', 'copy')  UNION SELECT "
        "representative, document FROM member  WHERE detector IN ('scheme', 'www', 'exact', "
        "'fuzzy', 'near', 'copy')),reach(root, id) AS (SELECT id, id FROM flags WHERE indexable_b  "
        "UNION SELECT r.root, e.b FROM reach AS r JOIN edge AS e ON e.a = r.id)SELECT count(*) "
        "FROM flags AS d WHERE d.indexable_b AND NOT EXISTS (SELECT 1 FROM reach AS r JOIN flags "
        "AS f ON f.id = r.id WHERE r.root = d.id AND f.http_unique_b AND f.www_unique_b AND "
        "f.exact_signature_unique_b AND f.fuzzy_signature_unique_b AND f.near_unique_b IS NOT 0 "
        "AND f.copy_unique_b IS NOT 0)"),
    COUNT_IS_ZERO(
        "representative_b is true for exactly one document of every cluster of the verdict",
        "SELECT count(*) FROM (SELECT representative FROM member JOIN flags ON flags.id = document "
        "WHERE detector = 'verdict' GROUP BY representative HAVING sum(representative_b) <> 1 OR "
        "count(*) <> max(documents))"),
    COUNT_IS_ZERO("who is in no cluster of the verdict is its own survivor",
                  "SELECT count(*) FROM flags WHERE indexable_b AND NOT representative_b AND id "
                  "NOT IN (SELECT document FROM member WHERE detector = 'verdict')"),
    COUNT_IS_ZERO("duplicate_of is a survivor",
                  "SELECT count(*) FROM flags AS f LEFT JOIN flags AS s ON s.id = f.duplicate_of "
                  "WHERE f.duplicate_of IS NOT NULL AND s.representative_b IS NOT 1"),
    COUNT_IS_ZERO("groups are a partition: a document is in at most one group of a detector",
                  "SELECT count(*) FROM (SELECT 1 FROM member GROUP BY detector, document HAVING "
                  "count(*) > 1)"),
    COUNT_IS_ZERO(
        "a group has one representative, which is one of its members, and says how many they are",
        "SELECT count(*) FROM (SELECT detector, representative FROM member GROUP BY detector, "
        "representative HAVING count(*) <> max(documents) OR min(documents) <> max(documents) OR "
        "count(*) < 2 OR sum(document = representative) <> 1)"),
    COUNT_IS_ZERO(
        "only documents that take part are members",
        "SELECT count(*) FROM member JOIN flags ON flags.id = document WHERE NOT indexable_b"),
    COUNT_IS_ZERO("duplicate_groups lists each group once",
                  "SELECT (SELECT count(*) FROM duplicate_groups) - (SELECT count(*) FROM (SELECT "
                  "DISTINCT detector, representative FROM member))"),
    COUNT_IS_ZERO(
        "flagged_documents has each document once, with its flags",
        "SELECT count(*) FROM flags AS f LEFT JOIN flagged_documents AS d ON d.id = f.id WHERE "
        "d.indexable_b IS NOT f.indexable_b OR d.duplicate_of IS NOT f.duplicate_of"),
    COUNT_IS_ZERO("an alternate is another document, and a living one",
                  "SELECT count(*) FROM document_alternates AS a LEFT JOIN flags AS f ON f.id = "
                  "a.alternate_id WHERE a.id = a.alternate_id OR f.indexable_b IS NOT 1"),
};

/* The survivor of a cluster passes the filter of every relation that was joined. */
static void check_survivors(const context *c) {
    static const char *const PASSES[SLOTS] = {"http_unique_b",
                                              "www_unique_b",
                                              "exact_signature_unique_b",
                                              "fuzzy_signature_unique_b",
                                              "title_unique_b",
                                              "description_unique_b",
                                              "near_unique_b",
                                              "copy_unique_b"};
    for (int s = 0; s < SLOTS; s++) {
        char sql[128];
        if (!c->j->how.joins[s]) continue;
        snprintf(sql, sizeof sql, "SELECT count(*) FROM flags WHERE representative_b AND NOT %s",
                 PASSES[s]);
        if (test_integer(c->db, sql) != 0)
            fail_msg("seed %" PRIu64 ": a survivor fails %s", c->seed, PASSES[s]);
    }
}

static void check_laws(const context *c) {
    test_exec(c->db, "CREATE TEMP TABLE flags AS SELECT * FROM document_flags;CREATE TEMP TABLE "
                     "member AS SELECT * FROM twindex_group_member;CREATE INDEX temp.flags_id ON "
                     "flags(id); CREATE INDEX temp.member_id ON member(document);");
    for (size_t i = 0; i < sizeof LAWS / sizeof *LAWS; i++)
        if (test_integer(c->db, LAWS[i].sql) != 0)
            fail_msg("seed %" PRIu64 ", shape %d: it is not so that %s", c->seed, c->j->shape,
                     LAWS[i].what);
    check_survivors(c);
}

/* ---- what the stores have in them --------------------------------------- */

/* A random test that never meets a case proves nothing of it: counted over all stores. */
typedef struct tally {
    size_t eligibility[CANONICALISED + 1], link_state[LINK_COLLAPSE + 1], type[5], groups[SLOTS],
        not_unique[2];
    size_t named; /* copies whose titles were looked for in their representatives */
    size_t translations, redirected_copies, large_clusters;
    size_t near_translations, near_capped;
    /* members that resemble another leader, too; that do not resemble their own */
    size_t near_choices, near_chains;
} tally;

static void count_near(tally *t, const judge *j, int i) {
    if (j->leader[i] == NOBODY || j->leader[i] == i) return;
    t->near_chains += near_similarity(&j->near, i, j->leader[i]) < 0;
    for (int k = 0; k < (int)j->n; k++)
        if (j->leader[k] == k && j->leader[i] != k && near_similarity(&j->near, i, k) >= 0) {
            t->near_choices++;
            return;
        }
}

static void count(tally *t, const judge *j) {
    static const char *const TYPES[] = {"full-layout", "full-content", "partial-layout",
                                        "partial-content", "sibling"};
    for (int i = 0; i < (int)j->n; i++) {
        const judged *d = &j->at[i];
        t->eligibility[d->eligibility]++;
        t->link_state[d->link_state]++;
        for (int k = 0; k < 5; k++) t->type[k] += d->type && equal(d->type, TYPES[k]);
        for (int s = 0; s < SLOTS; s++) t->groups[s] += d->rep[s] == i;
        if (!takes_part(j, i)) {
            t->redirected_copies += d->duplicate_of != NOBODY;
            continue;
        }
        t->not_unique[0] += !d->http_unique;
        t->not_unique[1] += !d->www_unique;
        t->translations += j->subgroup[i] > 0;
        t->large_clusters += d->cluster_count > d->count[SCHEME] + d->count[WWW] + d->count[EXACT];
        count_near(t, j, i);
    }
    t->near_translations += j->near_translations;
    t->near_capped += j->near_capped;
}

static void check_tally(const tally *t) {
    const size_t *all = (const size_t *)t;
    print_message("near copies: %zu groups, %zu choices between leaders, %zu chains, %zu kept "
                  "apart, %zu left out for the cap\n",
                  t->groups[NEAR], t->near_choices, t->near_chains, t->near_translations,
                  t->near_capped);
    for (size_t i = 0; i < sizeof *t / sizeof *all; i++)
        if (all[i] < STORES / 15)
            fail_msg("case %zu of the tally has occurred %zu times only", i, all[i]);
}

/* ---- the tests ---------------------------------------------------------- */

static const char *yes_no(bool yes) {
    return yes ? "yes" : "no";
}

static void set_scopes(twindex *t, test_rng *rng, rules *how) {
    static const char *const NAMES[SLOTS] = {
        NULL, NULL, "exact.scope", "fuzzy.scope", "title.scope", "description.scope", "near.scope"};
    static const char *const SCOPES[] = {"store", "domain", "host"};
    for (int s = EXACT; s < COPY; s++) {
        how->scope[s] = (scope)test_rng_below(rng, 3);
        test_set(t, NAMES[s], SCOPES[how->scope[s]]);
    }
    how->scope[COPY] = how->scope[NEAR];
}

static void set_number(twindex *t, const char *name, size_t value) {
    char number[24];
    snprintf(number, sizeof number, "%zu", value);
    test_set(t, name, number);
}

/* Detectors of every build: with a payload, or several stored keys, or one; with and without a
 * verifier. */
static void draw_near(twindex *t, test_rng *rng, rules *how, near_signs *near) {
    static const char *const ROWS[] = {"alignment", "alignment", "alignment", "alignment",
                                       "alignment", "minhash",   "simhash",   "tf",
                                       "none",      "shingles",  "chunks",    "three_plus_five",
                                       "word_lists"};
    static const uint32_t WORDS[] = {20, 20, 5, 24};
    static const struct {
        const char *value;
        uint32_t ppm;
    } LEAST[] = {{"0.8", 800000}, {"0.88", 880000}, {"0.7", 700000}};
    const char *name = ROWS[test_rng_below(rng, sizeof ROWS / sizeof *ROWS)];
    const size_t least = test_rng_below(rng, 3);
    near->d = twx_detector_find(name);
    near->params.minhash_boilerplate = false;
    near->params.near_min_words = WORDS[test_rng_below(rng, 4)];
    how->link = test_rng_below(rng, 3) > 0;
    how->candidates = test_rng_below(rng, 2) ? 64 : 1 + test_rng_below(rng, 2);
    near->params.alignment_threshold_ppm = LEAST[least].ppm;
    test_set(t, "near.detector", name);
    test_set(t, "alignment.threshold", LEAST[least].value);
    test_set(t, "minhash.boilerplate", "no");
    test_set(t, "near.join", how->link ? "link" : "representative");
    set_number(t, "near.min_words", near->params.near_min_words);
    set_number(t, "near.candidates", how->candidates);
    /* unverified pairs hide nobody */
    if (!near->d || !near->d->verify) how->joins[NEAR] = how->joins[COPY] = false;
}

/* One store in three has the defaults. */
static rules draw_rules(twindex *t, uint64_t seed, near_signs *near) {
    static const char *const ORDERS[] = {"score url_length fetched_at", "fetched_at score",
                                         "url_length", ""};
    static const char *const RELATIONS[] = {"scheme", "www",         "exact", "fuzzy",
                                            "title",  "description", "near",  "copy"};
    rules how = {.https = true,
                 .www = true,
                 .order = ORDERS[0],
                 .joins = {[SCHEME] = true, [WWW] = true, [EXACT] = true, [COPY] = true},
                 .canonical = true,
                 .redirect = true,
                 .collapse_min = 10,
                 .scope = {[TITLE] = HOST, [DESCRIPTION] = HOST},
                 .candidates = 64};
    test_rng rng = test_rng_seed(seed), later = test_rng_seed(~seed);
    char text[128] = "";
    near->d = twx_detector_find("alignment");
    near->params = twx_params_default();
    if (seed % 3 == 0) return how;
    how.https = test_rng_below(&rng, 2);
    how.www = test_rng_below(&rng, 2);
    how.order = ORDERS[test_rng_below(&rng, 4)];
    how.canonical = test_rng_below(&rng, 4) > 0;
    how.redirect = test_rng_below(&rng, 4) > 0;
    how.collapse_min = 2 + (int)test_rng_below(&rng, 5);
    size_t at = (size_t)snprintf(text, sizeof text, "%s %s", how.canonical ? "canonical" : "",
                                 how.redirect ? "redirect" : "");
    for (int s = 0; s < SLOTS; s++) {
        how.joins[s] = test_rng_below(s == COPY ? &later : &rng, 2);
        if (how.joins[s]) at += (size_t)snprintf(text + at, sizeof text - at, " %s", RELATIONS[s]);
    }
    test_set(t, "search.ranking.uniqueheuristic.preferhttps", yes_no(how.https));
    test_set(t, "search.ranking.uniqueheuristic.preferwwwprefix", yes_no(how.www));
    test_set(t, "verdict.order", how.order);
    test_set(t, "verdict.relations", text);
    set_number(t, "canonical.collapse_min", (size_t)how.collapse_min);
    set_scopes(t, &rng, &how);
    draw_near(t, &rng, &how, near);
    return how;
}

static void compare_store(uint64_t seed, judge *j, tally *met) {
    const test_shape shape = (test_shape)(seed % TEST_SHAPES);
    test_world *w = test_world_new(seed, shape);
    const char *path = test_file("flags.db");
    test_world_grow(w, 30 + seed % 71);
    test_store_make(w, path);
    test_store_sync(w, path);
    const uint64_t source = test_store_source(w, path);
    twindex *t = test_twindex(w, path, NULL, false);
    *j = (judge){.shape = shape};
    j->how = draw_rules(t, seed, &j->near);
    test_run(t, NULL, TWINDEX_OK);
    j->n = test_world_pages(w, &j->page);
    assert_true(j->n <= N_MAX);

    context c = {.j = j, .db = test_open(path), .seed = seed};
    c.generation = test_integer(c.db, "SELECT generation = 'b' FROM twindex_state") ? 'b' : 'a';
    read_signatures(&c);
    judge_links(j);
    read_copies(&c);
    judge_groups(j);
    check_copies(&c, &met->named);
    judge_clusters(j);
    judge_flags(j);
    count(met, j);
    compare_flags(&c);
    compare_copies(&c);
    compare_links(&c);
    compare_groups(&c);
    check_laws(&c);
    sqlite3_close(c.db);
    near_signs_done(&j->near);
    if (test_store_source(w, path) != source)
        fail_msg("seed %" PRIu64 ": the source has changed", seed);
    twindex_free(t);
    test_world_free(w);
}

static void flags_are_those_of_a_plain_judge(void **state) {
    judge *j = calloc(1, sizeof *j);
    (void)state;
    assert_non_null(j);
    tally met;
    memset(&met, 0, sizeof met);
    for (uint64_t seed = 1; seed <= STORES; seed++) compare_store(seed, j, &met);
    check_tally(&met);
    free(j);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(flags_are_those_of_a_plain_judge)};
    return cmocka_run_group_tests_name("flag laws", tests, NULL, NULL);
}
