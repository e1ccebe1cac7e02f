/* wings: cluster */
/* Answers of servers: the first byte chooses the statement, the second where the answer of the
 * first node ends. Laws: reading ends, with rows that are in order or with TWX_E_DATA and a
 * message; what is read of a list of documents can be looked up again; flags that are read are
 * written and read to the same flags. */
#include "exact_copy.h"

#include "cluster/cluster.h"

enum { OWN = 7, WIDTH = 16 };

static twx_ctx cx;

/* true: it was read */
static bool outcome(twx_rc rc) {
    law(rc == TWX_OK || (rc == TWX_E_DATA && cx.message[0]));
    twx_ctx_clear(&cx);
    return rc == TWX_OK;
}

static void read_manifests(twx_slice first, twx_slice second) {
    twx_manifests m = {0};
    if (outcome(twx_rows_each(&cx, "manifests", first, twx_manifest_row, &m)) &&
        outcome(twx_rows_each(&cx, "contents", second, twx_contents_row, &m))) {
        const size_t n = m.n;
        twx_manifests_merge(&m);
        law(m.n <= n);
        for (size_t i = 0; i < m.n; i++) {
            law(i == 0 || m.at[i].shard > m.at[i - 1].shard);
            law(twx_manifest_of(&m, m.at[i].shard) == &m.at[i]);
        }
    }
    twx_manifests_done(&m);
}

static void read_runs(twx_slice all) {
    twx_cluster_runs runs = {0};
    if (outcome(twx_rows_each(&cx, "runs", all, twx_cluster_run_row, &runs))) {
        twx_manifests_merge(&runs.judged);
        twx_manifests_merge(&runs.open);
        for (size_t i = 1; i < runs.judged.n; i++)
            law(runs.judged.at[i].shard > runs.judged.at[i - 1].shard);
        law(runs.last <= runs.newest && (runs.open.n == 0) == (runs.round == 0));
    }
    twx_cluster_runs_done(&runs);
}

static void read_pushed(twx_slice all) {
    twx_pushed_list list = {0};
    if (outcome(twx_rows_each(&cx, "pushed", all, twx_pushed_row, &list)))
        law(list.n == all.n / 16); /* all that came was read */
    TWX_VEC_DONE(&list);
}

static void read_remotes(twx_slice all, twx_remote_list *list) {
    static const twx_preference PREFERENCE = {
        .criteria = {TWX_BY_SCORE, TWX_BY_URL_LENGTH, TWX_BY_FETCHED_AT}};
    if (!outcome(twx_remote_list_read(&cx, all, OWN, &PREFERENCE, list))) return;
    for (size_t i = 0; i < list->at.n; i++) {
        const twx_remote_entry *e = &list->at.at[i];
        law(twx_is_remote(e->remote.doc) && e->uid.shard != OWN);
        law(twx_remote_list_of_uid(list, e->uid) == e);
        law(twx_remote_list_of_number(list, e->remote.doc) == e);
    }
}

static void read_text(const twx_flag_home *home, twx_slice text) {
    twx_flag_row row, again;
    twx_buf out = {.max = 1 << 16};
    if (!outcome(twx_flag_text_read(&cx, home, text, &row))) return;
    law(twx_flag_text_write(&cx, home, &row, &out) == TWX_OK);
    law(twx_flag_text_read(&cx, home, twx_buf_slice(&out), &again) == TWX_OK);
    law(twx_flag_row_eq(&row, &again));
    twx_buf_done(&out);
}

/* Rows, and the sums that the input says they have, or that they really have. */
static void read_rows(const twx_flag_home *home, twx_slice sums, twx_slice rows) {
    twx_pulled_parts parts = {0};
    twx_flag_row_list list = {0};
    if (outcome(twx_pulled_parts_read(&cx, sums, &parts))) {
        for (size_t i = 1; i < parts.n; i++) law(parts.at[i].number > parts.at[i - 1].number);
        if (outcome(twx_pulled_rows_read(&cx, home, rows, parts.at, parts.n, WIDTH, &list)))
            for (size_t i = 1; i < list.n; i++) law(list.at[i].doc >= list.at[i - 1].doc);
    }
    TWX_VEC_DONE(&parts);
    TWX_VEC_DONE(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    const twx_slice all = exact_copy(data + 2, size - 2);
    const size_t at = (size_t)data[1] * 8;
    const twx_slice first = twx_slice_sub(all, 0, at), second = twx_slice_sub(all, at, all.n);
    twx_remote_list list;
    const twx_flag_home home = {OWN, &list};
    twx_ctx_init(&cx);
    twx_remote_list_init(&list);
    switch (data[0] % 6) {
    case 0: read_manifests(first, second); break;
    case 1: read_runs(all); break;
    case 2: read_pushed(all); break;
    case 3: read_remotes(all, &list); break;
    case 4: read_text(&home, all); break;
    default: read_rows(&home, first, second);
    }
    twx_remote_list_done(&list);
    return exact_end();
}
