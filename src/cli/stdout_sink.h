/* cli/stdout_sink.h: standard output as the library's sink, and what becomes of the exit code when
 * it cannot be written.
 * [R1] When the reader went away ('twindex groups STORE | head'), output ends quietly: a command
 * that looks ends with 0, a command that writes a store does its work and ends as it would have.
 * [R2] Any other failure is told once and gives exit code 74; a command that writes a store
 * finishes its work before.
 * Memory: embedded struct. */
#ifndef TWX_CLI_STDOUT_SINK_H
#define TWX_CLI_STDOUT_SINK_H

#include <stdbool.h>
#include <stdio.h>

#include "twindex/twindex.h"

typedef struct twx_stdout {
    FILE *file;
    bool muted;   /* takes bytes and drops them */
    bool patient; /* the caller's work goes on when output fails */
    bool closed;  /* the reader went away */
    int error;    /* errno of another failure; 0: none */
} twx_stdout;

/* A twindex_write_fn; arg is a twx_stdout. */
int twx_stdout_write(void *arg, const char *bytes, size_t n);
int twx_stdout_print(twx_stdout *out, const char *text);
/* Writes out what is buffered; returns the exit code for a call that ended with `result`. */
int twx_stdout_finish(twx_stdout *out, int result);

#endif
