#include "run/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "judge/judge.h"
#include "sign/sign.h"
#include "store/store.h"

/* ==== ledger */

json_t *twx_ledger_settings(const twx_settings *s, const twx_judge_options *o) {
    json_t *scopes = json_object();
    for (size_t i = 0; i < TWX_RELATIONS; i++) {
        static const char *const NAMES[] = {"store", "domain", "host"};
        if (o->detectors[i])
            json_object_set_new(scopes, twx_relation_at(i)->name, json_string(NAMES[o->scope[i]]));
    }
    json_t *pins = json_null();
    if (o->pins) {
        char fingerprint[24];
        snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, twx_pins_fingerprint(o->pins));
        pins = json_pack("{s:o, s:s}", "file", twx_json_slice(twx_slice_of(twx_pins_path(o->pins))),
                         "fingerprint", fingerprint);
    }
    static const char *const WWW[] = {"no", "yes", "auto"};
    const uint32_t *profile = s->methods.of[TWX_DETECTOR_PROFILE.id];
    json_t *near = json_pack("{s:s, s:i, s:i, s:i}", "detector", s->near_detector, "min_words",
                             (int)s->near_min_words, "candidates", (int)s->near_candidates, "join",
                             (int)s->near_join);
    json_t *copy = json_pack("{s:s, s:i, s:i, s:i, s:o}", "versions",
                             s->copy_versions == TWX_VERSIONS_NEWEST ? "newest" : "separate",
                             "margin_ppm", (int)s->copy_margin_ppm, "common_ppm",
                             (int)s->copy_common_ppm, "site_ppm", (int)s->copy_site_ppm, "ignore",
                             twx_json_text(s->copy_ignore ? s->copy_ignore : ""));
    return json_pack("{s:s, s:o, s:s, s:b, s:s, s:i, s:i, s:i, s:i, s:o, s:o, s:o}",
                     "verdict.relations", s->verdict_relations, "verdict.pins", pins,
                     "verdict.order", s->verdict_order, "preferhttps", s->prefer_https,
                     "preferwwwprefix", WWW[s->prefer_www], "fuzzy.min_token_len",
                     (int)profile[TWX_PROFILE_MIN_TOKEN_LEN], "fuzzy.quant_rate_ppm",
                     (int)profile[TWX_PROFILE_QUANT_RATE], "url.steps", (int)s->url_steps,
                     "canonical.collapse_min", (int)s->canonical_collapse_min, "near", near, "copy",
                     copy, "scope", scopes);
}

/* ==== silent_changes */

enum { DOCS = 1000, NAMED = 3, LINE_BYTES = 1 << 20, SHOWN_BYTES = 180 };

static int by_value(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Leaves out the documents that are queued, also since the comparison began. */
static twx_rc drop_queued(twx_opened *o, twx_docs *differ) {
    int64_t docs[DOCS], after = INT64_MIN;
    size_t n = DOCS, kept = 0, at = 0;
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && o->changes && n == DOCS && differ->n) {
        rc = twx_changes_list(o->changes, INT64_MAX, after, docs, DOCS, &n);
        for (size_t i = 0; rc == TWX_OK && i < n; i++) {
            after = docs[i];
            while (at < differ->n && differ->at[at] < after) differ->at[kept++] = differ->at[at++];
            at += at < differ->n && differ->at[at] == after;
        }
    }
    while (at < differ->n) differ->at[kept++] = differ->at[at++];
    differ->n = kept;
    return rc;
}

static twx_rc name_first(twx_opened *o, const twx_docs *differ, twx_silent_changes *ret) {
    twx_buf line;
    size_t at = 0;
    twx_rc rc = TWX_OK;
    twx_buf_init(&line, LINE_BYTES);
    ret->n = differ->n;
    ret->first[0] = '\0';
    for (size_t i = 0; rc == TWX_OK && i < differ->n && i < NAMED; i++) {
        twx_buf_clear(&line);
        rc = twx_add_document(o, differ->at[i], &line);
        if (rc == TWX_OK)
            at += (size_t)snprintf(ret->first + at, sizeof ret->first - at, "%s%.*s", i ? ", " : "",
                                   SHOWN_BYTES, line.p);
    }
    if (differ->n > NAMED) snprintf(ret->first + at, sizeof ret->first - at, ", ...");
    twx_buf_done(&line);
    return rc;
}

static twx_rc is_comparable(twx_opened *o, const twx_sign_plan *plan, bool *ret_is) {
    twx_state state = {0};
    *ret_is = false;
    if (!plan->queued || !o->generations || !o->signatures) return TWX_OK;
    const twx_rc rc = twx_state_read(o->generations, &state);
    *ret_is = state.has_fingerprint && state.fingerprint == plan->fingerprint;
    return rc;
}

twx_rc twx_silent_changes_find(const twx_job *job, twx_opened *o, const twx_sign_plan *plan,
                               twx_silent_changes *ret) {
    twx_sign_plan look = *plan; /* borrows what the other owns */
    twx_sign_counts counts;
    twx_docs differ = {0};
    bool is = false;
    look.full = look.look = true;
    *ret = (twx_silent_changes){0};
    twx_rc rc = is_comparable(o, plan, &is);
    if (rc == TWX_OK && is) rc = twx_sign(job, o, &look, &differ, &counts);
    if (differ.n) qsort(differ.at, differ.n, sizeof *differ.at, by_value);
    if (rc == TWX_OK) rc = drop_queued(o, &differ);
    if (rc == TWX_OK) rc = name_first(o, &differ, ret);
    TWX_VEC_DONE(&differ);
    return rc;
}

twx_rc twx_queue_agrees(twx_opened *o, const twx_sign_plan *plan, bool *ret_agree) {
    bool is = false;
    *ret_agree = true;
    twx_rc rc = o->mapping.where || plan->feed != TWX_FEED_TRIGGER ? TWX_OK
                                                                   : is_comparable(o, plan, &is);
    return rc == TWX_OK && is ? twx_changes_agree(o->reader, ret_agree) : rc;
}

/* ==== remote_changes */

twx_rc twx_remote_changes_init(const twx_remote_rows *rows, twx_db *db, char generation,
                               twx_remote_changes *ret_changes) {
    twx_remote_changes c = {.end = !rows};
    twx_rc rc = TWX_OK;
    if (rows) {
        c.rows = *rows;
        rc = rows->rewind(rows->arg);
    }
    if (rc == TWX_OK) rc = twx_remotes_cursor_init(db, generation, &c.stored);
    if (rc == TWX_OK) *ret_changes = c;
    return rc;
}

void twx_remote_changes_done(twx_remote_changes *changes) {
    twx_remotes_cursor_done(&changes->stored);
}

static twx_rc read_fresh_remote(twx_remote_changes *c) {
    if (c->waits || c->end) return TWX_OK;
    const twx_rc rc = c->rows.next(c->rows.arg, &c->fresh);
    c->waits = rc == TWX_OK;
    c->end = rc == TWX_DONE;
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* The next difference; *ret_same: a row that is stored as it should be. */
static twx_rc next_remote_pair(twx_remote_changes *c, twx_remote_change *ret_change,
                               bool *ret_same) {
    const twx_remote *stored = NULL;
    *ret_same = false;
    twx_rc rc = read_fresh_remote(c);
    if (rc == TWX_OK) rc = twx_remotes_cursor_read(&c->stored, &stored);
    if (rc != TWX_OK) return rc;
    if (!stored && !c->waits) return TWX_DONE;
    if (stored && (!c->waits || stored->doc < c->fresh.doc)) {
        *ret_change = (twx_remote_change){.doc = stored->doc};
        twx_remotes_cursor_move(&c->stored);
        return TWX_OK;
    }
    if (stored && stored->doc == c->fresh.doc) {
        *ret_same = twx_remote_eq(stored, &c->fresh);
        twx_remotes_cursor_move(&c->stored);
    }
    c->given = c->fresh;
    c->waits = false;
    *ret_change = (twx_remote_change){.doc = c->given.doc, .fresh = &c->given};
    return TWX_OK;
}

twx_rc twx_remote_changes_next(twx_remote_changes *c, twx_remote_change *ret_change) {
    bool same = false;
    twx_rc rc = TWX_OK;
    do rc = next_remote_pair(c, ret_change, &same);
    while (rc == TWX_OK && same);
    return rc;
}

/* ==== flag_changes */

enum { ASK_EVERY = 4096 /* documents between two checks of the cancel flag */ };

static int by_doc(const void *a, const void *b, void *arg) {
    const twx_doc_table *p = arg;
    int64_t x = p->at.at[*(const uint32_t *)a].doc, y = p->at.at[*(const uint32_t *)b].doc;
    return (x > y) - (x < y);
}

static twx_rc make_room(twx_ctx *cx, twx_judged *const *judged, size_t n) {
    for (size_t m = 0; m < n; m++) {
        judged[m]->by_doc = twx_malloc(cx, (judged[m]->n + 1) * sizeof *judged[m]->by_doc);
        if (!judged[m]->by_doc) return TWX_E_NOMEM;
        judged[m]->n = 0;
    }
    return TWX_OK;
}

/* Lists the documents of each store, and sorts those whose numbers do not ascend with their ids. */
static void list_documents(const twx_doc_table *p, twx_judged *const *judged, size_t n) {
    for (size_t i = 0; i < p->at.n; i++) {
        twx_judged *of = judged[p->at.at[i].member];
        of->by_doc[of->n++] = (uint32_t)i;
    }
    for (size_t m = 0; m < n; m++) {
        const uint32_t *order = judged[m]->by_doc;
        bool ordered = true;
        for (size_t k = 1; k < judged[m]->n; k++)
            ordered &= p->at.at[order[k - 1]].doc < p->at.at[order[k]].doc;
        if (!ordered)
            qsort_r(judged[m]->by_doc, judged[m]->n, sizeof *order, by_doc, (void *)(uintptr_t)p);
    }
}

twx_rc twx_judged_order(twx_ctx *cx, const twx_judgement *j, const twx_judge_options *options,
                        twx_judged *const *ret_judged, size_t n) {
    const twx_doc_table *p = &j->docs;
    bool ordered = n == 1;
    for (size_t m = 0; m < n; m++) *ret_judged[m] = (twx_judged){.j = j, .options = options};
    for (size_t i = 0; i < p->at.n; i++) {
        ret_judged[p->at.at[i].member]->n++;
        ordered &= i == 0 || p->at.at[i - 1].doc < p->at.at[i].doc;
    }
    if (ordered) return TWX_OK;
    const twx_rc rc = make_room(cx, ret_judged, n);
    if (rc == TWX_OK) list_documents(p, ret_judged, n);
    return rc;
}

void twx_judged_done(twx_judged *judged) {
    twx_free(judged->by_doc);
    judged->by_doc = NULL;
}

/* Withdrawn documents have no flags. */
static twx_rc next_judged(void *arg, twx_flag_row *ret_row, uint32_t *ret_index) {
    twx_judged *judged = arg;
    while (judged->at < judged->n) {
        const uint32_t index = twx_judged_index(judged, judged->at++);
        if (twx_is_withdrawn(judged->j, index)) continue;
        twx_judged_row(judged->j, judged->options, index, ret_row);
        *ret_index = index;
        return TWX_OK;
    }
    return TWX_DONE;
}

static twx_rc rewind_judged(void *arg) {
    twx_judged *judged = arg;
    judged->at = 0;
    return TWX_OK;
}

static int64_t doc_at(const twx_judged *judged, size_t at) {
    return judged->j->docs.at.at[twx_judged_index(judged, at)].doc;
}

static twx_rc find_judged(void *arg, int64_t doc, twx_flag_row *ret_row) {
    twx_judged *judged = arg;
    uint32_t index = 0;
    while (judged->at < judged->n && doc_at(judged, judged->at) < doc) judged->at++;
    if (judged->at == judged->n || doc_at(judged, judged->at) != doc ||
        twx_is_withdrawn(judged->j, twx_judged_index(judged, judged->at)))
        return TWX_DONE;
    return next_judged(judged, ret_row, &index);
}

twx_flag_rows twx_judged_rows(twx_judged *judged) {
    return (twx_flag_rows){judged, rewind_judged, next_judged, find_judged};
}

/* ---- comparing ---------------------------------------------------------- */

twx_rc twx_flag_changes_init(twx_ctx *cx, const twx_flag_rows *rows, twx_generations *g,
                             char generation, twx_flag_changes *ret_changes) {
    *ret_changes = (twx_flag_changes){.cx = cx, .rows = *rows};
    twx_rc rc = rows->rewind(rows->arg);
    return rc == TWX_OK ? twx_flags_cursor_init(cx, g, generation, &ret_changes->stored) : rc;
}

void twx_flag_changes_done(twx_flag_changes *changes) {
    twx_flags_cursor_done(&changes->stored);
}

static twx_rc read_fresh(twx_flag_changes *c) {
    if (c->waits || c->end) return TWX_OK;
    const twx_rc rc = c->rows.next(c->rows.arg, &c->fresh, &c->index);
    c->waits = rc == TWX_OK;
    c->end = rc == TWX_DONE;
    if (rc != TWX_OK) return rc == TWX_DONE ? TWX_OK : rc;
    return ++c->n_read % ASK_EVERY == 0 ? twx_cancelled(c->cx) : TWX_OK;
}

/* The next pair of rows with the same doc, one of which may be missing. TWX_DONE: there is none. */
static twx_rc next_pair(twx_flag_changes *c, twx_flag_change *ret_pair) {
    const twx_flag_row *stored = NULL;
    twx_rc rc = read_fresh(c);
    if (rc == TWX_OK) rc = twx_flags_cursor_read(&c->stored, &stored);
    if (rc != TWX_OK) return rc;
    bool fresh = c->waits;
    if (!stored && !fresh) return TWX_DONE;
    if (stored && fresh) {
        if (c->fresh.doc < stored->doc)
            stored = NULL;
        else if (c->fresh.doc > stored->doc)
            fresh = false;
    }
    *ret_pair = (twx_flag_change){.stored = stored, .index = TWX_NO_DOCUMENT};
    if (stored) twx_flags_cursor_move(&c->stored);
    if (!fresh) return TWX_OK;
    c->given = c->fresh;
    c->waits = false;
    ret_pair->fresh = &c->given;
    ret_pair->index = c->index;
    return TWX_OK;
}

twx_rc twx_flag_changes_next(twx_flag_changes *c, twx_flag_change *ret_change) {
    twx_flag_change pair = {0};
    twx_rc rc = TWX_OK;
    do rc = next_pair(c, &pair);
    while (rc == TWX_OK && pair.stored && pair.fresh && twx_flag_row_eq(pair.stored, pair.fresh));
    if (rc == TWX_OK) *ret_change = pair;
    return rc;
}

/* ==== unchanged */

uint64_t twx_judged_fingerprint(const twx_members *members) {
    uint64_t f = twx_mix64(twx_hash64(twx_slice_of(TWINDEX_VERSION), 0), TWX_JUDGE_VERSION);
    for (size_t i = 0; i < members->at.n; i++) {
        const twx_member *m = members->at.at[i];
        if (m->shard.p) f = twx_mix64(f, twx_hash64(m->shard, 0));
        f = twx_mix64(f, m->sign.fingerprint);
    }
    return twx_mix64(f, twx_settings_fingerprint(members->job->settings));
}

bool twx_is_one_result(const twx_members *members) {
    const size_t n = members->at.n;
    int64_t run = 0;
    for (size_t i = 0; i < n; i++) {
        const twx_member *m = members->at.at[i];
        if (!m->state.generation) return false;
        const int64_t of = m->place.run[m->state.generation == 'b'];
        if (n > 1 && (of == 0 || (i > 0 && of != run))) return false;
        run = of;
    }
    return true;
}

/* ret_counts: of the ledger; none: they, or the fingerprint, are not known. */
static twx_rc read_judged(twx_generations *g, uint64_t *ret_stored, twx_buf *ret_counts) {
    twx_buf_clear(ret_counts);
    const twx_rc rc = twx_state_judged(g, ret_stored, ret_counts);
    if (rc == TWX_DONE) twx_buf_clear(ret_counts);
    return rc == TWX_DONE ? TWX_OK : rc;
}

twx_rc twx_is_judged(const twx_members *members, const twx_judge_plan *plan, uint64_t fingerprint,
                     bool *ret_judged, twx_summary *ret_summary) {
    twx_ctx *cx = members->job->cx;
    bool judged = !plan->pins && twx_is_one_result(members);
    twx_rc rc = TWX_OK;
    twx_buf counts;
    twx_buf_init(&counts, SIZE_MAX - 1);
    for (size_t i = 0; rc == TWX_OK && judged && i < members->at.n; i++) {
        uint64_t stored = 0;
        rc = read_judged(members->at.at[i]->o.generations, &stored, &counts);
        if (rc == TWX_OK) rc = twx_summary_unpack(cx, twx_buf_slice(&counts), ret_summary, &judged);
        judged = judged && stored == fingerprint;
    }
    twx_buf_done(&counts);
    *ret_judged = rc == TWX_OK && judged;
    return rc;
}

static twx_rc keep(const twx_member *m, uint64_t fingerprint, twx_slice counts) {
    uint64_t stored = 0;
    twx_buf published;
    twx_buf_init(&published, SIZE_MAX - 1);
    twx_rc rc = twx_turn_begin(m->o.writer);
    if (rc == TWX_OK) rc = read_judged(m->o.generations, &stored, &published);
    if (rc == TWX_OK && counts.n && twx_slice_eq(twx_buf_slice(&published), counts))
        rc = twx_state_set_judged(m->o.generations, &fingerprint);
    twx_buf_done(&published);
    return twx_turn_end(m->o.writer, rc, false);
}

twx_rc twx_keep_judged(const twx_members *members, uint64_t fingerprint,
                       const twx_summary *summary) {
    twx_buf counts;
    twx_buf_init(&counts, TWX_COUNTS_BYTES);
    twx_rc rc = twx_summary_pack(members->job->cx, summary, &counts);
    for (size_t i = 0; rc == TWX_OK && i < members->at.n; i++)
        rc = keep(members->at.at[i], fingerprint, twx_buf_slice(&counts));
    twx_buf_done(&counts);
    return rc;
}
