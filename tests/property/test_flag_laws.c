/* The flags of random stores are those of a plain judge (plain_judge.h, flag_checks.h), and obey
 * laws that users rely on, stated in the SQL that they would write. */
#include "flag_checks.h"

enum { STORES = TEST_RACES_ONLY ? 45 : TEST_SANITIZED ? 150 : 300 };

/* ---- laws in SQL -------------------------------------------------------- */

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
    COUNT_IS_ZERO("a document in no cluster of the verdict is its own survivor",
                  "SELECT count(*) FROM flags WHERE indexable_b AND NOT representative_b AND id "
                  "NOT IN (SELECT document FROM member WHERE detector = 'verdict')"),
    COUNT_IS_ZERO("duplicate_of is a survivor",
                  "SELECT count(*) FROM flags AS f LEFT JOIN flags AS s ON s.id = f.duplicate_of "
                  "WHERE f.duplicate_of IS NOT NULL AND s.representative_b IS NOT 1"),
    COUNT_IS_ZERO("groups are a partition: a document is in at most one group of a detector",
                  "SELECT count(*) FROM (SELECT 1 FROM member GROUP BY detector, document HAVING "
                  "count(*) > 1)"),
    COUNT_IS_ZERO(
        "a group has one representative, which is one of its members, and states their number",
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
    COUNT_IS_ZERO("an alternate is another document that takes part",
                  "SELECT count(*) FROM document_alternates AS a LEFT JOIN flags AS f ON f.id = "
                  "a.alternate_id WHERE a.id = a.alternate_id OR f.indexable_b IS NOT 1"),
};

/* The survivor of a cluster passes the filter of every relation that was joined. */
static void check_survivors(const flag_checks *c) {
    static const char *const PASSES[PLAIN_RELATIONS] = {"http_unique_b",
                                                        "www_unique_b",
                                                        "exact_signature_unique_b",
                                                        "fuzzy_signature_unique_b",
                                                        "title_unique_b",
                                                        "description_unique_b",
                                                        "near_unique_b",
                                                        "copy_unique_b"};
    for (int s = 0; s < PLAIN_RELATIONS; s++) {
        char sql[128];
        if (!c->j->how.joins[s]) continue;
        snprintf(sql, sizeof sql, "SELECT count(*) FROM flags WHERE representative_b AND NOT %s",
                 PASSES[s]);
        if (test_integer(c->db, sql) != 0)
            fail_msg("seed %" PRIu64 ": a survivor fails %s", c->seed, PASSES[s]);
    }
}

static void check_laws(const flag_checks *c) {
    test_exec(c->db, "CREATE TEMP TABLE flags AS SELECT * FROM document_flags;CREATE TEMP TABLE "
                     "member AS SELECT * FROM twindex_group_member;CREATE INDEX temp.flags_id ON "
                     "flags(id); CREATE INDEX temp.member_id ON member(document);");
    for (size_t i = 0; i < sizeof LAWS / sizeof *LAWS; i++)
        if (test_integer(c->db, LAWS[i].sql) != 0)
            fail_msg("seed %" PRIu64 ", shape %d: violated: %s", c->seed, c->j->shape,
                     LAWS[i].what);
    check_survivors(c);
}

/* ---- coverage of the random stores -------------------------------------- */

/* A random test proves nothing about a case that never occurs, so cases are counted. */
typedef struct tally {
    size_t eligibility[CANONICALISED + 1], link_state[LINK_COLLAPSE + 1], type[5],
        groups[PLAIN_RELATIONS], not_unique[2];
    size_t named; /* copies whose titles were compared with their representatives */
    size_t translations, redirected_copies, large_clusters;
    size_t near_translations, near_capped;
    /* members that are similar to another leader, too; that are not similar to their own */
    size_t near_choices, near_chains;
    /* pairs of one group that sections compare in another order; and of two sections */
    size_t ordered, placed;
    size_t stricter; /* pairs that reach the threshold of the store alone */
} tally;

static void count_near(tally *t, const plain_judge *j, int i) {
    if (j->leader[i] == PLAIN_NONE || j->leader[i] == i) return;
    t->near_chains += plain_similarity(j, i, j->leader[i]) < 0;
    for (int k = 0; k < (int)j->n; k++)
        if (j->leader[k] == k && j->leader[i] != k && plain_similarity(j, i, k) >= 0) {
            t->near_choices++;
            return;
        }
}

static bool has_order(const plain_judge *j, int i) {
    const int section = plain_section_of(j, i);
    return section >= 0 && j->how.section[section].order;
}

static void count_sections(tally *t, const plain_judge *j, int i) {
    const int rep = j->at[i].cluster_rep;
    if (j->how.n_sections == 0) return;
    if (rep != PLAIN_NONE && rep != i && has_order(j, i))
        t->ordered += plain_section_of(j, i) == plain_section_of(j, rep);
    if (rep != PLAIN_NONE && has_order(j, i) != has_order(j, rep)) t->placed++;
    for (int k = 0; k < i && j->near.d && plain_equal(j->near.d->name, "alignment"); k++)
        t->stricter += plain_takes_part(j, k) && j->near.at[i].n > 0 && j->near.at[k].n > 0 &&
                       near_similarity(&j->near, i, k) >= j->how.least &&
                       plain_similarity(j, i, k) < 0;
}

static void count(tally *t, const plain_judge *j) {
    static const char *const TYPES[] = {"full-layout", "full-content", "partial-layout",
                                        "partial-content", "sibling"};
    for (int i = 0; i < (int)j->n; i++) {
        const plain_decision *d = &j->at[i];
        t->eligibility[d->eligibility]++;
        t->link_state[d->link_state]++;
        for (int k = 0; k < 5; k++) t->type[k] += d->type && plain_equal(d->type, TYPES[k]);
        for (int s = 0; s < PLAIN_RELATIONS; s++) t->groups[s] += d->rep[s] == i;
        if (!plain_takes_part(j, i)) {
            t->redirected_copies += d->duplicate_of != PLAIN_NONE;
            continue;
        }
        t->not_unique[0] += !d->http_unique;
        t->not_unique[1] += !d->www_unique;
        t->translations += j->subgroup[i] > 0;
        t->large_clusters += d->cluster_count > d->count[SCHEME] + d->count[WWW] + d->count[EXACT];
        count_near(t, j, i);
        count_sections(t, j, i);
    }
    t->near_translations += j->near_translations;
    t->near_capped += j->near_capped;
}

static void check_tally(const tally *t, size_t stores) {
    const size_t *all = (const size_t *)t;
    print_message("near-duplicates: %zu groups, %zu choices between leaders, %zu chains, %zu kept "
                  "separate, %zu left out for near.candidates\n",
                  t->groups[NEAR], t->near_choices, t->near_chains, t->near_translations,
                  t->near_capped);
    for (size_t i = 0; i < sizeof *t / sizeof *all; i++)
        if (all[i] < stores / 15)
            fail_msg("case %zu of the tally occurred only %zu times", i, all[i]);
}

/* ---- the tests ---------------------------------------------------------- */

static const char *yes_no(bool yes) {
    return yes ? "yes" : "no";
}

static void set_scopes(twindex *t, test_rng *rng, plain_rules *how) {
    static const char *const NAMES[PLAIN_RELATIONS] = {
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

/* Detectors of every kind: with a payload, several stored keys or one, a verifier or none. */
static void draw_near(twindex *t, test_rng *rng, plain_rules *how, near_signs *near) {
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
    if (!twx_detector_find(name)) name = "alignment"; /* a build without wings has few methods */
    near->d = twx_detector_find(name);
    const twx_detector *minhash = twx_detector_find("minhash");
    if (minhash) near->params.methods.of[minhash->id][0] = false; /* boilerplate */
    near->params.near_min_words = WORDS[test_rng_below(rng, 4)];
    how->link = test_rng_below(rng, 3) > 0;
    how->candidates = test_rng_below(rng, 2) ? 64 : 1 + test_rng_below(rng, 2);
    near->params.methods.of[TWX_DETECTOR_ALIGNMENT.id][0] = LEAST[least].ppm;
    how->least = (int32_t)LEAST[least].ppm;
    test_set(t, "near.detector", name);
    test_set(t, "alignment.threshold", LEAST[least].value);
    if (minhash) test_set(t, "minhash.boilerplate", "no");
    test_set(t, "near.join", how->link ? "link" : "representative");
    set_number(t, "near.min_words", near->params.near_min_words);
    set_number(t, "near.candidates", how->candidates);
    /* unverified pairs hide no document */
    if (!near->d || !near->d->verify) how->joins[NEAR] = false;
}

/* Every second store that has not the defaults has sections of hosts: of a host, of a domain, and
 * of both, with some of the settings. */
static void draw_sections(twindex *t, uint64_t seed, plain_rules *how, near_signs *near) {
    static const char *const PATTERNS[] = {"example.org", ".com", "www.com", ".example.org"};
    static const char *const ORDERS[] = {"url_length,score", "fetched_at,clean", NULL};
    static const struct {
        const char *value;
        int32_t ppm;
    } LEAST[] = {{NULL, -1}, {"0.92", 920000}, {"0.75", 750000}};
    test_rng rng = test_rng_seed(seed ^ UINT64_C(0x686f737473));
    char text[512] = "";
    size_t at = 0;
    uint32_t lowest = (uint32_t)how->least;
    if (test_rng_below(&rng, 2)) return;
    for (int k = 0; k < PLAIN_SECTIONS_MAX; k++) {
        if (test_rng_below(&rng, 3) == 0) continue;
        const size_t o = test_rng_below(&rng, 3), l = test_rng_below(&rng, 3);
        static const char *const PLAIN[] = {"url_length score", "fetched_at clean", NULL};
        const bool below = PATTERNS[k][0] == '.';
        how->section[how->n_sections++] = (plain_section){PATTERNS[k] + below, below, PLAIN[o],
                                                          LEAST[l].ppm};
        at += (size_t)snprintf(
            text + at, sizeof text - at, "%s%s%s%s%s%s", at ? " | " : "", PATTERNS[k],
            ORDERS[o] ? " verdict.order=" : "", ORDERS[o] ? ORDERS[o] : "",
            LEAST[l].value ? " alignment.threshold=" : "", LEAST[l].value ? LEAST[l].value : "");
        if (LEAST[l].ppm >= 0 && (uint32_t)LEAST[l].ppm < lowest) lowest = (uint32_t)LEAST[l].ppm;
    }
    test_set(t, "hosts", text);
    near->params.methods.of[TWX_DETECTOR_ALIGNMENT.id][0] = lowest;
}

/* One store in three has the defaults. */
static plain_rules draw_rules(twindex *t, uint64_t seed, near_signs *near) {
    static const char *const ORDERS[] = {"score origin url_length fetched_at",
                                         "form fetched_at page score", "url_length origin", ""};
    static const char *const RELATIONS[] = {"scheme", "www",         "exact", "fuzzy",
                                            "title",  "description", "near",  "copy"};
    plain_rules how = {.https = true,
                       .www = 1,
                       .order = ORDERS[0],
                       .joins = {[SCHEME] = true, [WWW] = true, [COPY] = true},
                       .canonical = true,
                       .redirect = true,
                       .collapse_min = 10,
                       .scope = {[TITLE] = HOST, [DESCRIPTION] = HOST},
                       .candidates = 64};
    test_rng rng = test_rng_seed(seed), later = test_rng_seed(~seed);
    char text[128] = "";
    near->d = twx_detector_find("alignment");
    near->params = twx_params_default();
    test_set(t, "page_class.left_out", ""); /* the plain judge knows no classes of pages */
    if (seed % 3 == 0) return how;
    how.https = test_rng_below(&rng, 2);
    how.www = test_rng_below(&rng, 2) ? 1 : test_rng_below(&later, 3) ? 0 : 2;
    how.order = ORDERS[test_rng_below(&rng, 4)];
    how.canonical = test_rng_below(&rng, 4) > 0;
    how.redirect = test_rng_below(&rng, 4) > 0;
    how.collapse_min = 2 + (int)test_rng_below(&rng, 5);
    size_t at = (size_t)snprintf(text, sizeof text, "%s %s", how.canonical ? "canonical" : "",
                                 how.redirect ? "redirect" : "");
    for (int s = 0; s < PLAIN_RELATIONS; s++) {
        how.joins[s] = test_rng_below(s == COPY ? &later : &rng, 2);
        if (how.joins[s]) at += (size_t)snprintf(text + at, sizeof text - at, " %s", RELATIONS[s]);
    }
    test_set(t, "search.ranking.uniqueheuristic.preferhttps", yes_no(how.https));
    test_set(t, "search.ranking.uniqueheuristic.preferwwwprefix",
             how.www == 2 ? "auto" : yes_no(how.www));
    test_set(t, "verdict.order", how.order);
    test_set(t, "verdict.relations", text);
    set_number(t, "canonical.collapse_min", (size_t)how.collapse_min);
    set_scopes(t, &rng, &how);
    draw_near(t, &rng, &how, near);
    draw_sections(t, seed, &how, near);
    return how;
}

static void judge_store(uint64_t seed, plain_judge *j, tally *met) {
    const test_shape shape = (test_shape)(seed % TEST_SHAPES);
    test_world *w = test_world_new(seed, shape);
    const char *path = test_file("flags.db");
    test_world_grow(w, 30 + seed % 71);
    test_store_make(w, path);
    test_store_sync(w, path);
    const uint64_t source = test_store_source(w, path);
    twindex *t = test_twindex(w, path, NULL, false);
    *j = (plain_judge){.shape = shape};
    j->how = draw_rules(t, seed, &j->near);
    test_run(t, NULL, TWINDEX_OK);
    j->n = test_world_pages(w, &j->page);
    assert_true(j->n <= PLAIN_DOCUMENTS_MAX);

    flag_checks c = {.j = j, .db = test_open(path), .seed = seed};
    c.generation = test_integer(c.db, "SELECT generation = 'b' FROM twindex_state") ? 'b' : 'a';
    read_signatures(&c);
    plain_judge_links(j);
    read_copies(&c);
    plain_judge_groups(j);
    check_copies(&c, &met->named);
    plain_judge_clusters(j);
    plain_judge_flags(j);
    count(met, j);
    check_flags(&c);
    check_copy_flags(&c);
    check_links(&c);
    check_groups(&c);
    check_laws(&c);
    sqlite3_close(c.db);
    near_signs_done(&j->near);
    if (test_store_source(w, path) != source)
        fail_msg("seed %" PRIu64 ": the source has changed", seed);
    twindex_free(t);
    test_world_free(w);
}

TEST(flags_are_those_of_a_plain_judge) {
    plain_judge *j = calloc(1, sizeof *j);
    assert_non_null(j);
    tally met;
    memset(&met, 0, sizeof met);
    const size_t stores = test_share_of(STORES, 1);
    for (uint64_t seed = 1; seed <= stores; seed++) judge_store(seed, j, &met);
    check_tally(&met, stores);
    free(j);
}
