/* serve/request.h: a request to the workbench as the HTTP layer has received it. Everything in it
 * comes from the network and is hostile.
 * Memory: borrowed from the HTTP layer for as long as the request is answered. */
#ifndef TWX_SERVE_REQUEST_H
#define TWX_SERVE_REQUEST_H

#include <jansson.h>

#include "base/arena.h"
#include "base/slice.h"

enum { TWX_BODY_BYTES = 1 << 20 /* longest body */ };

/* The fields that are examined; absent ones have p == NULL. */
typedef struct twx_request {
    twx_slice method;
    twx_slice target; /* as on the request line: "/api/find?q=a%20b" */
    twx_slice host, origin, fetch_site, token, content_type, content_length, coding, prefer;
    size_t hosts; /* number of Host fields */
    twx_slice body;
} twx_request;

/* The target up to the question mark. Nothing in it is decoded: no path of the workbench has an
 * escape. */
twx_slice twx_request_path(const twx_request *r);
/* The value of a parameter of the query, decoded, with a NUL after it. Absent if there is none.
 * Errors TWX_E_USAGE: a wrong escape, a NUL, or bytes that are not UTF-8. */
TWX_CHECK twx_rc twx_request_param(twx_ctx *cx, const twx_request *r, const char *name,
                                   twx_arena *arena, twx_slice *ret_value);
/* The same, which must be there and not empty. */
TWX_CHECK twx_rc twx_request_needs(twx_ctx *cx, const twx_request *r, const char *name,
                                   twx_arena *arena, const char **ret_value);
/* The same as a number of at most `most`; *ret_number is unchanged if there is none. */
TWX_CHECK twx_rc twx_request_number(twx_ctx *cx, const twx_request *r, const char *name,
                                    size_t most, size_t *ret_number);
/* The body, a JSON object. Errors TWX_E_USAGE with the line. */
TWX_CHECK twx_rc twx_request_json(twx_ctx *cx, const twx_request *r, json_t **ret_object);
/* A member of the body that is a text; NULL if it is missing and need not be there.
 * Errors TWX_E_USAGE. */
TWX_CHECK twx_rc twx_member_text(twx_ctx *cx, const json_t *object, const char *name,
                                 const char **ret_text);
TWX_CHECK twx_rc twx_member_needs(twx_ctx *cx, const json_t *object, const char *name,
                                  const char **ret_text);
/* Whether a list of words separated by commas, such as the field Prefer, contains a word. */
bool twx_field_has(twx_slice field, twx_slice word);

#endif
