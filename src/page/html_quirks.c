/* The document types that select quirks mode (HTML standard, section 13.2.6.4.1), in which a table
 * does not end a paragraph. */
#include "page/html_modes.h"
#include "quirks_table.h"

/* Public identifiers: share/tables/quirks.tsv. */
static const char *const PREFIXES[] = {QUIRKS_PREFIX_ROWS};
static const char *const PREFIXES_ALONE[] = {QUIRKS_PREFIX_ALONE_ROWS};
static const char *const WHOLE[] = {QUIRKS_WHOLE_ROWS};
static const char SYSTEM[] = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd";

bool twx_doctype_quirks(const twx_html_token *doctype) {
    const twx_slice id = doctype->public_id;
    if (doctype->force_quirks || !twx_slice_eq_nocase(doctype->text, TWX_SLICE_LIT("html")))
        return true;
    if (twx_slice_eq_nocase(doctype->system_id, TWX_SLICE_LIT(SYSTEM))) return true;
    for (size_t i = 0; id.p && i < TWX_COUNTOF(WHOLE); i++)
        if (twx_slice_eq_nocase(id, twx_slice_of(WHOLE[i]))) return true;
    for (size_t i = 0; id.p && i < TWX_COUNTOF(PREFIXES); i++)
        if (twx_slice_starts_nocase(id, twx_slice_of(PREFIXES[i]))) return true;
    for (size_t i = 0; id.p && !doctype->system_id.p && i < TWX_COUNTOF(PREFIXES_ALONE); i++)
        if (twx_slice_starts_nocase(id, twx_slice_of(PREFIXES_ALONE[i]))) return true;
    return false;
}
