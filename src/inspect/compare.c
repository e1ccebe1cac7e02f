#include "inspect/compare.h"

#include <inttypes.h>

#include "inspect/copy_check.h"
#include "inspect/probe.h"
#include "job/collect.h"
#include "job/detector_params.h"
#include "job/document_label.h"
#include "job/lookup.h"
#include "method/detectors.h"
#include "method/method_settings.h"
#include "report/excerpt.h"
#include "text/similarity.h"
#include "text/text_diff.h"

enum {
    URL_SHOWN = 2000, /* characters */
    CONTEXT_SHOWN = 60,
    PASSAGE_SHOWN = 300,
    LINE_BYTES = 1 << 16,
    MILLION = 1000000,
    PERCENT = 10000,    /* millionths */
    DETECTORS_MAX = 256 /* their ids are bytes */
};

/* The unit is one character times one character. */
static const double CELLS_NOTED = 2e11, CELLS_A_SECOND = 5e10;

typedef struct side {
    twx_lookup picked;
    twx_buf record;
} side;

typedef struct comparing {
    const twx_job *job;
    const twindex_compare_options *options;
    const twx_out *out;
    twx_opened o;
    twx_params params;
    twx_url_rules *rules;
    twx_collection collection;
    /* left_out: detectors that must read the whole store */
    const twx_detector *asked[DETECTORS_MAX], *left_out[DETECTORS_MAX];
    size_t asked_n, left_out_n;
    side a, b;
    int32_t similarity;
    twx_text_diff passages;
    json_t *root;
} comparing;

/* ---- detectors ----------------------------------------------------------- */

/* Without a pass over the store, min-hashes are computed without excluding boilerplate. */
static twx_rc choose_detectors(comparing *c) {
    unsigned needs = 0;
    const twx_detector *d = NULL;
    if (!c->options->all) c->params = twx_params_without_needs(&c->params);
    for (size_t i = 0; (d = twx_detector_at(i)); i++) {
        unsigned its_needs = twx_detector_needs(d, &c->params);
        if (twx_detector_describes_name(d)) continue; /* see tell_copy() */
        bool asked = its_needs == 0 || c->options->all;
        if (!asked) {
            c->left_out[c->left_out_n++] = d;
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

static twx_rc sign_both(comparing *c) {
    const twx_signing signing = {.params = &c->params, .detectors = c->asked, .n = c->asked_n};
    twx_workspace *workspace = NULL;
    twx_rc rc = twx_workspace_open(c->job->cx, &c->params, &workspace);
    if (rc == TWX_OK)
        rc = twx_lookup_sign(c->job->cx, workspace, &signing, &c->a.picked, &c->a.record);
    if (rc == TWX_OK)
        rc = twx_lookup_sign(c->job->cx, workspace, &signing, &c->b.picked, &c->b.record);
    twx_workspace_close(workspace);
    return rc;
}

static twx_rc compare_texts(comparing *c) {
    twx_similarity *s = NULL;
    const double cells = (double)c->a.picked.text.n * (double)c->b.picked.text.n;
    if (cells > CELLS_NOTED)
        twx_job_message(c->job, TWINDEX_NOTE,
                        "texts of %zu and %zu bytes: if they are not alike this takes about %.0f s",
                        c->a.picked.text.n, c->b.picked.text.n, cells / CELLS_A_SECOND);
    twx_rc rc = twx_similarity_open(c->job->cx, &s);
    if (rc == TWX_OK)
        rc = twx_similarity_of(c->job->cx, s, c->a.picked.text, c->b.picked.text, 0,
                               &c->similarity);
    twx_similarity_close(s);
    return rc == TWX_OK
               ? twx_text_diff_of(c->job->cx, c->a.picked.text, c->b.picked.text, &c->passages)
               : rc;
}

/* ---- output ------------------------------------------------------------- */

static bool is_json(const comparing *c) {
    return twx_out_is_json(c->out);
}

static twx_rc out_of_json(const comparing *c) {
    return twx_fail(c->job->cx, TWX_E_NOMEM, "out of memory for JSON");
}

static twx_rc set_json(const comparing *c, const char *key, json_t *value) {
    return json_object_set_new(c->root, key, value) == 0 ? TWX_OK : out_of_json(c);
}

static twx_rc append_json(const comparing *c, json_t *list, json_t *value) {
    return json_array_append_new(list, value) == 0 ? TWX_OK : out_of_json(c);
}

/* "a  42  https://example.org/" */
static twx_rc tell_side(comparing *c, const char *name, const side *s) {
    const twx_lookup *p = &s->picked;
    twx_buf line;
    if (is_json(c))
        return set_json(c, name,
                        json_pack("{s:o, s:o, s:I}", "id", twx_json_value(&p->id), "url",
                                  twx_json_slice(p->url), "bytes", (json_int_t)p->text.n));
    twx_buf_init(&line, LINE_BYTES);
    twx_rc rc = twx_buf_printf(c->job->cx, &line, "%s  ", name);
    if (rc == TWX_OK) rc = twx_value_print(c->job->cx, &line, &p->id);
    if (rc == TWX_OK) rc = twx_buf_add_text(c->job->cx, &line, "  ");
    if (rc == TWX_OK) rc = twx_excerpt(c->job->cx, p->url, URL_SHOWN, &line);
    if (rc == TWX_OK) rc = twx_buf_add_text(c->job->cx, &line, "\n");
    if (rc == TWX_OK) rc = twx_out_bytes(c->out, twx_buf_slice(&line));
    twx_buf_done(&line);
    return rc;
}

/* Rounded down, so that only equal texts have 100 %. */
static twx_rc tell_similarity(comparing *c) {
    if (is_json(c)) return set_json(c, "similarity", json_real(c->similarity / (double)MILLION));
    return twx_out_text(
        c->out,
        "\ntext similarity %d.%02d %% (2 x longest common subsequence; %zu and %zu bytes)\n",
        c->similarity / PERCENT, c->similarity % PERCENT / (PERCENT / 100), c->a.picked.text.n,
        c->b.picked.text.n);
}

static twx_rc tell_nearness(comparing *c, json_t *list, const twx_detector *d,
                            const twx_nearness *near) {
    char similarity[32] = "-";
    const char *says = near->pair                       ? "a pair"
                       : near->keys && near->other_keys ? "no pair"
                                                        : "no signature";
    if (is_json(c))
        return append_json(
            c, list,
            json_pack("{s:s, s:b, s:o, s:I, s:I, s:I}", "detector", d->name, "pair",
                      (int)near->pair, "similarity",
                      near->similarity < 0 ? json_null()
                                           : json_real(near->similarity / (double)MILLION),
                      "keys_a", (json_int_t)near->keys, "keys_b", (json_int_t)near->other_keys,
                      "shared_keys", (json_int_t)near->shared));
    if (near->similarity >= 0)
        snprintf(similarity, sizeof similarity, "%d.%02d %%", near->similarity / PERCENT,
                 near->similarity % PERCENT / (PERCENT / 100));
    return twx_out_text(c->out, "%-20s %-12s %11s  %6zu of %zu and %zu\n", d->name, says,
                        similarity, near->shared, near->keys, near->other_keys);
}

/* TWX_DONE: the record has no such entry. */
static twx_rc entry_of(comparing *c, const side *s, const twx_detector *d,
                       twx_record_entry *ret_entry, bool *ret_has) {
    twx_rc rc = twx_record_find(c->job->cx, twx_buf_slice(&s->record), d->id, ret_entry);
    *ret_has = rc == TWX_OK;
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc ask(comparing *c, const twx_detector *d, twx_nearness *ret_near) {
    twx_record_entry a, b;
    twx_probe probe;
    bool has_a = false, has_b = false;
    twx_rc rc = entry_of(c, &c->a, d, &a, &has_a);
    if (rc == TWX_OK) rc = entry_of(c, &c->b, d, &b, &has_b);
    if (rc == TWX_OK) rc = twx_probe_open(c->job->cx, d, &c->params, has_a ? &a : NULL, &probe);
    if (rc != TWX_OK) return rc;
    *ret_near = twx_probe_try(&probe, has_b ? &b : NULL);
    twx_probe_done(&probe);
    return TWX_OK;
}

static twx_rc tell_left_out(comparing *c) {
    json_t *list = is_json(c) ? json_array() : NULL;
    twx_rc rc = is_json(c) ? set_json(c, "left_out", list) : TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < c->left_out_n; i++) {
        const char *name = c->left_out[i]->name;
        rc = is_json(c) ? append_json(c, list, json_string(name))
                        : twx_out_text(c->out, i ? " %s" : "not asked: %s", name);
    }
    if (rc != TWX_OK || is_json(c) || c->left_out_n == 0) return rc;
    return twx_out_text(c->out, "; --all asks them, too, and reads the whole store for it\n");
}

static twx_rc tell_detectors(comparing *c) {
    json_t *list = is_json(c) ? json_array() : NULL;
    twx_rc rc = is_json(c) ? set_json(c, "detectors", list)
                           : twx_out_text(c->out, "\n%-20s %-12s %11s  %s\n", "detector", "says",
                                          "similarity", "keys in common");
    for (size_t i = 0; rc == TWX_OK && i < c->asked_n; i++) {
        twx_nearness near;
        rc = ask(c, c->asked[i], &near);
        if (rc == TWX_OK) rc = tell_nearness(c, list, c->asked[i], &near);
    }
    return rc == TWX_OK ? tell_left_out(c) : rc;
}

/* ---- copies ------------------------------------------------------------- */

static twx_copy_document name_of(const side *s) {
    const twx_lookup *p = &s->picked;
    return (twx_copy_document){
        .url = p->url, .title = p->title, .description = p->description, .text = p->text};
}

/* TWX_DONE: the document was added after the last run, or there was no run. */
static twx_rc number_of(comparing *c, const side *s, int64_t *ret_doc) {
    *ret_doc = s->picked.id.i;
    if (!c->o.signatures) return TWX_DONE;
    return twx_source_is_direct(c->o.source)
               ? TWX_OK
               : twx_document_find(c->o.signatures, &s->picked.id, ret_doc);
}

/* Uses what the last run learned about the site (*ret_learned), or else only the two documents. */
static twx_rc check_copy(comparing *c, twx_copy_check *check, const side *s, const side *other,
                         twx_copy_answer *ret_answer, bool *ret_learned) {
    const twx_copy_document document = name_of(s), behind = name_of(other);
    int64_t doc = 0, other_doc = 0;
    twx_rc rc = number_of(c, s, &doc);
    if (rc == TWX_OK) rc = number_of(c, other, &other_doc);
    ret_answer->known = false;
    if (rc == TWX_OK) rc = twx_copy_check_stored(check, doc, other_doc, ret_answer);
    if (rc != TWX_OK && rc != TWX_DONE) return rc;
    *ret_learned = ret_answer->known;
    return *ret_learned ? TWX_OK : twx_copy_check_pair(check, &document, &behind, ret_answer);
}

static bool is_same_text(const comparing *c) {
    return twx_slice_eq(c->a.picked.text, c->b.picked.text);
}

static twx_rc add_reason(comparing *c, twx_copy_check *check, const side *s,
                         const twx_copy_answer *a, twx_buf *out) {
    const twx_copy_document document = name_of(s);
    twx_rc rc = TWX_OK;
    if (is_same_text(c)) return twx_buf_add_text(c->job->cx, out, "the texts are equal");
    if (a->similarity < 0)
        rc = twx_buf_printf(c->job->cx, out, "they are no near-duplicates%s",
                            a->contained ? "" : ", and ");
    if (rc != TWX_OK || (a->similarity < 0 && a->contained)) return rc;
    return twx_copy_reason(check, &document, a, out);
}

/* "a behind b: a copy: its name is there: 'llvm'" */
static twx_rc tell_answer(comparing *c, twx_copy_check *check, json_t *list, const char *which,
                          const side *s, const twx_copy_answer *a) {
    const bool copy = is_same_text(c) || (a->similarity >= 0 && a->contained);
    twx_buf reason;
    twx_buf_init(&reason, LINE_BYTES);
    twx_rc rc = add_reason(c, check, s, a, &reason);
    if (rc == TWX_OK && is_json(c))
        rc = append_json(c, list,
                         json_pack("{s:s, s:b, s:b, s:o}", "behind", which, "copy", (int)copy,
                                   "name_contained", (int)a->contained, "reason",
                                   twx_json_slice(twx_buf_slice(&reason))));
    else if (rc == TWX_OK)
        rc = twx_out_text(c->out, "%s: %s: %s\n", which, copy ? "a copy" : "not a copy",
                          twx_buf_slice(&reason).p);
    twx_buf_done(&reason);
    return rc;
}

/* May one of the two documents be represented by the other? */
static twx_rc tell_copy(comparing *c) {
    twx_copy_check *check = NULL;
    twx_copy_answer answer = {.known = false};
    bool learned = false;
    json_t *list = is_json(c) ? json_array() : NULL;
    twx_rc rc = is_json(c) ? set_json(c, "copies", list) : twx_out_text(c->out, "\n");
    if (rc == TWX_OK) rc = twx_copy_check_open(c->job, &c->o, &check);
    for (int i = 0; rc == TWX_OK && i < 2; i++) {
        const side *s = i ? &c->b : &c->a;
        rc = check_copy(c, check, s, i ? &c->a : &c->b, &answer, &learned);
        if (rc == TWX_OK && answer.known)
            rc = tell_answer(c, check, list, i ? "b behind a" : "a behind b", s, &answer);
    }
    if (rc == TWX_OK && !answer.known && !is_json(c))
        rc = twx_out_text(c->out,
                          "copies are not looked for: near.detector = %s verifies nothing here, or "
                          "a text is too short\n",
                          c->job->settings->near_detector);
    else if (rc == TWX_OK && !learned && !is_json(c))
        rc = twx_out_text(c->out, "(no run has seen both with these settings: words that the whole "
                                  "site uses count as names)\n");
    if (rc == TWX_OK && is_json(c)) rc = set_json(c, "copies_learned", json_boolean(learned));
    twx_copy_check_close(check);
    return rc;
}

/* ---- differences: one or two passages between two common passages -------- */

typedef struct difference {
    twx_slice before; /* the common passage before it */
    twx_slice a, b;
} difference;

/* Finds the next difference from passage *at on; false: there are no more. */
static bool next_difference(const twx_text_diff *p, size_t *at, difference *ret_difference) {
    difference d = {.before = {"", 0}, .a = {"", 0}, .b = {"", 0}};
    bool found = false;
    for (; *at < p->at.n; ++*at) {
        const twx_passage *passage = &p->at.at[*at];
        if (passage->kind == TWX_PASSAGE_BOTH) {
            if (found) break;
            d.before = passage->a;
            continue;
        }
        found = true;
        if (passage->kind == TWX_PASSAGE_ONLY_A)
            d.a = passage->a;
        else
            d.b = passage->b;
    }
    *ret_difference = d;
    return found;
}

static size_t count_differences(const twx_text_diff *p) {
    difference d;
    size_t n = 0;
    for (size_t at = 0; next_difference(p, &at, &d);) n++;
    return n;
}

static twx_rc add_line(const comparing *c, const char *mark, twx_slice text, bool end,
                       twx_buf *lines) {
    if (text.n == 0) return TWX_OK;
    twx_rc rc = twx_buf_add_text(c->job->cx, lines, mark);
    if (rc == TWX_OK)
        rc = end ? twx_excerpt_end(c->job->cx, text, CONTEXT_SHOWN, lines)
                 : twx_excerpt(c->job->cx, text, PASSAGE_SHOWN, lines);
    return rc == TWX_OK ? twx_buf_add_text(c->job->cx, lines, "\n") : rc;
}

static twx_rc tell_difference(comparing *c, json_t *list, const difference *d) {
    twx_buf lines;
    if (is_json(c))
        return append_json(
            c, list, json_pack("{s:o, s:o}", "a", twx_json_slice(d->a), "b", twx_json_slice(d->b)));
    twx_buf_init(&lines, LINE_BYTES);
    twx_rc rc = add_line(c, "    ", d->before, true, &lines);
    if (rc == TWX_OK) rc = add_line(c, "  a ", d->a, false, &lines);
    if (rc == TWX_OK) rc = add_line(c, "  b ", d->b, false, &lines);
    if (rc == TWX_OK) rc = twx_out_bytes(c->out, twx_buf_slice(&lines));
    twx_buf_done(&lines);
    return rc;
}

static twx_rc tell_summary(comparing *c, size_t n, size_t shown) {
    const bool same_bytes = twx_slice_eq(c->a.picked.text, c->b.picked.text);
    if (n == 0)
        return twx_out_text(c->out, "\n%s\n",
                            same_bytes ? "the texts are equal"
                                       : "the texts differ in white space alone");
    twx_rc rc = twx_out_text(c->out, "\n%zu passage%s differ%s", n, n == 1 ? "" : "s",
                             n == 1 ? "s" : "");
    if (rc == TWX_OK && shown < n) rc = twx_out_text(c->out, ", the first %zu of them", shown);
    if (rc == TWX_OK && c->passages.coarse)
        rc = twx_out_text(
            c->out,
            " (too much differs to tell all of it apart: long passages hold what both have, too)");
    return rc == TWX_OK ? twx_out_text(c->out, ":\n") : rc;
}

static twx_rc tell_differences(comparing *c) {
    const size_t n = count_differences(&c->passages), limit = c->options->limit;
    const size_t shown = limit && limit < n ? limit : n;
    json_t *list = is_json(c) ? json_array() : NULL;
    difference d;
    twx_rc rc = is_json(c) ? set_json(c, "differences", json_integer((json_int_t)n))
                           : tell_summary(c, n, shown);
    if (rc == TWX_OK && is_json(c)) rc = set_json(c, "coarse", json_boolean(c->passages.coarse));
    if (rc == TWX_OK && is_json(c)) rc = set_json(c, "passages", list);
    for (size_t i = 0, at = 0; rc == TWX_OK && i < shown && next_difference(&c->passages, &at, &d);
         i++)
        rc = tell_difference(c, list, &d);
    return rc;
}

/* ---- the command --------------------------------------------------------- */

static twx_rc tell(comparing *c) {
    twx_rc rc = tell_side(c, "a", &c->a);
    if (rc == TWX_OK) rc = tell_side(c, "b", &c->b);
    if (rc == TWX_OK) rc = tell_similarity(c);
    if (rc == TWX_OK) rc = tell_detectors(c);
    if (rc == TWX_OK) rc = tell_copy(c);
    if (rc == TWX_OK) rc = tell_differences(c);
    return rc == TWX_OK && is_json(c) ? twx_out_json(c->out, json_incref(c->root)) : rc;
}

static void done(comparing *c) {
    json_decref(c->root);
    twx_text_diff_done(&c->passages);
    twx_buf_done(&c->a.record);
    twx_buf_done(&c->b.record);
    twx_lookup_done(&c->a.picked);
    twx_lookup_done(&c->b.picked);
    twx_collection_done(&c->collection);
    twx_url_rules_close(c->rules);
    twx_opened_done(&c->o);
}

twx_rc twx_compare(const twx_job *job, const char *a, const char *b,
                   const twindex_compare_options *options, const twx_out *out) {
    comparing c = {.job = job, .options = options, .out = out, .root = json_object()};
    twx_buf_init(&c.a.record, TWX_LOOKUP_RECORD_MAX);
    twx_buf_init(&c.b.record, TWX_LOOKUP_RECORD_MAX);
    twx_rc rc = twx_params_make(job, &c.params, &c.rules);
    if (rc == TWX_OK) rc = twx_open_store(job, TWX_NEED_SOURCE | TWX_NEED_LOOK, &c.o);
    if (rc == TWX_OK) rc = twx_lookup_find(job, &c.o, a, &c.a.picked);
    if (rc == TWX_OK) rc = twx_lookup_find(job, &c.o, b, &c.b.picked);
    if (rc == TWX_OK) rc = choose_detectors(&c);
    if (rc == TWX_OK) rc = sign_both(&c);
    if (rc == TWX_OK) rc = compare_texts(&c);
    if (rc == TWX_OK) rc = tell(&c);
    done(&c);
    return rc;
}
