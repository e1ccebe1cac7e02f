#include "judge/near_payloads.h"

#include <string.h>

#include "base/hash64.h"

enum {
    PAYLOAD_MAX = 512, /* a longer payload keeps its sketch */
    HASH = 8           /* of a sketch that is left out: it follows the rest of the payload */
};

void twx_near_payloads_init(twx_near_payloads *p) {
    *p = (twx_near_payloads){0};
    twx_buf_init(&p->bytes, SIZE_MAX / 4);
}

void twx_near_payloads_done(twx_near_payloads *p) {
    if (!p) return;
    TWX_VEC_DONE(&p->ends);
    twx_buf_done(&p->bytes);
    twx_sketches_done(&p->sketches);
}

static twx_rc add_without_sketch(twx_ctx *cx, twx_near_payloads *p, twx_slice payload) {
    char hash[HASH];
    const twx_slice sketch = twx_slice_sub(payload, p->sketch_at, p->sketch_at + TWX_SKETCH_BYTES);
    twx_store_le64(hash, twx_hash64(sketch, 0));
    twx_rc rc = twx_buf_add_slice(cx, &p->bytes, twx_slice_sub(payload, 0, p->sketch_at));
    if (rc == TWX_OK)
        rc = twx_buf_add_slice(cx, &p->bytes,
                               twx_slice_sub(payload, p->sketch_at + TWX_SKETCH_BYTES, payload.n));
    return rc == TWX_OK ? twx_buf_add(cx, &p->bytes, hash, sizeof hash) : rc;
}

twx_rc twx_near_payloads_add(twx_ctx *cx, twx_near_payloads *p, const twx_detector *d,
                             twx_slice payload) {
    bool is_short = false;
    const unsigned char *sketch = d->sketch ? d->sketch(payload, &is_short) : NULL;
    const size_t at = sketch ? (size_t)((const char *)sketch - payload.p) : 0;
    const bool first = p->ends.n == p->whole; /* no payload lacks its sketch so far */
    const bool bare = sketch && is_short && payload.n <= PAYLOAD_MAX &&
                      (first || at == p->sketch_at);
    if (bare) p->sketch_at = at;
    twx_rc rc = bare ? add_without_sketch(cx, p, payload)
                     : twx_buf_add_slice(cx, &p->bytes, payload);
    if (rc == TWX_OK && !TWX_VEC_PUSH(cx, &p->ends, (uint64_t)p->bytes.n << 1 | bare))
        rc = TWX_E_NOMEM;
    if (rc != TWX_OK) return rc;
    p->whole += !bare;
    return d->sketch ? twx_sketches_add(cx, &p->sketches, sketch, is_short) : TWX_OK;
}

void twx_near_payloads_searched(twx_near_payloads *p) {
    /* a short text may be compared with one whose payload is whole */
    if (p->whole == 0 || p->whole == p->ends.n) twx_sketches_done(&p->sketches);
}

typedef struct stored {
    twx_slice bytes;
    bool bare; /* without its sketch, with its hash */
} stored;

static stored stored_of(const twx_near_payloads *p, uint32_t node) {
    const uint64_t from = node ? p->ends.at[node - 1] >> 1 : 0, to = p->ends.at[node] >> 1;
    return (stored){twx_slice_sub(twx_buf_slice(&p->bytes), from, to), p->ends.at[node] & 1};
}

/* The payload with a sketch of equal bytes. */
static twx_slice fill_in(const twx_near_payloads *p, const stored *s, int byte, char *room) {
    if (!s->bare) return s->bytes;
    const size_t tail = s->bytes.n - HASH - p->sketch_at;
    memcpy(room, s->bytes.p, p->sketch_at);
    memset(room + p->sketch_at, byte, TWX_SKETCH_BYTES);
    memcpy(room + p->sketch_at + TWX_SKETCH_BYTES, s->bytes.p + p->sketch_at, tail);
    return (twx_slice){room, p->sketch_at + TWX_SKETCH_BYTES + tail};
}

/* The payload as it was added. */
static twx_slice restore(const twx_near_payloads *p, uint32_t node, const stored *s, char *room) {
    const twx_slice payload = fill_in(p, s, 0, room);
    for (size_t i = 0; s->bare && i < TWX_SKETCH_BYTES; i++)
        room[p->sketch_at + i] = (char)twx_sketches_byte(&p->sketches, node, i);
    return payload;
}

int32_t twx_near_payloads_verify(const twx_near_payloads *p, const twx_detector *d,
                                 const twx_params *params, uint32_t a, uint32_t b) {
    char room[2][PAYLOAD_MAX];
    const stored x = stored_of(p, a), y = stored_of(p, b);
    if (x.bare != y.bare)
        return d->verify(params, restore(p, a, &x, room[0]), restore(p, b, &y, room[1]));
    /* of two short texts, only whether their payloads are equal matters */
    const bool equal = x.bare && twx_slice_eq(x.bytes, y.bytes);
    return d->verify(params, fill_in(p, &x, 0, room[0]), fill_in(p, &y, !equal, room[1]));
}

void twx_near_payloads_summarize(const twx_near_payloads *p, const twx_detector *d, uint32_t node,
                                 unsigned char *ret_summary) {
    char room[PAYLOAD_MAX];
    const stored s = stored_of(p, node);
    d->summarize(fill_in(p, &s, 0, room), ret_summary);
}
