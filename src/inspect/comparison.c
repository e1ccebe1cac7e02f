#include "inspect/comparison.h"

#include "base/plural.h"

/* characters */
enum { CONTEXT_SHOWN = 60, PASSAGE_SHOWN = 300 };

void twx_comparison_init(twx_comparison *c) {
    *c = (twx_comparison){0};
    twx_arena_init(&c->arena, 0);
}

void twx_comparison_done(twx_comparison *c) {
    TWX_VEC_DONE(&c->detectors);
    TWX_VEC_DONE(&c->left_out);
    TWX_VEC_DONE(&c->copies);
    TWX_VEC_DONE(&c->set_aside);
    TWX_VEC_DONE(&c->passages);
    twx_arena_done(&c->arena);
}

/* ---- JSON --------------------------------------------------------------- */

static json_t *side_json(const twx_comparison *c, int side) {
    json_t *o = twx_listed_document_json(&c->document[side]);
    json_object_set_new(o, "bytes", twx_json_count(c->bytes[side]));
    return o;
}

static json_t *detectors_json(const twx_comparison *c) {
    json_t *all = json_array();
    for (size_t i = 0; i < c->detectors.n; i++) {
        const twx_compared_keys *k = &c->detectors.at[i];
        json_array_append_new(
            all, json_pack("{s:s, s:b, s:o, s:o, s:o, s:o}", "detector", k->detector, "pair",
                           (int)k->pair, "similarity", twx_json_ppm(k->similarity), "keys_a",
                           twx_json_count(k->keys[0]), "keys_b", twx_json_count(k->keys[1]),
                           "shared_keys", twx_json_count(k->shared)));
    }
    return all;
}

static json_t *left_out_json(const twx_comparison *c) {
    json_t *all = json_array();
    for (size_t i = 0; i < c->left_out.n; i++)
        json_array_append_new(all, json_string(c->left_out.at[i]));
    return all;
}

static json_t *copies_json(const twx_comparison *c) {
    json_t *all = json_array();
    for (size_t i = 0; i < c->copies.n; i++) {
        const twx_compared_copy *a = &c->copies.at[i];
        json_array_append_new(all, json_pack("{s:s, s:b, s:b, s:o}", "behind", a->which, "copy",
                                             (int)a->copy, "name_contained", (int)a->name_contained,
                                             "reason", twx_json_slice(a->reason)));
    }
    return all;
}

static json_t *set_aside_json(const twx_comparison *c) {
    json_t *all = json_array();
    for (size_t i = 0; i < c->set_aside.n; i++) {
        const twx_set_aside *s = &c->set_aside.at[i];
        json_array_append_new(
            all, json_pack("{s:s, s:s, s:o, s:o, s:o}", "document", s->side ? "b" : "a", "why",
                           s->why, "blocks", twx_json_count(s->blocks), "words",
                           twx_json_count(s->words), "first", twx_json_slice(s->first)));
    }
    return all;
}

static json_t *passages_json(const twx_comparison *c) {
    json_t *all = json_array();
    for (size_t i = 0; i < c->passages.n; i++) {
        const twx_compared_passage *p = &c->passages.at[i];
        json_array_append_new(all, json_pack("{s:o, s:o, s:o}", "before", twx_json_slice(p->before),
                                             "a", twx_json_slice(p->a), "b", twx_json_slice(p->b)));
    }
    return all;
}

static json_t *comparison_json(const twx_comparison *c) {
    return json_pack("{s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:b, s:o, s:o, s:b, s:o, s:o}", "a",
                     side_json(c, 0), "b", side_json(c, 1), "similarity",
                     twx_json_ppm(c->similarity), "at_least", (int)c->at_least, "detectors",
                     detectors_json(c), "left_out", left_out_json(c), "copies", copies_json(c),
                     "copies_learned", (int)c->copies_learned, "set_aside", set_aside_json(c),
                     "differences", twx_json_count(c->differences), "coarse", (int)c->coarse,
                     "passages", passages_json(c), "after", twx_json_slice(c->after));
}

/* ---- text --------------------------------------------------------------- */

static twx_rc write_texts(const twx_out *out, const twx_comparison *c) {
    char similarity[TWX_PPM_BYTES];
    twx_rc rc = TWX_OK;
    for (int side = 0; rc == TWX_OK && side < 2; side++) {
        rc = twx_out_text(out, "%c  ", "ab"[side]);
        if (rc == TWX_OK) rc = twx_listed_document_excerpt(out, &c->document[side]);
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

static twx_rc write_detectors(const twx_out *out, const twx_comparison *c) {
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

/* "a behind b: a copy: its name is there: 'llvm'" */
static twx_rc write_copies(const twx_out *out, const twx_comparison *c) {
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
                        c->near_detector);
}

/* "a: outside of the content area: 12 words in 2 blocks: Home News | Imprint" */
static twx_rc write_set_aside(const twx_out *out, const twx_comparison *c) {
    twx_rc rc = c->set_aside.n ? twx_out_text(out, "\n") : TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < c->set_aside.n; i++) {
        const twx_set_aside *s = &c->set_aside.at[i];
        rc = twx_out_text(out, "%c: %s: %zu %s in %zu %s: ", "ab"[s->side], s -> why, s -> words,
                          twx_plural(s->words, "word", "words"), s -> blocks,
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

static twx_rc write_passages(const twx_out *out, const twx_comparison *c) {
    const size_t n = c->differences;
    if (n == 0)
        return twx_out_text(out, "\n%s\n",
                            c->same_bytes ? "the texts are equal"
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
    for (size_t i = 0; rc == TWX_OK && i < c->passages.n; i++) {
        const twx_compared_passage *p = &c->passages.at[i];
        rc = write_part(out, "    ", p->before, true);
        if (rc == TWX_OK) rc = write_part(out, "  a ", p->a, false);
        if (rc == TWX_OK) rc = write_part(out, "  b ", p->b, false);
    }
    return rc;
}

twx_rc twx_comparison_write(const twx_out *out, const twx_comparison *c) {
    if (twx_out_is_json(out)) return twx_out_json(out, comparison_json(c));
    twx_rc rc = write_texts(out, c);
    if (rc == TWX_OK) rc = write_detectors(out, c);
    if (rc == TWX_OK) rc = write_copies(out, c);
    if (rc == TWX_OK) rc = write_set_aside(out, c);
    return rc == TWX_OK ? write_passages(out, c) : rc;
}
