/* run/input.h: the bytes of a file or standard input, decompressed if they are gzip or zstd
 * (also with several members or frames).
 * [R1] The format is recognized by the first bytes, not by the name. [R2] A truncated or broken
 * compressed stream gives what could be decompressed, then TWX_E_DATA. [R3] Memory does not grow
 * with the file; it is a window of TWX_INPUT_WINDOW bytes.
 * [R4] The cancel switch of its context ends a wait for a pipe within 50 ms.
 * [R5] WARC.zst: a dictionary at the beginning is used (IIPC, Zstandard Compression for WARC Files
 * 1.0).
 * Memory: owned handle. */
#ifndef TWX_RUN_INPUT_H
#define TWX_RUN_INPUT_H

#include "base/buf.h"

enum {
    TWX_INPUT_WINDOW = 1 << 18,
    TWX_INPUT_LIST_BYTES = 1 << 30 /* limit for a list of labels or rules */
};

typedef struct twx_input twx_input;

/* path "-": standard input. Errors TWX_E_NOSTORE (cannot be opened), with the path. */
TWX_CHECK twx_rc twx_input_open(twx_ctx *cx, const char *path, twx_input **ret_input);
/* The same for a list written by the user: a regular file (TWX_E_NOSTORE otherwise) of at most
 * `most` decompressed bytes; reading a line beyond them gives TWX_E_DATA. The cancel switch ends
 * reading a line. */
TWX_CHECK twx_rc twx_input_open_list(twx_ctx *cx, const char *path, uint64_t most,
                                     twx_input **ret_input);
/* The same for bytes in memory, for tests and fuzzing; bytes are borrowed. */
TWX_CHECK twx_rc twx_input_of_bytes(twx_ctx *cx, const char *name, twx_slice bytes,
                                    twx_input **ret_input);
/* A source of bytes that are neither in a file nor in memory; *ret_n 0: the end. arg is
 * borrowed. */
typedef struct twx_input_source {
    twx_rc (*read)(void *arg, void *to, size_t room, size_t *ret_n);
    void *arg;
} twx_input_source;
TWX_CHECK twx_rc twx_input_of_source(twx_ctx *cx, const char *name, const twx_input_source *source,
                                     twx_input **ret_input);
/* fn is called before each read that would block. */
void twx_input_on_wait(twx_input *in, twx_rc (*fn)(void *arg), void *arg);
/* Reading beyond this number of decompressed bytes gives TWX_E_CORRUPT; what: the end of the
 * message, "more than ..."; borrowed. */
void twx_input_bound(twx_input *in, uint64_t bytes, const char *what);
void twx_input_close(twx_input *in);
const char *twx_input_name(const twx_input *in); /* path, or "standard input" */
/* The number of decompressed bytes taken so far, which is the offset of the next one. */
uint64_t twx_input_offset(const twx_input *in);
/* Bytes of the file read so far and its size (0: unknown), for progress. */
void twx_input_progress(const twx_input *in, uint64_t *ret_done, uint64_t *ret_total);
/* Shows `want` (<= TWX_INPUT_WINDOW / 2) bytes without taking them; fewer only at the end. Borrowed
 * until the next call. */
TWX_CHECK twx_rc twx_input_peek(twx_input *in, size_t want, twx_slice *ret_bytes);
/* Shows the bytes in the window without reading more; after a peek these are at least what the peek
 * showed. */
TWX_CHECK twx_rc twx_input_window(twx_input *in, twx_slice *ret_bytes);
/* Shows the first line that is not blank and whatever was read with it, at most `most` bytes.
 * Blocks only until that line is complete. */
TWX_CHECK twx_rc twx_input_peek_line(twx_input *in, size_t most, twx_slice *ret_bytes);
/* Takes a line without its LF or CRLF. TWX_DONE: the end. A line longer than line's max is skipped:
 * TWX_E_LIMIT without a message; the next call continues after it. */
TWX_CHECK twx_rc twx_input_line(twx_input *in, twx_buf *line);
/* Takes n bytes into `to` (NULL: discards them). TWX_DONE: the input ended before n bytes;
 * *ret_taken is the number taken. */
TWX_CHECK twx_rc twx_input_take(twx_input *in, uint64_t n, twx_buf *to, uint64_t *ret_taken);

#endif
