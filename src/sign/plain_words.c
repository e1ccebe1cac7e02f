#include "sign/plain_words.h"

#include "base/rc.h"
#include "text/char_class.h"

enum {
    HEX_ID_MIN = 8, /* characters of a presumed session id: hexadecimal digits ... */
    ID_MIN = 16     /* ... or any letters and digits */
};

bool twx_in_sorted(twx_slice word, const char *const *words, size_t n) {
    size_t low = 0, high = n;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        /* most comparisons end at the first byte; an empty word precedes all */
        int order = word.n ? (unsigned char)*word.p - (unsigned char)*words[middle] : -1;
        if (order == 0) order = twx_slice_cmp(word, twx_slice_of(words[middle]));
        if (order == 0) return true;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}

bool twx_is_number(twx_slice word) {
    for (size_t i = 0; i < word.n; i++)
        if (!twx_is_digit((unsigned char)word.p[i])) return false;
    return true;
}

bool twx_has_digit_and_letter(twx_slice word) {
    size_t digits = 0;
    for (size_t i = 0; i < word.n; i++) digits += twx_is_digit((unsigned char)word.p[i]);
    return digits > 0 && digits < word.n;
}

/* "22t00": what is left of 2026-11-22T00:01:02. */
static bool is_day_and_hour(twx_slice word) {
    return word.n == 5 && word.p[2] == 't' && twx_is_number(twx_slice_sub(word, 0, 2)) &&
           twx_is_number(twx_slice_sub(word, 3, 5));
}

bool twx_looks_like_id(twx_slice word) {
    size_t digits = 0, hex = 0;
    for (size_t i = 0; i < word.n; i++) {
        digits += twx_is_digit((unsigned char)word.p[i]);
        hex += twx_hex_value((unsigned char)word.p[i]) >= 0;
    }
    if (digits == 0 || digits == word.n) return false;
    return (hex == word.n && word.n >= HEX_ID_MIN) ||
           (word.n >= ID_MIN && (unsigned char)word.p[0] < 0x80) || is_day_and_hour(word);
}

bool twx_is_calendar_word(twx_slice word) {
    static const char *const WORDS[] = {
        "abril",      "agosto",    "août",       "apr",       "april",    "aprile",    "aug",
        "august",     "augustus",  "avril",      "dec",       "december", "dez",       "dezember",
        "dicembre",   "diciembre", "dienstag",   "dimanche",  "domenica", "domingo",   "donderdag",
        "donnerstag", "décembre",  "enero",      "feb",       "febbraio", "febrero",   "februar",
        "februari",   "february",  "freitag",    "fri",       "friday",   "février",   "gennaio",
        "giovedì",    "giugno",    "jan",        "januar",    "januari",  "january",   "janvier",
        "jeudi",      "jueves",    "juillet",    "juin",      "jul",      "juli",      "julio",
        "july",       "jun",       "june",       "juni",      "junio",    "luglio",    "lundi",
        "lunedì",     "lunes",     "maandag",    "maart",     "maggio",   "mai",       "mar",
        "march",      "mardi",     "mars",       "martedì",   "martes",   "marzo",     "may",
        "mayo",       "mei",       "mercoledì",  "mercredi",  "mittwoch", "miércoles", "mon",
        "monday",     "montag",    "märz",       "nov",       "november", "novembre",  "noviembre",
        "oct",        "october",   "octobre",    "octubre",   "okt",      "oktober",   "ottobre",
        "sabato",     "samedi",    "samstag",    "sat",       "saturday", "sep",       "sept",
        "september",  "septembre", "septiembre", "settembre", "sonntag",  "sun",       "sunday",
        "sábado",     "thu",       "thursday",   "tue",       "tuesday",  "vendredi",  "venerdì",
        "viernes",    "vrijdag",   "wed",        "wednesday", "woensdag", "zaterdag",  "zondag"};
    enum { SHORTEST = 3, LONGEST = 10 }; /* bytes */
    return word.n >= SHORTEST && word.n <= LONGEST &&
           twx_in_sorted(word, WORDS, TWX_COUNTOF(WORDS));
}
