#include "cluster/copy_texts.h"

#include <unistd.h>

#include "base/hash64.h"
#include "cluster/row_binary.h"
#include "group/temporary_file.h"
#include "sql_text.h"

enum { PART_BYTES = 8 << 20, SENT_BYTES = 4 << 20 };

/* ---- fetching -------------------------------------------------------------- */

static twx_rc keep_text(twx_copy_texts *t, uint64_t digest, twx_slice text) {
    twx_ctx *cx = t->j->job->cx;
    const uint64_t next = t->at.n;
    uint64_t number = next;
    twx_rc rc = twx_map64_add(cx, &t->index, digest, next, &number);
    if (rc != TWX_OK || number != next) return rc; /* it was pushed twice */
    if (!TWX_VEC_PUSH(cx, &t->at, ((twx_copy_text){t->written, text.n, false}))) return TWX_E_NOMEM;
    rc = twx_temporary_file_write(cx, t->fd, text.p, text.n, (off_t)t->written);
    t->written += text.n;
    return rc;
}

static twx_rc keep_texts(twx_copy_texts *t, twx_slice rows) {
    twx_row_reader r = {.rest = rows};
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && r.rest.n > 0) {
        const uint64_t digest = twx_row_number(&r, 8);
        const twx_slice text = twx_row_string(&r);
        rc = r.broken
                 ? twx_fail(t->j->job->cx, TWX_E_DATA, "cluster: the answer to 'read_texts' is cut")
                 : keep_text(t, digest, text);
    }
    return rc;
}

static twx_rc fetch(twx_copy_texts *t, uint64_t bytes) {
    const uint64_t parts = 1 + bytes / PART_BYTES, step = UINT64_MAX / parts;
    twx_statement read = TWX_JUDGING_STATEMENT("read_texts", READ_TEXTS);
    twx_buf answers;
    twx_buf_init(&answers, (size_t)TWX_ANSWER_BYTES);
    twx_rc rc = twx_temporary_file_open(t->j->job->cx, NULL, &t->fd);
    for (uint64_t i = 0; rc == TWX_OK && i < parts; i++) {
        read.base = i * step;
        read.cap = i + 1 < parts ? (i + 1) * step - 1 : UINT64_MAX;
        twx_buf_clear(&answers);
        rc = twx_judging_ask(t->j, &read, &answers);
        if (rc == TWX_OK) rc = keep_texts(t, twx_buf_slice(&answers));
    }
    twx_buf_done(&answers);
    return rc;
}

static uint64_t refusal_key(uint64_t digest, uint64_t shard, int64_t doc) {
    return twx_mix64(twx_mix64(digest, shard), (uint64_t)doc);
}

/* After the stores have been pushed, what they have been asked for is there, or cannot be had. */
static twx_rc read_refused(twx_copy_texts *t) {
    twx_statement read = TWX_JUDGING_STATEMENT("read_refused", READ_REFUSED);
    twx_ctx *cx = t->j->job->cx;
    read.base = t->j->asked;
    twx_rc rc = t->j->asked ? twx_judging_ask(t->j, &read, &t->refused_rows) : TWX_OK;
    twx_row_reader r = {.rest = twx_buf_slice(&t->refused_rows)};
    while (rc == TWX_OK && r.rest.n > 0) {
        const uint64_t digest = twx_row_number(&r, 8), shard = twx_row_number(&r, 2),
                       doc = twx_row_number(&r, 8);
        rc = r.broken ? twx_fail(cx, TWX_E_DATA, "cluster: the answer to 'read_refused' is cut")
                      : twx_map64_put(cx, &t->refused, refusal_key(digest, shard, (int64_t)doc), 1);
    }
    return rc;
}

/* ---- reading --------------------------------------------------------------- */

static twx_rc note(twx_copy_texts *t, uint64_t digest, uint32_t i) {
    twx_ctx *cx = t->j->job->cx;
    const twx_doc_row *doc = &t->judged->docs.at.at[i];
    uint64_t first = i;
    if (twx_map64_get(&t->refused, refusal_key(digest, doc->member, doc->doc), &first))
        return TWX_DONE;
    const size_t before = t->noted.n;
    twx_rc rc = twx_map64_add(cx, &t->noted, digest, i, &first);
    if (rc == TWX_OK && t->noted.n > before && !TWX_VEC_PUSH(cx, &t->wanted, i)) rc = TWX_E_NOMEM;
    return rc == TWX_OK ? TWX_DONE : rc;
}

static uint64_t digest_of(const twx_copy_texts *t, uint32_t i) {
    return twx_signed_as_of(t->judged, i).sig[TWX_RELATION_EXACT];
}

static twx_rc read_text(void *arg, uint32_t i, twx_buf *ret_text) {
    twx_copy_texts *t = arg;
    twx_ctx *cx = t->j->job->cx;
    const uint64_t digest = digest_of(t, i);
    uint64_t number = 0;
    if (!twx_map64_get(&t->index, digest, &number)) {
        const twx_rc rc = twx_judgement_error(cx, t->judged);
        return rc == TWX_OK ? note(t, digest, i) : rc;
    }
    twx_copy_text *text = &t->at.at[number];
    if (!text->used) t->used += text->bytes;
    text->used = true;
    const twx_rc rc = twx_buf_reserve(cx, ret_text, (size_t)text->bytes);
    if (rc != TWX_OK || text->bytes == 0) return rc;
    const int error = twx_temporary_file_read(t->fd, ret_text->p + ret_text->n, (size_t)text->bytes,
                                              (off_t)text->at);
    if (error) return twx_temporary_file_failed(cx, error);
    ret_text->n += (size_t)text->bytes;
    ret_text->p[ret_text->n] = '\0';
    return TWX_OK;
}

/* ---- asking ---------------------------------------------------------------- */

static twx_rc add_wanted(const twx_copy_texts *t, uint32_t i, twx_buf *rows) {
    twx_ctx *cx = t->j->job->cx;
    const twx_doc_row *doc = &t->judged->docs.at.at[i];
    twx_rc rc = twx_row_add_number(cx, rows, digest_of(t, i), 8);
    if (rc == TWX_OK) rc = twx_row_add_number(cx, rows, doc->member, 2);
    return rc == TWX_OK ? twx_row_add_number(cx, rows, (uint64_t)doc->doc, 8) : rc;
}

twx_rc twx_copy_texts_ask(const twx_copy_texts *t) {
    const twx_statement put = TWX_JUDGING_STATEMENT("put_wanted", PUT_WANTED);
    twx_rc rc = TWX_OK;
    twx_buf rows;
    twx_buf_init(&rows, 2 * SENT_BYTES);
    for (size_t k = 0; rc == TWX_OK && k < t->wanted.n; k++) {
        rc = add_wanted(t, t->wanted.at[k], &rows);
        if (rc != TWX_OK || (rows.n < SENT_BYTES && k + 1 < t->wanted.n)) continue;
        rc = twx_judging_put(t->j, &put, twx_buf_slice(&rows));
        twx_buf_clear(&rows);
    }
    twx_buf_done(&rows);
    /* those are asked for again */
    return rc == TWX_OK && t->refused_rows.n
               ? twx_judging_put(t->j, &put, twx_buf_slice(&t->refused_rows))
               : rc;
}

twx_rc twx_copy_texts_forget(const twx_copy_texts *t) {
    const twx_statement forget = TWX_JUDGING_STATEMENT("forget_texts", FORGET_TEXTS);
    return t->written - t->used > t->used ? twx_judging_step(t->j, &forget) : TWX_OK;
}

/* ---- life ------------------------------------------------------------------ */

twx_rc twx_copy_texts_fetch(twx_judging *j, const twx_judgement *judged,
                            twx_copy_texts *ret_texts) {
    const twx_statement measure = TWX_JUDGING_STATEMENT("measure_texts", MEASURE_TEXTS);
    uint64_t sums[2] = {0}; /* texts, bytes */
    *ret_texts = (twx_copy_texts){
        .source = {.read = read_text, .arg = ret_texts}, .j = j, .judged = judged, .fd = -1};
    twx_map64_init(&ret_texts->index, 0);
    twx_map64_init(&ret_texts->noted, 0);
    twx_map64_init(&ret_texts->refused, 0);
    twx_buf_init(&ret_texts->refused_rows, (size_t)TWX_ANSWER_BYTES);
    twx_rc rc = twx_judging_sums(j, &measure, sums, TWX_COUNTOF(sums));
    if (rc == TWX_OK && sums[0]) rc = fetch(ret_texts, sums[1]);
    return rc == TWX_OK ? read_refused(ret_texts) : rc;
}

void twx_copy_texts_done(twx_copy_texts *t) {
    if (!t || !t->j) return;
    twx_map64_done(&t->index);
    twx_map64_done(&t->noted);
    twx_map64_done(&t->refused);
    twx_buf_done(&t->refused_rows);
    TWX_VEC_DONE(&t->at);
    TWX_VEC_DONE(&t->wanted);
    if (t->fd >= 0) close(t->fd);
    *t = (twx_copy_texts){0};
}
