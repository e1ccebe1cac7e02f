/* Speed of the text profile and of its parts, beside a naive count of tokens that shares no code
 * with Twindex: runs of ASCII letters, digits and other bytes above 127, in lower case, in a hash
 * table, one text after the other. Usage: bench_profile FILE [BYTES OF A DOCUMENT,
 * default 8000] */
#include "bench_clock.h"
#include <ctype.h>

#include "sign/sign.h"

enum { ROUNDS = 5 };

typedef twx_rc part_fn(twx_ctx *cx, twx_workspace *w, const twx_params *params, twx_slice text);

static twx_rc scan(twx_ctx *cx, twx_workspace *w, const twx_params *params, twx_slice text) {
    twx_tokens *tokens = &twx_workspace_words(w)->tokens;
    twx_token token;
    twx_rc rc;
    (void)params;
    twx_tokens_start(tokens, text);
    while ((rc = twx_tokens_next(cx, tokens, &token)) == TWX_OK) continue;
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc count(twx_ctx *cx, twx_workspace *w, const twx_params *params, twx_slice text) {
    return twx_word_counts_of(
        cx, twx_workspace_words(w), text,
        params->methods.of[TWX_DETECTOR_PROFILE.id][TWX_PROFILE_MIN_TOKEN_LEN]);
}

static twx_rc sign_one(twx_ctx *cx, twx_workspace *w, const twx_params *params, twx_slice text,
                       const twx_detector *d) {
    twx_signature signature = {0};
    twx_rc rc = d->sign(cx, w, params, &(twx_document){.text = text}, &signature);
    TWX_VEC_DONE(&signature.keys);
    return rc;
}

static twx_rc profile(twx_ctx *cx, twx_workspace *w, const twx_params *params, twx_slice text) {
    return sign_one(cx, w, params, text, &TWX_DETECTOR_PROFILE);
}

static twx_rc exact(twx_ctx *cx, twx_workspace *w, const twx_params *params, twx_slice text) {
    return sign_one(cx, w, params, text, &TWX_DETECTOR_EXACT);
}

enum { NAIVE_SLOTS = 1 << 16, NAIVE_TOKEN = 64 };

typedef struct naive_slot {
    char token[NAIVE_TOKEN];
    unsigned n, count, text; /* text: the slot is empty for other texts */
} naive_slot;

static void naive_add(naive_slot *slots, const char *token, unsigned n, uint32_t hash,
                      unsigned text) {
    for (naive_slot *s = &slots[hash % NAIVE_SLOTS];;
         s = s == slots ? slots + NAIVE_SLOTS - 1 : s - 1) {
        if (s->text != text) {
            *s = (naive_slot){.n = n, .text = text};
            memcpy(s->token, token, n);
        }
        if (s->n != n || memcmp(s->token, token, n) != 0) continue;
        s->count++;
        return;
    }
}

static twx_rc naive(twx_ctx *cx, twx_workspace *w, const twx_params *params, twx_slice text) {
    static naive_slot slots[NAIVE_SLOTS];
    static unsigned texts;
    char token[NAIVE_TOKEN];
    unsigned n = 0, words = 0;
    uint32_t hash = 2166136261u; /* FNV-1a */
    (void)cx, (void)w, (void)params;
    texts++;
    for (size_t i = 0; i <= text.n; i++) {
        const unsigned char c = i < text.n ? (unsigned char)text.p[i] : ' ';
        const bool letter = c >= 0x80 || isalnum(c);
        if (letter && n < NAIVE_TOKEN) {
            token[n++] = (char)(c < 0x80 ? tolower(c) : c);
            hash = (hash ^ (unsigned char)token[n - 1]) * 16777619u;
        }
        if (letter || n == 0) continue;
        if (words++ < NAIVE_SLOTS / 2) naive_add(slots, token, n, hash, texts);
        n = 0;
        hash = 2166136261u;
    }
    return TWX_OK;
}

static const struct {
    const char *name;
    part_fn *run;
} PARTS[] = {{"naive count", naive},
             {"scan words", scan},
             {"scan and count", count},
             {"profile", profile},
             {"exact", exact}};

/* The best of some rounds over the file, cut into documents. */
static double best(part_fn *run, twx_ctx *cx, twx_workspace *w, twx_slice file, size_t document) {
    const twx_params params = twx_params_default();
    double least = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double start = bench_seconds(CLOCK_THREAD_CPUTIME_ID);
        for (size_t at = 0; at < file.n; at += document) {
            if (run(cx, w, &params, twx_slice_sub(file, at, at + document)) != TWX_OK) exit(1);
            twx_workspace_reset(w);
        }
        double took = bench_seconds(CLOCK_THREAD_CPUTIME_ID) - start;
        if (round == 0 || took < least) least = took;
    }
    return least;
}

int main(int argc, char **argv) {
    FILE *in = argc >= 2 ? fopen(argv[1], "rb") : NULL;
    size_t document = argc == 3 ? strtoul(argv[2], NULL, 10) : 8000;
    if (!in || document == 0 || fseek(in, 0, SEEK_END) != 0) {
        fprintf(stderr, "usage: %s FILE [BYTES OF A DOCUMENT]\n", argv[0]);
        return 64;
    }
    const size_t bytes = (size_t)ftell(in);
    char *text = malloc(bytes + 1);
    rewind(in);
    if (!text || fread(text, 1, bytes, in) != bytes) return 74;
    fclose(in);
    twx_ctx cx = {0};
    twx_workspace *w = NULL;
    const twx_params params = twx_params_default();
    if (twx_workspace_open(&cx, &params, &w) != TWX_OK) return 70;
    for (size_t i = 0; i < sizeof PARTS / sizeof PARTS[0]; i++) {
        double took = best(PARTS[i].run, &cx, w, (twx_slice){text, bytes}, document);
        printf("%-16s %8.0f MB/s\n", PARTS[i].name, (double)bytes / took / 1e6);
    }
    twx_workspace_close(w);
    free(text);
    return 0;
}
