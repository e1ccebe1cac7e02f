#include "group/group.h"

#include <errno.h>
#include <unistd.h>

/* ==== temporary_file */

twx_rc twx_temporary_file_open(twx_ctx *cx, const char *folder, int *ret_fd) {
    const char *tmp = getenv("TMPDIR");
    char *name = twx_sprintf(cx, "%s/twindex-sort-XXXXXX", folder ? folder : tmp ? tmp : "/tmp");
    if (!name) return TWX_E_NOMEM;
    const int fd = mkstemp(name);
    const twx_rc rc = fd < 0 ? twx_fail(cx, TWX_E_CREATE,
                                        "cannot create the temporary file %s: %s (set TMPDIR)",
                                        name, strerror(errno))
                             : TWX_OK;
    if (fd >= 0) {
        unlink(name);
        *ret_fd = fd;
    }
    twx_free(name);
    return rc;
}

twx_rc twx_temporary_file_write(twx_ctx *cx, int fd, const void *p, size_t n, off_t at) {
    for (const char *next = p; n > 0;) {
        const ssize_t wrote = pwrite(fd, next, n, at);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) {
            const int error = wrote < 0 ? errno : EIO;
            return twx_fail(cx, error == ENOSPC ? TWX_E_FULL : TWX_E_IO,
                            "cannot write a temporary file: %s (free space in TMPDIR, or raise "
                            "run.memory)",
                            strerror(error));
        }
        next += wrote;
        n -= (size_t)wrote;
        at += wrote;
    }
    return TWX_OK;
}

int twx_temporary_file_read(int fd, void *p, size_t n, off_t at) {
    for (size_t got = 0; got < n;) {
        const ssize_t more = pread(fd, (char *)p + got, n - got, at + (off_t)got);
        if (more < 0 && errno == EINTR) continue;
        if (more < 0) return errno ? errno : EIO;
        if (more == 0) return EIO;
        got += (size_t)more;
    }
    return 0;
}

twx_rc twx_temporary_file_failed(twx_ctx *cx, int error) {
    return twx_fail(cx, TWX_E_IO, "cannot read a temporary file: %s", strerror(error));
}

/* ==== sort_entries */

/* Keys are mostly hashes. Once n keys are sorted by as many of their upper bytes as distinguish n
 * keys, hardly any neighbours agree in those, so the lower bytes need no passes over all
 * entries. */

enum { DIGITS = 8, DIGIT_BITS = 8, VALUES = 256, FEW = 32, SPARE_BITS = 4 };

/* counts[d][v]: how many keys have the value v in byte d, 0 the lowest. */
typedef struct histogram {
    size_t counts[DIGITS][VALUES];
} histogram;

static unsigned digit(const twx_entry *e, unsigned d) {
    return e->key >> (DIGIT_BITS * d) & (VALUES - 1);
}

int twx_entry_cmp(const twx_entry *a, const twx_entry *b) {
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    if (a->check != b->check) return a->check < b->check ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

TWX_ORDER(compare, twx_entry, twx_entry_cmp(a, b))

static void sort_few(twx_entry *at, size_t n) {
    for (size_t i = 1; i < n; i++) {
        const twx_entry item = at[i];
        size_t j = i;
        for (; j > 0 && twx_entry_cmp(&at[j - 1], &item) > 0; j--) at[j] = at[j - 1];
        at[j] = item;
    }
}

static void count_digits(const twx_entry *at, size_t n, unsigned digits, histogram *h) {
    memset(h, 0, digits * sizeof h->counts[0]);
    for (size_t i = 0; i < n; i++)
        for (unsigned d = 0; d < digits; d++) h->counts[d][digit(&at[i], d)]++;
}

/* Do all keys have the same byte d? */
static bool all_agree(const twx_entry *at, size_t n, const histogram *h, unsigned d) {
    return h->counts[d][digit(at, d)] == n;
}

/* The lowest byte to sort by: the bytes from there on can distinguish 2^SPARE_BITS times as many
 * keys as there are. */
static unsigned lowest_needed(const twx_entry *at, size_t n, unsigned digits, const histogram *h) {
    size_t left = n << SPARE_BITS;
    unsigned d = digits;
    while (d > 0 && left > 0)
        if (!all_agree(at, n, h, --d)) left >>= DIGIT_BITS;
    return d;
}

/* Sorts by the bytes first..last-1 of the key; stable. */
static void sort_by_digits(twx_entry *at, twx_entry *scratch, size_t n, unsigned first,
                           unsigned last, histogram *h) {
    twx_entry *from = at, *to = scratch;
    for (unsigned d = first; d < last; d++) {
        size_t *start = h->counts[d], sum = 0;
        if (all_agree(from, n, h, d)) continue;
        for (unsigned v = 0; v < VALUES; v++) {
            const size_t count = start[v];
            start[v] = sum;
            sum += count;
        }
        for (size_t i = 0; i < n; i++) to[start[digit(&from[i], d)]++] = from[i];
        twx_entry *swap = from;
        from = to;
        to = swap;
    }
    if (from != at) memcpy(at, from, n * sizeof *at);
}

static void exchange_checks(twx_entry *at, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const uint64_t key = at[i].key;
        at[i].key = at[i].check;
        at[i].check = key;
    }
}

/* Sorts entries with equal keys: by their checks as if these were the keys. */
static void sort_run(twx_entry *at, twx_entry *scratch, size_t n) {
    bool sorted = true, differ = false;
    for (size_t i = 1; i < n; i++) {
        sorted &= twx_entry_cmp(&at[i - 1], &at[i]) <= 0;
        differ |= at[i].check != at[0].check;
    }
    if (sorted) return;
    if (n <= FEW || !differ) {
        qsort(at, n, sizeof *at, compare);
        return;
    }
    exchange_checks(at, n);
    twx_sort_entries(at, scratch, n);
    exchange_checks(at, n);
}

/* Sorts entries that agree in the bytes of the key from `digits` on by the lower bytes. */
static void sort_rest(twx_entry *at, twx_entry *scratch, size_t n, unsigned digits) {
    histogram h;
    count_digits(at, n, digits, &h);
    sort_by_digits(at, scratch, n, 0, digits, &h);
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && at[to].key == at[from].key;) to++;
        sort_run(at + from, scratch, to - from);
    }
}

void twx_sort_entries(twx_entry *at, twx_entry *scratch, size_t n) {
    histogram h;
    if (n <= FEW) {
        sort_few(at, n);
        return;
    }
    count_digits(at, n, DIGITS, &h);
    const unsigned first = lowest_needed(at, n, DIGITS, &h);
    sort_by_digits(at, scratch, n, first, DIGITS, &h);
    for (size_t from = 0, to; from < n; from = to) {
        const uint64_t upper = at[from].key >> (DIGIT_BITS * first);
        for (to = from + 1; to < n && at[to].key >> (DIGIT_BITS * first) == upper;) to++;
        if (to - from <= FEW)
            sort_few(at + from, to - from);
        else
            sort_rest(at + from, scratch, to - from, first);
    }
}

void twx_sort_by_key(uint32_t *items, uint32_t *scratch, size_t n, const uint64_t *key) {
    enum { BITS = 11, PASSES = 6, LAST = (1 << BITS) - 1 };
    uint32_t starts[PASSES][LAST + 1] = {0};
    uint32_t *from = items, *to = scratch;
    for (size_t i = 0; i < n; i++)
        for (unsigned d = 0; d < PASSES; d++) starts[d][key[items[i]] >> BITS * d & LAST]++;
    for (unsigned d = 0; n > 0 && d < PASSES; d++) {
        uint32_t *start = starts[d], sum = 0;
        if (start[key[*items] >> BITS * d & LAST] == n) continue; /* all agree */
        for (unsigned v = 0; v <= LAST; v++) {
            const uint32_t count = start[v];
            start[v] = sum;
            sum += count;
        }
        for (size_t i = 0; i < n; i++) to[start[key[from[i]] >> BITS * d & LAST]++] = from[i];
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != items) memcpy(items, from, n * sizeof *items);
}

/* ==== external_sort */

/* Entries are written packed: key, index and, in parts with any check, check; without padding. Most
 * detectors have no checks, and half the bytes take half the time (an external sort spends most of
 * its time copying to the page cache). */

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
    uint64_t checks = 0;
    for (size_t i = 0; i < n; i++) checks |= at[i].check;
    const size_t packed = checks ? WITH_CHECK : KEY_AND_INDEX;
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

/* TWX_DONE: the part has no more entries. */
static twx_rc next_of(twx_external_sort *s, size_t number, head *ret_head) {
    part *p = &s->parts.at[number];
    if (p->at == p->n) {
        if (p->next == p->end) return TWX_DONE;
        size_t want = (size_t)(p->end - p->next);
        if (want > p->room) want = p->room;
        const int error = twx_temporary_file_read(s->fd, p->buffer, want, p->next);
        if (error) return twx_temporary_file_failed(s->cx, error);
        p->next += (off_t)want;
        p->at = 0;
        p->n = want;
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

/* ==== entries */

enum { FIRST_ROOM = 1 << 12 }; /* entries */

/* Sorts what is in memory, and combines the entries of each key. */
static twx_rc sort_in_memory(twx_ctx *cx, twx_entries *e) {
    size_t kept = 0;
    if (!TWX_VEC_RESERVE(cx, &e->scratch, e->at.n)) return TWX_E_NOMEM;
    twx_sort_entries(e->at.at, e->scratch.at, e->at.n);
    if (!e->combine || e->at.n == 0) return TWX_OK;
    for (size_t i = 1; i < e->at.n; i++) {
        if (e->at.at[i].key == e->at.at[kept].key)
            e->combine(&e->at.at[kept], &e->at.at[i]);
        else
            e->at.at[++kept] = e->at.at[i];
    }
    e->at.n = kept + 1;
    return TWX_OK;
}

static twx_rc write_sorted(twx_ctx *cx, twx_entries *e) {
    twx_rc rc = e->on_disk ? TWX_OK : twx_external_sort_open(cx, e->folder, &e->on_disk);
    if (rc == TWX_OK) rc = twx_external_sort_part(e->on_disk, e->at.at, e->at.n);
    if (rc != TWX_OK) return rc;
    e->written += e->at.n;
    e->at.n = 0;
    return TWX_OK;
}

twx_rc twx_entries_write(twx_ctx *cx, twx_entries *e) {
    const twx_rc rc = sort_in_memory(cx, e);
    return rc == TWX_OK ? write_sorted(cx, e) : rc;
}

/* Makes room in a full array. Combining must free at least half of it, or it would be repeated too
 * often. */
static twx_rc make_room(twx_ctx *cx, twx_entries *e) {
    const bool all = e->at.cap >= e->limit;
    const twx_rc rc = all || e->combine ? sort_in_memory(cx, e) : TWX_OK;
    if (rc != TWX_OK || 2 * e->at.n < e->at.cap) return rc;
    if (all) return write_sorted(cx, e);
    size_t room = twx_grown(e->at.cap, FIRST_ROOM);
    if (room > e->limit) room = e->limit;
    /* before the array grows, because both together would exceed the limit */
    TWX_VEC_DONE(&e->scratch);
    twx_entry *at = twx_realloc(cx, e->at.at, room, sizeof *at);
    if (!at) return TWX_E_NOMEM;
    e->at.at = at;
    e->at.cap = room;
    return TWX_OK;
}

twx_rc twx_entries_add(twx_ctx *cx, twx_entries *e, twx_entry entry) {
    if (e->limit == 0) e->limit = FIRST_ROOM;
    const twx_rc rc = e->at.n >= e->at.cap ? make_room(cx, e) : TWX_OK;
    if (rc == TWX_OK) e->at.at[e->at.n++] = entry;
    return rc;
}

twx_rc twx_entries_sort(twx_ctx *cx, twx_entries *e) {
    twx_rc rc = TWX_OK;
    if (!e->on_disk)
        rc = sort_in_memory(cx, e);
    else if (e->at.n > 0)
        rc = twx_entries_write(cx, e);
    TWX_VEC_DONE(&e->scratch);
    e->next = 0;
    if (rc != TWX_OK || !e->on_disk) return rc;
    TWX_VEC_DONE(&e->at);
    return twx_external_sort_rewind(e->on_disk,
                                    e->read_bytes ? e->read_bytes : e->limit * sizeof(twx_entry));
}

/* Merges two sorted arrays. */
static twx_rc merge(twx_ctx *cx, twx_entries *e, const twx_entries *before, const uint32_t *moved) {
    TWX_VEC(twx_entry) all = {0};
    size_t own = 0;
    if (!TWX_VEC_RESERVE(cx, &all, e->at.n + before->at.n)) return TWX_E_NOMEM;
    for (size_t k = 0; k < before->at.n; k++) {
        twx_entry entry = before->at.at[k];
        entry.index = moved[entry.index];
        if (entry.index == UINT32_MAX) continue;
        while (own < e->at.n && twx_entry_cmp(&e->at.at[own], &entry) < 0)
            all.at[all.n++] = e->at.at[own++];
        all.at[all.n++] = entry;
    }
    while (own < e->at.n) all.at[all.n++] = e->at.at[own++];
    TWX_VEC_DONE(&e->at);
    TWX_MOVE(e->at, all);
    return TWX_OK;
}

twx_rc twx_entries_sort_with(twx_ctx *cx, twx_entries *e, const twx_entries *before,
                             const uint32_t *moved) {
    if (before && (e->on_disk || before->on_disk))
        return twx_fail(cx, TWX_E_INTERNAL, "keys that are carried over do not fit into memory");
    const twx_rc rc = twx_entries_sort(cx, e);
    return rc == TWX_OK && before ? merge(cx, e, before, moved) : rc;
}

twx_rc twx_entries_next(twx_entries *e, twx_entry *ret_entry) {
    if (e->on_disk) return twx_external_sort_next(e->on_disk, ret_entry);
    if (e->next == e->at.n) return TWX_DONE;
    *ret_entry = e->at.at[e->next++];
    return TWX_OK;
}

void twx_entries_done(twx_entries *e) {
    TWX_VEC_DONE(&e->at);
    TWX_VEC_DONE(&e->scratch);
    twx_external_sort_close(e->on_disk);
    e->on_disk = NULL;
}

/* ==== pieces */

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

static twx_rc make_room_for(twx_ctx *cx, twx_pieces *p, size_t more) {
    size_t most = p->fd < 0 ? p->limit : WRITTEN_AT_ONCE;
    if (most < TWX_PIECE_MAX) most = TWX_PIECE_MAX;
    return p->bytes.n + more <= most ? TWX_OK : write_bytes(cx, p);
}

twx_rc twx_pieces_add(twx_ctx *cx, twx_pieces *p, twx_slice piece) {
    const bool is_long = piece.n > TWX_PIECE_MAX;
    twx_rc rc = is_long ? add_long(cx, p, piece) : make_room_for(cx, p, piece.n);
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

/* Adds pieces up to the next of `starts`, which are in memory. */
static twx_rc add_group(twx_ctx *cx, twx_pieces *p, const twx_pieces *from, size_t first,
                        size_t end) {
    const size_t base = start_in_group(from, first);
    const uint64_t at = from->starts.at[first / EACH] + base;
    const twx_slice bytes = {from->bytes.p + (at - from->written), from->ends.at[end - 1] - base};
    twx_rc rc = make_room_for(cx, p, bytes.n);
    const uint64_t began = p->written + p->bytes.n;
    for (size_t i = first; rc == TWX_OK && i < end; i++, p->n++) {
        if (p->n % EACH == 0 &&
            !TWX_VEC_PUSH(cx, &p->starts, began + start_in_group(from, i) - base))
            return TWX_E_NOMEM;
        const uint64_t to = began + from->ends.at[i] - base;
        if (!TWX_VEC_PUSH(cx, &p->ends, (uint16_t)(to - p->starts.at[p->n / EACH])))
            return TWX_E_NOMEM;
    }
    return rc == TWX_OK ? twx_buf_add_slice(cx, &p->bytes, bytes) : rc;
}

twx_rc twx_pieces_add_from(twx_ctx *cx, twx_pieces *p, const twx_pieces *from, size_t first,
                           size_t n) {
    char room[TWX_PIECE_MAX];
    twx_rc rc = TWX_OK;
    for (size_t i = first, next; rc == TWX_OK && i < first + n; i = next) {
        const bool whole = from->longs.n == 0 && from->starts.at[i / EACH] >= from->written;
        next = whole ? (i / EACH + 1) * EACH : i + 1;
        if (next > first + n) next = first + n;
        rc = whole ? add_group(cx, p, from, i, next)
                   : twx_pieces_add(cx, p, twx_pieces_get(from, i, room));
    }
    return rc == TWX_OK ? twx_pieces_error(cx, from) : rc;
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
