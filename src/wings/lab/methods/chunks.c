/* Near-duplicates by the chunks they have in common (text/shingling.c), weighted by their bytes.
 * The key is a hash of all of them.
 *
 * Payload: the distinct chunks in order of their hash, 8 bytes little-endian each: 16 bits of
 * length, 48 of hash above; at most 1024, 8 KB, those with the smallest hashes (texts above about
 * 97 KB). A typical page of 3 KB takes 250 bytes.
 *
 * Similarity: 2 * bytes of common chunks / (bytes of a's + bytes of b's); a repeated chunk counts
 * once. When a payload is full, both payloads are compared only up to its largest hash: this
 * samples the same chunks of both, whatever the lengths of the texts.
 *
 * Candidates: the 16 smallest chunks. For two texts whose share of common chunks is J (by number),
 * each of the 16 smallest of both together is common with probability J, and the common ones are
 * keys of both. None is common with probability (1-J)^16: 2e-8 at J = 2/3, which corresponds to the
 * default threshold (0.8 of the bytes, if all chunks were of one length). */
#include "sign/sign.h"

enum { KEPT_MAX = 1024, CANDIDATES = 16, ENTRY_BYTES = 8, MILLION = 1000000 };

static size_t count(twx_slice payload) {
    return payload.n / ENTRY_BYTES;
}

static uint64_t entry(twx_slice payload, size_t i) {
    return twx_load_le64(payload.p + i * ENTRY_BYTES);
}

static uint64_t bytes_of(uint64_t chunk) {
    return chunk & ((1U << TWX_CHUNK_LENGTH_BITS) - 1);
}

static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, const twx_document *doc,
                   twx_signature *ret_signature) {
    twx_arena *scratch = twx_workspace_scratch(w);
    twx_chunks chunks;
    (void)params;
    if (doc->text.n == 0) return TWX_OK;
    twx_rc rc = twx_chunks_of(cx, scratch, doc->text, KEPT_MAX, &chunks);
    if (rc != TWX_OK) return rc;
    char *payload = twx_arena_alloc(cx, scratch, chunks.n, ENTRY_BYTES);
    if (!payload) return TWX_E_NOMEM;
    for (size_t i = 0; i < chunks.n; i++) twx_store_le64(payload + i * ENTRY_BYTES, chunks.at[i]);
    ret_signature->payload = (twx_slice){payload, chunks.n * ENTRY_BYTES};
    const twx_hash128 all = twx_hash_wide(ret_signature->payload, 0);
    return twx_signature_add(cx, (twx_key){all.hi, all.lo}, ret_signature);
}

static size_t candidates(const twx_params *params, const twx_signed *from, twx_key *ret_keys) {
    const size_t n = count(from->payload) < CANDIDATES ? count(from->payload) : CANDIDATES;
    (void)params;
    for (size_t i = 0; i < n; i++) ret_keys[i] = (twx_key){.key = entry(from->payload, i)};
    return n;
}

/* The payload covers the text completely up to this chunk. */
static uint64_t known_to(twx_slice payload) {
    return count(payload) < KEPT_MAX ? UINT64_MAX : entry(payload, count(payload) - 1);
}

static int32_t verify(const twx_params *params, twx_slice a, twx_slice b) {
    const uint64_t end_a = known_to(a), end_b = known_to(b), end = end_a < end_b ? end_a : end_b;
    uint64_t common = 0, all = 0;
    for (size_t i = 0, j = 0;;) {
        const bool in_a = i < count(a) && entry(a, i) <= end,
                   in_b = j < count(b) && entry(b, j) <= end;
        if (!in_a && !in_b) break;
        const uint64_t x = in_a ? entry(a, i) : UINT64_MAX, y = in_b ? entry(b, j) : UINT64_MAX;
        if (in_a && x <= y) all += bytes_of(x), i++;
        if (in_b && y <= x) all += bytes_of(y), j++;
        if (in_a && in_b && x == y) common += bytes_of(x);
    }
    if (all == 0) return -1;
    return twx_method_accept(params, &TWX_DETECTOR_CHUNKS, 0,
                             (int32_t)(2 * common * MILLION / all));
}

static const twx_method_setting SETTINGS[] = {
    TWX_THRESHOLD("chunks.threshold", "0.8", "0..1",
                  "Least share of bytes in equal chunks of two near-duplicates, by chunks."),
};

const twx_detector TWX_DETECTOR_CHUNKS = {
    .name = "chunks",
    .summary = "texts that share most of their bytes in chunks that their content delimits",
    .source = "Forman, Eshghi, Chiocchetti 2005; Eshghi, Tang 2005 (TTTD)",
    .id = 26,
    .version = 1,
    TWX_NEAR_TEXT_ROW,
};
