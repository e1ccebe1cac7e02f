#include "judge/facts.h"

#include <string.h>

#include "base/damaged_row.h"
#include "base/hash64.h"

enum {
    FIXED_BYTES = 12 + 7 * 8 + 4,
    HOST_LENGTH_AT = FIXED_BYTES - 4,
    YACY_META_NOINDEX = 8,    /* robots_i, bit 3 */
    YACY_HEADER_NOINDEX = 512 /* robots_i, bit 9: noindex or none in X-Robots-Tag */
};

/* The bits of an IEEE double have the order of the numbers, once those of negative numbers are
 * inverted. */
uint64_t twx_score_order(double score) {
    uint64_t bits = 0;
    if (score == 0) score = 0; /* -0.0 becomes 0 */
    memcpy(&bits, &score, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static bool is_word_byte(unsigned char c) {
    return twx_is_alpha(c) || twx_is_digit(c) || c == '_' || c == '-';
}

/* "8" and " 520 " are bit fields, "max-snippet:-1" is not. */
static bool bit_field(twx_slice text, uint64_t *ret_bits) {
    uint64_t bits = 0;
    text = twx_slice_trim(text);
    if (text.n == 0 || text.n > 10) return false;
    for (size_t i = 0; i < text.n; i++) {
        if (!twx_is_digit((unsigned char)text.p[i])) return false;
        bits = bits * 10 + (uint64_t)(text.p[i] - '0');
    }
    *ret_bits = bits;
    return true;
}

static bool behind_colon(twx_slice text, size_t at) {
    while (at > 0 && twx_is_space((unsigned char)text.p[at - 1])) at--;
    return at > 0 && text.p[at - 1] == ':';
}

bool twx_robots_bits_noindex(int64_t bits) {
    return (bits & (YACY_META_NOINDEX | YACY_HEADER_NOINDEX)) != 0;
}

bool twx_robots_noindex(twx_slice robots) {
    uint64_t bits = 0;
    if (bit_field(robots, &bits)) return twx_robots_bits_noindex((int64_t)bits);
    for (size_t i = 0, end; i < robots.n; i = end) {
        for (end = i; end < robots.n && is_word_byte((unsigned char)robots.p[end]); end++) continue;
        twx_slice word = twx_slice_sub(robots, i, end);
        if (twx_slice_eq_nocase(word, TWX_SLICE_LIT("noindex"))) return true;
        /* "max-image-preview: none" concerns images only */
        if (twx_slice_eq_nocase(word, TWX_SLICE_LIT("none")) && !behind_colon(robots, i))
            return true;
        if (end == i) end++;
    }
    return false;
}

twx_rc twx_facts_pack(twx_ctx *cx, const twx_facts *f, twx_slice url, twx_buf *out) {
    char fixed[FIXED_BYTES];
    const uint32_t small[] = {f->bits, (uint32_t)f->status, f->url_length};
    const uint64_t large[] = {f->url_key,      f->domain_key, f->link_key,
                              f->hreflang_key, f->layout_key, (uint64_t)f->fetched_at,
                              f->score_order};
    char *p = fixed;
    for (size_t i = 0; i < TWX_COUNTOF(small); i++, p += 4) twx_store_le32(p, small[i]);
    for (size_t i = 0; i < TWX_COUNTOF(large); i++, p += 8) twx_store_le64(p, large[i]);
    twx_store_le32(p, (uint32_t)f->host.n);
    twx_rc rc = twx_buf_add(cx, out, fixed, sizeof fixed);
    if (rc == TWX_OK) rc = twx_buf_add_slice(cx, out, f->host);
    return rc == TWX_OK ? twx_buf_add_slice(cx, out, twx_slice_sub(url, 0, TWX_FACTS_URL_MAX)) : rc;
}

twx_rc twx_facts_unpack(twx_ctx *cx, twx_slice bytes, twx_facts *ret_facts) {
    if (bytes.n < FIXED_BYTES)
        return twx_fail(cx, TWX_E_CORRUPT,
                        TWX_DAMAGED_ROW "facts has %zu bytes, at least %d are needed", bytes.n,
                        FIXED_BYTES);
    const char *small = bytes.p, *large = bytes.p + 12;
    const size_t host_n = twx_load_le32(bytes.p + HOST_LENGTH_AT);
    if (host_n > bytes.n - FIXED_BYTES)
        return twx_fail(cx, TWX_E_CORRUPT, TWX_DAMAGED_ROW "the host in facts has %zu bytes of %zu",
                        host_n, bytes.n - FIXED_BYTES);
    *ret_facts = (twx_facts){
        .bits = twx_load_le32(small),
        .status = (int32_t)twx_load_le32(small + 4),
        .url_length = twx_load_le32(small + 8),
        .url_key = twx_load_le64(large),
        .domain_key = twx_load_le64(large + 8),
        .link_key = twx_load_le64(large + 16),
        .hreflang_key = twx_load_le64(large + 24),
        .layout_key = twx_load_le64(large + 32),
        .fetched_at = (int64_t)twx_load_le64(large + 40),
        .score_order = twx_load_le64(large + 48),
        .host = twx_slice_sub(bytes, FIXED_BYTES, FIXED_BYTES + host_n),
    };
    return TWX_OK;
}

twx_slice twx_facts_url(twx_slice bytes, const twx_facts *unpacked) {
    return twx_slice_sub(bytes, FIXED_BYTES + unpacked->host.n, bytes.n);
}
