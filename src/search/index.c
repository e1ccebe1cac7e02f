#include <sys/statvfs.h>

#include "search/internal.h"

/* The source is first read once and compared with the index by a hash of title and text, without
 * writing. Then the documents that differ are read again and indexed, in turns. */

enum {
    FEW_SLOTS = 1000, /* a smaller index is not worth a rebuild */
    WORN_SHARE = 3    /* it is rebuilt if one slot in this many is unused */
};

typedef struct indexing {
    const twx_job *job;
    twx_opened o;
    twx_text_index *index;
    twx_map64 hashes;           /* of the indexed documents, by doc */
    twx_map64 seen;             /* documents of the source that have words */
    TWX_VEC(twx_value) changed; /* scan keys of the documents to be indexed */
    TWX_VEC(int64_t) gone;
    twx_arena keys;         /* bytes of these keys */
    uint64_t changed_bytes; /* of titles and texts in `changed` */
    uint64_t documents, bytes, written, forgotten;
} indexing;

unsigned twx_text_language(const twx_job *job, const twx_source_row *row) {
    const twx_slice own = twx_slice_trim(twx_bytes_of(&row->value[TWX_COL_LANGUAGE]));
    return twx_stem_language(own.n ? own : twx_slice_of(job->settings->index_language));
}

static twx_text_entry entry_of(const indexing *x, const twx_source_row *row) {
    twx_text_entry e = {.title = twx_bytes_of(&row->value[TWX_COL_TITLE]),
                        .text = twx_bytes_of(&row->value[TWX_COL_TEXT])};
    e.language = twx_text_language(x->job, row);
    e.hash = twx_mix64(twx_hash64(e.title, 1), twx_hash64(e.text, 2));
    if (e.language) e.hash = twx_mix64(e.hash, e.language);
    return e;
}

static twx_rc compare_row(void *arg, const twx_source_row *row) {
    indexing *x = arg;
    const twx_text_entry e = entry_of(x, row);
    int64_t doc = 0;
    uint64_t indexed = 0;
    if (row->value[TWX_COL_ID].type == TWX_NULL || (e.title.n == 0 && e.text.n == 0)) return TWX_OK;
    x->documents++;
    x->bytes += e.title.n + e.text.n;
    twx_rc rc = twx_document_number(&x->o, &row->value[TWX_COL_ID], &doc);
    const bool has = rc == TWX_OK;
    if (has) rc = twx_map64_put(x->job->cx, &x->seen, (uint64_t)doc, 1);
    if (rc != TWX_OK && rc != TWX_DONE) return rc;
    if (has && twx_map64_get(&x->hashes, (uint64_t)doc, &indexed) && indexed == e.hash)
        return TWX_OK;
    twx_value key = row->scan_key;
    rc = twx_arena_copy(x->job->cx, &x->keys, row->scan_key.bytes, &key.bytes);
    x->changed_bytes += e.title.n + e.text.n;
    return rc == TWX_OK && !TWX_VEC_PUSH(x->job->cx, &x->changed, key) ? TWX_E_NOMEM : rc;
}

static twx_rc note_indexed(void *arg, int64_t doc, uint64_t hash) {
    indexing *x = arg;
    return twx_map64_put(x->job->cx, &x->hashes, (uint64_t)doc, hash);
}

static twx_rc note_gone(void *arg, int64_t doc, uint64_t hash) {
    indexing *x = arg;
    (void)hash;
    if (twx_map64_has(&x->seen, (uint64_t)doc)) return TWX_OK;
    return TWX_VEC_PUSH(x->job->cx, &x->gone, doc) ? TWX_OK : TWX_E_NOMEM;
}

static twx_rc end_turn(indexing *x, twx_rc rc) {
    rc = twx_turn_end(x->o.writer, rc, false);
    return rc == TWX_OK ? twx_cancelled(x->job->cx) : rc;
}

/* Merges what the turn has written, in turns of its own. */
static twx_rc end_writing(indexing *x, twx_rc rc) {
    rc = end_turn(x, rc);
    for (bool more = true; rc == TWX_OK && more;) {
        rc = twx_turn_begin(x->o.writer);
        while (rc == TWX_OK && more && !twx_turn_is_over(x->o.writer))
            rc = twx_text_index_merge(x->index, &more);
        rc = end_turn(x, rc);
    }
    return rc;
}

/* A turn is open before a row is read: with a rollback journal, a committing writer waits until
 * readers finish, so a reader that waits for that writer would never get the lock. */
static twx_rc next_turn(void *arg) {
    indexing *x = arg;
    twx_rc rc = twx_turn_is_over(x->o.writer) ? end_writing(x, TWX_OK) : TWX_OK;
    return rc == TWX_OK ? twx_turn_begin(x->o.writer) : rc;
}

static twx_rc put_row(void *arg, const twx_source_row *row, bool *ret_wait) {
    indexing *x = arg;
    twx_text_entry e = entry_of(x, row);
    (void)ret_wait;
    twx_rc rc = twx_document_number(&x->o, &row->value[TWX_COL_ID], &e.doc);
    if (rc == TWX_DONE) rc = twx_document_make(x->o.signatures, &row->value[TWX_COL_ID], &e.doc);
    if (rc == TWX_OK) rc = twx_text_index_put(x->index, &e);
    x->written += rc == TWX_OK;
    return rc;
}

/* Measured: while a whole index is made the WAL grows to twice the size of the texts, because FTS5
 * merges what it has written. */
static twx_rc check_space(const indexing *x) {
    struct statvfs fs;
    const uint64_t need = 2 * x->changed_bytes;
    if (statvfs(twx_own_path(x->job), &fs) != 0) return TWX_OK;
    const uint64_t room = (uint64_t)fs.f_bavail * fs.f_frsize;
    if (room >= need) return TWX_OK;
    return twx_fail(x->job->cx, TWX_E_FULL,
                    "%s: %zu %s about %" PRIu64
                    " MiB of free space while they are indexed, but only %" PRIu64 " are available",
                    twx_own_path(x->job), x->changed.n,
                    twx_plural(x->changed.n, "text needs", "texts need"), need >> 20, room >> 20);
}

static twx_rc put_changed(indexing *x) {
    twx_document_reader r = {.job = x->job,
                             .source = x->o.source,
                             .stage = "index",
                             .too_long = "it is not indexed",
                             .take = put_row,
                             .prepare = next_turn,
                             .arg = x,
                             .total = x->changed.n};
    twx_rc rc = check_space(x);
    if (rc == TWX_OK) rc = twx_document_reader_fetch(&r, x->changed.at, x->changed.n);
    return end_writing(x, rc);
}

static twx_rc make_index(indexing *x) {
    twx_text_index_state state = TWX_TEXT_NONE;
    twx_rc rc = twx_text_index_look(x->o.writer, &state);
    if (rc != TWX_OK || state == TWX_TEXT_READY) return rc;
    if (state == TWX_TEXT_OTHER) {
        twx_job_message(x->job, TWINDEX_NOTE,
                        "the text index was made by another version of twindex: it is rebuilt");
        rc = twx_text_index_drop(x->o.writer);
    }
    return rc == TWX_OK ? twx_text_index_make(x->o.writer) : rc;
}

static twx_rc open_index(indexing *x) {
    uint64_t documents = 0, slots = 0;
    twx_rc rc = make_index(x);
    if (rc == TWX_OK) rc = twx_text_index_open(x->o.writer, &x->index);
    if (rc == TWX_OK) rc = twx_text_index_count(x->index, &documents, &slots);
    if (rc != TWX_OK || slots < FEW_SLOTS || (slots - documents) * WORN_SHARE < slots) return rc;
    twx_job_message(
        x->job, TWINDEX_NOTE, "the text index holds words of %" PRIu64 " %s gone: it is rebuilt",
        slots - documents, twx_plural(slots - documents, "text that is", "texts that are"));
    twx_text_index_close(x->index);
    x->index = NULL;
    rc = twx_text_index_drop(x->o.writer);
    if (rc == TWX_OK) rc = twx_text_index_make(x->o.writer);
    return rc == TWX_OK ? twx_text_index_open(x->o.writer, &x->index) : rc;
}

static twx_rc update(indexing *x) {
    twx_rc rc = twx_open_store(x->job, TWX_NEED_SOURCE | TWX_NEED_TABLES | TWX_NEED_SOUND, &x->o);
    if (rc == TWX_OK) rc = open_index(x);
    if (rc == TWX_OK) rc = twx_text_index_each(x->index, note_indexed, x);
    if (rc == TWX_OK)
        rc = twx_scan_documents(x->job, &x->o, "compare with the text index", compare_row, x);
    if (rc == TWX_OK) rc = twx_text_index_each(x->index, note_gone, x);
    if (rc == TWX_OK) rc = put_changed(x);
    if (rc != TWX_OK) return rc;
    for (size_t i = 0; rc == TWX_OK && i < x->gone.n; i++) {
        rc = twx_turn_begin(x->o.writer);
        if (rc == TWX_OK) rc = twx_text_index_forget(x->index, x->gone.at[i]);
        if (rc == TWX_OK) x->forgotten++;
        if (rc == TWX_OK && twx_turn_is_over(x->o.writer)) rc = end_turn(x, rc);
    }
    return end_turn(x, rc);
}

static twx_rc drop_index(indexing *x, bool *ret_had) {
    twx_text_index_state state = TWX_TEXT_NONE;
    twx_rc rc = twx_open_store(x->job, TWX_NEED_TABLES | TWX_NEED_SOUND, &x->o);
    if (rc == TWX_OK) rc = twx_text_index_look(x->o.writer, &state);
    *ret_had = state != TWX_TEXT_NONE;
    return rc == TWX_OK && *ret_had ? twx_text_index_drop(x->o.writer) : rc;
}

static twx_rc write_update(const twx_out *out, const indexing *x, double seconds) {
    const twx_count_row rows[] = {
        {"documents", "documents with words", NULL, x->documents, x->bytes, true, true},
        {"indexed", "indexed now", .n = x->written, .always = true},
        {"forgotten", "gone", .n = x->forgotten, .always = true},
        {"text_bytes", .n = x->bytes}};
    return twx_count_result_write(out, x->job->store, "text index", rows, TWX_COUNTOF(rows),
                                  seconds);
}

twx_rc twx_text_index_update(const twx_job *job, bool drop, const twx_out *out) {
    twx_lock *lock = NULL;
    bool had = false;
    const double began = twx_job_clock();
    indexing x = {.job = job};
    twx_rc rc = twx_lock_take(job, twx_own_path(job), &lock);
    if (rc != TWX_OK) return rc;
    twx_arena_init(&x.keys, 1 << 20);
    rc = drop ? drop_index(&x, &had) : update(&x);
    const double seconds = twx_job_clock() - began;
    twx_text_index_close(x.index);
    twx_map64_done(&x.hashes);
    twx_map64_done(&x.seen);
    TWX_VEC_DONE(&x.changed);
    TWX_VEC_DONE(&x.gone);
    twx_arena_done(&x.keys);
    twx_opened_done(&x.o);
    twx_lock_release(lock, rc);
    if (rc != TWX_OK) return rc;
    if (!drop) return write_update(out, &x, seconds);
    if (twx_out_is_json(out)) return twx_out_json(out, json_pack("{s:b}", "dropped", (int)had));
    return twx_out_text(out, "%s: %s\n", job->store,
                        had ? "the text index is dropped" : "there is no text index");
}
