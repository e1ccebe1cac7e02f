#include "store/store.h"

/* The first byte of the record: which entries have the usual form, one bit each. */
enum {
    ID_FIRST_DIGEST = 3, /* exact, profile, title, description: one key and its check */
    DIGESTS = 4,
    DIGEST_BYTES = 16,
    ID_ALIGNMENT = 29,
    ID_REPEATED = 30,
    ID_NAME = 31,
    HAS_ALIGNMENT = 1 << 4,
    HAS_REPEATED = 1 << 5,
    HAS_NAME = 1 << 6,
    HAS_REST = 1 << 7, /* of the three above none; the bytes after the digests follow */
    ONE_KEY = 1,       /* shapes of entries: sign/sign_document.c */
    SHORT = 1 << 4,
    LONG = 1 << 5,
    DERIVED = 1 << 7,
    /* the heads of payloads, many of whose bytes are 0 */
    ALIGNMENT_HEAD = 25,
    REPEATED_HEAD = 3,
    NAME_HEAD = 11,
    HEADS_MAX = ALIGNMENT_HEAD + REPEATED_HEAD + NAME_HEAD,
    PACKED_NUMBER_MAX = 5
};

typedef struct row_entries {
    twx_slice digest[DIGESTS]; /* n 0: none */
    twx_slice alignment, repeated, name, rest;
} row_entries;

static size_t nibbles(const unsigned char *p, size_t high, size_t low) {
    return high * (*p >> 4) + low * (*p & 15);
}

/* The bytes after the head of a payload, by the counts in it (sign/name_words.c). */
static size_t repeated_words(const unsigned char *head) {
    return nibbles(head, 3, 0) + nibbles(head + 1, 2, 2) + nibbles(head + 2, 0, 2);
}

static size_t name_words(const unsigned char *head) {
    return nibbles(head, 3, 0) + nibbles(head + 1, 3, 3);
}

static twx_slice after(twx_slice s, size_t n) {
    return twx_slice_sub(s, n, s.n);
}

/* An entry with this id and shape, whose payload has at least `least` bytes. */
static bool take_entry(twx_slice *rest, unsigned id, unsigned shape, size_t least,
                       twx_slice *ret_part) {
    const unsigned char *p = (const unsigned char *)rest->p;
    const size_t head = shape & LONG ? 6 : shape & SHORT ? 3 : 2;
    if (rest->n < head || p[0] != id || p[1] != shape) return false;
    const size_t n = shape & LONG ? twx_load_le32(p + 2) : shape & SHORT ? p[2] : DIGEST_BYTES;
    if (n < least || n > rest->n - head) return false;
    *ret_part = twx_slice_sub(*rest, head, head + n);
    *rest = after(*rest, head + n);
    return true;
}

/* A payload whose length follows from the counts in its head. */
static bool take_words(twx_slice *rest, unsigned id, size_t head,
                       size_t (*count)(const unsigned char *head), twx_slice *ret_part) {
    const twx_slice before = *rest;
    if (!take_entry(rest, id, SHORT, head, ret_part)) return false;
    if (ret_part->n == head + count((const unsigned char *)ret_part->p)) return true;
    *rest = before;
    return false;
}

static unsigned split_keys(twx_slice keys, row_entries *e) {
    unsigned has = 0;
    *e = (row_entries){.rest = keys};
    for (unsigned i = 0; i < DIGESTS; i++)
        if (take_entry(&e->rest, ID_FIRST_DIGEST + i, ONE_KEY, 0, &e->digest[i])) has |= 1u << i;
    twx_slice rest = e->rest;
    const unsigned shape = DERIVED | ONE_KEY, digests = has;
    if (take_entry(&rest, ID_ALIGNMENT, shape | SHORT, ALIGNMENT_HEAD, &e->alignment) ||
        take_entry(&rest, ID_ALIGNMENT, shape | LONG, UINT8_MAX + 1, &e->alignment))
        has |= HAS_ALIGNMENT;
    if (take_words(&rest, ID_REPEATED, REPEATED_HEAD, repeated_words, &e->repeated))
        has |= HAS_REPEATED;
    if (take_words(&rest, ID_NAME, NAME_HEAD, name_words, &e->name)) has |= HAS_NAME;
    return rest.n ? digests | HAS_REST : has;
}

static size_t add_head(unsigned char *heads, size_t n, twx_slice payload, size_t head) {
    if (payload.n) memcpy(heads + n, payload.p, head);
    return payload.n ? n + head : n;
}

/* Writes which bytes are not 0, eight of them a byte, then those bytes. */
static twx_rc pack_heads(twx_ctx *cx, const row_entries *e, twx_buf *out) {
    unsigned char heads[HEADS_MAX], packed[HEADS_MAX + (HEADS_MAX + 7) / 8] = {0};
    size_t n = add_head(heads, 0, e->alignment, ALIGNMENT_HEAD);
    n = add_head(heads, n, e->repeated, REPEATED_HEAD);
    n = add_head(heads, n, e->name, NAME_HEAD);
    size_t at = (n + 7) / 8;
    for (size_t i = 0; i < n; i++) {
        if (!heads[i]) continue;
        packed[i / 8] |= (unsigned char)(1u << i % 8);
        packed[at++] = heads[i];
    }
    return twx_buf_add(cx, out, packed, at);
}

static twx_rc pack_keys(twx_ctx *cx, twx_slice keys, twx_buf *out) {
    row_entries e;
    const unsigned has = split_keys(keys, &e);
    twx_rc rc = twx_buf_add_char(cx, out, (char)has);
    for (size_t i = 0; rc == TWX_OK && i < DIGESTS; i++)
        rc = twx_buf_add_slice(cx, out, e.digest[i]);
    if (rc != TWX_OK) return rc;
    if (has & HAS_REST) return twx_buf_add_slice(cx, out, e.rest);
    rc = pack_heads(cx, &e, out);
    if (rc == TWX_OK) rc = twx_buf_add_slice(cx, out, after(e.repeated, REPEATED_HEAD));
    if (rc == TWX_OK) rc = twx_buf_add_slice(cx, out, after(e.name, NAME_HEAD));
    if (rc != TWX_OK || !(has & HAS_ALIGNMENT)) return rc;
    const twx_slice words = after(e.alignment, ALIGNMENT_HEAD);
    rc = twx_buf_add_number(cx, out, words.n);
    return rc == TWX_OK ? twx_buf_add_slice(cx, out, words) : rc;
}

twx_rc twx_row_pack(twx_ctx *cx, twx_slice facts, twx_slice keys, twx_buf *out) {
    twx_rc rc = twx_buf_add_number(cx, out, facts.n);
    if (rc == TWX_OK) rc = twx_buf_add_slice(cx, out, facts);
    return rc == TWX_OK ? pack_keys(cx, keys, out) : rc;
}

/* Writes to the end of `room`, which has space for everything. */
typedef struct unpacking {
    twx_slice rest;
    twx_buf *room;
    bool damaged;
} unpacking;

static twx_slice take(unpacking *u, size_t n) {
    if (n > u->rest.n) {
        u->damaged = true;
        return (twx_slice){u->rest.p, 0};
    }
    const twx_slice taken = twx_slice_sub(u->rest, 0, n);
    u->rest = after(u->rest, n);
    return taken;
}

static unsigned take_byte(unpacking *u) {
    const twx_slice byte = take(u, 1);
    return byte.n ? (unsigned char)byte.p[0] : 0;
}

static size_t take_number(unpacking *u) {
    size_t v = 0;
    for (unsigned shift = 0; shift < 7 * PACKED_NUMBER_MAX; shift += 7) {
        const unsigned byte = take_byte(u);
        v |= (size_t)(byte & 0x7F) << shift;
        if (byte >= 0x80) continue;
        if (shift && byte == 0) break;
        return v;
    }
    u->damaged = true;
    return 0;
}

static void put(unpacking *u, const void *p, size_t n) {
    if (n) memcpy(u->room->p + u->room->n, p, n);
    u->room->n += n;
}

static void put_slice(unpacking *u, twx_slice s) {
    put(u, s.p, s.n);
}

/* The heads of payloads that were packed by pack_heads(). */
static void unpack_heads(unpacking *u, size_t n, unsigned char *heads) {
    const twx_slice bits = take(u, (n + 7) / 8);
    const unsigned char *stored = (const unsigned char *)u->rest.p;
    size_t taken = 0;
    memset(heads, 0, HEADS_MAX);
    for (size_t i = 0; i < bits.n; i++)
        for (unsigned left = (unsigned char)bits.p[i]; left; left &= left - 1) {
            const size_t at = 8 * i + (unsigned)__builtin_ctz(left);
            u->damaged |= taken == u->rest.n || at >= n;
            if (u->damaged) return;
            heads[at] = stored[taken++];
            u->damaged |= heads[at] == 0;
        }
    u->rest = after(u->rest, taken);
}

static void put_payload(unpacking *u, unsigned id, unsigned shape, const unsigned char *head,
                        size_t head_n, twx_slice rest) {
    const size_t n = head_n + rest.n;
    unsigned char begin[6] = {(unsigned char)id, (unsigned char)(shape | SHORT), (unsigned char)n};
    if (n > UINT8_MAX) {
        begin[1] = (unsigned char)(shape | LONG);
        twx_store_le32(begin + 2, (uint32_t)n);
    }
    put(u, begin, n > UINT8_MAX ? 6 : 3);
    put(u, head, head_n);
    put_slice(u, rest);
}

static void unpack_payloads(unpacking *u, unsigned has) {
    unsigned char heads[HEADS_MAX];
    const size_t repeated_at = has & HAS_ALIGNMENT ? ALIGNMENT_HEAD : 0;
    const size_t name_at = repeated_at + (has & HAS_REPEATED ? REPEATED_HEAD : 0);
    unpack_heads(u, name_at + (has & HAS_NAME ? NAME_HEAD : 0), heads);
    const unsigned char *repeated = heads + repeated_at, *name = heads + name_at;
    const twx_slice of_repeated = take(u, has & HAS_REPEATED ? repeated_words(repeated) : 0),
                    of_name = take(u, has & HAS_NAME ? name_words(name) : 0);
    if (has & HAS_ALIGNMENT)
        put_payload(u, ID_ALIGNMENT, DERIVED | ONE_KEY, heads, ALIGNMENT_HEAD,
                    take(u, take_number(u)));
    if (has & HAS_REPEATED) put_payload(u, ID_REPEATED, 0, repeated, REPEATED_HEAD, of_repeated);
    if (has & HAS_NAME) put_payload(u, ID_NAME, 0, name, NAME_HEAD, of_name);
}

static void unpack_keys(unpacking *u) {
    const unsigned has = take_byte(u);
    for (unsigned i = 0; i < DIGESTS; i++) {
        if (!(has >> i & 1)) continue;
        put(u, (unsigned char[]){(unsigned char)(ID_FIRST_DIGEST + i), ONE_KEY}, 2);
        put_slice(u, take(u, DIGEST_BYTES));
    }
    if (!(has & HAS_REST))
        unpack_payloads(u, has);
    else if (has & (HAS_ALIGNMENT | HAS_REPEATED | HAS_NAME) || !u->rest.n)
        u->damaged = true;
    else
        put_slice(u, take(u, u->rest.n));
}

twx_rc twx_row_unpack(twx_ctx *cx, twx_slice packed, twx_buf *room, twx_slice *ret_facts,
                      twx_slice *ret_keys) {
    enum { MADE = 2 * DIGESTS + 3 * 6 + HEADS_MAX }; /* bytes that the row does not have */
    unpacking u = {.rest = packed, .room = room};
    twx_buf_clear(room);
    const twx_rc rc = twx_buf_reserve(cx, room, packed.n + MADE);
    if (rc != TWX_OK) return rc;
    put_slice(&u, take(&u, take_number(&u)));
    const size_t facts = room->n;
    if (!u.damaged) unpack_keys(&u);
    if (u.damaged || u.rest.n)
        return twx_fail(cx, TWX_E_CORRUPT, TWX_DAMAGED_ROW "it cannot be unpacked");
    *ret_facts = (twx_slice){room->p, facts};
    *ret_keys = (twx_slice){room->p + facts, room->n - facts};
    return TWX_OK;
}
