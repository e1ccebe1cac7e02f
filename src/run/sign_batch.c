#include "run/internal.h"

#include <math.h>
#include <pthread.h>
#include <sys/random.h>

/* ==== batch */

enum {
    ARENA_KEEP = 8 << 20,
    BATCH_BYTES = 4 << 20,
    /* of a range: so much stays in a processor's cache until it is signed */
    RANGE_ROWS = 256,
    RANGE_BYTES = 512 << 10
};

twx_rc twx_batch_open(twx_ctx *cx, twx_batch **ret_batch) {
    twx_batch *b = twx_calloc(cx, 1, sizeof *b);
    if (!b) return TWX_E_NOMEM;
    twx_arena_init(&b->arena, ARENA_KEEP);
    *ret_batch = b;
    return TWX_OK;
}

void twx_batch_close(twx_batch *b) {
    if (!b) return;
    TWX_VEC_DONE(&b->rows);
    twx_arena_done(&b->arena);
    twx_free(b);
}

void twx_batch_clear(twx_batch *b) {
    b->rows.n = 0;
    b->reads = false;
    b->bytes = 0;
    twx_arena_reset(&b->arena);
}

twx_rc twx_batch_add(twx_ctx *cx, twx_batch *b, const twx_source_row *row,
                     const twx_signed_row *made) {
    twx_batch_row copy = {.made = *made};
    for (size_t i = 0; i < TWX_COLUMNS; i++) {
        copy.column[i] = row->value[i];
        if (row->value[i].type != TWX_TEXT && row->value[i].type != TWX_BLOB) continue;
        twx_rc rc = twx_arena_copy(cx, &b->arena, row->value[i].bytes, &copy.column[i].bytes);
        if (rc != TWX_OK) return rc;
        b->bytes += row->value[i].bytes.n;
    }
    copy.made.id = copy.column[TWX_COL_ID];
    return TWX_VEC_PUSH(cx, &b->rows, copy) ? TWX_OK : TWX_E_NOMEM;
}

bool twx_batch_is_full(const twx_batch *b) {
    return b->rows.n >= TWX_BATCH_ROWS || b->bytes >= BATCH_BYTES;
}

/* The token by which a change of the row is noticed; false: the feed needs none. */
static bool feed_token(twx_feed feed, const twx_value *columns, uint64_t *ret_token) {
    if (feed == TWX_FEED_TRIGGER) return false;
    *ret_token = feed == TWX_FEED_COLUMN ? twx_value_hash(&columns[TWX_COL_CHANGED], 0)
                                         : twx_row_token(columns);
    return true;
}

twx_rc twx_identify(const twx_opened *o, twx_feed feed, const twx_source_row *row, bool *ret_usable,
                    twx_signed_row *ret_made) {
    twx_signed_row made = {.id = row->value[TWX_COL_ID]};
    *ret_usable = made.id.type != TWX_NULL &&
                  !(twx_source_is_direct(o->source) && made.id.i == INT64_MIN);
    if (!*ret_usable) return TWX_OK;
    const twx_rc rc = twx_document_number(o, &made.id, &made.stored.doc);
    if (rc != TWX_OK && rc != TWX_DONE) return rc;
    made.has_doc = rc == TWX_OK;
    made.stored.has_token = feed_token(feed, row->value, &made.stored.token);
    *ret_made = made;
    return TWX_OK;
}

twx_rc twx_batch_take(twx_ctx *cx, twx_batch *b, const twx_opened *o, twx_feed feed,
                      const twx_source_row *row, uint64_t *bad_ids) {
    bool usable = false;
    twx_signed_row made;
    const twx_rc rc = twx_identify(o, feed, row, &usable, &made);
    *bad_ids += rc == TWX_OK && !usable;
    return rc == TWX_OK && usable ? twx_batch_add(cx, b, row, &made) : rc;
}

uint64_t twx_row_token(const twx_value *columns) {
    uint64_t token = 0;
    for (size_t i = 0; i < TWX_COLUMNS; i++)
        token = twx_mix64(token, twx_value_hash(&columns[i], i));
    return token;
}

/* ==== key_ranges */

enum { WIDTH_AT_FIRST = 64, ROWS_WANTED = 32 /* fewer: the next range is wider */ };

static twx_rc add(twx_ctx *cx, twx_key_ranges *r, int64_t first, int64_t last, bool whole) {
    const twx_key_range range = {first, last, whole};
    return TWX_VEC_PUSH(cx, &r->left, range) ? TWX_OK : TWX_E_NOMEM;
}

twx_rc twx_key_ranges_init(twx_ctx *cx, twx_key_ranges *r, int64_t least, int64_t most) {
    *r = (twx_key_ranges){.width = WIDTH_AT_FIRST};
    twx_rc rc = least > INT64_MIN ? add(cx, r, INT64_MIN, least - 1, true) : TWX_OK;
    if (rc == TWX_OK) rc = add(cx, r, least, most, false);
    if (rc == TWX_OK && most < INT64_MAX) rc = add(cx, r, most + 1, INT64_MAX, true);
    return rc;
}

void twx_key_ranges_done(twx_key_ranges *r) {
    if (r) TWX_VEC_DONE(&r->left);
}

bool twx_key_ranges_take(twx_key_ranges *r, twx_key_range *ret_range) {
    if (r->left.n == 0) return false;
    twx_key_range *from = &r->left.at[0];
    *ret_range = *from;
    /* as unsigned numbers: the difference of two keys can be more than INT64_MAX */
    const uint64_t more = (uint64_t)from->last - (uint64_t)from->first;
    if (from->whole || more < r->width) {
        r->left.n--;
        memmove(r->left.at, r->left.at + 1, r->left.n * sizeof *r->left.at);
        return true;
    }
    ret_range->last = (int64_t)((uint64_t)from->first + r->width - 1);
    from->first = ret_range->last + 1;
    return true;
}

twx_rc twx_key_ranges_put(twx_ctx *cx, twx_key_ranges *r, const twx_key_range *range, bool ended,
                          int64_t next, uint64_t rows) {
    if (ended) {
        if (!range->whole && rows < ROWS_WANTED && r->width < UINT64_MAX / 4) r->width *= 2;
        return TWX_OK;
    }
    if (!range->whole && next > range->first) r->width = (uint64_t)next - (uint64_t)range->first;
    twx_rc rc = add(cx, r, next, range->last, range->whole);
    for (size_t i = r->left.n; rc == TWX_OK && i-- > 1;) {
        twx_key_range *at = &r->left.at[i], moved = *at;
        if (at[-1].first < moved.first) break;
        *at = at[-1];
        at[-1] = moved;
    }
    return rc;
}

/* ==== row_facts */

enum { STATUS_ODD = 0 /* a status that is not a number, so not 200 */ };

static bool is_empty(const twx_value *v) {
    return v->type == TWX_NULL ||
           ((v->type == TWX_TEXT || v->type == TWX_BLOB) && twx_slice_trim(v->bytes).n == 0);
}

static bool integer_of(const twx_value *v, int64_t *ret_value) {
    if (v->type == TWX_TEXT) return twx_slice_integer(v->bytes, ret_value);
    if (v->type == TWX_REAL && v->r > -9e18 && v->r < 9e18)
        *ret_value = (int64_t)floor(v->r);
    else if (v->type == TWX_INT)
        *ret_value = v->i;
    else
        return false;
    return true;
}

static void set_status(const twx_value *v, twx_facts *f, unsigned *oddities) {
    int64_t status = 0;
    f->status = TWX_STATUS_NONE;
    if (is_empty(v)) return;
    bool number = v->type == TWX_TEXT ? twx_http_status(v->bytes, &status)
                                      : integer_of(v, &status) && status >= 0 && status < 1000000;
    f->status = number ? (int32_t)status : STATUS_ODD;
    if (!number) *oddities |= TWX_ODD_STATUS;
}

/* Whether loading failed: a text is the reason, a number is a flag. */
static bool has_failed(const twx_value *v) {
    if (v->type == TWX_INT) return v->i != 0;
    if (v->type == TWX_REAL) return v->r != 0;
    return !is_empty(v);
}

static bool is_noindex(const twx_value *v) {
    if (v->type == TWX_INT) return twx_robots_bits_noindex(v->i);
    return (v->type == TWX_TEXT || v->type == TWX_BLOB) && twx_robots_noindex(v->bytes);
}

static void set_date(const twx_value *v, twx_facts *f, unsigned *oddities) {
    if (is_empty(v)) return;
    if (integer_of(v, &f->fetched_at)) {
        f->fetched_at = twx_seconds_of(f->fetched_at);
        f->bits |= TWX_FACT_DATED;
    } else if (v->type == TWX_TEXT && twx_iso8601_parse(v->bytes, &f->fetched_at))
        f->bits |= TWX_FACT_DATED;
    else
        *oddities |= TWX_ODD_DATE;
}

static void set_score(const twx_value *v, twx_facts *f) {
    int64_t number = 0;
    double score = v->r;
    if (v->type != TWX_REAL) {
        if (!integer_of(v, &number)) return;
        score = (double)number;
    }
    if (isnan(score)) return;
    f->score_order = twx_score_order(score);
    f->bits |= TWX_FACT_SCORED;
}

static uint64_t key_of(const twx_value *v, uint64_t seed) {
    return is_empty(v) ? 0 : twx_value_hash(v, seed);
}

/* Sets the link of the document: its redirect target, else its canonical URL. */
static twx_rc set_link(twx_ctx *cx, twx_arena *scratch, const twx_url_options *options,
                       const twx_value *columns, const twx_url *url, twx_facts *f) {
    bool redirect = !is_empty(&columns[TWX_COL_REDIRECT_URL]);
    const twx_value *v = &columns[redirect ? TWX_COL_REDIRECT_URL : TWX_COL_CANONICAL_URL];
    twx_url target;
    if (is_empty(v) || url->fault != TWX_URL_OK || (v->type != TWX_TEXT && v->type != TWX_BLOB))
        return TWX_OK;
    twx_rc rc = twx_url_resolve(cx, scratch, options, url, v->bytes, &target);
    if (rc != TWX_OK) return rc;
    f->bits |= redirect ? TWX_FACT_REDIRECT : TWX_FACT_CANONICAL;
    f->link_key = target.fault == TWX_URL_OK ? twx_hash64(target.whole, 0)
                                             : 0; /* 0: matches no document */
    return TWX_OK;
}

/* What the URL is before steps and rules remove anything. The order of parameters is not something
 * that could be removed. */
static twx_rc set_form(twx_ctx *cx, twx_arena *scratch, const twx_url_options *options,
                       twx_slice stored, const twx_url *url, twx_facts *f) {
    const unsigned order = TWX_URL_STEP_PARAMETER_ORDER;
    const twx_url_options kept = {.steps = options ? options->steps & order : 0};
    twx_url whole = *url;
    twx_rc rc = TWX_OK;
    if (url->fault != TWX_URL_OK) return TWX_OK;
    if (options && (options->rules || options->steps & ~order))
        rc = twx_url_normalize(cx, scratch, &kept, stored, &whole);
    if (rc != TWX_OK) return rc;
    const unsigned bits = twx_url_form_bits(whole.whole);
    if (bits & TWX_URL_HAS_EXTRAS || !twx_slice_eq(whole.whole, url->whole))
        f->bits |= TWX_FACT_EXTRAS;
    if (bits & TWX_URL_IS_VIEW) f->bits |= TWX_FACT_VIEW;
    return TWX_OK;
}

static void set_url(const twx_url *url, twx_facts *f) {
    if (url->fault != TWX_URL_OK) return;
    f->bits |= TWX_FACT_USABLE;
    if (twx_url_is_web(url)) f->bits |= TWX_FACT_WEB;
    if (twx_url_is_https(url)) f->bits |= TWX_FACT_HTTPS;
    if (twx_url_is_www(url)) f->bits |= TWX_FACT_WWW;
    f->url_length = (uint32_t)url->whole.n;
    f->url_key = twx_hash64(url->whole, 0);
    f->host = url->host.p ? url->host : TWX_SLICE_LIT("");
    f->domain_key = twx_hash64(twx_registrable_domain(f->host), 1);
}

twx_rc twx_facts_of(twx_ctx *cx, twx_arena *scratch, const twx_url_options *options,
                    const twx_value *columns, twx_url *ret_url, twx_facts *ret_facts,
                    unsigned *ret_oddities) {
    twx_facts f = {.host = TWX_SLICE_LIT("")};
    const twx_value *stored = &columns[TWX_COL_URL];
    twx_slice text = stored->type == TWX_TEXT || stored->type == TWX_BLOB ? stored->bytes
                                                                          : (twx_slice){"", 0};
    f.url_length = (uint32_t)(text.n < UINT32_MAX ? text.n : UINT32_MAX);
    twx_rc rc = twx_url_normalize(cx, scratch, options, text, ret_url);
    if (rc != TWX_OK) return rc;
    f.url = ret_url->whole;
    set_url(ret_url, &f);
    rc = set_form(cx, scratch, options, text, ret_url, &f);
    if (rc != TWX_OK) return rc;
    if (ret_url->fault != TWX_URL_OK) *ret_oddities |= TWX_ODD_URL;
    set_status(&columns[TWX_COL_HTTP_STATUS], &f, ret_oddities);
    if (has_failed(&columns[TWX_COL_FAILURE])) f.bits |= TWX_FACT_FAILED;
    if (is_noindex(&columns[TWX_COL_ROBOTS])) f.bits |= TWX_FACT_NOINDEX;
    set_date(&columns[TWX_COL_FETCHED_AT], &f, ret_oddities);
    set_score(&columns[TWX_COL_SCORE], &f);
    f.hreflang_key = key_of(&columns[TWX_COL_HREFLANG_GROUP], 2);
    f.layout_key = key_of(&columns[TWX_COL_LAYOUT_DIGEST], 3);
    rc = set_link(cx, scratch, options, columns, ret_url, &f);
    if (rc == TWX_OK) *ret_facts = f;
    return rc;
}

/* ==== sign_batch */

enum { RECORD_MAX = 64 << 20 };

typedef struct signer {
    twx_signer_shared *shared;
    twx_workspace *workspace;
    twx_class_memo pages;
    twx_buf facts, record;
    twx_db *db; /* NULL until the first range; with `source` */
    twx_source *source;
} signer;

static void close_signer(void *state) {
    signer *s = state;
    twx_source_close(s->source);
    twx_db_close(s->db);
    twx_workspace_close(s->workspace);
    twx_buf_done(&s->facts);
    twx_buf_done(&s->record);
    twx_free(s);
}

static twx_rc open_signer(twx_ctx *cx, void *arg, void **ret_state) {
    signer *s = twx_calloc(cx, 1, sizeof *s);
    if (!s) return TWX_E_NOMEM;
    s->shared = arg;
    if (getrandom(&s->pages.seed, sizeof s->pages.seed, 0) < 0) s->pages.seed = (uintptr_t)s;
    twx_buf_init(&s->facts, RECORD_MAX);
    twx_buf_init(&s->record, RECORD_MAX);
    twx_rc rc = twx_workspace_open(cx, &s->shared->plan->params, &s->workspace);
    TWX_HAND_OVER(rc, ret_state, s, close_signer(s));
    return rc;
}

/* The class of the page: an error status says it if nothing else does. */
static twx_rc set_page(twx_ctx *cx, signer *s, const twx_document *doc, twx_facts *f) {
    twx_page_finding kind;
    const twx_rc rc = twx_page_class_of(cx, s->shared->plan->pages, &s->pages, doc, &kind);
    if (rc != TWX_OK) return rc;
    f->page = kind.class;
    if (f->status >= 400 && kind.class == TWX_PAGE_PAGE) f->page = TWX_PAGE_ERROR;
    if (kind.is_short) f->page |= TWX_PAGE_SHORT;
    if (kind.is_echoed) f->page |= TWX_PAGE_ECHOED;
    return TWX_OK;
}

static twx_rc sign_row(twx_ctx *cx, signer *s, twx_batch *b, twx_batch_row *row) {
    const twx_sign_plan *plan = s->shared->plan;
    twx_url url;
    twx_facts facts;
    twx_rc rc = twx_facts_of(cx, twx_workspace_scratch(s->workspace), &plan->params.url,
                             row->column, &url, &facts, &row->oddities);
    const twx_document doc = twx_document_of(row->column, &url);
    if (rc == TWX_OK) rc = set_page(cx, s, &doc, &facts);
    twx_buf_clear(&s->facts);
    if (rc == TWX_OK) rc = twx_facts_pack(cx, &facts, &s->facts);
    bool valid = true;
    const twx_signing signing = {.params = &plan->params,
                                 .detectors = plan->signing,
                                 .n = plan->n_signing,
                                 .memo = s->shared->memo,
                                 .without_url = twx_twins_are_in_facts(&facts),
                                 .ret_valid = &valid};
    if (rc == TWX_OK) rc = twx_sign_document(cx, s->workspace, &signing, &doc, &s->record);
    if (!valid) row->oddities |= TWX_ODD_UTF8;
    twx_stored *made = &row->made.stored;
    if (rc == TWX_OK) rc = twx_arena_copy(cx, &b->arena, twx_buf_slice(&s->facts), &made->facts);
    if (rc == TWX_OK) rc = twx_arena_copy(cx, &b->arena, twx_buf_slice(&s->record), &made->record);
    twx_workspace_reset(s->workspace);
    return rc;
}

/* ---- reading a range ------------------------------------------------------ */

typedef struct range_reader {
    twx_ctx *cx;
    twx_batch *b;
    const twx_signer_shared *shared;
} range_reader;

static twx_rc take_row(void *arg, const twx_source_row *row, bool *ret_enough) {
    const range_reader *r = arg;
    twx_range_read *read = &r->b->read;
    read->rows++;
    const twx_rc rc = twx_batch_take(r->cx, r->b, r->shared->opened, r->shared->plan->feed, row,
                                     &read->bad_ids);
    *ret_enough = r->b->bytes >= RANGE_BYTES;
    return rc;
}

static twx_rc read_range(twx_ctx *cx, signer *s, twx_batch *b) {
    const twx_key_range *range = &b->read.range;
    range_reader r = {.cx = cx, .b = b, .shared = s->shared};
    twx_source_cursor cursor = {.bounded = true, .first = range->first, .last = range->last};
    const twx_source_batch batch = {
        .want = TWX_WANT_WHOLE, .limit = RANGE_ROWS, .fn = take_row, .arg = &r};
    twx_rc rc = s->source ? TWX_OK
                          : twx_open_source_again(cx, s->shared->job, s->shared->opened, &s->db,
                                                  &s->source);
    if (rc == TWX_OK) rc = twx_source_read(s->source, &cursor, &batch);
    b->read.stopped = rc == TWX_E_LIMIT;
    b->read.ended = rc == TWX_DONE || (cursor.begun && cursor.after.i == range->last);
    b->read.next = cursor.begun && !b->read.ended ? cursor.after.i + 1 : range->first;
    twx_source_cursor_done(&cursor);
    if (b->read.stopped) twx_ctx_clear(cx);
    return b->read.stopped || rc == TWX_DONE ? TWX_OK : rc;
}

/* ---- the work ------------------------------------------------------------- */

static twx_rc sign_batch(twx_ctx *cx, void *state, void *item) {
    twx_batch *b = item;
    twx_rc rc = twx_cancelled(cx);
    if (rc == TWX_OK && b->reads) rc = read_range(cx, state, b);
    for (size_t i = 0; rc == TWX_OK && i < b->rows.n; i++)
        rc = sign_row(cx, state, b, &b->rows.at[i]);
    return rc;
}

twx_work_kind twx_signer_kind(twx_signer_shared *shared) {
    return (twx_work_kind){.open = open_signer,
                           .work = sign_batch,
                           .close = close_signer,
                           .arg = shared,
                           .inline_if_one = true};
}

/* ==== workers */

/* A ring of items, which cannot overflow because at most `items` are in the queue. */
typedef struct ring {
    void **at;
    size_t from, n;
} ring;

typedef struct worker {
    twx_workers *line;
    pthread_t thread;
    twx_ctx cx;
    bool started;
} worker;

struct twx_workers {
    twx_ctx *cx;
    twx_work_kind kind;
    pthread_mutex_t mutex;
    pthread_cond_t todo_changed, done_changed;
    ring todo, done;
    size_t capacity, under_way; /* under_way: given and not taken yet */
    bool stop;
    twx_ctx failure; /* first error of a worker; the context of work that is done in give() */
    worker *workers;
    size_t n_workers;
    bool here;   /* no thread: work is done in give() */
    void *state; /* of that work, NULL until the first item; or of all work */
};

static void push(twx_workers *w, ring *r, void *item) {
    r->at[(r->from + r->n++) % w->capacity] = item;
}

static void *pop(twx_workers *w, ring *r) {
    void *item = r->at[r->from];
    r->from = (r->from + 1) % w->capacity;
    r->n--;
    return item;
}

/* Returns an item together with any error, in one step, so that the error is not missed. item NULL:
 * it failed, or the worker could not start. */
static void hand_back(twx_workers *w, const twx_ctx *cx, void *item) {
    pthread_mutex_lock(&w->mutex);
    (void)twx_ctx_take(&w->failure, cx);
    if (item) push(w, &w->done, item);
    pthread_cond_broadcast(&w->done_changed);
    pthread_mutex_unlock(&w->mutex);
}

static void *next_item(twx_workers *w) {
    pthread_mutex_lock(&w->mutex);
    while (!w->stop && w->todo.n == 0) pthread_cond_wait(&w->todo_changed, &w->mutex);
    void *item = w->stop ? NULL : pop(w, &w->todo);
    pthread_mutex_unlock(&w->mutex);
    return item;
}

/* An error has a reason: whoever takes items would wait for them otherwise. */
static twx_rc work_on(const twx_workers *w, twx_ctx *cx, void *state, void *item) {
    const twx_rc rc = w->kind.work(cx, state, item);
    return rc == TWX_OK || cx->rc != TWX_OK ? rc
                                            : twx_fail(cx, rc, "a thread failed without a reason");
}

static void *run(void *arg) {
    worker *me = arg;
    twx_workers *w = me->line;
    void *state = w->state;
    twx_rc rc = state ? TWX_OK : w->kind.open(&me->cx, w->kind.arg, &state);
    if (rc != TWX_OK) hand_back(w, &me->cx, NULL);
    for (void *item; rc == TWX_OK && (item = next_item(w)) != NULL;) {
        rc = work_on(w, &me->cx, state, item);
        hand_back(w, &me->cx, rc == TWX_OK ? item : NULL);
    }
    if (state && w->kind.close) w->kind.close(state);
    return NULL;
}

static twx_rc start(twx_workers *w) {
    for (size_t i = 0; i < w->n_workers; i++) {
        worker *me = &w->workers[i];
        me->line = w;
        me->cx = (twx_ctx){.cancel = w->cx->cancel, .faults = w->cx->faults};
        int error = pthread_create(&me->thread, NULL, run, me);
        if (error) return twx_fail(w->cx, TWX_E_INTERNAL, "start a thread: %s", strerror(error));
        me->started = true;
    }
    return TWX_OK;
}

twx_rc twx_workers_open(twx_ctx *cx, size_t threads, size_t items, const twx_work_kind *kind,
                        twx_workers **ret_workers) {
    twx_workers *w = twx_calloc(cx, 1, sizeof *w);
    if (!w) return TWX_E_NOMEM;
    w->cx = cx;
    w->kind = *kind;
    w->capacity = items;
    w->state = kind->open ? NULL : kind->arg;
    w->here = kind->inline_if_one && threads == 1;
    w->n_workers = w->here ? 0 : threads;
    w->failure = *cx;
    pthread_mutex_init(&w->mutex, NULL);
    pthread_cond_init(&w->todo_changed, NULL);
    pthread_cond_init(&w->done_changed, NULL);
    w->todo.at = twx_calloc(cx, items, sizeof(void *));
    w->done.at = twx_calloc(cx, items, sizeof(void *));
    w->workers = twx_calloc(cx, w->n_workers + 1, sizeof *w->workers);
    twx_rc rc = w->todo.at && w->done.at && w->workers ? start(w) : TWX_E_NOMEM;
    TWX_HAND_OVER(rc, ret_workers, w, twx_workers_close(w));
    return rc;
}

void twx_workers_close(twx_workers *w) {
    if (!w) return;
    pthread_mutex_lock(&w->mutex);
    w->stop = true;
    pthread_cond_broadcast(&w->todo_changed);
    pthread_mutex_unlock(&w->mutex);
    for (size_t i = 0; w->workers && i < w->n_workers; i++)
        if (w->workers[i].started) pthread_join(w->workers[i].thread, NULL);
    if (w->here && w->state && w->kind.close) w->kind.close(w->state);
    pthread_cond_destroy(&w->done_changed);
    pthread_cond_destroy(&w->todo_changed);
    pthread_mutex_destroy(&w->mutex);
    twx_free(w->todo.at);
    twx_free(w->done.at);
    twx_free(w->workers);
    twx_free(w);
}

twx_rc twx_workers_give(twx_workers *w, void *item) {
    if (w->here && w->under_way < w->capacity) {
        twx_rc rc = w->failure.rc;
        if (rc == TWX_OK && !w->state) rc = w->kind.open(&w->failure, w->kind.arg, &w->state);
        if (rc == TWX_OK) rc = work_on(w, &w->failure, w->state, item);
        if (rc != TWX_OK) return w->kind.in_order ? TWX_OK : twx_ctx_take(w->cx, &w->failure);
        push(w, &w->done, item);
        w->under_way++;
        return TWX_OK;
    }
    pthread_mutex_lock(&w->mutex);
    twx_rc rc = w->kind.in_order ? TWX_OK : w->failure.rc;
    if (rc == TWX_OK && w->under_way == w->capacity) rc = TWX_E_INTERNAL;
    if (rc == TWX_OK) {
        push(w, &w->todo, item);
        w->under_way++;
        pthread_cond_signal(&w->todo_changed);
    }
    pthread_mutex_unlock(&w->mutex);
    if (rc != TWX_OK && w->failure.rc == TWX_OK)
        return twx_fail(w->cx, rc, "the queue of workers is full");
    return rc == TWX_OK ? TWX_OK : twx_ctx_take(w->cx, &w->failure);
}

twx_rc twx_workers_take(twx_workers *w, bool wait, void **ret_item) {
    *ret_item = NULL;
    pthread_mutex_lock(&w->mutex);
    while (wait && w->failure.rc == TWX_OK && w->done.n == 0 && w->under_way > 0)
        pthread_cond_wait(&w->done_changed, &w->mutex);
    const twx_rc rc = w->kind.in_order && w->done.n > 0 ? TWX_OK : w->failure.rc;
    if (rc == TWX_OK && w->done.n > 0) {
        *ret_item = pop(w, &w->done);
        w->under_way--;
    }
    pthread_mutex_unlock(&w->mutex);
    return rc == TWX_OK ? TWX_OK : twx_ctx_take(w->cx, &w->failure);
}

twx_rc twx_workers_next(twx_workers *w, void **item) {
    const twx_rc rc = *item ? twx_workers_give(w, *item) : TWX_OK;
    return rc == TWX_OK ? twx_workers_take(w, true, item) : rc;
}
