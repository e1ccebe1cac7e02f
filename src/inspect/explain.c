#include "inspect/explain.h"

#include <inttypes.h>
#include <stdio.h>

#include "detect/record.h"
#include "inspect/copy_check.h"
#include "job/detector_params.h"
#include "job/document_label.h"
#include "job/document_reader.h"
#include "job/pins_file.h"
#include "judge/flags.h"
#include "method/detectors.h"
#include "run/load.h"
#include "store/display.h"
#include "url/url_rules.h"

enum { MEMBERS_SHOWN = 6, LINE_BYTES = 1 << 22 };

typedef struct explaining {
    const twx_job *job;
    twx_explanation *result;
    twx_opened o;
    twx_state state;
    twx_preference preference;
    twx_flag_row row;
    twx_facts facts;
    uint64_t version;   /* of the document's title */
    twx_buf facts_room; /* holds facts.host */
    twx_pins *pins;     /* NULL: none */
    twx_copy_check *check;
} explaining;

/* ---- lines -------------------------------------------------------------- */

static twx_rc add_line(explaining *e, const char *key, const char *text) {
    return twx_explanation_add(e->job->cx, e->result, key, text);
}

static twx_rc add_buf(explaining *e, const char *key, const twx_buf *text) {
    return add_line(e, key, twx_buf_slice(text).p);
}

/* "42  https://..." */
static twx_rc add_document(explaining *e, int64_t doc, twx_buf *line) {
    return twx_add_document(&e->o, doc, line);
}

/* ---- rules -------------------------------------------------------------- */

/* The version in a title, as the total order compares it; 0: none. */
static uint64_t version_in(twx_ctx *cx, twx_slice keys) {
    twx_record_entry entry = {0};
    twx_name_words words = {0};
    if (twx_record_find(cx, keys, TWX_DETECTOR_NAME.id, &entry) == TWX_OK)
        twx_name_unpack(entry.payload, &words);
    /* a corrupt record has no version; the error is reported when the facts are read */
    twx_ctx_clear(cx);
    return words.version;
}

static twx_rc facts_of_doc(explaining *e, int64_t doc, twx_buf *room, twx_facts *ret_facts,
                           uint64_t *ret_version) {
    twx_stored stored;
    twx_rc rc = twx_signatures_get(e->o.signatures, doc, &stored);
    if (rc == TWX_DONE)
        return twx_fail(e->job->cx, TWX_E_DATA,
                        "%s: the signature of a document is missing: 'twindex run' makes it again",
                        twx_own_path(e->job));
    twx_buf_clear(room);
    if (rc == TWX_OK) *ret_version = version_in(e->job->cx, stored.keys);
    if (rc == TWX_OK) rc = twx_buf_add_slice(e->job->cx, room, stored.facts);
    return rc == TWX_OK ? twx_facts_unpack(e->job->cx, twx_buf_slice(room), ret_facts) : rc;
}

static uint32_t preferred(const explaining *e, const twx_facts *facts, const twx_buf *room) {
    if (!e->pins) return 0;
    return twx_pins_match(e->pins, facts->url_key, twx_facts_url(twx_buf_slice(room))).preferred;
}

/* The first criterion of the total order in which a and b differ. newer: a has the newer
 * version. */
static const char *why_before(const twx_facts *a, const twx_facts *b, bool newer,
                              const twx_preference *p) {
    static const char *const BY[] = {"lowest id", "larger score", "shorter URL", "older capture"};
    if (twx_has_preferred_scheme(a, p) != twx_has_preferred_scheme(b, p)) return "preferred scheme";
    if (twx_has_preferred_www(a, p) != twx_has_preferred_www(b, p)) return "preferred www form";
    if (p->newest && newer) return "newer version";
    for (size_t i = 0; i < TWX_CRITERIA && p->criteria[i] != TWX_BY_NOTHING; i++) {
        uint32_t known = p->criteria[i] == TWX_BY_SCORE ? TWX_FACT_SCORED : TWX_FACT_DATED;
        bool differ = p->criteria[i] == TWX_BY_URL_LENGTH ? a->url_length != b->url_length
                      : ((a->bits ^ b->bits) & known)     ? true
                      : !(a->bits & known)                ? false
                      : p->criteria[i] == TWX_BY_SCORE    ? a->score_order != b->score_order
                                                          : a->fetched_at != b->fetched_at;
        if (differ) return BY[p->criteria[i]];
    }
    return BY[0];
}

static twx_rc explain_eligibility(explaining *e) {
    twx_buf line;
    twx_buf_init(&line, LINE_BYTES);
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

static twx_rc explain_url_flag(explaining *e, const char *flag, twx_flag_column column,
                               twx_relation_id slot) {
    bool scheme = slot == TWX_RELATION_SCHEME;
    const twx_preference *p = &e->preference;
    bool preferred = scheme ? twx_has_preferred_scheme(&e->facts, p)
                            : twx_has_preferred_www(&e->facts, p);
    const char *form = scheme ? (p->https ? "https" : "http")
                              : (p->www ? "with www." : "without www.");
    char text[300];
    if (!twx_flag_known(&e->row, column)) return add_line(e, flag, "NULL: it does not take part");
    const char *reason = preferred          ? "this is the preferred form"
                         : e->row.v[column] ? "no twin of the preferred form takes part"
                                            : "a twin of the preferred form takes part";
    snprintf(text, sizeof text, "%d: %s (preferred: %s)", (int)e->row.v[column], reason, form);
    return add_line(e, flag, text);
}

typedef struct members {
    explaining *e;
    twx_buf *line;
    const twx_value *self;
    size_t n;
} members;

static twx_rc add_member(void *arg, const twx_value *columns, size_t n) {
    members *m = arg;
    (void)n;
    if (twx_value_hash(&columns[0], 0) == twx_value_hash(m->self, 0)) return TWX_OK;
    twx_rc rc = twx_buf_add_text(m->e->job->cx, m->line, m->n++ ? ", " : "; others: ");
    return rc == TWX_OK ? twx_value_print(m->e->job->cx, m->line, &columns[0]) : rc;
}

static twx_rc add_members(explaining *e, const char *detector, int64_t rep, const twx_value *self,
                          twx_buf *line) {
    twx_value id;
    twx_rc rc = twx_id_of(&e->o, rep, &id);
    if (rc != TWX_OK) return rc == TWX_DONE ? TWX_OK : rc;
    members m = {.e = e, .line = line, .self = self};
    const twx_value values[] = {{.type = TWX_TEXT, .bytes = twx_slice_of(detector)},
                                id,
                                {.type = TWX_INT, .i = MEMBERS_SHOWN}};
    const twx_display_query question = {
        .sql = twx_display_members(), .values = values, .n_values = TWX_COUNTOF(values)};
    return twx_display(e->o.writer, &question, add_member, &m);
}

/* Does the document have the field that these groups compare? */
static bool has_basis(const explaining *e, const twx_relation *slot) {
    int column = slot == twx_relation_at(TWX_RELATION_NEAR) ? TWX_FLAG_near_sig : slot->sig;
    return column < 0 || twx_flag_known(&e->row, (twx_flag_column)column);
}

/* "2 share the text ..., represented by 7 https://... (preferred scheme); others: 3, 9" */
static twx_rc explain_group(explaining *e, const twx_relation *slot, const twx_value *self) {
    twx_buf line, room;
    twx_facts rep_facts;
    uint64_t rep_version = 0;
    twx_ctx *cx = e->job->cx;
    twx_buf_init(&line, LINE_BYTES);
    twx_buf_init(&room, 1 << 20);
    bool alone = !twx_flag_known(&e->row, slot->rep);
    bool known = has_basis(e, slot);
    int64_t rep = e->row.v[slot->rep];
    twx_rc rc = TWX_OK;
    if (slot->sig >= 0 && known)
        rc = twx_buf_printf(cx, &line, "signature %" PRId64 ": ", e->row.v[slot->sig]);
    if (rc == TWX_OK && alone)
        rc = twx_buf_printf(cx, &line,
                            known ? "no other document has %s"
                            : slot == twx_relation_at(TWX_RELATION_NEAR)
                                ? "it has too few words (near.min_words): no document shares %s"
                                : "it has none of its own: no document shares %s",
                            slot->what);
    if (rc == TWX_OK && !alone)
        rc = twx_buf_printf(cx, &line, "%" PRId64 " share %s; ", e->row.v[slot->count], slot->what);
    if (rc == TWX_OK && !alone && rep == e->row.doc)
        rc = twx_buf_add_text(cx, &line, "this one represents them");
    if (rc == TWX_OK && !alone && rep != e->row.doc) {
        bool elsewhere = false;
        rc = twx_buf_add_text(cx, &line, "represented by ");
        if (rc == TWX_OK) rc = add_document(e, rep, &line);
        if (rc == TWX_OK) rc = twx_is_elsewhere(&e->o, rep, &elsewhere);
        if (rc == TWX_OK && !elsewhere) rc = facts_of_doc(e, rep, &room, &rep_facts, &rep_version);
        if (rc == TWX_OK && !elsewhere)
            rc = twx_buf_printf(
                cx, &line, " (%s)",
                preferred(e, &rep_facts, &room) != preferred(e, &e->facts, &e->facts_room)
                    ? "preferred by a pin"
                    : why_before(&rep_facts, &e->facts, rep_version > e->version, &e->preference));
    }
    if (rc == TWX_OK && !alone && slot == twx_relation_at(TWX_RELATION_NEAR) && rep != e->row.doc &&
        twx_flag_known(&e->row, TWX_FLAG_near_similarity))
        rc = twx_buf_printf(cx, &line, ", similarity %.3f",
                            (double)e->row.v[TWX_FLAG_near_similarity] / 1e6);
    if (rc == TWX_OK && !alone) rc = add_members(e, slot->name, rep, self, &line);
    if (rc == TWX_OK) rc = add_buf(e, slot->name, &line);
    twx_buf_done(&room);
    twx_buf_done(&line);
    return rc;
}

static twx_rc list_values(explaining *e) {
    char value[64];
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && twx_flag_at(i); i++) {
        const twx_flag *flag = twx_flag_at(i);
        int64_t v = 0;
        bool explained = flag->column == TWX_FLAG_eligibility ||
                         flag->column == TWX_FLAG_http_unique ||
                         flag->column == TWX_FLAG_www_unique || flag->kind == TWX_FLAG_IS_DOC;
        if (explained) continue;
        if (!twx_flag_value(flag, &e->row, &v))
            snprintf(value, sizeof value, "NULL");
        else if (flag->kind == TWX_FLAG_IS_TYPE)
            snprintf(value, sizeof value, "%s", twx_duplicate_type_name(v));
        else
            snprintf(value, sizeof value, "%" PRId64, v);
        rc = add_line(e, flag->name, value);
    }
    return rc;
}

/* Which relations join the document to its cluster's representative directly; if none does, it is
 * joined through other documents of the cluster. */
static twx_rc explain_verdict(explaining *e) {
    twx_buf line;
    bool direct = false;
    twx_rc rc = TWX_OK;
    twx_buf_init(&line, LINE_BYTES);
    if (!twx_flag_known(&e->row, TWX_FLAG_duplicate_of)) {
        bool takes_part = e->row.v[TWX_FLAG_eligibility] == TWX_ELIGIBLE;
        rc = add_line(e, "duplicate_of",
                      takes_part ? "NULL: it is the survivor of its cluster"
                                 : "NULL: it does not take part");
        twx_buf_done(&line);
        return rc;
    }
    int64_t survivor = e->row.v[TWX_FLAG_duplicate_of];
    rc = add_document(e, survivor, &line);
    for (size_t i = 0; rc == TWX_OK && i < TWX_RELATIONS; i++) {
        const twx_relation *slot = twx_relation_at(i);
        if (!twx_flag_known(&e->row, slot->rep) || e->row.v[slot->rep] != survivor) continue;
        rc = twx_buf_printf(e->job->cx, &line, "%s%s", direct ? ", " : "; joined by ", slot->name);
        direct = true;
    }
    if (rc == TWX_OK && e->row.v[TWX_FLAG_link_state] == TWX_LINK_HONOURED)
        rc = twx_buf_add_text(e->job->cx, &line, "; its link leads there");
    else if (rc == TWX_OK && !direct)
        rc = twx_buf_add_text(e->job->cx, &line, "; joined through other documents of the cluster");
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

static twx_slice bytes_in(const twx_source_row *row, twx_column column) {
    const twx_value *v = &row->value[column];
    return v->type == TWX_TEXT || v->type == TWX_BLOB ? v->bytes : (twx_slice){NULL, 0};
}

/* The document's representative in this relation; the document itself if it has none. */
static int64_t representative(const explaining *e, twx_flag_column rep) {
    return twx_flag_known(&e->row, rep) ? e->row.v[rep] : e->row.doc;
}

static twx_rc add_reason(explaining *e, const twx_source_row *row, int64_t other, bool copy,
                         twx_buf *line) {
    const twx_copy_document document = {.url = bytes_in(row, TWX_COL_URL),
                                        .title = bytes_in(row, TWX_COL_TITLE),
                                        .headings = bytes_in(row, TWX_COL_HEADINGS),
                                        .text = bytes_in(row, TWX_COL_TEXT)};
    twx_ctx *cx = e->job->cx;
    twx_copy_answer answer;
    bool elsewhere = false;
    twx_rc rc = twx_is_elsewhere(&e->o, other, &elsewhere);
    if (rc != TWX_OK || elsewhere) return rc;
    if (!e->check) rc = twx_copy_check_open(e->job, &e->o, &e->check);
    if (rc == TWX_OK) rc = twx_copy_check_stored(e->check, e->row.doc, other, &answer);
    if (rc != TWX_OK) return rc;
    if (!answer.known || answer.contained != copy)
        return twx_buf_add_text(cx, line,
                                !answer.known ? "; signed with other settings: run again to see why"
                                : copy ? "; the signatures are newer than the flags: run again"
                                       : ", although its name is there: a pin or a translation "
                                         "keeps them separate, or that document is a copy itself");
    if (copy && answer.similarity >= 0)
        rc = twx_buf_printf(cx, line, " (%d %%)", (int)(answer.similarity / 10000));
    if (rc == TWX_OK) rc = twx_buf_add_text(cx, line, copy ? ", and " : ": ");
    return rc == TWX_OK ? twx_copy_reason(e->check, &document, &answer, line) : rc;
}

/* For a copy: the document that represents it, and the reason. For a sibling: why it is visible
 * although it is a near-duplicate. */
static twx_rc explain_copy(explaining *e, const twx_source_row *row) {
    const int64_t near = representative(e, TWX_FLAG_near_rep),
                  copy = representative(e, TWX_FLAG_copy_rep);
    const bool is_copy = copy != e->row.doc,
               hidden = twx_flag_known(&e->row, TWX_FLAG_duplicate_of);
    const char *begin = is_copy  ? hidden ? "hidden behind " : "a copy of "
                        : hidden ? "near-duplicate of "
                                 : "visible: near-duplicate of ";
    twx_ctx *cx = e->job->cx;
    twx_buf line;
    if (!is_copy && near == e->row.doc) return TWX_OK;
    twx_buf_init(&line, LINE_BYTES);
    twx_rc rc = twx_buf_add_text(cx, &line, begin);
    if (rc == TWX_OK) rc = add_document(e, is_copy ? copy : near, &line);
    if (rc == TWX_OK)
        rc = twx_buf_add_text(cx, &line, is_copy ? ": nearly the same text" : ", but not a copy");
    if (rc == TWX_OK) rc = add_reason(e, row, is_copy ? copy : near, is_copy, &line);
    if (rc == TWX_OK) rc = add_buf(e, is_copy ? "copy_of" : "sibling_of", &line);
    twx_buf_done(&line);
    return rc;
}

/* ---- one document ------------------------------------------------------- */

static twx_rc explain_row(void *arg, const twx_source_row *row, bool *ret_enough) {
    explaining *e = arg;
    int64_t doc = 0;
    (void)ret_enough;
    twx_rc rc = twx_explanation_begin(e->job->cx, e->result, &row->value[TWX_COL_ID],
                                      &row->value[TWX_COL_URL]);
    twx_rc numbered = twx_document_number(&e->o, &row->value[TWX_COL_ID], &doc);
    if (rc == TWX_OK && numbered == TWX_OK)
        numbered = twx_flags_get(e->o.generations, e->state.generation, doc, &e->row);
    if (rc == TWX_OK && numbered == TWX_DONE)
        return add_line(e, "flags",
                        "none: it was added after the last run, or that run could not read it");
    if (rc == TWX_OK) rc = numbered;
    if (rc == TWX_OK) rc = facts_of_doc(e, doc, &e->facts_room, &e->facts, &e->version);
    if (rc == TWX_OK) rc = list_pins(e);
    if (rc == TWX_OK) rc = explain_eligibility(e);
    if (rc == TWX_OK)
        rc = explain_url_flag(e, "http_unique_b", TWX_FLAG_http_unique, TWX_RELATION_SCHEME);
    if (rc == TWX_OK)
        rc = explain_url_flag(e, "www_unique_b", TWX_FLAG_www_unique, TWX_RELATION_WWW);
    if (rc == TWX_OK) rc = list_values(e);
    if (rc == TWX_OK) rc = explain_verdict(e);
    bool member = e->row.v[TWX_FLAG_eligibility] == TWX_ELIGIBLE; /* others have no groups */
    for (size_t i = 0; rc == TWX_OK && member && i < TWX_RELATIONS; i++)
        /* skipped unless a near detector was configured */
        if (i != TWX_RELATION_NEAR || twx_flag_known(&e->row, TWX_FLAG_near_count))
            rc = explain_group(e, twx_relation_at(i), &row->value[TWX_COL_ID]);
    if (rc == TWX_OK && member && twx_flag_known(&e->row, TWX_FLAG_copy_count))
        rc = explain_copy(e, row);
    return rc;
}

static twx_rc load_pins(explaining *e) {
    twx_params params;
    twx_url_rules *rules = NULL;
    twx_rc rc = twx_params_make(e->job, &params, &rules);
    if (rc == TWX_OK) rc = twx_pins_load(e->job, &params.url, &e->pins);
    twx_url_rules_close(rules);
    return rc;
}

twx_rc twx_explain(const twx_job *job, const char *url_or_id, twx_explanation *ret_explanation) {
    explaining e = {.job = job, .result = ret_explanation};
    e.preference = (twx_preference){.https = job->settings->prefer_https,
                                    .www = job->settings->prefer_www,
                                    .newest = job->settings->copy_versions == TWX_VERSIONS_NEWEST};
    twx_buf_init(&e.facts_room, 1 << 20);
    twx_rc rc = twx_criteria_parse(job->cx, twx_slice_of(job->settings->verdict_order),
                                   e.preference.criteria);
    if (rc == TWX_OK) rc = load_pins(&e);
    if (rc == TWX_OK) rc = twx_open_store(job, TWX_NEED_SOURCE | TWX_NEED_RESULTS, &e.o);
    if (rc == TWX_OK) rc = twx_state_read(e.o.generations, &e.state);
    if (rc == TWX_OK && !e.state.generation)
        rc = twx_fail(job->cx, TWX_E_DATA, "%s: no run has published flags yet", twx_own_path(job));
    if (rc == TWX_OK) rc = twx_source_find(e.o.source, twx_slice_of(url_or_id), explain_row, &e);
    if (rc == TWX_OK) rc = twx_result_kept(job, &e.o, &e.state);
    if (rc == TWX_DONE)
        rc = twx_fail(job->cx, TWX_E_NOTFOUND,
                      "%s: no document has the id or the URL '%.300s' (the URL as it is stored)",
                      job->store, url_or_id);
    twx_copy_check_close(e.check);
    twx_buf_done(&e.facts_room);
    twx_pins_close(e.pins);
    twx_opened_done(&e.o);
    return rc;
}
