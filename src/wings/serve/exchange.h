/* serve/exchange.h: private to serve/: the server, one request that is being answered, and the
 * functions that answer.
 * A function of the table of routes (routes.c) reads the request, calls the library with a handle
 * that it has for itself, and fills in the answer. It knows no socket, so tests and fuzz/ call it
 * directly. */
#ifndef TWX_SERVE_EXCHANGE_H
#define TWX_SERVE_EXCHANGE_H

#include <pthread.h>

#include "serve/answer.h"
#include "serve/request.h"
#include "serve/serve.h"

enum {
    TWX_SECRET_BYTES = 16, /* of random, for tokens, tickets and names of tasks */
    TWX_SECRET_ROOM = 2 * TWX_SECRET_BYTES + 1
};

struct twx_pool;

typedef struct twx_server {
    const twindex *t; /* its settings and store are copied into each handle */
    const twx_serve_options *options;
    unsigned port;
    char token[TWX_SECRET_ROOM];
    struct twx_pool *pool;
    pthread_mutex_t writing;   /* of files */
    struct twx_faults *faults; /* of tests (base/alloc.h); NULL in production */
} twx_server;

/* Memory: everything is borrowed but the arena, which is released with the exchange. */
typedef struct twx_exchange {
    twx_server *server;
    const twx_request *request;
    twindex *t; /* its own */
    twx_ctx *cx;
    twx_arena *arena;
    twx_answer *answer; /* JSON and TWX_HTTP_OK unless the function changes it */
} twx_exchange;

/* Errors are written into the answer by the caller. */
typedef twx_rc twx_answer_fn(twx_exchange *x);

/* Hex digits of random bytes. Errors TWX_E_IO. */
TWX_CHECK twx_rc twx_secret_make(twx_ctx *cx, char ret_secret[TWX_SECRET_ROOM]);
/* In a time that does not depend on where they differ. */
bool twx_secret_is(twx_slice guess, const char *secret);

/* Passes on the result of a call of the library that wrote into the answer. */
TWX_CHECK twx_rc twx_exchange_end(twx_exchange *x, int result);

/* The value of a setting that exists; "" if it is not set. Borrowed until the next call of the
 * library. */
TWX_CHECK twx_rc twx_exchange_get(twx_exchange *x, const char *name, const char **ret_value);

/* about_requests.c */
TWX_CHECK twx_rc twx_answer_about(twx_exchange *x);
/* file_requests.c */
TWX_CHECK twx_rc twx_answer_save_rules(twx_exchange *x);
TWX_CHECK twx_rc twx_answer_pins(twx_exchange *x);
TWX_CHECK twx_rc twx_answer_pin(twx_exchange *x);
TWX_CHECK twx_rc twx_answer_undo_pin(twx_exchange *x);
/* settings_requests.c */
TWX_CHECK twx_rc twx_answer_dry_run(twx_exchange *x);
bool twx_setting_may_be_tried(const twindex_setting *setting);
/* search_requests.c */
TWX_CHECK twx_rc twx_answer_search(twx_exchange *x);
TWX_CHECK twx_rc twx_answer_check_rules(twx_exchange *x);
/* document_requests.c */
TWX_CHECK twx_rc twx_answer_documents(twx_exchange *x);
TWX_CHECK twx_rc twx_answer_explain(twx_exchange *x);
TWX_CHECK twx_rc twx_answer_compare(twx_exchange *x);
TWX_CHECK twx_rc twx_answer_report(twx_exchange *x);

#endif
