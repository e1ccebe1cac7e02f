#include "sign/workspace.h"

#include <openssl/evp.h>
#include <openssl/rand.h>
#include <string.h>

#include "base/alloc.h"
#include "base/openssl_error.h"

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
    /* the random seed affects only the order of the word table, never a result (text/word_counts.h
     * [R1]) */
    if (rc == TWX_OK && RAND_bytes((unsigned char *)&seed, sizeof seed) != 1)
        rc = twx_openssl_failed(cx, TWX_E_INTERNAL, "OpenSSL cannot generate random numbers");
    twx_word_counts_init(&w->words, seed);
    if (rc != TWX_OK) goto out;
    *ret_workspace = w;
    w = NULL;
out:
    twx_workspace_close(w);
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

void twx_workspace_reset(twx_workspace *w) {
    twx_workspace_forget_text(w);
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

void twx_workspace_note_text(twx_workspace *w, twx_slice text) {
    w->noted = text;
    w->noted_known = w->noted_counted = false;
}

void twx_workspace_forget_text(twx_workspace *w) {
    twx_workspace_note_text(w, (twx_slice){NULL, 0});
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
