#include "run/internal.h"

enum { TEXT_BYTES = 1 << 21 };

/* ---- what has changed --------------------------------------------------- */

/* What is noted of a document until its URL is looked up. */
typedef struct twx_noted_change {
    int64_t doc, before, after; /* before, after: the representative */
    uint16_t store;             /* whose document it is */
    bool has_before, has_after, is_new;
    uint8_t was, is; /* twx_eligibility */
    /* 1 << relation: relations of the verdict to the representative */
    uint32_t relations;
} twx_noted_change;

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

/* Texts of documents can have a NUL, which is no end of them. */
static char *taken(twx_ctx *cx, const twx_buf *text) {
    enum { SUBSTITUTE = 0x1A /* ASCII: for a character that cannot be represented */ };
    const twx_slice s = twx_buf_slice(text);
    char *copy = twx_strndup(cx, s.p, s.n);
    for (size_t i = 0; copy && i < s.n; i++) copy[i] = copy[i] ? copy[i] : SUBSTITUTE;
    return copy;
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
    twx_buf url = {.max = TEXT_BYTES}, id = url, title = url;
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
    twx_buf why = {.max = TEXT_BYTES};
    naming n = {.cx = notes->cx, .where = where, .why = &why};
    twx_rc rc = TWX_OK;
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
