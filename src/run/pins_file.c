#include "run/pins_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/plural.h"
#include "base/trusted_file.h"

enum { WARNINGS_MAX = 10, LINE_BYTES = 1 << 16 };

/* ---- reading ------------------------------------------------------------ */

/* A pipe or a device could block or never end. */
static twx_rc read_file(twx_ctx *cx, const char *path, twx_buf *text) {
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &st) != 0) {
        twx_rc rc = twx_fail(cx, TWX_E_IO, "verdict.pins: cannot read '%s': %s", path,
                             strerror(errno));
        if (fd >= 0) close(fd);
        return rc;
    }
    twx_rc rc = S_ISREG(st.st_mode)
                    ? twx_file_trust(cx, path, fd, TWX_FILE_NAMED)
                    : twx_fail(cx, TWX_E_CONFIG, "verdict.pins: '%s' is not a regular file", path);
    if (rc == TWX_OK) rc = twx_buf_add_file(cx, text, path, fd, TWX_E_IO);
    close(fd);
    return rc;
}

twx_rc twx_pins_load(const twx_job *job, const twx_url_options *options, twx_pins **ret_pins) {
    const char *path = job->settings->verdict_pins;
    twx_buf text;
    *ret_pins = NULL;
    if (!path || !path[0]) return TWX_OK;
    twx_buf_init(&text, TWX_PINS_BYTES_MAX);
    twx_rc rc = read_file(job->cx, path, &text);
    if (rc == TWX_OK) rc = twx_pins_parse(job->cx, options, path, twx_buf_slice(&text), ret_pins);
    twx_buf_done(&text);
    return rc;
}

/* ---- lines without effect ---------------------------------------------- */

typedef struct reporting {
    const twx_job *job;
    const twx_pins *pins;
    twx_summary *summary;
    uint64_t *documents; /* counts by pinned URL, followed by counts by prefix */
    uint64_t *taking_part;
} reporting;

static twx_rc report_line(reporting *r, const twx_pin *pin, const char *what, twx_slice name) {
    twx_buf line;
    twx_buf_init(&line, LINE_BYTES);
    twx_rc rc = twx_buf_printf(r->job->cx, &line, "%s:%zu: %s " TWX_SLICE_FMT ": %s",
                               twx_pins_path(r->pins), pin->line, twx_pin_kind_name(pin->kind),
                               TWX_SLICE_ARG(name), what);
    if (rc == TWX_OK && r->summary->n_idle_pins++ < WARNINGS_MAX)
        twx_job_message(r->job, TWINDEX_WARNING, "%s", line.p);
    if (rc == TWX_OK) rc = twx_buf_printf(r->job->cx, &r->summary->idle_pins, "%s\n", line.p);
    twx_buf_done(&line);
    /* the list is full; further lines are only counted */
    return rc == TWX_E_LIMIT ? (twx_ctx_clear(r->job->cx), TWX_OK) : rc;
}

static twx_rc check_line(reporting *r, const twx_pin *pin) {
    const size_t urls = twx_pins_urls(r->pins);
    twx_rc rc = TWX_OK;
    for (int k = 0; rc == TWX_OK && k < 2 && pin->name[k].p; k++) {
        const size_t at = pin->kind == TWX_PIN_PREFER ? urls + pin->number[k] : pin->number[k];
        if (r->documents[at] == 0)
            rc = report_line(r, pin,
                             pin->kind == TWX_PIN_PREFER ? "no document is preferred by this line"
                                                         : "no document has this URL",
                             pin->name[k]);
        else if (pin->kind == TWX_PIN_KEEP && r->taking_part[at] == 0)
            rc = report_line(r, pin, "the document does not take part and stays hidden",
                             pin->name[k]);
    }
    return rc;
}

twx_rc twx_pins_report(const twx_job *job, const twx_pins *pins, const twx_judgement *j,
                       twx_summary *summary) {
    if (!pins) return TWX_OK;
    const size_t urls = twx_pins_urls(pins), n = urls + TWX_PINS_MAX;
    reporting r = {.job = job, .pins = pins, .summary = summary};
    r.documents = twx_calloc(job->cx, n, sizeof *r.documents);
    r.taking_part = twx_calloc(job->cx, n, sizeof *r.taking_part);
    twx_rc rc = r.documents && r.taking_part ? TWX_OK : TWX_E_NOMEM;
    for (uint32_t i = 0; rc == TWX_OK && i < j->docs.at.n; i++) {
        const uint32_t url = j->docs.pinned[i], prefix = j->docs.preferred[i];
        const bool in = j->links.eligibility[i] == TWX_ELIGIBLE;
        if (url) r.documents[url - 1]++, r.taking_part[url - 1] += in;
        if (prefix) r.documents[urls + prefix - 1]++;
    }
    twx_buf_clear(&summary->idle_pins);
    summary->n_idle_pins = 0;
    summary->pins_file = twx_pins_path(pins);
    summary->n_pins = 0;
    for (const twx_pin *pin; rc == TWX_OK && (pin = twx_pins_at(pins, summary->n_pins));
         summary->n_pins++)
        rc = check_line(&r, pin);
    if (rc == TWX_OK && summary->n_idle_pins > WARNINGS_MAX)
        twx_job_message(job, TWINDEX_WARNING,
                        "%s: %" PRIu64 " more pins concern no document (--json lists them)",
                        twx_pins_path(pins), (uint64_t)summary->n_idle_pins - WARNINGS_MAX);
    twx_free(r.documents);
    twx_free(r.taking_part);
    return rc;
}

/* ---- one document ------------------------------------------------------- */

twx_rc twx_pins_each_of(twx_ctx *cx, const twx_pins *pins, uint64_t url_key, twx_slice url,
                        twx_pin_line_fn *fn, void *arg) {
    const twx_pin_match match = twx_pins_match(pins, url_key, url);
    twx_rc rc = TWX_OK;
    const twx_pin *pin = NULL;
    for (size_t i = 0; rc == TWX_OK && (pin = twx_pins_at(pins, i)); i++) {
        twx_buf line;
        const bool prefix = pin->kind == TWX_PIN_PREFER;
        const bool first = (prefix ? match.preferred : match.url) == pin->number[0] + 1;
        const bool second = pin->kind == TWX_PIN_SEPARATE && match.url == pin->number[1] + 1;
        const twx_slice shown = pin->name[first && pin->kind == TWX_PIN_SEPARATE];
        if (!first && !second) continue;
        twx_buf_init(&line, LINE_BYTES);
        rc = twx_buf_printf(cx, &line, "%s%s " TWX_SLICE_FMT " (%s:%zu)",
                            twx_pin_kind_name(pin->kind),
                            pin->kind == TWX_PIN_SEPARATE ? " from" : "", TWX_SLICE_ARG(shown),
                            twx_pins_path(pins), pin->line);
        if (rc == TWX_OK) rc = fn(arg, line.p);
        twx_buf_done(&line);
    }
    return rc;
}
