#include "run/internal.h"

/* ==== count_changes */

typedef struct counting {
    twx_ctx *cx;
    const twx_doc_set *j;
    twx_summary *summary;
    uint64_t *by_host;       /* changed flags, by index of the host; NULL: not counted */
    twx_change_notes *notes; /* NULL: not listed */
    twx_docs *differ;        /* gets the documents with changes; NULL: not wanted */
} counting;

/* As twx_is_hidden(), of a row; NULL: the document has no flags. */
static bool is_hidden(const twx_flag_row *row) {
    return row && row->v[TWX_FLAG_eligibility] == TWX_ELIGIBLE &&
           twx_flag_known(row, TWX_FLAG_duplicate_of);
}

static twx_rc count(counting *c, const twx_flag_change *change) {
    twx_summary *s = c->summary;
    s->changed++;
    s->hidden_before += is_hidden(change->stored);
    s->hidden_before -= is_hidden(change->fresh);
    for (size_t i = 0; i < TWX_FLAGS; i++) {
        if (!twx_flag_differs(twx_flag_at(i), change->stored, change->fresh)) continue;
        s->changed_flags[i]++;
        if (c->by_host && change->fresh) c->by_host[c->j->docs.at.at[change->index].host]++;
    }
    if (c->differ &&
        !TWX_VEC_PUSH(c->cx, c->differ, change->fresh ? change->fresh->doc : change->stored->doc))
        return TWX_E_NOMEM;
    return c->notes ? twx_change_note(c->notes, change->stored, change->fresh) : TWX_OK;
}

TWX_ORDER(by_changed_flags, twx_host_flag_changes,
          TWX_DOWN_THEN(changed_flags, strcmp(a->host, b->host)))

static twx_rc list_hosts(counting *c) {
    const twx_doc_table *p = &c->j->docs;
    TWX_VEC(twx_host_flag_changes) all = {0};
    twx_rc rc = TWX_OK;
    for (size_t h = 0; rc == TWX_OK && h < p->hosts.n; h++) {
        twx_host_flag_changes row = {
            .host = twx_strndup(c->cx, p->hosts.at[h].name, p->hosts.at[h].name_length),
            .changed_flags = c->by_host[h]};
        if (!row.host || !TWX_VEC_PUSH(c->cx, &all, row)) {
            rc = TWX_E_NOMEM;
            twx_free(row.host);
        }
    }
    for (uint32_t i = 0; rc == TWX_OK && i < p->at.n; i++) {
        all.at[p->at.at[i].host].documents++;
        all.at[p->at.at[i].host].hidden += twx_is_hidden(c->j, i);
    }
    if (rc == TWX_OK && all.n) qsort(all.at, all.n, sizeof *all.at, by_changed_flags);
    for (size_t h = 0; h < all.n; h++) {
        bool shown = rc == TWX_OK && all.at[h].changed_flags > 0;
        if (shown && !TWX_VEC_PUSH(c->cx, &c->summary->hosts, all.at[h])) rc = TWX_E_NOMEM;
        if (!shown || rc != TWX_OK) twx_free(all.at[h].host);
    }
    TWX_VEC_DONE(&all);
    return rc;
}

static twx_rc count_store(counting *c, twx_run_store *m) {
    twx_flag_changes changes;
    twx_flag_change change;
    const twx_flag_rows rows = twx_judged_rows(&m->judged);
    const uint64_t before = c->summary->changed;
    m->differ.n = 0;
    c->differ = m->state.generation && !m->options->dry_run ? &m->differ : NULL;
    twx_rc rc = twx_flag_changes_init(c->cx, &rows, twx_run_store_published(m), m->state.generation,
                                      &changes);
    while (rc == TWX_OK) {
        rc = twx_flag_changes_next(&changes, &change);
        if (rc == TWX_OK) rc = count(c, &change);
    }
    twx_flag_changes_done(&changes);
    m->changed = c->summary->changed - before;
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc count_all(counting *c, twx_run_stores *all) {
    twx_rc rc = TWX_OK;
    for (size_t m = 0; rc == TWX_OK && m < all->at.n; m++) {
        if (c->notes) c->notes->store = (uint16_t)m;
        rc = count_store(c, all->at.at[m]);
    }
    return rc;
}

static twx_rc list_changes(counting *c, twx_run_stores *all, const twx_judge_options *how) {
    twx_listing_store *stores = twx_calloc(c->cx, all->at.n, sizeof *stores);
    if (!stores) return TWX_E_NOMEM;
    for (size_t i = 0; i < all->at.n; i++) {
        twx_run_store *m = all->at.at[i];
        stores[i] = (twx_listing_store){&m->o, twx_run_store_published_db(m), m->shard};
    }
    const twx_listing where = {.stores = stores, .j = c->j, .pins = how->pins};
    const twx_rc rc = twx_change_notes_list(c->notes, &where, &c->summary->changes);
    twx_free(stores);
    return rc;
}

twx_rc twx_count_changes(twx_run_stores *all, const twx_doc_set *j, const twx_judge_options *how,
                         twx_summary *ret_summary) {
    const twindex_run_options *options = all->options;
    twx_ctx *cx = all->job->cx;
    twx_summary *summary = ret_summary;
    twx_change_notes notes = {.cx = cx, .relations = how->relations, .limit = options->limit};
    counting c = {.cx = cx, .j = j, .summary = summary, .notes = options->list ? &notes : NULL};
    summary->changed = 0;
    summary->hidden_before = summary->hidden; /* count() subtracts the differences */
    memset(summary->changed_flags, 0, sizeof summary->changed_flags);
    summary->listed = options->list;
    if (options->dry_run) {
        c.by_host = twx_calloc(cx, j->docs.hosts.n, sizeof *c.by_host);
        if (!c.by_host) return TWX_E_NOMEM;
    }
    twx_rc rc = count_all(&c, all);
    if (rc == TWX_OK) rc = twx_doc_set_error(cx, j);
    if (rc == TWX_OK && c.by_host) rc = list_hosts(&c);
    if (rc == TWX_OK && options->list) rc = list_changes(&c, all, how);
    twx_change_notes_done(&notes);
    twx_free(c.by_host);
    return rc;
}

/* ==== list_changes */

enum { TEXT_BYTES = 1 << 21 };

/* ---- what has changed --------------------------------------------------- */

static bool is_shown(const twx_flag_row *row) {
    return row->v[TWX_FLAG_eligibility] == TWX_ELIGIBLE &&
           !twx_flag_known(row, TWX_FLAG_duplicate_of);
}

/* False: the change is not listed. */
static bool kind_of(const twx_flag_row *was, const twx_flag_row *is, twx_change_kind *ret_kind) {
    const bool hidden = is && twx_flag_known(is, TWX_FLAG_duplicate_of);
    /* a new document that takes no part was never shown */
    const bool shown_before = was ? is_shown(was) : hidden;
    if (!is) {
        *ret_kind = TWX_GONE;
        return is_shown(was);
    }
    const bool shown = is_shown(is);
    *ret_kind = shown ? TWX_NEWLY_SHOWN : shown_before ? TWX_NEWLY_HIDDEN : TWX_MOVED;
    if (shown || shown_before) return was ? shown != shown_before : !shown && shown_before;
    return was && hidden &&
           (!twx_flag_known(was, TWX_FLAG_duplicate_of) ||
            was->v[TWX_FLAG_duplicate_of] != is->v[TWX_FLAG_duplicate_of]);
}

static uint32_t relations_of(const twx_flag_row *row, uint32_t among) {
    uint32_t relations = 0;
    for (size_t s = 0; twx_relation_at(s); s++)
        if (among >> s & 1 && twx_flag_known(row, twx_relation_at(s)->rep) &&
            row->v[twx_relation_at(s)->rep] == row->v[TWX_FLAG_duplicate_of])
            relations |= 1u << s;
    return relations;
}

static twx_rc name_relations(twx_ctx *cx, uint32_t relations, twx_buf *why) {
    twx_rc rc = TWX_OK;
    for (size_t s = 0; rc == TWX_OK && twx_relation_at(s); s++)
        if (relations >> s & 1)
            rc = twx_buf_printf(cx, why, "%s%s", why->n ? ", " : "same by ",
                                twx_relation_at(s)->name);
    return relations || rc != TWX_OK
               ? rc
               : twx_buf_add_text(cx, why, "through other documents of its cluster");
}

twx_rc twx_why_hidden(twx_ctx *cx, const twx_flag_row *row, uint32_t relations, twx_buf *why) {
    return name_relations(cx, relations_of(row, relations), why);
}

static uint8_t eligibility_of(const twx_flag_row *row) {
    const int64_t e = row->v[TWX_FLAG_eligibility];
    return (uint8_t)(e >= 0 && e < TWX_ELIGIBILITIES ? e : TWX_ELIGIBILITIES);
}

twx_rc twx_change_note(twx_change_notes *notes, const twx_flag_row *was, const twx_flag_row *is) {
    twx_change_kind kind;
    if (!kind_of(was, is, &kind)) return TWX_OK;
    twx_noted_change change = {
        .doc = is ? is->doc : was->doc, .store = notes->store, .is_new = !was};
    if (was) {
        change.was = eligibility_of(was);
        change.has_before = twx_flag_known(was, TWX_FLAG_duplicate_of);
        change.before = was->v[TWX_FLAG_duplicate_of];
    }
    if (is) {
        change.is = eligibility_of(is);
        change.has_after = twx_flag_known(is, TWX_FLAG_duplicate_of);
        change.after = is->v[TWX_FLAG_duplicate_of];
        change.relations = relations_of(is, notes->relations);
    }
    if (notes->documents[kind]++ >= notes->limit && notes->limit) return TWX_OK;
    return TWX_VEC_PUSH(notes->cx, &notes->noted[kind], change) ? TWX_OK : TWX_E_NOMEM;
}

void twx_change_notes_done(twx_change_notes *notes) {
    for (size_t k = 0; k < TWX_CHANGE_KINDS; k++) TWX_VEC_DONE(&notes->noted[k]);
}

/* ---- for display --------------------------------------------------------- */

typedef struct naming {
    twx_ctx *cx;
    const twx_listing *where;
    const twx_listing_store *of; /* whose document is named */
    twx_buf *why;
} naming;

static twx_rc add_reason(void *arg, const char *text) {
    naming *n = arg;
    twx_rc rc = n->why->n ? twx_buf_add_text(n->cx, n->why, "; ") : TWX_OK;
    return rc == TWX_OK ? twx_buf_add_text(n->cx, n->why, text) : rc;
}

static char *taken(twx_ctx *cx, const twx_buf *text) {
    const twx_slice s = twx_buf_slice(text);
    return twx_strndup(cx, s.p, s.n);
}

/* Appends the URL of a representative in another store, and the name of that store. TWX_DONE: no
 * such document was judged. */
static twx_rc name_judged(naming *n, int64_t doc, twx_buf *text) {
    const twx_doc_set *j = n->where->j;
    size_t k = 0;
    while (j && k < j->elsewhere.n && j->elsewhere.at[k].number != doc) k++;
    if (!j || k == j->elsewhere.n) return TWX_DONE;
    const twx_doc_row *entry = &j->docs.at.at[j->elsewhere.at[k].index];
    const twx_listing_store *home = &n->where->stores[entry->store];
    twx_value id;
    twx_rc rc = twx_id_of(home->o, entry->doc, &id);
    if (rc == TWX_OK) rc = twx_url_of(home->o, &id, text);
    return rc == TWX_OK
               ? twx_buf_printf(n->cx, text, " in " TWX_SLICE_FMT, TWX_SLICE_ARG(home->shard))
               : rc;
}

/* The same for a representative of a stored generation. */
static twx_rc name_stored(naming *n, int64_t doc, twx_buf *text) {
    twx_arena bytes = {0};
    twx_remote remote = {0};
    twx_rc rc = TWX_DONE;
    for (char g = 'a'; n->of->published && rc == TWX_DONE && g <= 'b'; g++)
        rc = twx_remote_get(n->of->published, g, doc, &bytes, &remote);
    if (rc == TWX_OK)
        rc = twx_buf_printf(n->cx, text, TWX_SLICE_FMT " in " TWX_SLICE_FMT,
                            TWX_SLICE_ARG(remote.url), TWX_SLICE_ARG(remote.shard));
    twx_arena_done(&bytes);
    return rc;
}

/* Appends URL, id and title of a document of the store; id and title NULL: not wanted. */
static twx_rc name_here(naming *n, int64_t doc, twx_buf *url, twx_buf *id_text, twx_buf *title) {
    twx_value id;
    twx_rc rc = twx_id_of(n->of->o, doc, &id);
    const bool known = rc == TWX_OK;
    if (rc == TWX_DONE) rc = id_text ? twx_buf_add_text(n->cx, id_text, "(gone)") : TWX_OK;
    if (rc == TWX_OK && known && id_text) rc = twx_value_print(n->cx, id_text, &id);
    if (rc != TWX_OK) return rc;
    return known ? twx_names_of(n->of->o, &id, url, title)
                 : twx_buf_add_text(n->cx, url, "(not in the store)");
}

/* A representative may be in another store. */
static twx_rc name_representative(naming *n, int64_t doc, char **ret_url) {
    twx_buf url = {.max = TEXT_BYTES};
    twx_rc rc = twx_is_remote(doc) ? name_judged(n, doc, &url) : TWX_DONE;
    if (rc == TWX_DONE && twx_is_remote(doc)) rc = name_stored(n, doc, &url);
    if (rc == TWX_DONE) rc = name_here(n, doc, &url, NULL, NULL);
    if (rc == TWX_OK && !(*ret_url = taken(n->cx, &url))) rc = TWX_E_NOMEM;
    twx_buf_done(&url);
    return rc;
}

static twx_rc name_document(naming *n, int64_t doc, twx_listed_change *ret_row) {
    twx_buf url = {.max = TEXT_BYTES}, id, title;
    twx_buf_init(&id, TEXT_BYTES);
    twx_buf_init(&title, TEXT_BYTES);
    twx_rc rc = name_here(n, doc, &url, &id, &title);
    if (rc == TWX_OK && n->of->shard.p)
        rc = twx_buf_printf(n->cx, &url, " in " TWX_SLICE_FMT, TWX_SLICE_ARG(n->of->shard));
    if (rc == TWX_OK && !(ret_row->id = taken(n->cx, &id))) rc = TWX_E_NOMEM;
    if (rc == TWX_OK && !(ret_row->url = taken(n->cx, &url))) rc = TWX_E_NOMEM;
    if (rc == TWX_OK && !(ret_row->title = taken(n->cx, &title))) rc = TWX_E_NOMEM;
    twx_buf_done(&title);
    twx_buf_done(&id);
    twx_buf_done(&url);
    return rc;
}

static twx_rc add_pins(naming *n, int64_t doc) {
    twx_stored stored;
    twx_facts facts;
    twx_signatures *signatures = n->of->o->signatures;
    if (!n->where->pins || !signatures || twx_is_remote(doc)) return TWX_OK;
    twx_rc rc = twx_signatures_get(signatures, doc, &stored);
    if (rc == TWX_DONE) return TWX_OK;
    if (rc == TWX_OK) rc = twx_facts_unpack(n->cx, stored.facts, &facts);
    if (rc == TWX_OK)
        rc = twx_pins_each_of(n->cx, n->where->pins, facts.url_key, facts.url, add_reason, n);
    twx_signatures_release(signatures);
    return rc;
}

static twx_rc explain(naming *n, twx_change_kind kind, const twx_noted_change *c) {
    twx_rc rc = TWX_OK;
    if (kind == TWX_NEWLY_HIDDEN || kind == TWX_MOVED) {
        rc = c->is != TWX_ELIGIBLE ? add_reason(n, twx_eligibility_text(c->is))
                                   : name_relations(n->cx, c->relations, n->why);
    } else if (kind == TWX_NEWLY_SHOWN && c->was != TWX_ELIGIBLE) {
        rc = add_reason(n, "it takes part again; before: ");
        if (rc == TWX_OK) rc = twx_buf_add_text(n->cx, n->why, twx_eligibility_text(c->was));
    } else if (kind == TWX_NEWLY_SHOWN) {
        rc = add_reason(n, "no relation hides it any more");
    }
    if (rc == TWX_OK && kind != TWX_GONE) rc = add_pins(n, c->doc);
    if (rc == TWX_OK && c->has_after && kind != TWX_GONE) {
        naming other = *n;
        twx_buf pins = {.max = TEXT_BYTES};
        other.why = &pins;
        rc = add_pins(&other, c->after);
        if (rc == TWX_OK && pins.n) rc = add_reason(n, "representative: ");
        if (rc == TWX_OK && pins.n) rc = twx_buf_add_slice(n->cx, n->why, twx_buf_slice(&pins));
        twx_buf_done(&pins);
    }
    return rc;
}

static twx_rc list_one(naming *n, twx_change_kind kind, const twx_noted_change *c,
                       twx_change_list *list) {
    twx_listed_change row = {.change = twx_change_kind_key(kind)};
    twx_buf_clear(n->why);
    n->of = &n->where->stores[c->store];
    if (!TWX_VEC_PUSH(n->cx, &list->rows[kind], row)) return TWX_E_NOMEM;
    twx_listed_change *at = &list->rows[kind].at[list->rows[kind].n - 1];
    twx_rc rc = name_document(n, c->doc, at);
    if (rc == TWX_OK && c->has_before) rc = name_representative(n, c->before, &at->before);
    if (rc == TWX_OK && c->has_after) rc = name_representative(n, c->after, &at->after);
    if (rc == TWX_OK) rc = explain(n, kind, c);
    if (rc == TWX_OK && !(at->why = taken(n->cx, n->why))) rc = TWX_E_NOMEM;
    return rc;
}

twx_rc twx_change_notes_list(const twx_change_notes *notes, const twx_listing *where,
                             twx_change_list *ret_list) {
    twx_buf why;
    naming n = {.cx = notes->cx, .where = where, .why = &why};
    twx_rc rc = TWX_OK;
    twx_buf_init(&why, TEXT_BYTES);
    ret_list->limit = notes->limit;
    for (size_t k = 0; rc == TWX_OK && k < TWX_CHANGE_KINDS; k++) {
        ret_list->documents[k] = notes->documents[k];
        for (size_t i = 0; rc == TWX_OK && i < notes->noted[k].n; i++) {
            rc = list_one(&n, (twx_change_kind)k, &notes->noted[k].at[i], ret_list);
            if (rc == TWX_OK) rc = twx_cancelled(notes->cx);
        }
    }
    twx_buf_done(&why);
    return rc;
}

/* ==== ledger */

/* A file can change while its name stays. */
static json_t *file_json(const char *path, uint64_t fingerprint) {
    return json_pack("{s:o, s:I}", "file", twx_json_slice(twx_slice_of(path)), "fingerprint",
                     (json_int_t)fingerprint);
}

/* Do flags depend on the setting? */
static bool decides_flags(const char *name) {
    static const char *const OTHERS[] = {"compat",      "run.",        "cluster.",
                                         "guard.",      "mirrors.",    "index.",
                                         "follow.",     "import.",     "store.accept_mapping",
                                         "store.feed",  "store.flags", "store.joined_view",
                                         "verdict.pins"};
    for (size_t i = 0; i < TWX_COUNTOF(OTHERS); i++)
        if (strncmp(name, OTHERS[i], strlen(OTHERS[i])) == 0) return false;
    return true;
}

json_t *twx_ledger_settings(const twx_settings *s, const twx_judge_options *o, uint64_t signed_by) {
    const twindex_setting *row = NULL;
    json_t *all = json_object();
    twx_buf value = {.max = SIZE_MAX / 4};
    twx_ctx cx = {0};
    for (size_t i = 0; (row = twx_settings_at(i)); i++) {
        if (!decides_flags(row->name)) continue;
        twx_buf_clear(&value);
        if (twx_settings_get(&cx, s, row->name, &value) == TWX_OK &&
            !twx_slice_eq(twx_buf_slice(&value), twx_slice_of(row->default_value)))
            json_object_set_new(all, row->name, twx_json_slice(twx_buf_slice(&value)));
    }
    twx_buf_done(&value);
    if (o->pins)
        json_object_set_new(all, "verdict.pins",
                            file_json(twx_pins_path(o->pins), twx_pins_fingerprint(o->pins)));
    if (o->parameters)
        json_object_set_new(all, "parameters.model",
                            file_json(twx_parameters_path(o->parameters),
                                      twx_parameters_fingerprint(o->parameters)));
    json_object_set_new(all, "signatures", json_integer((json_int_t)signed_by));
    return all;
}

/* ==== unchanged */

uint64_t twx_judged_fingerprint(const twx_run_stores *all) {
    uint64_t f = twx_mix64(twx_hash64(twx_slice_of(TWINDEX_VERSION), 0), TWX_JUDGE_VERSION);
    for (size_t i = 0; i < all->at.n; i++) {
        const twx_run_store *m = all->at.at[i];
        if (m->shard.p) f = twx_mix64(f, twx_hash64(m->shard, 0));
        f = twx_mix64(f, m->sign.fingerprint);
    }
    return twx_mix64(f, twx_settings_fingerprint(all->job->settings));
}

bool twx_is_one_result(const twx_run_stores *all) {
    const size_t n = all->at.n;
    int64_t run = 0;
    for (size_t i = 0; i < n; i++) {
        const twx_run_store *m = all->at.at[i];
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

twx_rc twx_is_judged(const twx_run_stores *all, const twx_judge_plan *plan, uint64_t fingerprint,
                     bool *ret_judged, twx_summary *ret_summary) {
    twx_ctx *cx = all->job->cx;
    bool judged = !plan->pins && twx_is_one_result(all);
    twx_rc rc = TWX_OK;
    twx_buf counts = {.max = SIZE_MAX - 1};
    for (size_t i = 0; rc == TWX_OK && judged && i < all->at.n; i++) {
        uint64_t stored = 0;
        rc = read_judged(all->at.at[i]->o.generations, &stored, &counts);
        if (rc == TWX_OK) rc = twx_summary_unpack(cx, twx_buf_slice(&counts), ret_summary, &judged);
        judged = judged && stored == fingerprint;
    }
    twx_buf_done(&counts);
    *ret_judged = rc == TWX_OK && judged;
    return rc;
}

static twx_rc keep(const twx_run_store *m, uint64_t fingerprint, twx_slice counts) {
    uint64_t stored = 0;
    twx_buf published = {.max = SIZE_MAX - 1};
    twx_rc rc = twx_turn_begin(m->o.writer);
    if (rc == TWX_OK) rc = read_judged(m->o.generations, &stored, &published);
    if (rc == TWX_OK && counts.n && stored != fingerprint &&
        twx_slice_eq(twx_buf_slice(&published), counts))
        rc = twx_state_set_judged(m->o.generations, &fingerprint);
    twx_buf_done(&published);
    return twx_turn_end(m->o.writer, rc, false);
}

twx_rc twx_keep_judged(const twx_run_stores *all, uint64_t fingerprint,
                       const twx_summary *summary) {
    twx_buf counts = {.max = TWX_COUNTS_BYTES};
    twx_rc rc = twx_summary_pack(all->job->cx, summary, &counts);
    for (size_t i = 0; rc == TWX_OK && i < all->at.n; i++)
        rc = keep(all->at.at[i], fingerprint, twx_buf_slice(&counts));
    twx_buf_done(&counts);
    return rc;
}
