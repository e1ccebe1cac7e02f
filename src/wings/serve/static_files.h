/* serve/static_files.h: the pages of the workbench, share/serve, embedded at build. They hold no
 * data of the store. */
#ifndef TWX_SERVE_STATIC_FILES_H
#define TWX_SERVE_STATIC_FILES_H

#include "serve/answer.h"

/* path: "/app.js"; "/" is index.html. false: there is no such file. Memory: *ret_text is static. */
bool twx_static_file_find(twx_slice path, twx_slice *ret_text, twx_answer_type *ret_content);

#endif
