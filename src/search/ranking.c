#include "search/internal.h"

#include <errno.h>

/* ==== ranking */

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
    struct twx_flag_fields *f = twx_calloc(cx, 1, sizeof *f);
    if (!f) return TWX_E_NOMEM;
    for (size_t i = 0; i < TWX_TEXT_WEIGHTS; i++)
        f->columns[i] = (twx_rule_column){twx_text_weight_name(i), twx_text_weight_default(i)};
    size_t n = 0;
    for (size_t i = 0; i < TWX_FLAGS; i++)
        if (twx_flag_at(i)->kind != TWX_FLAG_IS_EDITION) /* any word */
            f->at[n++] = (twx_rule_field){twx_flag_at(i)->name, kind_of(twx_flag_at(i)->kind),
                                          twx_flag_words(twx_flag_at(i))};
    f->fields = (twx_rule_fields){.at = f->at,
                                  .n = n,
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
    TWX_HAND_OVER(rc, ret_rules, r, twx_ranking_rules_done(&r));
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

/* All clauses of a document are evaluated in a row, so the last document read is kept. */

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

static twx_rc take_row(void *arg, const twx_source_row *row, bool *ret_enough) {
    twx_rule_documents *d = arg;
    twx_rule_document *document = &d->document;
    twx_url url;
    twx_facts facts;
    unsigned oddities = 0;
    double score = 0;
    *ret_enough = true;
    twx_rc rc = twx_facts_of(d->job->cx, &d->arena, &d->params.url, row->value, &url, &facts,
                             &oddities);
    if (rc != TWX_OK) return rc;
    if (url.fault == TWX_URL_OK && url.host.n) {
        document->text[TWX_RULE_HOST] = url.host;
        document->text[TWX_RULE_DOMAIN] = twx_registrable_domain(url.host);
        set_number(document, TWX_RULE_MIRRORED,
                   twx_map64_has(&d->mirrors, twx_hash64(url.host, 0)));
    }
    if (url.fault == TWX_URL_OK) document->text[TWX_RULE_PATH] = url.path;
    if (facts.bits & TWX_FACT_DATED) {
        set_number(document, TWX_RULE_FETCHED_AT, (double)facts.fetched_at);
        set_number(document, TWX_RULE_AGE, (double)(d->now - facts.fetched_at) / 86400);
    }
    if (score_of(&row->value[TWX_COL_SCORE], &score)) set_number(document, TWX_RULE_SCORE, score);
    rc = set_text(d, TWX_RULE_LANGUAGE,
                  twx_slice_trim(twx_bytes_of(&row->value[TWX_COL_LANGUAGE])));
    const twx_slice type = twx_bytes_of(&row->value[TWX_COL_CONTENT_TYPE]);
    return rc == TWX_OK
               ? set_text(d, TWX_RULE_CONTENT_TYPE,
                          twx_slice_trim(twx_slice_sub(type, 0, twx_slice_find(type, ';', 0))))
               : rc;
}

/* Reads the document unless it is the last one. Gone or too long, it has no properties. */
static twx_rc read_document(twx_rule_documents *d, const twx_value *id) {
    if (id->type != TWX_NULL && d->id.type == id->type && twx_value_compare(&d->id, id) == 0)
        return TWX_OK;
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
    if (twx_source_is_copied(o->source))
        return twx_fail(job->cx, TWX_E_CONFIG,
                        "%s: rules over more than flags (host, fetched_at, ...) look up one row at "
                        "a time, which would read all of this store's rows for each hit: map the "
                        "documents to a table with a key (store.from)",
                        job->store);
    twx_rule_documents *d = twx_calloc(job->cx, 1, sizeof *d);
    if (!d) return TWX_E_NOMEM;
    d->job = job;
    d->o = o;
    d->now = twx_job_now();
    d->functions = (twx_rule_functions){.arg = d, .matches = matches, .number = number};
    twx_rc rc = twx_params_make(job, &d->params, &d->url_rules);
    if (rc == TWX_OK)
        rc = twx_host_mirrors_each(o->trial ? o->published_db : o->writer, note_mirror, d);
    TWX_HAND_OVER(rc, ret, d, twx_rule_documents_close(d));
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

/* ==== rule_listing */

static twx_rc write_section(const twx_out *out, const char *title, twx_rule_list list) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < list.n; i++) {
        rc = twx_out_text(out, "%-9s %4zu  ", title, list.at[i].line);
        if (rc == TWX_OK) rc = twx_out_bytes(out, list.at[i].text);
        if (rc == TWX_OK) rc = twx_out_text(out, "\n");
    }
    return rc;
}

static twx_rc list_rules(const twx_out *out, const twx_ranking_rules *r) {
    size_t n = 0;
    const twx_rule_number *numbers = twx_rules_numbers(r->rules, &n);
    twx_rc rc = twx_out_text(out, "%-9s %4s\n", "section", "line");
    for (size_t i = 0; rc == TWX_OK && i < n; i++)
        rc = twx_out_text(out, "%-9s       %s %g\n", "numbers", numbers[i].name, numbers[i].value);
    if (rc == TWX_OK) rc = write_section(out, "filter", twx_rules_filters(r->rules));
    if (rc == TWX_OK) rc = write_section(out, "boost", twx_rules_boosts(r->rules));
    if (rc == TWX_OK) rc = write_section(out, "function", twx_rules_functions(r->rules));
    for (size_t i = 0; rc == TWX_OK && i < TWX_TEXT_WEIGHTS; i++)
        rc = twx_out_text(out, "%-9s       %s^%g\n", "fields", twx_text_weight_name(i),
                          r->ranking.weight[i]);
    return rc;
}

static json_t *list_json(twx_rule_list list) {
    json_t *all = json_array();
    for (size_t i = 0; i < list.n; i++)
        json_array_append_new(all, json_pack("{s:I, s:o}", "line", (json_int_t)list.at[i].line,
                                             "text", twx_json_slice(list.at[i].text)));
    return all;
}

static json_t *listing_json(const twx_ranking_rules *r, twx_slice statement) {
    json_t *fields = json_object(), *parts = json_array(), *named = json_object();
    size_t n = 0;
    const twx_rule_number *numbers = twx_rules_numbers(r->rules, &n);
    for (size_t i = 0; i < n; i++)
        json_object_set_new(named, numbers[i].name, json_real(numbers[i].value));
    for (size_t i = 0; i < TWX_TEXT_WEIGHTS; i++)
        json_object_set_new(fields, twx_text_weight_name(i), json_real(r->ranking.weight[i]));
    for (size_t i = 0; i < r->sql.n_parts; i++)
        json_array_append_new(parts, json_string(r->sql.parts[i]));
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:{s:s, s:o, s:o}}", "numbers", named, "filter",
                     list_json(twx_rules_filters(r->rules)), "boost",
                     list_json(twx_rules_boosts(r->rules)), "function",
                     list_json(twx_rules_functions(r->rules)), "fields", fields, "sql", "filter",
                     r->sql.filter, "parts", parts, "statement", twx_json_slice(statement));
}

/* Parses "path:line:column: reason". */
static bool parse_place(const char *message, const char *path, unsigned *ret_line,
                        unsigned *ret_column, const char **ret_reason) {
    const size_t prefix = strlen(path);
    int length = 0;
    if (prefix > 300 || strncmp(message, path, prefix) != 0) return false;
    if (sscanf(message + prefix, ":%u:%u:%n", ret_line, ret_column, &length) != 2 || length == 0)
        return false;
    *ret_reason = message + prefix + length;
    return *ret_line > 0 && *ret_column > 0;
}

json_t *twx_rule_error_json(const char *message, const char *path) {
    unsigned line = 0, column = 0;
    const char *reason = NULL;
    if (!parse_place(message, path, &line, &column, &reason))
        return json_pack("{s:o}", "message", twx_json_text(message));
    return json_pack("{s:I, s:I, s:o}", "line", (json_int_t)line, "column", (json_int_t)column,
                     "message", twx_json_text(reason + strspn(reason, " ")));
}

/* Writes the line that a message "path:line:column: ..." refers to, with a caret below the column;
 * nothing if the message has another form. */
static twx_rc rule_place_write(const twx_out *out, const char *message, const char *path,
                               twx_slice text) {
    unsigned line = 0, column = 0;
    const char *reason = NULL;
    if (!parse_place(message, path, &line, &column, &reason)) return TWX_OK;
    size_t from = 0;
    for (unsigned i = 1; i < line && from < text.n; i++)
        from = twx_slice_find(text, '\n', from) + 1;
    const twx_slice shown = twx_slice_sub(
        text, from, twx_slice_find(text, '\n', from < text.n ? from : text.n));
    twx_rc rc = TWX_OK;
    for (const char *p = shown.p, *end = shown.p + shown.n; rc == TWX_OK && p < end;) {
        uint32_t code = 0;
        char bytes[4];
        p += twx_utf8_next(p, end, &code);
        /* a tab would misplace the caret */
        if (code < 0x20 || (code >= 0x7F && code < 0xA0)) code = ' ';
        rc = twx_out_bytes(out, (twx_slice){bytes, twx_utf8_put(code, bytes)});
    }
    return rc == TWX_OK ? twx_out_text(out, "\n%*s\n", (int)(column < 10000 ? column : 10000), "^")
                        : rc;
}

/* ==== rules */

enum { STATEMENT_BYTES = 1 << 20 };

/* Shows the place of the error that cx holds; the error remains. */
static twx_rc show_place(twx_ctx *cx, const char *path, twx_slice text, const twx_out *out) {
    twx_ctx error = *cx;
    twx_ctx_clear(cx);
    twx_rc rc = rule_place_write(out, error.message, path, text);
    if (rc != TWX_OK) return rc;
    *cx = error;
    return TWX_E_CONFIG;
}

twx_rc twx_check_rules(twx_ctx *cx, const char *path, bool sql, const twx_out *out) {
    twx_ranking_rules r = {.path = path};
    twx_buf bytes = {0}, statement;
    const bool json = twx_out_is_json(out);
    twx_buf_init(&statement, STATEMENT_BYTES);
    twx_rc rc = twx_read_file(cx, path, TWX_RULES_BYTES, &bytes);
    const bool read = rc == TWX_OK;
    if (rc == TWX_OK) rc = twx_ranking_rules_compile(cx, twx_buf_slice(&bytes), &r);
    const bool only_here = rc == TWX_OK && twx_rules_ask_properties(r.rules);
    if (only_here && sql && !json)
        rc = twx_fail(
            cx, TWX_E_CONFIG,
            "%.300s: its rules ask for more than flags (host, fetched_at, ...), which only "
            "'twindex search' can do: there is no SQL of them",
            path);
    if (rc == TWX_OK && !only_here)
        rc = twx_search_statement(cx, r.sql.filter, r.sql.score, &statement);
    if (rc == TWX_E_CONFIG && read && !json)
        rc = show_place(cx, path, twx_buf_slice(&bytes), out);
    else if (rc == TWX_OK)
        rc = json  ? twx_out_json(out, listing_json(&r, twx_buf_slice(&statement)))
             : sql ? twx_out_bytes(out, twx_buf_slice(&statement))
                   : list_rules(out, &r);
    twx_ranking_rules_done(&r);
    twx_buf_done(&statement);
    twx_buf_done(&bytes);
    return rc;
}

/* ==== rules_trial */

enum { CHUNK_ROWS = 10000 };

typedef struct trial {
    const twx_job *job;
    twx_opened *o;
    const twx_judged *judged;
    twx_map64 index; /* index of each document in its set */
    TWX_VEC(twx_host_filtered) hosts;
    uint64_t hidden, hidden_part;
} trial;

static twx_rc check(const twx_job *job, const char *path) {
    twx_ranking_rules rules = {0};
    twx_rc rc = twx_ranking_rules_load(job->cx, path, &rules);
    twx_ranking_rules_done(&rules);
    return rc;
}

/* ---- the flags, in the scratch file ------------------------------------- */

static twx_rc write_rows(trial *t, const twx_claim *claim) {
    const twx_judged *judged = t->judged;
    twx_flag_row *rows = twx_calloc(t->job->cx, CHUNK_ROWS, sizeof *rows);
    twx_rc rc = rows ? TWX_OK : TWX_E_NOMEM;
    for (size_t from = 0; rc == TWX_OK && from < judged->n; from += CHUNK_ROWS) {
        const size_t n = judged->n - from < CHUNK_ROWS ? judged->n - from : CHUNK_ROWS;
        for (size_t i = 0; i < n; i++)
            twx_judged_row(judged->j, judged->options, twx_judged_index(judged, from + i),
                           &rows[i]);
        twx_flag_edit edit = {.rows = rows, .n_rows = n};
        while (rc == TWX_OK && !twx_flag_edit_is_done(&edit))
            rc = twx_generation_write(t->o->generations, claim, &edit);
        if (rc == TWX_OK) rc = twx_cancelled(t->job->cx);
    }
    twx_free(rows);
    return rc == TWX_OK ? twx_doc_set_error(t->job->cx, judged->j) : rc;
}

static twx_rc write_flags(trial *t) {
    twx_claim claim = {.token = 1, .started_at = twx_job_now(), .settings = "{}"};
    const twx_publication publication = {
        .direct = twx_source_is_direct(t->o->source), .ended_at = twx_job_now(), .summary = "{}"};
    twx_rc rc = twx_generation_claim(t->o->generations, &claim);
    if (rc == TWX_OK) rc = write_rows(t, &claim);
    return rc == TWX_OK ? twx_generation_publish(t->o->generations, &claim, &publication) : rc;
}

/* ---- documents that the filter leaves out ----------------------------------------- */

static twx_rc list_hosts(trial *t) {
    const twx_doc_table *p = &t->judged->j->docs;
    twx_rc rc = TWX_OK;
    for (size_t h = 0; rc == TWX_OK && h < p->hosts.n; h++) {
        twx_host_filtered row = {
            .host = twx_strndup(t->job->cx, p->hosts.at[h].name.p, p->hosts.at[h].name.n)};
        if (row.host && TWX_VEC_PUSH(t->job->cx, &t->hosts, row)) continue;
        twx_free(row.host);
        rc = TWX_E_NOMEM;
    }
    for (uint32_t i = 0; rc == TWX_OK && i < p->at.n; i++) {
        t->hosts.at[p->at.at[i].host].documents++;
        rc = twx_map64_put(t->job->cx, &t->index, (uint64_t)p->at.at[i].doc, i);
    }
    return rc;
}

static twx_rc count_hidden(void *arg, int64_t doc, bool takes_part) {
    trial *t = arg;
    uint64_t i = 0;
    if (!twx_map64_get(&t->index, (uint64_t)doc, &i)) return TWX_OK;
    twx_host_filtered *host = &t->hosts.at[t->judged->j->docs.at.at[i].host];
    host->hidden++;
    host->hidden_part += takes_part;
    t->hidden++;
    t->hidden_part += takes_part;
    return TWX_OK;
}

TWX_ORDER(by_hidden, twx_host_filtered,
          TWX_DOWN_THEN(hidden_part, TWX_DOWN_THEN(hidden, strcmp(a->host, b->host))))

/* Adds the hosts with hidden documents to the summary, most first; the summary owns their names. */
static twx_rc hand_over(trial *t, const char *path, twx_summary *summary) {
    twx_rc rc = TWX_OK;
    summary->rules = path;
    summary->filtered = t->hidden;
    summary->filtered_part = t->hidden_part;
    if (t->hosts.n > 1) qsort(t->hosts.at, t->hosts.n, sizeof *t->hosts.at, by_hidden);
    for (size_t h = 0; rc == TWX_OK && h < t->hosts.n; h++) {
        if (!t->hosts.at[h].hidden) continue;
        if (!TWX_VEC_PUSH(t->job->cx, &summary->filtered_hosts, t->hosts.at[h])) return TWX_E_NOMEM;
        t->hosts.at[h].host = NULL;
    }
    return rc;
}

static twx_rc judge(const twx_job *job, twx_opened *o, const twx_judged *judged, const char *path,
                    twx_summary *summary) {
    trial t = {.job = job, .o = o, .judged = judged};
    twx_ranking_rules rules = {0};
    twx_rule_documents *documents = NULL;
    twx_rc rc = twx_ranking_rules_load(job->cx, path, &rules);
    if (rc == TWX_OK) rc = write_flags(&t);
    if (rc == TWX_OK) rc = list_hosts(&t);
    const twx_search search = {
        .generation = 'a', .direct = twx_source_is_direct(o->source), .ranking = &rules.ranking};
    if (rc == TWX_OK) rc = twx_rule_documents_use(job, o, &rules, &documents);
    if (rc == TWX_OK) rc = twx_search_hidden(o->writer, &search, count_hidden, &t);
    if (rc == TWX_OK) rc = hand_over(&t, path, summary);
    for (size_t h = 0; h < t.hosts.n; h++) twx_free(t.hosts.at[h].host);
    TWX_VEC_DONE(&t.hosts);
    twx_map64_done(&t.index);
    twx_rule_documents_close(documents);
    twx_ranking_rules_done(&rules);
    return rc;
}

const twx_rules_try TWX_RULES_TRIAL = {.check = check, .judge = judge};
