#include "inspect/internal.h"

/* ==== probe */

enum { MILLION = 1000000, PAYLOAD_MAX = 64 << 20 };

TWX_ORDER_2(by_key, twx_key, key, check)

/* The keys by which candidates are found: those stored, or computed from the stored entry. */
typedef struct key_list {
    const twx_record_entry *stored;
    twx_key made[TWX_CANDIDATE_KEYS_MAX];
    bool are_made;
    size_t n;
} key_list;

static void list_keys(const twx_detector *d, const twx_params *params,
                      const twx_record_entry *entry, key_list *ret_list) {
    ret_list->stored = entry;
    ret_list->are_made = d->candidates != NULL;
    ret_list->n = entry ? entry->n_keys : 0;
    if (!d->candidates || ret_list->n == 0) return;
    const twx_signed from = {twx_record_key(entry, 0), entry->payload};
    ret_list->n = d->candidates(params, &from, ret_list->made);
}

static twx_key key_at(const key_list *list, size_t i) {
    return list->are_made ? list->made[i] : twx_record_key(list->stored, i);
}

twx_rc twx_probe_open(twx_ctx *cx, const twx_detector *detector, const twx_params *params,
                      const twx_record_entry *entry, twx_probe *ret_probe) {
    twx_probe y = {
        .detector = detector, .params = params, .any = twx_params_without_thresholds(params)};
    key_list list = {.n = 0};
    twx_rc rc = TWX_OK;
    twx_buf_init(&y.payload, PAYLOAD_MAX);
    list_keys(detector, params, entry, &list);
    for (size_t i = 0; rc == TWX_OK && i < list.n; i++)
        if (!TWX_VEC_PUSH(cx, &y.keys, key_at(&list, i))) rc = TWX_E_NOMEM;
    if (rc == TWX_OK && list.n > 0) rc = twx_buf_add_slice(cx, &y.payload, entry->payload);
    if (y.keys.n > 1) qsort(y.keys.at, y.keys.n, sizeof *y.keys.at, by_key);
    TWX_HAND_OVER(rc, ret_probe, y, twx_probe_done(&y));
    return rc;
}

void twx_probe_done(twx_probe *y) {
    if (!y) return;
    TWX_VEC_DONE(&y->keys);
    twx_buf_done(&y->payload);
}

twx_nearness twx_probe_try(const twx_probe *y, const twx_record_entry *other) {
    const twx_detector *d = y->detector;
    const twx_slice payload = twx_buf_slice(&y->payload);
    key_list list = {.n = 0};
    list_keys(d, y->params, other, &list);
    twx_nearness near = {.keys = y->keys.n, .other_keys = list.n, .similarity = -1};
    if (near.keys == 0 || near.other_keys == 0) return near;
    for (size_t i = 0; i < list.n; i++) {
        const twx_key key = key_at(&list, i);
        near.shared += bsearch(&key, y->keys.at, y->keys.n, sizeof key, by_key) != NULL;
    }
    if (d->verify) {
        near.similarity = d->verify(&y->any, payload, other->payload);
        near.pair = near.shared > 0 && d->verify(y->params, payload, other->payload) >= 0;
    } else {
        near.similarity = (int32_t)(2 * (uint64_t)MILLION * near.shared /
                                    (near.keys + near.other_keys));
        near.pair = near.shared > 0;
    }
    return near;
}

/* ==== copy_check */

enum { WORD_SHOWN = 60 /* characters */, WORDS_SHOWN = 6, DIFFERENCE_BYTES = 1 << 12 };

struct twx_copy_check {
    const twx_job *job;           /* of the first store */
    const twx_load_store *stores; /* borrowed */
    size_t n;
    twx_sign_plan sign; /* of the first store */
    twx_judge_plan plan;
    /* a local near-duplicate method with a verifier is configured, or none where texts decide */
    bool possible;
    bool loaded;
    twx_doc_set j; /* loaded from the signatures of all stores */
    twx_judged_texts texts;
    twx_proof proof; /* that two of them are copies */
    twx_buf difference;
    twx_tokens tokens;
};

twx_rc twx_copy_check_open(const twx_load_store *stores, size_t n, twx_copy_check **ret_check) {
    const twx_job *job = stores[0].job;
    twx_copy_check *c = twx_calloc(job->cx, 1, sizeof *c);
    if (!c) return TWX_E_NOMEM;
    c->job = job;
    c->stores = stores;
    c->n = n;
    twx_tokens_init(&c->tokens);
    twx_doc_set_init(&c->j);
    twx_buf_init(&c->difference, DIFFERENCE_BYTES);
    twx_rc rc = twx_params_make(job, &c->sign.params, &c->sign.rules);
    const twx_detector *near = rc == TWX_OK ? twx_detector_find(job->settings->near_detector)
                                            : NULL;
    /* a global method would require reading the whole store */
    c->possible = near ? near->verify && !twx_detector_needs(near, &c->sign.params)
                       : job->settings->copy_proof == TWX_PROOF_TEXT;
    if (rc == TWX_OK && c->possible) {
        twx_sign_plan_done(&c->sign);
        rc = twx_sign_plan_make(job, stores[0].o, false, &c->sign);
    }
    if (rc == TWX_OK && c->possible) rc = twx_judge_plan_make(job, &c->sign, &c->plan);
    if (rc == TWX_OK && c->possible && job->settings->copy_proof == TWX_PROOF_TEXT) {
        rc = twx_judged_texts_init(stores, n, &c->j, &c->sign.params, NULL, &c->texts);
        c->plan.options.texts = &c->texts.source;
    }
    TWX_HAND_OVER(rc, ret_check, c, twx_copy_check_close(c));
    return rc;
}

void twx_copy_check_close(twx_copy_check *c) {
    if (!c) return;
    twx_proof_done(&c->proof);
    twx_judged_texts_done(&c->texts);
    twx_buf_done(&c->difference);
    twx_doc_set_done(&c->j);
    twx_judge_plan_done(&c->plan);
    twx_sign_plan_done(&c->sign);
    twx_tokens_done(&c->tokens);
    twx_free(c);
}

/* ---- the store's signatures --------------------------------------------- */

static twx_rc load(twx_copy_check *c) {
    twx_ctx *cx = c->job->cx;
    twx_doc_set *j = &c->j;
    if (c->loaded) return TWX_OK;
    size_t failed = 0;
    twx_rc rc = twx_load(cx, c->stores, c->n, &c->plan, &failed, j);
    if (rc == TWX_OK)
        rc = twx_links_resolve(cx, &j->docs, &c->plan.options.preference,
                               c->plan.options.collapse_min, &j->links);
    if (rc == TWX_OK) rc = twx_near_learn(cx, &j->near, &j->docs, j->links.eligibility);
    if (rc == TWX_OK) twx_near_proof(&j->near, &j->docs, j->links.eligibility, &c->proof);
    c->loaded = rc == TWX_OK;
    return rc;
}

/* TWX_DONE: the document has no signature, or it was made with other settings. */
static twx_rc is_current(twx_copy_check *c, twx_copy_place document) {
    twx_signatures *signatures = c->stores[document.store].o->signatures;
    /* with the mapping of its store, the settings can require other signatures */
    twx_sign_plan plan = {.fingerprint = c->sign.fingerprint};
    twx_stored stored;
    twx_rc rc = document.store ? twx_sign_plan_make(c->stores[document.store].job,
                                                    c->stores[document.store].o, false, &plan)
                               : TWX_OK;
    if (rc == TWX_OK) rc = twx_signatures_get(signatures, document.doc, &stored);
    if (rc == TWX_OK && stored.fingerprint != plan.fingerprint) rc = TWX_DONE;
    twx_signatures_release(signatures);
    twx_sign_plan_done(&plan);
    return rc;
}

static uint32_t index_of(const twx_doc_set *j, twx_copy_place document) {
    for (uint32_t i = 0; i < j->docs.at.n; i++)
        if (j->docs.at.at[i].doc == document.doc && j->docs.at.at[i].store == document.store)
            return i;
    return TWX_NO_DOCUMENT;
}

static twx_rc quote(twx_ctx *cx, const char *before, twx_slice words, const char *after,
                    twx_buf *out) {
    twx_rc rc = twx_buf_printf(cx, out, "%s'", before);
    if (rc == TWX_OK) rc = twx_excerpt(cx, words, WORD_SHOWN, out);
    return rc == TWX_OK ? twx_buf_printf(cx, out, "'%s", after) : rc;
}

/* "'Leipzig' where the other has 'Dresden'" */
static twx_rc spell_difference(twx_ctx *cx, const twx_objection *objection, twx_buf *out) {
    const twx_block *b = &objection->block;
    twx_buf_clear(out);
    if (objection->unlike) return twx_buf_add_text(cx, out, "the texts have too little in common");
    if (objection->unread)
        return twx_buf_add_text(cx, out, "a text has changed since the last run: run again");
    const twx_slice words = b->words_a ? b->a : b->b;
    if (b->kind == TWX_BLOCK_ADDED)
        return quote(cx, "the passage ", words,
                     b->words_a ? " is not in the other" : " of the other is not in it", out);
    if (b->kind == TWX_BLOCK_INSIDE)
        return quote(cx, "", words,
                     b->words_a ? " inside a sentence is not in the other"
                                : " inside a sentence of the other is not in it",
                     out);
    /* of a whole sentence that is left out, because its site repeats it */
    if (b->words_a == 0 || b->words_b == 0)
        return quote(cx, "", words,
                     b->words_a ? " is in the place of a line that the other's site repeats"
                                : " in the other is in the place of a line that the site repeats",
                     out);
    const twx_rc rc = quote(cx, "", b->a, " where the other has ", out);
    return rc == TWX_OK ? quote(cx, "", b->b, "", out) : rc;
}

/* Keeps the words that were asked for: not those of the site, and of the text only if `by_text`. */
static void keep_asked(const twx_names *names, bool by_text, twx_demands *d) {
    size_t kept = 0;
    for (size_t i = 0; names->rules.own && i < d->n; i++) {
        const twx_demand *w = &d->at[i];
        const bool of_name = w->part == TWX_NAME_TITLE || w->part == TWX_NAME_HEADING;
        if (!w->is_common && (of_name || by_text)) d->at[kept++] = *w;
    }
    if (names->rules.own) d->n = kept;
}

/* Compares documents a and b of a document set whose common words have been learned. */
static twx_rc ask(twx_copy_check *c, const twx_doc_set *j, twx_proof *proof, uint32_t a, uint32_t b,
                  twx_copy_answer *ret_answer) {
    const twx_near *near = &j->near;
    twx_copy_answer answer = {.similarity = -1, .harmless = true};
    const uint32_t node = near->node[a], other = near->node[b];
    twx_objection objection = {0};
    twx_rc rc = TWX_OK;
    if (node != TWX_NO_DOCUMENT && other != TWX_NO_DOCUMENT) {
        answer.known = true;
        const bool has_name = twx_near_equal_names(near, a, b);
        answer.similarity = twx_near_similarity(near, node, other, near->texts || has_name);
        const bool unlike = answer.similarity < 0;
        twx_near_demands(near, &j->docs, a, &answer.demands);
        answer.unlimited = answer.demands.unlimited;
        answer.equal_texts = node == other;
        answer.contained = twx_names_contain(&near->names, other, b, &answer.demands,
                                             &answer.missing);
        if (answer.contained) { /* a word that is missing says more */
            answer.described_otherwise = twx_near_is_described_otherwise(near, a, b);
            answer.named_otherwise = !twx_near_urls_agree(near, a, b);
            answer.shown_otherwise = twx_near_is_shown_otherwise(near, &j->docs, a, b);
            answer.contained = !answer.described_otherwise && !answer.shown_otherwise &&
                               !answer.named_otherwise;
        }
        if (near->texts && unlike && (has_name || twx_proof_is_form(proof, a, b)))
            answer.similarity = 0;
        if (near->texts && node != other)
            rc = twx_proof_of(c->job->cx, proof, a, b, unlike, &objection);
        const bool by_text = objection.adds && twx_names_is_in_url(&near->names, a);
        if (answer.contained && by_text)
            answer.contained = twx_names_text_contains(&near->names, other, b, &answer.demands,
                                                       &answer.missing);
        keep_asked(&near->names, by_text, &answer.demands);
    }
    answer.harmless = !objection.found;
    if (rc == TWX_OK && objection.found)
        rc = spell_difference(c->job->cx, &objection, &c->difference);
    answer.difference = twx_buf_slice(&c->difference);
    *ret_answer = answer;
    return rc == TWX_OK ? twx_near_error(c->job->cx, near) : rc;
}

twx_rc twx_copy_check_stored(twx_copy_check *c, twx_copy_place document, twx_copy_place other,
                             twx_copy_answer *ret_answer) {
    *ret_answer = (twx_copy_answer){.similarity = -1};
    if (!c->possible || !c->stores[0].o->signatures) return TWX_OK;
    twx_rc rc = is_current(c, document);
    if (rc == TWX_OK) rc = is_current(c, other);
    if (rc != TWX_OK) return rc == TWX_DONE ? TWX_OK : rc;
    rc = load(c);
    const uint32_t a = index_of(&c->j, document), b = index_of(&c->j, other);
    if (rc == TWX_OK && a != TWX_NO_DOCUMENT && b != TWX_NO_DOCUMENT)
        rc = ask(c, &c->j, &c->proof, a, b, ret_answer);
    return rc;
}

twx_rc twx_copy_check_boilerplate(twx_copy_check *c, twx_copy_place document, twx_slice text,
                                  twx_unit_list *ret_units) {
    const uint32_t i = c->loaded && c->j.near.texts ? index_of(&c->j, document) : TWX_NO_DOCUMENT;
    ret_units->at.n = 0;
    if (i == TWX_NO_DOCUMENT) return TWX_OK;
    const twx_rc rc = twx_units_of(c->job->cx, text, ret_units);
    return rc == TWX_OK ? twx_proof_boilerplate(c->job->cx, &c->proof, i, ret_units) : rc;
}

/* ---- two documents alone ------------------------------------------------ */

/* Judged like a store of two, without stored facts: both take part, and their host is one. */
typedef struct pair {
    twx_doc_set j;
    twx_judge_options options;
    twx_text_source texts;
    const twx_lookup *documents[2];
    twx_ctx *cx;
    twx_proof proof;
    twx_buf facts, record;
    twx_workspace *workspace;
} pair;

static twx_rc read_of_pair(void *arg, uint32_t i, twx_buf *ret_text) {
    const pair *p = arg;
    return twx_buf_add_slice(p->cx, ret_text, p->documents[i]->texts.text);
}

static twx_rc judge_pair(twx_copy_check *c, pair *p, twx_copy_answer *ret_answer) {
    static const uint8_t BOTH_TAKE_PART[] = {TWX_ELIGIBLE, TWX_ELIGIBLE};
    const twx_facts none = {0};
    const twx_signing signing = {
        .params = &c->sign.params, .detectors = c->sign.signing, .n = c->sign.n_signing};
    twx_ctx *cx = c->job->cx;
    twx_near *near = &p->j.near;
    twx_rc rc = twx_facts_pack(cx, &none, &p->facts);
    if (rc == TWX_OK) rc = twx_workspace_open(cx, &c->sign.params, &p->workspace);
    if (rc == TWX_OK) rc = twx_doc_set_begin(cx, &p->j, &p->options, 2, 0);
    for (int i = 0; rc == TWX_OK && i < 2; i++) {
        rc = twx_lookup_sign(cx, p->workspace, &signing, p->documents[i], &p->record);
        const twx_signed_document doc = {.doc = (int64_t)p->j.docs.at.n,
                                         .facts = twx_buf_slice(&p->facts),
                                         .record = twx_buf_slice(&p->record)};
        if (rc == TWX_OK) rc = twx_doc_set_add(cx, &p->j, &doc);
    }
    if (rc == TWX_OK) rc = twx_near_learn(cx, near, &p->j.docs, BOTH_TAKE_PART);
    if (rc != TWX_OK) return rc;
    twx_near_proof(near, &p->j.docs, BOTH_TAKE_PART, &p->proof);
    return ask(c, &p->j, &p->proof, 0, 1, ret_answer);
}

twx_rc twx_copy_check_pair(twx_copy_check *c, const twx_lookup *document, const twx_lookup *other,
                           twx_copy_answer *ret_answer) {
    pair p = {.options = c->plan.options, .documents = {document, other}, .cx = c->job->cx};
    *ret_answer = (twx_copy_answer){.similarity = -1};
    if (!c->possible) return TWX_OK;
    p.texts = (twx_text_source){.read = read_of_pair, .arg = &p};
    if (p.options.texts) p.options.texts = &p.texts;
    twx_doc_set_init(&p.j);
    twx_buf_init(&p.facts, 1 << 12);
    twx_buf_init(&p.record, TWX_LOOKUP_RECORD_MAX);
    const twx_rc rc = judge_pair(c, &p, ret_answer);
    twx_proof_done(&p.proof);
    twx_workspace_close(p.workspace);
    twx_buf_done(&p.facts);
    twx_buf_done(&p.record);
    twx_doc_set_done(&p.j);
    return rc;
}

/* ---- spelling ----------------------------------------------------------- */

static bool is_word(twx_slice found, const twx_demand *word) {
    return twx_name_word_meets((twx_name_part)word->part, word->word, TWX_NAME_TITLE,
                               twx_name_word(found));
}

/* The word of the text whose hash is `word`: a token, or numbers joined by dots ("1.8.11"). Absent:
 * there is none. */
static twx_rc find_token(twx_ctx *cx, twx_tokens *tokens, twx_slice text, const twx_demand *word,
                         twx_slice *ret_found) {
    twx_token token;
    twx_rc rc = TWX_OK;
    *ret_found = (twx_slice){NULL, 0};
    twx_tokens_start(tokens, text);
    while ((rc = twx_tokens_next(cx, tokens, &token)) == TWX_OK)
        if (is_word(token.text, word)) {
            *ret_found = token.text;
            return TWX_OK;
        }
    return rc == TWX_DONE ? TWX_OK : rc;
}

static bool find_number(twx_slice text, const twx_demand *word, twx_slice *ret_found) {
    for (size_t at = 0; at < text.n; at++) {
        if (!twx_is_digit_at(text, at) || (at > 0 && twx_is_digit_at(text, at - 1))) continue;
        const size_t start = at > 0 && twx_lower(text.p[at - 1]) == 'v' ? at - 1 : at;
        for (size_t end = at; end < text.n;) {
            while (twx_is_digit_at(text, end)) end++;
            *ret_found = twx_slice_sub(text, at, end);
            if (is_word(*ret_found, word)) return true;
            *ret_found = twx_slice_sub(text, start, end);
            if (is_word(*ret_found, word)) return true;
            if (end >= text.n || text.p[end] != '.' || !twx_is_digit_at(text, end + 1)) break;
            end++;
        }
    }
    return false;
}

/* Appends the word in quotes ("'vsrc'"), or "a word" if it is not in the document: one entry of a
 * long title represents several words. */
static twx_rc spell_word(twx_copy_check *c, const twx_lookup *document, const twx_demand *word,
                         twx_buf *out) {
    twx_ctx *cx = c->job->cx;
    twx_buf url = {.max = SIZE_MAX / 4};
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < document->url.n; i++) {
        const int value = twx_percent_value(document->url, i);
        rc = twx_buf_add_char(cx, &url, value >= 0 ? (char)value : document->url.p[i]);
        if (value >= 0) i += 2;
    }
    const twx_document *texts = &document->texts;
    const twx_slice in[] = {texts->title, texts->headings, twx_buf_slice(&url), texts->text};
    const bool is_line = word->part == TWX_NAME_LEAD; /* the word is the hash of a line */
    twx_slice found = {NULL, 0}, lines = texts->text;
    while (rc == TWX_OK && is_line && !found.p && lines.n) {
        const twx_slice line = twx_slice_next_line(&lines);
        uint32_t hash = 0;
        bool is = false;
        rc = twx_name_line(cx, &c->tokens, line, &hash, &is);
        if (rc == TWX_OK && is && hash == word->word) found = line;
    }
    for (size_t i = 0; rc == TWX_OK && !found.p && i < TWX_COUNTOF(in); i++) {
        if (!in[i].n || is_line) continue;
        rc = find_token(cx, &c->tokens, in[i], word, &found);
        if (rc == TWX_OK && !found.p && !find_number(in[i], word, &found))
            found = (twx_slice){NULL, 0};
    }
    if (rc == TWX_OK) rc = twx_buf_add_text(cx, out, found.p ? "'" : "a word");
    if (rc == TWX_OK && found.p) rc = twx_excerpt(cx, found, WORD_SHOWN, out);
    if (rc == TWX_OK && found.p) rc = twx_buf_add_char(cx, out, '\'');
    twx_buf_done(&url);
    return rc;
}

static twx_rc list_words(twx_copy_check *c, const twx_lookup *document, const twx_copy_answer *a,
                         twx_buf *out) {
    twx_ctx *cx = c->job->cx;
    const size_t n = a->demands.n;
    twx_rc rc = twx_buf_add_text(cx, out, n ? "its name is there: " : "it has no name of its own");
    for (size_t i = 0; rc == TWX_OK && i < n && i < WORDS_SHOWN; i++) {
        if (i > 0) rc = twx_buf_add_text(cx, out, ", ");
        if (rc == TWX_OK) rc = spell_word(c, document, &a->demands.at[i], out);
    }
    return rc == TWX_OK && n > WORDS_SHOWN ? twx_buf_add_text(cx, out, ", ...") : rc;
}

twx_rc twx_copy_reason(twx_copy_check *c, const twx_lookup *document, const twx_copy_answer *answer,
                       twx_buf *out) {
    twx_ctx *cx = c->job->cx;
    if (!answer->harmless && (answer->contained || answer->named_otherwise))
        return twx_buf_add_slice(cx, out, answer->difference);
    if (answer->contained) return list_words(c, document, answer, out);
    if (answer->named_otherwise)
        return twx_buf_add_text(cx, out, "no title names it, and the URLs have different names");
    if (answer->described_otherwise) return twx_buf_add_text(cx, out, "the descriptions differ");
    if (answer->shown_otherwise)
        return twx_buf_printf(cx, out, "%sthe names of their images or structured data differ",
                              answer->equal_texts ? "the texts are equal, but " : "");
    if (answer->unlimited)
        return twx_buf_add_text(cx, out, "documents with its text have too many different names");
    twx_rc rc = spell_word(c, document, &answer->missing, out);
    return rc == TWX_OK ? twx_buf_printf(cx, out, " %s is not in the other",
                                         twx_name_part_text((twx_name_part)answer->missing.part))
                        : rc;
}
