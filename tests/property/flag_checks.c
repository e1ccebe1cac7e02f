#include "flag_checks.h"

#include <strings.h>

static const char *const RELATIONS[PLAIN_RELATIONS] = {"scheme", "www",         "exact", "fuzzy",
                                                       "title",  "description", "near",  "copy"};

static void expect(const flag_checks *c, int i, const char *column, sqlite3_stmt *stmt, int at,
                   const char *wanted) {
    const char *got = (const char *)sqlite3_column_text(stmt, at);
    char id[TEST_ID_BYTES];
    if (!got == !wanted && (!got || plain_equal(got, wanted))) return;
    test_page_id(c->j->shape, c->j->page[i]->key, id);
    const char *url = c->j->page[i]->means.url;
    fail_msg("seed %" PRIu64 ", shape %d: %s of document %s (%s) is %s, not %s", c->seed,
             c->j->shape, column, id, url, got ? got : "NULL", wanted ? wanted : "NULL");
}

static void expect_number(const flag_checks *c, int i, const char *column, sqlite3_stmt *stmt,
                          int at, int64_t wanted) {
    char number[24];
    snprintf(number, sizeof number, "%" PRId64, wanted);
    expect(c, i, column, stmt, at, number);
}

static void expect_id(const flag_checks *c, int i, const char *column, sqlite3_stmt *stmt, int at,
                      int wanted) {
    char id[TEST_ID_BYTES];
    if (wanted != PLAIN_NONE) test_page_id(c->j->shape, c->j->page[wanted]->key, id);
    expect(c, i, column, stmt, at, wanted == PLAIN_NONE ? NULL : id);
}

static sqlite3_stmt *query(const flag_checks *c, const char *sql) {
    sqlite3_stmt *stmt = NULL;
    if (sqlite3_prepare_v2(c->db, sql, -1, &stmt, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sqlite3_errmsg(c->db), sql);
    return stmt;
}

static void step(const flag_checks *c, sqlite3_stmt *stmt, int wanted) {
    int got = sqlite3_step(stmt);
    if (got != wanted)
        fail_msg("seed %" PRIu64 ": %s: %s", c->seed, sqlite3_sql(stmt), sqlite3_errmsg(c->db));
}

/* The flags of a relation: unique and copy count, NULL for documents that do not take part. */
static void expect_decision(const flag_checks *c, int i, plain_relation s, sqlite3_stmt *stmt,
                            int at) {
    const plain_decision *d = &c->j->at[i];
    if (!plain_takes_part(c->j, i)) {
        expect(c, i, RELATIONS[s], stmt, at, NULL);
        expect(c, i, RELATIONS[s], stmt, at + 1, NULL);
        return;
    }
    expect_number(c, i, RELATIONS[s], stmt, at, d->rep[s] == PLAIN_NONE || d->rep[s] == i);
    expect_number(c, i, RELATIONS[s], stmt, at + 1, d->rep[s] == PLAIN_NONE ? 1 : d->count[s]);
}

/* Documents have the same cluster number exactly when they are in one near-duplicate group; a
 * document without signature has none. */
static void check_near_clusters(const flag_checks *c, const int64_t cluster[PLAIN_DOCUMENTS_MAX]) {
    const plain_judge *j = c->j;
    for (int a = 0; a < (int)j->n; a++)
        for (int b = 0; b < a; b++)
            if (j->leader[a] != PLAIN_NONE && j->leader[b] != PLAIN_NONE &&
                (cluster[a] == cluster[b]) != plain_in_one_group(j, NEAR, a, b))
                fail_msg("seed %" PRIu64 ": near_cluster_l and near-duplicate groups differ",
                         c->seed);
}

static void expect_near(const flag_checks *c, int i, sqlite3_stmt *stmt, int64_t *ret_cluster) {
    const bool none = !c->j->near.d;
    for (int at = 12; at < 14 && none; at++) expect(c, i, "near", stmt, at, NULL);
    if (!none) expect_decision(c, i, NEAR, stmt, 12);
    if ((sqlite3_column_type(stmt, 14) != SQLITE_NULL) != (c->j->leader[i] != PLAIN_NONE))
        fail_msg("seed %" PRIu64
                 ": near_cluster_l of a text that has none, or none of one that has",
                 c->seed);
    *ret_cluster = sqlite3_column_int64(stmt, 14);
}

void check_flags(const flag_checks *c) {
    int64_t cluster[PLAIN_DOCUMENTS_MAX];
    static const char SELECT[] =
        "SELECT id, indexable_b, http_unique_b, www_unique_b, exact_signature_unique_b, "
        "exact_signature_copycount_i, fuzzy_signature_unique_b, fuzzy_signature_copycount_i, "
        "title_unique_b, title_copycount_i, description_unique_b, description_copycount_i, "
        "near_unique_b, near_copycount_i, near_cluster_l, duplicate_type, representative_b, "
        "duplicate_of FROM document_flags ORDER BY id";
    sqlite3_stmt *stmt = query(c, SELECT);
    for (int i = 0; i < (int)c->j->n; i++) {
        const plain_decision *d = &c->j->at[i];
        const bool in = plain_takes_part(c->j, i);
        step(c, stmt, SQLITE_ROW);
        expect_id(c, i, "id", stmt, 0, i);
        expect_number(c, i, "indexable_b", stmt, 1, in);
        expect(c, i, "http_unique_b", stmt, 2, in ? d->http_unique ? "1" : "0" : NULL);
        expect(c, i, "www_unique_b", stmt, 3, in ? d->www_unique ? "1" : "0" : NULL);
        for (int s = EXACT; s < NEAR; s++)
            expect_decision(c, i, (plain_relation)s, stmt, 4 + 2 * (s - EXACT));
        expect_near(c, i, stmt, &cluster[i]);
        expect(c, i, "duplicate_type", stmt, 15, d->type);
        expect(c, i, "representative_b", stmt, 16,
               in ? d->duplicate_of == PLAIN_NONE ? "1" : "0" : NULL);
        expect_id(c, i, "duplicate_of", stmt, 17, d->duplicate_of);
    }
    step(c, stmt, SQLITE_DONE);
    sqlite3_finalize(stmt);
    check_near_clusters(c, cluster);
}

/* ---- copies ------------------------------------------------------------- */

void read_copies(const flag_checks *c) {
    plain_judge *j = c->j;
    char wanted[TEST_ID_BYTES];
    sqlite3_stmt *stmt = query(c, "SELECT f.id, m.representative, f.copy_cluster_l IS NULL FROM "
                                  "document_flags AS f LEFT JOIN twindex_group_member AS m ON "
                                  "m.document = f.id AND m.detector = 'copy' ORDER BY f.id");
    for (int i = 0; i < (int)j->n; i++) {
        step(c, stmt, SQLITE_ROW);
        const char *rep = (const char *)sqlite3_column_text(stmt, 1);
        j->copy[i] = sqlite3_column_int(stmt, 2) ? PLAIN_NONE : i;
        for (int k = 0; k < (int)j->n && rep; k++) {
            test_page_id(j->shape, j->page[k]->key, wanted);
            if (plain_equal(rep, wanted)) j->copy[i] = k;
        }
    }
    step(c, stmt, SQLITE_DONE);
    sqlite3_finalize(stmt);
}

static bool is_ascii_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Does the text contain the word (n bytes), whole and in any case? */
static bool text_contains_word(const char *text, size_t size, const char *word, size_t n) {
    for (size_t at = 0; at + n <= size; at++)
        if ((at == 0 || !is_ascii_word(text[at - 1])) &&
            (at + n == size || !is_ascii_word(text[at + n])) &&
            strncasecmp(text + at, word, n) == 0)
            return true;
    return false;
}

static bool contains_word(const test_page *p, const char *word, size_t n) {
    static const test_column IN[] = {TEST_TITLE, TEST_TEXT, TEST_URL};
    for (size_t k = 0; k < sizeof IN / sizeof *IN; k++)
        if (text_contains_word(p->cell[IN[k]].bytes, p->cell[IN[k]].n, word, n)) return true;
    return false;
}

/* Does the other page contain every word of the title? Only plain titles of a few words are
 * checked: numbers may be joined, and in long titles one place stands for several words. */
static bool contains_title(const test_cell *title, const test_page *other) {
    size_t words = 0;
    for (size_t i = 0; i < title->n; i++) {
        if (!is_ascii_word(title->bytes[i]) && !strchr(" \t\n-,", title->bytes[i])) return true;
        words += is_ascii_word(title->bytes[i]) && (i == 0 || !is_ascii_word(title->bytes[i - 1]));
    }
    for (size_t i = 0; i < title->n && words <= 7;) {
        size_t n = 0;
        while (i + n < title->n && is_ascii_word(title->bytes[i + n])) n++;
        if (n && !contains_word(other, title->bytes + i, n)) return false;
        i += n + 1;
    }
    return true;
}

static size_t pages_of_host(const plain_judge *j, int i) {
    size_t n = 0;
    for (int k = 0; k < (int)j->n; k++)
        n += plain_equal(plain_meaning(j, i)->host, plain_meaning(j, k)->host);
    return n;
}

enum { LEARNED_FROM = 16 /* names of a host suffice to learn which words are common */ };

/* The next word from *at on, of ASCII letters and digits and of bytes beyond ASCII; 0: none. */
static size_t next_word(const test_cell *cell, size_t *at) {
    size_t n = 0;
    while (*at < cell->n && !is_ascii_word(cell->bytes[*at]) && !(cell->bytes[*at] & 0x80)) ++*at;
    while (*at + n < cell->n &&
           (is_ascii_word(cell->bytes[*at + n]) || (cell->bytes[*at + n] & 0x80)))
        n++;
    return n;
}

static bool same_words(const test_cell *a, const test_cell *b) {
    size_t i = 0, k = 0, n = next_word(a, &i);
    for (; n > 0; i += n, k += n, n = next_word(a, &i))
        if (next_word(b, &k) != n || strncasecmp(a->bytes + i, b->bytes + k, n) != 0) return false;
    return next_word(b, &k) == 0;
}

/* May the texts prove a copy although they are no near-duplicates: are the URLs forms of one page,
 * or has a document of the same text the title of `rep`? */
static bool may_prove(const plain_judge *j, int i, int rep) {
    for (int k = 0; k < (int)j->n; k++) {
        if (!plain_same_text(j, i, k)) continue;
        if (same_words(&j->page[k]->cell[TEST_TITLE], &j->page[rep]->cell[TEST_TITLE]) ||
            plain_equal(plain_meaning(j, k)->path, plain_meaning(j, rep)->path))
            return true;
    }
    return false;
}

/* Have the documents one name, whatever a judge may think of it? */
static bool have_one_name(const plain_judge *j, int a, int b) {
    const test_cell *x = j->page[a]->cell, *y = j->page[b]->cell;
    return x[TEST_TITLE].type == y[TEST_TITLE].type && x[TEST_TITLE].n == y[TEST_TITLE].n &&
           memcmp(x[TEST_TITLE].bytes, y[TEST_TITLE].bytes, x[TEST_TITLE].n) == 0 &&
           plain_equal(j->title[1][a], j->title[1][b]) &&
           plain_equal(plain_meaning(j, a)->path, plain_meaning(j, b)->path) &&
           plain_equal(plain_meaning(j, a)->domain, plain_meaning(j, b)->domain);
}

static bool has_text(const plain_judge *j, int i) {
    return plain_takes_part(j, i) && j->page[i]->cell[TEST_TEXT].n > 0;
}

static void check_copy(const flag_checks *c, int i, int rep, size_t *ret_named) {
    const plain_judge *j = c->j;
    if (!plain_takes_part(j, i) || !plain_takes_part(j, rep))
        fail_msg("seed %" PRIu64 ": a copy that does not take part", c->seed);
    if (!plain_same_text(j, i, rep) && (!j->near.d || plain_similarity(j, i, rep) < 0) &&
        !may_prove(j, i, rep))
        fail_msg("seed %" PRIu64 ": document %d is a copy of %d, but not a near-duplicate", c->seed,
                 i, rep);
    if (pages_of_host(j, i) >= LEARNED_FROM || j->page[i]->cell[TEST_TITLE].type != SQLITE_TEXT)
        return;
    ++*ret_named;
    if (!contains_title(&j->page[i]->cell[TEST_TITLE], j->page[rep]))
        fail_msg("seed %" PRIu64 ": '%.*s' (%s) is hidden behind '%.*s' (%s)", c->seed,
                 (int)j->page[i]->cell[TEST_TITLE].n, j->page[i]->cell[TEST_TITLE].bytes,
                 plain_meaning(j, i)->url, (int)j->page[rep]->cell[TEST_TITLE].n,
                 j->page[rep]->cell[TEST_TITLE].bytes, plain_meaning(j, rep)->url);
}

void check_copies(const flag_checks *c, size_t *ret_named) {
    const plain_judge *j = c->j;
    for (int i = 0; i < (int)j->n; i++) {
        if (j->copy[i] == PLAIN_NONE || j->copy[i] == i) continue;
        check_copy(c, i, j->copy[i], ret_named);
    }
    for (int a = 0; a < (int)j->n; a++)
        for (int b = 0; b < a; b++) {
            if (!has_text(j, a) || !has_text(j, b)) continue;
            if (plain_one_text(j, a, b) && have_one_name(j, a, b) &&
                !plain_in_one_group(j, COPY, a, b))
                fail_msg("seed %" PRIu64
                         ": %d and %d have one text and one name, and are no copies",
                         c->seed, a, b);
            if (plain_in_one_group(j, COPY, a, b) && !plain_same_text(j, a, b) &&
                plain_meaning(j, a)->hreflang[0] &&
                plain_equal(plain_meaning(j, a)->hreflang, plain_meaning(j, b)->hreflang))
                fail_msg("seed %" PRIu64 ": translations %d and %d are copies", c->seed, a, b);
        }
}

void check_copy_flags(const flag_checks *c) {
    int64_t cluster[PLAIN_DOCUMENTS_MAX];
    sqlite3_stmt *stmt = query(c, "SELECT copy_unique_b, copy_copycount_i, sibling_count_i, "
                                  "copy_cluster_l FROM document_flags ORDER BY id");
    for (int i = 0; i < (int)c->j->n; i++) {
        step(c, stmt, SQLITE_ROW);
        expect_decision(c, i, COPY, stmt, 0);
        if (c->j->near.d && plain_takes_part(c->j, i))
            expect_number(c, i, "sibling_count_i", stmt, 2, c->j->siblings[i]);
        else
            expect(c, i, "sibling_count_i", stmt, 2, NULL);
        if ((sqlite3_column_type(stmt, 3) != SQLITE_NULL) != has_text(c->j, i))
            fail_msg("seed %" PRIu64
                     ": copy_cluster_l of a text that has none, or none of one that has",
                     c->seed);
        cluster[i] = sqlite3_column_int64(stmt, 3);
    }
    step(c, stmt, SQLITE_DONE);
    sqlite3_finalize(stmt);
    for (int a = 0; a < (int)c->j->n; a++)
        for (int b = 0; b < a; b++)
            if (has_text(c->j, a) && has_text(c->j, b) &&
                (cluster[a] == cluster[b]) != plain_in_one_group(c->j, COPY, a, b))
                fail_msg("seed %" PRIu64 ": copy_cluster_l and groups of copies differ", c->seed);
}

void check_links(const flag_checks *c) {
    char sql[256];
    const bool direct = c->j->shape <= TEST_NARROW;
    snprintf(sql, sizeof sql,
             "SELECT f.eligibility, f.link_state, %s, f.near_similarity FROM (SELECT * FROM "
             "twindex_flag WHERE only_in <> %d) AS f %s ORDER BY %s",
             direct ? "f.link_doc" : "(SELECT id FROM twindex_document WHERE doc = f.link_doc)",
             c->generation == 'a' ? 2 : 1, direct ? "" : "JOIN twindex_document AS d USING (doc)",
             direct ? "f.doc" : "d.id");
    sqlite3_stmt *stmt = query(c, sql);
    for (int i = 0; i < (int)c->j->n; i++) {
        step(c, stmt, SQLITE_ROW);
        expect_number(c, i, "eligibility", stmt, 0, c->j->at[i].eligibility);
        expect_number(c, i, "link_state", stmt, 1, c->j->at[i].link_state);
        expect_id(c, i, "link_doc", stmt, 2, c->j->at[i].target);
        if (c->j->at[i].rep[NEAR] == PLAIN_NONE)
            expect(c, i, "near_similarity", stmt, 3, NULL);
        else
            expect_number(c, i, "near_similarity", stmt, 3, c->j->similarity[i]);
    }
    step(c, stmt, SQLITE_DONE);
    sqlite3_finalize(stmt);
}

static void check_members(const flag_checks *c, const char *detector, sqlite3_stmt *stmt,
                          int relation_or_verdict) {
    sqlite3_reset(stmt);
    sqlite3_bind_text(stmt, 1, detector, -1, SQLITE_STATIC);
    for (int i = 0; i < (int)c->j->n; i++) {
        const plain_decision *d = &c->j->at[i];
        const bool verdict = relation_or_verdict == PLAIN_RELATIONS;
        const int rep = verdict ? d->cluster_rep : d->rep[relation_or_verdict];
        const int count = verdict ? d->cluster_count : d->count[relation_or_verdict];
        if (count < 2) continue;
        step(c, stmt, SQLITE_ROW);
        expect_id(c, i, "group member", stmt, 0, i);
        expect_id(c, i, "representative", stmt, 1, rep);
        expect_number(c, i, "documents", stmt, 2, count);
    }
    step(c, stmt, SQLITE_DONE);
}

void check_groups(const flag_checks *c) {
    sqlite3_stmt *stmt = query(c, "SELECT document, representative, documents FROM "
                                  "twindex_group_member WHERE detector = ?1 ORDER BY document");
    for (int s = 0; s < PLAIN_RELATIONS; s++) check_members(c, RELATIONS[s], stmt, s);
    check_members(c, "verdict", stmt, PLAIN_RELATIONS);
    sqlite3_finalize(stmt);
}

/* ---- signatures --------------------------------------------------------- */

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

/* Signatures are equal exactly when contents are; without content there is no signature. */
static void check_signatures(const flag_checks *c, plain_relation s, const bool *has,
                             const int64_t *sig) {
    const plain_judge *j = c->j;
    for (int a = 0; a < (int)j->n; a++)
        for (int b = 0; b <= a; b++) {
            bool empty = s <= FUZZY ? j->page[a]->cell[TEST_TEXT].n == 0
                                    : !j->title[s - TITLE][a][0];
            bool same = s == EXACT   ? plain_same_text(j, a, b)
                        : s == FUZZY ? true
                                     : plain_same_title(j, s - TITLE, a, b);
            if (has[a] == empty)
                fail_msg("seed %" PRIu64 ": %s signature where there is no content", c->seed,
                         RELATIONS[s]);
            if (s != FUZZY && !empty && has[b] && same != (sig[a] == sig[b]))
                fail_msg("seed %" PRIu64 ": %s signatures and contents differ", c->seed,
                         RELATIONS[s]);
            if (s == FUZZY && !empty && plain_same_text(j, a, b) && sig[a] != sig[b])
                fail_msg("seed %" PRIu64 ": two profiles of one text", c->seed);
        }
}

void read_signatures(const flag_checks *c) {
    int64_t sig[NEAR][PLAIN_DOCUMENTS_MAX];
    bool has[NEAR][PLAIN_DOCUMENTS_MAX];
    plain_judge *j = c->j;
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
    for (int s = EXACT; s < NEAR; s++) check_signatures(c, (plain_relation)s, has[s], sig[s]);
}
