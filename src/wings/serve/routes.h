/* serve/routes.h: the table of what the workbench answers, and the checks before it.
 * [R1] Host must name this machine and the port, so that no other site can reach the workbench
 * under its own name (DNS rebinding).
 * [R2] Origin and Sec-Fetch-Site, if present, must be those of the workbench's own pages.
 * [R3] Every path below /api/ needs the token; static files hold no data of the store.
 * [R4] POST and PUT need application/json, which no form of another site can send, and the length
 * of the body.
 * [R5] Nothing is written with --read-only. */
#ifndef TWX_SERVE_ROUTES_H
#define TWX_SERVE_ROUTES_H

#include "serve/exchange.h"

typedef enum twx_effort {
    TWX_EFFORT_SHORT,
    TWX_EFFORT_LONG, /* may take seconds: does not keep others waiting (pool.h) */
    TWX_EFFORT_TASK  /* always a task: 202, and the answer is fetched later */
} twx_effort;

typedef struct twx_route {
    const char *method, *path;
    twx_answer_fn *answer;
    bool writes;
    twx_effort effort;
} twx_route;

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

#endif
