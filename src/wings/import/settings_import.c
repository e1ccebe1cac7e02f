#include "run/run.h"

static const twx_setting_row ROWS[] = {
    {{"import.links", "no", TWX_SETTING_SWITCH,
      "Keeps the links between pages on import, for the detector content_links."},
     TWX_SETTING_FIELD(TWX_KIND_SWITCH, import_links)},
    {{"import.triggers", "refuse", "refuse|skip|run",
      "What an import does if the table documents has triggers of your own."},
     TWX_SETTING_FIELD(TWX_KIND_WORD, import_triggers)},
    {{"import.types", TWX_DOCUMENT_TYPES, "list of html xhtml plain markdown or content types",
      "Which responses are documents; the others are left out and counted by type."},
     TWX_KIND_LIST,
     offsetof(twx_settings, import_types),
     twx_document_types_check},
    {{"import.page_bytes", "16M", "64K..512M",
      "The longest page that is imported, in bytes after unpacking."},
     TWX_SETTING_FIELD(TWX_KIND_SIZE, import_page_bytes)},
};

const twx_setting_rows TWX_SETTINGS_IMPORT = {ROWS, TWX_COUNTOF(ROWS)};
