#include "api/api.h"
#include "import/import.h"

int twindex_import(twindex *t, const char *const *files, size_t n, const twindex_sink *sink) {
    twx_call c = twx_call_begin(t, sink);
    twx_import_summary s;
    if (c.rc == TWX_OK) c.rc = twx_import(&c.job, files, n, &s);
    if (c.rc == TWX_OK) c.rc = twx_import_summary_write(&c.out, &s);
    return twx_call_finish(&c);
}
