#include "lab/changed_words.h"

#include <string.h>

#include "run/excerpt.h"
#include "sign/plain_words.h"

enum { CHANGED_MAX = 6, WORDS_MAX = 64, CALENDAR_BYTES = 32, URL_SHOWN = 300, WORDS_SHOWN = 60 };

static bool is_punctuation(char c) {
    return (unsigned char)c < 0x80 && !twx_is_alpha((unsigned char)c) &&
           !twx_is_digit((unsigned char)c);
}

/* The next word of *rest; empty: there are no more. */
static twx_slice next_word(twx_slice *rest) {
    size_t at = 0;
    while (at < rest->n && is_punctuation(rest->p[at])) at++;
    size_t to = at;
    while (to < rest->n && !twx_is_space((unsigned char)rest->p[to])) to++;
    *rest = twx_slice_sub(*rest, at, rest->n);
    twx_slice word = {rest->p, to - at};
    *rest = twx_slice_sub(*rest, word.n, rest->n);
    while (word.n && is_punctuation(word.p[word.n - 1])) word.n--;
    return word;
}

static bool is_of_machines(twx_slice word) {
    char lower[CALENDAR_BYTES];
    if (word.n > sizeof lower) return true; /* no word that people read */
    bool has_digit = false;
    for (size_t i = 0; i < word.n; i++) {
        lower[i] = twx_lower(word.p[i]);
        has_digit |= twx_is_digit((unsigned char)word.p[i]);
    }
    return has_digit || twx_is_calendar_word((twx_slice){lower, word.n});
}

/* The first words of a passage. */
typedef struct word_list {
    twx_slice at[WORDS_MAX];
    size_t n;
    bool of_machines; /* all of them */
} word_list;

static void list_words(twx_slice passage, word_list *list) {
    list->n = 0;
    for (twx_slice word; list->n < WORDS_MAX && (word = next_word(&passage)).n;)
        list->at[list->n++] = word;
}

/* Drops the words that both have at their beginnings and ends: the passages differ there in
 * punctuation. */
static void drop_common(word_list *a, word_list *b) {
    size_t head = 0;
    if (a->n == WORDS_MAX || b->n == WORDS_MAX) return;
    while (a->n && b->n && twx_slice_eq(a->at[a->n - 1], b->at[b->n - 1])) a->n--, b->n--;
    while (head < a->n && head < b->n && twx_slice_eq(a->at[head], b->at[head])) head++;
    a->n -= head;
    b->n -= head;
    memmove(a->at, a->at + head, a->n * sizeof *a->at);
    memmove(b->at, b->at + head, b->n * sizeof *b->at);
}

static twx_slice spanned(const word_list *list) {
    const twx_slice first = list->at[0], last = list->at[list->n - 1];
    return (twx_slice){first.p, (size_t)(last.p + last.n - first.p)};
}

static void count_place(twx_slice in_a, twx_slice in_b, twx_changed_words *c) {
    word_list words[2];
    list_words(in_a, &words[0]);
    list_words(in_b, &words[1]);
    drop_common(&words[0], &words[1]);
    for (int i = 0; i < 2; i++) {
        words[i].of_machines = true;
        for (size_t k = 0; k < words[i].n; k++)
            words[i].of_machines &= is_of_machines(words[i].at[k]);
    }
    const word_list *a = &words[0], *b = &words[1];
    if (a->n && b->n && a->n <= CHANGED_MAX && b->n <= CHANGED_MAX) {
        if (a->of_machines && b->of_machines) {
            c->numbers++;
        } else if (c->words++ == 0) {
            c->a = spanned(a);
            c->b = spanned(b);
        }
        return;
    }
    c->a_more |= !a->of_machines;
    c->b_more |= !b->of_machines;
}

twx_rc twx_changed_words_of(twx_ctx *cx, twx_slice a, twx_slice b, twx_changed_words *c) {
    twx_text_diff_done(&c->diff);
    const twx_rc rc = twx_text_diff_of(cx, a, b, &c->diff);
    c->words = c->numbers = 0;
    c->a_more = c->b_more = false;
    c->a = c->b = (twx_slice){NULL, 0};
    for (size_t i = 0; rc == TWX_OK && i < c->diff.at.n; i++) {
        const twx_passage *p = &c->diff.at.at[i];
        const bool both = p->kind == TWX_PASSAGE_ONLY_A && i + 1 < c->diff.at.n &&
                          p[1].kind == TWX_PASSAGE_ONLY_B;
        if (p->kind == TWX_PASSAGE_BOTH) continue;
        count_place(p->a, both ? p[1].b : p->b, c);
        i += both;
    }
    return rc;
}

void twx_changed_words_done(twx_changed_words *c) {
    twx_text_diff_done(&c->diff);
}

/* ---- hidden documents ----------------------------------------------------------- */

typedef struct measuring {
    const twx_job *job;
    twx_opened *o;
    const twx_eval_finding *how;
    twx_changed_words changed;
    twx_buf texts[2], urls; /* of the hidden document and its representative */
} measuring;

static twx_rc take_url(void *arg, const twx_source_row *row, bool *ret_wait) {
    measuring *f = arg;
    (void)ret_wait;
    return twx_excerpt(f->job->cx, twx_bytes_of(&row->value[TWX_COL_URL]), URL_SHOWN, &f->urls);
}

/* With -v: the first words that are substituted, and the URLs. */
static twx_rc name_change(measuring *f, const uint32_t documents[2]) {
    const twx_slice words[] = {f->changed.a, f->changed.b};
    twx_rc rc = TWX_OK;
    twx_buf_clear(&f->urls);
    for (int i = 0; rc == TWX_OK && i < 2; i++) {
        rc = twx_buf_add_text(f->job->cx, &f->urls, i ? "' where the representative has '" : "'");
        if (rc == TWX_OK) rc = twx_excerpt(f->job->cx, words[i], WORDS_SHOWN, &f->urls);
    }
    for (int i = 0; rc == TWX_OK && i < 2; i++) {
        rc = twx_buf_add_text(f->job->cx, &f->urls, i ? " " : "': ");
        if (rc == TWX_OK)
            rc = twx_eval_document_fetch(f->job, f->o, f->how->documents, documents[i], take_url,
                                         f);
    }
    if (rc == TWX_OK)
        twx_job_message(f->job, TWINDEX_DETAIL, "substitutes %s", twx_buf_slice(&f->urls).p);
    return rc;
}

typedef struct change_counts {
    uint64_t compared, any, things, substitutions, one_way;
} change_counts;

static twx_rc count_change(measuring *f, const uint32_t *rep, uint32_t document, change_counts *c) {
    const uint32_t documents[] = {document, rep[document]};
    const twx_changed_words *changed = &f->changed;
    twx_rc rc = TWX_OK;
    for (int i = 0; i < 2; i++) {
        const uint32_t text = twx_finding_text(f->how, documents[i]);
        twx_buf_clear(&f->texts[i]);
        if (text == TWX_EVAL_NO_TEXT) return TWX_OK;
        rc = twx_eval_text_fetch(f->job, f->o, f->how->texts, text, &f->texts[i]);
        if (rc != TWX_OK) return rc == TWX_DONE ? TWX_OK : rc; /* it has changed */
    }
    rc = twx_changed_words_of(f->job->cx, twx_buf_slice(&f->texts[0]), twx_buf_slice(&f->texts[1]),
                              &f->changed);
    if (rc != TWX_OK) return rc;
    c->compared++;
    c->any += changed->words || changed->numbers;
    c->things += changed->words > 0;
    c->substitutions += changed->words;
    c->one_way += !changed->words && changed->a_more && !changed->b_more;
    return changed->words ? name_change(f, documents) : TWX_OK;
}

twx_rc twx_changed_texts_measure(const twx_job *job, twx_opened *o, const twx_eval_finding *how,
                                 const uint32_t *rep, twx_eval_lots *lots, twx_findable *result) {
    measuring m = {.job = job, .o = o, .how = how};
    change_counts c = {0};
    const uint64_t all = lots->n;
    twx_rc rc = TWX_OK;
    for (int i = 0; i < 2; i++) twx_buf_init(&m.texts[i], SIZE_MAX / 4);
    twx_buf_init(&m.urls, SIZE_MAX / 4);
    twx_eval_lots_keep(lots, how->sample);
    for (size_t i = 0; rc == TWX_OK && i < lots->n; i++) {
        rc = count_change(&m, rep, lots->at[i].item, &c);
        if (rc == TWX_OK) rc = twx_cancelled(job->cx);
        twx_job_progress(job, "compare words of hidden documents", "documents", i + 1, lots->n);
    }
    result->compared = c.compared;
    result->substitutions = c.substitutions;
    result->substitutes = twx_finding_share(c.any, c.compared, all);
    result->things = twx_finding_share(c.things, c.compared, all);
    result->one_way = twx_finding_share(c.one_way, c.compared, all);
    twx_changed_words_done(&m.changed);
    for (int i = 0; i < 2; i++) twx_buf_done(&m.texts[i]);
    twx_buf_done(&m.urls);
    return rc;
}
