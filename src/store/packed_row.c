#include "store/packed_row.h"

#include <string.h>

#include "base/damaged_row.h"
#include "base/hash64.h"

/* ---- what is packed ------------------------------------------------------ */

/* The first byte of a row. Bits 0 and 1, the last three bytes of the head of the facts: where the
 * host is in the URL, its length, that of the domain. */
enum {
    TAIL_STORED = 0,     /* with the head */
    TAIL_IS_HOST = 1,    /* the domain is the host without www. */
    TAIL_HAS_DOMAIN = 2, /* the length of the domain follows the head */
    TAIL_MASK = 3,
    URL_HTTPS = 1 << 2,
    URL_WWW = 1 << 3,
    NO_URL = 1 << 4, /* none that begins with http:// or https:// and has codes */
    HEAD_SHIFT = 5   /* the rest: the head before these three bytes */
};
enum {
    HEAD_STORED,  /* length and bytes follow */
    HEAD_OK,      /* bits of the URL; status 200 */
    HEAD_UNKNOWN, /* bits of the URL; no status */
    HEADS
};

/* The second part: which entries have the usual form, one bit each. */
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
    ONE_KEY = 1,       /* shapes of entries: sign/record.h */
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

/* The bytes after the head of a payload, by the counts in it (sign/name_words.h). */
static size_t repeated_words(const unsigned char *head) {
    return nibbles(head, 3, 0) + nibbles(head + 1, 2, 2) + nibbles(head + 2, 0, 2);
}

static size_t name_words(const unsigned char *head) {
    return nibbles(head, 3, 0) + nibbles(head + 1, 3, 3);
}

static twx_slice after(twx_slice s, size_t n) {
    return twx_slice_sub(s, n, s.n);
}

/* ---- packing: facts ------------------------------------------------------- */

static twx_rc put_number(twx_ctx *cx, twx_buf *out, size_t v) {
    char bytes[10];
    size_t n = 0;
    for (; v >= 0x80; v >>= 7) bytes[n++] = (char)(v | 0x80);
    bytes[n++] = (char)v;
    return twx_buf_add(cx, out, bytes, n);
}

/* The prefixes of URLs that are coded, by URL_HTTPS and URL_WWW. */
static twx_slice prefix_of(unsigned form) {
    static const char *const PREFIXES[] = {"http://", "https://", "http://www.", "https://www."};
    return twx_slice_of(PREFIXES[form / URL_HTTPS & 3]);
}

/* Where the host is. url: after its prefix */
typedef struct host_place {
    size_t at, n, domain;
} host_place;

static host_place find_host(unsigned form, twx_slice url) {
    const size_t www = form & URL_WWW ? 4 : 0;
    size_t n = 0;
    while (n < url.n && url.p[n] != '/' && url.p[n] != '?' && url.p[n] != '#' && url.p[n] != ':')
        n++;
    return (host_place){.at = prefix_of(form).n - www, .n = n + www, .domain = n};
}

/* The head of the facts before its last three bytes, as judge/facts.c packs it for a document with
 * a URL of this form. Returns its length; 0: it is stored. */
static size_t usual_head(unsigned form, unsigned char ret_head[4]) {
    const unsigned char bits = (unsigned char)(3 | (form & (URL_HTTPS | URL_WWW)));
    switch (form >> HEAD_SHIFT) {
    case HEAD_OK: memcpy(ret_head, (unsigned char[]){bits, 1, 0xC8, 1}, 4); return 4;
    case HEAD_UNKNOWN: memcpy(ret_head, (unsigned char[]){bits, 0}, 2); return 2;
    default: return 0;
    }
}

/* Splits facts into head and URL, and returns the form of the URL. */
static unsigned split_facts(twx_slice facts, twx_slice *ret_head, twx_slice *ret_url) {
    const char *found = facts.n ? memmem(facts.p, facts.n, "http", 4) : NULL;
    const size_t at = found ? (size_t)(found - facts.p) : facts.n;
    const twx_slice url = after(facts, at);
    *ret_head = twx_slice_sub(facts, 0, at);
    for (unsigned form = URL_WWW | URL_HTTPS;; form -= URL_HTTPS) {
        const twx_slice prefix = prefix_of(form);
        *ret_url = after(url, prefix.n);
        if (twx_slice_starts(url, prefix) && twx_url_code_has(*ret_url)) return form;
        if (form == 0) break;
    }
    *ret_head = facts;
    return NO_URL;
}

static unsigned tail_of(unsigned form, twx_slice head, twx_slice url) {
    const host_place host = find_host(form, url);
    if (head.n < 3) return TAIL_STORED;
    const unsigned char *tail = (const unsigned char *)head.p + head.n - 3;
    if (tail[0] != host.at || tail[1] != host.n) return TAIL_STORED;
    return tail[2] == host.domain ? TAIL_IS_HOST : TAIL_HAS_DOMAIN;
}

static unsigned head_of(unsigned form, twx_slice begin) {
    unsigned char usual[4];
    for (unsigned kind = HEAD_STORED + 1; kind < HEADS; kind++) {
        const size_t n = usual_head(kind << HEAD_SHIFT | form, usual);
        if (begin.n == n && memcmp(begin.p, usual, n) == 0) return kind;
    }
    return HEAD_STORED;
}

static twx_rc pack_facts(twx_ctx *cx, const twx_url_code *code, twx_slice facts, twx_buf *out) {
    twx_slice head, url;
    unsigned form = split_facts(facts, &head, &url);
    const unsigned tail = form & NO_URL ? TAIL_STORED : tail_of(form, head, url);
    const twx_slice begin = tail ? twx_slice_sub(head, 0, head.n - 3) : head;
    form |= tail | (tail ? head_of(form, begin) << HEAD_SHIFT : 0);
    twx_rc rc = twx_buf_add_char(cx, out, (char)form);
    if (rc == TWX_OK && form >> HEAD_SHIFT == HEAD_STORED) {
        rc = put_number(cx, out, begin.n);
        if (rc == TWX_OK) rc = twx_buf_add_slice(cx, out, begin);
    }
    if (rc == TWX_OK && tail == TAIL_HAS_DOMAIN) rc = twx_buf_add_char(cx, out, head.p[head.n - 1]);
    if (rc != TWX_OK || form & NO_URL) return rc;
    rc = put_number(cx, out, url.n);
    if (rc == TWX_OK) rc = twx_buf_reserve(cx, out, 2 * url.n);
    if (rc == TWX_OK) out->n += twx_url_encode(code, url, (unsigned char *)out->p + out->n);
    return rc;
}

/* ---- packing: keys -------------------------------------------------------- */

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
    rc = put_number(cx, out, words.n);
    return rc == TWX_OK ? twx_buf_add_slice(cx, out, words) : rc;
}

twx_rc twx_row_pack(twx_ctx *cx, const twx_url_code *code, twx_slice facts, twx_slice keys,
                    twx_buf *out) {
    const twx_rc rc = pack_facts(cx, code, facts, out);
    return rc == TWX_OK ? pack_keys(cx, keys, out) : rc;
}

/* ---- unpacking ------------------------------------------------------------ */

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

/* Room for what the rest of the row unpacks to, besides a URL of n characters. */
static twx_rc make_room(twx_ctx *cx, unpacking *u, size_t n) {
    enum { MADE = 4 + 3 + 12 + 2 * DIGESTS + 3 * 6 + HEADS_MAX };
    return twx_buf_reserve(cx, u->room, u->rest.n + n + MADE);
}

/* The URL, and the bytes of the head that follow from it. domain: its length; 0: as of the URL */
static void put_url(unpacking *u, const twx_url_code *code, unsigned form, unsigned domain,
                    size_t n) {
    const twx_slice prefix = prefix_of(form);
    const size_t tail = u->room->n, from = tail + (form & TAIL_MASK ? 3 : 0) + prefix.n;
    const size_t used = twx_url_decode(code, u->rest, n, u->room->p + from);
    if (used > u->rest.n) {
        u->damaged = true;
        return;
    }
    u->rest = after(u->rest, used);
    const host_place host = find_host(form, (twx_slice){u->room->p + from, n});
    if (form & TAIL_MASK) {
        const bool is_host = (form & TAIL_MASK) == TAIL_IS_HOST;
        u->damaged |= host.n > UINT8_MAX;
        put(u,
            (unsigned char[]){(unsigned char)host.at, (unsigned char)host.n,
                              (unsigned char)(is_host ? host.domain : domain)},
            3);
    }
    put_slice(u, prefix);
    u->room->n += n;
}

static twx_rc unpack_facts(twx_ctx *cx, unpacking *u, const twx_url_code *code) {
    unsigned char usual[4];
    const unsigned form = take_byte(u), tail = form & TAIL_MASK;
    const size_t usual_n = usual_head(form, usual);
    if (form >> HEAD_SHIFT >= HEADS || tail > TAIL_HAS_DOMAIN || (usual_n && !tail) ||
        (form & NO_URL && form != NO_URL))
        u->damaged = true;
    const size_t stored = u->damaged || usual_n ? 0 : take_number(u);
    const twx_slice begin = usual_n ? (twx_slice){(char *)usual, usual_n} : take(u, stored);
    const unsigned domain = tail == TAIL_HAS_DOMAIN ? take_byte(u) : 0;
    const size_t n = u->damaged || form & NO_URL ? 0 : take_number(u);
    if (n > 8 * u->rest.n) u->damaged = true; /* a code has at least one bit */
    if (u->damaged) return TWX_OK;
    twx_rc rc = make_room(cx, u, begin.n + n);
    if (rc != TWX_OK) return rc;
    put_slice(u, begin);
    if (!(form & NO_URL)) put_url(u, code, form, domain, n);
    return TWX_OK;
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

twx_rc twx_row_unpack(twx_ctx *cx, const twx_url_code *code, twx_slice packed, twx_buf *room,
                      twx_slice *ret_facts, twx_slice *ret_keys) {
    unpacking u = {.rest = packed, .room = room};
    twx_buf_clear(room);
    twx_rc rc = unpack_facts(cx, &u, code);
    const size_t facts = room->n;
    if (rc == TWX_OK && !u.damaged) rc = make_room(cx, &u, 0);
    if (rc == TWX_OK && !u.damaged) unpack_keys(&u);
    if (rc != TWX_OK) return rc;
    if (u.damaged || u.rest.n)
        return twx_fail(cx, TWX_E_CORRUPT, TWX_DAMAGED_ROW "it cannot be unpacked");
    *ret_facts = (twx_slice){room->p, facts};
    *ret_keys = (twx_slice){room->p + facts, room->n - facts};
    return TWX_OK;
}
