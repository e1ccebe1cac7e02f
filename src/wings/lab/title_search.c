#include "lab/title_search.h"

#include "base/alloc.h"
#include "run/document_label.h"
#include "search/ranking.h"
#include "store/generations.h"
#include "store/signatures.h"
#include "store/text_index.h"

enum { HITS_KEPT = 4000 };

/* The hits of one title, best first. */
typedef struct kept_hits {
    TWX_VEC(uint32_t) documents;
} kept_hits;

struct twx_title_search {
    const twx_job *job;
    twx_opened *o;
    const twx_eval_finding *how;
    bool works;
    char generation;
    twx_ranking_rules rules;
    twx_tokens tokens;
    twx_buf query;
    TWX_VEC(kept_hits) kept;
    twx_map64 kept_at; /* hash of a title -> index in `kept` */
};

static twx_rc open_index(twx_title_search *s) {
    twx_state state = {0};
    twx_text_index_state index = TWX_TEXT_NONE;
    if (!s->o->writer || !s->o->generations) return TWX_OK;
    twx_rc rc = twx_text_index_look(s->o->writer, &index);
    if (rc == TWX_OK && index == TWX_TEXT_OTHER) rc = twx_text_index_require(s->o->writer);
    if (rc == TWX_OK) rc = twx_state_read(s->o->generations, &state);
    s->generation = state.generation;
    s->works = index == TWX_TEXT_READY && state.generation != 0;
    return rc == TWX_OK && s->works ? twx_ranking_rules_load(s->job->cx, NULL, &s->rules) : rc;
}

twx_rc twx_title_search_open(const twx_job *job, twx_opened *o, const twx_eval_finding *how,
                             twx_title_search **ret_search) {
    twx_title_search *s = twx_calloc(job->cx, 1, sizeof *s);
    if (!s) return TWX_E_NOMEM;
    s->job = job;
    s->o = o;
    s->how = how;
    twx_tokens_init(&s->tokens);
    twx_buf_init(&s->query, SIZE_MAX / 4);
    twx_map64_init(&s->kept_at, 0);
    twx_rc rc = open_index(s);
    if (rc == TWX_OK)
        *ret_search = s;
    else
        twx_title_search_close(s);
    return rc;
}

void twx_title_search_close(twx_title_search *s) {
    if (!s) return;
    twx_ranking_rules_done(&s->rules);
    twx_tokens_done(&s->tokens);
    twx_buf_done(&s->query);
    for (size_t i = 0; i < s->kept.n; i++) TWX_VEC_DONE(&s->kept.at[i].documents);
    TWX_VEC_DONE(&s->kept);
    twx_map64_done(&s->kept_at);
    twx_free(s);
}

bool twx_title_search_works(const twx_title_search *s) {
    return s->works;
}

twx_rc twx_title_query(twx_ctx *cx, twx_tokens *tokens, twx_slice title, twx_buf *out) {
    twx_token token;
    twx_buf_clear(out);
    twx_tokens_start(tokens, title);
    twx_rc rc = twx_tokens_next(cx, tokens, &token);
    for (; rc == TWX_OK; rc = twx_tokens_next(cx, tokens, &token)) {
        if (out->n + token.text.n + 4 > TWX_QUERY_BYTES) return TWX_OK;
        rc = twx_buf_add_char(cx, out, '"');
        if (rc == TWX_OK) rc = twx_buf_add_slice(cx, out, token.text);
        if (rc == TWX_OK) rc = twx_buf_add_text(cx, out, "\" ");
        if (rc != TWX_OK) return rc;
    }
    return rc == TWX_DONE ? TWX_OK : rc;
}

typedef struct hit_taking {
    twx_ctx *cx;
    TWX_VEC(int64_t) docs;
} hit_taking;

static twx_rc take_hit(void *arg, const twx_hit *hit) {
    hit_taking *t = arg;
    return TWX_VEC_PUSH(t->cx, &t->docs, hit->doc) ? TWX_OK : TWX_E_NOMEM;
}

/* Appends the index of a document of the store if it takes part. */
static twx_rc keep_hit(twx_title_search *s, int64_t doc, kept_hits *hits) {
    twx_value id;
    uint32_t document = TWX_NO_DOCUMENT;
    twx_rc rc = twx_id_of(s->o, doc, &id);
    if (rc == TWX_OK) document = twx_eval_document_of(s->how->documents, &id);
    twx_signatures_release(s->o->signatures);
    if (rc == TWX_DONE) rc = TWX_OK;
    if (rc != TWX_OK || document == TWX_NO_DOCUMENT ||
        !twx_eval_takes_part(s->how->documents, document))
        return rc;
    return TWX_VEC_PUSH(s->job->cx, &hits->documents, document) ? TWX_OK : TWX_E_NOMEM;
}

static twx_rc search(twx_title_search *s, kept_hits *hits) {
    hit_taking taking = {.cx = s->job->cx};
    const twx_search search = {.query = twx_buf_slice(&s->query),
                               .generation = s->generation,
                               .direct = twx_source_is_direct(s->o->source),
                               .ranking = &s->rules.ranking,
                               .limit = HITS_KEPT};
    twx_rc rc = twx_text_search(s->o->writer, &search, take_hit, &taking);
    for (size_t i = 0; rc == TWX_OK && i < taking.docs.n; i++)
        rc = keep_hit(s, taking.docs.at[i], hits);
    TWX_VEC_DONE(&taking.docs);
    return rc;
}

twx_rc twx_title_search_run(twx_title_search *s, uint64_t title, twx_slice words,
                            twx_title_hits *ret_hits) {
    twx_ctx *cx = s->job->cx;
    uint64_t at = s->kept.n;
    if (!twx_map64_get(&s->kept_at, title, &at)) {
        kept_hits hits = {0};
        twx_rc rc = twx_title_query(cx, &s->tokens, words, &s->query);
        if (rc == TWX_OK) rc = search(s, &hits);
        if (rc == TWX_OK && !TWX_VEC_PUSH(cx, &s->kept, hits)) rc = TWX_E_NOMEM;
        if (rc != TWX_OK) {
            TWX_VEC_DONE(&hits.documents);
            return rc;
        }
        rc = twx_map64_put(cx, &s->kept_at, title, at);
        if (rc != TWX_OK) return rc;
    }
    *ret_hits = (twx_title_hits){s->kept.at[at].documents.at, s->kept.at[at].documents.n};
    return TWX_OK;
}

bool twx_title_found(const twx_eval_finding *how, const uint32_t *rep, uint32_t document,
                     const twx_title_hits *hits, size_t top) {
    const uint32_t wanted = rep[document];
    for (size_t i = 0, shown = 0; i < hits->n && shown < top; i++) {
        const uint32_t hit = hits->documents[i], text = twx_finding_text(how, hit);
        if (twx_finding_is_hidden(rep, hit)) continue;
        shown++;
        if (hit == wanted) return true;
        if (text != TWX_EVAL_NO_TEXT &&
            (text == twx_finding_text(how, wanted) || text == twx_finding_text(how, document)))
            return true;
    }
    return false;
}
