#include "cluster/cluster.h"

#include "sql_text.h"

/* ==== near_names */

/* Names of documents (judge/names.c) where the documents are on servers: what is learned of all
 * hosts, and whether one of two texts contains the names of the other.
 * [R1] Both are as in a run over one store with all documents. */

/* A name of a text, and the host where it has it. */
typedef struct hosted_name {
    uint64_t host_key;
    twx_slice name; /* empty: none */
} hosted_name;

/* What is learned about hosts, one part of them after another; each host is in one part. */
typedef struct learned_names {
    twx_name_rules rules;
    twx_map64 hosts; /* key -> number */
    twx_map64 common, constant;
    /* Of the part that is being read */
    twx_names part;
    twx_doc_table docs;
} learned_names;

/* Texts with their names. */
typedef struct named_texts {
    twx_names names;
    twx_doc_table docs;
    TWX_VEC(uint32_t) best; /* by text: its best document */
    TWX_VEC(uint32_t) from; /* by text: of names.docs */
    TWX_VEC(uint32_t) list;
    const learned_names *learned;
} named_texts;

/* Memory for the names of a document, so that all of them stay in memory. */
enum { NAMES_BYTES = 2 * (TWX_NAME_BYTES + TWX_REPEATED_BYTES) };

/* ---- learning ------------------------------------------------------------ */

static void end_part(learned_names *l) {
    twx_names_done(&l->part);
    twx_doc_table_done(&l->docs);
    l->docs = (twx_doc_table){0};
}

/* host_key is the name of the host, by which its words are noted (judge/names.c). */
static twx_rc add_document(twx_ctx *cx, twx_doc_table *docs, uint64_t host, uint64_t host_key,
                           uint32_t *ret_doc) {
    while (docs->hosts.n <= host)
        if (!TWX_VEC_PUSH(cx, &docs->hosts, (twx_host){0})) return TWX_E_NOMEM;
    twx_slice *name = &docs->hosts.at[host].name;
    if (!name->p) name->p = twx_strndup(cx, (const char *)&host_key, sizeof host_key);
    if (!name->p) return TWX_E_NOMEM;
    name->n = sizeof host_key;
    *ret_doc = (uint32_t)docs->at.n;
    const twx_doc_row row = {.host = (uint32_t)host};
    return TWX_VEC_PUSH(cx, &docs->at, row) ? TWX_OK : TWX_E_NOMEM;
}

/* The document that was added last; an empty name: it has none. */
static twx_rc name_document(twx_ctx *cx, twx_names *names, uint32_t text, twx_slice name) {
    uint64_t keys[TWX_NAME_KEYS_MAX];
    size_t n = 0;
    if (name.n == 0) name.p = NULL;
    return twx_names_add(cx, names, text, name, keys, &n);
}

/* In order of ids; with the repeated words of its text. */
static twx_rc learn_name(twx_ctx *cx, learned_names *l, const hosted_name *name,
                         twx_slice repeated) {
    const uint64_t next = l->hosts.n;
    uint64_t host = next;
    uint32_t doc = 0;
    twx_rc rc = twx_map64_add(cx, &l->hosts, name->host_key, next, &host);
    if (rc == TWX_OK) rc = add_document(cx, &l->docs, host, name->host_key, &doc);
    if (rc == TWX_OK) rc = twx_names_add_text(cx, &l->part, repeated);
    return rc == TWX_OK ? name_document(cx, &l->part, doc, name->name) : rc;
}

static twx_rc learning_end(twx_ctx *cx, learned_names *l) {
    const size_t n = l->docs.at.n;
    uint32_t *node = twx_malloc(cx, (n + 1) * sizeof *node);
    uint8_t *eligibility = twx_calloc(cx, n + 1, 1); /* all take part */
    twx_rc rc = node && eligibility ? TWX_OK : TWX_E_NOMEM;
    for (uint32_t i = 0; rc == TWX_OK && i < n; i++) node[i] = i;
    /* what earlier parts have learned is added to */
    twx_map64_done(&l->part.common);
    twx_map64_done(&l->part.constant);
    l->part.common = l->common;
    l->part.constant = l->constant;
    if (rc == TWX_OK) rc = twx_names_learn(cx, &l->part, &l->docs, node, eligibility);
    l->common = l->part.common;
    l->constant = l->part.constant;
    l->part.common = l->part.constant = (twx_map64){0};
    twx_free(node);
    twx_free(eligibility);
    end_part(l);
    return rc;
}

/* ---- texts --------------------------------------------------------------- */

static void named_texts_done(named_texts *t) {
    t->names.common = t->names.constant = (twx_map64){0}; /* borrowed */
    t->names.docs_from = NULL;
    t->names.docs = NULL;
    twx_names_done(&t->names);
    twx_doc_table_done(&t->docs);
    TWX_VEC_DONE(&t->best);
    TWX_VEC_DONE(&t->from);
    TWX_VEC_DONE(&t->list);
}

static twx_rc add_hosted(twx_ctx *cx, named_texts *t, uint32_t text, const hosted_name *name,
                         uint32_t *ret_doc) {
    /* hosts of which nothing was learned have no number of their own: nothing is common there */
    uint64_t host = t->learned->hosts.n;
    (void)twx_map64_get(&t->learned->hosts, name->host_key, &host);
    twx_rc rc = add_document(cx, &t->docs, host, name->host_key, ret_doc);
    return rc == TWX_OK ? name_document(cx, &t->names, text, name->name) : rc;
}

/* A text and its best document's name. *ret_text: its number. */
static twx_rc named_texts_add(twx_ctx *cx, named_texts *t, twx_slice repeated,
                              const hosted_name *best, uint32_t *ret_text) {
    const uint32_t text = (uint32_t)t->best.n;
    uint32_t doc = 0;
    twx_rc rc = twx_names_add_text(cx, &t->names, repeated);
    if (rc == TWX_OK) rc = add_hosted(cx, t, text, best, &doc);
    if (rc != TWX_OK) return rc;
    *ret_text = text;
    return TWX_VEC_PUSH(cx, &t->best, doc) && TWX_VEC_PUSH(cx, &t->from, (uint32_t)t->list.n)
               ? TWX_OK
               : TWX_E_NOMEM;
}

static twx_rc named_texts_end(twx_ctx *cx, named_texts *t) {
    t->names.common = t->learned->common;
    t->names.constant = t->learned->constant;
    if (!TWX_VEC_PUSH(cx, &t->from, (uint32_t)t->list.n)) return TWX_E_NOMEM;
    t->names.docs_from = t->from.at;
    t->names.docs = t->list.at;
    return TWX_OK;
}

/* Does a contain what distinguishes b from it? 0: no; 1: yes; 2: they have one name. */
static unsigned named_texts_contain(const named_texts *t, uint32_t a, uint32_t b,
                                    const twx_demands *of_b) {
    if (!twx_names_contain(&t->names, a, t->best.at[a], of_b, NULL)) return 0;
    return twx_names_equal(&t->names, t->best.at[a], t->best.at[b]) ? 2 : 1;
}

/* ==== near_pairs */

/* Compares the pairs of texts that a round has asked for: reads them
 * with their payloads from the servers, computes similarities on several threads, and sends these
 * back.
 * [R1] Similarities are those of a run over one store. */

typedef struct near_comparing {
    twx_judging *j;
    const twx_near_plan *plan;
    const learned_names *learned; /* for copies; NULL: near-duplicates are compared */
    uint64_t pass, round;
    uint64_t compared; /* so far, of all rounds */
} near_comparing;

enum {
    PAIRS_AT_ONCE = 65536, /* about, of a statement */
    TASK = 512,            /* pairs of a task */
    DOCUMENTS = 12         /* of the texts of a pair, at most */
};

typedef struct pair {
    uint64_t a, b;
    twx_slice payload[2];
    uint32_t text[2]; /* numbers in `named` */
    bool one_name;
    int32_t similarity;
    uint8_t contains;
} pair;

typedef struct part {
    near_comparing *c;
    uint64_t pairs; /* of all parts together, no more than that are in one */
    TWX_VEC(pair) at;
    twx_buf answers, rows;
    named_texts named; /* for copies */
} part;

static twx_statement of_round(const near_comparing *c, twx_statement s) {
    s.pass = c->pass;
    s.round = c->round;
    return s;
}

/* ---- reading ------------------------------------------------------------- */

/* The columns of the second text after its payload. */
static twx_rc read_second(part *p, twx_row_reader *r, bool is_new, uint32_t *ret_text) {
    enum { NAMES_MAX = 9 };
    hosted_name best = {.name = twx_row_string(r)}, names[NAMES_MAX];
    const twx_slice repeated = twx_row_string(r);
    best.host_key = twx_row_number(r, 8);
    const uint64_t n = twx_row_length(r);
    r->broken |= n > NAMES_MAX;
    for (uint64_t i = 0; !r->broken && i < n; i++) names[i].name = twx_row_string(r);
    r->broken |= twx_row_length(r) != n;
    for (uint64_t i = 0; !r->broken && i < n; i++) names[i].host_key = twx_row_number(r, 8);
    if (r->broken || !is_new) return TWX_OK;
    twx_rc rc = named_texts_add(r->cx, &p->named, repeated, &best, ret_text);
    /* each different name once, in the order of the documents */
    for (uint64_t i = 0; rc == TWX_OK && i < n; i++) {
        uint32_t doc = 0;
        rc = add_hosted(r->cx, &p->named, *ret_text, &names[i], &doc);
        if (rc == TWX_OK && !TWX_VEC_PUSH(r->cx, &p->named.list, doc)) rc = TWX_E_NOMEM;
    }
    return rc;
}

/* Pairs come in order of b, whose names are needed once. */
static twx_rc read_names(part *p, twx_row_reader *r, pair *e) {
    const hosted_name name = {.name = twx_row_string(r)};
    const twx_slice repeated = twx_row_string(r);
    const pair *last = p->at.n ? &p->at.at[p->at.n - 1] : NULL;
    const bool is_new = !last || last->b != e->b;
    e->one_name = twx_row_number(r, 1) != 0;
    e->payload[1] = twx_row_string(r);
    if (!is_new) e->text[1] = last->text[1];
    const twx_rc rc = read_second(p, r, is_new, &e->text[1]);
    if (rc != TWX_OK || r->broken) return rc;
    return named_texts_add(r->cx, &p->named, repeated, &name, &e->text[0]);
}

static twx_rc pair_row(void *arg, twx_row_reader *r) {
    part *p = arg;
    r->broken |= p->at.n == p->pairs; /* one more than were counted */
    pair e = {.a = twx_row_number(r, 8)};
    twx_rc rc = TWX_OK;
    e.b = twx_row_number(r, 8);
    e.payload[0] = twx_row_string(r);
    if (p->c->learned)
        rc = read_names(p, r, &e);
    else
        e.payload[1] = twx_row_string(r);
    if (rc != TWX_OK || r->broken) return rc;
    return TWX_VEC_PUSH(r->cx, &p->at, e) ? TWX_OK : TWX_E_NOMEM;
}

static twx_rc read_part(part *p, uint64_t parts, uint64_t number) {
    twx_judging *j = p->c->j;
    twx_ctx *cx = j->job->cx;
    twx_statement read = p->c->learned ? of_round(p->c, TWX_JUDGING(READ_COPIES))
                                       : of_round(p->c, TWX_JUDGING(READ_PAIRS));
    read.parts = parts;
    read.range = number;
    twx_buf_clear(&p->answers);
    p->at.n = 0;
    twx_rc rc = TWX_OK;
    if (p->c->learned) {
        named_texts_done(&p->named);
        p->named = (named_texts){.learned = p->c->learned, .names.rules = p->c->learned->rules};
        rc = twx_names_init(cx, &p->named.names, DOCUMENTS * p->pairs * NAMES_BYTES);
    }
    if (rc == TWX_OK) rc = twx_judging_ask(j, &read, &p->answers);
    if (rc == TWX_OK) rc = twx_rows_each(cx, "read_pairs", twx_buf_slice(&p->answers), pair_row, p);
    return rc == TWX_OK && p->c->learned ? named_texts_end(cx, &p->named) : rc;
}

/* ---- comparing ----------------------------------------------------------- */

static int32_t similarity_of(const part *p, const pair *e) {
    const twx_judge_options *o = &p->c->plan->judge.options;
    const twx_detector *d = o->detectors[TWX_RELATION_NEAR];
    const twx_slice a = twx_near_payload(e->payload[0]), b = twx_near_payload(e->payload[1]);
    const int32_t similarity = d->verify(o->params, a, b);
    if (similarity >= 0 || !e->one_name || !o->named) return similarity;
    return d->verify(o->named, a, b);
}

static twx_rc compare(twx_ctx *cx, void *arg, size_t thread, size_t task) {
    part *p = arg;
    const size_t end = (task + 1) * TASK < p->at.n ? (task + 1) * TASK : p->at.n;
    twx_demands demands;
    uint64_t asked = UINT64_MAX;
    (void)thread;
    for (size_t i = task * TASK; i < end; i++) {
        pair *e = &p->at.at[i];
        e->similarity = similarity_of(p, e);
        if (!p->c->learned || e->similarity < 0) continue;
        if (asked != e->text[1])
            twx_names_demands(&p->named.names, &p->named.docs, e->text[1],
                              p->named.best.at[e->text[1]], &demands);
        asked = e->text[1];
        e->contains = (uint8_t)named_texts_contain(&p->named, e->text[0], e->text[1], &demands);
        if (e->contains == 0) e->similarity = -1;
    }
    return twx_cancelled(cx);
}

static twx_rc send_part(part *p) {
    twx_judging *j = p->c->j;
    twx_ctx *cx = j->job->cx;
    const twx_statement put = of_round(p->c, TWX_JUDGING(PUT_PAIRS));
    twx_rc rc = TWX_OK;
    twx_buf_clear(&p->rows);
    for (size_t i = 0; rc == TWX_OK && i < p->at.n; i++) {
        const pair *e = &p->at.at[i];
        const uint64_t row[] = {p->c->pass, e->a, e->b, (uint32_t)e->similarity, e->contains};
        rc = twx_row_add_numbers(cx, &p->rows, "18841", row);
    }
    return rc == TWX_OK && p->at.n ? twx_judging_put(j, &put, twx_buf_slice(&p->rows)) : rc;
}

static twx_rc compare_all(part *p) {
    twx_judging *j = p->c->j;
    const uint64_t parts = 1 + p->pairs / PAIRS_AT_ONCE;
    uint64_t found = 0;
    twx_rc rc = TWX_OK;
    for (uint64_t i = 0; rc == TWX_OK && p->pairs && i < parts; i++) {
        rc = read_part(p, parts, i);
        if (rc == TWX_OK)
            rc = twx_parallel(j->job->cx, twx_job_threads(j->job->settings),
                              (p->at.n + TASK - 1) / TASK, compare, p);
        if (rc == TWX_OK) rc = send_part(p);
        found += p->at.n;
    }
    p->c->compared += found;
    if (rc != TWX_OK || found == p->pairs) return rc;
    return twx_fail(j->job->cx, TWX_E_DATA, "cluster: pairs of texts are missing");
}

/* Errors TWX_E_DATA: an answer is not complete */
static twx_rc near_pairs_compare(near_comparing *c) {
    const twx_statement steps[] = {c->learned ? of_round(c, TWX_JUDGING(NEW_COPIES))
                                              : of_round(c, TWX_JUDGING(NEW_PAIRS)),
                                   c->learned ? of_round(c, TWX_JUDGING(ADD_NAMED_HALVES))
                                              : of_round(c, TWX_JUDGING(ADD_HALVES))},
                        count = of_round(c, TWX_JUDGING(COUNT_HALVES));
    part p = {.c = c, .answers = {.max = TWX_ANSWER_BYTES}, .rows = {.max = TWX_ANSWER_BYTES}};
    twx_rc rc = twx_judging_steps(c->j, steps, TWX_COUNTOF(steps));
    if (rc == TWX_OK) rc = twx_judging_sums(c->j, &count, &p.pairs, 1);
    if (rc == TWX_OK) rc = compare_all(&p);
    twx_buf_done(&p.answers);
    twx_buf_done(&p.rows);
    named_texts_done(&p.named);
    TWX_VEC_DONE(&p.at);
    return rc;
}

/* ---- learning ------------------------------------------------------------ */

typedef struct name_reading {
    learned_names *learned;
    uint64_t left; /* names that may still come */
} name_reading;

static twx_rc name_row(void *arg, twx_row_reader *r) {
    name_reading *f = arg;
    hosted_name name = {.host_key = twx_row_number(r, 8)};
    name.name = twx_row_string(r);
    const twx_slice repeated = twx_row_string(r);
    r->broken |= f->left == 0;
    f->left--;
    return r->broken ? TWX_OK : learn_name(r->cx, f->learned, &name, repeated);
}

/* Learns the common words of all hosts. l: initialized. */
static twx_rc near_names_learn(twx_judging *j, learned_names *l) {
    enum { NAMES_AT_ONCE = 1000000 };
    twx_ctx *cx = j->job->cx;
    twx_statement read = TWX_JUDGING(READ_NAMES);
    uint64_t names = 0;
    twx_rc rc = twx_judging_step(j, &TWX_JUDGING(SEND_NAMES));
    if (rc == TWX_OK) rc = twx_judging_sums(j, &TWX_JUDGING(COUNT_NAMES), &names, 1);
    read.parts = 1 + names / NAMES_AT_ONCE;
    for (read.range = 0; rc == TWX_OK && read.range < read.parts; read.range++) {
        name_reading f = {.learned = l, .left = names};
        l->part.rules = l->rules;
        rc = twx_names_init(cx, &l->part, names * NAMES_BYTES);
        if (rc == TWX_OK) rc = twx_judging_read(j, &read, name_row, &f);
        if (rc == TWX_OK) rc = learning_end(cx, l);
    }
    return rc;
}

/* ==== judging_near */

/* Near-duplicates: the rule of group/leaders.c in rounds. There, texts are examined in order of
 * rank: a text joins the best of the representatives that are listed under its keys so far, at most
 * near.candidates for each key, or becomes a representative and is listed.
 *
 * Here keys that the same texts have are one set. In a round each set that is not full proposes
 * its best undecided texts, 16 or more when rounds decide few, more than its list has room for.
 * They are compared with each other, and the representatives of the last round with all undecided
 * texts after them.
 *   - A text that matches a listed representative before it is not one itself.
 *   - A text is a representative if all undecided texts before it, in its sets that are not full,
 *     are among those proposed, and none that matches it is or may become a listed representative.
 *   - A representative is listed in a set when fewer undecided and waiting ones are before it than
 *     the list has room for; else it waits there, proposed again, until it is or the list is full.
 * The best one of all is proposed by all its sets with a place in their lists, so each round
 * decides or lists some. At last each text that is no representative is compared with all
 * representatives in the lists of its sets, and joins the best one.
 * Copies are a second pass over the same sets and those of names. A text that near-duplicates list
 * in a set is proposed there in each round, and if it represents copies, it is listed without
 * taking room.
 * Texts that match others are resolved in this program (near_resolve), which reads the numbers
 * of both; everything else stays on the nodes. */

enum { BATCH = 16, BATCH_MAX = 256 };

typedef struct near_judging {
    twx_judging *j;
    twx_near_plan plan;
    near_comparing compare;
    uint64_t base;  /* first round of the pass */
    uint64_t batch; /* texts that a set proposes in a round, at most */
    twx_near_summary *summary;
} near_judging;

static twx_rc step(near_judging *n, twx_statement s) {
    s = of_round(&n->compare, s);
    s.base = n->base;
    s.cap = n->plan.judge.options.candidates;
    s.batch = n->batch;
    return twx_judging_step(n->j, &s);
}

/* ---- candidates ---------------------------------------------------------- */

static twx_rc cut_bands(near_judging *n) {
    twx_ctx *cx = n->j->job->cx;
    twx_near_keys keys = {.list = {.max = TWX_STATEMENT_BYTES}};
    size_t at = 0;
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK) {
        rc = twx_near_keys_next(cx, &n->plan, n->j->documents, &at, &keys);
        if (rc == TWX_OK) rc = twx_buf_add_char(cx, &keys.list, '\0');
        if (rc != TWX_OK) break;
        rc = twx_judging_step(n->j, &TWX_JUDGING_WITH(CUT_BANDS, .key = keys.list.p,
                                                      .base = keys.least, .cap = keys.most));
    }
    twx_buf_done(&keys.list);
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* ---- decisions ----------------------------------------------------------- */

typedef struct deciding {
    TWX_VEC(twx_near_match) matches;
    twx_map64 blocked;
    twx_near_saids said;
} deciding;

static twx_rc match_row(void *arg, twx_row_reader *r) {
    deciding *d = arg;
    twx_near_match m = {.a = twx_row_number(r, 8)};
    m.b = twx_row_number(r, 8);
    const uint64_t rep = twx_row_number(r, 1); /* near_first in sql/cluster/work.sql */
    m.rep = rep & 2;
    m.sure = rep & 1;
    return TWX_VEC_PUSH(r->cx, &d->matches, m) ? TWX_OK : TWX_E_NOMEM;
}

static twx_rc blocked_row(void *arg, twx_row_reader *r) {
    deciding *d = arg;
    return twx_map64_put(r->cx, &d->blocked, twx_row_number(r, 8), 1);
}

/* Resolves the texts that match a better one. */
static twx_rc decide_matched(near_judging *n) {
    const twx_statement matches = TWX_JUDGING_WITH(READ_MATCHES, .pass = n->compare.pass,
                                                   .round = n->compare.round),
                        blocked = TWX_JUDGING_WITH(READ_BLOCKED, .round = n->compare.round);
    deciding d = {.blocked = {0}};
    twx_buf rows = {.max = TWX_ANSWER_BYTES};
    twx_rc rc = twx_judging_read(n->j, &matches, match_row, &d);
    if (rc == TWX_OK && d.matches.n) rc = twx_judging_read(n->j, &blocked, blocked_row, &d);
    if (rc == TWX_OK)
        rc = twx_near_resolve(n->j->job->cx, d.matches.at, d.matches.n, &d.blocked, &d.said);
    for (size_t i = 0; rc == TWX_OK && i < d.said.n; i++) {
        const uint64_t row[] = {n->compare.round, d.said.at[i].text, d.said.at[i].state};
        rc = twx_row_add_numbers(n->j->job->cx, &rows, "481", row);
    }
    if (rc == TWX_OK && d.said.n)
        rc = twx_judging_put(n->j, &TWX_JUDGING(PUT_SAID), twx_buf_slice(&rows));
    twx_buf_done(&rows);
    twx_map64_done(&d.blocked);
    TWX_VEC_DONE(&d.matches);
    TWX_VEC_DONE(&d.said);
    return rc;
}

/* ---- rounds -------------------------------------------------------------- */

static twx_rc count_open(near_judging *n, uint64_t *ret_open) {
    const twx_statement count = TWX_JUDGING_WITH(COUNT_OPEN, .round = n->compare.round);
    return twx_judging_sums(n->j, &count, ret_open, 1);
}

static twx_rc one_round(near_judging *n) {
    twx_rc rc = step(n, TWX_JUDGING(CHOOSE_FIRSTS));
    if (rc == TWX_OK && n->compare.pass == 1) rc = step(n, TWX_JUDGING(ADD_LISTED));
    if (rc == TWX_OK) rc = step(n, TWX_JUDGING(ADD_FRESH));
    if (rc == TWX_OK) rc = step(n, TWX_JUDGING(ASK_PAIRS));
    if (rc == TWX_OK) rc = step(n, TWX_JUDGING(BLOCK_TEXTS));
    if (rc == TWX_OK) rc = near_pairs_compare(&n->compare);
    if (rc == TWX_OK) rc = decide_matched(n);
    if (rc == TWX_OK) rc = step(n, TWX_JUDGING(DECIDE_SAID));
    if (rc == TWX_OK) rc = step(n, TWX_JUDGING(DECIDE_ALONE));
    if (rc == TWX_OK) rc = step(n, TWX_JUDGING(TELL_SETS));
    return rc == TWX_OK ? step(n, TWX_JUDGING(CLOSE_ROUND)) : rc;
}

static twx_rc all_rounds(near_judging *n) {
    uint64_t open = 0, rounds = 0;
    n->batch = BATCH;
    twx_rc rc = count_open(n, &open);
    while (rc == TWX_OK && open > 0) {
        const uint64_t before = open;
        rc = one_round(n);
        n->compare.round++;
        rounds++;
        if (rc == TWX_OK) rc = count_open(n, &open);
        if (open > before / 2 && n->batch < BATCH_MAX) n->batch *= 2;
        if (rc == TWX_OK && open >= before)
            rc = twx_fail(n->j->job->cx, TWX_E_INTERNAL, "a round has decided no text");
    }
    n->summary->rounds[n->compare.pass] = rounds;
    return rc;
}

/* Joins the texts that are no representatives to the best of them. */
static twx_rc join_best(near_judging *n) {
    twx_rc rc = step(n, TWX_JUDGING(ASK_LAST));
    if (rc == TWX_OK) rc = near_pairs_compare(&n->compare);
    n->compare.round++;
    if (rc == TWX_OK) rc = step(n, TWX_JUDGING(FIND_BEST));
    if (rc == TWX_OK) rc = step(n, TWX_JUDGING(FIND_LEADERS));
    return rc == TWX_OK ? step(n, TWX_JUDGING(ADD_LEADERS)) : rc;
}

static twx_rc judge_near(near_judging *n) {
    twx_rc rc = step(n, TWX_JUDGING(FIND_NEAR_DOCS));
    if (rc == TWX_OK) rc = step(n, TWX_JUDGING(FIND_NEAR_PARTS));
    if (rc == TWX_OK) rc = step(n, TWX_JUDGING(MAKE_NEAR_TEXTS));
    if (rc == TWX_OK) rc = cut_bands(n);
    if (rc == TWX_OK) rc = step(n, TWX_JUDGING(TAKE_KEYS));
    if (rc == TWX_OK) rc = step(n, TWX_JUDGING(TAKE_NAME_KEYS));
    if (rc == TWX_OK) rc = twx_judging_ranges(n->j, &TWX_JUDGING(FIND_SETS));
    if (rc == TWX_OK) rc = step(n, TWX_JUDGING(FIND_PLACES));
    if (rc == TWX_OK) rc = step(n, TWX_JUDGING(OPEN_SETS));
    if (rc == TWX_OK) rc = all_rounds(n);
    if (rc == TWX_OK) rc = join_best(n);
    if (rc == TWX_OK) rc = step(n, TWX_JUDGING(FIND_SIMILARITIES));
    return rc == TWX_OK ? step(n, TWX_JUDGING(FIND_NEAR_KEYS)) : rc;
}

/* ---- copies -------------------------------------------------------------- */

/* last: the round after which near-duplicates were decided. */
static twx_rc judge_copies(near_judging *n, uint64_t last) {
    learned_names learned = {.rules = n->plan.judge.options.names};
    twx_rc rc = near_names_learn(n->j, &learned);
    n->compare.learned = &learned;
    n->compare.pass = 1;
    n->base = last; /* the sets of near-duplicates are taken up as that round has left them */
    if (rc == TWX_OK) rc = step(n, TWX_JUDGING(OPEN_AGAIN));
    if (rc == TWX_OK) rc = step(n, TWX_JUDGING(OPEN_SETS));
    n->base = n->compare.round;
    if (rc == TWX_OK) rc = all_rounds(n);
    if (rc == TWX_OK) rc = join_best(n);
    if (rc == TWX_OK) rc = step(n, TWX_JUDGING(FIND_NEAR_KEYS));
    end_part(&learned);
    twx_map64_done(&learned.hosts);
    twx_map64_done(&learned.common);
    twx_map64_done(&learned.constant);
    return rc;
}

bool twx_judging_by_texts(const twx_judging *j) {
    return j->near && j->job->settings->copy_proof == TWX_PROOF_TEXT;
}

twx_rc twx_judging_near(twx_judging *j, twx_near_summary *ret_summary) {
    near_judging n = {.j = j, .summary = ret_summary};
    *ret_summary = (twx_near_summary){0};
    n.compare = (near_comparing){.j = j, .plan = &n.plan};
    twx_rc rc = twx_near_plan_make(j->job, &n.plan);
    if (rc == TWX_OK && twx_near_fingerprint(&n.plan.judge.options) != j->near)
        rc = twx_fail(j->job->cx, TWX_E_CONFIG,
                      "the settings of near-duplicates and copies (sections [near] and [copy], and "
                      "that of the method), or the version of Twindex, are not those of the "
                      "pushes: judge with the same, or push all stores again");
    if (rc == TWX_OK && twx_judging_by_texts(j)) {
        rc = twx_judging_copies(j, &n.plan, ret_summary);
    } else if (rc == TWX_OK && j->near) {
        rc = judge_near(&n);
        if (rc == TWX_OK) rc = judge_copies(&n, n.compare.round - 1);
        ret_summary->compared = n.compare.compared;
    }
    twx_near_plan_done(&n.plan);
    return rc;
}

twx_rc twx_judging_near_flags(twx_judging *j) {
    const twx_statement steps[] = {TWX_JUDGING(ASK_SIBLINGS), TWX_JUDGING(COUNT_SIBLINGS),
                                   TWX_JUDGING(FILL_NEAR_FLAGS)};
    const bool with_names = j->near && !twx_judging_by_texts(j);
    return with_names ? twx_judging_steps(j, steps, TWX_COUNTOF(steps)) : TWX_OK;
}
