/* run/metrics.h: the figures of a run in the text format of Prometheus, for the textfile
 * collector of node_exporter.
 * Source: prometheus.io, "Exposition formats", text format 0.0.4. */
#ifndef TWX_RUN_METRICS_H
#define TWX_RUN_METRICS_H

#include "run/summary.h"

typedef struct twx_run_metrics {
    const twx_summary *summary;
    const char *label; /* the name of the store; NULL: its path */
    /* the counts are those of the published flags; false: only exit code and times are written */
    bool complete;
    int exit_code;
    int64_t ended_at; /* seconds since 1970 */
    double seconds;
} twx_run_metrics;

TWX_CHECK twx_rc twx_metrics_write(const twx_out *out, const twx_run_metrics *m);

#endif
