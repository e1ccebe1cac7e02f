/* The stores and the settings of a handle. */
#include "api/handle.h"

#include <unistd.h>

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

/* ---- settings ----------------------------------------------------------- */

const twindex_setting *twindex_setting_at(size_t i) {
    return twx_settings_at(i);
}

const twindex_setting *twindex_setting_find(const char *name) {
    return twx_settings_find(name);
}

int twindex_set(twindex *t, const char *name, const char *value) {
    twx_ctx_clear(&t->cx);
    return twx_rc_exit(twx_settings_set(&t->cx, &t->settings, name, value));
}

const char *twindex_get(twindex *t, const char *name) {
    twx_ctx_clear(&t->cx);
    twx_buf_clear(&t->value);
    return twx_settings_get(&t->cx, &t->settings, name, &t->value) == TWX_OK
               ? twx_buf_slice(&t->value).p
               : NULL;
}

/* Remembers the file, which errors and `check` name. */
static twx_rc name_config(twindex *t, const char *path) {
    char *config = twx_strdup(&t->cx, path);
    if (!config) return TWX_E_NOMEM;
    twx_free(t->config);
    t->config = config;
    return TWX_OK;
}

int twindex_load_config(twindex *t, const char *path) {
    twx_ctx_clear(&t->cx);
    twx_rc rc = name_config(t, path);
    if (rc == TWX_OK) rc = twx_settings_load(&t->cx, &t->settings, path);
    return twx_rc_exit(rc);
}

int twindex_find_config(twindex *t, const char *path) {
    twx_ctx_clear(&t->cx);
    twx_rc rc = access(path, F_OK) == 0 ? name_config(t, path) : TWX_OK;
    if (rc == TWX_OK) rc = twx_settings_load_found(&t->cx, &t->settings, path);
    return twx_rc_exit(rc);
}
