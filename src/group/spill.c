#include "group/spill.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/vec.h"

enum { BUFFER_MIN = 64 };

/* A part: where it lies in the file and what of it is in memory. */
typedef struct part {
    off_t next, end; /* bytes */
    twx_entry *buffer;
    size_t at, n;
} part;

struct twx_spill {
    twx_ctx *cx;
    int fd;
    off_t end;
    TWX_VEC(part) parts;
    size_t *heap; /* numbers of the parts that still have entries, smallest head first */
    size_t heap_n;
    size_t buffer_entries;
};

twx_rc twx_spill_open(twx_ctx *cx, const char *folder, twx_spill **ret_spill) {
    twx_spill *s = twx_calloc(cx, 1, sizeof *s);
    if (!s) return TWX_E_NOMEM;
    const char *tmp = getenv("TMPDIR");
    char *name = twx_sprintf(cx, "%s/twindex-sort-XXXXXX", folder ? folder : tmp ? tmp : "/tmp");
    twx_rc rc = name ? TWX_OK : TWX_E_NOMEM;
    s->cx = cx;
    s->fd = -1;
    if (name) {
        s->fd = mkstemp(name);
        if (s->fd < 0)
            rc = twx_fail(cx, TWX_E_CREATE, "temporary file %s: %s (set TMPDIR)", name,
                          strerror(errno));
        else
            unlink(name);
    }
    twx_free(name);
    if (rc != TWX_OK) {
        twx_spill_close(s);
        return rc;
    }
    *ret_spill = s;
    return TWX_OK;
}

void twx_spill_close(twx_spill *s) {
    if (!s) return;
    for (size_t i = 0; i < s->parts.n; i++) twx_free(s->parts.at[i].buffer);
    TWX_VEC_DONE(&s->parts);
    twx_free(s->heap);
    if (s->fd >= 0) close(s->fd);
    twx_free(s);
}

size_t twx_spill_parts(const twx_spill *s) {
    return s->parts.n;
}

twx_rc twx_spill_part(twx_spill *s, const twx_entry *at, size_t n) {
    const char *p = (const char *)at;
    part fresh = {.next = s->end, .end = s->end + (off_t)(n * sizeof *at)};
    for (size_t left = n * sizeof *at; left > 0;) {
        ssize_t wrote = pwrite(s->fd, p, left, s->end);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0)
            return twx_fail(
                s->cx, errno == ENOSPC ? TWX_E_FULL : TWX_E_IO,
                "write a temporary file of the sort: %s (TMPDIR needs room, or raise run.memory)",
                strerror(errno));
        p += wrote;
        left -= (size_t)wrote;
        s->end += wrote;
    }
    return TWX_VEC_PUSH(s->cx, &s->parts, fresh) ? TWX_OK : TWX_E_NOMEM;
}

static twx_rc refill(twx_spill *s, part *p) {
    size_t want = (size_t)(p->end - p->next);
    if (want > s->buffer_entries * sizeof *p->buffer) want = s->buffer_entries * sizeof *p->buffer;
    char *to = (char *)p->buffer;
    for (size_t got = 0; got < want;) {
        ssize_t n = pread(s->fd, to + got, want - got, p->next + (off_t)got);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0)
            return twx_fail(s->cx, TWX_E_IO, "read a temporary file of the sort: %s",
                            n ? strerror(errno) : "it is too short");
        got += (size_t)n;
    }
    p->next += (off_t)want;
    p->at = 0;
    p->n = want / sizeof *p->buffer;
    return TWX_OK;
}

static bool before(const twx_spill *s, size_t a, size_t b) {
    const part *x = &s->parts.at[s->heap[a]], *y = &s->parts.at[s->heap[b]];
    return twx_entry_cmp(&x->buffer[x->at], &y->buffer[y->at]) < 0;
}

static void sink(twx_spill *s, size_t i) {
    for (;;) {
        size_t least = i, left = 2 * i + 1, right = 2 * i + 2;
        if (left < s->heap_n && before(s, left, least)) least = left;
        if (right < s->heap_n && before(s, right, least)) least = right;
        if (least == i) return;
        size_t swap = s->heap[i];
        s->heap[i] = s->heap[least];
        s->heap[least] = swap;
        i = least;
    }
}

twx_rc twx_spill_rewind(twx_spill *s, size_t bytes) {
    size_t n = s->parts.n;
    s->heap = twx_calloc(s->cx, n, sizeof *s->heap);
    if (!s->heap) return TWX_E_NOMEM;
    s->buffer_entries = n ? bytes / n / sizeof(twx_entry) : 0;
    if (s->buffer_entries < BUFFER_MIN) s->buffer_entries = BUFFER_MIN;
    for (size_t i = 0; i < n; i++) {
        part *p = &s->parts.at[i];
        p->buffer = twx_calloc(s->cx, s->buffer_entries, sizeof *p->buffer);
        if (!p->buffer) return TWX_E_NOMEM;
        twx_rc rc = refill(s, p);
        if (rc != TWX_OK) return rc;
        if (p->n) s->heap[s->heap_n++] = i;
    }
    for (size_t i = s->heap_n; i > 0; i--) sink(s, i - 1);
    return TWX_OK;
}

twx_rc twx_spill_next(twx_spill *s, twx_entry *ret_entry) {
    if (s->heap_n == 0) return TWX_DONE;
    part *p = &s->parts.at[s->heap[0]];
    twx_entry entry = p->buffer[p->at++];
    if (p->at == p->n && p->next < p->end) {
        twx_rc rc = refill(s, p);
        if (rc != TWX_OK) return rc;
    }
    if (p->at == p->n) s->heap[0] = s->heap[--s->heap_n];
    sink(s, 0);
    *ret_entry = entry;
    return TWX_OK;
}
