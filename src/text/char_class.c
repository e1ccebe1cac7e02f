#include "text/char_class.h"

#include "text/char_class_data.h"

enum { UNITS = 0x10000, BLOCK = 64 };

bool twx_is_letter_or_digit(uint32_t code_point) {
    if (code_point >= UNITS) return false;
    return (CLASS_BITS[CLASS_INDEX[code_point / BLOCK]] >> code_point % BLOCK & 1) != 0;
}

uint32_t twx_to_lower(uint32_t code_point) {
    if (code_point >= UNITS) return code_point;
    return (code_point + DELTAS[DELTA_INDEX[code_point / BLOCK]][code_point % BLOCK]) % UNITS;
}
