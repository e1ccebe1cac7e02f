#include "sign/memo.h"

#include <openssl/rand.h>
#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash64.h"
#include "base/map64.h"
#include "base/openssl_error.h"
#include "base/vec.h"

typedef struct known_text {
    unsigned char tag[TWX_TAG_BYTES];
    uint32_t n; /* bytes of its entries */
    size_t at;  /* their offset in `entries` */
} known_text;

/* One lock: it is held for less than a microsecond, and a text takes tens of microseconds. */
struct twx_memo {
    pthread_mutex_t lock;
    unsigned char key[TWX_TAG_BYTES];
    size_t max_bytes;
    twx_map64 index; /* first 8 bytes of the tag -> index in texts */
    TWX_VEC(known_text) texts;
    twx_buf entries;
};

twx_rc twx_memo_open(twx_ctx *cx, size_t max_bytes, twx_memo **ret_memo) {
    twx_memo *m = twx_calloc(cx, 1, sizeof *m);
    if (!m) return TWX_E_NOMEM;
    if (RAND_bytes(m->key, sizeof m->key) != 1) {
        twx_free(m);
        return twx_openssl_failed(cx, TWX_E_INTERNAL, "OpenSSL cannot generate random numbers");
    }
    if (pthread_mutex_init(&m->lock, NULL) != 0) {
        twx_free(m);
        return twx_fail(cx, TWX_E_NOMEM, "out of memory: a lock");
    }
    m->max_bytes = max_bytes;
    twx_map64_init(&m->index, 0); /* tags cannot be crafted */
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

const unsigned char *twx_memo_key(const twx_memo *m) {
    return m->key;
}

/* NULL: not known. Of texts whose tags share their first 8 bytes only the first is kept. */
static const known_text *find(const twx_memo *m, const unsigned char *tag) {
    uint64_t at = 0;
    if (!twx_map64_get(&m->index, twx_load_be64(tag), &at)) return NULL;
    const known_text *text = &m->texts.at[at];
    return memcmp(text->tag, tag, TWX_TAG_BYTES) == 0 ? text : NULL;
}

twx_rc twx_memo_get(twx_ctx *cx, twx_memo *m, const unsigned char tag[TWX_TAG_BYTES],
                    twx_buf *out) {
    twx_rc rc = TWX_DONE;
    pthread_mutex_lock(&m->lock);
    const known_text *text = find(m, tag);
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

static twx_rc add(twx_ctx *cx, twx_memo *m, const unsigned char *tag, twx_slice entries) {
    uint64_t place = m->texts.n, held = 0;
    known_text text = {.n = (uint32_t)entries.n, .at = m->entries.n};
    memcpy(text.tag, tag, TWX_TAG_BYTES);
    if (!TWX_VEC_RESERVE(cx, &m->texts, m->texts.n + 1)) return TWX_E_NOMEM;
    twx_rc rc = twx_buf_reserve(cx, &m->entries, entries.n);
    if (rc == TWX_OK) rc = twx_map64_add(cx, &m->index, twx_load_be64(tag), place, &held);
    if (rc != TWX_OK || held != place) return rc;
    m->texts.at[m->texts.n++] = text;
    return twx_buf_add_slice(cx, &m->entries, entries); /* the room is reserved */
}

twx_rc twx_memo_put(twx_ctx *cx, twx_memo *m, const unsigned char tag[TWX_TAG_BYTES],
                    twx_slice entries) {
    twx_rc rc = TWX_OK;
    pthread_mutex_lock(&m->lock);
    if (!find(m, tag) && has_room(m, entries.n)) rc = add(cx, m, tag, entries);
    pthread_mutex_unlock(&m->lock);
    return rc;
}
