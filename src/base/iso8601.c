#include "base/iso8601.h"

#include <stdio.h>
#include <string.h>

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

static bool is_leap(int year) {
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_of(int year, int month) {
    static const int DAYS[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return DAYS[month - 1] + (month == 2 && is_leap(year));
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
