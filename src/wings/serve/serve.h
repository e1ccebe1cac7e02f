/* serve/serve.h: the workbench. */
#ifndef TWX_SERVE_SERVE_H
#define TWX_SERVE_SERVE_H

#include <jansson.h>
#include <pthread.h>

#include "base/base.h"
#include "twindex/twindex.h"

/* answer.c: the answer to a request, independent of sockets.
 * Memory: embedded struct; twx_answer_init(), _done(). */

typedef enum twx_answer_type {
    TWX_ANSWER_JSON,
    TWX_ANSWER_HTML,   /* the workbench */
    TWX_ANSWER_REPORT, /* a report, which has a policy of its own */
    TWX_ANSWER_CSS,
    TWX_ANSWER_SCRIPT
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
void twx_answer_rc(twx_answer *a, const twx_ctx *cx);
/* Replaces the body. Takes ownership of the value, which may be NULL (out of memory). */
void twx_answer_json(twx_answer *a, unsigned status, json_t *value);
/* A sink for JSON that appends to the body. */
twindex_sink twx_answer_sink(twx_answer *a);

/* request (answer.c): a request to the workbench as the HTTP layer has received it. Everything in
 * it comes from the network and is hostile.
 * Memory: borrowed from the HTTP layer for as long as the request is answered. */

enum { TWX_BODY_BYTES = 1 << 20 /* longest body */ };

/* The fields that are examined; absent ones have p == NULL. */
typedef struct twx_request {
    twx_slice method;
    twx_slice target; /* as on the request line: "/api/find?q=a%20b" */
    twx_slice host, origin, fetch_site, token, content_type, content_length, coding, prefer;
    size_t hosts; /* number of Host fields */
    twx_slice body;
} twx_request;

/* The target up to the question mark, not decoded: no path of the workbench has an escape. */
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

/* serve.c: the workbench: pages and a JSON interface for one user on this machine.
 * [R1] It listens on 127.0.0.1 only.
 * [R2] A request to /api/ needs the token that serve printed; a request from another site, or under
 * another name of this machine, is refused.
 * [R3] The store is opened read-only for each request and closed after it, so that nothing is
 * pinned between requests. An answer contains the flags of one run; if they were overwritten while
 * it was made, it is refused with TWX_HTTP_BUSY.
 * [R4] Only the files of rules, pins, judgements and labels named at start are written, and each is
 * replaced as a whole.
 * [R5] It ends within a second of a signal. */

typedef struct twx_serve_options {
    size_t port;              /* 0: any */
    const char *const *rules; /* files; may not exist yet */
    size_t n_rules;
    const char *queries;    /* a file; NULL: none */
    const char *judgements; /* a file, written; NULL: none */
    const char *labels;     /* a file, written; NULL: none */
    const char *config;     /* which runs read; need not exist; NULL: none */
    bool read_only;
    /* Replaces a file by these bytes, or leaves it as it is. */
    twx_rc (*save)(twx_ctx *cx, const char *path, twx_slice bytes);
    void (*ready)(void *arg, const char *url); /* called once, when requests are answered */
    void *arg;                                 /* of ready */
} twx_serve_options;

/* Answers requests until twindex_stop(t). t: settings and store; not used by another thread in the
 * meantime. Errors TWX_E_IO: the port cannot be used. */
TWX_CHECK twx_rc twx_serve(twx_ctx *cx, twindex *t, const twx_serve_options *options);

/* exchange (answer.c): private to serve/: the server, one request that is being answered, and the
 * functions that answer.
 * A function of the table of routes (requests.c) reads the request, calls the library with a handle
 * that it has for itself, and fills in the answer. It knows no socket, so tests and fuzz/ call it
 * directly. */

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
    char cookie[24]; /* its name: cookies of one host are shared by its ports */
    struct twx_pool *pool;
    pthread_mutex_t writing;   /* of files */
    struct twx_faults *faults; /* of tests (base/memory.c); NULL in production */
} twx_server;

/* Memory: everything is borrowed but the arena, which is released with the exchange. */
typedef struct twx_exchange {
    twx_server *server;
    const twx_request *request;
    twindex *t; /* its own */
    twx_ctx *cx;
    twx_arena *arena;
    json_t *body;       /* of POST and PUT: an object; NULL: of other methods */
    twx_answer *answer; /* JSON and TWX_HTTP_OK unless the function changes it */
    twindex_sink sink;  /* appends to it */
} twx_exchange;

/* Hex digits of random bytes. Errors TWX_E_IO. */
TWX_CHECK twx_rc twx_secret_make(twx_ctx *cx, char ret_secret[TWX_SECRET_ROOM]);
/* In a time that does not depend on where they differ. */
bool twx_secret_is(twx_slice guess, const char *secret);

/* Passes on the result of a call of the library that wrote into the answer. */
TWX_CHECK twx_rc twx_exchange_end(twx_exchange *x, int result);

/* The value of a setting; "" if it is not set. Borrowed until the next call of the library. */
TWX_CHECK twx_rc twx_exchange_get(twx_exchange *x, const char *name, const char **ret_value);

/* routes (pool.c): what the workbench answers (requests.c has the table), and the checks before.
 * [R1] Host must name this machine and the port, so that no other site can reach the workbench
 * under its own name (DNS rebinding).
 * [R2] Origin and Sec-Fetch-Site, if present, must be those of the workbench's own pages.
 * [R3] Every path below /api/ needs the token; static files hold no data of the store.
 * [R4] POST and PUT need application/json, which no form of another site can send, and the length
 * of the body.
 * [R5] Nothing is written with --read-only. */

typedef enum twx_effort {
    TWX_EFFORT_SHORT,
    TWX_EFFORT_LONG, /* may take seconds: does not keep others waiting (pool) */
    TWX_EFFORT_TASK  /* always a task: 202, and the answer is fetched later */
} twx_effort;

typedef struct twx_route {
    const char *method, *path;
    twx_rc (*answer)(twx_exchange *x); /* errors are written into the answer by the caller */
    bool writes;
    twx_effort effort;
} twx_route;

/* By index; NULL after the last. */
const twx_route *twx_route_at(size_t i);

typedef enum twx_verdict {
    TWX_VERDICT_ANSWERED, /* refused, or answered at once: the answer is complete */
    TWX_VERDICT_STORE,    /* *ret_route answers it; needs a handle */
    TWX_VERDICT_TASK      /* the same, as a task */
} twx_verdict;

/* Checks a request whose header is complete, before its body is read. */
TWX_CHECK bool twx_request_allowed(twx_server *server, const twx_request *r, twx_answer *answer);
/* Finds what answers an allowed request with its body. */
twx_verdict twx_route_find(twx_server *server, const twx_request *r, twx_answer *answer,
                           const twx_route **ret_route);
/* Calls the function of the route. Never fails: errors are in the answer. */
void twx_route_run(twx_server *server, const twx_route *route, const twx_request *r, twindex *t,
                   twx_answer *answer);

/* pool.c: the threads that answer requests which need the store, and the tasks.
 * There are three lanes, each with threads and a queue of its own, so that neither a task nor a
 * comparison of long texts keeps short requests waiting. The answer of a task is kept until a new
 * task needs its place: the oldest of TWX_TASKS goes first.
 * [R1] When the queue is full, a request is refused with TWX_HTTP_BUSY. [R2] A task that is
 * cancelled ends at the next safe point of the library. [R3] twx_pool_stop() cancels everything.
 * [R4] A request whose client is gone is cancelled within TWX_WATCH_MS, or leaves its queue. */

enum { TWX_TASKS = 16, TWX_QUEUED = 64, TWX_WATCH_MS = 100 };

typedef struct twx_pool twx_pool;

/* A request that waits for its answer. done() is called once, in another thread.
 * Memory: borrowed until done() is called. */
typedef struct twx_waiting {
    const twx_route *route;
    const twx_request *request;
    twx_answer *answer;
    const int *socket; /* of the client; NULL: there is no client that could disconnect */
    void (*done)(void *arg);
    void *arg;
    struct twx_waiting *next; /* of the queue; the pool's */
} twx_waiting;

/* server: its t is copied for each thread. */
TWX_CHECK twx_rc twx_pool_open(twx_ctx *cx, twx_server *server, twx_pool **ret_pool);
/* Cancels all requests and waits for the threads. What has not begun is answered as refused, and so
 * is what is asked afterwards, until the pool is closed. */
void twx_pool_stop(twx_pool *pool);
/* Stops the pool and releases it. No other thread may use it any more. */
void twx_pool_close(twx_pool *pool);
/* Queues a request. false: refused, and the answer says so; done() is not called. */
bool twx_pool_wait(twx_pool *pool, twx_waiting *waiting);
/* Begins a task: the answer is its name. The request is copied. */
void twx_pool_begin(twx_pool *pool, const twx_route *route, const twx_request *r,
                    twx_answer *answer);
/* /api/task: the state of a task (GET), or cancels it (DELETE). */
void twx_pool_answer(twx_pool *pool, const twx_request *r, twx_answer *answer);
/* /report/TICKET: the report that a task has made. */
void twx_pool_report(twx_pool *pool, const twx_request *r, twx_slice ticket, twx_answer *answer);

/* static_files (requests.c): the pages of the workbench, share/serve, embedded at build.
 * path: "/app.js"; "/" is index.html. false: there is no such file. Memory: *ret_text is static. */
bool twx_static_file_find(twx_slice path, twx_slice *ret_text, twx_answer_type *ret_content);

/* user_files (requests.c): the small files of a user that the workbench shows or writes.
 * Reads a regular file; ret_bytes, which is initialised here, is empty if it does not exist.
 * Errors, naming the path: TWX_E_IO; TWX_E_CONFIG, longer than TWX_USER_FILE_BYTES; TWX_E_DATA, not
 * a regular file. */
TWX_CHECK twx_rc twx_user_file_read(twx_ctx *cx, const char *path, twx_buf *ret_bytes);

#endif
