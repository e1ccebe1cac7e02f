#include "inspect/internal.h"

/* ==== explain_print */

/* ---- explanation ------------------------------------------------------- */

/* A flag, relation or pin, and its value with the reason. */
typedef struct twx_explained_line {
    twx_slice key, text;
    size_t first, end; /* of the mentions: its own */
} twx_explained_line;

typedef struct twx_explained {
    twx_listed_document document;
    twx_value url;             /* as stored, of any type */
    twx_explained_line answer; /* a sentence; in text alone */
    uint32_t alone;            /* bits of relations in which it has no other document */
    twx_value representative;  /* the id of the survivor; null: it is one itself */
    TWX_VEC(twx_explained_line) lines;
    TWX_VEC(twx_mention) mentions; /* of the answer and the lines */
} twx_explained;

typedef struct twx_explanation {
    twx_arena arena;
    TWX_VEC(twx_explained) documents;
} twx_explanation;

/* ["represented by ", {"id": 2, "url": "https://example.org/"}, "; others: ", {"id": 3}] */
static json_t *parts_json(const twx_explained *d, const twx_explained_line *line) {
    json_t *parts = json_array();
    size_t from = 0;
    for (size_t i = line->first; i < line->end; from = d->mentions.at[i++].to) {
        const twx_mention *m = &d->mentions.at[i];
        json_t *named = json_pack("{s:o}", "id", twx_json_value(&m->id));
        if (m->url < m->to)
            json_object_set_new(named, "url",
                                twx_json_slice(twx_slice_sub(line->text, m->url, m->to)));
        if (from < m->from)
            json_array_append_new(parts, twx_json_slice(twx_slice_sub(line->text, from, m->from)));
        json_array_append_new(parts, named);
    }
    if (from < line->text.n)
        json_array_append_new(parts, twx_json_slice(twx_slice_sub(line->text, from, line->text.n)));
    return parts;
}

static json_t *document_json(const twx_explained *d) {
    json_t *o = json_pack("{s:o, s:o}", "id", twx_json_value(&d->document.id), "url",
                          twx_json_value(&d->url));
    json_t *alone = json_array(), *parts = json_object();
    if (d->document.store.p) json_object_set_new(o, "store", twx_json_slice(d->document.store));
    for (size_t i = 0; i < TWX_RELATIONS; i++)
        if (d->alone >> i & 1) json_array_append_new(alone, json_string(twx_relation_at(i)->name));
    json_object_set_new(o, "alone_in", alone);
    json_object_set_new(o, "representative", twx_json_value(&d->representative));
    for (size_t i = 0; i < d->lines.n; i++) {
        const twx_explained_line *line = &d->lines.at[i];
        json_object_set_new(o, line->key.p, twx_json_slice(line->text));
        if (line->first < line->end) json_object_set_new(parts, line->key.p, parts_json(d, line));
    }
    json_object_set_new(o, "parts", parts);
    return o;
}

/* Is it a flag, and not one of the reasons for the answer? */
static bool is_detail(const char *key) {
    size_t i = 0;
    while (twx_flag_at(i) && strcmp(twx_flag_at(i)->name, key) != 0) i++;
    return twx_flag_at(i) && strcmp(key, "duplicate_of") != 0;
}

static twx_rc write_line(const twx_out *out, const twx_explained *d,
                         const twx_explained_line *line) {
    const twx_rc rc = twx_out_mentions(out, line->text, d->mentions.at + line->first,
                                       line->end - line->first);
    return rc == TWX_OK ? twx_out_text(out, "\n") : rc;
}

/* The answer, its reasons, and then the details. */
static twx_rc write_document(const twx_out *out, const twx_explained *d) {
    twx_rc rc = d->answer.text.n ? write_line(out, d, &d->answer) : TWX_OK;
    if (rc == TWX_OK) rc = twx_listed_document_write(out, &d->document);
    if (rc == TWX_OK) rc = twx_out_text(out, "\n");
    for (size_t i = 0; rc == TWX_OK && i < 2 * d->lines.n; i++) {
        const twx_explained_line *line = &d->lines.at[i % d->lines.n];
        if (is_detail(line->key.p) != (i >= d->lines.n)) continue;
        rc = twx_out_text(out, "  %-28s ", line->key.p);
        if (rc == TWX_OK) rc = write_line(out, d, line);
    }
    return rc;
}

static twx_rc write_explanation(const twx_out *out, const twx_explanation *e) {
    const bool json = twx_out_is_json(out);
    json_t *all = json ? json_array() : NULL;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < e->documents.n; i++)
        if (json)
            json_array_append_new(all, document_json(&e->documents.at[i]));
        else
            rc = write_document(out, &e->documents.at[i]);
    return json ? twx_out_json(out, all) : rc;
}

/* ==== explain */

enum { MEMBERS_SHOWN = 6, LINE_BYTES = 1 << 22 };

typedef struct explaining {
    const twx_job *job;
    twx_explanation *result;
    twx_store_set set;
    uint32_t member;  /* the store that has the document */
    size_t mentioned; /* of the document, in the lines so far */
    uint64_t found;
    twx_flag_row row;
    twx_facts facts;
    twx_buf section;    /* of the host, as the configuration has it */
    twx_buf facts_room; /* holds facts.host */
    twx_pins *pins;     /* NULL: none */
    twx_parameters *parameters;
    twx_page_patterns *pages;
    twx_load_store *stores; /* of the set */
    twx_precedence *precedence;
    twx_copy_check *check;
} explaining;

/* ---- lines -------------------------------------------------------------- */

static twx_explained *current(explaining *e) {
    return &e->result->documents.at[e->result->documents.n - 1];
}

/* What was mentioned since the last line is in this one. */
static twx_rc keep_line(explaining *e, const char *key, twx_slice text, twx_explained_line *ret) {
    twx_ctx *cx = e->job->cx;
    twx_explained_line line = {.first = e->mentioned, .end = current(e)->mentions.n};
    twx_rc rc = twx_arena_copy(cx, &e->result->arena, twx_slice_of(key), &line.key);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, &e->result->arena, text, &line.text);
    e->mentioned = line.end;
    *ret = line;
    return rc;
}

static twx_rc add_line(explaining *e, const char *key, const char *text) {
    twx_explained_line line;
    const twx_rc rc = keep_line(e, key, twx_slice_of(text), &line);
    return rc == TWX_OK && !TWX_VEC_PUSH(e->job->cx, &current(e)->lines, line) ? TWX_E_NOMEM : rc;
}

static twx_rc add_buf(explaining *e, const char *key, const twx_buf *text) {
    return add_line(e, key, twx_buf_slice(text).p);
}

static twx_rc mention(explaining *e, const twx_mention *m) {
    if (m->from == m->to) return TWX_OK; /* it is gone */
    return TWX_VEC_PUSH(e->job->cx, &current(e)->mentions, *m) ? TWX_OK : TWX_E_NOMEM;
}

/* "42 https://...", "42 https://... in b.db" */
static twx_rc add_document(explaining *e, int64_t doc, twx_buf *line) {
    twx_mention m = {.arena = &e->result->arena};
    const twx_rc rc = twx_store_set_add_document(&e->set, e->member, doc, line, &m);
    return rc == TWX_OK ? mention(e, &m) : rc;
}

/* ---- rules -------------------------------------------------------------- */

static twx_rc explain_eligibility(explaining *e) {
    twx_buf line = {.max = LINE_BYTES};
    twx_eligibility why = (twx_eligibility)e->row.v[TWX_FLAG_eligibility];
    twx_rc rc = twx_buf_printf(e->job->cx, &line, "%d: %s", why == TWX_ELIGIBLE,
                               twx_eligibility_text(why));
    if (rc == TWX_OK && why == TWX_BAD_STATUS)
        rc = twx_buf_printf(e->job->cx, &line, " but %d", e->facts.status);
    if (rc == TWX_OK) rc = add_buf(e, "indexable_b", &line);
    twx_link_state link = (twx_link_state)e->row.v[TWX_FLAG_link_state];
    twx_buf_clear(&line);
    if (rc == TWX_OK && link != TWX_LINK_NONE) {
        rc = twx_buf_printf(e->job->cx, &line, "%s: %s",
                            e->facts.bits & TWX_FACT_REDIRECT ? "redirect" : "canonical",
                            twx_link_state_text(link));
        if (rc == TWX_OK && twx_flag_known(&e->row, TWX_FLAG_link_doc)) {
            rc = twx_buf_add_text(e->job->cx, &line, "; it leads to ");
            if (rc == TWX_OK) rc = add_document(e, e->row.v[TWX_FLAG_link_doc], &line);
        }
        if (rc == TWX_OK) rc = add_buf(e, "link", &line);
    }
    twx_buf_done(&line);
    return rc;
}

/* The pattern is named if it still matches: the text and title may have changed since. */
static twx_rc explain_page(explaining *e, const twx_source_row *row) {
    const int64_t class = e->row.v[TWX_FLAG_page_class];
    const twx_document doc = {.text = twx_bytes_of(&row->value[TWX_COL_TEXT]),
                              .title = twx_bytes_of(&row->value[TWX_COL_TITLE])};
    twx_class_memo *memo = twx_calloc(e->job->cx, 1, sizeof *memo);
    twx_page_finding found;
    twx_buf line = {.max = LINE_BYTES};
    twx_rc rc = memo ? twx_page_class_of(e->job->cx, e->pages, memo, &doc, &found) : TWX_E_NOMEM;
    twx_free(memo);
    if (rc == TWX_OK)
        rc = twx_buf_add_text(e->job->cx, &line,
                              class >= 0 && class < TWX_PAGE_CLASSES ? TWX_PAGE_NAMES[class] : "?");
    if (rc == TWX_OK && class != TWX_PAGE_PAGE && found.class == class && found.system.n)
        rc = twx_buf_printf(e->job->cx, &line,
                            ": its title and text match a pattern (" TWX_SLICE_FMT ")",
                            TWX_SLICE_ARG(found.system));
    else if (rc == TWX_OK && class == TWX_PAGE_ERROR && e->facts.status >= 400)
        rc = twx_buf_printf(e->job->cx, &line, ": the HTTP status is %d", e->facts.status);
    else if (rc == TWX_OK && class == TWX_PAGE_ERROR)
        rc = twx_buf_add_text(e->job->cx, &line,
                              ": other URLs of the host have its text and title, and they are "
                              "unrelated, have an error status, or another text at other times");
    if (rc == TWX_OK) rc = add_buf(e, "page_class_s", &line);
    twx_buf_done(&line);
    return rc;
}

static twx_rc explain_url_flag(explaining *e, const char *flag, twx_flag_column column,
                               twx_relation_id relation) {
    static const char *const WWW[] = {[TWX_WWW_BARE] = "without www.",
                                      [TWX_WWW_PREFIX] = "with www.",
                                      [TWX_WWW_AUTO] = "as most documents of the host"};
    const twx_settings *s = e->job->settings;
    const bool scheme = relation == TWX_RELATION_SCHEME,
               alone = !twx_flag_known(&e->row, twx_relation_at(relation)->rep);
    const twx_preference p = {.https = s->prefer_https, .www = s->prefer_www};
    const unsigned other = twx_form_of(e->facts.bits, &p) &
                           (scheme ? TWX_FORM_SCHEME : TWX_FORM_WWW);
    char text[300];
    if (!twx_flag_known(&e->row, column)) return add_line(e, flag, "NULL: it does not take part");
    const char *reason = !e->row.v[column] ? "a twin of the preferred form takes part"
                         : !scheme && p.www == TWX_WWW_AUTO && !alone
                             ? "this is the preferred form, or no twin of it takes part"
                         : other || (!scheme && p.www == TWX_WWW_AUTO)
                             ? "no twin of the preferred form takes part"
                             : "this is the preferred form";
    snprintf(text, sizeof text, "%d: %s (preferred: %s)", (int)e->row.v[column], reason,
             scheme ? (p.https ? "https" : "http") : WWW[p.www]);
    return add_line(e, flag, text);
}

typedef struct members {
    explaining *e;
    twx_buf *line;
    const char *before;                     /* the first one */
    const twx_value *self, *representative; /* named already */
    uint32_t home;                          /* the store of the representative */
    size_t n, rows;
} members;

static twx_rc add_member(void *arg, uint32_t member, const twx_value *columns, size_t n) {
    members *m = arg;
    explaining *e = m->e;
    const bool here = member == e->member;
    (void)n;
    if (m->rows++ == MEMBERS_SHOWN) return TWX_DONE;
    const uint64_t id = twx_value_hash(&columns[0], 0);
    if (here && id == twx_value_hash(m->self, 0)) return TWX_OK;
    if (member == m->home && id == twx_value_hash(m->representative, 0)) return TWX_OK;
    twx_rc rc = twx_buf_add_text(e->job->cx, m->line, m->n++ ? ", " : m->before);
    twx_mention as = {.id = columns[0], .from = m->line->n};
    if (rc == TWX_OK)
        rc = twx_arena_copy(e->job->cx, &e->result->arena, columns[0].bytes, &as.id.bytes);
    if (rc == TWX_OK) rc = twx_value_print(e->job->cx, m->line, &columns[0]);
    as.url = as.to = m->line->n;
    if (rc == TWX_OK) rc = mention(e, &as);
    if (rc == TWX_OK && !here)
        rc = twx_buf_printf(e->job->cx, m->line, " in " TWX_SLICE_FMT,
                            TWX_SLICE_ARG(e->set.at[member].shard));
    return rc;
}

/* The members of a group over all stores. */
static twx_rc add_members(explaining *e, const char *detector, twx_set_document rep,
                          const char *before, const twx_value *self, twx_buf *line) {
    static const int ORDER[] = {1, 0};
    const twx_set_member *home = &e->set.at[rep.member];
    twx_value id;
    twx_rc rc = twx_id_of(&e->set.at[rep.member].o, rep.doc, &id);
    if (rc != TWX_OK) return rc == TWX_DONE ? TWX_OK : rc;
    members m = {.e = e,
                 .line = line,
                 .before = before,
                 .self = self,
                 .representative = &id,
                 .home = rep.member};
    const twx_value values[] = {
        {.type = TWX_TEXT, .bytes = twx_slice_of(detector)},
        id,
        {.type = TWX_INT, .i = MEMBERS_SHOWN},
        {.type = home->shard.p ? TWX_TEXT : TWX_NULL, .bytes = home->shard}};
    const twx_set_query question = {
        {.sql = twx_display_members, .values = values, .n_values = TWX_COUNTOF(values)},
        true,
        ORDER};
    return twx_store_set_display(&e->set, &question, add_member, &m);
}

/* Does the document have the field that these groups compare? */
static bool has_basis(const explaining *e, const twx_relation *relation) {
    int column = relation == twx_relation_at(TWX_RELATION_NEAR) ? TWX_FLAG_near_sig : relation->sig;
    return column < 0 || twx_flag_known(&e->row, (twx_flag_column)column);
}

static twx_rc list_stores(explaining *e) {
    if (e->stores) return TWX_OK;
    if (!(e->stores = twx_calloc(e->job->cx, e->set.n, sizeof *e->stores))) return TWX_E_NOMEM;
    for (size_t i = 0; i < e->set.n; i++)
        e->stores[i] = (twx_load_store){&e->set.at[i].job, &e->set.at[i].o};
    return TWX_OK;
}

/* The criterion by which another document precedes this one. */
static twx_rc ask_precedence(explaining *e, twx_set_document first, twx_criterion *ret_by) {
    twx_rc rc = list_stores(e);
    if (rc == TWX_OK && !e->precedence)
        rc = twx_precedence_open(e->job, &e->set, e->stores, e->pins, &e->precedence);
    if (rc != TWX_OK) return rc;
    return twx_precedence_ask(e->precedence, first, (twx_set_document){e->row.doc, e->member},
                              ret_by);
}

/* " (larger score)": why the representative precedes the document. */
static twx_rc add_why_before(explaining *e, twx_set_document rep, twx_buf *line) {
    twx_criterion by = TWX_BY_NOTHING;
    const twx_rc rc = ask_precedence(e, rep, &by);
    return rc == TWX_OK ? twx_buf_printf(e->job->cx, line, " (%s)", twx_criterion_reason(by)) : rc;
}

/* "; decided by score": the criterion of verdict.order that made another document the survivor. */
static twx_rc add_decision(explaining *e, int64_t survivor, twx_buf *line) {
    twx_set_document home = {0};
    twx_criterion by = TWX_BY_NOTHING;
    if (e->row.v[TWX_FLAG_eligibility] != TWX_ELIGIBLE) return TWX_OK;
    twx_rc rc = twx_store_set_resolve(&e->set, e->member, survivor, &home);
    if (rc != TWX_OK || home.member == TWX_SET_OUTSIDE) return rc;
    rc = ask_precedence(e, home, &by);
    return rc == TWX_OK
               ? twx_buf_printf(e->job->cx, line, "; decided by %s", twx_criterion_name(by))
               : rc;
}

/* "2 share the text ..., represented by 7 https://... (larger score); others: 3, 9" */
static twx_rc explain_group(explaining *e, const twx_relation *relation, const twx_value *self) {
    twx_buf line = {.max = LINE_BYTES};
    twx_set_document home = {0};
    twx_ctx *cx = e->job->cx;
    bool alone = !twx_flag_known(&e->row, relation->rep);
    bool known = has_basis(e, relation);
    int64_t rep = e->row.v[relation->rep];
    twx_rc rc = alone ? TWX_OK : twx_store_set_resolve(&e->set, e->member, rep, &home);
    const bool outside = home.member == TWX_SET_OUTSIDE;
    if (rc == TWX_OK && relation->sig >= 0 && known)
        rc = twx_buf_printf(cx, &line, "signature %" PRId64 ": ", e->row.v[relation->sig]);
    if (alone) current(e)->alone |= 1u << twx_relation_find(twx_slice_of(relation->name));
    if (rc == TWX_OK && alone)
        rc = twx_buf_printf(cx, &line,
                            known ? "no other document has %s"
                            : relation == twx_relation_at(TWX_RELATION_NEAR)
                                ? "it has too few words (near.min_words): no document shares %s"
                                : "it has none of its own: no document shares %s",
                            relation->what);
    if (rc == TWX_OK && !alone)
        rc = twx_buf_printf(cx, &line, "%" PRId64 " share %s; ", e->row.v[relation->count],
                            relation->what);
    if (rc == TWX_OK && !alone && rep == e->row.doc)
        rc = twx_buf_add_text(cx, &line, "this one represents them");
    if (rc == TWX_OK && !alone && rep != e->row.doc) {
        rc = twx_buf_add_text(cx, &line, "represented by ");
        if (rc == TWX_OK) rc = add_document(e, rep, &line);
        if (rc == TWX_OK && !outside) rc = add_why_before(e, home, &line);
    }
    if (rc == TWX_OK && !alone && relation == twx_relation_at(TWX_RELATION_NEAR) &&
        rep != e->row.doc && twx_flag_known(&e->row, TWX_FLAG_near_similarity))
        rc = twx_buf_printf(cx, &line, ", similarity %.3f",
                            (double)e->row.v[TWX_FLAG_near_similarity] / 1e6);
    if (rc == TWX_OK && !alone && !outside)
        rc = add_members(e, relation->name, home, "; others: ", self, &line);
    if (rc == TWX_OK) rc = add_buf(e, relation->name, &line);
    twx_buf_done(&line);
    return rc;
}

static twx_rc list_values(explaining *e) {
    char value[64], room[TWX_EDITION_NUMBER_TEXT];
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && twx_flag_at(i); i++) {
        const twx_flag *flag = twx_flag_at(i);
        int64_t v = 0;
        bool explained = flag->column == TWX_FLAG_eligibility ||
                         flag->column == TWX_FLAG_http_unique ||
                         flag->column == TWX_FLAG_www_unique || flag->kind == TWX_FLAG_IS_DOC ||
                         flag->column == TWX_FLAG_page_class;
        if (explained) continue;
        if (!twx_flag_value(flag, &e->row, &v))
            snprintf(value, sizeof value, "NULL");
        else if (twx_flag_word(flag, v, room))
            snprintf(value, sizeof value, "%s", twx_flag_word(flag, v, room));
        else
            snprintf(value, sizeof value, "%" PRId64, v);
        rc = add_line(e, flag->name, value);
    }
    return rc;
}

/* Which relations join the document to its cluster's representative directly; if none does, it is
 * joined through other documents of the cluster. */
static twx_rc explain_verdict(explaining *e) {
    twx_buf line = {.max = LINE_BYTES};
    bool direct = false;
    twx_rc rc = TWX_OK;
    if (!twx_flag_known(&e->row, TWX_FLAG_duplicate_of))
        return add_line(e, "duplicate_of",
                        e->row.v[TWX_FLAG_eligibility] == TWX_ELIGIBLE
                            ? "NULL: it is the survivor of its cluster"
                            : "NULL: it does not take part");
    int64_t survivor = e->row.v[TWX_FLAG_duplicate_of];
    twx_value id = {.type = TWX_NULL};
    twx_set_document home;
    rc = add_document(e, survivor, &line);
    if (rc == TWX_OK) rc = twx_store_set_resolve(&e->set, e->member, survivor, &home);
    if (rc == TWX_OK && home.member != TWX_SET_OUTSIDE)
        rc = twx_id_of(&e->set.at[home.member].o, home.doc, &id);
    if (rc == TWX_OK) rc = twx_arena_copy(e->job->cx, &e->result->arena, id.bytes, &id.bytes);
    current(e)->representative = id;
    if (rc == TWX_DONE) rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < TWX_RELATIONS; i++) {
        const twx_relation *relation = twx_relation_at(i);
        if (!twx_flag_known(&e->row, relation->rep) || e->row.v[relation->rep] != survivor)
            continue;
        rc = twx_buf_printf(e->job->cx, &line, "%s%s", direct ? ", " : "; joined by ",
                            relation->name);
        direct = true;
    }
    if (rc == TWX_OK && e->row.v[TWX_FLAG_link_state] == TWX_LINK_HONOURED)
        rc = twx_buf_add_text(e->job->cx, &line, "; its link leads there");
    else if (rc == TWX_OK && !direct)
        rc = twx_buf_add_text(e->job->cx, &line, "; joined through other documents of the cluster");
    if (rc == TWX_OK) rc = add_decision(e, survivor, &line);
    if (rc == TWX_OK) rc = add_buf(e, "duplicate_of", &line);
    twx_buf_done(&line);
    return rc;
}

/* ---- pins --------------------------------------------------------------- */

typedef struct pin_lines {
    explaining *e;
    size_t n;
} pin_lines;

static twx_rc add_pin(void *arg, const char *text) {
    pin_lines *lines = arg;
    char key[32];
    if (lines->n++ == 0)
        snprintf(key, sizeof key, "pin");
    else
        snprintf(key, sizeof key, "pin %zu", lines->n);
    return add_line(lines->e, key, text);
}

/* The lines of the current pins file that name the document. */
static twx_rc list_pins(explaining *e) {
    pin_lines lines = {.e = e};
    if (!e->pins) return TWX_OK;
    return twx_pins_each_of(e->job->cx, e->pins, e->facts.url_key,
                            twx_facts_url(twx_buf_slice(&e->facts_room)), add_pin, &lines);
}

/* ---- copies and siblings ------------------------------------------------ */

/* The document's representative in this relation; the document itself if it has none. */
static int64_t representative(const explaining *e, twx_flag_column rep) {
    return twx_flag_known(&e->row, rep) ? e->row.v[rep] : e->row.doc;
}

/* Signatures of all stores are loaded. */
static twx_rc open_check(explaining *e) {
    if (e->check) return TWX_OK;
    const twx_rc rc = list_stores(e);
    return rc == TWX_OK ? twx_copy_check_open(e->stores, e->set.n, &e->check) : rc;
}

static twx_rc add_reason(explaining *e, const twx_source_row *row, int64_t other, bool copy,
                         twx_buf *line) {
    const twx_copy_document document = {.url = twx_bytes_of(&row->value[TWX_COL_URL]),
                                        .title = twx_bytes_of(&row->value[TWX_COL_TITLE]),
                                        .headings = twx_bytes_of(&row->value[TWX_COL_HEADINGS]),
                                        .names = twx_bytes_of(&row->value[TWX_COL_NAMES]),
                                        .text = twx_bytes_of(&row->value[TWX_COL_TEXT]),
                                        .main = twx_bytes_of(&row->value[TWX_COL_MAIN])};
    twx_ctx *cx = e->job->cx;
    twx_copy_answer answer;
    twx_set_document home;
    twx_rc rc = twx_store_set_resolve(&e->set, e->member, other, &home);
    if (rc != TWX_OK || home.member == TWX_SET_OUTSIDE) return rc;
    rc = open_check(e);
    if (rc == TWX_OK)
        rc = twx_copy_check_stored(e->check, (twx_copy_place){e->member, e->row.doc},
                                   (twx_copy_place){home.member, home.doc}, &answer);
    if (rc != TWX_OK) return rc;
    if (!answer.known || (answer.contained && answer.harmless) != copy)
        return twx_buf_add_text(cx, line,
                                !answer.known ? "; signed with other settings: run again to see why"
                                : copy ? "; the signatures are newer than the flags: run again"
                                       : ", although its name is there: a pin or a translation "
                                         "keeps them separate, or that document is a copy itself");
    if (copy && answer.similarity == TWX_LEADERS_SAME)
        rc = twx_buf_add_text(cx, line, ": the same text");
    else if (copy && answer.similarity > 0)
        rc = twx_buf_printf(cx, line, ": nearly the same text (%d %%)",
                            (int)(answer.similarity / 10000));
    else if (copy)
        rc = twx_buf_add_text(cx, line, ": most of the same text");
    if (rc == TWX_OK) rc = twx_buf_add_text(cx, line, copy ? ", and " : ": ");
    return rc == TWX_OK ? twx_copy_reason(e->check, &document, &answer, line) : rc;
}

/* For a copy: the document that represents it, and the reason. For a sibling: why it is visible
 * although it is a near-duplicate. */
static twx_rc explain_copy(explaining *e, const twx_source_row *row) {
    const int64_t near = representative(e, TWX_FLAG_near_rep),
                  same = representative(e, TWX_FLAG_exact_rep),
                  copy = representative(e, TWX_FLAG_copy_rep);
    const bool is_copy = copy != e->row.doc, is_same = same != e->row.doc,
               hidden = twx_flag_known(&e->row, TWX_FLAG_duplicate_of);
    const int64_t other = is_copy ? copy : is_same ? same : near;
    const char *begin = !is_copy && !hidden ? "visible: " : "",
               *has = is_copy   ? hidden ? "hidden behind " : "a copy of "
                      : is_same ? "the same text as "
                                : "near-duplicate of ";
    twx_ctx *cx = e->job->cx;
    twx_buf line = {.max = LINE_BYTES};
    if (other == e->row.doc) return TWX_OK;
    twx_rc rc = twx_buf_printf(cx, &line, "%s%s", begin, has);
    if (rc == TWX_OK) rc = add_document(e, other, &line);
    if (rc == TWX_OK && !is_copy) rc = twx_buf_add_text(cx, &line, ", but not a copy");
    if (rc == TWX_OK) rc = add_reason(e, row, other, is_copy, &line);
    if (rc == TWX_OK) rc = add_buf(e, is_copy ? "copy_of" : "sibling_of", &line);
    twx_buf_done(&line);
    return rc;
}

/* "edition 1.8 of a page; the newest is 2.1" */
static twx_rc explain_edition(explaining *e) {
    char own[TWX_EDITION_NUMBER_TEXT], newest[TWX_EDITION_NUMBER_TEXT], line[100];
    twx_flag_row row = {0};
    twx_set_document home = {.member = TWX_SET_OUTSIDE};
    twx_rc rc = TWX_OK;
    if (!twx_flag_known(&e->row, TWX_FLAG_edition_steps)) return TWX_OK;
    twx_edition_text(e->row.v[TWX_FLAG_edition_value], own);
    if (twx_flag_known(&e->row, TWX_FLAG_edition_rep))
        rc = twx_store_set_resolve(&e->set, e->member, e->row.v[TWX_FLAG_edition_rep], &home);
    if (rc == TWX_OK && home.member != TWX_SET_OUTSIDE) {
        const twx_set_member *m = &e->set.at[home.member];
        rc = twx_flags_get(m->o.generations, m->state.generation, home.doc, &row);
    }
    twx_edition_text(row.v[TWX_FLAG_edition_value], newest);
    const bool is_newest = e->row.v[TWX_FLAG_edition_steps] == 0;
    snprintf(line, sizeof line, "edition %s of a page; %s %s", own[0] ? own : "without a name",
             is_newest ? "there is no newer" : "the newest is", is_newest ? "one" : newest);
    return rc == TWX_OK ? add_line(e, "edition_of", line) : rc;
}

/* "the URL of 7 https://... but for: parameter sid of a.example/ changes nothing, 212 of 212" */
static twx_rc explain_parameters(explaining *e) {
    const int64_t other = representative(e, TWX_FLAG_parameters_rep);
    const twx_set_document here = {e->row.doc, e->member};
    twx_set_document there;
    twx_buf line = {.max = LINE_BYTES};
    if (other == e->row.doc || !e->parameters) return TWX_OK;
    twx_rc rc = twx_buf_add_text(e->job->cx, &line, "the URL of ");
    if (rc == TWX_OK) rc = add_document(e, other, &line);
    if (rc == TWX_OK) rc = twx_store_set_resolve(&e->set, e->member, other, &there);
    if (rc == TWX_OK) rc = twx_parameters_why(&e->set, e->parameters, here, there, &line);
    if (rc == TWX_OK) rc = add_buf(e, "parameters_of", &line);
    twx_buf_done(&line);
    return rc;
}

/* ---- the answer --------------------------------------------------------- */

/* What the document is to the one that hides it. */
static const char *what_it_is(const explaining *e, int64_t survivor) {
    static const struct {
        twx_relation_id relation;
        const char *is;
    } WHAT[] = {{TWX_RELATION_COPY, "a copy of "},
                {TWX_RELATION_EXACT, "the same text as "},
                {TWX_RELATION_EDITION, "another edition of "},
                {TWX_RELATION_PARAMETERS, "another URL of "},
                {TWX_RELATION_SCHEME, "another form of the URL "},
                {TWX_RELATION_WWW, "another form of the URL "}};
    if (e->row.v[TWX_FLAG_link_state] == TWX_LINK_HONOURED) return "its link leads to ";
    for (size_t i = 0; i < TWX_COUNTOF(WHAT); i++) {
        const twx_flag_column rep = twx_relation_at(WHAT[i].relation)->rep;
        if (twx_flag_known(&e->row, rep) && e->row.v[rep] == survivor) return WHAT[i].is;
    }
    return "a duplicate of ";
}

/* "hidden: a copy of 7 https://..., which is shown" */
static twx_rc give_answer(explaining *e, const twx_value *self) {
    const twx_set_document here = {e->row.doc, e->member};
    const twx_eligibility why = (twx_eligibility)e->row.v[TWX_FLAG_eligibility];
    twx_ctx *cx = e->job->cx;
    twx_buf line = {.max = LINE_BYTES};
    twx_rc rc = TWX_OK;
    if (why != TWX_ELIGIBLE) {
        rc = twx_buf_printf(cx, &line, "does not take part: %s", twx_eligibility_text(why));
    } else if (twx_flag_known(&e->row, TWX_FLAG_duplicate_of)) {
        const int64_t survivor = e->row.v[TWX_FLAG_duplicate_of];
        rc = twx_buf_printf(cx, &line, "hidden: %s", what_it_is(e, survivor));
        if (rc == TWX_OK) rc = add_document(e, survivor, &line);
        if (rc == TWX_OK) rc = twx_buf_add_text(cx, &line, ", which is shown");
    } else {
        const uint64_t like = e->row.known >> TWX_FLAG_exact_rep |
                              e->row.known >> TWX_FLAG_near_rep;
        rc = add_members(e, "verdict", here, "shown: it represents ", self, &line);
        if (rc == TWX_OK && line.n == 0)
            rc = twx_buf_add_text(cx, &line,
                                  like & 1 ? "shown: documents with its text are other pages"
                                           : "shown: no other document is a duplicate of it");
    }
    if (rc == TWX_OK) rc = keep_line(e, "", twx_buf_slice(&line), &current(e)->answer);
    twx_buf_done(&line);
    return rc;
}

/* ---- one document ------------------------------------------------------- */

static twx_rc explain_row(void *arg, const twx_source_row *row, bool *ret_enough) {
    explaining *e = arg;
    const twx_set_member *m = &e->set.at[e->member];
    int64_t doc = 0;
    (void)ret_enough;
    e->found++;
    e->mentioned = 0;
    twx_explained d = {.url = row->value[TWX_COL_URL], .representative.type = TWX_NULL};
    twx_rc rc = twx_listed_document_copy(e->job->cx, &e->result->arena, &row->value[TWX_COL_ID],
                                         d.url.bytes, &d.document);
    if (rc == TWX_OK)
        rc = twx_arena_copy(e->job->cx, &e->result->arena, m->shard, &d.document.store);
    d.url.bytes = d.document.url;
    if (rc == TWX_OK && !TWX_VEC_PUSH(e->job->cx, &e->result->documents, d)) rc = TWX_E_NOMEM;
    twx_rc numbered = twx_document_number(&m->o, &row->value[TWX_COL_ID], &doc);
    if (rc == TWX_OK && numbered == TWX_OK)
        numbered = twx_flags_get(m->o.generations, m->state.generation, doc, &e->row);
    if (rc == TWX_OK && numbered == TWX_DONE)
        return add_line(e, "flags",
                        "none: it was added after the last run, or that run could not read it");
    if (rc == TWX_OK) rc = numbered;
    const twx_set_document here = {doc, e->member};
    if (rc == TWX_OK) rc = twx_set_facts(&e->set, here, &e->facts_room, &e->facts);
    if (rc == TWX_OK) rc = give_answer(e, &row->value[TWX_COL_ID]);
    twx_buf_clear(&e->section);
    if (rc == TWX_OK)
        rc = twx_host_section_show(e->job->cx, e->job->settings, e->facts.host, &e->section);
    if (rc == TWX_OK && e->section.n) rc = add_buf(e, "section", &e->section);
    if (rc == TWX_OK) rc = list_pins(e);
    if (rc == TWX_OK) rc = explain_eligibility(e);
    if (rc == TWX_OK) rc = explain_page(e, row);
    if (rc == TWX_OK)
        rc = explain_url_flag(e, "http_unique_b", TWX_FLAG_http_unique, TWX_RELATION_SCHEME);
    if (rc == TWX_OK)
        rc = explain_url_flag(e, "www_unique_b", TWX_FLAG_www_unique, TWX_RELATION_WWW);
    if (rc == TWX_OK) rc = list_values(e);
    if (rc == TWX_OK) rc = explain_verdict(e);
    bool member = e->row.v[TWX_FLAG_eligibility] == TWX_ELIGIBLE; /* others have no groups */
    for (size_t i = 0; rc == TWX_OK && member && i < TWX_RELATIONS; i++)
        /* skipped unless a near detector, or a model, was configured */
        if ((i != TWX_RELATION_NEAR || twx_flag_known(&e->row, TWX_FLAG_near_count)) &&
            (i != TWX_RELATION_PARAMETERS || twx_flag_known(&e->row, TWX_FLAG_parameters_count)))
            rc = explain_group(e, twx_relation_at(i), &row->value[TWX_COL_ID]);
    if (rc == TWX_OK && member && twx_flag_known(&e->row, TWX_FLAG_copy_count))
        rc = explain_copy(e, row);
    if (rc == TWX_OK) rc = explain_edition(e);
    return rc == TWX_OK ? explain_parameters(e) : rc;
}

/* The documents with this id or URL in all stores. */
static twx_rc explain_all(explaining *e, twx_slice url_or_id) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < e->set.n; i++) {
        e->member = (uint32_t)i;
        rc = twx_source_find(e->set.at[i].o.source, url_or_id, explain_row, e);
        if (rc == TWX_DONE) rc = TWX_OK;
    }
    return rc;
}

/* Explains the document that was typed almost as it is stored. */
static twx_rc explain_near(explaining *e, const char *typed) {
    twx_near_url near;
    twx_slice url;
    twx_rc rc = twx_near_url_init(e->job->cx, twx_slice_of(typed), &near);
    for (size_t i = 0; rc == TWX_OK && i < e->set.n; i++)
        rc = twx_near_url_search(&near, e->set.at[i].o.source);
    if (rc == TWX_OK) rc = twx_near_url_take(&near, e->job, typed, &url);
    if (rc == TWX_OK) rc = explain_all(e, url);
    if (rc == TWX_DONE || (rc == TWX_OK && e->found == 0))
        rc = twx_near_url_fail(&near, e->job, typed);
    twx_near_url_done(&near);
    return rc;
}

twx_rc twx_explain(const twx_job *job, const char *url_or_id, const twx_out *out) {
    twx_explanation result = {0};
    explaining e = {.job = job, .result = &result, .facts_room = {.max = 1 << 20}};
    twx_buf_init(&e.section, LINE_BYTES);
    twx_rc rc = twx_files_load(job, &e.pins, &e.parameters);
    if (rc == TWX_OK) rc = twx_pages_load(job, &e.pages);
    if (rc == TWX_OK) rc = twx_store_set_open(job, TWX_NEED_SOURCE, &e.set);
    if (rc == TWX_OK) rc = explain_all(&e, twx_slice_of(url_or_id));
    if (rc == TWX_OK && e.found == 0) rc = explain_near(&e, url_or_id);
    if (rc == TWX_OK) rc = twx_store_set_kept(&e.set);
    twx_copy_check_close(e.check);
    twx_precedence_close(e.precedence);
    twx_free(e.stores);
    twx_buf_done(&e.facts_room);
    twx_buf_done(&e.section);
    twx_pins_close(e.pins);
    twx_parameters_close(e.parameters);
    twx_page_patterns_close(e.pages);
    twx_store_set_done(&e.set);
    if (rc == TWX_OK) rc = write_explanation(out, &result);
    for (size_t i = 0; i < result.documents.n; i++) {
        TWX_VEC_DONE(&result.documents.at[i].lines);
        TWX_VEC_DONE(&result.documents.at[i].mentions);
    }
    TWX_VEC_DONE(&result.documents);
    twx_arena_done(&result.arena);
    return rc;
}
