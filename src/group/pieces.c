#include "group/group.h"

#include <unistd.h>

enum {
    EACH = 64,                /* pieces after each of `starts` */
    WRITTEN_AT_ONCE = 1 << 18 /* bytes */
};

_Static_assert(EACH *TWX_PIECE_MAX <= UINT16_MAX, "`ends` has 16 bits");

twx_rc twx_pieces_init(twx_ctx *cx, twx_pieces *p, size_t limit) {
    *p = (twx_pieces){.limit = limit, .fd = -1};
    twx_buf_init(&p->bytes, SIZE_MAX / 4);
    twx_buf_init(&p->long_bytes, SIZE_MAX / 4);
    p->error = twx_calloc(cx, 1, sizeof *p->error);
    return p->error ? TWX_OK : TWX_E_NOMEM;
}

void twx_pieces_done(twx_pieces *p) {
    if (!p) return;
    if (p->error && p->fd >= 0) close(p->fd); /* without `error` it was never initialized */
    TWX_VEC_DONE(&p->starts);
    TWX_VEC_DONE(&p->ends);
    TWX_VEC_DONE(&p->longs);
    twx_buf_done(&p->bytes);
    twx_buf_done(&p->long_bytes);
    twx_free(p->error);
    *p = (twx_pieces){0};
}

static twx_rc add_long(twx_ctx *cx, twx_pieces *p, twx_slice piece) {
    const twx_rc rc = twx_buf_add_slice(cx, &p->long_bytes, piece);
    if (rc != TWX_OK) return rc;
    return TWX_VEC_PUSH(cx, &p->longs, (twx_long_piece){p->n, p->long_bytes.n}) ? TWX_OK
                                                                                : TWX_E_NOMEM;
}

/* Writes the bytes in memory to the file. */
static twx_rc write_bytes(twx_ctx *cx, twx_pieces *p) {
    const bool first = p->fd < 0;
    twx_rc rc = first ? twx_temporary_file_open(cx, NULL, &p->fd) : TWX_OK;
    if (rc == TWX_OK)
        rc = twx_temporary_file_write(cx, p->fd, p->bytes.p, p->bytes.n, (off_t)p->written);
    if (rc != TWX_OK) return rc;
    p->written += p->bytes.n;
    if (!first) {
        twx_buf_clear(&p->bytes);
        return TWX_OK;
    }
    twx_buf_done(&p->bytes); /* it may have become large */
    twx_buf_init(&p->bytes, SIZE_MAX / 4);
    return TWX_OK;
}

static twx_rc make_room(twx_ctx *cx, twx_pieces *p, size_t more) {
    size_t most = p->fd < 0 ? p->limit : WRITTEN_AT_ONCE;
    if (most < TWX_PIECE_MAX) most = TWX_PIECE_MAX;
    return p->bytes.n + more <= most ? TWX_OK : write_bytes(cx, p);
}

twx_rc twx_pieces_add(twx_ctx *cx, twx_pieces *p, twx_slice piece) {
    const bool is_long = piece.n > TWX_PIECE_MAX;
    twx_rc rc = is_long ? add_long(cx, p, piece) : make_room(cx, p, piece.n);
    if (rc == TWX_OK && p->n % EACH == 0 && !TWX_VEC_PUSH(cx, &p->starts, p->written + p->bytes.n))
        rc = TWX_E_NOMEM;
    if (rc == TWX_OK && !is_long) rc = twx_buf_add_slice(cx, &p->bytes, piece);
    if (rc != TWX_OK) return rc;
    const uint64_t end = p->written + p->bytes.n - p->starts.at[p->n / EACH];
    if (!TWX_VEC_PUSH(cx, &p->ends, (uint16_t)end)) return TWX_E_NOMEM;
    p->n++;
    return TWX_OK;
}

/* Finds a long piece; absent: it is not one. */
static twx_slice find_long(const twx_pieces *p, size_t i) {
    size_t low = 0, high = p->longs.n;
    TWX_BISECT(low, high, p->longs.at[middle].number < i);
    if (low == p->longs.n || p->longs.at[low].number != i) return (twx_slice){NULL, 0};
    return twx_slice_sub(twx_buf_slice(&p->long_bytes), low ? p->longs.at[low - 1].end : 0,
                         p->longs.at[low].end);
}

static size_t start_in_group(const twx_pieces *p, size_t i) {
    return i % EACH ? p->ends.at[i - 1] : 0;
}

size_t twx_pieces_length(const twx_pieces *p, size_t i) {
    const size_t n = i < p->n ? p->ends.at[i] - start_in_group(p, i) : 0;
    return n || p->longs.n == 0 ? n : find_long(p, i).n;
}

twx_slice twx_pieces_get(const twx_pieces *p, size_t i, char *room) {
    if (i >= p->n) return (twx_slice){NULL, 0};
    const size_t from = start_in_group(p, i), n = p->ends.at[i] - from;
    const uint64_t at = p->starts.at[i / EACH] + from;
    if (n == 0) return p->longs.n ? find_long(p, i) : (twx_slice){NULL, 0};
    if (at >= p->written) return (twx_slice){p->bytes.p + (at - p->written), n};
    const int error = twx_temporary_file_read(p->fd, room, n, (off_t)at);
    if (error) atomic_store(p->error, error);
    return error ? (twx_slice){NULL, 0} : (twx_slice){room, n};
}

twx_rc twx_pieces_error(twx_ctx *cx, const twx_pieces *p) {
    const int error = p->error ? atomic_load(p->error) : 0;
    return error ? twx_temporary_file_failed(cx, error) : TWX_OK;
}

/* ==== parked */

twx_rc twx_park(twx_ctx *cx, twx_parked *p, void *address, size_t bytes) {
    void *array = NULL, *const none = NULL;
    memcpy(&array, address, sizeof array); /* a pointer of any type */
    if (!array || bytes == 0) return TWX_OK;
    twx_rc rc = p->arrays.n ? TWX_OK : twx_temporary_file_open(cx, NULL, &p->fd);
    if (rc != TWX_OK) return rc;
    if (!TWX_VEC_PUSH(cx, &p->arrays, (twx_parked_array){address, bytes, p->written})) {
        if (p->arrays.n == 0) close(p->fd);
        return TWX_E_NOMEM;
    }
    rc = twx_temporary_file_write(cx, p->fd, array, bytes, (off_t)p->written);
    if (rc != TWX_OK) return rc;
    p->written += bytes;
    twx_free(array);
    memcpy(address, &none, sizeof none);
    return TWX_OK;
}

twx_rc twx_parked_take(twx_ctx *cx, twx_parked *p) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < p->arrays.n; i++) {
        const twx_parked_array *a = &p->arrays.at[i];
        void *array = twx_malloc(cx, a->bytes);
        if (!array) rc = TWX_E_NOMEM;
        const int error = array ? twx_temporary_file_read(p->fd, array, a->bytes, (off_t)a->at) : 0;
        if (error) rc = twx_temporary_file_failed(cx, error);
        memcpy(a->address, &array, sizeof array);
    }
    twx_parked_done(p);
    return rc;
}

void twx_parked_done(twx_parked *p) {
    if (!p) return;
    if (p->arrays.n) close(p->fd);
    TWX_VEC_DONE(&p->arrays);
    *p = (twx_parked){0};
}
