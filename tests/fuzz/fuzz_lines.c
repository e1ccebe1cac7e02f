/* wings: predict */
/* The bytes are what a pipe brings to `twindex predict`. Laws: the lines are those of the bytes, in
 * their order, without LF and CRLF. */
#include "exact_copy.h"

#include <sys/mman.h>
#include <unistd.h>

#include "predict/predict.h"

static twx_rc before_wait(void *arg) {
    (void)arg;
    return TWX_OK;
}

static void check_lines(twx_line_reader *reader, twx_slice all) {
    size_t at = 0;
    twx_slice line;
    bool cut = false;
    twx_rc rc;
    while ((rc = twx_line_reader_next(reader, &line, &cut)) == TWX_OK) {
        const size_t end = twx_slice_find(all, '\n', at);
        twx_slice wanted = twx_slice_sub(all, at, end);
        law(at < all.n);
        at = end + 1;
        if (wanted.n && wanted.p[wanted.n - 1] == '\r' && end < all.n) wanted.n--;
        law(cut || twx_slice_eq(line, wanted) ||
            (end == all.n && twx_slice_starts(wanted, line) && wanted.n - line.n <= 1));
    }
    law(rc == TWX_DONE && at >= all.n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static int file = -1;
    if (file < 0) file = memfd_create("fuzz_lines", MFD_CLOEXEC);
    const twx_slice all = exact_copy(data, size);
    twx_line_reader *reader = NULL;
    twx_ctx cx = {0};
    law(file >= 0 && ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size);
    law(lseek(file, 0, SEEK_SET) == 0);
    law(twx_line_reader_open(&cx, file, before_wait, NULL, &reader) == TWX_OK);
    check_lines(reader, all);
    twx_line_reader_close(reader);
    return exact_end();
}
