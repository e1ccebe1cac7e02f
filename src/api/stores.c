/* The stores of a handle. */
#include "api/handle.h"

#include "base/alloc.h"
#include "store/db.h"

void twx_handle_forget_stores(twindex *t) {
    for (size_t i = 0; i < t->n_stores; i++) twx_free(t->stores[i]);
    twx_free(t->stores);
    twx_free(t->store);
    t->stores = NULL;
    t->n_stores = 0;
    t->store = NULL;
}

twx_rc twx_handle_name_store(twindex *t, const char *store) {
    char *copy = twx_strdup(&t->cx, store);
    if (!copy) return TWX_E_NOMEM;
    twx_handle_forget_stores(t);
    t->store = copy;
    return TWX_OK;
}

twx_rc twx_handle_name_stores(twindex *t, const char *const *stores, size_t n) {
    char **copies = twx_calloc(&t->cx, n, sizeof *copies);
    twx_rc rc = copies ? TWX_OK : TWX_E_NOMEM;
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        copies[i] = twx_strdup(&t->cx, stores[i]);
        if (!copies[i]) rc = TWX_E_NOMEM;
    }
    if (rc == TWX_OK) rc = twx_handle_name_store(t, stores[0]);
    if (rc == TWX_OK) {
        t->stores = copies;
        t->n_stores = n;
        return TWX_OK;
    }
    for (size_t i = 0; copies && i < n; i++) twx_free(copies[i]);
    twx_free(copies);
    return rc;
}

int twindex_open(twindex *t, const char *store) {
    twx_db *db = NULL;
    const twx_db_options options = {.mode = TWX_DB_READER, .busy_ms = t->settings.run_busy_ms};
    twx_ctx_clear(&t->cx);
    twx_rc rc = twx_db_open(&t->cx, store, &options, &db);
    twx_db_close(db);
    return twx_rc_exit(rc == TWX_OK ? twx_handle_name_store(t, store) : rc);
}

int twindex_open_several(twindex *t, const char *const *stores, size_t n) {
    twx_ctx_clear(&t->cx);
    if (n == 0) return twx_rc_exit(twx_fail(&t->cx, TWX_E_USAGE, "no store is named"));
    return twx_rc_exit(twx_handle_name_stores(t, stores, n));
}
