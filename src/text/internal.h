/* text/internal.h: what the files of this room share with each other; other rooms include
 * text/text.h. */
#ifndef TWX_TEXT_INTERNAL_H
#define TWX_TEXT_INTERNAL_H

#include "text/text.h"

/* How many bytes two texts have in common from a and b on, and before a and b; at most n. */
size_t twx_common_beginning(const char *a, const char *b, size_t n);
size_t twx_common_end(const char *a, const char *b, size_t n);

/* 1..8 bytes as a number, first byte lowest. `room`: readable bytes from p on. */
static inline uint64_t twx_few_bytes(const char *p, size_t n, size_t room) {
    uint64_t bytes = 0;
    if (room >= sizeof bytes) return twx_load_le64(p) & UINT64_MAX >> (64 - 8 * n);
    while (n-- > 0) bytes = bytes << 8 | (unsigned char)p[n];
    return bytes;
}

/* Myers' greedy algorithm (1986): a shortest list of edits that makes b of a, both of pieces that
 * `same` compares. With e edits the diagonals -e, -e+2, ... e are reachable. The caller reserves
 * (e + 1) (e + 2) / 2 entries of reach and asks for e = 0, 1, ... until true is returned; then
 * twx_edits_pair() names the equal pieces, from the end. */
typedef bool twx_edits_same_fn(const void *arg, int32_t i, int32_t j);
typedef void twx_edits_pair_fn(void *arg, int32_t i, int32_t j);

/* The entries of e edits follow those of fewer; an entry is the furthest place in a, or -1. */
static inline int32_t *twx_edits_row(const twx_edits *x, int32_t e) {
    return x->reach.at + (size_t)e * ((size_t)e + 1) / 2;
}

/* The place on diagonal 2 i - e after the last of e edits, before the equal pieces that follow; -1:
 * none. *ret_dropped: that edit drops a piece of a. */
static inline int32_t twx_edits_place(const twx_edits *x, int32_t e, int32_t i, bool *ret_dropped) {
    const int32_t *before = twx_edits_row(x, e - 1), k = 2 * i - e;
    if (e == 0) return 0;
    const int32_t drop = i > 0 && before[i - 1] >= 0 && before[i - 1] < x->n ? before[i - 1] + 1
                                                                             : -1;
    const int32_t add = i < e && before[i] - k <= x->m ? before[i] : -1;
    *ret_dropped = drop > add;
    return drop > add ? drop : add;
}

static inline bool twx_edits_extend(twx_edits *x, int32_t e, twx_edits_same_fn *same,
                                    const void *arg) {
    int32_t *row = twx_edits_row(x, e);
    bool dropped = false;
    for (int32_t i = 0; i <= e; i++) {
        const int32_t k = 2 * i - e, first = twx_edits_place(x, e, i, &dropped);
        int32_t at = first;
        while (at >= 0 && at < x->n && at - k < x->m && same(arg, at, at - k)) at++;
        row[i] = at;
        x->steps += at - first + 1;
        if (at == x->n && at - k == x->m) return true;
    }
    return false;
}

static inline void twx_edits_pair(const twx_edits *x, int32_t e, twx_edits_pair_fn *pair,
                                  void *arg) {
    int32_t at = x->n, k = x->n - x->m;
    for (bool dropped = false; e >= 0; e--) {
        const int32_t first = twx_edits_place(x, e, (k + e) / 2, &dropped);
        for (; at > first; at--) pair(arg, at - 1, at - k - 1);
        at -= dropped;
        k += dropped ? -1 : 1;
    }
}

#endif
