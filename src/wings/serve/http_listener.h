/* serve/http_listener.h: HTTP on 127.0.0.1 by libmicrohttpd: one thread reads requests and writes
 * answers, serve/pool.h makes the answers that need the store.
 * [R1] A connection that sends nothing for some seconds is closed; so is one whose header is longer
 * than the limit. There are at most TWX_CONNECTIONS; when most of them are in use, those without a
 * request are closed, oldest first.
 * [R2] A request that its header disqualifies is refused before its body is read. */
#ifndef TWX_SERVE_HTTP_LISTENER_H
#define TWX_SERVE_HTTP_LISTENER_H

#include "serve/exchange.h"

enum { TWX_CONNECTIONS = 200 };

typedef struct twx_listener twx_listener;

/* Listens on server->port and sets it if it is 0. Errors TWX_E_IO: the port cannot be used. */
TWX_CHECK twx_rc twx_listener_open(twx_ctx *cx, twx_server *server, twx_listener **ret_listener);
/* From now on requests are answered. server->pool must be open. */
TWX_CHECK twx_rc twx_listener_start(twx_ctx *cx, twx_listener *listener);
/* The pool must be stopped, so that no request waits for it, and be closed afterwards: requests may
 * arrive until this returns. */
void twx_listener_close(twx_listener *listener);

#endif
