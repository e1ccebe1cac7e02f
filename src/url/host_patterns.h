/* url/host_patterns.h: which settings apply to a host: the text of the setting `hosts`, which
 * sections [host NAME] of a configuration file are turned into. Sections are separated by "|",
 * their words by blanks: a pattern, then name=value for each setting, with commas in lists:
 * "docs.example.org near.text=main | .example.com verdict.order=url_length,score".
 * A pattern is a host, or a dot (or "*.") and a domain: that domain and every host below it.
 * [R1] The most specific pattern applies: the host itself, else the longest domain. Sections are
 * not merged. */
#ifndef TWX_URL_HOST_PATTERNS_H
#define TWX_URL_HOST_PATTERNS_H

#include "base/slice.h"

enum { TWX_HOST_SECTIONS_MAX = 64 };

typedef struct twx_host_section {
    twx_slice pattern; /* as given */
    twx_slice host;    /* without the dot */
    bool below;        /* hosts below it, too */
    twx_slice values;  /* "name=value name=value" */
} twx_host_section;

/* Takes the next section off the text; false: none is left. */
bool twx_host_section_next(twx_slice *sections, twx_host_section *ret_section);
/* Takes the next setting off section->values; false: none is left. The value is absent if there is
 * no "=". */
bool twx_host_value_next(twx_slice *values, twx_slice *ret_name, twx_slice *ret_value);
/* [R1] The number of the section that applies to a host in normal form, from 1; 0: none.
 * ret_section: NULL allowed. */
unsigned twx_host_section_of(twx_slice sections, twx_slice host, twx_host_section *ret_section);
/* The value of a setting in a section; absent: it does not set it. */
twx_slice twx_host_section_value(const twx_host_section *section, const char *name);

#endif
