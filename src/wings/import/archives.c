#include "import/import.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

/* ==== warc */

enum { LINE_MAX_BYTES = 1 << 16, HEADERS_MAX_BYTES = 1 << 20, FAULT_BYTES = 200 };

/* The headers that are read. */
enum { TYPE, TARGET_URI, DATE, CONTENT_TYPE, CONTENT_LENGTH, PAYLOAD_DIGEST, NAMES };

static const char *const NAME[NAMES] = {
    [TYPE] = "WARC-Type",
    [TARGET_URI] = "WARC-Target-URI",
    [DATE] = "WARC-Date",
    [CONTENT_TYPE] = "Content-Type",
    [CONTENT_LENGTH] = "Content-Length",
    [PAYLOAD_DIGEST] = "WARC-Payload-Digest",
};

struct twx_warc {
    twx_ctx *cx;
    twx_input *in;
    size_t max_block;
    twx_buf line, headers, block;
    struct {
        size_t at, n;
        bool known;
    } value[NAMES]; /* positions in `headers` */
    char fault[FAULT_BYTES];
    bool resync; /* the last record was broken: search for the next one line by line */
};

twx_rc twx_warc_open(twx_ctx *cx, twx_input *in, size_t max_block, twx_warc **ret_warc) {
    twx_warc *w = twx_calloc(cx, 1, sizeof *w);
    if (!w) return TWX_E_NOMEM;
    w->cx = cx;
    w->in = in;
    w->max_block = max_block;
    twx_buf_init(&w->line, LINE_MAX_BYTES);
    twx_buf_init(&w->headers, HEADERS_MAX_BYTES);
    twx_buf_init(&w->block, max_block);
    *ret_warc = w;
    return TWX_OK;
}

void twx_warc_close(twx_warc *w) {
    if (!w) return;
    twx_buf_done(&w->line);
    twx_buf_done(&w->headers);
    twx_buf_done(&w->block);
    twx_free(w);
}

static twx_rc broken(twx_warc *w, uint64_t offset, const char *what, const char **ret_fault) {
    snprintf(w->fault, sizeof w->fault, "record at byte %" PRIu64 " of the unpacked stream: %s",
             offset, what);
    w->resync = true;
    *ret_fault = w->fault;
    return TWX_E_DATA;
}

/* Reads a header line. A line that is too long becomes "x", which has no meaning as a header; it is
 * not an error. */
static twx_rc next_line(twx_warc *w, twx_slice *ret_line) {
    twx_rc rc = twx_input_line(w->in, &w->line);
    bool too_long = rc == TWX_E_LIMIT && w->cx->rc == TWX_OK;
    twx_slice line = twx_buf_slice(&w->line);
    while (line.n > 0 && line.p[line.n - 1] == '\r')
        line.n--; /* some writers end lines in CR CR LF */
    *ret_line = too_long ? TWX_SLICE_LIT("x") : line;
    return too_long ? TWX_OK : rc;
}

/* Skips lines up to the one that begins a record. Anything but empty lines between records is a
 * fault, reported once. */
static twx_rc find_record(twx_warc *w, uint64_t *ret_offset, const char **ret_fault) {
    for (;;) {
        twx_slice line;
        *ret_offset = twx_input_offset(w->in);
        twx_rc rc = next_line(w, &line);
        if (rc != TWX_OK) return rc;
        if (twx_slice_starts(line, TWX_SLICE_LIT("WARC/")) && line.n < 16) break;
        if (line.n > 0 && !w->resync)
            return broken(w, *ret_offset, "no WARC/ line where a record should begin", ret_fault);
    }
    w->resync = false;
    return TWX_OK;
}

/* [R1] A line that begins with a blank continues the value of the previous line. */
static twx_rc read_headers(twx_warc *w) {
    int current = NAMES;
    twx_buf_clear(&w->headers);
    for (int i = 0; i < NAMES; i++) w->value[i].known = false;
    for (;;) {
        twx_slice line;
        twx_rc rc = next_line(w, &line);
        if (rc != TWX_OK || line.n == 0) return rc;
        bool folded = line.p[0] == ' ' || line.p[0] == '\t';
        if (folded && current < NAMES) {
            twx_slice more = twx_slice_trim(line);
            rc = twx_buf_add_char(w->cx, &w->headers, ' ');
            if (rc == TWX_OK) rc = twx_buf_add_slice(w->cx, &w->headers, more);
            w->value[current].n += 1 + more.n;
        }
        size_t colon = twx_slice_find(line, ':', 0);
        if (folded || colon == line.n) {
            if (rc != TWX_OK) return rc;
            continue;
        }
        twx_slice name = twx_slice_trim(twx_slice_sub(line, 0, colon));
        current = 0;
        while (current < NAMES && !twx_slice_eq_nocase(name, twx_slice_of(NAME[current])))
            current++;
        if (current < NAMES && w->value[current].known) current = NAMES; /* the first one counts */
        if (current == NAMES) continue;
        const twx_slice value = twx_slice_trim(twx_slice_sub(line, colon + 1, line.n));
        w->value[current].known = true;
        w->value[current].at = w->headers.n;
        w->value[current].n = value.n;
        rc = twx_buf_add_slice(w->cx, &w->headers, value);
        if (rc != TWX_OK) return rc;
    }
}

static twx_slice value_of(const twx_warc *w, int name) {
    if (!w->value[name].known) return (twx_slice){NULL, 0};
    return twx_slice_sub(twx_buf_slice(&w->headers), w->value[name].at,
                         w->value[name].at + w->value[name].n);
}

twx_rc twx_warc_next(twx_warc *w, twx_warc_record *ret_record, const char **ret_fault) {
    twx_warc_record r = {0};
    int64_t length = 0;
    uint64_t taken = 0;
    twx_rc rc = find_record(w, &r.offset, ret_fault);
    if (rc != TWX_OK) return rc;
    rc = read_headers(w);
    if (rc == TWX_DONE) return broken(w, r.offset, "the file ends inside its headers", ret_fault);
    if (rc == TWX_E_LIMIT && w->cx->rc == TWX_E_LIMIT) {
        twx_ctx_clear(w->cx);
        return broken(w, r.offset, "its headers are longer than a megabyte", ret_fault);
    }
    if (rc != TWX_OK) return rc;
    const twx_slice digits = value_of(w, CONTENT_LENGTH), uri = value_of(w, TARGET_URI);
    if (!twx_is_number(digits) || !twx_slice_integer(digits, &length))
        return broken(w, r.offset, "no usable Content-Length", ret_fault);
    r.too_long = (uint64_t)length > w->max_block; /* [R3] */
    twx_buf_clear(&w->block);
    rc = twx_input_take(w->in, (uint64_t)length, r.too_long ? NULL : &w->block, &taken);
    if (rc == TWX_DONE) return broken(w, r.offset, "the file ends inside it", ret_fault);
    if (rc != TWX_OK) return rc;
    r.type = value_of(w, TYPE);
    const bool bracketed = uri.n >= 2 && uri.p[0] == '<' && uri.p[uri.n - 1] == '>';
    r.target_uri = bracketed ? twx_slice_sub(uri, 1, uri.n - 1) : uri;
    r.date = value_of(w, DATE);
    r.content_type = value_of(w, CONTENT_TYPE);
    r.payload_digest = value_of(w, PAYLOAD_DIGEST);
    r.block = r.too_long ? (twx_slice){"", 0} : twx_buf_slice(&w->block);
    *ret_record = r;
    return TWX_OK;
}

/* ==== zip */

enum { TWX_ZIP_ENTRIES = 65535, TWX_ZIP_RATIO = 1000, TWX_ZIP_LEAST = 64 << 20 };

/* Sizes and signatures of the format (PKWARE, APPNOTE.TXT, 4.3 and 4.5.3). */
enum {
    LOCAL_BYTES = 30,
    ENTRY_BYTES = 46,
    ENTRY_SIGNATURE = 0x02014b50,
    END_BYTES = 22,
    END_SIGNATURE = 0x06054b50,
    COMMENT_MAX = 0xFFFF,
    LOCATOR_BYTES = 20,
    LOCATOR_SIGNATURE = 0x07064b50,
    END64_BYTES = 56,
    END64_SIGNATURE = 0x06064b50,
    EXTRA_ZIP64 = 1,
    DIRECTORY_MAX = 64 << 20
};
static const uint32_t IN_ZIP64 = 0xFFFFFFFF; /* the value is in a field of ZIP64 */

struct twx_zip {
    twx_ctx *cx;
    char *path;
    zip_t *archive;
    zip_file_t *file; /* the open entry */
    twx_input *input;
    zip_int64_t n, next;
    uint64_t done, total;
    uint64_t most, unpacked; /* [R2]; of the entries that are closed */
    char bound[100];         /* for messages */
};

/* Compressed size of an entry; 0 if it is unknown. */
static uint64_t packed_size(twx_zip *z, zip_int64_t i) {
    zip_stat_t st;
    if (zip_stat_index(z->archive, (zip_uint64_t)i, 0, &st) != 0 ||
        !(st.valid & ZIP_STAT_COMP_SIZE))
        return 0;
    return st.comp_size;
}

/* ---- entries that overlap, [R1] ------------------------------------------- */

/* libzip does not tell where entries are, so the directory is read here, too. What is read must
 * agree with what libzip has found. */
typedef struct directory {
    int fd;
    uint64_t file_bytes, at, bytes, entries;
    unsigned char *p; /* owned */
} directory;

typedef struct extent {
    uint64_t first, end;
    zip_uint64_t entry;
} extent;

static uint16_t le16(const unsigned char *p) {
    return (uint16_t)(p[0] | p[1] << 8);
}

static bool read_at(const directory *d, uint64_t at, void *to, size_t n) {
    return at <= d->file_bytes && n <= d->file_bytes - at &&
           pread(d->fd, to, n, (off_t)at) == (ssize_t)n;
}

/* The record at the end of the archive, or that of ZIP64 before it. */
static bool find_directory(directory *d, unsigned char *tail, size_t room) {
    const size_t n = d->file_bytes < room ? (size_t)d->file_bytes : room;
    unsigned char end64[END64_BYTES];
    if (n < END_BYTES || !read_at(d, d->file_bytes - n, tail, n)) return false;
    size_t i = n - END_BYTES;
    while (i > 0 &&
           !(twx_load_le32(tail + i) == END_SIGNATURE && i + END_BYTES + le16(tail + i + 20) == n))
        i--;
    const unsigned char *end = tail + i, *locator = i >= LOCATOR_BYTES ? end - LOCATOR_BYTES : NULL;
    if (twx_load_le32(end) != END_SIGNATURE) return false;
    d->entries = le16(end + 10);
    d->bytes = twx_load_le32(end + 12);
    d->at = twx_load_le32(end + 16);
    if (!locator || twx_load_le32(locator) != LOCATOR_SIGNATURE) return true;
    if (!read_at(d, twx_load_le64(locator + 8), end64, sizeof end64) ||
        twx_load_le32(end64) != END64_SIGNATURE)
        return false;
    d->entries = twx_load_le64(end64 + 32);
    d->bytes = twx_load_le64(end64 + 40);
    d->at = twx_load_le64(end64 + 48);
    return true;
}

/* Replaces the values that are in the field of ZIP64; extra: all fields of the entry. */
static bool read_zip64(const unsigned char *extra, size_t n, uint64_t *values[3]) {
    size_t at = 0;
    while (at + 4 <= n && le16(extra + at) != EXTRA_ZIP64) at += 4 + (size_t)le16(extra + at + 2);
    if (at + 4 > n) return true;
    size_t end = at + 4 + le16(extra + at + 2);
    if (end > n) return false;
    at += 4;
    for (size_t i = 0; i < 3; i++) {
        if (*values[i] != IN_ZIP64) continue;
        if (end - at < 8) return false;
        *values[i] = twx_load_le64(extra + at);
        at += 8;
    }
    return true;
}

/* The least that each entry takes: its header with its name, and its bytes. */
static bool read_entries(twx_zip *z, const directory *d, extent *to) {
    uint64_t at = 0;
    for (uint64_t i = 0; i < d->entries; i++) {
        if (d->bytes - at < ENTRY_BYTES) return false;
        const unsigned char *p = d->p + at;
        const size_t name = le16(p + 28), extra = le16(p + 30);
        uint64_t packed = twx_load_le32(p + 20), plain = twx_load_le32(p + 24),
                 first = twx_load_le32(p + 42), *values[] = {&plain, &packed, &first};
        const uint64_t next = at + ENTRY_BYTES + name + extra + le16(p + 32);
        if (twx_load_le32(p) != ENTRY_SIGNATURE || next > d->bytes ||
            !read_zip64(p + ENTRY_BYTES + name, extra, values) || first > d->file_bytes ||
            packed > d->file_bytes || packed != packed_size(z, (zip_int64_t)i))
            return false;
        to[i] = (extent){first, first + LOCAL_BYTES + name + packed, i};
        at = next;
    }
    return true;
}

static bool read_extents(twx_zip *z, directory *d, unsigned char *tail, size_t room, extent *to) {
    struct stat st;
    if (d->fd < 0 || fstat(d->fd, &st) != 0) return false;
    d->file_bytes = (uint64_t)st.st_size;
    if (!find_directory(d, tail, room) || d->entries != (uint64_t)z->n || d->bytes > DIRECTORY_MAX)
        return false;
    d->p = twx_malloc(z->cx, d->bytes + 1);
    return d->p && read_at(d, d->at, d->p, d->bytes) && read_entries(z, d, to);
}

TWX_ORDER_2(by_first, extent, first, entry)

static twx_rc refuse_overlaps(twx_zip *z, extent *at) {
    const size_t n = (size_t)z->n;
    if (n) qsort(at, n, sizeof *at, by_first);
    for (size_t i = 1; i < n; i++)
        if (at[i].first < at[i - 1].end)
            return twx_fail(z->cx, TWX_E_DATA,
                            "%s: the entries %.200s and %.200s of the archive overlap, as in a "
                            "decompression bomb: nothing was imported",
                            z->path, zip_get_name(z->archive, at[i - 1].entry, 0),
                            zip_get_name(z->archive, at[i].entry, 0));
    return TWX_OK;
}

/* [R1] [R2] */
static twx_rc check_entries(twx_zip *z) {
    enum { TAIL_BYTES = LOCATOR_BYTES + END_BYTES + COMMENT_MAX };
    directory d = {.fd = -1};
    if (z->n > TWX_ZIP_ENTRIES)
        return twx_fail(z->cx, TWX_E_DATA,
                        "%s: the archive has %" PRId64 " entries, more than the limit of %d",
                        z->path, (int64_t)z->n, TWX_ZIP_ENTRIES);
    extent *at = twx_calloc(z->cx, (size_t)z->n + 1, sizeof *at);
    unsigned char *tail = at ? twx_malloc(z->cx, TAIL_BYTES) : NULL;
    twx_rc rc = tail ? TWX_OK : TWX_E_NOMEM;
    if (tail) {
        d.fd = open(z->path, O_RDONLY | O_CLOEXEC);
        if (read_extents(z, &d, tail, TAIL_BYTES, at))
            rc = refuse_overlaps(z, at);
        else
            rc = z->cx->rc == TWX_OK
                     ? twx_fail(z->cx, TWX_E_DATA,
                                "%s: a damaged ZIP archive: its directory is inconsistent", z->path)
                     : z->cx->rc;
    }
    z->most = d.file_bytes * TWX_ZIP_RATIO;
    if (z->most < TWX_ZIP_LEAST) z->most = TWX_ZIP_LEAST;
    snprintf(z->bound, sizeof z->bound,
             "too much: all entries of the archive together to more than %" PRIu64 " MiB",
             z->most >> 20);
    if (d.fd >= 0) close(d.fd);
    twx_free(d.p);
    twx_free(tail);
    twx_free(at);
    return rc;
}

/* ---- the archive ---------------------------------------------------------- */

twx_rc twx_zip_open(twx_ctx *cx, const char *path, twx_zip **ret_zip) {
    int code = 0;
    twx_zip *z = twx_calloc(cx, 1, sizeof *z);
    if (!z) return TWX_E_NOMEM;
    z->cx = cx;
    z->path = twx_strdup(cx, path);
    z->archive = z->path ? zip_open(path, ZIP_RDONLY, &code) : NULL;
    if (!z->archive) {
        zip_error_t error;
        zip_error_init_with_code(&error, code);
        twx_rc rc = z->path ? twx_fail(cx, TWX_E_DATA, "%s: a damaged ZIP archive: %s", path,
                                       zip_error_strerror(&error))
                            : TWX_E_NOMEM;
        zip_error_fini(&error);
        twx_zip_close(z);
        return rc;
    }
    z->n = zip_get_num_entries(z->archive, 0);
    for (zip_int64_t i = 0; i < z->n; i++) z->total += packed_size(z, i);
    twx_rc checked = check_entries(z);
    TWX_HAND_OVER(checked, ret_zip, z, twx_zip_close(z));
    return checked;
}

static void close_entry(twx_zip *z) {
    if (z->input) z->unpacked += twx_input_offset(z->input);
    twx_input_close(z->input);
    z->input = NULL;
    if (z->file) zip_fclose(z->file);
    z->file = NULL;
}

void twx_zip_close(twx_zip *z) {
    if (!z) return;
    close_entry(z);
    if (z->archive) zip_discard(z->archive);
    twx_free(z->path);
    twx_free(z);
}

static twx_rc read_entry(void *arg, void *to, size_t room, size_t *ret_n) {
    twx_zip *z = arg;
    zip_int64_t n = zip_fread(z->file, to, room);
    if (n < 0)
        return twx_fail(z->cx, TWX_E_DATA, "%s: %s", twx_input_name(z->input),
                        zip_file_strerror(z->file));
    *ret_n = (size_t)n;
    return TWX_OK;
}

twx_rc twx_zip_next(twx_zip *z, twx_input **ret_input, twx_slice *ret_name) {
    const twx_input_source source = {read_entry, z};
    for (; z->next < z->n; z->next++) {
        const zip_uint64_t i = (zip_uint64_t)z->next;
        const char *name = zip_get_name(z->archive, i, 0);
        twx_slice entry = twx_slice_of(name);
        close_entry(z);
        if (entry.n == 0 || entry.p[entry.n - 1] == '/') continue; /* a directory */
        z->file = zip_fopen_index(z->archive, i, 0);
        if (!z->file)
            return twx_fail(z->cx, TWX_E_DATA, "%s: entry %.300s: %s", z->path, name,
                            zip_strerror(z->archive));
        char *place = twx_sprintf(z->cx, "%s: %.300s", z->path, name);
        twx_rc rc = place ? twx_input_of_source(z->cx, place, &source, &z->input) : TWX_E_NOMEM;
        twx_free(place);
        if (rc != TWX_OK) return rc;
        twx_input_bound(z->input, z->most > z->unpacked ? z->most - z->unpacked : 0, z->bound);
        z->done += packed_size(z, z->next++);
        *ret_input = z->input;
        *ret_name = entry;
        return TWX_OK;
    }
    close_entry(z);
    return TWX_DONE;
}

void twx_zip_progress(const twx_zip *z, uint64_t *ret_done, uint64_t *ret_total) {
    *ret_done = z->done;
    *ret_total = z->total;
}
