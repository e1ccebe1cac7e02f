/* text/stem_language.h: the languages that Snowball can stem, and how stores name them.
 * [R1] The numbers are stored in text indexes: a new language gets a new number at the end. */
#ifndef TWX_TEXT_STEM_LANGUAGE_H
#define TWX_TEXT_STEM_LANGUAGE_H

#include "base/slice.h"

enum { TWX_LANGUAGES = 28, TWX_LANGUAGE_NONE = 0 }; /* numbers 1..TWX_LANGUAGES */

/* From a tag such as "de", "en-US", "pt_BR" or "deu", or the English name; TWX_LANGUAGE_NONE: it is
 * empty, unknown, or a language without a stemmer. */
unsigned twx_stem_language(twx_slice declared);
/* The English name, which is also that of Snowball's algorithm; NULL: no such number. */
const char *twx_stem_language_name(unsigned language);

#endif
