/* cli/topics.h: what 'twindex help TOPIC' and 'twindex settings NAME' print. A topic is a command,
 * a page of docs/topics, a setting or a section of settings, or a detector, in this order. */
#ifndef TWX_CLI_TOPICS_H
#define TWX_CLI_TOPICS_H

#include "cli/page.h"
#include "twindex/twindex.h"

/* Bytes of the section in the name of a setting: 4 of "near.scope"; 0: it has none. */
size_t twx_section_length(const twindex_setting *s);
/* Whether the setting is in the section name[0..n). s may be NULL. */
bool twx_in_section(const twindex_setting *s, const char *name, size_t n);

/* Whether a list of settings for `name` has this one. name: a setting or a section;
 * NULL: all settings. */
bool twx_is_asked(const twindex_setting *s, const char *name);
/* Errors TWX_E_USAGE, with what was probably meant: no setting or section has this name. */
TWX_CHECK twx_rc twx_settings_name_check(twx_ctx *cx, const char *name);
/* The settings of `name`; of a single one also the ways to set it. */
void twx_settings_write(twx_page *page, const char *name);
/* Errors TWX_E_USAGE: there is no such topic. */
TWX_CHECK twx_rc twx_topic_write(twx_page *page, const char *name);

#endif
