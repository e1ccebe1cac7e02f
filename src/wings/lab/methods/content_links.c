/* Content and links: documents whose words, projected to a few numbers, and whose position in the
 * link graph are the same.
 *
 * The payload is ELEMENTS numbers, each a 32-bit little-endian integer of -1000000..1000000: the
 * document's own projection (projection), then its link scores (link_scores). 32 bytes. The
 * stored key is their hash. Without a link table, or for a document or a text that the collection
 * does not know, there is no key.
 *
 * Candidates: along each of the first CELLED elements the range is cut into cells twice as wide as
 * the tolerance, on two grids shifted by half a cell. The borders of both grids together are one
 * tolerance apart, so at most one border lies between two numbers that differ by no more than that:
 * they share their cell on at least one of the grids. With a key for each choice of grids, 2^CELLED
 * keys, two payloads that verify always share a key. */
#include "lab/lab.h"

enum {
    MILLION = 1000000,
    ELEMENTS = 2 * TWX_LINK_SCORES,
    ELEMENT_BYTES = 4,
    PAYLOAD_BYTES = ELEMENTS * ELEMENT_BYTES,
    CELLED = 5
};

_Static_assert(1 << CELLED <= TWX_CANDIDATE_KEYS_MAX && (int)CELLED <= (int)ELEMENTS,
               "a key for each choice of grids");

static const uint64_t VALUES_SEED = 0x76616C73, CELL_SEED = 0x63656C6C; /* "vals", "cell" */

static int32_t element(twx_slice payload, size_t i) {
    return (int32_t)twx_load_le32(payload.p + i * ELEMENT_BYTES);
}

static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, const twx_document *doc,
                   twx_signature *ret_signature) {
    const twx_link_scores *known = params->collection ? params->collection->link_scores : NULL;
    if (known && known->links == 0) known = NULL;
    int32_t values[ELEMENTS];
    twx_bag bag;
    if (!known || !doc->url || doc->url->fault != TWX_URL_OK || doc->text.n == 0) return TWX_OK;
    if (!twx_link_scores_find(known, doc->url->whole, values + TWX_LINK_SCORES)) return TWX_OK;
    twx_rc rc = twx_bag_of(cx, w, doc->text, &bag);
    if (rc != TWX_OK || bag.n == 0) return rc;
    twx_project(&bag, values);
    char *payload = twx_arena_alloc(cx, twx_workspace_scratch(w), PAYLOAD_BYTES, 1);
    if (!payload) return TWX_E_NOMEM;
    for (size_t i = 0; i < ELEMENTS; i++)
        twx_store_le32(payload + i * ELEMENT_BYTES, (uint32_t)values[i]);
    ret_signature->payload = (twx_slice){payload, PAYLOAD_BYTES};
    const twx_hash128 hash = twx_hash_wide(ret_signature->payload, VALUES_SEED);
    return twx_signature_add(cx, (twx_key){hash.hi, hash.lo}, ret_signature);
}

/* The cell of value on grid 0 or 1. All numbers are positive before the division, which rounds
 * down. */
static uint64_t cell_of(int32_t value, uint64_t tolerance, unsigned grid) {
    const uint64_t width = tolerance > 0 ? 2 * tolerance : 1;
    return ((uint64_t)((int64_t)value + INT64_C(0x80000000)) + grid * tolerance) / width;
}

static size_t candidates(const twx_params *params, const twx_signed *from, twx_key *ret_keys) {
    if (from->payload.n != PAYLOAD_BYTES) return 0;
    for (unsigned choice = 0; choice < 1u << CELLED; choice++) {
        uint64_t key = twx_mix64(CELL_SEED, choice), check = choice;
        for (unsigned i = 0; i < CELLED; i++) {
            uint64_t cell = cell_of(element(from->payload, i),
                                    twx_method_value(params, &TWX_DETECTOR_CONTENT_LINKS, 0),
                                    choice >> i & 1);
            key = twx_mix64(key, cell);
            check = twx_mix64(cell, check);
        }
        ret_keys[choice] = (twx_key){key, check};
    }
    return (size_t)1 << CELLED;
}

static int32_t verify(const twx_params *params, twx_slice a, twx_slice b) {
    int64_t largest = 0;
    if (a.n != PAYLOAD_BYTES || b.n != PAYLOAD_BYTES) return -1;
    for (size_t i = 0; i < ELEMENTS; i++) {
        int64_t difference = (int64_t)element(a, i) - element(b, i);
        if (difference < 0) difference = -difference;
        if (difference > largest) largest = difference;
    }
    if (largest > twx_method_value(params, &TWX_DETECTOR_CONTENT_LINKS, 0)) return -1;
    return largest < MILLION ? (int32_t)(MILLION - largest) : 0;
}

static const twx_method_setting SETTINGS[] = {
    {.shown = {"content_links.tolerance", "0.05", "0..1",
               "Largest difference of each value of two near-duplicates, by content_links."},
     .kind = TWX_METHOD_SHARE,
     .is_threshold = true,
     .every_pair = UINT32_MAX},
};

const twx_detector TWX_DETECTOR_CONTENT_LINKS = {
    .name = "content_links",
    .summary = "pages whose words and whose place among the links are nearly the same (needs a "
               "table of links)",
    .source = "random projection and PageRank (Page, Brin, Motwani, Winograd 1998) of both",
    .id = 28,
    .version = 1,
    .basis = TWX_BASIS_PAGE,
    .translations_separate = true,
    .near = true,
    .needs = TWX_NEED_LINK_SCORES,
    .collecting = &TWX_COLLECTING,
    .settings = SETTINGS,
    .n_settings = TWX_COUNTOF(SETTINGS),
    .sign = sign,
    .candidates = candidates,
    .verify = verify,
};
