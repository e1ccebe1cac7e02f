#include "serve/static_files.h"

#include <string.h>

typedef struct twx_static_file {
    const char *name, *extension, *text;
} twx_static_file;

#include "serve_text.h"

static const struct {
    const char *extension;
    twx_answer_type content;
} CONTENTS[] = {{"html", TWX_ANSWER_HTML},
                {"css", TWX_ANSWER_CSS},
                {"js", TWX_ANSWER_SCRIPT},
                {"svg", TWX_ANSWER_IMAGE}};

bool twx_static_file_find(twx_slice path, twx_slice *ret_text, twx_answer_type *ret_content) {
    if (path.n == 0 || path.p[0] != '/') return false;
    const twx_slice name = path.n == 1 ? TWX_SLICE_LIT("index.html")
                                       : twx_slice_sub(path, 1, path.n);
    for (size_t i = 0; i < TWX_COUNTOF(TWX_STATIC_FILES); i++) {
        const twx_static_file *file = &TWX_STATIC_FILES[i];
        if (!twx_slice_eq(name, twx_slice_of(file->name))) continue;
        *ret_text = twx_slice_of(file->text);
        for (size_t k = 0; k < TWX_COUNTOF(CONTENTS); k++)
            if (strcmp(file->extension, CONTENTS[k].extension) == 0)
                *ret_content = CONTENTS[k].content;
        return true;
    }
    return false;
}
