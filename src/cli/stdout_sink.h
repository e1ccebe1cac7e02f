/* cli/stdout_sink.h: standard output as the library's sink, and the exit code when it cannot be
 * written.
 * [R1] When the reader closes the pipe ('twindex groups STORE | head'), output ends without a
 * message: a command that reads exits with 0, a command that writes to a store finishes its work
 * and exits as it would have.
 * [R2] Any other failure is reported once and gives exit code 74; a command that writes to a store
 * finishes its work first.
 * Memory: embedded struct. */
#ifndef TWX_CLI_STDOUT_SINK_H
#define TWX_CLI_STDOUT_SINK_H

#include <stdbool.h>
#include <stdio.h>

#include "twindex/twindex.h"

typedef struct twx_stdout {
    FILE *file;
    bool terminal; /* control characters are replaced */
    bool muted;    /* accepts and discards all bytes */
    bool patient;  /* the caller continues when output fails */
    bool closed;   /* the reader closed the pipe */
    int error;     /* errno of another failure; 0: none */
} twx_stdout;

/* A twindex_write_fn; arg is a twx_stdout. */
int twx_stdout_write(void *arg, const char *bytes, size_t n);
int twx_stdout_print(twx_stdout *out, const char *text);
/* Flushes the buffer; returns the exit code of a call that returned `result`. */
int twx_stdout_finish(twx_stdout *out, int result);

#endif
