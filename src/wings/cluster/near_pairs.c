#include "cluster/near_pairs.h"

#include "base/parallel.h"
#include "cluster/near_columns.h"
#include "cluster/row_binary.h"
#include "sql_text.h"

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
    twx_near_comparing *c;
    TWX_VEC(pair) at;
    twx_buf answers, rows;
    twx_named_texts named; /* for copies */
} part;

static twx_statement statement_of(const twx_near_comparing *c, const char *name, const char *sql) {
    return (twx_statement){.name = name, .sql = sql, .pass = c->pass, .round = c->round};
}

#define STATEMENT(c, file, NAME) statement_of((c), (file), TWX_SQL_CLUSTER_JUDGE_##NAME)

/* ---- reading ------------------------------------------------------------- */

static twx_rc fail_cut(const part *p) {
    return twx_fail(p->c->j->job->cx, TWX_E_DATA, "cluster: the answer to 'read_pairs' is cut");
}

/* The columns of the second text after its payload. */
static twx_rc read_second(part *p, twx_row_reader *r, bool is_new, uint32_t *ret_text) {
    enum { NAMES_MAX = 9 };
    twx_ctx *cx = p->c->j->job->cx;
    twx_hosted_name best = {.name = twx_row_string(r)}, names[NAMES_MAX];
    const twx_slice repeated = twx_row_string(r);
    best.host_key = twx_row_number(r, 8);
    const uint64_t n = twx_row_length(r);
    if (n > NAMES_MAX) return fail_cut(p);
    for (uint64_t i = 0; i < n; i++) names[i].name = twx_row_string(r);
    if (twx_row_length(r) != n) return fail_cut(p);
    for (uint64_t i = 0; i < n; i++) names[i].host_key = twx_row_number(r, 8);
    if (r->broken || !is_new) return r->broken ? fail_cut(p) : TWX_OK;
    twx_rc rc = twx_named_texts_add(cx, &p->named, repeated, &best, ret_text);
    for (uint64_t i = 0; rc == TWX_OK && i < n; i++)
        rc = twx_named_texts_add_name(cx, &p->named, &names[i]);
    return rc;
}

/* Pairs come in order of b, whose names are needed once. */
static twx_rc read_names(part *p, twx_row_reader *r, pair *e) {
    const twx_hosted_name name = {.name = twx_row_string(r)};
    const twx_slice repeated = twx_row_string(r);
    const pair *last = p->at.n ? &p->at.at[p->at.n - 1] : NULL;
    const bool is_new = !last || last->b != e->b;
    e->one_name = twx_row_number(r, 1) != 0;
    e->payload[1] = twx_row_string(r);
    if (r->broken) return fail_cut(p);
    if (!is_new) e->text[1] = last->text[1];
    twx_rc rc = read_second(p, r, is_new, &e->text[1]);
    return rc == TWX_OK
               ? twx_named_texts_add(p->c->j->job->cx, &p->named, repeated, &name, &e->text[0])
               : rc;
}

static twx_rc read_pair(part *p, twx_row_reader *r) {
    pair e = {.a = twx_row_number(r, 8)};
    twx_rc rc = TWX_OK;
    e.b = twx_row_number(r, 8);
    e.payload[0] = twx_row_string(r);
    if (p->c->learned)
        rc = read_names(p, r, &e);
    else
        e.payload[1] = twx_row_string(r);
    if (rc == TWX_OK && r->broken) rc = fail_cut(p);
    if (rc != TWX_OK) return rc;
    return TWX_VEC_PUSH(p->c->j->job->cx, &p->at, e) ? TWX_OK : TWX_E_NOMEM;
}

/* pairs: of all parts together, no more than that are in one. */
static twx_rc read_part(part *p, uint64_t pairs, uint64_t parts, uint64_t number) {
    twx_judging *j = p->c->j;
    twx_statement read = p->c->learned ? STATEMENT(p->c, "read_copies", READ_COPIES)
                                       : STATEMENT(p->c, "read_pairs", READ_PAIRS);
    read.parts = parts;
    read.range = number;
    twx_buf_clear(&p->answers);
    p->at.n = 0;
    twx_rc rc = TWX_OK;
    if (p->c->learned) {
        twx_named_texts_done(&p->named);
        rc = twx_named_texts_init(j->job->cx, &p->named, p->c->learned, DOCUMENTS * pairs);
    }
    if (rc == TWX_OK) rc = twx_judging_ask(j, &read, &p->answers);
    twx_row_reader r = {.rest = twx_buf_slice(&p->answers)};
    while (rc == TWX_OK && r.rest.n > 0) rc = p->at.n < pairs ? read_pair(p, &r) : fail_cut(p);
    return rc == TWX_OK && p->c->learned ? twx_named_texts_end(j->job->cx, &p->named) : rc;
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
        if (asked != e->text[1]) twx_named_texts_demands(&p->named, e->text[1], &demands);
        asked = e->text[1];
        e->contains = (uint8_t)twx_named_texts_contain(&p->named, e->text[0], e->text[1], &demands);
        if (e->contains == 0) e->similarity = -1;
    }
    return twx_cancelled(cx);
}

static twx_rc send_part(part *p) {
    twx_judging *j = p->c->j;
    twx_ctx *cx = j->job->cx;
    const twx_statement put = STATEMENT(p->c, "put_pairs", PUT_PAIRS);
    twx_rc rc = TWX_OK;
    twx_buf_clear(&p->rows);
    for (size_t i = 0; rc == TWX_OK && i < p->at.n; i++) {
        const pair *e = &p->at.at[i];
        rc = twx_row_add_number(cx, &p->rows, p->c->pass, 1);
        if (rc == TWX_OK) rc = twx_row_add_number(cx, &p->rows, e->a, 8);
        if (rc == TWX_OK) rc = twx_row_add_number(cx, &p->rows, e->b, 8);
        if (rc == TWX_OK) rc = twx_row_add_number(cx, &p->rows, (uint32_t)e->similarity, 4);
        if (rc == TWX_OK) rc = twx_row_add_number(cx, &p->rows, e->contains, 1);
    }
    return rc == TWX_OK && p->at.n ? twx_judging_put(j, &put, twx_buf_slice(&p->rows)) : rc;
}

static twx_rc compare_all(part *p, uint64_t pairs) {
    twx_judging *j = p->c->j;
    const uint64_t parts = 1 + pairs / PAIRS_AT_ONCE;
    uint64_t found = 0;
    twx_rc rc = TWX_OK;
    for (uint64_t i = 0; rc == TWX_OK && pairs && i < parts; i++) {
        rc = read_part(p, pairs, parts, i);
        if (rc == TWX_OK)
            rc = twx_parallel(j->job->cx, twx_job_threads(j->job->settings),
                              (p->at.n + TASK - 1) / TASK, compare, p);
        if (rc == TWX_OK) rc = send_part(p);
        found += p->at.n;
    }
    p->c->compared += found;
    if (rc != TWX_OK || found == pairs) return rc;
    return twx_fail(j->job->cx, TWX_E_DATA, "cluster: pairs of texts are missing");
}

twx_rc twx_near_pairs_compare(twx_near_comparing *c) {
    const twx_statement steps[] = {c->learned ? STATEMENT(c, "new_copies", NEW_COPIES)
                                              : STATEMENT(c, "new_pairs", NEW_PAIRS),
                                   c->learned ? STATEMENT(c, "add_named_halves", ADD_NAMED_HALVES)
                                              : STATEMENT(c, "add_halves", ADD_HALVES)},
                        count = STATEMENT(c, "count_halves", COUNT_HALVES);
    part p = {.c = c};
    uint64_t pairs = 0;
    twx_rc rc = TWX_OK;
    twx_buf_init(&p.answers, (size_t)TWX_ANSWER_BYTES);
    twx_buf_init(&p.rows, (size_t)TWX_ANSWER_BYTES);
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(steps); i++)
        rc = twx_judging_step(c->j, &steps[i]);
    if (rc == TWX_OK) rc = twx_judging_sums(c->j, &count, &pairs, 1);
    if (rc == TWX_OK) rc = compare_all(&p, pairs);
    twx_buf_done(&p.answers);
    twx_buf_done(&p.rows);
    twx_named_texts_done(&p.named);
    TWX_VEC_DONE(&p.at);
    return rc;
}

/* ---- learning ------------------------------------------------------------ */

static twx_rc learn_part(twx_judging *j, twx_near_learned *l, twx_slice rows, uint64_t names) {
    twx_row_reader r = {.rest = rows};
    uint64_t found = 0;
    twx_rc rc = twx_near_learned_begin(j->job->cx, l, names);
    while (rc == TWX_OK && r.rest.n > 0) {
        twx_hosted_name name = {.host_key = twx_row_number(&r, 8)};
        name.name = twx_row_string(&r);
        const twx_slice repeated = twx_row_string(&r);
        rc = r.broken || ++found > names
                 ? twx_fail(j->job->cx, TWX_E_DATA, "cluster: the answer to 'read_names' is cut")
                 : twx_near_learned_add(j->job->cx, l, &name, repeated);
    }
    return rc == TWX_OK ? twx_near_learned_end(j->job->cx, l) : rc;
}

twx_rc twx_near_names_learn(twx_judging *j, twx_near_learned *l) {
    enum { NAMES_AT_ONCE = 1000000 };
    const twx_statement send = TWX_JUDGING_STATEMENT("send_names", SEND_NAMES),
                        count = TWX_JUDGING_STATEMENT("count_names", COUNT_NAMES);
    twx_statement read = TWX_JUDGING_STATEMENT("read_names", READ_NAMES);
    uint64_t names = 0;
    twx_buf answers;
    twx_buf_init(&answers, (size_t)TWX_ANSWER_BYTES);
    twx_rc rc = twx_judging_step(j, &send);
    if (rc == TWX_OK) rc = twx_judging_sums(j, &count, &names, 1);
    read.parts = 1 + names / NAMES_AT_ONCE;
    for (read.range = 0; rc == TWX_OK && read.range < read.parts; read.range++) {
        twx_buf_clear(&answers);
        rc = twx_judging_ask(j, &read, &answers);
        if (rc == TWX_OK) rc = learn_part(j, l, twx_buf_slice(&answers), names);
    }
    twx_buf_done(&answers);
    return rc;
}
