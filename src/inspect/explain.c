#include "inspect/internal.h"

/* ==== explain_print */

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
    if (rc == TWX_OK) rc = twx_listed_document_write(out, &d->document, 0);
    if (rc == TWX_OK) rc = twx_out_text(out, "\n");
    for (size_t i = 0; rc == TWX_OK && i < 2 * d->lines.n; i++) {
        const twx_explained_line *line = &d->lines.at[i % d->lines.n];
        if (is_detail(line->key.p) != (i >= d->lines.n)) continue;
        rc = twx_out_text(out, "  %-28s ", line->key.p);
        if (rc == TWX_OK) rc = write_line(out, d, line);
    }
    return rc;
}

static twx_rc write_documents(const twx_out *out, const twx_explained *at, size_t n) {
    const bool json = twx_out_is_json(out);
    json_t *all = json ? json_array() : NULL;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < n; i++)
        if (json)
            json_array_append_new(all, document_json(&at[i]));
        else
            rc = write_document(out, &at[i]);
    return json ? twx_out_json(out, all) : rc;
}

/* ==== explain */

enum { MEMBERS_SHOWN = 6, LINE_BYTES = 1 << 22 };

typedef struct explaining {
    const twx_job *job;
    twx_arena arena;
    TWX_VEC(twx_explained) documents;
    twx_rc rc;    /* the first failure: nothing is read or said after it */
    twx_buf line; /* being written */
    twx_store_set set;
    uint32_t store;   /* the store that has the document */
    size_t mentioned; /* of the document, in the lines so far */
    twx_flag_row row;
    twx_facts facts;
    twx_buf facts_room; /* holds facts.host */
    twx_pins *pins;     /* NULL: none */
    twx_parameters *parameters;
    twx_page_patterns *pages;
    twx_load_store *stores; /* of the set */
    twx_precedence *precedence;
    twx_copy_check *check;
} explaining;

/* ---- lines -------------------------------------------------------------- */

/* A step of an explanation, which may do others, whose error is kept. */
#define DO(e, step)                                              \
    do {                                                         \
        const twx_rc done = (e)->rc == TWX_OK ? (step) : TWX_OK; \
        if ((e)->rc == TWX_OK) (e)->rc = done;                   \
    } while (0)
#define SAY(e, ...) DO(e, twx_buf_printf((e)->job->cx, &(e)->line, __VA_ARGS__))

static twx_explained *current(explaining *e) {
    return &e->documents.at[e->documents.n - 1];
}

/* Keeps what was said; what was mentioned meanwhile is in this line. */
static twx_explained_line end_line(explaining *e, const char *key) {
    twx_explained_line line = {.first = e->mentioned, .end = current(e)->mentions.n};
    DO(e, twx_arena_copy(e->job->cx, &e->arena, twx_slice_of(key), &line.key));
    DO(e, twx_arena_copy(e->job->cx, &e->arena, twx_buf_slice(&e->line), &line.text));
    e->mentioned = line.end;
    twx_buf_clear(&e->line);
    return line;
}

static void add_line(explaining *e, const char *key) {
    const twx_explained_line line = end_line(e, key);
    DO(e, TWX_VEC_PUSH(e->job->cx, &current(e)->lines, line) ? TWX_OK : TWX_E_NOMEM);
}

static void mention(explaining *e, const twx_mention *m) {
    if (m->from < m->to) /* else it is gone */
        DO(e, TWX_VEC_PUSH(e->job->cx, &current(e)->mentions, *m) ? TWX_OK : TWX_E_NOMEM);
}

/* "42 https://...", "42 https://... in b.db" */
static void say_document(explaining *e, int64_t doc) {
    twx_mention m = {.arena = &e->arena};
    DO(e, twx_store_set_add_document(&e->set, e->store, doc, &e->line, &m));
    mention(e, &m);
}

/* Whether the document that a number in its flags stands for is in one of the stores. */
static bool resolve(explaining *e, int64_t doc, twx_set_document *ret_document) {
    *ret_document = (twx_set_document){.store = TWX_SET_OUTSIDE};
    DO(e, twx_store_set_resolve(&e->set, e->store, doc, ret_document));
    return e->rc == TWX_OK && ret_document->store != TWX_SET_OUTSIDE;
}

/* ---- rules -------------------------------------------------------------- */

static void explain_eligibility(explaining *e) {
    const twx_eligibility why = (twx_eligibility)e->row.v[TWX_FLAG_eligibility];
    const twx_link_state link = (twx_link_state)e->row.v[TWX_FLAG_link_state];
    SAY(e, "%d: %s", why == TWX_ELIGIBLE, twx_eligibility_text(why));
    if (why == TWX_BAD_STATUS) SAY(e, " but %d", e->facts.status);
    add_line(e, "indexable_b");
    if (link == TWX_LINK_NONE) return;
    SAY(e, "%s: %s", e->facts.bits & TWX_FACT_REDIRECT ? "redirect" : "canonical",
        twx_link_state_text(link));
    if (twx_flag_known(&e->row, TWX_FLAG_link_doc)) {
        SAY(e, "; it leads to ");
        say_document(e, e->row.v[TWX_FLAG_link_doc]);
    }
    add_line(e, "link");
}

/* The pattern is named if it still matches: the text and title may have changed since. */
static void explain_page(explaining *e, const twx_source_row *row) {
    const int64_t class = e->row.v[TWX_FLAG_page_class];
    const twx_document doc = twx_document_of(row->value, NULL);
    twx_class_memo *memo = twx_calloc(e->job->cx, 1, sizeof *memo);
    twx_page_finding found = {.class = TWX_PAGE_PAGE};
    DO(e, memo ? twx_page_class_of(e->job->cx, e->pages, memo, &doc, &found) : TWX_E_NOMEM);
    twx_free(memo);
    SAY(e, "%s", class >= 0 && class < TWX_PAGE_CLASSES ? TWX_PAGE_NAMES[class] : "?");
    if (class != TWX_PAGE_PAGE && found.class == class && found.system.n)
        SAY(e, ": its title and text match a pattern (" TWX_SLICE_FMT ")",
            TWX_SLICE_ARG(found.system));
    else if (class == TWX_PAGE_ERROR && e->facts.status >= 400)
        SAY(e, ": the HTTP status is %d", e->facts.status);
    else if (class == TWX_PAGE_ERROR)
        SAY(e, ": other URLs of the host have its text and title, and they are unrelated, have an "
               "error status, or another text at other times");
    add_line(e, "page_class_s");
}

static void explain_url_flag(explaining *e, const char *flag, twx_flag_column column,
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
    const char *reason = !e->row.v[column] ? "a twin of the preferred form takes part"
                         : !scheme && p.www == TWX_WWW_AUTO && !alone
                             ? "this is the preferred form, or no twin of it takes part"
                         : other || (!scheme && p.www == TWX_WWW_AUTO)
                             ? "no twin of the preferred form takes part"
                             : "this is the preferred form";
    if (!twx_flag_known(&e->row, column))
        SAY(e, "NULL: it does not take part");
    else
        SAY(e, "%d: %s (preferred: %s)", (int)e->row.v[column], reason,
            scheme ? (p.https ? "https" : "http") : WWW[p.www]);
    add_line(e, flag);
}

typedef struct members {
    explaining *e;
    const char *before;                     /* the first one */
    const twx_value *self, *representative; /* named already */
    uint32_t home;                          /* the store of the representative */
    size_t n, rows;
} members;

static twx_rc say_member(void *arg, uint32_t store, const twx_value *columns) {
    members *m = arg;
    explaining *e = m->e;
    const bool here = store == e->store;
    if (m->rows++ == MEMBERS_SHOWN) return TWX_DONE;
    const uint64_t id = twx_value_hash(&columns[0], 0);
    if (here && id == twx_value_hash(m->self, 0)) return TWX_OK;
    if (store == m->home && id == twx_value_hash(m->representative, 0)) return TWX_OK;
    SAY(e, "%s", m->n++ ? ", " : m->before);
    twx_mention as = {.id = columns[0], .from = e->line.n};
    DO(e, twx_arena_copy(e->job->cx, &e->arena, columns[0].bytes, &as.id.bytes));
    DO(e, twx_value_print(e->job->cx, &e->line, &columns[0]));
    as.url = as.to = e->line.n;
    mention(e, &as);
    if (!here) SAY(e, " in " TWX_SLICE_FMT, TWX_SLICE_ARG(e->set.at[store].shard));
    return e->rc;
}

static void say_members(explaining *e, const char *detector, twx_set_document rep,
                        const char *before, const twx_value *self) {
    static const int ORDER[] = {1, 0};
    const twx_set_store *home = &e->set.at[rep.store];
    twx_value id;
    const twx_rc rc = e->rc == TWX_OK ? twx_id_of(&e->set.at[rep.store].o, rep.doc, &id) : e->rc;
    if (rc != TWX_OK) {
        if (rc != TWX_DONE) e->rc = rc;
        return;
    }
    members m = {.e = e, .before = before, .self = self, .representative = &id, .home = rep.store};
    const twx_value store = {.type = home->shard.p ? TWX_TEXT : TWX_NULL, .bytes = home->shard};
    const twx_set_query question = {
        {twx_display_members, TWX_VALUES(twx_text_of(detector), id, twx_int(MEMBERS_SHOWN), store)},
        true,
        ORDER};
    DO(e, twx_store_set_display(&e->set, &question, say_member, &m));
}

static void list_stores(explaining *e) {
    if (e->stores || e->rc != TWX_OK) return;
    e->stores = twx_calloc(e->job->cx, e->set.n, sizeof *e->stores);
    if (!e->stores) e->rc = TWX_E_NOMEM;
    for (size_t i = 0; e->stores && i < e->set.n; i++)
        e->stores[i] = (twx_load_store){&e->set.at[i].job, &e->set.at[i].o};
}

static twx_criterion ask_precedence(explaining *e, twx_set_document first) {
    const twx_set_document this = {e->row.doc, e->store};
    twx_criterion by = TWX_BY_NOTHING;
    list_stores(e);
    if (!e->precedence)
        DO(e, twx_precedence_open(e->job, &e->set, e->stores, e->pins, &e->precedence));
    DO(e, twx_precedence_ask(e->precedence, first, this, &by));
    return by;
}

/* "2 share the text ..., represented by 7 https://... (larger score); others: 3, 9" */
static void explain_group(explaining *e, const twx_relation *relation, const twx_value *self) {
    const bool near = relation == twx_relation_at(TWX_RELATION_NEAR),
               alone = !twx_flag_known(&e->row, relation->rep);
    const int basis = near ? TWX_FLAG_near_sig : relation->sig; /* the field that is compared */
    const bool known = basis < 0 || twx_flag_known(&e->row, (twx_flag_column)basis);
    const int64_t rep = e->row.v[relation->rep];
    twx_set_document home = {0};
    if (relation->sig >= 0 && known) SAY(e, "signature %" PRId64 ": ", e->row.v[relation->sig]);
    if (alone) {
        current(e)->alone |= 1u << twx_relation_find(twx_slice_of(relation->name));
        SAY(e,
            known  ? "no other document has %s"
            : near ? "it has too few words (near.min_words): no document shares %s"
                   : "it has none of its own: no document shares %s",
            relation->what);
        add_line(e, relation->name);
        return;
    }
    const bool inside = resolve(e, rep, &home);
    SAY(e, "%" PRId64 " share %s; ", e->row.v[relation->count], relation->what);
    if (rep == e->row.doc) {
        SAY(e, "this one represents them");
    } else {
        SAY(e, "represented by ");
        say_document(e, rep);
        if (inside) SAY(e, " (%s)", twx_criterion_reason(ask_precedence(e, home)));
        if (near && twx_flag_known(&e->row, TWX_FLAG_near_similarity))
            SAY(e, ", similarity %.3f", (double)e->row.v[TWX_FLAG_near_similarity] / 1e6);
    }
    if (inside) say_members(e, relation->name, home, "; others: ", self);
    add_line(e, relation->name);
}

static void list_values(explaining *e) {
    char room[TWX_EDITION_NUMBER_TEXT];
    for (size_t i = 0; twx_flag_at(i); i++) {
        const twx_flag *flag = twx_flag_at(i);
        int64_t v = 0;
        const bool explained = flag->column == TWX_FLAG_eligibility ||
                               flag->column == TWX_FLAG_http_unique ||
                               flag->column == TWX_FLAG_www_unique ||
                               flag->kind == TWX_FLAG_IS_DOC || flag->column == TWX_FLAG_page_class;
        if (explained) continue;
        if (!twx_flag_value(flag, &e->row, &v))
            SAY(e, "NULL");
        else if (twx_flag_word(flag, v, room))
            SAY(e, "%s", twx_flag_word(flag, v, room));
        else
            SAY(e, "%" PRId64, v);
        add_line(e, flag->name);
    }
}

/* Which relations join the document to its cluster's representative directly; if none does, it is
 * joined through other documents of the cluster. */
static void explain_verdict(explaining *e) {
    const bool takes_part = e->row.v[TWX_FLAG_eligibility] == TWX_ELIGIBLE;
    const int64_t survivor = e->row.v[TWX_FLAG_duplicate_of];
    twx_value id = {.type = TWX_NULL};
    twx_set_document home;
    bool direct = false;
    if (!twx_flag_known(&e->row, TWX_FLAG_duplicate_of)) {
        SAY(e, "NULL: it %s", takes_part ? "is the survivor of its cluster" : "does not take part");
        add_line(e, "duplicate_of");
        return;
    }
    say_document(e, survivor);
    const bool inside = resolve(e, survivor, &home);
    if (inside) DO(e, twx_id_of(&e->set.at[home.store].o, home.doc, &id));
    if (e->rc == TWX_DONE) e->rc = TWX_OK; /* it is gone */
    DO(e, twx_arena_copy(e->job->cx, &e->arena, id.bytes, &id.bytes));
    current(e)->representative = id;
    for (size_t i = 0; i < TWX_RELATIONS; i++) {
        const twx_relation *relation = twx_relation_at(i);
        if (!twx_flag_known(&e->row, relation->rep) || e->row.v[relation->rep] != survivor)
            continue;
        SAY(e, "%s%s", direct ? ", " : "; joined by ", relation->name);
        direct = true;
    }
    if (e->row.v[TWX_FLAG_link_state] == TWX_LINK_HONOURED)
        SAY(e, "; its link leads there");
    else if (!direct)
        SAY(e, "; joined through other documents of the cluster");
    /* the criterion of verdict.order that made it the survivor */
    if (takes_part && inside)
        SAY(e, "; decided by %s", twx_criterion_name(ask_precedence(e, home)));
    add_line(e, "duplicate_of");
}

/* ---- pins --------------------------------------------------------------- */

typedef struct pin_lines {
    explaining *e;
    size_t n;
} pin_lines;

static twx_rc add_pin(void *arg, const char *text) {
    pin_lines *lines = arg;
    char key[32] = "pin";
    if (lines->n++) snprintf(key, sizeof key, "pin %zu", lines->n);
    SAY(lines->e, "%s", text);
    add_line(lines->e, key);
    return lines->e->rc;
}

/* ---- copies and siblings ------------------------------------------------ */

/* The document's representative in this relation; the document itself if it has none. */
static int64_t representative(const explaining *e, twx_flag_column rep) {
    return twx_flag_known(&e->row, rep) ? e->row.v[rep] : e->row.doc;
}

static void say_reason(explaining *e, const twx_source_row *row, int64_t other, bool copy) {
    const twx_lookup document = twx_lookup_of(row->value);
    twx_copy_answer answer = {.known = false};
    twx_set_document home;
    if (!resolve(e, other, &home)) return;
    list_stores(e);
    if (!e->check) DO(e, twx_copy_check_open(e->stores, e->set.n, &e->check)); /* all signatures */
    DO(e, twx_copy_check_stored(e->check, (twx_copy_place){e->store, e->row.doc},
                                (twx_copy_place){home.store, home.doc}, &answer));
    if (!answer.known || (answer.contained && answer.harmless) != copy) {
        SAY(e, "%s",
            !answer.known ? "; signed with other settings: run again to see why"
            : copy        ? "; the signatures are newer than the flags: run again"
                          : ", although its name is there: a pin or a translation keeps them "
                            "separate, or that document is a copy itself");
        return;
    }
    if (copy && answer.similarity == TWX_LEADERS_SAME)
        SAY(e, ": the same text");
    else if (copy && answer.similarity > 0)
        SAY(e, ": nearly the same text (%d %%)", (int)(answer.similarity / 10000));
    else if (copy)
        SAY(e, ": most of the same text");
    SAY(e, "%s", copy ? ", and " : ": ");
    DO(e, twx_copy_reason(e->check, &document, &answer, &e->line));
}

/* For a copy: the document that represents it, and the reason. For a sibling: why it is visible
 * although it is a near-duplicate. */
static void explain_copy(explaining *e, const twx_source_row *row) {
    const int64_t near = representative(e, TWX_FLAG_near_rep),
                  same = representative(e, TWX_FLAG_exact_rep),
                  copy = representative(e, TWX_FLAG_copy_rep);
    const bool is_copy = copy != e->row.doc, is_same = same != e->row.doc,
               hidden = twx_flag_known(&e->row, TWX_FLAG_duplicate_of);
    const int64_t other = is_copy ? copy : is_same ? same : near;
    if (other == e->row.doc) return;
    SAY(e, "%s%s", !is_copy && !hidden ? "visible: " : "",
        is_copy   ? "a copy of "
        : is_same ? "the same text as "
                  : "near-duplicate of ");
    say_document(e, other);
    if (!is_copy) SAY(e, ", but not a copy");
    say_reason(e, row, other, is_copy);
    add_line(e, is_copy ? "copy_of" : "sibling_of");
}

/* "edition 1.8 of a page; the newest is 2.1" */
static void explain_edition(explaining *e) {
    char own[TWX_EDITION_NUMBER_TEXT], newest[TWX_EDITION_NUMBER_TEXT];
    twx_flag_row row = {0};
    twx_set_document home;
    if (!twx_flag_known(&e->row, TWX_FLAG_edition_steps)) return;
    twx_edition_text(e->row.v[TWX_FLAG_edition_value], own);
    if (twx_flag_known(&e->row, TWX_FLAG_edition_rep) &&
        resolve(e, e->row.v[TWX_FLAG_edition_rep], &home)) {
        const twx_set_store *m = &e->set.at[home.store];
        DO(e, twx_flags_get(m->o.generations, m->state.generation, home.doc, &row));
    }
    twx_edition_text(row.v[TWX_FLAG_edition_value], newest);
    const bool is_newest = e->row.v[TWX_FLAG_edition_steps] == 0;
    SAY(e, "edition %s of a page; %s%s", own[0] ? own : "without a name",
        is_newest   ? "there is no newer one"
        : newest[0] ? "the newest is "
                    : "there is a newer one",
        is_newest ? "" : newest);
    add_line(e, "edition_of");
}

/* "the URL of 7 https://... but for: parameter sid of a.example/ changes nothing, 212 of 212" */
static void explain_parameters(explaining *e) {
    const int64_t other = representative(e, TWX_FLAG_parameters_rep);
    const twx_set_document here = {e->row.doc, e->store};
    twx_set_document there;
    if (other == e->row.doc || !e->parameters) return;
    SAY(e, "the URL of ");
    say_document(e, other);
    (void)resolve(e, other, &there);
    DO(e, twx_parameters_why(&e->set, e->parameters, here, there, &e->line));
    add_line(e, "parameters_of");
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
static void give_answer(explaining *e, const twx_value *self) {
    const twx_set_document here = {e->row.doc, e->store};
    const twx_eligibility why = (twx_eligibility)e->row.v[TWX_FLAG_eligibility];
    if (why != TWX_ELIGIBLE) {
        SAY(e, "does not take part: %s", twx_eligibility_text(why));
    } else if (twx_flag_known(&e->row, TWX_FLAG_duplicate_of)) {
        const int64_t survivor = e->row.v[TWX_FLAG_duplicate_of];
        SAY(e, "hidden: %s", what_it_is(e, survivor));
        say_document(e, survivor);
        SAY(e, ", which is shown");
    } else {
        const uint64_t like = e->row.known >> TWX_FLAG_exact_rep |
                              e->row.known >> TWX_FLAG_near_rep;
        say_members(e, "verdict", here, "shown: it represents ", self);
        if (e->line.n == 0)
            SAY(e, like & 1 ? "shown: documents with its text are other pages"
                            : "shown: no other document is a duplicate of it");
    }
    current(e)->answer = end_line(e, "");
}

/* ---- one document ------------------------------------------------------- */

static void explain_flags(explaining *e, const twx_source_row *row) {
    const twx_value *self = &row->value[TWX_COL_ID];
    pin_lines pins = {.e = e};
    give_answer(e, self);
    DO(e, twx_host_section_show(e->job->cx, e->job->settings, e->facts.host, &e->line));
    if (e->line.n) add_line(e, "section");
    if (e->pins)
        DO(e,
           twx_pins_each_of(e->job->cx, e->pins, e->facts.url_key, e->facts.url, add_pin, &pins));
    explain_eligibility(e);
    explain_page(e, row);
    explain_url_flag(e, "http_unique_b", TWX_FLAG_http_unique, TWX_RELATION_SCHEME);
    explain_url_flag(e, "www_unique_b", TWX_FLAG_www_unique, TWX_RELATION_WWW);
    list_values(e);
    explain_verdict(e);
    const bool member = e->row.v[TWX_FLAG_eligibility] == TWX_ELIGIBLE; /* others have no groups */
    for (size_t i = 0; member && i < TWX_RELATIONS; i++)
        /* skipped unless a near detector, or a model, was configured */
        if ((i != TWX_RELATION_NEAR || twx_flag_known(&e->row, TWX_FLAG_near_count)) &&
            (i != TWX_RELATION_PARAMETERS || twx_flag_known(&e->row, TWX_FLAG_parameters_count)))
            explain_group(e, twx_relation_at(i), self);
    if (member && twx_flag_known(&e->row, TWX_FLAG_copy_count)) explain_copy(e, row);
    explain_edition(e);
    explain_parameters(e);
}

static twx_rc explain_row(void *arg, const twx_source_row *row, bool *ret_enough) {
    explaining *e = arg;
    const twx_set_store *m = &e->set.at[e->store];
    const twx_value *id = &row->value[TWX_COL_ID];
    twx_arena *arena = &e->arena;
    int64_t doc = 0;
    (void)ret_enough;
    e->mentioned = 0;
    twx_explained d = {.url = row->value[TWX_COL_URL], .representative.type = TWX_NULL};
    DO(e, twx_listed_document_copy(e->job->cx, arena, id, d.url.bytes, &d.document));
    DO(e, twx_arena_copy(e->job->cx, arena, m->shard, &d.document.store));
    d.url.bytes = d.document.url;
    DO(e, TWX_VEC_PUSH(e->job->cx, &e->documents, d) ? TWX_OK : TWX_E_NOMEM);
    if (e->rc != TWX_OK) return e->rc;
    DO(e, twx_document_number(&m->o, id, &doc));
    DO(e, twx_flags_get(m->o.generations, m->state.generation, doc, &e->row));
    if (e->rc == TWX_DONE) {
        e->rc = TWX_OK;
        SAY(e, "none: it was added after the last run, or that run could not read it");
        add_line(e, "flags");
        return e->rc;
    }
    DO(e, twx_set_facts(&e->set, (twx_set_document){doc, e->store}, &e->facts_room, &e->facts));
    if (e->rc == TWX_OK) explain_flags(e, row);
    return e->rc;
}

static twx_rc explain_all(explaining *e, twx_slice url_or_id) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < e->set.n; i++) {
        e->store = (uint32_t)i;
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
    if (rc == TWX_DONE || (rc == TWX_OK && e->documents.n == 0))
        rc = twx_near_url_fail(&near, e->job, typed);
    twx_near_url_done(&near);
    return rc;
}

twx_rc twx_explain(const twx_job *job, const char *url_or_id, const twx_out *out) {
    explaining e = {.job = job, .line = {.max = LINE_BYTES}, .facts_room = {.max = 1 << 20}};
    twx_rc rc = twx_files_load(job, &e.pins, &e.parameters);
    if (rc == TWX_OK) rc = twx_pages_load(job, &e.pages);
    if (rc == TWX_OK) rc = twx_store_set_open(job, TWX_NEED_SOURCE, &e.set);
    if (rc == TWX_OK) rc = explain_all(&e, twx_slice_of(url_or_id));
    if (rc == TWX_OK && e.documents.n == 0) rc = explain_near(&e, url_or_id);
    if (rc == TWX_OK) rc = twx_store_set_kept(&e.set);
    twx_copy_check_close(e.check);
    twx_precedence_close(e.precedence);
    twx_free(e.stores);
    twx_buf_done(&e.facts_room);
    twx_buf_done(&e.line);
    twx_pins_close(e.pins);
    twx_parameters_close(e.parameters);
    twx_page_patterns_close(e.pages);
    twx_store_set_done(&e.set);
    if (rc == TWX_OK) rc = write_documents(out, e.documents.at, e.documents.n);
    for (size_t i = 0; i < e.documents.n; i++) {
        TWX_VEC_DONE(&e.documents.at[i].lines);
        TWX_VEC_DONE(&e.documents.at[i].mentions);
    }
    TWX_VEC_DONE(&e.documents);
    twx_arena_done(&e.arena);
    return rc;
}
