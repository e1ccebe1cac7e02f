#include "cli/cli.h"
#include "serve/serve.h"

enum { PORT_MAX = 65535 };

typedef struct serve_options {
    size_t port;
    twx_texts rules;
    const char *queries, *judgements, *labels;
    bool read_only;
} serve_options;

static twx_rc save(twx_ctx *cx, const char *path, twx_slice bytes) {
    twx_output_file f;
    twx_rc rc = twx_output_file_open(cx, path, TWINDEX_TEXT, &f);
    if (rc != TWX_OK) return rc;
    const int result = bytes.n ? f.sink.write(f.sink.arg, bytes.p, bytes.n) : TWINDEX_OK;
    if (twx_output_file_finish(cx, &f, result ? TWINDEX_IO : TWINDEX_OK) == TWINDEX_OK)
        return TWX_OK;
    return cx->rc != TWX_OK ? cx->rc : twx_fail(cx, TWX_E_IO, "cannot write %.300s", path);
}

static void print_url(void *arg, const char *url) {
    twx_session *s = arg;
    (void)twx_stdout_print(&s->out, url);
    (void)twx_stdout_print(&s->out, "\n");
    fflush(s->out.file);
}

static int serve(twx_session *s) {
    const serve_options *own = s->options.own;
    const twx_serve_options options = {.port = own->port,
                                       .rules = own->rules.at,
                                       .n_rules = own->rules.n,
                                       .queries = own->queries,
                                       .judgements = own->judgements,
                                       .labels = own->labels,
                                       .config = s->options.config ? s->options.config : s->config,
                                       .read_only = own->read_only,
                                       .save = save,
                                       .ready = print_url,
                                       .arg = s};
    if (own->port > PORT_MAX)
        return twx_rc_exit(twx_fail(&s->cx, TWX_E_USAGE, "--port is at most %d", PORT_MAX));
    return twx_rc_exit(twx_serve(&s->cx, s->t, &options));
}

static const twx_option OPTIONS[] = {TWX_SERVE_OPTIONS TWX_OPTION_END};

TWX_COMMAND(serve, READS, "STORE", .run = serve, .options = OPTIONS,
            .own_bytes = sizeof(serve_options));
