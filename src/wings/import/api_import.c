#include "api/api.h"
#include "import/import.h"

int twindex_import(twindex *t, const char *const *files, size_t n, const twindex_sink *sink) {
    TWX_CALL(t, sink, 0, twx_import(&c.job, files, n, &c.out));
}
