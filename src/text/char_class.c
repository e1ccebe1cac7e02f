#include "text/char_class.h"

#include "char_class_table.h"

enum { UNITS = 0x10000, BLOCK = 64 };

bool twx_is_letter_or_digit(uint32_t code_point) {
    if (code_point >= UNITS) return false;
    return (CLASS_BITS[CLASS_INDEX[code_point / BLOCK]] >> code_point % BLOCK & 1) != 0;
}

uint32_t twx_to_lower(uint32_t code_point) {
    if (code_point >= UNITS) return code_point;
    return (code_point + DELTAS[DELTA_INDEX[code_point / BLOCK]][code_point % BLOCK]) % UNITS;
}

/* Counts neighbouring bytes in different tables, because they may be equal, and a count that was
 * just stored is not read again at once. */
void twx_count_bytes(twx_slice text, uint64_t counts[0x100]) {
    enum { TABLES = 4 };
    uint32_t table[TABLES][0x100] = {{0}}; /* a text has fewer than 2^32 bytes (run.row_bytes) */
    size_t i = 0;
    for (; i + TABLES <= text.n; i += TABLES)
        for (size_t t = 0; t < TABLES; t++) table[t][(unsigned char)text.p[i + t]]++;
    for (; i < text.n; i++) table[0][(unsigned char)text.p[i]]++;
    for (size_t c = 0; c < 0x100; c++)
        counts[c] = (uint64_t)table[0][c] + table[1][c] + table[2][c] + table[3][c];
}
