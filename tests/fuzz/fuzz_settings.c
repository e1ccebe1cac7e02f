/* A configuration file. Laws: it is taken, or refused with its name and a line of its own; a file
 * that is taken is taken a second time and changes nothing more; numbers stay in their ranges. */
#include "exact_copy.h"

#include "run/run.h"

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same(const twx_settings *a, const twx_settings *b) {
    bool texts = same_text(a->store_from, b->store_from) &&
                 same_text(a->store_where, b->store_where) &&
                 same_text(a->flags_file, b->flags_file) &&
                 same_text(a->verdict_order, b->verdict_order);
    for (size_t i = 0; i < TWX_COLUMNS; i++)
        texts = texts && same_text(a->store_map[i], b->store_map[i]);
    return texts &&
           a->methods.of[TWX_DETECTOR_PROFILE.id][TWX_PROFILE_QUANT_RATE] ==
               b->methods.of[TWX_DETECTOR_PROFILE.id][TWX_PROFILE_QUANT_RATE] &&
           a->run_memory == b->run_memory && a->url_steps == b->url_steps &&
           a->fuzzy_scope == b->fuzzy_scope && a->run_jobs == b->run_jobs;
}

static void check_refusal(const twx_ctx *cx, size_t lines) {
    static const char NAME[] = "/d/t.conf:";
    law(cx->rc == TWX_E_CONFIG || cx->rc == TWX_E_LIMIT);
    law(strncmp(cx->message, NAME, sizeof NAME - 1) == 0);
    unsigned long line = strtoul(cx->message + sizeof NAME - 1, NULL, 10);
    law(line >= 1 && line <= lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const twx_slice text = exact_copy(data, size);
    size_t lines = 1;
    twx_ctx cx = {0};
    twx_settings once, twice;
    for (size_t i = 0; i < size; i++) lines += text.p[i] == '\n';
    law(twx_settings_init(&cx, &once) == TWX_OK && twx_settings_init(&cx, &twice) == TWX_OK);
    if (twx_settings_parse(&cx, &once, "/d/t.conf", text) == TWX_OK) {
        law(twx_settings_parse(&cx, &twice, "/d/t.conf", text) == TWX_OK);
        law(twx_settings_parse(&cx, &twice, "/d/t.conf", text) == TWX_OK);
        law(same(&once, &twice));
    } else {
        check_refusal(&cx, lines);
    }
    law(once.methods.of[TWX_DETECTOR_PROFILE.id][TWX_PROFILE_QUANT_RATE] <= 1000000 &&
        once.run_jobs <= 256 && once.run_batch_rows >= 1);
    law(twx_job_memory(&once) >= 16 << 20 && once.exact_scope <= TWX_SCOPE_HOST &&
        once.verdict_relations && once.store_feed);
    twx_settings_done(&once);
    twx_settings_done(&twice);
    return exact_end();
}
