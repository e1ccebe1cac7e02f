/* serve/answer.h: the answer to a request, independent of sockets.
 * Memory: embedded struct; twx_answer_init(), _done(). */
#ifndef TWX_SERVE_ANSWER_H
#define TWX_SERVE_ANSWER_H

#include <jansson.h>

#include "base/buf.h"
#include "twindex/twindex.h"

typedef enum twx_answer_type {
    TWX_ANSWER_JSON,
    TWX_ANSWER_HTML,   /* the workbench */
    TWX_ANSWER_REPORT, /* a report, which has a policy of its own */
    TWX_ANSWER_CSS,
    TWX_ANSWER_SCRIPT,
    TWX_ANSWER_IMAGE
} twx_answer_type;

/* RFC 9110, 15 */
enum {
    TWX_HTTP_OK = 200,
    TWX_HTTP_ACCEPTED = 202,
    TWX_HTTP_BAD_REQUEST = 400,
    TWX_HTTP_NO_TOKEN = 401,
    TWX_HTTP_FORBIDDEN = 403,
    TWX_HTTP_NOT_FOUND = 404,
    TWX_HTTP_WRONG_METHOD = 405,
    TWX_HTTP_CONFLICT = 409,
    TWX_HTTP_LENGTH_REQUIRED = 411,
    TWX_HTTP_TOO_LARGE = 413,
    TWX_HTTP_WRONG_TYPE = 415,
    TWX_HTTP_WRONG_HOST = 421,
    TWX_HTTP_BAD_DATA = 422,
    TWX_HTTP_FAILED = 500,
    TWX_HTTP_BUSY = 503
};

typedef struct twx_answer {
    unsigned status;
    twx_answer_type content;
    twx_buf body;
    char allow[32]; /* the methods of a path, with TWX_HTTP_WRONG_METHOD */
} twx_answer;

enum { TWX_ANSWER_BYTES = 64 << 20 };

void twx_answer_init(twx_answer *a);
void twx_answer_done(twx_answer *a);
/* Replaces the answer by {"error": ...}. It never fails: without memory the body stays empty. */
void twx_answer_error(twx_answer *a, unsigned status, const char *fmt, ...) TWX_PRINTF(3, 4);
/* The same with the status that fits a result of the library, or an error of ours. */
void twx_answer_result(twx_answer *a, int result, const char *message);
void twx_answer_rc(twx_answer *a, const twx_ctx *cx);
/* Replaces the body. Takes ownership of the value, which may be NULL (out of memory). */
void twx_answer_json(twx_answer *a, unsigned status, json_t *value);
/* A sink for JSON that appends to the body. */
twindex_sink twx_answer_sink(twx_answer *a);

#endif
