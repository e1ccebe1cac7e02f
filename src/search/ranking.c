#include "search/ranking.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash64.h"
#include "base/map64.h"
#include "judge/flags.h"
#include "run/detector_params.h"
#include "run/document_reader.h"
#include "run/row_facts.h"
#include "search/rule_document.h"
#include "store/host_mirrors.h"
#include "store/rule_functions.h"
#include "url/domain.h"
#include "url/url_rules.h"

twx_rc twx_read_file(twx_ctx *cx, const char *path, size_t limit, twx_buf *ret_bytes) {
    FILE *file = fopen(path, "rbe");
    if (!file) return twx_fail(cx, TWX_E_NOTFOUND, "%.300s: %s", path, strerror(errno));
    twx_buf_init(ret_bytes, limit);
    twx_rc rc = twx_buf_add_file(cx, ret_bytes, path, fileno(file), TWX_E_CONFIG);
    fclose(file);
    return rc;
}

/* ---- the flags as fields of rules --------------------------------------- */

struct twx_flag_fields {
    twx_rule_field at[TWX_FLAGS];
    twx_rule_column columns[TWX_TEXT_WEIGHTS];
    twx_rule_fields fields;
};

static twx_rule_kind kind_of(twx_flag_kind kind) {
    switch (kind) {
    case TWX_FLAG_IS_BOOL: return TWX_RULE_BOOL;
    case TWX_FLAG_IS_TYPE: return TWX_RULE_NAME;
    case TWX_FLAG_IS_DOC: return TWX_RULE_ID;
    default: return TWX_RULE_NUMBER;
    }
}

static twx_rc list_fields(twx_ctx *cx, struct twx_flag_fields **ret_fields) {
    static const char *const TYPES[] = {"full-layout",     "full-content", "partial-layout",
                                        "partial-content", "sibling",      NULL};
    struct twx_flag_fields *f = twx_calloc(cx, 1, sizeof *f);
    if (!f) return TWX_E_NOMEM;
    for (size_t i = 0; i < TWX_TEXT_WEIGHTS; i++)
        f->columns[i] = (twx_rule_column){twx_text_weight_name(i), twx_text_weight_default(i)};
    for (size_t i = 0; i < TWX_FLAGS; i++)
        f->at[i] = (twx_rule_field){twx_flag_at(i)->name, kind_of(twx_flag_at(i)->kind), TYPES};
    f->fields = (twx_rule_fields){.at = f->at,
                                  .n = TWX_FLAGS,
                                  .columns = f->columns,
                                  .n_columns = TWX_TEXT_WEIGHTS,
                                  .properties = true};
    *ret_fields = f;
    return TWX_OK;
}

/* ---- loading ------------------------------------------------------------ */

twx_rc twx_ranking_rules_compile(twx_ctx *cx, twx_slice text, twx_ranking_rules *r) {
    twx_rc rc = list_fields(cx, &r->fields);
    if (rc == TWX_OK) {
        r->fields->fields.numbers = r->numbers;
        r->fields->fields.n_numbers = r->n_numbers;
    }
    if (rc == TWX_OK)
        rc = twx_rules_parse(cx, r->path ? r->path : "rules", text, &r->fields->fields, &r->rules);
    if (rc == TWX_OK) rc = twx_rule_sql_make(cx, r->path ? r->path : "rules", r->rules, &r->sql);
    if (rc != TWX_OK) return rc;
    r->ranking = (twx_ranking){.filter = r->sql.filter,
                               .parts = (const char *const *)r->sql.parts,
                               .n_parts = r->sql.n_parts};
    for (size_t i = 0; i < TWX_TEXT_WEIGHTS; i++)
        r->ranking.weight[i] = twx_rules_column(r->rules, i);
    return TWX_OK;
}

twx_rc twx_ranking_rules_load(twx_ctx *cx, const char *path, twx_ranking_rules *ret_rules) {
    twx_ranking_rules r = {.path = path};
    twx_buf bytes = {0};
    twx_rc rc = path ? twx_read_file(cx, path, TWX_RULES_BYTES, &bytes) : TWX_OK;
    if (rc == TWX_OK) rc = twx_ranking_rules_compile(cx, twx_buf_slice(&bytes), &r);
    twx_buf_done(&bytes);
    if (rc == TWX_OK)
        *ret_rules = r;
    else
        twx_ranking_rules_done(&r);
    return rc;
}

void twx_ranking_rules_done(twx_ranking_rules *r) {
    if (!r) return;
    twx_rules_close(r->rules);
    twx_rule_sql_done(&r->sql);
    twx_free(r->fields);
    *r = (twx_ranking_rules){0};
}

twx_slice twx_ranking_part_text(const twx_ranking_rules *r, size_t i) {
    const twx_rule_list boosts = twx_rules_boosts(r->rules),
                        functions = twx_rules_functions(r->rules);
    return i < boosts.n ? boosts.at[i].text : functions.at[i - boosts.n].text;
}

/* All clauses of a document are evaluated one after the other, so the last document that was read
 * is kept. */

struct twx_rule_documents {
    const twx_job *job;
    twx_opened *o;
    const twx_rules *rules;
    twx_rule_functions functions;
    twx_params params;
    twx_url_rules *url_rules;
    twx_map64 mirrors; /* hashes of hosts that mirror another */
    int64_t now;
    twx_arena arena; /* of the document */
    twx_value id;    /* of the document; NULL: none */
    twx_rule_document document;
};

/* ---- a document ----------------------------------------------------------- */

static bool score_of(const twx_value *v, double *ret_score) {
    int64_t number = 0;
    if (v->type == TWX_REAL) {
        *ret_score = v->r;
        return true;
    }
    const bool text = v->type == TWX_TEXT && twx_slice_integer(v->bytes, &number);
    if (v->type != TWX_INT && !text) return false;
    *ret_score = (double)(text ? number : v->i);
    return true;
}

static void set_number(twx_rule_document *d, twx_rule_property p, double value) {
    d->has[p] = true;
    d->number[p] = value;
}

static twx_rc set_text(twx_rule_documents *d, twx_rule_property p, twx_slice text) {
    if (text.n == 0) return TWX_OK;
    return twx_arena_copy(d->job->cx, &d->arena, text, &d->document.text[p]);
}

/* "text/html; charset=utf-8" -> "text/html" */
static twx_slice without_parameters(twx_slice type) {
    return twx_slice_trim(twx_slice_sub(type, 0, twx_slice_find(type, ';', 0)));
}

static twx_rc take_row(void *arg, const twx_source_row *row, bool *ret_enough) {
    twx_rule_documents *d = arg;
    twx_rule_document *document = &d->document;
    twx_url url;
    twx_facts facts;
    unsigned oddities = 0;
    uint64_t one = 0;
    double score = 0;
    *ret_enough = true;
    twx_rc rc = twx_facts_of(d->job->cx, &d->arena, &d->params.url, row->value, &url, &facts,
                             &oddities);
    if (rc != TWX_OK) return rc;
    if (url.fault == TWX_URL_OK && url.host.n) {
        document->text[TWX_RULE_HOST] = url.host;
        document->text[TWX_RULE_DOMAIN] = twx_registrable_domain(url.host);
        set_number(document, TWX_RULE_MIRRORED,
                   twx_map64_get(&d->mirrors, twx_hash64(url.host, 0), &one));
    }
    if (url.fault == TWX_URL_OK) document->text[TWX_RULE_PATH] = url.path;
    if (facts.bits & TWX_FACT_DATED) {
        set_number(document, TWX_RULE_FETCHED_AT, (double)facts.fetched_at);
        set_number(document, TWX_RULE_AGE, (double)(d->now - facts.fetched_at) / 86400);
    }
    if (score_of(&row->value[TWX_COL_SCORE], &score)) set_number(document, TWX_RULE_SCORE, score);
    rc = set_text(d, TWX_RULE_LANGUAGE,
                  twx_slice_trim(twx_bytes_of(&row->value[TWX_COL_LANGUAGE])));
    return rc == TWX_OK
               ? set_text(d, TWX_RULE_CONTENT_TYPE,
                          without_parameters(twx_bytes_of(&row->value[TWX_COL_CONTENT_TYPE])))
               : rc;
}

static bool is_same(const twx_value *a, const twx_value *b) {
    if (a->type != b->type || a->type == TWX_NULL) return false;
    if (a->type == TWX_INT) return a->i == b->i;
    return a->type == TWX_REAL ? a->r == b->r : twx_slice_eq(a->bytes, b->bytes);
}

/* Reads the document with this id unless it is the last one. One that is gone, or whose row is too
 * long, has no properties. */
static twx_rc read_document(twx_rule_documents *d, const twx_value *id) {
    if (is_same(&d->id, id)) return TWX_OK;
    twx_arena_reset(&d->arena);
    d->document = (twx_rule_document){0};
    d->id = *id;
    twx_rc rc = twx_arena_copy(d->job->cx, &d->arena, id->bytes, &d->id.bytes);
    if (rc == TWX_OK) rc = twx_source_outside(d->o->source, id, take_row, d);
    if (rc == TWX_E_LIMIT) {
        twx_ctx_clear(d->job->cx);
        return TWX_OK;
    }
    if (rc != TWX_OK) d->id.type = TWX_NULL;
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* ---- the functions ---------------------------------------------------------- */

static twx_rc matches(void *arg, const twx_value *id, int64_t node, bool *ret_known,
                      bool *ret_matches) {
    twx_rule_documents *d = arg;
    size_t n = 0;
    const twx_rule_node *nodes = twx_rules_nodes(d->rules, &n);
    const twx_rule_fields *fields = twx_rules_fields(d->rules);
    if (node < 0 || (size_t)node >= n || nodes[node].field < fields->n) return TWX_OK;
    twx_rc rc = read_document(d, id);
    if (rc != TWX_OK) return rc;
    const twx_rule_truth truth = twx_rule_document_matches(
        &nodes[node], twx_rule_property_of(fields, nodes[node].field), &d->document);
    *ret_known = truth != TWX_RULE_NOT_KNOWN;
    *ret_matches = truth == TWX_RULE_YES;
    return TWX_OK;
}

/* A text that is known counts 1: exists(host). */
static twx_rc number(void *arg, const twx_value *id, int64_t property, bool *ret_known,
                     double *ret_number) {
    twx_rule_documents *d = arg;
    if (property < 0 || property >= TWX_RULE_PROPERTIES) return TWX_OK;
    twx_rc rc = read_document(d, id);
    if (rc != TWX_OK) return rc;
    const bool is_text = property < TWX_RULE_TEXTS;
    *ret_known = is_text ? d->document.text[property].p != NULL : d->document.has[property];
    *ret_number = is_text ? 1 : d->document.number[property];
    return TWX_OK;
}

/* ---- the handle ------------------------------------------------------------- */

static twx_rc note_mirror(void *arg, twx_slice host) {
    twx_rule_documents *d = arg;
    return twx_map64_put(d->job->cx, &d->mirrors, twx_hash64(host, 0), 1);
}

static twx_rc open_documents(const twx_job *job, twx_opened *o, twx_rule_documents **ret) {
    twx_rule_documents *d = NULL;
    if (twx_source_is_copied(o->source))
        return twx_fail(job->cx, TWX_E_CONFIG,
                        "%s: rules over more than flags (host, fetched_at, ...) look up one row at "
                        "a time, which would read all of this store's rows for each hit: map the "
                        "documents to a table with a key (store.from)",
                        job->store);
    d = twx_calloc(job->cx, 1, sizeof *d);
    if (!d) return TWX_E_NOMEM;
    d->job = job;
    d->o = o;
    d->now = twx_job_now();
    d->functions = (twx_rule_functions){.arg = d, .matches = matches, .number = number};
    twx_map64_init(&d->mirrors, 0);
    twx_arena_init(&d->arena, 0);
    twx_rc rc = twx_params_make(job, &d->params, &d->url_rules);
    if (rc == TWX_OK)
        rc = twx_host_mirrors_each(o->trial ? o->published_db : o->writer, note_mirror, d);
    if (rc == TWX_OK)
        *ret = d;
    else
        twx_rule_documents_close(d);
    return rc;
}

twx_rc twx_rule_documents_use(const twx_job *job, twx_opened *o, const twx_ranking_rules *rules,
                              twx_rule_documents **documents) {
    twx_rc rc = TWX_OK;
    if (!rules->rules || !twx_rules_ask_properties(rules->rules)) return TWX_OK;
    if (!*documents) rc = open_documents(job, o, documents);
    if (rc != TWX_OK) return rc;
    (*documents)->rules = rules->rules;
    return twx_rule_functions_register(o->writer, &(*documents)->functions);
}

void twx_rule_documents_close(twx_rule_documents *d) {
    if (!d) return;
    twx_url_rules_close(d->url_rules);
    twx_map64_done(&d->mirrors);
    twx_arena_done(&d->arena);
    twx_free(d);
}
