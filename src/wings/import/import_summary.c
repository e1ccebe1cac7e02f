#include "import/import_summary.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"

/* Most frequent first, then by name; the rest ("") last. */
static int compare_types(const void *a, const void *b) {
    const twx_import_type *x = a, *y = b;
    if (!x->name[0] != !y->name[0]) return x->name[0] ? -1 : 1;
    if (x->n != y->n) return x->n > y->n ? -1 : 1;
    return strcmp(x->name, y->name);
}

static const char *type_name(const twx_import_type *t) {
    return t->name[0] ? t->name : "other types";
}

static json_t *types_json(const twx_import_summary *s) {
    json_t *all = json_object();
    for (size_t i = 0; i < s->types_n; i++)
        json_object_set_new(all, type_name(&s->types[i]), twx_json_count(s->types[i].n));
    return all;
}

static twx_rc write_types(const twx_out *out, const twx_import_summary *s) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < s->types_n; i++)
        rc = twx_out_text(out, "  %12s    %12" PRIu64 "  %s\n", "", s->types[i].n,
                          type_name(&s->types[i]));
    return rc;
}

twx_rc twx_import_summary_write(const twx_out *out, twx_import_summary *s) {
    const struct {
        const char *name, *one, *many;
        uint64_t n;
    } rows[] = {{"records", "record read", "records read", s->records},
                {"new", "new document", "new documents", s->fresh},
                {"replaced", "document replaced by another capture",
                 "documents replaced by another capture", s->replaced},
                {"same", "capture that is in the store already",
                 "captures that are in the store already", s->same},
                {"older", "capture older than what is in the store",
                 "captures older than what is in the store", s->older},
                {"refused", "document that a trigger of documents refused",
                 "documents that a trigger of documents refused", s->refused},
                {"future", "capture with a date in the future",
                 "captures with a date in the future", s->future},
                {"not_documents", "record that is not a document (requests, metadata, ...)",
                 "records that are not documents (requests, metadata, ...)", s->not_documents},
                {"unknown_revisits", "revisit of what is not in the store",
                 "revisits of what is not in the store", s->unknown_revisits},
                {"too_long", "record or page longer than the limit, skipped",
                 "records or pages longer than the limit, skipped", s->too_long},
                {"broken", "broken record, skipped", "broken records, skipped", s->broken},
                {"damaged", "document kept although its record is damaged",
                 "documents kept although their record is damaged", s->damaged},
                {"no_text", "document without text", "documents without text", s->no_text},
                {"links", "link to another page", "links to other pages", s->links},
                {"left_out", "response of another type (import.types):",
                 "responses of other types (import.types), by type:", s->left_out}};
    qsort(s->types, s->types_n, sizeof *s->types, compare_types);
    if (twx_out_is_json(out)) {
        json_t *all = json_object();
        for (size_t i = 0; i < TWX_COUNTOF(rows); i++)
            json_object_set_new(all, rows[i].name, twx_json_count(rows[i].n));
        json_object_set_new(all, "left_out_types", types_json(s));
        return twx_out_json(out, all);
    }
    twx_rc rc = twx_out_text(out, "%s:\n", s->store);
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(rows); i++)
        if (rows[i].n || i < 2)
            rc = twx_out_text(out, "  %12" PRIu64 "  %s\n", rows[i].n,
                              twx_plural(rows[i].n, rows[i].one, rows[i].many));
    return rc == TWX_OK ? write_types(out, s) : rc;
}
