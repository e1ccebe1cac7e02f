/* predict/stored_model.h: converts the learned model between memory (predict/model.h) and the
 * store's tables (predict/url_model.h). */
#ifndef TWX_PREDICT_STORED_MODEL_H
#define TWX_PREDICT_STORED_MODEL_H

#include "predict/model.h"
#include "predict/url_model.h"
#include "run/job.h"

/* Writes what differs; creates the tables if necessary. db: a writer. */
TWX_CHECK twx_rc twx_model_store(const twx_job *job, twx_db *db, const twx_model *m,
                                 const twx_url_model_head *head, uint64_t *ret_changed);
/* Loads the model. ret_model: initialised, empty; ready afterwards. with_seen false: contexts only,
 * which suffice for rules. Errors TWX_E_DATA: no model was learned, or by another version. */
TWX_CHECK twx_rc twx_model_load(const twx_job *job, twx_db *db, bool with_seen,
                                twx_model *ret_model, twx_url_model_head *ret_head);

#endif
