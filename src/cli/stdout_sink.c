#include "cli/stdout_sink.h"

#include <errno.h>
#include <string.h>

#include "cli/console.h"

static void failed(twx_stdout *out) {
    if (errno == EPIPE)
        out->closed = true;
    else
        out->error = errno ? errno : EIO;
}

int twx_stdout_write(void *arg, const char *bytes, size_t n) {
    twx_stdout *out = arg;
    if (out->muted) return 0;
    errno = 0;
    if (!out->closed && !out->error &&
        !(out->terminal ? twx_terminal_write(out->file, bytes, n)
                        : fwrite(bytes, 1, n, out->file) == n))
        failed(out);
    return (out->closed || out->error) && !out->patient;
}

int twx_stdout_print(twx_stdout *out, const char *text) {
    return twx_stdout_write(out, text, strlen(text)) == 0 ? TWINDEX_OK : TWINDEX_IO;
}

int twx_stdout_finish(twx_stdout *out, int result) {
    errno = 0;
    if (!out->closed && !out->error && fflush(out->file) != 0) failed(out);
    if (out->error && (result == TWINDEX_OK || result == TWINDEX_DOUBT))
        return TWINDEX_IO;                                                       /* [R2] */
    if (out->closed && !out->patient && result == TWINDEX_IO) return TWINDEX_OK; /* [R1] */
    return result;
}
