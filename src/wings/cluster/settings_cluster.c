#include "run/run.h"

static twx_rc check_cluster_name(twx_ctx *cx, const char *value) {
    const twx_slice name = twx_slice_of(value);
    bool fits = name.n > 0 && name.n <= 64 && !twx_is_digit((unsigned char)name.p[0]);
    for (size_t i = 0; fits && i < name.n; i++)
        fits = twx_is_alpha((unsigned char)name.p[i]) || twx_is_digit((unsigned char)name.p[i]) ||
               name.p[i] == '_';
    if (fits) return TWX_OK;
    return twx_fail(cx, TWX_E_CONFIG,
                    "cluster.name, cluster.database: '%.60s' is not a name of at most 64 letters, "
                    "digits and underscores that begins "
                    "with no digit",
                    value);
}

static const twx_setting_row ROWS[] = {
    {{"cluster.urls", "", "list of URLs",
      "The HTTP interfaces of all nodes of the ClickHouse cluster; http only on this machine."},
     TWX_SETTING_FIELD(TWX_KIND_TEXT, cluster_urls)},
    {{"cluster.name", "twindex", "name", "The cluster in the configuration of the servers."},
     TWX_KIND_LIST,
     offsetof(twx_settings, cluster_name),
     check_cluster_name},
    {{"cluster.database", "twindex", "name", "The database of Twindex on the servers."},
     TWX_KIND_LIST,
     offsetof(twx_settings, cluster_database),
     check_cluster_name},
    {{"cluster.shard", "0", "0..65535",
      "The number of the store among those that share the cluster; 0: none yet."},
     TWX_SETTING_FIELD(TWX_KIND_COUNT32, cluster_shard)},
    {{"cluster.ledger", "", "file",
      "The file that decides which result is published; all stores of the cluster share it."},
     TWX_SETTING_FIELD(TWX_KIND_FILE, cluster_ledger)},
    {{"cluster.user", "", "name", "The user of the servers; if not set, default."},
     TWX_SETTING_FIELD(TWX_KIND_TEXT, cluster_user)},
    {{"cluster.password_file", "", "file",
      "A file that only its owner can read, whose first line is the password."},
     TWX_SETTING_FIELD(TWX_KIND_FILE, cluster_password_file)},
    {{"cluster.ca_file", "", "file",
      "The certificates that sign those of the servers; if not set, those of the system."},
     TWX_SETTING_FIELD(TWX_KIND_FILE, cluster_ca_file)},
    {{"cluster.ranges", "1", "1..4096",
      "The parts in which a node groups its keys, one after the other; more need less memory."},
     TWX_SETTING_FIELD(TWX_KIND_COUNT32, cluster_ranges)},
    {{"cluster.timeout", "3600", "1..1000000",
      "The longest time a statement may take, in seconds."},
     TWX_SETTING_FIELD(TWX_KIND_COUNT32, cluster_timeout)},
};

const twx_setting_rows TWX_SETTINGS_CLUSTER = {ROWS, TWX_COUNTOF(ROWS)};
