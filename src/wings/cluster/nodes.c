#include "cluster/cluster.h"

#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* ==== uid */

void twx_uid_write(twx_uid uid, unsigned char ret_bytes[TWX_UID_BYTES]) {
    ret_bytes[0] = (unsigned char)(uid.shard >> 8);
    ret_bytes[1] = (unsigned char)uid.shard;
    twx_store_be64(ret_bytes + 2, (uint64_t)uid.doc ^ UINT64_C(1) << 63);
}

twx_uid twx_uid_read(const char *bytes) {
    return (twx_uid){(uint32_t)(unsigned char)bytes[0] << 8 | (unsigned char)bytes[1],
                     (int64_t)(twx_load_be64(bytes + 2) ^ UINT64_C(1) << 63)};
}

/* ==== statement */

static twx_rc add_value(twx_ctx *cx, twx_slice name, const twx_statement_value *values, size_t n,
                        twx_buf *out) {
    for (size_t i = 0; i < n; i++) {
        if (!twx_slice_eq(name, twx_slice_of(values[i].name))) continue;
        return values[i].text ? twx_buf_add_text(cx, out, values[i].text)
                              : twx_buf_printf(cx, out, "%" PRIu64, values[i].number);
    }
    return twx_fail(cx, TWX_E_INTERNAL, "a statement of sql/cluster names {" TWX_SLICE_FMT "}",
                    TWX_SLICE_ARG(name));
}

twx_rc twx_statement_fill(twx_ctx *cx, const char *sql, const twx_statement_value *values, size_t n,
                          twx_buf *out) {
    twx_slice rest = twx_slice_of(sql);
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && rest.n > 0) {
        const size_t open = twx_slice_find(rest, '{', 0), end = twx_slice_find(rest, '}', open);
        rc = twx_buf_add_slice(cx, out, twx_slice_sub(rest, 0, open));
        if (rc == TWX_OK && open < rest.n)
            rc = add_value(cx, twx_slice_sub(rest, open + 1, end), values, n, out);
        rest = twx_slice_sub(rest, end < rest.n ? end + 1 : rest.n, rest.n);
    }
    return rc;
}

/* ==== row_binary */

twx_rc twx_row_add_number(twx_ctx *cx, twx_buf *out, uint64_t v, size_t bytes) {
    char le[8];
    twx_store_le64(le, v);
    return twx_buf_add(cx, out, le, bytes);
}

twx_rc twx_row_add_numbers(twx_ctx *cx, twx_buf *out, const char *bytes, const uint64_t *v) {
    twx_rc rc = TWX_OK;
    for (; rc == TWX_OK && *bytes; bytes++)
        rc = twx_row_add_number(cx, out, *v++, (size_t)(*bytes - '0'));
    return rc;
}

twx_rc twx_row_add_string(twx_ctx *cx, twx_buf *out, twx_slice s) {
    twx_rc rc = twx_buf_add_number(cx, out, s.n);
    return rc == TWX_OK ? twx_buf_add_slice(cx, out, s) : rc;
}

enum { NAME_BYTES = 64 };

/* The name of a statement for a message. */
static const char *lower_name(const char *name, char room[NAME_BYTES]) {
    size_t n = 0;
    for (; name[n] && n + 1 < NAME_BYTES; n++) room[n] = twx_lower(name[n]);
    room[n] = '\0';
    return room;
}

twx_rc twx_fail_answer(twx_ctx *cx, const char *statement) {
    char name[NAME_BYTES];
    return twx_fail(cx, TWX_E_DATA, "cluster: the answer to '%s' is cut",
                    lower_name(statement, name));
}

twx_rc twx_rows_each(twx_ctx *cx, const char *statement, twx_slice rows, twx_row_fn read,
                     void *arg) {
    twx_row_reader r = {.cx = cx, .rest = rows};
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && r.rest.n > 0) {
        rc = read(arg, &r);
        if (rc == TWX_OK && r.broken) rc = twx_fail_answer(cx, statement);
    }
    return rc;
}

static twx_slice take(twx_row_reader *r, size_t n) {
    r->broken = r->broken || r->rest.n < n;
    if (r->broken) return (twx_slice){"", 0};
    const twx_slice taken = twx_slice_sub(r->rest, 0, n);
    r->rest = twx_slice_sub(r->rest, n, r->rest.n);
    return taken;
}

uint64_t twx_row_number(twx_row_reader *r, size_t bytes) {
    char le[8] = "";
    const twx_slice taken = take(r, bytes);
    if (taken.n) memcpy(le, taken.p, taken.n);
    return twx_load_le64(le);
}

uint64_t twx_row_length(twx_row_reader *r) {
    uint64_t length = 0;
    for (unsigned shift = 0;; shift += 7) {
        const twx_slice c = take(r, 1);
        if (c.n == 0 || shift > 56) break;
        length |= (uint64_t)((unsigned char)c.p[0] & 0x7F) << shift;
        if (!((unsigned char)c.p[0] & 0x80)) return length;
    }
    r->broken = true;
    return 0;
}

twx_slice twx_row_string(twx_row_reader *r) {
    const uint64_t length = twx_row_length(r);
    return take(r, (size_t)length);
}

/* ==== nodes */

enum {
    CONNECT_SECONDS = 10,
    POLL_MS = 500, /* between two looks whether the user has interrupted the call */
    PASSWORD_MAX = 1024,
    SHOWN_BYTES = 400, /* of a server's message */
    HTTP_OK = 200
};

typedef struct twx_node {
    char *url; /* owned */
    CURL *curl;
    char error[CURL_ERROR_SIZE];
    /* Of the current statement */
    twx_buf address, answer;
    bool too_long; /* the answer */
    CURLcode ended;
} twx_node;

struct twx_nodes {
    const twx_job *job;
    TWX_VEC(twx_node) at;
    CURLM *multi;
    char *password; /* owned; NULL: none */
    twx_buf sql;
};

/* ---- settings ----------------------------------------------------------- */

static bool is_loopback(twx_slice host) {
    if (twx_slice_has_word(TWX_SLICE_LIT("localhost [::1]"), host)) return true;
    if (!twx_slice_starts(host, TWX_SLICE_LIT("127."))) return false;
    for (size_t i = 0; i < host.n; i++)
        if (!twx_is_digit((unsigned char)host.p[i]) && host.p[i] != '.') return false;
    return true;
}

/* [R2] scheme://host[:port][/], nothing else. The name localhost is resolved by this machine. */
static twx_rc check_url(twx_ctx *cx, const char *url) {
    const twx_slice whole = twx_slice_of(url);
    const bool secure = twx_slice_starts(whole, TWX_SLICE_LIT("https://")),
               plain = twx_slice_starts(whole, TWX_SLICE_LIT("http://"));
    if (!secure && !plain)
        return twx_fail(cx, TWX_E_CONFIG,
                        "cluster.urls: '%.200s' begins with neither https:// nor http://", url);
    twx_slice host = twx_slice_sub(whole, secure ? 8 : 7, whole.n);
    if (host.n && host.p[host.n - 1] == '/') host.n--;
    for (size_t i = 0; i < host.n; i++)
        if (strchr("/?#@ ", host.p[i]))
            return twx_fail(cx, TWX_E_CONFIG,
                            "cluster.urls: '%.200s' is more than scheme, host and port; user and "
                            "password are settings of their own",
                            url);
    const size_t bracket = twx_slice_find(host, ']', 0);
    host.n = twx_slice_find(host, ':', bracket < host.n ? bracket : 0);
    if (host.n == 0) return twx_fail(cx, TWX_E_CONFIG, "cluster.urls: '%.200s' has no host", url);
    if (secure || is_loopback(host)) return TWX_OK;
    return twx_fail(cx, TWX_E_CONFIG,
                    "cluster.urls: '%.200s' would send the password and the data unencrypted: "
                    "plain http is for addresses of this machine only, use https",
                    url);
}

static twx_rc add_node(twx_nodes *nodes, twx_slice word) {
    twx_ctx *cx = nodes->job->cx;
    twx_node node = {.url = twx_strndup(cx, word.p, word.n),
                     .address = {.max = 2 * TWX_STATEMENT_BYTES},
                     .answer = {.max = TWX_ANSWER_BYTES}};
    twx_rc rc = node.url ? check_url(cx, node.url) : TWX_E_NOMEM;
    if (rc == TWX_OK && nodes->at.n == TWX_NODES_MAX)
        rc = twx_fail(cx, TWX_E_CONFIG, "cluster.urls: more than %d nodes", TWX_NODES_MAX);
    if (rc == TWX_OK && !TWX_VEC_PUSH(cx, &nodes->at, node)) rc = TWX_E_NOMEM;
    if (rc != TWX_OK) twx_free(node.url);
    return rc;
}

/* [R3] */
static twx_rc read_password(twx_nodes *nodes) {
    twx_ctx *cx = nodes->job->cx;
    const char *path = nodes->job->settings->cluster_password_file;
    char text[PASSWORD_MAX + 1] = "";
    struct stat st;
    if (!path || !path[0]) return TWX_OK;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const bool opened = fd >= 0 && fstat(fd, &st) == 0;
    const ssize_t n = opened && S_ISREG(st.st_mode) ? read(fd, text, PASSWORD_MAX) : 0;
    const int reason = errno;
    twx_rc rc = opened ? twx_file_trust(cx, path, fd, TWX_FILE_NAMED) : TWX_OK;
    if (fd >= 0) close(fd);
    if (!opened || n < 0)
        return twx_fail(cx, TWX_E_IO, "cluster.password_file: cannot read '%s': %s", path,
                        strerror(reason));
    if (!S_ISREG(st.st_mode) || st.st_mode & 077)
        return twx_fail(cx, TWX_E_CONFIG,
                        "cluster.password_file: '%s' must be a regular file that only its owner "
                        "can read: chmod 600",
                        path);
    twx_slice all = {text, (size_t)n}, line = twx_slice_next_line(&all);
    if (line.n && line.p[line.n - 1] == '\r') line.n--; /* the file was edited on Windows */
    if (rc == TWX_OK && !(nodes->password = twx_strndup(cx, line.p, line.n))) rc = TWX_E_NOMEM;
    explicit_bzero(text, sizeof text);
    return rc;
}

/* libcurl opens the file itself, but only who can write to its folder can replace it meanwhile. */
static twx_rc check_ca_file(const twx_nodes *nodes) {
    const char *path = nodes->job->settings->cluster_ca_file;
    const int fd = path && path[0] ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    if (fd < 0) return TWX_OK; /* libcurl reports a file that cannot be opened */
    const twx_rc rc = twx_file_trust(nodes->job->cx, path, fd, TWX_FILE_NAMED);
    close(fd);
    return rc;
}

/* ---- one request --------------------------------------------------------- */

static size_t receive(char *bytes, size_t size, size_t n, void *arg) {
    twx_node *node = arg;
    twx_ctx cx = {0};
    (void)size; /* 1 */
    if (twx_buf_add(&cx, &node->answer, bytes, n) == TWX_OK) return n;
    node->too_long = true;
    return 0;
}

static const char *user_of(const twx_nodes *nodes) {
    const char *user = nodes->job->settings->cluster_user;
    return user && user[0] ? user : "default";
}

/* A name that curl does not know is a mistake of this file. */
#define SET(node, option, value) (void)curl_easy_setopt((node)->curl, (option), (value))

static twx_rc prepare(twx_nodes *nodes, twx_node *node) {
    const twx_settings *s = nodes->job->settings;
    node->curl = curl_easy_init();
    if (!node->curl) return twx_fail(nodes->job->cx, TWX_E_NOMEM, "out of memory for libcurl");
    SET(node, CURLOPT_NOSIGNAL, 1L);
    SET(node, CURLOPT_PROTOCOLS_STR, "http,https");
    SET(node, CURLOPT_FOLLOWLOCATION, 0L);
    SET(node, CURLOPT_PROXY, "");
    SET(node, CURLOPT_SSL_VERIFYPEER, 1L);
    SET(node, CURLOPT_SSL_VERIFYHOST, 2L);
    SET(node, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    if (s->cluster_ca_file && s->cluster_ca_file[0]) SET(node, CURLOPT_CAINFO, s->cluster_ca_file);
    SET(node, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_SECONDS);
    SET(node, CURLOPT_TIMEOUT, (long)s->cluster_timeout);
    SET(node, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
    SET(node, CURLOPT_USERNAME, user_of(nodes));
    SET(node, CURLOPT_PASSWORD, nodes->password ? nodes->password : "");
    SET(node, CURLOPT_ERRORBUFFER, node->error);
    SET(node, CURLOPT_WRITEFUNCTION, receive);
    SET(node, CURLOPT_WRITEDATA, node);
    SET(node, CURLOPT_PRIVATE, node);
    return TWX_OK;
}

/* [R1] wait_end_of_query: the status comes after the last row, so it is that of the whole
 * statement. insert_distributed_sync: rows have arrived at their nodes when an INSERT ends. */
static const char PARAMETERS[] = "/?wait_end_of_query=1&insert_distributed_sync=1";

static twx_rc begin(twx_nodes *nodes, twx_node *node, twx_slice rows) {
    twx_ctx *cx = nodes->job->cx;
    const size_t length = strlen(node->url);
    /* rows would not be read from their first byte after a statement that ends with a line feed */
    const twx_slice sql = twx_slice_trim(twx_buf_slice(&nodes->sql)), body = rows.p ? rows : sql;
    char *escaped = rows.p ? curl_easy_escape(node->curl, sql.p, (int)sql.n) : NULL;
    twx_buf_clear(&node->address);
    twx_buf_clear(&node->answer);
    node->error[0] = '\0';
    node->too_long = false;
    node->ended = CURLE_ABORTED_BY_CALLBACK;
    twx_rc rc = rows.p && !escaped ? twx_fail(cx, TWX_E_NOMEM, "out of memory for libcurl")
                                   : twx_buf_add(cx, &node->address, node->url,
                                                 length - (node->url[length - 1] == '/'));
    if (rc == TWX_OK) rc = twx_buf_add_text(cx, &node->address, PARAMETERS);
    if (rc == TWX_OK && escaped) rc = twx_buf_printf(cx, &node->address, "&query=%s", escaped);
    curl_free(escaped);
    if (rc != TWX_OK) return rc;
    SET(node, CURLOPT_URL, node->address.p);
    SET(node, CURLOPT_POST, 1L);
    SET(node, CURLOPT_POSTFIELDS, body.p);
    SET(node, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body.n);
    if (curl_multi_add_handle(nodes->multi, node->curl) == CURLM_OK) return TWX_OK;
    return twx_fail(cx, TWX_E_INTERNAL, "libcurl refuses a request");
}

/* ClickHouse's codes for an unknown user or a wrong password. */
static bool is_refused_user(long status, twx_slice message) {
    static const char *const CODES[] = {"Code: 192,", "Code: 193,", "Code: 194,", "Code: 516."};
    for (size_t i = 0; i < TWX_COUNTOF(CODES); i++)
        if (twx_slice_starts(message, twx_slice_of(CODES[i]))) return true;
    return status == 401 || status == 403;
}

static twx_rc check_answer(twx_nodes *nodes, const twx_node *node, const char *name) {
    twx_ctx *cx = nodes->job->cx;
    char room[NAME_BYTES];
    const char *statement = lower_name(name, room);
    long status = 0;
    if (node->too_long)
        return twx_fail(cx, TWX_E_LIMIT, "%s: the answer to '%s' is longer than %d bytes",
                        node->url, statement, TWX_ANSWER_BYTES);
    if (node->ended != CURLE_OK)
        return twx_fail(cx, TWX_E_IO, "%s: '%s': %s", node->url, statement,
                        node->error[0] ? node->error : curl_easy_strerror(node->ended));
    (void)curl_easy_getinfo(node->curl, CURLINFO_RESPONSE_CODE, &status);
    twx_slice text = twx_slice_trim(twx_buf_slice(&node->answer));
    const twx_slice message = twx_slice_sub(twx_slice_next_line(&text), 0, SHOWN_BYTES);
    if (status == HTTP_OK && !twx_slice_starts(message, TWX_SLICE_LIT("Code: "))) return TWX_OK;
    if (is_refused_user(status, message))
        return twx_fail(
            cx, TWX_E_CONFIG,
            "%s refuses the user '%s' or the password (cluster.user, cluster.password_file): %.*s",
            node->url, user_of(nodes), (int)message.n, message.p);
    return twx_fail(cx, TWX_E_DATA, "%s: '%s' failed with status %ld: %.*s", node->url, statement,
                    status, (int)message.n, message.p);
}

/* ---- requests to some nodes ---------------------------------------------- */

static twx_rc wait_for_all(twx_nodes *nodes) {
    twx_rc rc = TWX_OK;
    for (int running = 1; rc == TWX_OK && running > 0;) {
        CURLMcode code = curl_multi_perform(nodes->multi, &running);
        int left = 0;
        for (CURLMsg *m; (m = curl_multi_info_read(nodes->multi, &left));) {
            twx_node *node = NULL;
            if (m->msg != CURLMSG_DONE) continue;
            (void)curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, (char **)&node);
            node->ended = m->data.result;
        }
        if (code == CURLM_OK && running > 0)
            code = curl_multi_poll(nodes->multi, NULL, 0, POLL_MS, NULL);
        rc = code == CURLM_OK
                 ? twx_cancelled(nodes->job->cx)
                 : twx_fail(nodes->job->cx, TWX_E_IO, "libcurl: %s", curl_multi_strerror(code));
    }
    return rc;
}

static twx_rc fill(twx_nodes *nodes, const twx_statement *s) {
    const twx_settings *settings = nodes->job->settings;
    const twx_statement_value values[] = {{"db", settings->cluster_database, 0},
                                          {"cluster", settings->cluster_name, 0},
                                          {"ranges", NULL, settings->cluster_ranges},
                                          {"run", NULL, s->run},
                                          {"shard", NULL, s->shard},
                                          {"range", NULL, s->range},
                                          {"relations", NULL, s->relations},
                                          {"collapse_min", NULL, s->collapse_min},
                                          {"width", NULL, s->width},
                                          {"pass", NULL, s->pass},
                                          {"round", NULL, s->round},
                                          {"base", NULL, s->base},
                                          {"cap", NULL, s->cap},
                                          {"batch", NULL, s->batch},
                                          {"parts", NULL, s->parts},
                                          {"table", s->table ? s->table : "", 0},
                                          {"key", s->key ? s->key : "", 0},
                                          {"old", s->old ? s->old : "", 0},
                                          {"new", s->fresh ? s->fresh : "", 0}};
    twx_buf_clear(&nodes->sql);
    return twx_statement_fill(nodes->job->cx, s->sql, values, TWX_COUNTOF(values), &nodes->sql);
}

static twx_rc run(twx_nodes *nodes, size_t first, size_t end, const twx_statement *s,
                  twx_slice rows, twx_buf *ret_answers) {
    size_t begun = first;
    twx_rc rc = fill(nodes, s);
    for (; rc == TWX_OK && begun < end; begun++) {
        twx_node *node = &nodes->at.at[begun];
        if (!node->curl) rc = prepare(nodes, node);
        if (rc == TWX_OK) rc = begin(nodes, node, rows);
    }
    if (rc == TWX_OK) rc = wait_for_all(nodes);
    for (size_t i = first; i < begun; i++)
        if (nodes->at.at[i].curl)
            (void)curl_multi_remove_handle(nodes->multi, nodes->at.at[i].curl);
    for (size_t i = first; rc == TWX_OK && i < end; i++)
        rc = check_answer(nodes, &nodes->at.at[i], s->name);
    for (size_t i = first; rc == TWX_OK && ret_answers && i < end; i++)
        rc = twx_buf_add_slice(nodes->job->cx, ret_answers, twx_buf_slice(&nodes->at.at[i].answer));
    return rc;
}

twx_rc twx_nodes_run(twx_nodes *nodes, size_t node, const twx_statement *statement, twx_slice rows,
                     twx_buf *ret_answer) {
    return run(nodes, node, node + 1, statement, rows, ret_answer);
}

twx_rc twx_nodes_run_all(twx_nodes *nodes, const twx_statement *statement, twx_buf *ret_answers) {
    return run(nodes, 0, nodes->at.n, statement, (twx_slice){NULL, 0}, ret_answers);
}

twx_rc twx_nodes_read(twx_nodes *nodes, const twx_statement *statement, twx_row_fn read,
                      void *arg) {
    twx_buf answers = {.max = TWX_ANSWER_BYTES};
    twx_rc rc = twx_nodes_run_all(nodes, statement, &answers);
    if (rc == TWX_OK)
        rc = twx_rows_each(nodes->job->cx, statement->name, twx_buf_slice(&answers), read, arg);
    twx_buf_done(&answers);
    return rc;
}

/* Adds the numbers of a line, which tabs separate. */
static bool add_line(twx_slice line, uint64_t *sums, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint64_t v = 0;
        if (!twx_read_count(twx_slice_cut(&line, '\t'), &v)) return false;
        sums[i] += v;
    }
    return line.n == 0;
}

twx_rc twx_nodes_sums(twx_nodes *nodes, const twx_statement *statement, uint64_t *ret_sums,
                      size_t n) {
    enum { SUMS_MAX = 4 };
    uint64_t sums[SUMS_MAX] = {0};
    twx_buf answers = {.max = TWX_ANSWER_BYTES};
    size_t lines = 0;
    twx_rc rc = twx_nodes_run_all(nodes, statement, &answers);
    for (twx_slice rest = twx_buf_slice(&answers); rc == TWX_OK && rest.n > 0; lines++)
        if (!add_line(twx_slice_next_line(&rest), sums, n)) break;
    if (rc == TWX_OK && lines != twx_nodes_count(nodes))
        rc = twx_fail_answer(nodes->job->cx, statement->name);
    twx_buf_done(&answers);
    if (rc == TWX_OK) memcpy(ret_sums, sums, n * sizeof *sums);
    return rc;
}

/* ---- life ---------------------------------------------------------------- */

twx_rc twx_nodes_open(const twx_job *job, twx_nodes **ret_nodes) {
    twx_nodes *nodes = twx_calloc(job->cx, 1, sizeof *nodes);
    if (!nodes) return TWX_E_NOMEM;
    nodes->job = job;
    twx_buf_init(&nodes->sql, TWX_STATEMENT_BYTES);
    /* a cluster joins equal texts by their digests, and orders documents by keys of their own */
    const char *hosts = job->settings->hosts;
    twx_rc rc = TWX_OK;
    if ((hosts && *hosts) || job->settings->near_text != TWX_SIGNED_ALL)
        rc = twx_fail(
            job->cx, TWX_E_CONFIG,
            "near.text = main and sections [host ...] are not possible with a cluster: it "
            "would find other groups than 'run'");
    twx_slice rest = twx_slice_of(job->settings->cluster_urls), url;
    while (rc == TWX_OK && twx_slice_next_item(&rest, ",", &url)) rc = add_node(nodes, url);
    if (rc == TWX_OK && nodes->at.n == 0)
        rc = twx_fail(job->cx, TWX_E_CONFIG,
                      "cluster.urls: no server is named; see docs/cluster.md");
    if (rc == TWX_OK) rc = read_password(nodes);
    if (rc == TWX_OK) rc = check_ca_file(nodes);
    if (rc == TWX_OK && curl_global_init(CURL_GLOBAL_DEFAULT) == 0)
        nodes->multi = curl_multi_init();
    if (rc == TWX_OK && !nodes->multi)
        rc = twx_fail(job->cx, TWX_E_NOMEM, "out of memory for libcurl");
    TWX_HAND_OVER(rc, ret_nodes, nodes, twx_nodes_close(nodes));
    return rc;
}

void twx_nodes_close(twx_nodes *nodes) {
    if (!nodes) return;
    for (size_t i = 0; i < nodes->at.n; i++) {
        curl_easy_cleanup(nodes->at.at[i].curl);
        twx_buf_done(&nodes->at.at[i].address);
        twx_buf_done(&nodes->at.at[i].answer);
        twx_free(nodes->at.at[i].url);
    }
    TWX_VEC_DONE(&nodes->at);
    if (nodes->multi) {
        (void)curl_multi_cleanup(nodes->multi);
        curl_global_cleanup();
    }
    if (nodes->password) explicit_bzero(nodes->password, strlen(nodes->password));
    twx_free(nodes->password);
    twx_buf_done(&nodes->sql);
    twx_free(nodes);
}

size_t twx_nodes_count(const twx_nodes *nodes) {
    return nodes->at.n;
}

const char *twx_nodes_url(const twx_nodes *nodes, size_t node) {
    return nodes->at.at[node].url;
}

/* ==== judging */

/* With what all statements of the run name; counts it for progress. */
static twx_statement of_run(twx_judging *j, const twx_statement *statement) {
    twx_statement s = *statement;
    s.run = j->run;
    s.relations = j->relations;
    s.collapse_min = j->collapse_min;
    twx_job_progress(j->job, "judge", "statements", ++j->statements, 0);
    return s;
}

twx_rc twx_judging_ask(twx_judging *j, const twx_statement *statement, twx_buf *ret_answers) {
    const twx_statement s = of_run(j, statement);
    return twx_nodes_run_all(j->nodes, &s, ret_answers);
}

twx_rc twx_judging_read(twx_judging *j, const twx_statement *statement, twx_row_fn read,
                        void *arg) {
    const twx_statement s = of_run(j, statement);
    return twx_nodes_read(j->nodes, &s, read, arg);
}

twx_rc twx_judging_put(twx_judging *j, const twx_statement *statement, twx_slice rows) {
    const twx_statement s = of_run(j, statement);
    const size_t node = (size_t)(j->statements % twx_nodes_count(j->nodes));
    return twx_nodes_run(j->nodes, node, &s, rows, NULL);
}

twx_rc twx_judging_step(twx_judging *j, const twx_statement *statement) {
    return twx_judging_ask(j, statement, NULL);
}

twx_rc twx_judging_steps(twx_judging *j, const twx_statement *steps, size_t n) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < n; i++) rc = twx_judging_step(j, &steps[i]);
    return rc;
}

twx_rc twx_judging_ranges(twx_judging *j, const twx_statement *statement) {
    twx_statement s = *statement;
    twx_rc rc = TWX_OK;
    for (; rc == TWX_OK && s.range < j->job->settings->cluster_ranges; s.range++)
        rc = twx_judging_step(j, &s);
    return rc;
}

twx_rc twx_judging_sums(twx_judging *j, const twx_statement *statement, uint64_t *ret_sums,
                        size_t n) {
    const twx_statement s = of_run(j, statement);
    return twx_nodes_sums(j->nodes, &s, ret_sums, n);
}
