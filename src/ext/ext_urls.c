/* The normal form of URLs and parts of it, as in a run without url.* settings. */
#include "ext/ext_functions.h"
#include "url/domain.h"
#include "url/url_twin.h"

/* TWX_DONE: the URL is not usable. */
static twx_rc normal_url(twx_ext_call *call, twx_url *ret_url) {
    twx_ext *x = call->ext;
    twx_slice text;
    twx_rc rc = twx_ext_bytes(call, 0, &text);
    if (rc == TWX_OK) rc = twx_url_normalize(&x->cx, &x->scratch, &x->params.url, text, ret_url);
    if (rc != TWX_OK) return rc;
    return ret_url->fault == TWX_URL_OK ? TWX_OK : TWX_DONE;
}

twx_rc twx_ext_url_normalize(twx_ext_call *call) {
    twx_url url;
    twx_rc rc = normal_url(call, &url);
    return rc == TWX_OK ? twx_ext_give_text(call, url.whole) : rc;
}

/* The URL without www. and without its scheme: "//host/path". */
twx_rc twx_ext_url_twin_key(twx_ext_call *call) {
    twx_url url;
    twx_slice twin;
    twx_rc rc = normal_url(call, &url);
    if (rc == TWX_OK) rc = twx_url_forms_twin(&call->ext->cx, &call->ext->scratch, &url, &twin);
    if (rc != TWX_OK) return rc;
    return twin.p ? twx_ext_give_text(call, twin) : TWX_DONE;
}

twx_rc twx_ext_url_host(twx_ext_call *call) {
    twx_url url;
    twx_rc rc = normal_url(call, &url);
    return rc == TWX_OK ? twx_ext_give_text(call, url.host) : rc;
}

twx_rc twx_ext_url_domain(twx_ext_call *call) {
    twx_url url;
    twx_rc rc = normal_url(call, &url);
    if (rc != TWX_OK) return rc;
    return url.host.p ? twx_ext_give_text(call, twx_registrable_domain(url.host)) : TWX_DONE;
}
