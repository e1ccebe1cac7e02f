#include "base/base.h"

/* ==== read_number */

/* Takes the digits at the beginning of s as a number; false: there are none, or it is too large. */
static bool take_digits(twx_slice *s, uint64_t *ret_number) {
    uint64_t number = 0;
    size_t i = 0;
    for (; i < s->n && twx_is_digit((unsigned char)s->p[i]); i++)
        if (__builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, (uint64_t)(s->p[i] - '0'), &number))
            return false;
    *s = twx_slice_sub(*s, i, s->n);
    *ret_number = number;
    return i > 0;
}

bool twx_read_count(twx_slice s, uint64_t *ret_number) {
    return take_digits(&s, ret_number) && s.n == 0;
}

bool twx_read_share(twx_slice s, uint64_t *ret_number) {
    uint64_t ppm = 0;
    const bool no_digits = s.n > 0 && s.p[0] == '.'; /* ".7" */
    if ((!no_digits && !take_digits(&s, &ppm)) || __builtin_mul_overflow(ppm, 1000000, &ppm))
        return false;
    if (s.n == 1 || (s.n && s.p[0] != '.')) return false; /* "1.", "." and "1x" */
    uint64_t unit = 100000;
    for (size_t i = 1; i < s.n; i++, unit /= 10) {
        if (!twx_is_digit((unsigned char)s.p[i]) || (unit == 0 && s.p[i] != '0')) return false;
        if (__builtin_add_overflow(ppm, (uint64_t)(s.p[i] - '0') * unit, &ppm)) return false;
    }
    *ret_number = ppm;
    return true;
}

bool twx_read_size(twx_slice s, uint64_t *ret_number) {
    static const char SUFFIX[] = "kmg";
    uint64_t bytes = 0;
    if (!take_digits(&s, &bytes)) return false;
    if (s.n == 1) {
        const char *suffix = strchr(SUFFIX, twx_lower(s.p[0]));
        if (!suffix || !*suffix) return false;
        if (__builtin_mul_overflow(bytes, UINT64_C(1024) << 10 * (suffix - SUFFIX), &bytes))
            return false;
    }
    *ret_number = bytes;
    return s.n <= 1;
}

bool twx_read_within(twx_read_fn *read, const char *range, const char *value,
                     uint64_t *ret_number) {
    static const char ZERO[] = "0 or ";
    const bool has_zero = strncmp(range, ZERO, sizeof ZERO - 1) == 0;
    if (has_zero) range += sizeof ZERO - 1;
    const char *dots = strstr(range, "..");
    uint64_t low = 0, high = 0, number = 0;
    if (!dots || !read((twx_slice){range, (size_t)(dots - range)}, &low) ||
        !read(twx_slice_of(dots + 2), &high) || !read(twx_slice_of(value), &number))
        return false;
    if (number > high || (number < low && !(has_zero && number == 0))) return false;
    *ret_number = number;
    return true;
}

/* ==== fixed_log */

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 uwide;

/* Fixed-point numbers of 64 bits with 62, 63 or 64 fraction bits; a logarithm has 57, which leaves
 * room for its range. */
static const int64_t ONE_62 = INT64_C(1) << 62;
static const uint64_t ONE_63 = UINT64_C(1) << 63;
static const uint64_t SQRT2_63 = 0xB504F333F9DE6484;
static const int64_t LN2_57 = 0x162E42FEFA39EF3;
static const uint64_t LN2_64 = 0xB17217F7D1CF79AB;

/* 1, 1/3, 1/5 ...: |s| < 0.172, so the omitted terms of the series are below 2^-46. */
#define ODD(n) ((INT64_C(1) << 62) / (n))
static const int64_t ARTANH[] = {ODD(1), ODD(3), ODD(5), ODD(7), ODD(9), ODD(11), ODD(13), ODD(15)};
/* 1/2, 1/3, 1/4 ..., with 64 bits: 0.7^19 / 19! is below 2^-63. */
#define PART(n) (UINT64_MAX / (n))
static const uint64_t EXP[] = {PART(2),  PART(3),  PART(4),  PART(5),  PART(6),  PART(7),
                               PART(8),  PART(9),  PART(10), PART(11), PART(12), PART(13),
                               PART(14), PART(15), PART(16), PART(17), PART(18)};

static int64_t times_62(int64_t a, int64_t b) {
    return (int64_t)((wide)a * b >> 62);
}

/* ln x with 57 fraction bits; x >= 1. */
static int64_t ln_57(uint64_t x) {
    int power = 63 - __builtin_clzll(x);
    uint64_t m = x << (63 - power); /* 1 <= m < 2, 63 fraction bits */
    int64_t sum = 0;
    power += m > SQRT2_63;
    m >>= m > SQRT2_63 ? 2 : 1; /* sqrt(1/2) <= m <= sqrt 2, 62 bits */
    const int64_t s = (int64_t)(((wide)((int64_t)m - ONE_62) * ONE_62) / ((wide)m + ONE_62));
    const int64_t square = times_62(s, s);
    for (int i = (int)TWX_COUNTOF(ARTANH) - 1; i >= 0; i--) sum = ARTANH[i] + times_62(square, sum);
    return power * LN2_57 + (times_62(s, sum) >> 4); /* 2 artanh s */
}

int64_t twx_fixed_ln(uint64_t a, uint64_t b) {
    return (ln_57(a) - ln_57(b) + (INT64_C(1) << 24)) >> 25;
}

static uint64_t high_half(uint64_t a, uint64_t b) {
    return (uint64_t)((uwide)a * b >> 64);
}

uint64_t twx_fixed_one_minus_exp(uint64_t a, uint64_t b) {
    enum { ALL = 44 /* exp(-44) < 2^-63 */ };
    if (a / b >= ALL) return ONE_63;
    /* exp(-x) = exp(-rest) / 2^halvings */
    const uwide x = ((uwide)a << 64) / b;
    const unsigned halvings = (unsigned)(x / LN2_64);
    const uint64_t rest = (uint64_t)(x % LN2_64);
    /* 1 - exp(-r) = r (1 - r/2 (1 - r/3 (1 - r/4 ...))), which keeps full precision for small r */
    uint64_t inner = ONE_63;
    for (size_t i = TWX_COUNTOF(EXP); i > 0; i--)
        inner = ONE_63 - high_half(high_half(rest, inner), EXP[i - 1]);
    return ONE_63 - ((ONE_63 - high_half(rest, inner)) >> halvings);
}

uint64_t twx_root(uint64_t x) {
    uint64_t root = 0;
    for (uint64_t bit = UINT64_C(1) << 31; bit > 0; bit >>= 1)
        if ((root | bit) * (root | bit) <= x) root |= bit;
    return root;
}

/* ==== iso8601 */

enum { DAY_CHARS = 10 /* 2024-05-01 */ };

typedef struct reader {
    twx_slice text;
    size_t at;
} reader;

static bool peek(const reader *r, char c) {
    return r->at < r->text.n && r->text.p[r->at] == c;
}

static bool take(reader *r, char c) {
    bool there = peek(r, c);
    r->at += there;
    return there;
}

static bool number(reader *r, size_t digits, int *ret_number) {
    int v = 0;
    if (r->text.n - r->at < digits) return false;
    for (size_t i = 0; i < digits; i++) {
        unsigned char c = (unsigned char)r->text.p[r->at + i];
        if (!twx_is_digit(c)) return false;
        v = v * 10 + (c - '0');
    }
    r->at += digits;
    *ret_number = v;
    return true;
}

static int days_of(int year, int month) {
    static const int DAYS[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return DAYS[month - 1] + (month == 2 && is_leap);
}

/* Days since 1970-01-01 in the proleptic Gregorian calendar. The year begins in March here, so
 * 29 February is its last day, and one formula gives the days before each month. */
static int64_t days_since_epoch(int year, int month, int day) {
    int64_t y = month > 2 ? year : year - 1;
    int64_t month_from_march = (month + 9) % 12;
    int64_t day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    return y * 365 + y / 4 - y / 100 + y / 400 + day_of_year - 719468;
}

typedef struct date {
    int year, month, day, hour, minute, second, zone_minutes;
} date;

static bool read_zone(reader *r, date *d) {
    int hours = 0, minutes = 0;
    bool west = peek(r, '-');
    if (take(r, 'Z') || take(r, 'z') || r->at == r->text.n) return true;
    if (!take(r, '+') && !take(r, '-')) return false;
    if (!number(r, 2, &hours)) return false;
    bool colon = take(r, ':');
    if ((colon || r->at < r->text.n) && !number(r, 2, &minutes)) return false;
    d->zone_minutes = (hours * 60 + minutes) * (west ? -1 : 1);
    return hours < 24 && minutes < 60;
}

static bool read_time(reader *r, date *d) {
    if (r->at == r->text.n) return true;
    if (!take(r, 'T') && !take(r, 't') && !take(r, ' ')) return false;
    if (!number(r, 2, &d->hour) || !take(r, ':') || !number(r, 2, &d->minute)) return false;
    if (take(r, ':') && !number(r, 2, &d->second)) return false;
    if (take(r, '.') || take(r, ','))
        while (r->at < r->text.n && twx_is_digit((unsigned char)r->text.p[r->at])) r->at++;
    take(r, ' ');
    return read_zone(r, d);
}

static bool read_compact(reader *r, date *d) {
    return r->text.n == 14 && number(r, 4, &d->year) && number(r, 2, &d->month) &&
           number(r, 2, &d->day) && number(r, 2, &d->hour) && number(r, 2, &d->minute) &&
           number(r, 2, &d->second);
}

static bool read_date(reader *r, date *d) {
    return number(r, 4, &d->year) && take(r, '-') && number(r, 2, &d->month) && take(r, '-') &&
           number(r, 2, &d->day) && read_time(r, d);
}

bool twx_iso8601_parse(twx_slice text, int64_t *ret_seconds) {
    reader r = {.text = twx_slice_trim(text)};
    date d = {0};
    if (!read_compact(&r, &d)) {
        r.at = 0;
        d = (date){0};
        if (!read_date(&r, &d)) return false;
    }
    bool real = r.at == r.text.n && d.year > 0 && d.month >= 1 && d.month <= 12 && d.day >= 1 &&
                d.day <= days_of(d.year, d.month) && d.hour < 24 && d.minute < 60 && d.second <= 60;
    if (!real) return false;
    *ret_seconds = days_since_epoch(d.year, d.month, d.day) * 86400 + d.hour * 3600 +
                   (d.minute - d.zone_minutes) * 60 + d.second;
    return true;
}

bool twx_iso8601_is_day(twx_slice text) {
    return twx_slice_trim(text).n == DAY_CHARS;
}

int64_t twx_seconds_of(int64_t number) {
    static const int64_t MILLISECONDS = INT64_C(
        100000000000); /* in seconds this is beyond the year 5000 */
    char digits[24];
    int64_t seconds = 0;
    snprintf(digits, sizeof digits, "%lld", (long long)number);
    if (strlen(digits) == 14 && twx_iso8601_parse(twx_slice_of(digits), &seconds)) return seconds;
    return number >= MILLISECONDS ? number / 1000 : number;
}

/* ==== number_text */

const char *twx_number_text(uint64_t n, char separator, char room[TWX_NUMBER_BYTES]) {
    char digits[TWX_NUMBER_BYTES];
    const size_t count = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, n);
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        if (i && (count - i) % 3 == 0) room[at++] = separator;
        room[at++] = digits[i];
    }
    room[at] = '\0';
    return room;
}

const char *twx_ppm_text(int32_t ppm, char room[TWX_PPM_BYTES]) {
    enum { PERCENT = 10000 };
    if (ppm < 0)
        snprintf(room, TWX_PPM_BYTES, "-");
    else
        snprintf(room, TWX_PPM_BYTES, "%d.%02d %%", ppm / PERCENT, ppm % PERCENT / (PERCENT / 100));
    return room;
}

/* ==== http_status */

enum { STATUS_DIGITS = 6, HTTP_OK = 200 };

/* What may follow the number: nothing, a fraction, or a reason after a separator. */
static bool is_end(twx_slice rest) {
    if (rest.n == 0) return true;
    if (rest.p[0] != '.')
        return twx_is_space((unsigned char)rest.p[0]) || rest.p[0] == '-' || rest.p[0] == ':' ||
               rest.p[0] == ',';
    for (size_t i = 1; i < rest.n; i++)
        if (!twx_is_digit((unsigned char)rest.p[i])) return false;
    return true;
}

bool twx_http_status(twx_slice text, int64_t *ret_status) {
    int64_t status = 0;
    size_t i = 0;
    text = twx_slice_trim(text);
    if (twx_slice_eq_nocase(text, TWX_SLICE_LIT("ok"))) {
        *ret_status = HTTP_OK;
        return true;
    }
    if (twx_slice_starts_nocase(text, TWX_SLICE_LIT("http/")))
        text = twx_slice_trim(twx_slice_sub(text, twx_slice_find(text, ' ', 0), text.n));
    for (; i < text.n && i < STATUS_DIGITS && twx_is_digit((unsigned char)text.p[i]); i++)
        status = status * 10 + (text.p[i] - '0');
    if (i == 0 || !is_end(twx_slice_sub(text, i, text.n))) return false;
    *ret_status = status;
    return true;
}
