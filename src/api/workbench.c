/* The calls that write what a workbench shows. */
#include "api/call.h"
#include "base/alloc.h"
#include "inspect/add_pin.h"
#include "search/find.h"
#include "search/read_overview.h"
#include "search/try_rules.h"

int twindex_try_rules(twindex *t, const twindex_try_options *options, const twindex_sink *sink) {
    twx_call c = twx_call_begin(t, sink);
    if (c.rc == TWX_OK) c.rc = twx_try_rules(&c.job, options, &c.out);
    return twx_call_finish(&c);
}

int twindex_check_rules(twindex *t, const twindex_rules_text *rules, const twindex_sink *sink) {
    twx_ctx_clear(&t->cx);
    (void)twx_allocation_failed(); /* of an earlier call */
    const twx_out out = {.cx = &t->cx, .sink = sink};
    return twx_rc_exit(twx_check_rules_text(&t->cx, rules, &out));
}

int twindex_find(twindex *t, const char *words, size_t limit, const twindex_sink *sink) {
    twx_call c = twx_call_begin(t, sink);
    twx_found_list list;
    twx_found_list_init(&list);
    if (c.rc == TWX_OK) c.rc = twx_find(&c.job, words, limit, &list);
    if (c.rc == TWX_OK) c.rc = twx_found_list_write(&c.out, &list);
    twx_found_list_done(&list);
    return twx_call_finish(&c);
}

int twindex_add_pin(twindex *t, const twindex_pin *pin, const twindex_sink *sink) {
    twx_call c = twx_call_begin(t, sink);
    if (c.rc == TWX_OK) c.rc = twx_add_pin(&c.job, pin, &c.out);
    return twx_call_finish(&c);
}

int twindex_overview(twindex *t, const twindex_sink *sink) {
    twx_call c = twx_call_begin(t, sink);
    twx_overview o;
    twx_ranking_rules none = {0};
    twx_overview_init(&o);
    if (c.rc == TWX_OK) c.rc = twx_ranking_rules_load(c.job.cx, NULL, &none);
    if (c.rc == TWX_OK) c.rc = twx_read_overview(&c.job, &none, &o);
    if (c.rc == TWX_OK) c.rc = twx_overview_write(&c.out, &o);
    twx_overview_done(&o);
    twx_ranking_rules_done(&none);
    return twx_call_finish(&c);
}
