/* Questions go to the nodes of keys, and answers to the nodes of documents; then the ranks are made
 * (asked in sql/cluster/work.sql, said.sql). */
#include "cluster/judging.h"
#include "sql_text.h"

/* A statement, for each range of keys or once. */
typedef struct place_step {
    twx_statement statement;
    bool by_range;
} place_step;

twx_rc twx_judging_places(twx_judging *j) {
    const place_step steps[] = {
        {TWX_JUDGING_STATEMENT("ask_sites", ASK_SITES), false},
        {TWX_JUDGING_STATEMENT("say_sites", SAY_SITES), false},
        {TWX_JUDGING_STATEMENT("ask_forms", ASK_FORMS), false},
        {TWX_JUDGING_STATEMENT("say_forms", SAY_FORMS), true},
        {TWX_JUDGING_STATEMENT("ask_texts", ASK_TEXTS), false},
        {TWX_JUDGING_STATEMENT("count_texts", COUNT_TEXTS), true},
        {TWX_JUDGING_STATEMENT("ask_domains", ASK_DOMAINS), false},
        {TWX_JUDGING_STATEMENT("say_origins", SAY_ORIGINS), false},
        {TWX_JUDGING_STATEMENT("place_documents", PLACE_DOCUMENTS), false},
    };
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(steps); i++) {
        const uint64_t ranges = steps[i].by_range ? j->job->settings->cluster_ranges : 1;
        twx_statement s = steps[i].statement;
        for (s.range = 0; rc == TWX_OK && s.range < ranges; s.range++) rc = twx_judging_step(j, &s);
    }
    return rc == TWX_OK ? twx_work_empty(j->nodes, j->run, TWX_WORK_PUSHED) : rc;
}
