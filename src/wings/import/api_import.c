#include "api/api.h"
#include "import/import.h"

int twindex_import(twindex *t, const char *const *files, size_t n, const twindex_sink *sink) {
    twx_call c;
    twx_rc rc = twx_call_begin(&c, t, sink, 0);
    if (rc == TWX_OK) rc = twx_import(&c.job, files, n, &c.out);
    return twx_call_finish(&c, rc);
}
