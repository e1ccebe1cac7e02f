/* Two windows: raw bytes as read, and plain bytes decompressed from them (the same window if the
 * file is not compressed). Plain bytes are taken from the front; the rest moves down before more
 * are added. */
#include "run/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { WAIT_MS = 50, DICTIONARY_MAX = 64 << 20, HEAD_BYTES = 8 };

/* How the file is compressed. */
typedef enum packing { PLAIN, GZIP, ZSTD } packing;

struct twx_input {
    twx_ctx *cx;
    char *name;
    int fd;                  /* -1: bytes in memory, or a source */
    twx_slice memory;        /* the bytes that are left */
    twx_input_source source; /* read NULL: none */
    twx_rc (*on_wait)(void *arg);
    void *on_wait_arg;
    bool may_wait; /* a pipe, a terminal: reading can block */
    uint64_t read, size;
    unsigned char *raw, *plain;
    size_t raw_at, raw_n, plain_at, plain_n;
    packing packing;
    bool begun, ended;
    bool open_member; /* inside a gzip member or a zstd frame */
    const char *
        /* what is wrong with the compressed stream; reported once everything before it has been
         * taken */
        damage;
    z_stream z;
    ZSTD_DCtx *zstd;
    uint64_t offset; /* of plain[plain_at] */
    uint64_t most;   /* limit of decompressed bytes read as lines; 0: none */
    uint64_t bound;  /* of decompressed bytes */
    const char *bound_what;
};

static twx_rc make(twx_ctx *cx, const char *name, twx_input **ret_input) {
    twx_input *in = twx_calloc(cx, 1, sizeof *in);
    if (!in) return TWX_E_NOMEM;
    in->cx = cx;
    in->fd = -1;
    in->bound = UINT64_MAX;
    in->name = twx_strdup(cx, name);
    in->raw = twx_malloc(cx, TWX_INPUT_WINDOW);
    in->plain = twx_malloc(cx, TWX_INPUT_WINDOW);
    if (!in->name || !in->raw || !in->plain) {
        twx_input_close(in);
        return TWX_E_NOMEM;
    }
    *ret_input = in;
    return TWX_OK;
}

twx_rc twx_input_open(twx_ctx *cx, const char *path, twx_input **ret_input) {
    twx_input *in = NULL;
    struct stat st;
    bool standard = strcmp(path, "-") == 0;
    twx_rc rc = make(cx, standard ? "standard input" : path, &in);
    if (rc != TWX_OK) return rc;
    in->fd = standard ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    if (in->fd < 0 && errno == EINTR)
        rc = twx_cancelled(cx); /* a signal arrived while a named pipe was opened */
    if (in->fd < 0 && rc == TWX_OK)
        rc = twx_fail(cx, TWX_E_NOSTORE, "%s: %s", in->name, strerror(errno));
    else if (rc == TWX_OK && fstat(in->fd, &st) == 0 && S_ISDIR(st.st_mode))
        rc = twx_fail(cx, TWX_E_NOSTORE, "%s is a folder: name the files in it", in->name);
    else if (rc == TWX_OK && S_ISREG(st.st_mode))
        in->size = (uint64_t)st.st_size;
    else
        in->may_wait = true;
    TWX_HAND_OVER(rc, ret_input, in, twx_input_close(in));
    return rc;
}

twx_rc twx_input_open_list(twx_ctx *cx, const char *path, uint64_t most, twx_input **ret_input) {
    struct stat st;
    /* checked before opening, because opening a named pipe waits for its writer */
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return twx_fail(cx, TWX_E_NOSTORE, "%s is not a regular file", path);
    twx_rc rc = twx_input_open(cx, path, ret_input);
    if (rc == TWX_OK) (*ret_input)->most = most;
    return rc;
}

twx_rc twx_input_of_bytes(twx_ctx *cx, const char *name, twx_slice bytes, twx_input **ret_input) {
    twx_rc rc = make(cx, name, ret_input);
    if (rc != TWX_OK) return rc;
    (*ret_input)->memory = bytes;
    (*ret_input)->size = bytes.n;
    return TWX_OK;
}

twx_rc twx_input_of_source(twx_ctx *cx, const char *name, const twx_input_source *source,
                           twx_input **ret_input) {
    twx_rc rc = make(cx, name, ret_input);
    if (rc == TWX_OK) (*ret_input)->source = *source;
    return rc;
}

void twx_input_on_wait(twx_input *in, twx_rc (*fn)(void *arg), void *arg) {
    in->on_wait = fn;
    in->on_wait_arg = arg;
}

void twx_input_close(twx_input *in) {
    if (!in) return;
    if (in->fd >= 0) close(in->fd);
    if (in->packing == GZIP) inflateEnd(&in->z);
    ZSTD_freeDCtx(in->zstd);
    twx_free(in->name);
    twx_free(in->raw);
    twx_free(in->plain);
    twx_free(in);
}

const char *twx_input_name(const twx_input *in) {
    return in->name;
}

uint64_t twx_input_offset(const twx_input *in) {
    return in->offset;
}

void twx_input_progress(const twx_input *in, uint64_t *ret_done, uint64_t *ret_total) {
    *ret_done = in->read;
    *ret_total = in->size;
}

/* [R4] Waits until there is something to read. A signal may be delivered to another thread, so the
 * wait is split into short intervals after which the cancel switch is checked. */
static twx_rc wait_for_bytes(twx_input *in) {
    struct pollfd fd = {.fd = in->fd, .events = POLLIN};
    int ready = poll(&fd, 1, 0);
    twx_rc rc = ready == 0 && in->on_wait ? in->on_wait(in->on_wait_arg) : TWX_OK;
    while (rc == TWX_OK && ready <= 0) {
        ready = poll(&fd, 1, WAIT_MS);
        if (ready < 0 && errno != EINTR) break; /* read() reports the error */
        rc = twx_cancelled(in->cx);
    }
    return rc;
}

/* Reads more raw bytes into `to`; ret_n 0: the end. */
static twx_rc read_raw(twx_input *in, void *to, size_t room, size_t *ret_n) {
    ssize_t n = 0;
    twx_rc rc = in->may_wait ? wait_for_bytes(in) : TWX_OK;
    if (rc != TWX_OK) return rc;
    if (in->source.read) {
        rc = in->source.read(in->source.arg, to, room, ret_n);
        if (rc == TWX_OK) in->read += *ret_n;
        return rc;
    }
    if (in->fd < 0) {
        n = (ssize_t)(in->memory.n < room ? in->memory.n : room);
        if (n) memcpy(to, in->memory.p, (size_t)n);
        in->memory = twx_slice_sub(in->memory, (size_t)n, in->memory.n);
    } else {
        do n = read(in->fd, to, room);
        while (n < 0 && errno == EINTR);
        if (n < 0) return twx_fail(in->cx, TWX_E_IO, "%s: read: %s", in->name, strerror(errno));
    }
    in->read += (uint64_t)n;
    *ret_n = (size_t)n;
    return TWX_OK;
}

static twx_rc refill_raw(twx_input *in) {
    if (in->raw_at < in->raw_n) return TWX_OK;
    in->raw_at = 0;
    return read_raw(in, in->raw, TWX_INPUT_WINDOW, &in->raw_n);
}

/* Reads until the raw window holds n bytes; fewer only at the end. */
static twx_rc fill_raw(twx_input *in, size_t n) {
    for (size_t more = 1; more > 0 && in->raw_n < n;) {
        twx_rc rc = read_raw(in, in->raw + in->raw_n, TWX_INPUT_WINDOW - in->raw_n, &more);
        if (rc != TWX_OK) return rc;
        in->raw_n += more;
    }
    return TWX_OK;
}

/* [R5] A WARC file may begin with the dictionary of its zstd frames, in a frame of its own,
 * uncompressed or compressed with zstd itself. */
static twx_rc load_dictionary(twx_input *in) {
    const uint32_t size = twx_load_le32(in->raw + 4);
    twx_buf packed = {.max = DICTIONARY_MAX}, plain;
    twx_unpacked how = TWX_UNPACK_NONE;
    twx_buf_init(&plain, DICTIONARY_MAX);
    twx_rc rc = size <= DICTIONARY_MAX
                    ? TWX_OK
                    : twx_fail(in->cx, TWX_E_DATA, "%s: the zstd dictionary is too long", in->name);
    in->raw_at = HEAD_BYTES;
    while (rc == TWX_OK && packed.n < size) {
        if (in->raw_at == in->raw_n) {
            in->raw_at = in->raw_n = 0;
            rc = fill_raw(in, 1);
            if (rc == TWX_OK && in->raw_n == 0)
                rc = twx_fail(in->cx, TWX_E_DATA, "%s ends inside its zstd dictionary", in->name);
        }
        size_t n = in->raw_n - in->raw_at;
        if (n > size - packed.n) n = size - packed.n;
        if (rc == TWX_OK) rc = twx_buf_add(in->cx, &packed, in->raw + in->raw_at, n);
        in->raw_at += n;
    }
    if (rc == TWX_OK)
        rc = twx_unpack(in->cx, twx_buf_slice(&packed), TWX_CODING_ZSTD, &plain, &how);
    const twx_buf *dictionary = how == TWX_UNPACKED ? &plain : &packed;
    if (rc == TWX_OK &&
        ZSTD_isError(ZSTD_DCtx_loadDictionary(in->zstd, dictionary->p, dictionary->n)))
        rc = twx_fail(in->cx, TWX_E_DATA, "%s: the zstd dictionary at its beginning is damaged",
                      in->name);
    twx_buf_done(&packed);
    twx_buf_done(&plain);
    return rc;
}

/* [R1] Two bytes identify gzip, four zstd: a frame, or a skippable frame before the first. */
static twx_rc begin(twx_input *in) {
    in->begun = true;
    twx_rc rc = fill_raw(in, 4);
    if (rc != TWX_OK) return rc;
    const uint32_t magic = in->raw_n >= 4 ? twx_load_le32(in->raw) : 0;
    if (in->raw_n >= 2 && in->raw[0] == 0x1f && in->raw[1] == 0x8b) {
        if (inflateInit2(&in->z, 15 + 16) != Z_OK)
            return twx_fail(in->cx, TWX_E_NOMEM, "%s: out of memory for unpacking", in->name);
        in->packing = GZIP;
    } else if (magic == ZSTD_MAGICNUMBER ||
               (magic & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START) {
        in->zstd = ZSTD_createDCtx();
        if (!in->zstd)
            return twx_fail(in->cx, TWX_E_NOMEM, "%s: out of memory for unpacking", in->name);
        in->packing = ZSTD;
        rc = fill_raw(in, HEAD_BYTES);
        if (rc == TWX_OK && magic == ZSTD_MAGIC_SKIPPABLE_START + 13 && in->raw_n >= HEAD_BYTES)
            rc = load_dictionary(in);
    }
    return rc;
}

/* zstd itself asks for an option before it unpacks that. */
static const char WINDOW_TOO_LARGE[] = "needs a window of more than 128 MiB (zstd --long)";

static twx_rc fail_damaged(const twx_input *in) {
    return twx_fail(in->cx, TWX_E_DATA, "%s: the %s stream %s near byte %llu of the file%s",
                    in->name, in->packing == ZSTD ? "zstd" : "gzip", in->damage,
                    (unsigned long long)(in->read - (in->raw_n - in->raw_at)),
                    in->damage == WINDOW_TOO_LARGE
                        ? ": unpack it with 'zstd -dc --long=31 FILE | twindex import STORE -'"
                        : "");
}

/* The same for zstd, which may still buffer output after it has consumed all input. */
static twx_rc unpack_zstd(twx_input *in, size_t *ret_n) {
    *ret_n = 0;
    twx_rc rc = refill_raw(in);
    if (rc != TWX_OK) return rc;
    if (in->raw_n == 0 && !in->open_member) {
        in->ended = true;
        return TWX_OK;
    }
    ZSTD_inBuffer from = {in->raw + in->raw_at, in->raw_n - in->raw_at, 0};
    ZSTD_outBuffer to = {in->plain + in->plain_n, TWX_INPUT_WINDOW - in->plain_n, 0};
    size_t left = ZSTD_decompressStream(in->zstd, &to, &from);
    in->raw_at += from.pos;
    *ret_n = to.pos;
    in->open_member = left != 0;
    if (!ZSTD_isError(left) && (in->raw_n > 0 || to.pos > 0)) return TWX_OK;
    in->ended = true;
    in->damage = !ZSTD_isError(left) ? "ends in the middle"
                 : ZSTD_getErrorCode(left) == ZSTD_error_frameParameter_windowTooLarge
                     ? WINDOW_TOO_LARGE
                     : "is damaged";
    return TWX_OK;
}

/* Decompresses once into the room after the plain bytes. *ret_n 0 and ended: there is no more. */
static twx_rc unpack_gzip(twx_input *in, size_t *ret_n) {
    *ret_n = 0;
    twx_rc rc = refill_raw(in);
    if (rc != TWX_OK) return rc;
    if (in->raw_n == 0) {
        in->ended = true;
        if (in->open_member) in->damage = "ends in the middle";
        return TWX_OK;
    }
    if (!in->open_member) {
        /* zeros after the last member are padding from tapes and some writers */
        while (in->raw_at < in->raw_n && in->raw[in->raw_at] == 0) in->raw_at++;
        if (in->raw_at == in->raw_n) return TWX_OK;
        inflateReset(&in->z);
        in->open_member = true;
    }
    in->z.next_in = in->raw + in->raw_at;
    in->z.avail_in = (uInt)(in->raw_n - in->raw_at);
    in->z.next_out = in->plain + in->plain_n;
    in->z.avail_out = (uInt)(TWX_INPUT_WINDOW - in->plain_n);
    int z = inflate(&in->z, Z_NO_FLUSH);
    in->raw_at = in->raw_n - in->z.avail_in;
    *ret_n = TWX_INPUT_WINDOW - in->plain_n - in->z.avail_out;
    if (z == Z_STREAM_END) in->open_member = false;
    if (z == Z_OK || z == Z_STREAM_END || z == Z_BUF_ERROR) return TWX_OK;
    in->ended = true;
    in->damage = "is damaged";
    return TWX_OK;
}

static twx_rc copy_plain(twx_input *in, size_t *ret_n) {
    twx_rc rc = refill_raw(in);
    size_t room = TWX_INPUT_WINDOW - in->plain_n, have = in->raw_n - in->raw_at;
    *ret_n = have < room ? have : room;
    if (rc != TWX_OK) return rc;
    memcpy(in->plain + in->plain_n, in->raw + in->raw_at, *ret_n);
    in->raw_at += *ret_n;
    in->ended = in->raw_n == 0;
    return TWX_OK;
}

/* Collects at least `want` plain bytes; fewer only at the end. */
static twx_rc gather(twx_input *in, size_t want) {
    twx_rc rc = in->begun ? TWX_OK : begin(in);
    if (rc == TWX_OK && in->plain_n - in->plain_at < want && in->plain_at > 0) {
        memmove(in->plain, in->plain + in->plain_at, in->plain_n - in->plain_at);
        in->plain_n -= in->plain_at;
        in->plain_at = 0;
    }
    while (rc == TWX_OK && !in->ended && in->plain_n - in->plain_at < want) {
        size_t n = 0;
        rc = in->packing == GZIP   ? unpack_gzip(in, &n)
             : in->packing == ZSTD ? unpack_zstd(in, &n)
                                   : copy_plain(in, &n);
        in->plain_n += n;
    }
    if (rc == TWX_OK && in->offset + (in->plain_n - in->plain_at) > in->bound)
        return twx_fail(in->cx, TWX_E_CORRUPT, "%s unpacks to %s", in->name, in->bound_what);
    /* [R2] the bytes before the damage are returned first */
    return rc == TWX_OK && in->damage && in->plain_n == in->plain_at ? fail_damaged(in) : rc;
}

void twx_input_bound(twx_input *in, uint64_t bytes, const char *what) {
    in->bound = bytes;
    in->bound_what = what;
}

static void taken(twx_input *in, size_t n) {
    in->plain_at += n;
    in->offset += n;
}

twx_rc twx_input_peek(twx_input *in, size_t want, twx_slice *ret_bytes) {
    twx_rc rc = gather(in, want);
    size_t have = in->plain_n - in->plain_at;
    if (rc == TWX_OK)
        *ret_bytes = (twx_slice){(const char *)in->plain + in->plain_at, have < want ? have : want};
    return rc;
}

twx_rc twx_input_window(twx_input *in, twx_slice *ret_bytes) {
    *ret_bytes = (twx_slice){(const char *)in->plain + in->plain_at, in->plain_n - in->plain_at};
    return TWX_OK;
}

/* Whether s has a line end after something that is not blank. */
static bool has_line(twx_slice s) {
    size_t i = 0;
    while (i < s.n && twx_is_space((unsigned char)s.p[i])) i++;
    return i < s.n && memchr(s.p + i, '\n', s.n - i);
}

twx_rc twx_input_peek_line(twx_input *in, size_t most, twx_slice *ret_bytes) {
    twx_rc rc = TWX_OK;
    for (size_t want = 1; rc == TWX_OK; want = ret_bytes->n + 1) {
        rc = gather(in, want);
        if (rc != TWX_OK) break;
        size_t have = in->plain_n - in->plain_at;
        *ret_bytes = (twx_slice){(const char *)in->plain + in->plain_at, have < most ? have : most};
        if (have < want || have >= most || has_line(*ret_bytes)) break;
    }
    return rc;
}

twx_rc twx_input_line(twx_input *in, twx_buf *line) {
    bool any = false, too_long = false;
    twx_buf_clear(line);
    for (;;) {
        twx_rc rc = gather(in, 1);
        if (rc != TWX_OK) return rc;
        size_t have = in->plain_n - in->plain_at;
        if (have == 0) break;
        any = true;
        if (in->most) rc = twx_cancelled(in->cx); /* a list can consist of one endless line */
        if (rc != TWX_OK) return rc;
        if (in->most && in->offset > in->most)
            return twx_fail(in->cx, TWX_E_DATA, "%s is longer than %llu MiB", in->name,
                            (unsigned long long)(in->most >> 20));
        const unsigned char *from = in->plain + in->plain_at;
        const unsigned char *end = memchr(from, '\n', have);
        size_t n = end ? (size_t)(end - from) : have;
        too_long |= n > line->max - line->n;
        if (!too_long) rc = twx_buf_add(in->cx, line, from, n);
        if (rc != TWX_OK) return rc;
        taken(in, n + (end != NULL));
        if (end) break;
    }
    if (!any) return TWX_DONE;
    if (too_long) {
        twx_buf_clear(line);
        return TWX_E_LIMIT;
    }
    if (line->n && line->p[line->n - 1] == '\r') line->p[--line->n] = '\0';
    return TWX_OK;
}

twx_rc twx_input_take(twx_input *in, uint64_t n, twx_buf *to, uint64_t *ret_taken) {
    twx_rc rc = TWX_OK;
    *ret_taken = 0;
    while (rc == TWX_OK && *ret_taken < n) {
        rc = gather(in, 1);
        size_t have = in->plain_n - in->plain_at;
        if (rc == TWX_OK && have == 0) return TWX_DONE;
        if (rc != TWX_OK) return rc;
        size_t some = n - *ret_taken < have ? (size_t)(n - *ret_taken) : have;
        if (to) rc = twx_buf_add(in->cx, to, in->plain + in->plain_at, some);
        if (rc != TWX_OK) return rc;
        taken(in, some);
        *ret_taken += some;
    }
    return rc;
}
