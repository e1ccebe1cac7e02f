#include "lab/methods/collection.h"

#include "base/alloc.h"
#include "base/hash64.h"

struct twx_collection_maker {
    twx_ctx *cx;
    /* NULL: not needed */
    twx_lexicon_maker *lexicon;
    twx_term_selection_maker *term_selection;
    twx_link_scores_maker *link_scores;
    twx_boilerplate_maker *boilerplate;
};

twx_rc twx_collection_maker_open(twx_ctx *cx, unsigned needs, size_t max_bytes,
                                 twx_collection_maker **ret_maker) {
    const size_t parts = (size_t)__builtin_popcount(needs), share = parts ? max_bytes / parts : 0;
    twx_rc rc = TWX_OK;
    twx_collection_maker *m = twx_calloc(cx, 1, sizeof *m);
    if (!m) return TWX_E_NOMEM;
    m->cx = cx;
    if (needs & TWX_NEED_LEXICON) rc = twx_lexicon_maker_open(cx, share, NULL, &m->lexicon);
    if (rc == TWX_OK && needs & TWX_NEED_TERM_SELECTION)
        rc = twx_term_selection_maker_open(cx, share, &m->term_selection);
    if (rc == TWX_OK && needs & TWX_NEED_LINK_SCORES)
        rc = twx_link_scores_maker_open(cx, share, &m->link_scores);
    if (rc == TWX_OK && needs & TWX_NEED_BOILERPLATE)
        rc = twx_boilerplate_maker_open(cx, share, NULL, &m->boilerplate);
    if (rc != TWX_OK) goto out;
    *ret_maker = m;
    m = NULL;
out:
    twx_collection_maker_close(m);
    return rc;
}

void twx_collection_maker_close(twx_collection_maker *m) {
    if (!m) return;
    twx_lexicon_maker_close(m->lexicon);
    twx_term_selection_maker_close(m->term_selection);
    twx_link_scores_maker_close(m->link_scores);
    twx_boilerplate_maker_close(m->boilerplate);
    twx_free(m);
}

/* Adds to the parts that count words. url: NULL when it is not usable. */
static twx_rc add_words(twx_collection_maker *m, twx_workspace *w, const twx_url *url,
                        twx_slice text) {
    twx_bag bag;
    twx_rc rc = twx_bag_of(m->cx, w, text, &bag);
    if (rc == TWX_OK && m->lexicon) rc = twx_lexicon_maker_add(m->lexicon, &bag);
    if (rc == TWX_OK && m->term_selection)
        rc = twx_term_selection_maker_add(m->term_selection, &bag);
    if (rc == TWX_OK && m->link_scores && url)
        rc = twx_link_scores_maker_document(m->link_scores, url->whole, &bag);
    return rc;
}

twx_rc twx_collection_add(twx_collection_maker *m, twx_workspace *w, const twx_document *doc) {
    const twx_url *url = doc->url && doc->url->fault == TWX_URL_OK ? doc->url : NULL;
    twx_rc rc = TWX_OK;
    if (m->lexicon || m->term_selection || m->link_scores) rc = add_words(m, w, url, doc->text);
    if (rc == TWX_OK && m->boilerplate && url)
        rc = twx_boilerplate_maker_add(m->boilerplate, twx_workspace_scratch(w), url->host,
                                       doc->text);
    return rc;
}

twx_rc twx_collection_add_link(twx_collection_maker *m, twx_slice from_url, twx_slice to_url) {
    return m->link_scores ? twx_link_scores_maker_link(m->link_scores, from_url, to_url) : TWX_OK;
}

/* An absent part counts as 0. */
static uint64_t fingerprint_of(const twx_collection *c) {
    const uint64_t words = c->lexicon ? twx_lexicon_fingerprint(c->lexicon) : 0;
    const uint64_t term_selection = c->term_selection
                                        ? twx_term_selection_fingerprint(c->term_selection)
                                        : 0;
    const uint64_t links = c->link_scores ? twx_link_scores_fingerprint(c->link_scores) : 0;
    const uint64_t boilerplate = c->boilerplate ? twx_boilerplate_fingerprint(c->boilerplate) : 0;
    return twx_mix64(twx_mix64(words, term_selection), twx_mix64(links, boilerplate));
}

twx_rc twx_collection_make(twx_collection_maker *m, twx_collection *ret_collection) {
    twx_collection c = {.by = &TWX_COLLECTING};
    twx_rc rc = TWX_OK;
    if (m->lexicon) rc = twx_lexicon_make(m->lexicon, &c.lexicon);
    if (rc == TWX_OK && m->term_selection)
        rc = twx_term_selection_make(m->term_selection, &c.term_selection);
    if (rc == TWX_OK && m->link_scores) rc = twx_link_scores_make(m->link_scores, &c.link_scores);
    if (rc == TWX_OK && m->boilerplate) rc = twx_boilerplate_make(m->boilerplate, &c.boilerplate);
    if (rc != TWX_OK) {
        twx_collection_done(&c);
        return rc;
    }
    c.n_links = c.link_scores ? twx_link_scores_count(c.link_scores) : 0;
    c.fingerprint = fingerprint_of(&c);
    *ret_collection = c;
    return TWX_OK;
}

static void done(twx_collection *c) {
    twx_lexicon_close(c->lexicon);
    twx_term_selection_close(c->term_selection);
    twx_link_scores_close(c->link_scores);
    twx_boilerplate_close(c->boilerplate);
}

const twx_collecting TWX_COLLECTING = {
    .open = twx_collection_maker_open,
    .add = twx_collection_add,
    .add_link = twx_collection_add_link,
    .make = twx_collection_make,
    .close = twx_collection_maker_close,
    .done = done,
};
