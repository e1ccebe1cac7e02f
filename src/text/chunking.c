#include "text/chunking.h"

#include "base/hash64.h"
#include "text/shingling.h"

enum { HASH_BITS = 64, END_BITS = 6, BACKUP_BITS = 5 };

/* The hash of a window is the polynomial w0 F^15 + w1 F^14 + ... + w15 modulo 2^64 (Karp and Rabin
 * 1987); F is 2^64 divided by the golden ratio, made odd. Its upper bits depend on all bits of the
 * window, its lower bits do not. */
#define F1  UINT64_C(0x9E3779B97F4A7C15)
#define F4  (F1 * F1 * F1 * F1)
#define F16 (F4 * F4 * F4 * F4)
_Static_assert(TWX_CHUNK_WINDOW == 16, "what leaves the window was multiplied by F16");

static bool starts_with_zeros(uint64_t hash, unsigned bits) {
    return hash >> (HASH_BITS - bits) == 0;
}

size_t twx_chunk_length(twx_slice text) {
    const unsigned char *p = (const unsigned char *)text.p;
    const size_t limit = text.n < TWX_CHUNK_MAX ? text.n : TWX_CHUNK_MAX;
    uint64_t hash = 0;
    size_t backup = 0;
    if (text.n <= TWX_CHUNK_MIN) return text.n;
    /* bytes before the first possible window cannot end a chunk */
    for (size_t i = TWX_CHUNK_MIN - TWX_CHUNK_WINDOW; i < TWX_CHUNK_MIN; i++)
        hash = hash * F1 + p[i];
    for (size_t end = TWX_CHUNK_MIN;; end++) {
        if (starts_with_zeros(hash, BACKUP_BITS)) {
            if (starts_with_zeros(hash, END_BITS)) return end;
            backup = end;
        }
        if (end == limit) break;
        hash = hash * F1 + (p[end] - p[end - TWX_CHUNK_WINDOW] * F16);
    }
    if (text.n <= TWX_CHUNK_MAX) return text.n; /* the rest of the text */
    return backup ? backup : TWX_CHUNK_MAX;
}

static uint64_t entry_of(twx_slice chunk) {
    return twx_hash64(chunk, 0) >> TWX_CHUNK_LENGTH_BITS << TWX_CHUNK_LENGTH_BITS | chunk.n;
}

twx_rc twx_chunks_of(twx_ctx *cx, twx_arena *scratch, twx_slice text, size_t most,
                     twx_chunks *ret_chunks) {
    uint64_t *at = twx_arena_alloc(cx, scratch, text.n / TWX_CHUNK_MIN + 1, sizeof *at);
    if (!at) return TWX_E_NOMEM;
    twx_shingles entries = {.at = at};
    for (size_t from = 0, n; from < text.n; from += n) {
        n = twx_chunk_length((twx_slice){text.p + from, text.n - from});
        entries.at[entries.n++] = entry_of((twx_slice){text.p + from, n});
    }
    twx_rc rc = twx_shingles_unique(cx, scratch, &entries);
    if (rc == TWX_OK)
        *ret_chunks = (twx_chunks){entries.at, entries.n < most ? entries.n : most, entries.n};
    return rc;
}
