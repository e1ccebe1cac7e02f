#include "sign/internal.h"

#include <openssl/evp.h>
#include <openssl/rand.h>
#include <pthread.h>

/* ==== workspace */

enum { SCRATCH_KEEP = 1 << 20 };

typedef struct digester {
    EVP_MD *algorithm;
    EVP_MD_CTX *state;
} digester;

typedef struct tagger {
    EVP_CIPHER *algorithm;
    EVP_CIPHER_CTX *state;
    unsigned char key[TWX_TAG_BYTES];
    bool has_key;
} tagger;

struct twx_workspace {
    digester sha256;
    digester md5;  /* opened on first use */
    tagger tagger; /* as well */
    twx_arena scratch;
    twx_word_counts words;
    const char *sentence_end;
    twx_sentences *sentences; /* NULL until first used */
    twx_slice noted;          /* the text whose digest may be cached; absent: none */
    bool noted_known;         /* noted_digest is valid */
    bool noted_counted;       /* `words` holds its words of more than counted_units */
    size_t counted_units;
    unsigned char noted_digest[TWX_SHA256_BYTES];
};

/* False when OpenSSL does not provide it or has no memory. */
static bool digester_open(digester *d, const char *name) {
    d->algorithm = EVP_MD_fetch(NULL, name, NULL);
    d->state = d->algorithm ? EVP_MD_CTX_new() : NULL;
    return d->state != NULL;
}

static void digester_close(digester *d) {
    EVP_MD_CTX_free(d->state);
    EVP_MD_free(d->algorithm);
}

static bool tagger_open(tagger *t) {
    t->algorithm = EVP_CIPHER_fetch(NULL, "AES-128-GCM", NULL);
    t->state = t->algorithm ? EVP_CIPHER_CTX_new() : NULL;
    return t->state != NULL;
}

static void tagger_close(tagger *t) {
    EVP_CIPHER_CTX_free(t->state);
    EVP_CIPHER_free(t->algorithm);
    *t = (tagger){.state = NULL};
}

/* ret_digest has room for the longest digest in use, 32 bytes. An algorithm that was provided fails
 * for lack of memory only, but OpenSSL does not always say so. */
static twx_rc digest(twx_ctx *cx, digester *d, twx_slice data, unsigned char *ret_digest) {
    if (EVP_DigestInit_ex2(d->state, d->algorithm, NULL) != 1 ||
        EVP_DigestUpdate(d->state, data.n ? data.p : "", data.n) != 1 ||
        EVP_DigestFinal_ex(d->state, ret_digest, NULL) != 1)
        return twx_openssl_failed(cx, TWX_E_NOMEM,
                                  "OpenSSL cannot compute a digest: it is out of memory");
    return TWX_OK;
}

twx_rc twx_workspace_open(twx_ctx *cx, const twx_params *params, twx_workspace **ret_workspace) {
    uint64_t seed = 0;
    twx_workspace *w = twx_calloc(cx, 1, sizeof *w);
    if (!w) return TWX_E_NOMEM;
    twx_arena_init(&w->scratch, SCRATCH_KEEP);
    w->sentence_end = params->sentence_end;
    twx_rc rc = digester_open(&w->sha256, "SHA256")
                    ? TWX_OK
                    : twx_openssl_failed(cx, TWX_E_CONFIG, "OpenSSL provides no SHA-256");
    /* the random seed affects only the order of the word table, never a result (text/word_counts.c
     * [R1]) */
    if (rc == TWX_OK && RAND_bytes((unsigned char *)&seed, sizeof seed) != 1)
        rc = twx_openssl_failed(cx, TWX_E_INTERNAL, "OpenSSL cannot generate random numbers");
    twx_word_counts_init(&w->words, seed);
    TWX_HAND_OVER(rc, ret_workspace, w, twx_workspace_close(w));
    return rc;
}

void twx_workspace_close(twx_workspace *w) {
    if (!w) return;
    digester_close(&w->sha256);
    digester_close(&w->md5);
    tagger_close(&w->tagger);
    twx_word_counts_done(&w->words);
    twx_sentences_close(w->sentences);
    twx_arena_done(&w->scratch);
    twx_free(w);
}

twx_arena *twx_workspace_scratch(twx_workspace *w) {
    return &w->scratch;
}

twx_word_counts *twx_workspace_words(twx_workspace *w) {
    return &w->words;
}

twx_rc twx_workspace_sentences(twx_ctx *cx, twx_workspace *w, twx_sentences **ret_sentences) {
    twx_rc rc = w->sentences ? TWX_OK : twx_sentences_open(cx, w->sentence_end, &w->sentences);
    if (rc == TWX_OK) *ret_sentences = w->sentences;
    return rc;
}

void twx_workspace_note_text(twx_workspace *w, twx_slice text) {
    w->noted = text;
    w->noted_known = w->noted_counted = false;
}

void twx_workspace_reset(twx_workspace *w) {
    twx_workspace_note_text(w, (twx_slice){NULL, 0});
    twx_arena_reset(&w->scratch);
}

twx_rc twx_sha256(twx_ctx *cx, twx_workspace *w, twx_slice data,
                  unsigned char ret_digest[TWX_SHA256_BYTES]) {
    return digest(cx, &w->sha256, data, ret_digest);
}

twx_rc twx_md5(twx_ctx *cx, twx_workspace *w, twx_slice data,
               unsigned char ret_digest[TWX_MD5_BYTES]) {
    if (!w->md5.state && !digester_open(&w->md5, "MD5")) {
        digester_close(&w->md5);
        w->md5 = (digester){NULL, NULL};
        return twx_openssl_failed(
            cx, TWX_E_CONFIG,
            "OpenSSL provides no MD5 (FIPS mode?), which text profiles need: set "
            "fuzzy.digest = sha256");
    }
    return digest(cx, &w->md5, data, ret_digest);
}

/* The nonce is always the same, so that equal texts have equal tags. That would weaken a MAC that
 * an attacker sees; tags stay in memory. */
static bool tag_with(tagger *t, const unsigned char *key, twx_slice data, unsigned char *ret_tag) {
    enum { STEP = 1 << 30 };
    static const unsigned char NONCE[12] = {0};
    unsigned char none[TWX_TAG_BYTES];
    const bool same = t->has_key && memcmp(t->key, key, sizeof t->key) == 0;
    int n = 0;
    t->has_key = false;
    if (EVP_EncryptInit_ex2(t->state, same ? NULL : t->algorithm, same ? NULL : key, NONCE, NULL) !=
        1)
        return false;
    memcpy(t->key, key, sizeof t->key);
    t->has_key = true;
    for (size_t at = 0; at < data.n; at += STEP) {
        const size_t left = data.n - at;
        if (EVP_EncryptUpdate(t->state, NULL, &n, (const unsigned char *)data.p + at,
                              left < STEP ? (int)left : STEP) != 1)
            return false;
    }
    return EVP_EncryptFinal_ex(t->state, none, &n) == 1 &&
           EVP_CIPHER_CTX_ctrl(t->state, EVP_CTRL_AEAD_GET_TAG, TWX_TAG_BYTES, ret_tag) == 1;
}

twx_rc twx_text_tag(twx_ctx *cx, twx_workspace *w, const unsigned char *key, twx_slice data,
                    unsigned char ret_tag[TWX_TAG_BYTES]) {
    if (!w->tagger.state && !tagger_open(&w->tagger)) {
        tagger_close(&w->tagger);
        return twx_openssl_failed(cx, TWX_E_CONFIG, "OpenSSL provides no AES-128-GCM");
    }
    return tag_with(&w->tagger, key, data, ret_tag)
               ? TWX_OK
               : twx_openssl_failed(cx, TWX_E_NOMEM,
                                    "OpenSSL cannot tag a text: it is out of memory");
}

static bool is_noted(const twx_workspace *w, twx_slice text) {
    return w->noted.p && text.p == w->noted.p && text.n == w->noted.n;
}

twx_rc twx_workspace_count(twx_ctx *cx, twx_workspace *w, twx_slice text, size_t min_units,
                           const twx_word_counts **ret_counts) {
    const bool noted = is_noted(w, text);
    if (!noted || !w->noted_counted || w->counted_units != min_units) {
        w->noted_counted = false;
        twx_rc rc = twx_word_counts_of(cx, &w->words, text, min_units);
        if (rc != TWX_OK) return rc;
        w->noted_counted = noted;
        w->counted_units = min_units;
    }
    *ret_counts = &w->words;
    return TWX_OK;
}

twx_rc twx_text_sha256(twx_ctx *cx, twx_workspace *w, twx_slice text,
                       unsigned char ret_digest[TWX_SHA256_BYTES]) {
    if (!is_noted(w, text)) return twx_sha256(cx, w, text, ret_digest);
    if (!w->noted_known) {
        twx_rc rc = twx_sha256(cx, w, text, w->noted_digest);
        if (rc != TWX_OK) return rc;
        w->noted_known = true;
    }
    memcpy(ret_digest, w->noted_digest, TWX_SHA256_BYTES);
    return TWX_OK;
}

/* ==== memo */

typedef struct known_text {
    unsigned char tag[TWX_TAG_BYTES];
    uint32_t n; /* bytes of its entries */
    size_t at;  /* their offset in `entries` */
} known_text;

/* One lock: it is held for less than a microsecond, and a text takes tens of microseconds. */
struct twx_memo {
    pthread_mutex_t lock;
    unsigned char key[TWX_TAG_BYTES]; /* of the tags; random */
    size_t max_bytes;
    twx_map64 index; /* first 8 bytes of the tag -> index in texts */
    TWX_VEC(known_text) texts;
    twx_buf entries;
};

twx_rc twx_memo_open(twx_ctx *cx, size_t max_bytes, twx_memo **ret_memo) {
    twx_memo *m = twx_calloc(cx, 1, sizeof *m);
    if (!m) return TWX_E_NOMEM;
    if (RAND_bytes(m->key, sizeof m->key) != 1) {
        twx_free(m);
        return twx_openssl_failed(cx, TWX_E_INTERNAL, "OpenSSL cannot generate random numbers");
    }
    if (pthread_mutex_init(&m->lock, NULL) != 0) {
        twx_free(m);
        return twx_fail(cx, TWX_E_NOMEM, "out of memory: a lock");
    }
    m->max_bytes = max_bytes;
    twx_map64_init(&m->index, 0); /* tags cannot be crafted */
    twx_buf_init(&m->entries, max_bytes);
    *ret_memo = m;
    return TWX_OK;
}

void twx_memo_close(twx_memo *m) {
    if (!m) return;
    pthread_mutex_destroy(&m->lock);
    twx_map64_done(&m->index);
    TWX_VEC_DONE(&m->texts);
    twx_buf_done(&m->entries);
    twx_free(m);
}

/* NULL: not known. Of texts whose tags share their first 8 bytes only the first is kept. */
static const known_text *find(const twx_memo *m, const unsigned char *tag) {
    uint64_t at = 0;
    if (!twx_map64_get(&m->index, twx_load_be64(tag), &at)) return NULL;
    const known_text *text = &m->texts.at[at];
    return memcmp(text->tag, tag, TWX_TAG_BYTES) == 0 ? text : NULL;
}

twx_rc twx_memo_get(twx_ctx *cx, twx_memo *m, const unsigned char tag[TWX_TAG_BYTES],
                    twx_buf *out) {
    twx_rc rc = TWX_DONE;
    pthread_mutex_lock(&m->lock);
    const known_text *text = find(m, tag);
    if (text) rc = twx_buf_add(cx, out, m->entries.n ? m->entries.p + text->at : "", text->n);
    pthread_mutex_unlock(&m->lock);
    return rc;
}

/* Arrays and the index double when they grow, and the index is at least a third full. */
static bool has_room(const twx_memo *m, size_t more) {
    const size_t slot = 2 * sizeof(uint64_t);
    size_t texts = (m->texts.n + 1) * (2 * sizeof(known_text) + 3 * slot);
    return more <= UINT32_MAX && texts < m->max_bytes &&
           (m->max_bytes - texts) / 2 >= m->entries.n + more;
}

static twx_rc add(twx_ctx *cx, twx_memo *m, const unsigned char *tag, twx_slice entries) {
    uint64_t place = m->texts.n, held = 0;
    known_text text = {.n = (uint32_t)entries.n, .at = m->entries.n};
    memcpy(text.tag, tag, TWX_TAG_BYTES);
    if (!TWX_VEC_RESERVE(cx, &m->texts, m->texts.n + 1)) return TWX_E_NOMEM;
    twx_rc rc = twx_buf_reserve(cx, &m->entries, entries.n);
    if (rc == TWX_OK) rc = twx_map64_add(cx, &m->index, twx_load_be64(tag), place, &held);
    if (rc != TWX_OK || held != place) return rc;
    m->texts.at[m->texts.n++] = text;
    return twx_buf_add_slice(cx, &m->entries, entries); /* the room is reserved */
}

twx_rc twx_memo_put(twx_ctx *cx, twx_memo *m, const unsigned char tag[TWX_TAG_BYTES],
                    twx_slice entries) {
    twx_rc rc = TWX_OK;
    pthread_mutex_lock(&m->lock);
    if (!find(m, tag) && has_room(m, entries.n)) rc = add(cx, m, tag, entries);
    pthread_mutex_unlock(&m->lock);
    return rc;
}

/* ==== sign_document */

static twx_rc sign_with(twx_ctx *cx, twx_workspace *w, const twx_signing *signing,
                        const twx_detector *d, const twx_document *doc, twx_buf *entries) {
    twx_signature signature = {0};
    twx_rc rc = d->sign(cx, w, signing->params, doc, &signature);
    if (rc == TWX_OK) rc = twx_entry_add(cx, d->id, &signature, entries);
    TWX_VEC_DONE(&signature.keys);
    return rc;
}

static bool wants_main(const twx_params *params, const twx_url *url) {
    twx_host_section section;
    if (!params->hosts || !url || url->fault != TWX_URL_OK ||
        !twx_host_section_of(twx_slice_of(params->hosts), url->host, &section))
        return params->near_main;
    const twx_slice value = twx_host_section_value(&section, "near.text");
    return value.p ? twx_slice_eq_nocase(value, TWX_SLICE_LIT("main")) : params->near_main;
}

twx_slice twx_near_text_of(const twx_params *params, const twx_document *doc) {
    return doc->main.n && wants_main(params, doc->url) ? doc->main : doc->text;
}

/* Everything that depends on the text and its content area alone: the entries of the detectors
 * whose basis it is, and one byte more: 1 if it is valid UTF-8. */
static twx_rc examine_text(twx_ctx *cx, twx_workspace *w, const twx_signing *signing,
                           const twx_document *doc, twx_buf *ret_made) {
    twx_tokens *tokens = &twx_workspace_words(w)->tokens;
    twx_token token;
    twx_document near = *doc;
    twx_rc rc = TWX_OK;
    near.text = twx_near_text_of(signing->params, doc);
    /* a text of few words has no near-duplicates: its few words occur on many pages */
    twx_tokens_start(tokens, near.text);
    for (uint32_t n = 0; n < signing->params->near_min_words && rc == TWX_OK; n++)
        rc = twx_tokens_next_raw(cx, tokens, &token);
    const bool long_enough = rc == TWX_OK;
    if (rc == TWX_DONE) rc = TWX_OK;
    for (size_t i = 0; i < signing->n && rc == TWX_OK; i++) {
        const twx_detector *d = signing->detectors[i];
        if (d->basis == TWX_BASIS_TEXT && (!d->near || long_enough))
            rc = sign_with(cx, w, signing, d, d->near ? &near : doc, ret_made);
        if (rc == TWX_OK) rc = twx_cancelled(cx); /* a text can be long */
    }
    return rc == TWX_OK ? twx_buf_add_char(cx, ret_made, twx_utf8_valid(doc->text)) : rc;
}

/* Of the text, and of its content area if that is signed instead. */
static twx_rc tag_of(twx_ctx *cx, twx_workspace *w, const twx_signing *signing,
                     const twx_document *doc, unsigned char ret_tag[TWX_TAG_BYTES]) {
    unsigned char both[2 * TWX_TAG_BYTES];
    const unsigned char *key = signing->memo->key;
    const twx_slice near = twx_near_text_of(signing->params, doc);
    twx_rc rc = twx_text_tag(cx, w, key, doc->text, ret_tag);
    if (rc != TWX_OK || near.p == doc->text.p) return rc;
    memcpy(both, ret_tag, TWX_TAG_BYTES);
    rc = twx_text_tag(cx, w, key, near, both + TWX_TAG_BYTES);
    return rc == TWX_OK ? twx_text_tag(cx, w, key, (twx_slice){(char *)both, sizeof both}, ret_tag)
                        : rc;
}

/* The same, from the memo if it has them. */
static twx_rc recall_text(twx_ctx *cx, twx_workspace *w, const twx_signing *signing,
                          const twx_document *doc, twx_buf *ret_made) {
    unsigned char tag[TWX_TAG_BYTES];
    twx_memo *memo = signing->memo;
    if (!memo || doc->text.n == 0) return examine_text(cx, w, signing, doc, ret_made);
    twx_rc rc = tag_of(cx, w, signing, doc, tag);
    if (rc == TWX_OK) rc = twx_memo_get(cx, memo, tag, ret_made);
    if (rc != TWX_DONE) return rc;
    rc = examine_text(cx, w, signing, doc, ret_made);
    return rc == TWX_OK ? twx_memo_put(cx, memo, tag, twx_buf_slice(ret_made)) : rc;
}

twx_rc twx_sign_document(twx_ctx *cx, twx_workspace *w, const twx_signing *signing,
                         const twx_document *doc, twx_buf *ret_record) {
    twx_buf made = {.max = ret_record->max}, entries = {.max = ret_record->max};
    twx_slice of_text = {NULL, 0};
    twx_buf_clear(ret_record);
    twx_workspace_note_text(w, doc->text);
    twx_rc rc = recall_text(cx, w, signing, doc, &made);
    if (rc == TWX_OK) of_text = twx_slice_sub(twx_buf_slice(&made), 0, made.n - 1);
    if (rc == TWX_OK && signing->ret_valid) *signing->ret_valid = made.p[made.n - 1] != 0;
    for (size_t i = 0; i < signing->n && rc == TWX_OK; i++) {
        const twx_detector *d = signing->detectors[i];
        if (signing->without_url && d->basis == TWX_BASIS_URL) continue;
        rc = d->basis == TWX_BASIS_TEXT ? twx_entry_move(cx, d->id, &of_text, &entries)
                                        : sign_with(cx, w, signing, d, doc, &entries);
    }
    if (rc == TWX_OK) rc = twx_record_pack(cx, twx_buf_slice(&entries), ret_record);
    twx_workspace_note_text(w, (twx_slice){NULL, 0});
    twx_buf_done(&made);
    twx_buf_done(&entries);
    return rc;
}
