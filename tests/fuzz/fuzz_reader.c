/* wings: import */
/* The bytes are a file of a crawl: WARC, JSON, CSV, a ZIP archive, each also compressed. Laws: the
 * format is known or refused with a message; reading ends; a record has a fault or lies within the
 * longest length; and a second reading gives the same records. */
#include "exact_copy.h"

#include <sys/mman.h>
#include <unistd.h>

#include "import/import.h"

enum { RECORD_MAX = 1 << 16 };

static uint64_t check_record(uint64_t sum, const twx_raw *raw) {
    const twx_slice bytes = raw->kind == TWX_RAW_WARC ? raw->warc.block : raw->bytes;
    if (raw->too_long || raw->fault) return sum * 31 + 1;
    law(bytes.n <= RECORD_MAX);
    return sum * 31 + twx_hash64(bytes, raw->at);
}

static uint64_t read_all(const char *path, size_t size) {
    const twx_reader_options options = {.max_record = RECORD_MAX};
    twx_reader *reader = NULL;
    twx_ctx cx = {0};
    uint64_t sum = 0;
    twx_rc rc = twx_reader_open(&cx, path, &options, &reader);
    law(rc == TWX_OK || ((rc == TWX_E_DATA || rc == TWX_E_NOSTORE) && cx.message[0]));
    /* a megabyte of an expanded stream is as much as 32 bytes of zstd may stand for */
    for (size_t records = 0; rc == TWX_OK; records++) {
        twx_raw raw;
        rc = twx_reader_next(reader, &raw);
        law(records <= 40000 * (size + 1));
        if (rc == TWX_OK) sum = check_record(sum, &raw);
    }
    law(rc == TWX_DONE || ((rc == TWX_E_DATA || rc == TWX_E_NOSTORE) && cx.message[0]));
    twx_reader_close(reader);
    return sum * 31 + rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static int file = -1;
    static char path[40];
    if (file < 0) {
        file = memfd_create("fuzz_reader", MFD_CLOEXEC);
        law(file >= 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    law(ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size);
    law(read_all(path, size) == read_all(path, size));
    return 0;
}
