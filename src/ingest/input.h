/* ingest/input.h: bytes of a file or standard input, unpacked if they are gzip (several members one behind the other too).
 * [R1] The format is told by the first bytes, not by the name. [R2] A gzip stream that is cut or broken gives what could be
 * unpacked, then TWX_E_DATA. [R3] Memory does not grow with the file: a window of TWX_INPUT_WINDOW bytes.
 * Memory: owned handle. */
#ifndef TWX_INGEST_INPUT_H
#define TWX_INGEST_INPUT_H

#include "base/buf.h"

enum { TWX_INPUT_WINDOW = 1 << 18 };

typedef struct twx_input twx_input;

/* path "-": standard input. Errors TWX_E_NOSTORE (cannot be opened), with the path. */
TWX_CHECK twx_rc twx_input_open(twx_ctx *cx, const char *path, twx_input **ret_input);
/* The same over bytes in memory, for tests and fuzzing; bytes are borrowed. */
TWX_CHECK twx_rc twx_input_of_bytes(twx_ctx *cx, const char *name, twx_slice bytes,
                                    twx_input **ret_input);
void twx_input_close(twx_input *in);
const char *twx_input_name(const twx_input *in); /* path, or "standard input" */
/* Unpacked bytes taken so far: where the next one stands. */
uint64_t twx_input_offset(const twx_input *in);
/* Bytes of the file read so far and its size (0: not known), for progress. */
void twx_input_progress(const twx_input *in, uint64_t *ret_done, uint64_t *ret_total);
/* Shows up to `want` (<= TWX_INPUT_WINDOW / 2) bytes without taking them; fewer at the end only. Borrowed until the next call. */
TWX_CHECK twx_rc twx_input_peek(twx_input *in, size_t want, twx_slice *ret_bytes);
/* Takes a line with its LF cut off, and a CR before it. TWX_DONE: the end. A line longer than line's max is skipped whole:
 * TWX_E_LIMIT without a message; the next call goes on behind it. */
TWX_CHECK twx_rc twx_input_line(twx_input *in, twx_buf *line);
/* Takes n bytes into `to` (NULL: throws them away). TWX_DONE: the input ended before n; *ret_taken says how many came. */
TWX_CHECK twx_rc twx_input_take(twx_input *in, uint64_t n, twx_buf *to, uint64_t *ret_taken);

#endif
