/* An entry by itself is
 *     id u8 | shape u8 | [number of keys u16] | [bytes of payload u8 or u32] | keys | payload
 * The low 4 bits of the shape are the number of keys; 15 means that the number follows. The upper
 * bits say how many bytes the length of the payload has; that all checks are 0, so that a key has 8
 * bytes instead of 16; and that the only key is the hash of the payload, so that it is not stored.
 * Numbers are little-endian.
 *
 * A record begins with a byte that says which of the usual entries it has. It does not store their
 * ids and shapes, and of the heads of their payloads only the bytes that are not 0, after bits that
 * say which these are:
 *     has u8 | digests | bits | bytes of the payloads' heads | their words
 * If it has any other entry, all entries after the digests are stored as by themselves.
 * docs/signatures.md has the layout. */
#include "sign/internal.h"

enum {
    SHAPE_KEYS = 15,      /* mask */
    SHAPE_SHORT = 1 << 4, /* length of the payload: u8 */
    SHAPE_LONG = 1 << 5,  /* u32 */
    SHAPE_NARROW = 1 << 6,
    SHAPE_DERIVED = 1 << 7,
    HEAD_MAX = 1 + 1 + 2 + 4,
    NARROW_KEY = 8,
    KEY = 8 + 8
};

/* The usual entries, with the bits of the first byte. */
enum {
    DIGESTS = 4, /* bits 0 to 3: exact, profile, title, description; one key and its check */
    ID_FIRST_DIGEST = 3,
    PAYLOADS = 3, /* bits 4 to 6 */
    HAS_PAYLOAD = 1 << DIGESTS,
    HAS_PAYLOADS = 7 << DIGESTS,
    HAS_REST = 1 << 7, /* none of these payloads; the bytes after the digests follow */
    ALIGNMENT_HEAD = 25,
    REPEATED_HEAD = 3,
    NAME_HEAD = 11,
    HEADS_MAX = ALIGNMENT_HEAD + REPEATED_HEAD + NAME_HEAD
};

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

/* The payloads of usual documents. words: NULL: their length is stored */
static const struct {
    uint8_t id, shape, head;
    size_t (*words)(const unsigned char *head);
} USUAL[PAYLOADS] = {{29 /* alignment */, SHAPE_DERIVED | 1, ALIGNMENT_HEAD, NULL},
                     {30 /* repeated */, 0, REPEATED_HEAD, repeated_words},
                     {31 /* name */, 0, NAME_HEAD, name_words}};

static twx_slice after(twx_slice s, size_t n) {
    return twx_slice_sub(s, n, s.n);
}

/* ---- entries -------------------------------------------------------------- */

static twx_key key_of_payload(twx_slice payload) {
    const twx_hash128 hash = twx_hash_wide(payload, 0);
    return (twx_key){hash.lo, hash.hi};
}

static size_t key_bytes(unsigned shape) {
    return shape & SHAPE_DERIVED ? 0 : shape & SHAPE_NARROW ? NARROW_KEY : KEY;
}

static unsigned shape_of(const twx_signature *s) {
    const size_t n = s->keys.n;
    unsigned shape = n < SHAPE_KEYS ? (unsigned)n : SHAPE_KEYS;
    uint64_t checks = 0;
    if (s->payload.n) shape |= s->payload.n <= UINT8_MAX ? SHAPE_SHORT : SHAPE_LONG;
    if (n == 1 && s->payload.n) {
        const twx_key derived = key_of_payload(s->payload);
        if (derived.key == s->keys.at[0].key && derived.check == s->keys.at[0].check)
            return shape | SHAPE_DERIVED;
    }
    for (size_t i = 0; i < n; i++) checks |= s->keys.at[i].check;
    return n && !checks ? shape | SHAPE_NARROW : shape;
}

twx_rc twx_signature_add(twx_ctx *cx, twx_key key, twx_signature *signature) {
    return TWX_VEC_PUSH(cx, &signature->keys, key) ? TWX_OK : TWX_E_NOMEM;
}

twx_rc twx_signature_set_payload(twx_ctx *cx, twx_slice payload, twx_signature *signature) {
    signature->payload = payload;
    return twx_signature_add(cx, key_of_payload(payload), signature);
}

twx_rc twx_signature_add_digest(twx_ctx *cx, const unsigned char digest[16],
                                twx_signature *signature) {
    return twx_signature_add(cx, (twx_key){twx_load_be64(digest), twx_load_be64(digest + 8)},
                             signature);
}

twx_rc twx_entry_add(twx_ctx *cx, uint8_t id, const twx_signature *signature, twx_buf *entries) {
    const size_t n = signature->keys.n, payload = signature->payload.n;
    if (n == 0 && payload == 0) return TWX_OK;
    if (n > TWX_RECORD_KEYS_MAX || payload > UINT32_MAX)
        return twx_fail(cx, TWX_E_LIMIT, "a signature of %zu keys and %zu bytes is too large", n,
                        payload);
    const unsigned shape = shape_of(signature);
    const size_t stored = key_bytes(shape);
    twx_rc rc = twx_buf_reserve(cx, entries, HEAD_MAX + n * stored + payload);
    if (rc != TWX_OK) return rc;
    unsigned char bytes[KEY] = {id, (unsigned char)shape};
    size_t head = 2;
    if ((shape & SHAPE_KEYS) == SHAPE_KEYS) {
        bytes[head++] = (unsigned char)(n & 0xFF);
        bytes[head++] = (unsigned char)(n >> 8);
    }
    if (shape & SHAPE_SHORT) bytes[head++] = (unsigned char)payload;
    if (shape & SHAPE_LONG) {
        twx_store_le32(bytes + head, (uint32_t)payload);
        head += 4;
    }
    rc = twx_buf_add(cx, entries, bytes, head);
    for (size_t i = 0; stored && i < n && rc == TWX_OK; i++) {
        twx_store_le64(bytes, signature->keys.at[i].key);
        twx_store_le64(bytes + 8, signature->keys.at[i].check);
        rc = twx_buf_add(cx, entries, bytes, stored);
    }
    return rc == TWX_OK ? twx_buf_add_slice(cx, entries, signature->payload) : rc;
}

/* Takes the entry at *rest; false: it is not whole. */
static bool split_entry(twx_slice *rest, twx_record_entry *ret_entry) {
    const unsigned char *p = (const unsigned char *)rest->p;
    if (rest->n < 2) return false;
    const unsigned shape = p[1];
    const size_t at = 2 + ((shape & SHAPE_KEYS) == SHAPE_KEYS ? 2 : 0),
                 head = at + (shape & SHAPE_LONG    ? 4
                              : shape & SHAPE_SHORT ? 1
                                                    : 0);
    if (rest->n < head || (shape & SHAPE_LONG && shape & SHAPE_SHORT)) return false;
    const unsigned n_keys = at > 2 ? p[2] | (unsigned)p[3] << 8 : shape & SHAPE_KEYS;
    const size_t keys = n_keys * key_bytes(shape), payload = shape & SHAPE_LONG
                                                                 ? twx_load_le32(p + at)
                                                             : shape & SHAPE_SHORT ? p[at]
                                                                                   : 0;
    if (rest->n - head < keys || rest->n - head - keys < payload) return false;
    *ret_entry = (twx_record_entry){
        .id = p[0],
        .shape = (uint8_t)shape,
        .n_keys = (uint16_t)n_keys,
        .keys = rest->p + head,
        .payload = {payload ? rest->p + head + keys : NULL, payload},
    };
    *rest = after(*rest, head + keys + payload);
    return true;
}

/* Is it the form that twx_entry_add() would have chosen? */
static bool is_shortest(const twx_record_entry *e) {
    const unsigned shape = e->shape;
    if ((shape & SHAPE_LONG) && e->payload.n <= UINT8_MAX) return false;
    if ((shape & SHAPE_SHORT) && e->payload.n == 0) return false;
    if ((shape & SHAPE_KEYS) == SHAPE_KEYS && e->n_keys < SHAPE_KEYS) return false;
    if (shape & SHAPE_DERIVED) return e->n_keys == 1 && e->payload.n && !(shape & SHAPE_NARROW);
    if (shape & SHAPE_NARROW) return e->n_keys > 0;
    uint64_t checks = e->n_keys == 0;
    for (size_t i = 0; !checks && i < e->n_keys; i++) checks |= twx_record_key(e, i).check;
    return checks != 0;
}

/* Reads entries that may come from anywhere. */
static twx_rc read_entries(twx_ctx *cx, twx_slice rest, twx_record *r) {
    while (rest.n) {
        twx_record_entry e;
        if (!split_entry(&rest, &e))
            return twx_fail(cx, TWX_E_CORRUPT, TWX_DAMAGED_ROW "keys ends within an entry");
        if (r->n && e.id <= r->at[r->n - 1].id)
            return twx_fail(cx, TWX_E_CORRUPT, TWX_DAMAGED_ROW "keys has detector %u after %u",
                            e.id, r->at[r->n - 1].id);
        if (e.id >= TWX_DETECTOR_IDS)
            return twx_fail(cx, TWX_E_CORRUPT, TWX_DAMAGED_ROW "keys has detector %u", e.id);
        if (e.n_keys == 0 && e.payload.n == 0)
            return twx_fail(cx, TWX_E_CORRUPT, TWX_DAMAGED_ROW "keys has an empty entry");
        if (!is_shortest(&e))
            return twx_fail(cx, TWX_E_CORRUPT,
                            TWX_DAMAGED_ROW "keys has an entry that is not in its shortest form");
        r->at[r->n++] = e;
    }
    return TWX_OK;
}

twx_rc twx_entry_move(twx_ctx *cx, uint8_t id, twx_slice *from, twx_buf *entries) {
    const twx_slice before = *from;
    twx_record_entry entry;
    if (before.n == 0 || (unsigned char)before.p[0] != id || !split_entry(from, &entry))
        return TWX_OK;
    return twx_buf_add(cx, entries, before.p, before.n - from->n);
}

twx_key twx_record_key(const twx_record_entry *entry, size_t i) {
    const char *p = entry->keys + i * key_bytes(entry->shape);
    if (entry->shape & SHAPE_DERIVED) return key_of_payload(entry->payload);
    return (twx_key){twx_load_le64(p), entry->shape & SHAPE_NARROW ? 0 : twx_load_le64(p + 8)};
}

/* ---- packing -------------------------------------------------------------- */

static bool is_digest(const twx_record_entry *e) {
    return e->id >= ID_FIRST_DIGEST && e->id < ID_FIRST_DIGEST + DIGESTS && e->shape == 1;
}

static bool is_usual(const twx_record_entry *e, size_t i) {
    const size_t head = USUAL[i].head;
    if (e->id != USUAL[i].id || (e->shape & ~(SHAPE_SHORT | SHAPE_LONG)) != USUAL[i].shape ||
        e->payload.n < head)
        return false;
    return USUAL[i].words
               ? e->payload.n == head + USUAL[i].words((const unsigned char *)e->payload.p)
               : e->payload.n <= TWX_ALIGNMENT_BYTES;
}

/* Writes which bytes are not 0, eight of them a byte, then those bytes. */
static twx_rc pack_heads(twx_ctx *cx, const twx_slice *payloads, twx_buf *out) {
    unsigned char heads[HEADS_MAX], packed[HEADS_MAX + (HEADS_MAX + 7) / 8] = {0};
    size_t n = 0;
    for (size_t i = 0; i < PAYLOADS; i++) {
        if (payloads[i].n) memcpy(heads + n, payloads[i].p, USUAL[i].head);
        n += payloads[i].n ? USUAL[i].head : 0;
    }
    size_t at = (n + 7) / 8;
    for (size_t i = 0; i < n; i++) {
        if (!heads[i]) continue;
        packed[i / 8] |= (unsigned char)(1u << i % 8);
        packed[at++] = heads[i];
    }
    return twx_buf_add(cx, out, packed, at);
}

/* The words of the alignment, whose number is stored, come last. */
static twx_rc pack_payloads(twx_ctx *cx, const twx_slice *payloads, twx_buf *out) {
    twx_rc rc = pack_heads(cx, payloads, out);
    for (size_t i = 1; rc == TWX_OK && i < PAYLOADS; i++)
        rc = twx_buf_add_slice(cx, out, after(payloads[i], USUAL[i].head));
    if (rc != TWX_OK || !payloads[0].n) return rc;
    const twx_slice words = after(payloads[0], ALIGNMENT_HEAD);
    rc = twx_buf_add_number(cx, out, words.n);
    return rc == TWX_OK ? twx_buf_add_slice(cx, out, words) : rc;
}

twx_rc twx_record_pack(twx_ctx *cx, twx_slice entries, twx_buf *out) {
    twx_record r;
    twx_slice payloads[PAYLOADS] = {{NULL, 0}};
    unsigned has = 0;
    size_t n = 0;
    r.n = 0;
    for (twx_slice rest = entries; r.n < TWX_DETECTOR_IDS && split_entry(&rest, &r.at[r.n]);) r.n++;
    for (; n < r.n && is_digest(&r.at[n]); n++) has |= 1u << (r.at[n].id - ID_FIRST_DIGEST);
    const size_t digests = n;
    for (size_t i = 0; i < PAYLOADS; i++)
        if (n < r.n && is_usual(&r.at[n], i)) payloads[i] = r.at[n++].payload;
    const bool usual = n == r.n;
    for (size_t i = 0; usual && i < PAYLOADS; i++)
        has |= payloads[i].n ? (unsigned)HAS_PAYLOAD << i : 0;
    twx_rc rc = twx_buf_add_char(cx, out, (char)(usual ? has : has | HAS_REST));
    for (size_t i = 0; rc == TWX_OK && i < digests; i++)
        rc = twx_buf_add(cx, out, r.at[i].keys, KEY);
    if (rc != TWX_OK) return rc;
    return usual ? pack_payloads(cx, payloads, out)
                 : twx_buf_add_slice(cx, out, after(entries, digests * (2 + KEY)));
}

/* ---- reading -------------------------------------------------------------- */

typedef struct reader {
    twx_slice rest;
    twx_record *record;
    size_t room; /* bytes of the record's payloads that are in use */
    bool damaged;
} reader;

static twx_slice take(reader *r, size_t n) {
    r->damaged |= n > r->rest.n;
    if (r->damaged) return (twx_slice){r->rest.p, 0};
    const twx_slice taken = twx_slice_sub(r->rest, 0, n);
    r->rest = after(r->rest, n);
    return taken;
}

static void put(reader *r, const void *p, size_t n) {
    if (n) memcpy(r->record->payloads + r->room, p, n);
    r->room += n;
}

/* The heads of payloads that were packed by pack_heads(). */
static void read_heads(reader *r, size_t n, unsigned char *heads) {
    const twx_slice bits = take(r, (n + 7) / 8);
    const unsigned char *stored = (const unsigned char *)r->rest.p;
    size_t taken = 0;
    memset(heads, 0, HEADS_MAX);
    for (size_t i = 0; i < bits.n; i++)
        for (unsigned left = (unsigned char)bits.p[i]; left; left &= left - 1) {
            const size_t at = 8 * i + (unsigned)__builtin_ctz(left);
            r->damaged |= taken == r->rest.n || at >= n;
            if (r->damaged) return;
            heads[at] = stored[taken++];
            r->damaged |= heads[at] == 0;
        }
    r->rest = after(r->rest, taken);
}

static void read_payloads(reader *r, unsigned has) {
    unsigned char heads[HEADS_MAX];
    const unsigned char *head[PAYLOADS];
    twx_slice words[PAYLOADS];
    uint64_t n_words = 0;
    size_t n = 0;
    for (size_t i = 0; i < PAYLOADS; i++) {
        head[i] = heads + n;
        n += has & HAS_PAYLOAD << i ? USUAL[i].head : 0;
    }
    read_heads(r, n, heads);
    for (size_t i = 1; i < PAYLOADS; i++)
        words[i] = take(r, has & HAS_PAYLOAD << i ? USUAL[i].words(head[i]) : 0);
    if (has & HAS_PAYLOAD)
        r->damaged |= twx_take_number(&r->rest, TWX_ALIGNMENT_BYTES - ALIGNMENT_HEAD, &n_words) !=
                      NULL;
    words[0] = take(r, n_words);
    for (size_t i = 0; !r->damaged && i < PAYLOADS; i++) {
        if (!(has & HAS_PAYLOAD << i)) continue;
        const twx_slice payload = {r->record->payloads + r->room, USUAL[i].head + words[i].n};
        put(r, head[i], USUAL[i].head);
        put(r, words[i].p, words[i].n);
        r->record->at[r->record->n++] = (twx_record_entry){
            .id = USUAL[i].id,
            .shape = (uint8_t)(USUAL[i].shape |
                               (payload.n <= UINT8_MAX ? SHAPE_SHORT : SHAPE_LONG)),
            .n_keys = USUAL[i].shape & SHAPE_KEYS,
            .keys = payload.p,
            .payload = payload};
    }
}

twx_rc twx_record_read(twx_ctx *cx, twx_slice bytes, twx_record *ret_record) {
    reader r = {.rest = bytes, .record = ret_record};
    const twx_slice first = take(&r, 1);
    const unsigned has = first.n ? (unsigned char)first.p[0] : 0;
    ret_record->n = 0;
    for (unsigned i = 0; i < DIGESTS; i++)
        if (has >> i & 1)
            ret_record->at[ret_record->n++] = (twx_record_entry){
                .id = (uint8_t)(ID_FIRST_DIGEST + i),
                .shape = 1,
                .n_keys = 1,
                .keys = take(&r, KEY).p};
    if (!(has & HAS_REST))
        read_payloads(&r, has);
    else
        r.damaged |= has & HAS_PAYLOADS || !r.rest.n;
    if (!r.damaged && has & HAS_REST) return read_entries(cx, r.rest, ret_record);
    return r.damaged || r.rest.n
               ? twx_fail(cx, TWX_E_CORRUPT, TWX_DAMAGED_ROW "it cannot be unpacked")
               : TWX_OK;
}

const twx_record_entry *twx_record_find(const twx_record *record, uint8_t id) {
    for (size_t i = 0; i < record->n; i++)
        if (record->at[i].id == id) return &record->at[i];
    return NULL;
}
