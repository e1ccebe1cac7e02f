#include "url/internal.h"

#include <arpa/inet.h>
#include <idn2.h>
#include <libpsl.h>

/* ==== url_address */

enum { TWX_URL_ADDRESS_MAX = 48 }; /* bytes of an address in brackets with its NUL */

typedef enum twx_url_address { TWX_URL_NAME, TWX_URL_ADDRESS, TWX_URL_BAD_ADDRESS } twx_url_address;

/* Copies s with a NUL after it, for functions of C. false: empty, too long, or with a NUL. */
static bool terminate(twx_slice s, char *room, size_t bytes) {
    if (s.n == 0 || s.n >= bytes || memchr(s.p, '\0', s.n)) return false;
    memcpy(room, s.p, s.n);
    room[s.n] = '\0';
    return true;
}

enum { NUMBERS = 4, PIECES = 8 };

/* One number of an IPv4 address. Values above 2^32 are clipped: they are all too large. */
static bool number_of(twx_slice label, uint64_t *ret_value) {
    unsigned base = 10;
    uint64_t value = 0;
    if (label.n == 0) return false;
    if (label.n >= 2 && label.p[0] == '0') {
        bool hex = label.p[1] == 'x';
        base = hex ? 16 : 8;
        label = twx_slice_sub(label, hex ? 2 : 1, label.n);
    }
    for (size_t i = 0; i < label.n; i++) {
        int digit = twx_hex_value((unsigned char)label.p[i]);
        if (digit < 0 || (unsigned)digit >= base) return false;
        if (value <= UINT32_MAX) value = value * base + (unsigned)digit;
    }
    *ret_value = value;
    return true;
}

/* A last label of decimal digits only must be a number: "foo.09" is not a DNS name. */
static bool looks_numeric(twx_slice label) {
    uint64_t value = 0;
    return twx_is_number(label) || number_of(label, &value);
}

static twx_slice last_label(twx_slice host) {
    size_t start = host.n;
    while (start > 0 && host.p[start - 1] != '.') start--;
    return twx_slice_sub(host, start, host.n);
}

/* host: lower-case, without a trailing dot. room is written for TWX_URL_ADDRESS only. */
static twx_url_address url_ipv4(twx_slice host, char room[TWX_URL_ADDRESS_MAX]) {
    uint64_t numbers[NUMBERS], address = 0;
    size_t n = 0;
    if (!looks_numeric(last_label(host))) return TWX_URL_NAME;
    for (size_t at = 0, end; at <= host.n; at = end + 1) {
        end = twx_slice_find(host, '.', at);
        if (n == NUMBERS || !number_of(twx_slice_sub(host, at, end), &numbers[n]))
            return TWX_URL_BAD_ADDRESS;
        n++;
    }
    /* all but the last number are one byte; the last one fills the remaining bytes */
    if (numbers[n - 1] >= UINT64_C(1) << 8 * (NUMBERS + 1 - n)) return TWX_URL_BAD_ADDRESS;
    address = numbers[n - 1];
    for (size_t i = 0; i + 1 < n; i++) {
        if (numbers[i] > 255) return TWX_URL_BAD_ADDRESS;
        address |= numbers[i] << 8 * (NUMBERS - 1 - i);
    }
    snprintf(room, TWX_URL_ADDRESS_MAX, "%u.%u.%u.%u", (unsigned)(address >> 24 & 255),
             (unsigned)(address >> 16 & 255), (unsigned)(address >> 8 & 255),
             (unsigned)(address & 255));
    return TWX_URL_ADDRESS;
}

/* The first of the longest runs of zero pieces; *ret_n < 2: no run is worth shortening. */
static size_t longest_zeros(const uint16_t pieces[PIECES], size_t *ret_n) {
    size_t best = 0;
    *ret_n = 0;
    for (size_t i = 0, run = 0; i < PIECES; i++) {
        run = pieces[i] ? 0 : run + 1;
        if (run <= *ret_n) continue;
        *ret_n = run;
        best = i + 1 - run;
    }
    return best;
}

/* literal and room include the brackets. false: not an IPv6 address. */
static bool url_ipv6(twx_slice literal, char room[TWX_URL_ADDRESS_MAX]) {
    char text[INET6_ADDRSTRLEN];
    struct in6_addr address;
    uint16_t pieces[PIECES];
    size_t zeros_n = 0;
    if (literal.n < 2 || literal.p[literal.n - 1] != ']') return false;
    if (!terminate(twx_slice_sub(literal, 1, literal.n - 1), text, sizeof text) ||
        inet_pton(AF_INET6, text, &address) != 1)
        return false;
    for (size_t i = 0; i < PIECES; i++)
        pieces[i] = (uint16_t)(address.s6_addr[2 * i] << 8 | address.s6_addr[2 * i + 1]);
    size_t zeros = longest_zeros(pieces, &zeros_n);
    size_t n = 0;
    room[n++] = '[';
    for (size_t i = 0; i < PIECES; i++) {
        if (zeros_n >= 2 && i == zeros) {
            room[n++] = ':';
            if (i == 0) room[n++] = ':';
            i += zeros_n - 1;
            continue;
        }
        n += (size_t)snprintf(room + n, TWX_URL_ADDRESS_MAX - n, "%" PRIx16 "%s", pieces[i],
                              i + 1 < PIECES ? ":" : "");
    }
    room[n++] = ']';
    room[n] = '\0';
    return true;
}

/* ==== url_host */

enum { TWX_URL_HOST_MAX = 255 }; /* RFC 3986: the longest name in the DNS */

/* A longer text cannot become a host: a host has fewer than 255 characters of at most 4
 * bytes, and a percent-encoded byte takes 3. This bounds the work for a hostile
 * megabyte. */
enum { RAW_MAX = TWX_URL_HOST_MAX * 4 * 3 };

static const twx_slice BAD = {NULL, 0};

/* Decodes percent-encoding into out[0..raw.n]; false when a percent sign is broken. */
static bool decode(twx_slice raw, char *out, size_t *ret_n, bool *ret_ascii) {
    size_t n = 0;
    bool ascii = true;
    for (size_t i = 0; i < raw.n; i++) {
        unsigned char c = (unsigned char)raw.p[i];
        if (c == '%') {
            const int value = twx_percent_value(raw, i);
            if (value < 0) return false;
            c = (unsigned char)value;
            i += 2;
        }
        ascii = ascii && c < 0x80;
        out[n++] = (char)c;
    }
    *ret_n = n;
    *ret_ascii = ascii;
    return true;
}

/* U-labels to A-labels. name is NUL-terminated; name.n does not count the NUL. */
static twx_rc to_ascii(twx_ctx *cx, twx_arena *scratch, twx_slice name, twx_slice *ret_host) {
    uint8_t *ascii = NULL;
    *ret_host = BAD;
    if (memchr(name.p, '\0', name.n) || !twx_utf8_valid(name)) return TWX_OK;
    int rc = idn2_lookup_u8((const uint8_t *)name.p, &ascii, IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL);
    if (rc == IDN2_MALLOC) return twx_fail(cx, TWX_E_NOMEM, "out of memory in libidn2");
    if (rc != IDN2_OK) return TWX_OK;
    twx_rc copied = twx_arena_copy(cx, scratch, twx_slice_of((const char *)ascii), ret_host);
    idn2_free(ascii);
    return copied;
}

/* [R1] [R2] [R4] The final checks; drops a trailing dot. */
static twx_slice checked(twx_slice host) {
    if (host.n && host.p[host.n - 1] == '.') host.n--;
    if (host.n == 0 || host.n > TWX_URL_HOST_MAX) return BAD;
    char before = '.';
    for (size_t i = 0; i < host.n; i++) {
        if (!twx_url_may_stand(host.p[i], TWX_URL_IN_HOST)) return BAD;
        if (host.p[i] == '.' && before == '.') return BAD;
        before = host.p[i];
    }
    return before == '.' ? BAD : host;
}

/* An IPv6 literal; an absent host when it is invalid. */
static twx_rc literal_host(twx_ctx *cx, twx_arena *scratch, twx_slice raw, twx_slice *ret_host) {
    char room[TWX_URL_ADDRESS_MAX];
    *ret_host = BAD;
    return url_ipv6(raw, room) ? twx_arena_copy(cx, scratch, twx_slice_of(room), ret_host) : TWX_OK;
}

/* [R3] Replaces any spelling of an IPv4 address by the normal one. */
static twx_rc numeric_host(twx_ctx *cx, twx_arena *scratch, twx_slice host, twx_slice *ret_host) {
    char room[TWX_URL_ADDRESS_MAX];
    twx_url_address what = host.p ? url_ipv4(host, room) : TWX_URL_BAD_ADDRESS;
    *ret_host = what == TWX_URL_NAME ? host : BAD;
    return what == TWX_URL_ADDRESS ? twx_arena_copy(cx, scratch, twx_slice_of(room), ret_host)
                                   : TWX_OK;
}

twx_rc twx_url_host(twx_ctx *cx, twx_arena *scratch, twx_slice raw, twx_slice *ret_host) {
    bool ascii = true;
    size_t n = raw.n;
    *ret_host = raw.n ? BAD : TWX_SLICE_LIT("");
    if (raw.n == 0 || raw.n > RAW_MAX) return TWX_OK;
    if (raw.p[0] == '[') return literal_host(cx, scratch, raw, ret_host);
    char *name = twx_arena_alloc(cx, scratch, raw.n + 1, 1);
    if (!name) return TWX_E_NOMEM;
    if (!decode(raw, name, &n, &ascii)) return TWX_OK;
    name[n] = '\0';
    for (size_t i = 0; i < n; i++) name[i] = twx_lower(name[i]);
    twx_slice host = {name, n};
    twx_rc rc = ascii ? TWX_OK : to_ascii(cx, scratch, host, &host);
    return rc == TWX_OK ? numeric_host(cx, scratch, checked(host), ret_host) : rc;
}

bool twx_url_host_is_address(twx_slice host) {
    char text[INET_ADDRSTRLEN];
    struct in_addr address;
    if (host.n && host.p[0] == '[') return true;
    return terminate(host, text, sizeof text) && inet_pton(AF_INET, text, &address) == 1;
}

/* ==== domain */

twx_slice twx_registrable_domain(twx_slice host) {
    char name[TWX_URL_HOST_MAX + 1];
    const psl_ctx_t *list = psl_builtin(); /* read-only; NULL when the library has no list */
    if (!list || twx_url_host_is_address(host) || !terminate(host, name, sizeof name)) return host;
    const char *domain = psl_registrable_domain(list, name);
    return domain ? twx_slice_sub(host, (size_t)(domain - name), host.n) : host;
}

uint64_t twx_domain_fingerprint(void) {
    uint64_t digest = twx_hash64(twx_slice_of(psl_builtin_sha1sum()), 0);
    return twx_mix64(digest, (uint64_t)psl_suffix_count(psl_builtin()));
}

/* ==== host_patterns */

bool twx_host_section_next(twx_slice *sections, twx_host_section *ret_section) {
    while (sections->n > 0) {
        twx_slice values = twx_slice_cut(sections, '|'), pattern;
        if (!twx_slice_next_word(&values, &pattern)) continue;
        const size_t star = twx_slice_starts_nocase(pattern, TWX_SLICE_LIT("*."));
        const bool below = star || pattern.p[0] == '.';
        *ret_section = (twx_host_section){.pattern = pattern,
                                          .host = twx_slice_sub(pattern, star + below, pattern.n),
                                          .below = below,
                                          .values = values};
        return true;
    }
    return false;
}

bool twx_host_value_next(twx_slice *values, twx_slice *ret_name, twx_slice *ret_value) {
    twx_slice word;
    if (!twx_slice_next_word(values, &word)) return false;
    const size_t equals = twx_slice_find(word, '=', 0);
    *ret_name = twx_slice_sub(word, 0, equals);
    *ret_value = equals < word.n ? twx_slice_sub(word, equals + 1, word.n) : (twx_slice){NULL, 0};
    return true;
}

static bool applies(const twx_host_section *s, twx_slice host) {
    if (!s->below || host.n == s->host.n) return twx_slice_eq(s->host, host);
    return host.n > s->host.n && host.p[host.n - s->host.n - 1] == '.' &&
           twx_slice_eq(s->host, twx_slice_sub(host, host.n - s->host.n, host.n));
}

unsigned twx_host_section_of(twx_slice sections, twx_slice host, twx_host_section *ret_section) {
    twx_host_section s, best = {0};
    unsigned found = 0;
    for (unsigned number = 1; twx_host_section_next(&sections, &s); number++) {
        if (!applies(&s, host)) continue;
        const bool better = !found || (best.below && !s.below) ||
                            (best.below == s.below && s.host.n > best.host.n);
        if (!better) continue;
        best = s;
        found = number;
    }
    if (found && ret_section) *ret_section = best;
    return found;
}

twx_slice twx_host_section_value(const twx_host_section *section, const char *name) {
    twx_slice values = section->values, key, value;
    while (twx_host_value_next(&values, &key, &value))
        if (twx_slice_eq_nocase(key, twx_slice_of(name))) return value;
    return (twx_slice){NULL, 0};
}
