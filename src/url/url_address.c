#include "url/url_address.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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
    size_t digits = 0;
    while (digits < label.n && twx_is_digit((unsigned char)label.p[digits])) digits++;
    return (digits > 0 && digits == label.n) || number_of(label, &value);
}

static twx_slice last_label(twx_slice host) {
    size_t start = host.n;
    while (start > 0 && host.p[start - 1] != '.') start--;
    return twx_slice_sub(host, start, host.n);
}

twx_url_address twx_url_ipv4(twx_slice host, char room[TWX_URL_ADDRESS_MAX]) {
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

bool twx_url_ipv6(twx_slice literal, char room[TWX_URL_ADDRESS_MAX]) {
    char text[INET6_ADDRSTRLEN];
    struct in6_addr address;
    uint16_t pieces[PIECES];
    size_t zeros_n = 0;
    if (literal.n < 2 || literal.p[literal.n - 1] != ']') return false;
    twx_slice inside = twx_slice_sub(literal, 1, literal.n - 1);
    if (inside.n == 0 || inside.n >= sizeof text || memchr(inside.p, '\0', inside.n)) return false;
    memcpy(text, inside.p, inside.n);
    text[inside.n] = '\0';
    if (inet_pton(AF_INET6, text, &address) != 1) return false;
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
