#include "base/rc.h"

static const struct {
    const char *name;
    const char *text;
    int exit_code;
} RCS[] = {
#define TWX_RC_ROW(name, exit_code, text) {#name, text, exit_code},
    TWX_RC_TABLE(TWX_RC_ROW)
#undef TWX_RC_ROW
};

static twx_rc known(twx_rc rc) {
    return (unsigned)rc < TWX_RC_COUNT ? rc : TWX_E_INTERNAL;
}

const char *twx_rc_name(twx_rc rc) {
    return RCS[known(rc)].name;
}

const char *twx_rc_text(twx_rc rc) {
    return RCS[known(rc)].text;
}

int twx_rc_exit(twx_rc rc) {
    return RCS[known(rc)].exit_code;
}
