#include "inspect/internal.h"

/* ==== comparison */

enum {
    LINE_BYTES = 1 << 16,
    DETECTORS_MAX = 256 /* their ids are bytes */
};

typedef struct side {
    twx_lookup document;
    twx_buf record;
    twx_record signatures; /* read from it */
} side;

/* The result of one detector. */
typedef struct twx_compared_keys {
    const char *detector;
    bool pair;
    int32_t similarity;     /* millionths; -1: unknown */
    size_t keys[2], shared; /* of both documents; in common */
} twx_compared_keys;

/* May one document be represented by the other? */
typedef struct twx_compared_copy {
    const char *which; /* "a represented by b" */
    bool copy, name_contained;
    twx_slice reason;
} twx_compared_copy;

/* Text of one of the documents that the comparison did not take as its content. */
typedef struct twx_set_aside {
    const char *side; /* "a" or "b" */
    const char *why;  /* "outside of the content area" */
    size_t blocks, words;
    twx_slice first; /* how the blocks begin, separated by " | " */
} twx_set_aside;

/* The result, which is written, and what it is computed with. */
typedef struct comparison {
    twx_arena arena;
    twx_listed_document document[2];
    size_t bytes[2]; /* of their texts */
    int32_t similarity;
    bool at_least; /* it is that of the passages: the texts are too long for more */
    TWX_VEC(twx_compared_keys) detectors;
    TWX_VEC(const char *) left_out; /* detectors that must read the whole store */
    TWX_VEC(twx_compared_copy) copies;
    bool copies_known, copies_learned; /* learned: with what the last run knows of the site */
    TWX_VEC(twx_set_aside) set_aside;
    size_t differences;             /* number of all differing passages */
    bool coarse;                    /* too much differs to find every difference */
    twx_compared_passages passages; /* the first of them */
    twx_slice after; /* the common passage after the last difference, if all are listed */

    const twx_job *job;
    const twindex_compare_options *options;
    twx_opened o;
    twx_params params;
    twx_url_rules *rules;
    twx_collection collection;
    const twx_detector *asked[DETECTORS_MAX];
    size_t asked_n;
    side side[2];
    twx_text_diff diff;
} comparison;

static bool is_same_text(const comparison *c) {
    return twx_slice_eq(c->side[0].document.texts.text, c->side[1].document.texts.text);
}

/* ==== set_aside */

enum { BLOCKS_SHOWN = 4, BLOCK_SHOWN = 30 /* characters */, FIRST_BYTES = 1 << 12 };

/* What only the whole text has, and not its content area `main`. Errors TWX_E_NOMEM */
static twx_rc outside_of_main(twx_ctx *cx, twx_slice text, twx_slice main,
                              twx_unit_list *ret_blocks) {
    twx_text_diff d = {0};
    ret_blocks->at.n = 0;
    if (main.n == 0) return TWX_OK;
    twx_rc rc = twx_text_diff_of(cx, text, main, &d);
    for (size_t i = 0; rc == TWX_OK && i < d.at.n; i++) {
        const twx_slice block = twx_slice_trim(d.at.at[i].a);
        if (d.at.at[i].kind != TWX_PASSAGE_ONLY_A || block.n == 0) continue;
        if (!TWX_VEC_PUSH(cx, &ret_blocks->at, ((twx_unit){.text = block}))) rc = TWX_E_NOMEM;
    }
    twx_text_diff_done(&d);
    return rc;
}

/* Does the next block follow it in the text? Then both are one. */
static bool goes_on(const twx_unit *block) {
    return twx_skip_space(block->text.p + block->text.n, block[1].text.p) == block[1].text.p;
}

/* Adds a row for these blocks, in the order of the text, if there are any. Errors TWX_E_NOMEM */
static twx_rc set_aside_add(comparison *c, const char *name, const char *why,
                            const twx_unit_list *blocks) {
    twx_ctx *cx = c->job->cx;
    twx_set_aside row = {.side = name, .why = why};
    twx_tokens tokens;
    twx_token token;
    twx_buf first = {.max = FIRST_BYTES};
    twx_rc rc = TWX_OK;
    twx_tokens_init(&tokens);
    for (size_t i = 0, next; rc == TWX_OK && i < blocks->at.n; i = next) {
        twx_slice block = blocks->at.at[i].text;
        for (next = i + 1; next < blocks->at.n && goes_on(&blocks->at.at[next - 1]); next++)
            block.n = (size_t)(blocks->at.at[next].text.p - block.p) + blocks->at.at[next].text.n;
        twx_tokens_start(&tokens, block);
        while ((rc = twx_tokens_next_raw(cx, &tokens, &token)) == TWX_OK) row.words++;
        if (rc == TWX_DONE) rc = TWX_OK;
        if (rc == TWX_OK && row.blocks > 0 && row.blocks <= BLOCKS_SHOWN)
            rc = twx_buf_add_text(cx, &first, row.blocks < BLOCKS_SHOWN ? " | " : " ...");
        if (rc == TWX_OK && row.blocks++ < BLOCKS_SHOWN)
            rc = twx_excerpt(cx, block, BLOCK_SHOWN, &first);
    }
    if (rc == TWX_OK) rc = twx_arena_copy(cx, &c->arena, twx_buf_slice(&first), &row.first);
    if (rc == TWX_OK && row.blocks && !TWX_VEC_PUSH(cx, &c->set_aside, row)) rc = TWX_E_NOMEM;
    twx_buf_done(&first);
    twx_tokens_done(&tokens);
    return rc;
}

/* ==== comparison_print */

/* characters */
enum { CONTEXT_SHOWN = 60, PASSAGE_SHOWN = 300 };

/* ---- JSON --------------------------------------------------------------- */

static json_t *side_json(const comparison *c, int i) {
    json_t *o = twx_listed_document_json(&c->document[i]);
    json_object_set_new(o, "bytes", twx_json_count(c->bytes[i]));
    return o;
}

static json_t *left_out_json(const void *compared) {
    const comparison *c = compared;
    json_t *all = json_array();
    for (size_t i = 0; i < c->left_out.n; i++)
        json_array_append_new(all, json_string(c->left_out.at[i]));
    return all;
}

#define K(...) TWX_FIELD(twx_compared_keys, __VA_ARGS__)
static const twx_field KEYS[] = {TWX_FIELDS(K("detector", detector), K("pair", pair),
                                            K("similarity", similarity), K("keys_a", keys[0]),
                                            K("keys_b", keys[1]), K("shared_keys", shared))};
#define C(...) TWX_FIELD(twx_compared_copy, __VA_ARGS__)
static const twx_field COPY[] = {TWX_FIELDS(
    C("behind", which), C("copy", copy), C("name_contained", name_contained), C("reason", reason))};
#define S(...) TWX_FIELD(twx_set_aside, __VA_ARGS__)
static const twx_field SET_ASIDE[] = {TWX_FIELDS(
    S("document", side), S("why", why), S("blocks", blocks), S("words", words), S("first", first))};
#define P(...) TWX_FIELD(twx_compared_passage, __VA_ARGS__)
static const twx_field PASSAGE[] = {P("before", before), P("a", a), P("b", b)};
#define CO(...) TWX_FIELD(comparison, __VA_ARGS__)
#define CR(...) TWX_FIELD_ROWS_OF(comparison, __VA_ARGS__)
static const twx_field COMPARISON[] = {
    TWX_FIELDS(CO("similarity", similarity), CO("at_least", at_least),
               CR("detectors", detectors, KEYS), TWX_FIELD_GOT("left_out", left_out_json),
               CR("copies", copies, COPY), CO("copies_learned", copies_learned),
               CR("set_aside", set_aside, SET_ASIDE), CO("differences", differences),
               CO("coarse", coarse), CR("passages", passages, PASSAGE), CO("after", after))};

json_t *twx_passages_json(const twx_compared_passages *passages) {
    return twx_rows_json(TWX_ROWS(PASSAGE, *passages));
}

/* ---- text --------------------------------------------------------------- */

static twx_rc write_texts(const twx_out *out, const comparison *c) {
    char similarity[TWX_PPM_BYTES];
    twx_rc rc = TWX_OK;
    for (int i = 0; rc == TWX_OK && i < 2; i++) {
        rc = twx_out_text(out, "%c  ", "ab"[i]);
        if (rc == TWX_OK)
            rc = twx_listed_document_write(out, &c->document[i], TWX_LISTED_URL_SHOWN);
        if (rc == TWX_OK) rc = twx_out_text(out, "\n");
    }
    if (rc != TWX_OK) return rc;
    return twx_out_text(out, "\ntext similarity %s%s (%s; %zu and %zu bytes)\n",
                        c->at_least ? "at least " : "", twx_ppm_text(c->similarity, similarity),
                        c->at_least
                            ? "of the passages: the texts are too long to compare characters"
                            : "2 x longest common subsequence",
                        c->bytes[0], c->bytes[1]);
}

static const char *answer(const twx_compared_keys *k) {
    return k->pair ? "a pair" : k->keys[0] && k->keys[1] ? "no pair" : "no signature";
}

static twx_rc write_detectors(const twx_out *out, const comparison *c) {
    twx_rc rc = twx_out_text(out, "\n%-20s %-12s %11s  %s\n", "detector", "says", "similarity",
                             "keys in common");
    for (size_t i = 0; rc == TWX_OK && i < c->detectors.n; i++) {
        const twx_compared_keys *k = &c->detectors.at[i];
        char similarity[TWX_PPM_BYTES];
        rc = twx_out_text(out, "%-20s %-12s %11s  %6zu of %zu and %zu\n", k->detector, answer(k),
                          twx_ppm_text(k->similarity, similarity), k->shared, k->keys[0],
                          k->keys[1]);
    }
    for (size_t i = 0; rc == TWX_OK && i < c->left_out.n; i++)
        rc = twx_out_text(out, i ? " %s" : "not asked: %s", c->left_out.at[i]);
    return rc == TWX_OK && c->left_out.n
               ? twx_out_text(out, "; --all includes them and reads the whole store\n")
               : rc;
}

/* "a represented by b: a copy: its name is there: 'llvm'" */
static twx_rc write_copies(const twx_out *out, const comparison *c) {
    twx_rc rc = twx_out_text(out, "\n");
    for (size_t i = 0; rc == TWX_OK && i < c->copies.n; i++) {
        const twx_compared_copy *a = &c->copies.at[i];
        rc = twx_out_text(out, "%s: %s: ", a->which, a->copy ? "a copy" : "not a copy");
        if (rc == TWX_OK) rc = twx_out_line(out, a->reason);
        if (rc == TWX_OK) rc = twx_out_text(out, "\n");
    }
    if (rc != TWX_OK || (c->copies_known && c->copies_learned)) return rc;
    if (c->copies_known)
        return twx_out_text(out, "(no run has seen both with these settings: words that the whole "
                                 "site uses count as names)\n");
    return twx_out_text(out,
                        "copies are not looked for: near.detector = %s verifies nothing here, or a "
                        "text is too short\n",
                        c->job->settings->near_detector);
}

/* "a: outside of the content area: 12 words in 2 blocks: Home News | Imprint" */
static twx_rc write_set_aside(const twx_out *out, const comparison *c) {
    twx_rc rc = c->set_aside.n ? twx_out_text(out, "\n") : TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < c->set_aside.n; i++) {
        const twx_set_aside *s = &c->set_aside.at[i];
        rc = twx_out_text(out, "%s: %s: %zu %s in %zu %s: ", s->side, s->why, s->words,
                          twx_plural(s->words, "word", "words"), s->blocks,
                          twx_plural(s->blocks, "block", "blocks"));
        if (rc == TWX_OK) rc = twx_out_line(out, s->first);
        if (rc == TWX_OK) rc = twx_out_text(out, "\n");
    }
    return rc;
}

static twx_rc write_part(const twx_out *out, const char *mark, twx_slice text, bool is_context) {
    if (text.n == 0) return TWX_OK;
    twx_rc rc = twx_out_text(out, "%s", mark);
    if (rc == TWX_OK)
        rc = is_context ? twx_out_excerpt_end(out, text, CONTEXT_SHOWN)
                        : twx_out_excerpt(out, text, PASSAGE_SHOWN);
    return rc == TWX_OK ? twx_out_text(out, "\n") : rc;
}

twx_rc twx_passages_write(const twx_out *out, const twx_compared_passages *passages) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < passages->n; i++) {
        const twx_compared_passage *p = &passages->at[i];
        rc = write_part(out, "    ", p->before, true);
        if (rc == TWX_OK) rc = write_part(out, "  a ", p->a, false);
        if (rc == TWX_OK) rc = write_part(out, "  b ", p->b, false);
    }
    return rc;
}

static twx_rc write_passages(const twx_out *out, const comparison *c) {
    const size_t n = c->differences;
    if (n == 0)
        return twx_out_text(out, "\n%s\n",
                            is_same_text(c) ? "the texts are equal"
                                            : "the texts differ only in white space");
    twx_rc rc = twx_out_text(out, "\n%zu %s", n,
                             twx_plural(n, "passage differs", "passages differ"));
    if (rc == TWX_OK && c->passages.n < n)
        rc = twx_out_text(out, ", the first %zu of them", c->passages.n);
    if (rc == TWX_OK && c->coarse)
        rc = twx_out_text(
            out,
            " (too much differs to separate all of it: long passages also contain what both have)");
    if (rc == TWX_OK) rc = twx_out_text(out, ":\n");
    return rc == TWX_OK ? twx_passages_write(out, &c->passages) : rc;
}

static twx_rc write_comparison(const twx_out *out, const comparison *c) {
    if (twx_out_is_json(out)) {
        json_t *o = json_pack("{s:o, s:o}", "a", side_json(c, 0), "b", side_json(c, 1));
        return twx_out_json(out, twx_row_put(o, TWX_ROWS_AT(COMPARISON, c, 1)));
    }
    twx_rc rc = write_texts(out, c);
    if (rc == TWX_OK) rc = write_detectors(out, c);
    if (rc == TWX_OK) rc = write_copies(out, c);
    if (rc == TWX_OK) rc = write_set_aside(out, c);
    return rc == TWX_OK ? write_passages(out, c) : rc;
}

/* ==== compare */

static inline bool is_copy(const twx_copy_answer *answer) {
    return answer->similarity >= 0 && answer->contained && answer->harmless;
}

/* Characters times characters: some four seconds. */
static const double CELLS = 2e11;

/* ---- detectors ----------------------------------------------------------- */

/* Without a pass over the store, min-hashes are computed without excluding boilerplate. */
static twx_rc choose_detectors(comparison *c) {
    unsigned needs = 0;
    const twx_detector *d = NULL;
    if (!c->options->all) c->params = twx_params_without_needs(&c->params);
    for (size_t i = 0; (d = twx_detector_at(i)); i++) {
        unsigned its_needs = twx_detector_needs(d, &c->params);
        if (d->describes_name) continue; /* see list_copies() */
        if (its_needs && !c->options->all) {
            if (!TWX_VEC_PUSH(c->job->cx, &c->left_out, d->name)) return TWX_E_NOMEM;
            continue;
        }
        c->asked[c->asked_n++] = d;
        needs |= its_needs;
    }
    if (needs == 0) return TWX_OK;
    twx_rc rc = twx_collect(c->job, &c->o, &c->params, needs, &c->collection);
    if (rc == TWX_OK) c->params.collection = &c->collection;
    return rc;
}

static twx_rc sign_both(comparison *c) {
    const twx_signing signing = {.params = &c->params, .detectors = c->asked, .n = c->asked_n};
    twx_workspace *workspace = NULL;
    twx_rc rc = twx_workspace_open(c->job->cx, &c->params, &workspace);
    for (side *s = c->side; rc == TWX_OK && s < c->side + 2; s++) {
        rc = twx_lookup_sign(c->job->cx, workspace, &signing, &s->document, &s->record);
        if (rc == TWX_OK)
            rc = twx_record_read(c->job->cx, twx_buf_slice(&s->record), &s->signatures);
    }
    twx_workspace_close(workspace);
    return rc;
}

/* Characters, a byte of invalid UTF-8 more or less; with `dense`, without white space. */
static size_t characters_of(twx_slice text, bool dense) {
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++) {
        const unsigned char byte = (unsigned char)text.p[i];
        n += (byte & 0xC0) != 0x80 && !(dense && twx_is_space(byte));
    }
    return n;
}

/* What the passages have in common, at most what the characters have; white space is ignored. */
static int32_t least_similarity(const comparison *c) {
    enum { MILLION = 1000000 };
    const size_t all = characters_of(c->side[0].document.texts.text, false) +
                       characters_of(c->side[1].document.texts.text, false);
    size_t common = 0;
    for (size_t i = 0; i < c->diff.at.n; i++) {
        const twx_passage *p = &c->diff.at.at[i];
        if (p->kind == TWX_PASSAGE_BOTH) common += characters_of(p->a, !twx_slice_eq(p->a, p->b));
    }
    return all ? (int32_t)(2 * common * MILLION / all) : MILLION;
}

static twx_rc compare_texts(comparison *c) {
    twx_similarity *s = NULL;
    const twx_slice a = c->side[0].document.texts.text, b = c->side[1].document.texts.text;
    twx_rc rc = twx_text_diff_of(c->job->cx, a, b, &c->diff);
    if (rc == TWX_OK) rc = twx_similarity_open(c->job->cx, &s);
    if (rc != TWX_OK) return rc;
    twx_similarity_limit(s, CELLS);
    rc = twx_similarity_of(c->job->cx, s, a, b, 0, &c->similarity);
    twx_similarity_close(s);
    c->at_least = rc == TWX_DONE;
    if (rc != TWX_DONE) return rc;
    c->similarity = least_similarity(c);
    return TWX_OK;
}

/* Adds what the detector says of the two; a document can be without an entry. */
static twx_rc add_detector(comparison *c, const twx_detector *d) {
    twx_ctx *cx = c->job->cx;
    twx_probe probe;
    const twx_rc rc = twx_probe_open(cx, d, &c->params,
                                     twx_record_find(&c->side[0].signatures, d->id), &probe);
    if (rc != TWX_OK) return rc;
    const twx_nearness near = twx_probe_try(&probe, twx_record_find(&c->side[1].signatures, d->id));
    const twx_compared_keys row = {.detector = d->name,
                                   .pair = near.pair,
                                   .similarity = near.similarity,
                                   .keys = {near.keys, near.other_keys},
                                   .shared = near.shared};
    twx_probe_done(&probe);
    return TWX_VEC_PUSH(cx, &c->detectors, row) ? TWX_OK : TWX_E_NOMEM;
}

/* ---- copies ------------------------------------------------------------- */

/* TWX_DONE: the document was added after the last run, or there was no run. */
static twx_rc number_of(comparison *c, const side *s, int64_t *ret_doc) {
    return c->o.signatures ? twx_document_number(&c->o, &s->document.id, ret_doc) : TWX_DONE;
}

/* Uses what the last run learned about the site (*ret_learned), or else only the two documents. */
static twx_rc check_copy(comparison *c, twx_copy_check *check, const side *s, const side *other,
                         twx_copy_answer *ret_answer, bool *ret_learned) {
    int64_t doc = 0, other_doc = 0;
    twx_rc rc = number_of(c, s, &doc);
    if (rc == TWX_OK) rc = number_of(c, other, &other_doc);
    ret_answer->known = false;
    if (rc == TWX_OK)
        rc = twx_copy_check_stored(check, (twx_copy_place){0, doc}, (twx_copy_place){0, other_doc},
                                   ret_answer);
    if (rc != TWX_OK && rc != TWX_DONE) return rc;
    *ret_learned = ret_answer->known;
    return *ret_learned ? TWX_OK
                        : twx_copy_check_pair(check, &s->document, &other->document, ret_answer);
}

static twx_rc add_reason(comparison *c, twx_copy_check *check, const side *s,
                         const twx_copy_answer *a, twx_buf *out) {
    twx_rc rc = TWX_OK;
    if (is_same_text(c) && is_copy(a))
        return twx_buf_add_text(c->job->cx, out, "the texts are equal");
    if (a->similarity < 0)
        rc = twx_buf_printf(c->job->cx, out, "they are not near-duplicates%s",
                            a->contained ? "" : ", and ");
    if (rc != TWX_OK || (a->similarity < 0 && a->contained)) return rc;
    return twx_copy_reason(check, &s->document, a, out);
}

static twx_rc add_answer(comparison *c, twx_copy_check *check, const char *which, const side *s,
                         const twx_copy_answer *a) {
    twx_compared_copy row = {.which = which, .copy = is_copy(a), .name_contained = a->contained};
    twx_buf reason = {.max = LINE_BYTES};
    twx_rc rc = add_reason(c, check, s, a, &reason);
    if (rc == TWX_OK)
        rc = twx_arena_copy(c->job->cx, &c->arena, twx_buf_slice(&reason), &row.reason);
    if (rc == TWX_OK && !TWX_VEC_PUSH(c->job->cx, &c->copies, row)) rc = TWX_E_NOMEM;
    twx_buf_done(&reason);
    return rc;
}

/* What near-duplicate methods do not get of a document. */
static twx_rc outside_of(comparison *c, const side *s, twx_unit_list *ret_blocks) {
    twx_arena scratch = {.keep = 1 << 12};
    twx_url url = {.fault = TWX_URL_EMPTY};
    const twx_lookup *p = &s->document;
    twx_document doc = p->texts;
    doc.url = &url;
    twx_rc rc = p->url.p ? twx_url_normalize(c->job->cx, &scratch, &c->params.url, p->url, &url)
                         : TWX_OK;
    if (rc == TWX_OK && twx_near_text_of(&c->params, &doc).p != doc.text.p)
        rc = outside_of_main(c->job->cx, doc.text, doc.main, ret_blocks);
    twx_arena_done(&scratch);
    return rc;
}

/* What each text has outside of its content area, and what is boilerplate of its host. */
static twx_rc list_set_aside(comparison *c, twx_copy_check *check) {
    twx_unit_list blocks = {0};
    twx_rc rc = TWX_OK;
    for (int i = 0; rc == TWX_OK && i < 2; i++) {
        const side *s = &c->side[i];
        const char *name = i ? "b" : "a";
        int64_t doc = 0;
        rc = outside_of(c, s, &blocks);
        if (rc == TWX_OK) rc = set_aside_add(c, name, "outside of the content area", &blocks);
        blocks.at.n = 0;
        if (rc == TWX_OK) rc = number_of(c, s, &doc);
        if (rc == TWX_OK)
            rc = twx_copy_check_boilerplate(check, (twx_copy_place){0, doc}, s->document.texts.text,
                                            &blocks);
        if (rc == TWX_OK) rc = set_aside_add(c, name, "boilerplate of the host", &blocks);
        blocks.at.n = 0;
        if (rc == TWX_DONE) rc = TWX_OK;
    }
    TWX_VEC_DONE(&blocks.at);
    return rc;
}

static twx_rc list_copies(comparison *c) {
    twx_copy_check *check = NULL;
    twx_copy_answer answer = {.known = false};
    const twx_load_store store = {c->job, &c->o};
    twx_rc rc = twx_copy_check_open(&store, 1, &check);
    for (int i = 0; rc == TWX_OK && i < 2; i++) {
        const side *s = &c->side[i];
        rc = check_copy(c, check, s, &c->side[!i], &answer, &c->copies_learned);
        if (rc == TWX_OK && answer.known)
            rc = add_answer(c, check, i ? "b represented by a" : "a represented by b", s, &answer);
    }
    c->copies_known = answer.known;
    if (rc == TWX_OK) rc = list_set_aside(c, check);
    twx_copy_check_close(check);
    return rc;
}

/* ---- the command --------------------------------------------------------- */

static twx_rc list_differences(comparison *c) {
    twx_rc rc = twx_differences_list(c->job->cx, &c->diff, c->options->limit, &c->arena,
                                     &c->passages, &c->differences);
    if (rc != TWX_OK || c->passages.n < c->differences || c->diff.at.n == 0) return rc;
    const twx_passage *last = &c->diff.at.at[c->diff.at.n - 1];
    const twx_slice end = last->kind == TWX_PASSAGE_BOTH ? last->a : (twx_slice){"", 0};
    return twx_arena_copy(c->job->cx, &c->arena, end, &c->after);
}

twx_rc twx_compare(const twx_job *job, const char *a, const char *b,
                   const twindex_compare_options *options, const twx_out *out) {
    const char *const named[] = {a, b};
    comparison c = {.job = job, .options = options};
    twx_rc rc = twx_params_make(job, &c.params, &c.rules);
    if (rc == TWX_OK) rc = twx_open_store(job, TWX_NEED_SOURCE | TWX_NEED_LOOK, &c.o);
    if (rc == TWX_OK) rc = twx_params_count_documents(&c.o, &c.params);
    for (int i = 0; i < 2; i++) {
        const twx_lookup *found = &c.side[i].document;
        twx_buf_init(&c.side[i].record, TWX_LOOKUP_RECORD_MAX);
        if (rc == TWX_OK) rc = twx_lookup_find(job, &c.o, named[i], &c.side[i].document);
        c.bytes[i] = found->texts.text.n;
        if (rc == TWX_OK)
            rc = twx_listed_document_copy(job->cx, &c.arena, &found->id, found->url,
                                          &c.document[i]);
    }
    if (rc == TWX_OK)
        rc = twx_host_pair_params(job->cx, job->settings, c.document[0].url, c.document[1].url,
                                  &c.params);
    if (rc == TWX_OK) rc = choose_detectors(&c);
    if (rc == TWX_OK) rc = sign_both(&c);
    if (rc == TWX_OK) rc = compare_texts(&c);
    for (size_t i = 0; rc == TWX_OK && i < c.asked_n; i++) rc = add_detector(&c, c.asked[i]);
    if (rc == TWX_OK) rc = list_copies(&c);
    c.coarse = c.diff.coarse;
    if (rc == TWX_OK) rc = list_differences(&c);
    twx_opened_done(&c.o); /* whatever reads the output does not keep the store open */
    if (rc == TWX_OK) rc = write_comparison(out, &c);
    for (int i = 0; i < 2; i++) {
        twx_buf_done(&c.side[i].record);
        twx_lookup_done(&c.side[i].document);
    }
    twx_text_diff_done(&c.diff);
    twx_collection_done(&c.collection);
    twx_url_rules_close(c.rules);
    TWX_VEC_DONE(&c.detectors);
    TWX_VEC_DONE(&c.left_out);
    TWX_VEC_DONE(&c.copies);
    TWX_VEC_DONE(&c.set_aside);
    TWX_VEC_DONE(&c.passages);
    twx_arena_done(&c.arena);
    return rc;
}
