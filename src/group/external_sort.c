/* Entries are written packed: key, index and, in parts with any check, check; without padding. Most
 * detectors have no checks, and half the bytes take half the time (an external sort spends most of
 * its time copying to the page cache). */
#include "group/external_sort.h"

#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/vec.h"
#include "group/temporary_file.h"

enum {
    KEY_AND_INDEX = 12,
    WITH_CHECK = 20 /* bytes of a packed entry */,
    PACKED_MAX = 1 << 18,
    BUFFER_MIN = 64
};

/* A part: its range in the file and its read buffer. */
typedef struct part {
    off_t next, end; /* bytes */
    size_t packed;   /* bytes of an entry */
    char *buffer;
    size_t room, at, n; /* bytes: allocated, consumed, in the buffer */
} part;

/* The next entry of a part. */
typedef struct head {
    twx_entry entry;
    size_t part;
} head;

struct twx_external_sort {
    twx_ctx *cx;
    int fd;
    off_t end;
    char *packing; /* PACKED_MAX bytes; NULL before the first part */
    TWX_VEC(part) parts;
    head *heap; /* a heap of the parts that still have entries, smallest first */
    size_t heap_n;
};

twx_rc twx_external_sort_open(twx_ctx *cx, const char *folder, twx_external_sort **ret_sort) {
    twx_external_sort *s = twx_calloc(cx, 1, sizeof *s);
    if (!s) return TWX_E_NOMEM;
    s->cx = cx;
    s->fd = -1;
    const twx_rc rc = twx_temporary_file_open(cx, folder, &s->fd);
    if (rc != TWX_OK) {
        twx_external_sort_close(s);
        return rc;
    }
    *ret_sort = s;
    return TWX_OK;
}

void twx_external_sort_close(twx_external_sort *s) {
    if (!s) return;
    for (size_t i = 0; i < s->parts.n; i++) twx_free(s->parts.at[i].buffer);
    TWX_VEC_DONE(&s->parts);
    twx_free(s->packing);
    twx_free(s->heap);
    if (s->fd >= 0) close(s->fd);
    twx_free(s);
}

size_t twx_external_sort_parts(const twx_external_sort *s) {
    return s->parts.n;
}

static bool any_check(const twx_entry *at, size_t n) {
    uint64_t seen = 0;
    for (size_t i = 0; i < n; i++) seen |= at[i].check;
    return seen != 0;
}

static void pack(const twx_entry *e, size_t packed, char *out) {
    memcpy(out, &e->key, sizeof e->key);
    memcpy(out + sizeof e->key, &e->index, sizeof e->index);
    if (packed == WITH_CHECK) memcpy(out + KEY_AND_INDEX, &e->check, sizeof e->check);
}

static twx_entry unpack(const char *in, size_t packed) {
    twx_entry e = {0};
    memcpy(&e.key, in, sizeof e.key);
    memcpy(&e.index, in + sizeof e.key, sizeof e.index);
    if (packed == WITH_CHECK) memcpy(&e.check, in + KEY_AND_INDEX, sizeof e.check);
    return e;
}

twx_rc twx_external_sort_part(twx_external_sort *s, const twx_entry *at, size_t n) {
    const size_t packed = any_check(at, n) ? WITH_CHECK : KEY_AND_INDEX;
    part fresh = {.next = s->end, .packed = packed};
    twx_rc rc = TWX_OK;
    if (!s->packing) s->packing = twx_malloc(s->cx, PACKED_MAX);
    if (!s->packing) return TWX_E_NOMEM;
    for (size_t i = 0; i < n && rc == TWX_OK;) {
        size_t bytes = 0;
        for (; i < n && bytes + packed <= PACKED_MAX; i++, bytes += packed)
            pack(&at[i], packed, s->packing + bytes);
        rc = twx_temporary_file_write(s->cx, s->fd, s->packing, bytes, s->end);
        if (rc == TWX_OK) s->end += (off_t)bytes;
    }
    if (rc != TWX_OK) return rc;
    fresh.end = s->end;
    return TWX_VEC_PUSH(s->cx, &s->parts, fresh) ? TWX_OK : TWX_E_NOMEM;
}

static twx_rc refill(twx_external_sort *s, part *p) {
    size_t want = (size_t)(p->end - p->next);
    if (want > p->room) want = p->room;
    const int error = twx_temporary_file_read(s->fd, p->buffer, want, p->next);
    if (error) return twx_temporary_file_failed(s->cx, error);
    p->next += (off_t)want;
    p->at = 0;
    p->n = want;
    return TWX_OK;
}

/* TWX_DONE: the part has no more entries. */
static twx_rc next_of(twx_external_sort *s, size_t number, head *ret_head) {
    part *p = &s->parts.at[number];
    if (p->at == p->n) {
        if (p->next == p->end) return TWX_DONE;
        twx_rc rc = refill(s, p);
        if (rc != TWX_OK) return rc;
    }
    *ret_head = (head){unpack(p->buffer + p->at, p->packed), number};
    p->at += p->packed;
    return TWX_OK;
}

static bool before(const head *a, const head *b) {
    if (a->entry.key != b->entry.key) return a->entry.key < b->entry.key;
    return twx_entry_cmp(&a->entry, &b->entry) < 0;
}

/* Moves item down the heap from the free place i. */
static void sink(twx_external_sort *s, size_t i, head item) {
    for (size_t child; (child = 2 * i + 1) < s->heap_n; i = child) {
        if (child + 1 < s->heap_n && before(&s->heap[child + 1], &s->heap[child])) child++;
        if (!before(&s->heap[child], &item)) break;
        s->heap[i] = s->heap[child];
    }
    s->heap[i] = item;
}

twx_rc twx_external_sort_rewind(twx_external_sort *s, size_t bytes) {
    const size_t n = s->parts.n;
    twx_free(s->packing);
    s->packing = NULL;
    s->heap = twx_calloc(s->cx, n, sizeof *s->heap);
    if (!s->heap) return TWX_E_NOMEM;
    for (size_t i = 0; i < n; i++) {
        part *p = &s->parts.at[i];
        const size_t entries = bytes / n / p->packed;
        p->room = (entries < BUFFER_MIN ? BUFFER_MIN : entries) * p->packed;
        p->buffer = twx_malloc(s->cx, p->room);
        if (!p->buffer) return TWX_E_NOMEM;
        twx_rc rc = next_of(s, i, &s->heap[s->heap_n]);
        if (rc == TWX_OK) s->heap_n++;
        if (rc != TWX_OK && rc != TWX_DONE) return rc;
    }
    for (size_t i = s->heap_n; i > 0; i--) sink(s, i - 1, s->heap[i - 1]);
    return TWX_OK;
}

twx_rc twx_external_sort_next(twx_external_sort *s, twx_entry *ret_entry) {
    head next;
    if (s->heap_n == 0) return TWX_DONE;
    const twx_entry entry = s->heap[0].entry;
    twx_rc rc = next_of(s, s->heap[0].part, &next);
    if (rc == TWX_DONE) {
        next = s->heap[--s->heap_n];
        rc = TWX_OK;
    }
    if (rc != TWX_OK) return rc;
    if (s->heap_n > 0) sink(s, 0, next);
    *ret_entry = entry;
    return TWX_OK;
}
