#include "predict/predict.h"

#include <errno.h>
#include <unistd.h>

/* ==== answers */

enum { WINDOW = 1 << 16 };

struct twx_line_reader {
    twx_ctx *cx;
    int fd;
    twx_rc (*before_wait)(void *arg);
    void *arg;
    char window[WINDOW];
    size_t at, n;
    bool ended;
    twx_buf line; /* a line that does not lie in the window as a whole */
};

twx_rc twx_line_reader_open(twx_ctx *cx, int fd, twx_rc (*before_wait)(void *arg), void *arg,
                            twx_line_reader **ret_feed) {
    twx_line_reader *f = twx_calloc(cx, 1, sizeof *f);
    if (!f) return TWX_E_NOMEM;
    f->cx = cx;
    f->fd = fd;
    f->before_wait = before_wait;
    f->arg = arg;
    twx_buf_init(&f->line, TWX_LINE_MAX);
    *ret_feed = f;
    return TWX_OK;
}

void twx_line_reader_close(twx_line_reader *f) {
    if (!f) return;
    twx_buf_done(&f->line);
    twx_free(f);
}

static twx_rc fill(twx_line_reader *f) {
    twx_rc rc = f->before_wait(f->arg);
    while (rc == TWX_OK) {
        rc = twx_cancelled(f->cx);
        if (rc != TWX_OK) return rc;
        const ssize_t n = read(f->fd, f->window, WINDOW);
        f->at = 0;
        f->n = n > 0 ? (size_t)n : 0;
        f->ended = n == 0;
        if (n >= 0) return TWX_OK;
        if (errno != EINTR)
            return twx_fail(f->cx, TWX_E_IO, "read standard input: %s", strerror(errno));
    }
    return rc;
}

/* Appends as much of a piece of a line as fits. */
static twx_rc keep(twx_line_reader *f, twx_slice piece, bool *cut) {
    const size_t room = TWX_LINE_MAX - f->line.n;
    *cut = *cut || piece.n > room;
    return twx_buf_add_slice(f->cx, &f->line, twx_slice_sub(piece, 0, room));
}

static twx_slice without_cr(twx_slice line) {
    return twx_slice_sub(line, 0, line.n && line.p[line.n - 1] == '\r' ? line.n - 1 : line.n);
}

twx_rc twx_line_reader_next(twx_line_reader *f, twx_slice *ret_line, bool *ret_cut) {
    bool cut = false;
    twx_buf_clear(&f->line);
    for (;;) {
        twx_rc rc = f->at == f->n && !f->ended ? fill(f) : TWX_OK;
        if (rc != TWX_OK) return rc;
        const twx_slice rest = {f->window + f->at, f->n - f->at};
        const size_t end = twx_slice_find(rest, '\n', 0);
        const twx_slice piece = twx_slice_sub(rest, 0, end);
        const bool whole = end < rest.n;
        f->at += end + whole;
        if (whole && f->line.n == 0 && !cut) {
            *ret_line = without_cr(piece);
            *ret_cut = false;
            return TWX_OK;
        }
        rc = keep(f, piece, &cut);
        if (rc != TWX_OK) return rc;
        if (f->ended && f->line.n == 0) return TWX_DONE;
        if (!whole && !f->ended) continue;
        *ret_line = without_cr(twx_buf_slice(&f->line));
        *ret_cut = cut;
        return TWX_OK;
    }
}

enum { HELD_MOST = 1 << 16, LINE_MOST = 1 << 25 };

/* The given line or URL, its prediction, and whether it is worth fetching. */
typedef struct answer {
    twx_slice line;
    twx_prediction prediction;
    bool fetch;
} answer;

/* Predictions, which are held until they are flushed before more input is waited for. */
typedef struct answers {
    const twx_out *out;
    bool filter; /* only URLs worth fetching are written */
    twx_buf held;
    /* the columns before and after the URL are rendered for this context */
    const twx_context *rendered;
    char before[16], after[48];
} answers;

static twx_rc answers_flush(void *arg) {
    answers *a = arg;
    twx_rc rc = twx_out_bytes(a->out, twx_buf_slice(&a->held));
    twx_buf_clear(&a->held);
    return rc;
}

static twx_rc hold_json(answers *a, const answer *one) {
    const twx_context *why = one->prediction.why;
    twx_ctx *cx = a->out->cx;
    json_t *value = json_pack(
        "{s:o, s:f, s:o, s:o, s:I, s:I, s:b}", "url", twx_json_slice(one->line), "probability",
        one->prediction.probability, "hypothesis",
        why ? json_integer(TWX_HYPOTHESIS[why->row].number) : json_null(), "form",
        why ? json_string(TWX_HYPOTHESIS[why->row].form) : json_null(), "dup",
        why ? (json_int_t)why->dup : 0, "nodup", why ? (json_int_t)why->nodup : 0, "fetch",
        (int)one->fetch);
    const size_t flags = JSON_COMPACT | JSON_REAL_PRECISION(6),
                 n = value ? json_dumpb(value, NULL, 0, flags) : 0;
    twx_rc rc = n && !twx_allocation_failed() ? twx_buf_reserve(cx, &a->held, n)
                                              : twx_fail(cx, TWX_E_NOMEM, "out of memory for JSON");
    if (rc == TWX_OK) a->held.n += json_dumpb(value, a->held.p + a->held.n, n, flags);
    json_decref(value);
    return rc == TWX_OK ? twx_buf_add_char(cx, &a->held, '\n') : rc;
}

/* Consecutive answers often have the same reason, so the last one is cached. */
static void print_reason(answers *a, const twx_context *why) {
    if (a->before[0] && a->rendered == why) return;
    a->rendered = why;
    twx_print(a->before, sizeof a->before, "%.6f\t", why ? why->probability : 0.0);
    if (why)
        snprintf(a->after, sizeof a->after, "\t%d\t%" PRIu32 "\t%" PRIu32 "\n",
                 TWX_HYPOTHESIS[why->row].number, why->dup, why->nodup);
    else
        snprintf(a->after, sizeof a->after, "\t-\t0\t0\n");
}

static twx_rc hold_line(answers *a, const answer *one) {
    twx_rc rc = TWX_OK;
    if (!a->filter) print_reason(a, one->prediction.why);
    if (!a->filter) rc = twx_buf_add_text(a->out->cx, &a->held, a->before);
    if (rc == TWX_OK) rc = twx_buf_add_slice(a->out->cx, &a->held, one->line);
    return rc == TWX_OK ? twx_buf_add_text(a->out->cx, &a->held, a->filter ? "\n" : a->after) : rc;
}

/* ==== predict */

enum {
    FILE_MOST = TWX_URL_RULES_FILE_MAX - (64 << 10) /* leaves room for manual additions */,
    RULES_EACH = 2,
    FRAME = 100 /* fixed bytes of a rule */
};

typedef struct ruling {
    const twx_job *job;
    const twx_model *model;
    double threshold;
    const twx_context **at; /* the contexts that become rules */
    size_t n;
    twx_buf file;
    uint64_t left_out;
} ruling;

/* ---- which contexts ----------------------------------------------------- */

static bool has_form(const twx_context *c, int number) {
    return TWX_HYPOTHESIS[c->row].number == number;
}

/* Did no pair contradict it, and can the parameter be dropped by a rule of legal length? Quoting
 * can double the length, and the path occurs twice. */
static bool is_droppable(const ruling *r, const twx_context *c) {
    const int number = TWX_HYPOTHESIS[c->row].number;
    const bool adds = TWX_HYPOTHESIS[c->row].added;
    if (4 * c->path.n + 2 * (c->name.n + c->value.n) + FRAME > TWX_URL_RULE_PATTERN_MAX)
        return false;
    return (number == 2 || number == 3 || (adds && (number == 5 || number == 6))) && c->name.p &&
           c->nodup == 0 && c->probability >= r->threshold;
}

/* The key of a rule: a name, of one path or area, with one value or any (value absent). */
static uint64_t key_of(int number, twx_slice name, twx_slice path, twx_slice value) {
    return twx_mix64(twx_mix64((uint64_t)number, twx_hash64(name, 1)),
                     twx_mix64(twx_hash64(path, 2), twx_hash64(value, 3)));
}

/* Is there a rule that drops everything that this one drops? */
static bool is_covered(const twx_map64 *chosen, const twx_context *c) {
    const twx_slice none = {NULL, 0};
    const int number = TWX_HYPOTHESIS[c->row].number;
    const twx_slice area = number == 5 ? c->path : twx_area_of(c->path);
    if (number != 2 && twx_map64_at(chosen, key_of(2, c->name, area, none))) return true;
    if (number == 6 && twx_map64_at(chosen, key_of(3, c->name, c->path, none))) return true;
    return number == 6 && twx_map64_at(chosen, key_of(5, c->name, area, c->value));
}

/* The more general one first, then the one with more trials. */
static int by_generality(const void *a, const void *b) {
    const twx_context *x = *(const twx_context *const *)a, *y = *(const twx_context *const *)b;
    if (x->row != y->row) return x->row < y->row ? -1 : 1;
    const uint64_t m = (uint64_t)x->dup + x->nodup, n = (uint64_t)y->dup + y->nodup;
    if (m != n) return m > n ? -1 : 1;
    return x->key < y->key ? -1 : x->key > y->key;
}

static twx_rc choose(ruling *r) {
    r->at = twx_calloc(r->job->cx, r->model->contexts.n + 1, sizeof *r->at);
    if (!r->at) return TWX_E_NOMEM;
    for (size_t i = 0; i < r->model->contexts.n; i++)
        if (is_droppable(r, &r->model->contexts.at[i])) r->at[r->n++] = &r->model->contexts.at[i];
    qsort(r->at, r->n, sizeof *r->at, by_generality);
    twx_map64 chosen = {0};
    size_t kept = 0;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < r->n; i++) {
        const twx_context *c = r->at[i];
        rc = twx_map64_place(r->job->cx, &chosen,
                             key_of(TWX_HYPOTHESIS[c->row].number, c->name, c->path, c->value), 0,
                             NULL, NULL);
    }
    for (size_t i = 0; rc == TWX_OK && i < r->n; i++)
        if (!is_covered(&chosen, r->at[i])) r->at[kept++] = r->at[i];
    r->n = kept;
    twx_map64_done(&chosen);
    return rc;
}

/* ---- the file ----------------------------------------------------------- */

/* [R2] Every byte but letters and digits is escaped by a backslash. */
static twx_rc add_quoted(ruling *r, twx_slice text) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < text.n; i++) {
        const unsigned char c = (unsigned char)text.p[i];
        if (!twx_is_alpha(c) && !twx_is_digit(c)) rc = twx_buf_add_char(r->job->cx, &r->file, '\\');
        if (rc == TWX_OK) rc = twx_buf_add_char(r->job->cx, &r->file, text.p[i]);
    }
    return rc;
}

static bool is_of_area(const twx_context *c) {
    return has_form(c, 2) || has_form(c, 5);
}

/* The part of the regex for the path: a given one, or any of the area. */
static twx_rc add_path(ruling *r, const twx_context *c) {
    twx_ctx *cx = r->job->cx;
    if (!is_of_area(c)) return add_quoted(r, c->path);
    twx_rc rc = twx_buf_add_text(cx, &r->file, "[^:?]*:\\/\\/(?:www\\.)?");
    if (rc == TWX_OK) rc = add_quoted(r, c->path);
    const bool folder = twx_slice_find(c->path, '/', 0) + 1 < c->path.n;
    return rc == TWX_OK ? twx_buf_add_text(cx, &r->file, folder ? "[^?]*" : "[^?\\/]*") : rc;
}

static twx_rc add_parameter(ruling *r, const twx_context *c) {
    const bool any_value = has_form(c, 2) || has_form(c, 3);
    twx_rc rc = add_quoted(r, c->name);
    if (rc == TWX_OK && any_value) rc = twx_buf_add_text(r->job->cx, &r->file, "(?:=[^&]*)?");
    if (rc == TWX_OK && !any_value && c->value.p) rc = twx_buf_add_char(r->job->cx, &r->file, '=');
    return rc == TWX_OK && !any_value ? add_quoted(r, c->value) : rc;
}

/* Two rules: one for a parameter that others follow, one for the last parameter, which also removes
 * the preceding '?' or '&'. */
static twx_rc add_rules(ruling *r, const twx_context *c) {
    twx_ctx *cx = r->job->cx;
    twx_rc rc = twx_buf_add_text(cx, &r->file, "s/^(");
    if (rc == TWX_OK) rc = add_path(r, c);
    if (rc == TWX_OK) rc = twx_buf_add_text(cx, &r->file, "\\?(?:[^&]*&)*?)(?:");
    if (rc == TWX_OK) rc = add_parameter(r, c);
    if (rc == TWX_OK) rc = twx_buf_add_text(cx, &r->file, "&)+/$1/\ns/^(");
    if (rc == TWX_OK) rc = add_path(r, c);
    if (rc == TWX_OK) rc = twx_buf_add_text(cx, &r->file, "(?=\\?)|");
    if (rc == TWX_OK) rc = add_path(r, c);
    if (rc == TWX_OK) rc = twx_buf_add_text(cx, &r->file, "\\?.*(?=&))[?&]");
    if (rc == TWX_OK) rc = add_parameter(r, c);
    return rc == TWX_OK ? twx_buf_add_text(cx, &r->file, "$/$1/\n") : rc;
}

static twx_rc add_comment(ruling *r, const twx_context *c) {
    twx_ctx *cx = r->job->cx;
    twx_rc rc = twx_buf_printf(cx, &r->file,
                               "\n# %.4f of %" PRIu64 " trials (%" PRIu32 " duplicates, %" PRIu32
                               " others), hypothesis %d: ",
                               c->probability, (uint64_t)c->dup + c->nodup, c->dup, c->nodup,
                               TWX_HYPOTHESIS[c->row].number);
    if (rc == TWX_OK) rc = twx_buf_add_slice(cx, &r->file, c->name);
    if (rc == TWX_OK && c->value.p) rc = twx_buf_add_char(cx, &r->file, '=');
    if (rc == TWX_OK) rc = twx_buf_add_slice(cx, &r->file, c->value);
    if (rc == TWX_OK && c->path.p) rc = twx_buf_add_text(cx, &r->file, " of ");
    if (rc == TWX_OK) rc = twx_buf_add_slice(cx, &r->file, c->path);
    return rc == TWX_OK ? twx_buf_add_char(cx, &r->file, '\n') : rc;
}

/* robots.txt belongs to a host, so the line follows the host's name. */
static twx_rc add_clean_param(ruling *r, const twx_context *c) {
    twx_ctx *cx = r->job->cx;
    const size_t scheme = is_of_area(c) ? 0 : twx_slice_find(c->path, ':', 0) + 3; /* "://" */
    const size_t path = twx_slice_find(c->path, '/', scheme);
    twx_rc rc = twx_buf_add_text(cx, &r->file, "# ");
    if (rc == TWX_OK) rc = twx_buf_add_slice(cx, &r->file, twx_slice_sub(c->path, 0, path));
    if (rc == TWX_OK) rc = twx_buf_add_text(cx, &r->file, " Clean-param: ");
    if (rc == TWX_OK) rc = twx_buf_add_slice(cx, &r->file, c->name);
    if (rc == TWX_OK) rc = twx_buf_add_char(cx, &r->file, ' ');
    if (rc == TWX_OK) rc = twx_buf_add_slice(cx, &r->file, twx_slice_sub(c->path, path, c->path.n));
    return rc == TWX_OK ? twx_buf_add_char(cx, &r->file, '\n') : rc;
}

static twx_rc make_file(ruling *r) {
    twx_rc rc = twx_buf_printf(r->job->cx, &r->file,
                               "# Parameters of URLs that do not matter, as learned from %s.\n"
                               "# Review them, then name this file in the setting url.rules. "
                               "Probabilities are at least %g.\n",
                               r->job->store, r->threshold);
    for (size_t i = 0; rc == TWX_OK && i < r->n; i++) {
        const size_t before = r->file.n;
        rc = add_comment(r, r->at[i]);
        if (rc == TWX_OK && (has_form(r->at[i], 2) || has_form(r->at[i], 3)))
            rc = add_clean_param(r, r->at[i]);
        if (rc == TWX_OK) rc = add_rules(r, r->at[i]);
        if (rc != TWX_OK || (r->file.n <= FILE_MOST && (i + 1) * RULES_EACH <= TWX_URL_RULES_MAX))
            continue;
        /* the file is full: contexts with fewer trials are omitted */
        r->file.n = before;
        r->left_out = r->n - i;
        break;
    }
    return rc;
}

static twx_rc write_rules(const ruling *r, const twx_out *out) {
    if (!twx_out_is_json(out)) return twx_out_bytes(out, twx_buf_slice(&r->file));
    json_t *list = json_array();
    for (size_t i = 0; i < r->n; i++) {
        const twx_context *c = r->at[i];
        json_array_append_new(
            list,
            json_pack("{s:i, s:o, s:o, s:o, s:f, s:I, s:I}", "hypothesis",
                      TWX_HYPOTHESIS[c->row].number, "path", twx_json_slice(c->path), "parameter",
                      twx_json_slice(c->name), "value", twx_json_slice(c->value), "probability",
                      c->probability, "dup", (json_int_t)c->dup, "nodup", (json_int_t)c->nodup));
    }
    return twx_out_json(out,
                        json_pack("{s:f, s:o, s:o}", "threshold", r->threshold, "rules",
                                  twx_json_slice(twx_buf_slice(&r->file)), "parameters", list));
}

/* Writes the learned model as rules for review: rewrite rules in the
 * format of url.rules (url/url_rules.c), and lines for robots.txt as comments.
 * [R1] The file is valid as url.rules. Its rules drop parameters of hypotheses 2, 3, 5 and 6 whose
 * probability reaches the threshold; a rule that a more general one covers is omitted. Of a
 * repeated name, adjacent occurrences are dropped.
 * [R2] Names and values are quoted: no byte of a URL has a special meaning in the regular
 * expression. */
static twx_rc predict_rules(const twx_job *job, const twx_model *m, double threshold,
                            const twx_out *out) {
    ruling r = {.job = job, .model = m, .threshold = threshold};
    twx_buf_init(&r.file, TWX_URL_RULES_FILE_MAX);
    twx_rc rc = choose(&r);
    if (rc == TWX_OK) rc = make_file(&r);
    if (rc == TWX_OK && r.left_out)
        twx_job_message(job, TWINDEX_WARNING,
                        "%" PRIu64
                        " rules with fewer trials were left out: a file of rules holds no more",
                        r.left_out);
    if (rc == TWX_OK) rc = write_rules(&r, out);
    twx_buf_done(&r.file);
    twx_free(r.at);
    return rc;
}

/* ---- model file -------------------------------------------------------- */

/* Is it of the relation parameters (judge/parameters.c), and does it decide there: is it likely, or
 * does it contradict a likely one about more URLs? */
static bool is_of_file(const twx_model *m, const twx_context *c) {
    if (!twx_context_key_of_texts(c) || c->key != twx_context_key_of_texts(c)) return false;
    const bool is_value = TWX_HYPOTHESIS[c->row].number == 6 && !TWX_HYPOTHESIS[c->row].added;
    if (c->probability >= TWX_LIKELY) return !is_value;
    twx_context more = {.row = 1, .path = twx_area_of(c->path), .name = c->name};
    if (!c->nodup || TWX_HYPOTHESIS[c->row].kind != TWX_VARIANT_PARAMETER) return false;
    const twx_context *general = twx_model_context(m, twx_context_key_of_texts(&more));
    return general && general->probability >= TWX_LIKELY;
}

/* Writes what was learned as the file of the setting parameters.model. */
static twx_rc model_file_write(const twx_model *m, uint64_t fingerprint, const twx_out *out) {
    twx_rc rc = twx_out_text(
        out,
        TWX_PARAMETERS_BEGIN
        "%016" PRIx64 "\n"
        "# Parts of URLs that do not change the page, for the setting "
        "parameters.model: the form of the\n# hypothesis (docs/prediction.md), "
        "pairs that were duplicates, pairs that were not, what it is about\n",
        fingerprint);
    for (size_t i = 0; rc == TWX_OK && i < m->contexts.n; i++) {
        const twx_context *c = &m->contexts.at[i];
        const struct {
            const char *is;
            twx_slice text;
        } fields[] = {{" path=", c->path}, {" name=", c->name}, {" value=", c->value}};
        if (!is_of_file(m, c)) continue;
        rc = twx_out_text(out, "%s %" PRIu32 " %" PRIu32, TWX_HYPOTHESIS[c->row].form, c->dup,
                          c->nodup);
        for (size_t k = 0; rc == TWX_OK && k < TWX_COUNTOF(fields); k++) {
            if (fields[k].text.p) rc = twx_out_text(out, "%s", fields[k].is);
            if (rc == TWX_OK) rc = twx_out_bytes(out, fields[k].text);
        }
        if (rc == TWX_OK) rc = twx_out_text(out, "\n");
    }
    return rc;
}

/* ---- predict ----------------------------------------------------------- */

enum { SCRATCH_KEPT = 1 << 16 };

typedef struct predicting {
    const twx_job *job;
    const twindex_predict_options *options;
    const twx_out *out;
    twx_opened o;
    twx_params params; /* how URLs are normalised */
    twx_url_rules *rules;
    twx_model model;
    twx_map64 remembered; /* URLs printed by the filter */
    twx_arena scratch;
    answers answers;
    twx_url_variants page;
} predicting;

/* ---- answers ------------------------------------------------------------ */

/* An unusable URL is not judged: the caller detects it. */
static twx_rc judge(predicting *p, twx_slice line, answer *ret_answer) {
    answer a = {.line = line, .fetch = true};
    twx_url url;
    twx_rc rc = twx_url_normalize(p->job->cx, &p->scratch, &p->params.url, line, &url);
    if (rc == TWX_OK && url.fault == TWX_URL_OK) {
        twx_url_variants_of(url.whole, &p->page);
        a.prediction = twx_model_predict(&p->model, p->remembered.n ? &p->remembered : NULL,
                                         &p->page);
        a.fetch = a.prediction.probability < p->options->threshold ||
                  twx_explores(url.whole, p->options->exploration);
        if (p->options->filter && a.fetch)
            rc = twx_model_add_seen(p->job->cx, &p->model, &p->page, &p->remembered);
    } else if (rc == TWX_OK) {
        twx_job_message(p->job, TWINDEX_DETAIL, "'" TWX_SLICE_FMT "' is not a usable URL: %s",
                        TWX_SLICE_ARG(line), twx_url_fault_text(url.fault));
    }
    *ret_answer = a;
    return rc;
}

static twx_rc answer_line(predicting *p, twx_slice line) {
    answers *all = &p->answers;
    answer a;
    twx_rc rc = judge(p, line, &a);
    if (rc == TWX_OK && all->held.n >= HELD_MOST) rc = answers_flush(all);
    if (rc == TWX_OK && (a.fetch || !all->filter))
        rc = twx_out_is_json(all->out) ? hold_json(all, &a) : hold_line(all, &a);
    twx_arena_reset(&p->scratch);
    return rc;
}

static twx_rc answer_stream(predicting *p) {
    twx_line_reader *feed = NULL;
    twx_slice line;
    bool cut = false;
    twx_rc rc = twx_line_reader_open(p->job->cx, STDIN_FILENO, answers_flush, &p->answers, &feed);
    while (rc == TWX_OK && (rc = twx_line_reader_next(feed, &line, &cut)) == TWX_OK) {
        if (cut)
            twx_job_message(p->job, TWINDEX_WARNING,
                            "a line of standard input is longer than %d bytes and was cut",
                            TWX_LINE_MAX);
        rc = answer_line(p, line);
    }
    twx_line_reader_close(feed);
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* ---- before that -------------------------------------------------------- */

/* Warns that the model may be outdated. */
static twx_rc warn_of_stale(predicting *p, const twx_url_model_head *head) {
    twx_state state;
    twx_rc rc = twx_published_state(p->job, &p->o, &state);
    if (rc == TWX_OK && twx_published_run(&state) != head->run)
        twx_job_message(p->job, TWINDEX_WARNING,
                        "the model was learned from run %" PRId64 ", and run %" PRId64
                        " is published now: run 'twindex learn' to update it",
                        head->run, twx_published_run(&state));
    if (rc == TWX_OK && head->fingerprint != twx_model_fingerprint(&p->params.url))
        twx_job_message(p->job, TWINDEX_WARNING,
                        "the model was learned with other url.* settings: run 'twindex learn' to "
                        "replace it");
    return rc;
}

static twx_rc with_model(predicting *p) {
    const twindex_predict_options *o = p->options;
    twx_url_model_head head;
    twx_rc rc = twx_model_load(p->job, p->o.writer, !o->rules && !o->model, &p->model, &head);
    if (rc == TWX_OK) rc = warn_of_stale(p, &head);
    if (rc != TWX_OK) return rc;
    if (o->model) return model_file_write(&p->model, head.fingerprint, p->out);
    if (o->rules) return predict_rules(p->job, &p->model, o->threshold, p->out);
    p->remembered.bytes_most = twx_job_memory(p->job->settings) / 2;
    if (o->n == 0) rc = answer_stream(p);
    for (size_t i = 0; rc == TWX_OK && i < o->n; i++) rc = answer_line(p, twx_slice_of(o->urls[i]));
    return rc == TWX_OK ? answers_flush(&p->answers) : rc;
}

twx_rc twx_predict(const twx_job *job, const twindex_predict_options *options, const twx_out *out) {
    predicting *p = twx_calloc(job->cx, 1, sizeof *p);
    if (!p) return TWX_E_NOMEM;
    p->job = job;
    p->options = options;
    p->out = out;
    twx_model_init(&p->model);
    twx_arena_init(&p->scratch, SCRATCH_KEPT);
    p->answers = (answers){.out = out, .filter = options->filter};
    twx_buf_init(&p->answers.held, LINE_MOST);
    const unsigned needs = TWX_NEED_RESULTS | (options->evaluate ? TWX_NEED_SOURCE : 0);
    twx_rc rc = twx_params_make(job, &p->params, &p->rules);
    if (rc == TWX_OK) rc = twx_open_store(job, needs, &p->o);
    if (rc == TWX_OK)
        rc = options->evaluate ? twx_replay(job, &p->o, &p->params.url, options, out)
                               : with_model(p);
    twx_buf_done(&p->answers.held);
    twx_arena_done(&p->scratch);
    twx_map64_done(&p->remembered);
    twx_model_done(&p->model);
    twx_url_rules_close(p->rules);
    twx_opened_done(&p->o);
    twx_free(p);
    return rc;
}

/* ---- predict text ------------------------------------------------------ */

static const double THRESHOLD = 0.98; /* as of the command */

typedef struct quoting {
    twx_ctx *cx;
    twx_buf *text;
} quoting;

static int add(void *arg, const char *bytes, size_t n) {
    quoting *q = arg;
    return twx_buf_add(q->cx, q->text, bytes, n) == TWX_OK ? 0 : 1;
}

static twx_rc is_learned(const twx_job *job, bool *ret_learned) {
    twx_opened o = {0};
    twx_url_model_head head;
    twx_rc rc = twx_open_store(job, TWX_NEED_RESULTS, &o);
    if (rc == TWX_OK) rc = twx_url_model_head_read(o.writer, &head);
    twx_opened_done(&o);
    *ret_learned = rc == TWX_OK;
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* Is there a line besides comments? */
static bool has_rule(twx_slice text) {
    for (size_t at = 0; at < text.n; at = twx_slice_find(text, '\n', at) + 1)
        if (text.p[at] != '#' && text.p[at] != '\n') return true;
    return false;
}

twx_rc twx_rules_text(const twx_job *job, twx_buf *text, const char **ret_why) {
    const twindex_predict_options how = {.rules = true, .threshold = THRESHOLD};
    quoting q = {job->cx, text};
    const twindex_sink sink = {.write = add, .arg = &q, .format = TWINDEX_TEXT};
    const twx_out out = {.cx = job->cx, .sink = &sink};
    bool learned = false;
    twx_rc rc = is_learned(job, &learned);
    if (rc != TWX_OK) return rc;
    *ret_why = learned ? NULL : "The URLs of this store have not been learned yet.";
    if (!learned) return TWX_OK;
    rc = twx_predict(job, &how, &out);
    if (rc == TWX_OK && !has_rule(twx_buf_slice(text)))
        *ret_why = "No learned parameter has a probability of 0.98 or more.";
    if (rc != TWX_E_DATA) return rc;
    twx_ctx_clear(job->cx);
    *ret_why = "The URLs were learned by another version of twindex: run 'twindex learn' again.";
    return TWX_OK;
}
