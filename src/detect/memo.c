#include "detect/memo.h"

#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash64.h"
#include "base/map64.h"
#include "base/vec.h"

enum { DIGEST = 32 };

typedef struct known_text {
    unsigned char sha256[DIGEST];
    uint32_t n; /* bytes of its entries */
    size_t at;  /* their offset in `entries` */
} known_text;

/* One lock: it is held for less than a microsecond, and a text takes tens of microseconds. */
struct twx_memo {
    pthread_mutex_t lock;
    size_t max_bytes;
    twx_map64 index; /* first 8 bytes of the digest -> index in texts */
    TWX_VEC(known_text) texts;
    twx_buf entries;
};

twx_rc twx_memo_open(twx_ctx *cx, size_t max_bytes, twx_memo **ret_memo) {
    twx_memo *m = twx_calloc(cx, 1, sizeof *m);
    if (!m) return TWX_E_NOMEM;
    if (pthread_mutex_init(&m->lock, NULL) != 0) {
        twx_free(m);
        return twx_fail(cx, TWX_E_NOMEM, "out of memory: a lock");
    }
    m->max_bytes = max_bytes;
    twx_map64_init(&m->index, 0); /* the keys are digests, so collisions cannot be crafted */
    twx_buf_init(&m->entries, max_bytes);
    *ret_memo = m;
    return TWX_OK;
}

void twx_memo_close(twx_memo *m) {
    if (!m) return;
    pthread_mutex_destroy(&m->lock);
    twx_map64_done(&m->index);
    TWX_VEC_DONE(&m->texts);
    twx_buf_done(&m->entries);
    twx_free(m);
}

/* NULL: not known. Of texts whose digests share their first 8 bytes only the first is kept. */
static const known_text *find(const twx_memo *m, const unsigned char *sha256) {
    uint64_t at = 0;
    if (!twx_map64_get(&m->index, twx_load_be64(sha256), &at)) return NULL;
    const known_text *text = &m->texts.at[at];
    return memcmp(text->sha256, sha256, DIGEST) == 0 ? text : NULL;
}

twx_rc twx_memo_get(twx_ctx *cx, twx_memo *m, const unsigned char sha256[32], twx_buf *out) {
    twx_rc rc = TWX_DONE;
    pthread_mutex_lock(&m->lock);
    const known_text *text = find(m, sha256);
    if (text) rc = twx_buf_add(cx, out, m->entries.n ? m->entries.p + text->at : "", text->n);
    pthread_mutex_unlock(&m->lock);
    return rc;
}

/* Arrays and the index double when they grow, and the index is at least a third full. */
static bool has_room(const twx_memo *m, size_t more) {
    const size_t slot = 2 * sizeof(uint64_t);
    size_t texts = (m->texts.n + 1) * (2 * sizeof(known_text) + 3 * slot);
    return more <= UINT32_MAX && texts < m->max_bytes &&
           (m->max_bytes - texts) / 2 >= m->entries.n + more;
}

static twx_rc add(twx_ctx *cx, twx_memo *m, const unsigned char *sha256, twx_slice entries) {
    uint64_t place = m->texts.n, held = 0;
    known_text text = {.n = (uint32_t)entries.n, .at = m->entries.n};
    memcpy(text.sha256, sha256, DIGEST);
    if (!TWX_VEC_RESERVE(cx, &m->texts, m->texts.n + 1)) return TWX_E_NOMEM;
    twx_rc rc = twx_buf_reserve(cx, &m->entries, entries.n);
    if (rc == TWX_OK) rc = twx_map64_add(cx, &m->index, twx_load_be64(sha256), place, &held);
    if (rc != TWX_OK || held != place) return rc;
    m->texts.at[m->texts.n++] = text;
    return twx_buf_add_slice(cx, &m->entries, entries); /* the room is reserved */
}

twx_rc twx_memo_put(twx_ctx *cx, twx_memo *m, const unsigned char sha256[32], twx_slice entries) {
    twx_rc rc = TWX_OK;
    pthread_mutex_lock(&m->lock);
    if (!find(m, sha256) && has_room(m, entries.n)) rc = add(cx, m, sha256, entries);
    pthread_mutex_unlock(&m->lock);
    return rc;
}
