/* url/url.h: URLs parsed, normalised, rewritten, twinned. */
#ifndef TWX_URL_URL_H
#define TWX_URL_URL_H

#include "base/base.h"

/* domain (url_host.c): the registrable domain of a host (public suffix list of libpsl, built in).
 * [R1] An IP address, a single label, a public suffix and anything that is not a host are their own
 * domain.
 * Shape: host in normal form (url_norm).
 * Memory: the result is a suffix of host and borrowed like it. Any thread may call these; nothing
 * can fail. */

twx_slice twx_registrable_domain(twx_slice host);
/* Changes with the list; part of the fingerprint that makes stored facts stale. */
uint64_t twx_domain_fingerprint(void);

/* host_patterns (url_host.c): which settings apply to a host: the text of the setting `hosts`,
 * which sections [host NAME] of a configuration file are turned into. Sections are separated by
 * "|", their words by blanks: a pattern, then name=value for each setting, with commas in lists:
 * "docs.example.org near.text=main | .example.com verdict.order=url_length,score". A pattern is a
 * host, or a dot (or "*.") and a domain: that domain and every host below it.
 * [R1] The most specific pattern applies: the host itself, else the longest domain. Sections are
 * not merged. */

enum { TWX_HOST_SECTIONS_MAX = 64 };

typedef struct twx_host_section {
    twx_slice pattern; /* as given */
    twx_slice host;    /* without the dot */
    bool below;        /* hosts below it, too */
    twx_slice values;  /* "name=value name=value" */
} twx_host_section;

/* Takes the next section off the text; false: none is left. */
bool twx_host_section_next(twx_slice *sections, twx_host_section *ret_section);
/* Takes the next setting off section->values; false: none is left. The value is absent if there is
 * no "=". */
bool twx_host_value_next(twx_slice *values, twx_slice *ret_name, twx_slice *ret_value);
/* [R1] The number of the section that applies to a host in normal form, from 1; 0: none.
 * ret_section: NULL allowed. */
unsigned twx_host_section_of(twx_slice sections, twx_slice host, twx_host_section *ret_section);
/* The value of a setting in a section; absent: it does not set it. */
twx_slice twx_host_section_value(const twx_host_section *section, const char *name);

/* edition_slot.c: the places of a URL that may name an edition of its page: a segment of the path
 * ("2.1", "v2", "release-1.8", "llvm-15", "latest", "bookworm"), the first label of the host, a
 * parameter such as `version`. Whether a place does so is learned from the collection
 * (judge/editions.c): "15" may be a bus, and "2023" a year of a festival.
 * Shape: normal is a URL in normal form. Nothing is allocated. */

typedef enum twx_edition_kind {
    TWX_EDITION_VERSION,    /* a version or the name of a release */
    TWX_EDITION_PLAIN,      /* a number, a year or a date, which may be anything */
    TWX_EDITION_LATEST,     /* latest, stable, ...: a name of the newest release */
    TWX_EDITION_UNRELEASED, /* main, next, 2.0-rc1, ... */
    TWX_EDITION_ABSENT      /* the URL without the place */
} twx_edition_kind;

typedef struct twx_edition {
    twx_edition_kind kind;
    uint64_t order; /* of versions and numbers: a newer one has a larger one */
} twx_edition;

enum { TWX_EDITION_SLOTS_MAX = 6, TWX_EDITION_TEXT_MAX = 23, TWX_EDITION_SEGMENT_MAX = 64 };

typedef struct twx_edition_slot {
    twx_slice value; /* borrowed from the URL, or from the pins */
    twx_edition edition;
    uint64_t key;    /* of the place: what precedes the value in the URL, without scheme and www. */
    size_t from, to; /* without the place, the URL lacks normal[from, to) */
    bool is_pinned;  /* by a line of the user */
} twx_edition_slot;

/* false: the text names no edition. */
bool twx_edition_of(twx_slice value, twx_edition *ret_edition);
/* Returns their number. */
size_t twx_url_edition_slots(twx_slice normal, twx_edition_slot ret_slots[TWX_EDITION_SLOTS_MAX]);

/* The text of an edition as a number, of which flags are: characters of " a-z0-9.-_" with values
 * 0 to 39, the first one lowest. sql/part.sql (flag_edition) has the way back, too. Of a longer
 * text, or one with other characters, which are "_", it has the first seven, "_" and three that
 * depend on the whole text, so that two texts are hardly ever one number. */
enum { TWX_EDITION_NUMBER_TEXT = 12 };
int64_t twx_edition_number(const char *text);
void twx_edition_text(int64_t number, char ret_text[TWX_EDITION_NUMBER_TEXT]);

/* url_form.c: the key of a page, whatever form its URL has. Forms of one page are URLs that are
 * equal except for
 *   the scheme, and a first label www, m, mobile, amp or print of the host;
 *   parameters of the query for sessions and tracking (url_norm), for where a reader comes from
 *   (ref=home), or for another view of the same page (print=1, amp, view=print, ...), and the order
 *   of the others;
 *   parameters of the path (";jsessionid=..."), a segment print, amp or mobile, an index page, and
 *   slashes at the end.
 * It is evidence about pages, not a normal form: nothing is requested under it.
 * [R1] URLs whose pages differ in a parameter that is not listed have different keys, except by
 * chance. */

/* The parts of a URL that name something: segments of the path, then parameters of the query, by
 * their hashes, without those that say nothing of the page. Beyond fifteen, the last one is a hash
 * of all others. */
typedef struct twx_url_names {
    uint8_t segments, parameters;
    uint16_t name[15];
} twx_url_names;

/* The key and the names of a URL. normal: its text in normal form; key 0: it is empty. */
uint64_t twx_url_form_of(twx_slice normal, twx_url_names *ret_names);
/* Does one of them lack names of the other, but has no name in the place of another? */
bool twx_url_names_agree(const twx_url_names *a, const twx_url_names *b);

/* What a URL is besides the address of a page, as bits. */
enum {
    TWX_URL_IS_VIEW = 1 << 0,   /* another view of the page: for print, AMP or mobile devices */
    TWX_URL_HAS_EXTRAS = 1 << 1 /* parameters for sessions or tracking */
};
/* 0: a page, or no web URL. [R2] The key of a form is that of the page without what the bits name.
 */
unsigned twx_url_form_bits(twx_slice normal);

/* Is it the name of a parameter for sessions or tracking? */
bool twx_url_is_session_name(twx_slice name);
bool twx_url_is_tracking_name(twx_slice name);
/* Is it an index page: index.html, default.aspx, ...? */
bool twx_url_is_index_page(twx_slice segment);

/* url_norm.c: the normal form of a URL and its parts (RFC 3986, section 6.2.2-6.2.3).
 * [R1] normal(normal(u)) == normal(u), with the same steps and without rules.
 * [R2] Scheme and host become lower-case, an IDN becomes ASCII (url_host), a trailing dot of the
 * host is dropped, the scheme's default port and an empty userinfo, password or port are dropped,
 * dot segments are resolved, percent-encoding is normalised (unreserved bytes are decoded, hex
 * digits become upper-case, bytes that a URL may not hold and broken percent signs are encoded,
 * everything else is kept), the empty path of a URL with authority becomes "/", the fragment is
 * dropped.
 * [R3] ASCII white space and control characters around the URL are trimmed; tabs and line breaks
 * inside are dropped, as in browsers.
 * [R4] Time is linear in the length of the input (parameter_order: n log n in the number of
 * parameters). A URL longer than TWX_URL_MAX, as given or in normal form, is not usable.
 * [R5] Every scheme is usable; web schemes need a host. Without an authority a path that does not
 * begin with '/' ("mailto:", "urn:") keeps its dots. An empty query ("?") is kept, because it names
 * another resource.
 * [R6] Optional steps apply to http and https only; the user's rules apply to every URL.
 * [R7] Web schemes (http, https, ftp, ws, wss) are parsed as browsers parse them (WHATWG URL): a
 * backslash before the query counts as a slash, any number of slashes may precede the host, a
 * reference that repeats the scheme of its base without "//" is relative, and "'" in a query
 * becomes %27. docs/signatures.md lists the remaining deviations. */

enum { TWX_URL_NORM_VERSION = 2, TWX_URL_MAX = 1 << 20 };

/* Why a URL is not usable; TWX_URL_OK otherwise. */
typedef enum twx_url_fault {
    TWX_URL_OK,
    TWX_URL_EMPTY,
    TWX_URL_RELATIVE, /* no scheme */
    TWX_URL_NO_HOST,  /* a web scheme without a host */
    TWX_URL_BAD_HOST,
    TWX_URL_BAD_PORT,
    TWX_URL_TOO_LONG
} twx_url_fault;

const char *twx_url_fault_text(twx_url_fault fault); /* "no scheme: not an absolute URL" */

/* Shape `whole` is the normal form; the parts are slices of it, absent (p == NULL) where the URL
 * has none.
 * host: absent without "//"; empty in "file:///". port: present only when it is not the scheme's
 * default. path: never absent. query: without '?'; empty for "?" alone.
 * Memory borrowed from the arena given to twx_url_normalize(). */
typedef struct twx_url {
    twx_slice whole, scheme, userinfo, host, port, path, query;
    twx_url_fault fault;    /* unless this is TWX_URL_OK, every slice is absent */
    uint64_t rules_skipped; /* rules that failed on this URL (url_rules [R2]) */
} twx_url;

/* Optional steps, each switched by name (settings url.*). Each has a row in url_norm.c; the lists
 * of names are in url_steps.
 *   trailing_slash       drops each '/' at the end of a path longer than "/"
 *   index_page           drops index.html, index.php, default.aspx ... at the end of the path
 *   parameter_order      sorts query parameters by name, then by value
 *   session_parameters   drops sid, PHPSESSID, jsessionid ..., also as ;parameters of the path
 *   tracking_parameters  drops utm_*, gclid, fbclid ... */
typedef enum twx_url_step {
    TWX_URL_STEP_TRAILING_SLASH = 1 << 0,
    TWX_URL_STEP_INDEX_PAGE = 1 << 1,
    TWX_URL_STEP_PARAMETER_ORDER = 1 << 2,
    TWX_URL_STEP_SESSION = 1 << 3,
    TWX_URL_STEP_TRACKING = 1 << 4
} twx_url_step;

typedef struct twx_url_options {
    unsigned steps;                    /* bits of twx_url_step */
    const struct twx_url_rules *rules; /* borrowed; NULL: none (url_rules) */
} twx_url_options;

/* The step bit of a name; 0 when unknown. twx_url_step_name(i) lists the names, NULL after the
 * last. */
unsigned twx_url_step_of(const char *name);
const char *twx_url_step_name(size_t i);

/* Normalises, applies the user's rules, and normalises their result. When a rule produces an
 * unusable URL, the URL before the rules is kept and ret_url->rules_skipped is incremented. options
 * NULL: no steps, no rules.
 * Errors TWX_E_NOMEM only: an invalid URL is a result (ret_url->fault), not an error. */
TWX_CHECK twx_rc twx_url_normalize(twx_ctx *cx, twx_arena *scratch, const twx_url_options *options,
                                   twx_slice url, twx_url *ret_url);
/* Resolves a reference against a base (RFC 3986 section 5.2.2) and normalises the result. An empty
 * reference gives the base; an absent one gives TWX_URL_EMPTY. Unless base->fault is TWX_URL_OK,
 * only absolute references resolve. */
TWX_CHECK twx_rc twx_url_resolve(twx_ctx *cx, twx_arena *scratch, const twx_url_options *options,
                                 const twx_url *base, twx_slice reference, twx_url *ret_url);

/* url_parse (url_norm.c): splits a URL into its parts (RFC 3986, appendix B) and defines which
 * bytes may appear in which part.
 * [R1] Splitting changes nothing: the parts with their delimiters, concatenated, are the text.
 * [R2] Every byte string splits; the code that interprets a part validates it.
 * Memory: parts are slices of the text; p == NULL where a part is absent. Any thread may call
 * these. */

/* scheme:// authority path ? query # fragment. The path is never absent, but may be empty. */
typedef struct twx_url_parts {
    twx_slice scheme, authority, path, query, fragment;
} twx_url_parts;

/* userinfo @ host : port. The host is never absent, but may be empty; an IPv6 literal keeps its
 * brackets. */
typedef struct twx_authority_parts {
    twx_slice userinfo, host, port;
} twx_authority_parts;

void twx_url_split(twx_slice text, twx_url_parts *ret_parts);
void twx_url_split_authority(twx_slice authority, twx_authority_parts *ret_parts);

/* Where a byte may appear unencoded; '%' and bytes >= 0x80 may appear nowhere. */
enum {
    TWX_URL_IN_SCHEME = 1 << 0,
    TWX_URL_IN_USERINFO = 1 << 1,
    TWX_URL_IN_HOST = 1 << 2,
    TWX_URL_IN_PATH = 1 << 3,
    TWX_URL_IN_QUERY = 1 << 4,
    TWX_URL_UNRESERVED = 1 << 5,  /* equivalent with and without percent-encoding */
    TWX_URL_IN_WEB_QUERY = 1 << 6 /* a query without "'": browsers send that as %27 */
};
extern const unsigned char TWX_URL_PLACES[256];

static inline bool twx_url_may_stand(char c, unsigned place) {
    return (TWX_URL_PLACES[(unsigned char)c] & place) != 0;
}

/* url_rules.c: the user's rewrite rules, one s/regex/replacement/flags a line, applied in order
 * to the normal form of a URL.
 * [R1] Syntax: the delimiter is any byte but a letter, digit, blank or backslash; a backslash
 * before the delimiter escapes it and is removed. The regex is PCRE2 on bytes (a normal URL is
 * ASCII), without \C and without a leading "(*". Flags: i ignores case; g replaces every match
 * instead of the first; after an empty match g advances by one byte.
 * Replacement: $1..$9 is a group ("" when it did not participate), $0 the match, $$ a '$'; \ makes
 * the next byte literal.
 * Blank lines and lines that begin with '#' are skipped; blanks around a rule are ignored.
 * [R2] Limits: pattern and replacement 4 096 bytes, subject 8 KiB, result 64 KiB, match 100 000,
 * depth 1 000, heap 1 MiB. A rule that exceeds a limit is counted and skipped for that URL; it
 * never fails the URL.
 * [R3] After loading a handle is read-only: any thread may apply it.
 * Memory: the handle is owned. */

enum {
    TWX_URL_RULES_MAX = 10000,          /* rules in one file */
    TWX_URL_RULES_FILE_MAX = 1 << 20,   /* bytes of the file */
    TWX_URL_RULE_PATTERN_MAX = 4096,    /* bytes of a regex, and of a replacement */
    TWX_URL_RULE_SUBJECT_MAX = 8 << 10, /* bytes of a URL */
    TWX_URL_RULE_RESULT_MAX = 64 << 10  /* bytes of a rewritten URL */
};

typedef struct twx_url_rules twx_url_rules;

/* Errors TWX_E_CONFIG with "name:line:column: reason" (from 1, columns in bytes), TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_url_rules_parse(twx_ctx *cx, const char *name, twx_slice text,
                                     twx_url_rules **ret_rules);
/* Also TWX_E_CONFIG when the file cannot be read or is longer than TWX_URL_RULES_FILE_MAX. */
TWX_CHECK twx_rc twx_url_rules_load(twx_ctx *cx, const char *path, twx_url_rules **ret_rules);
void twx_url_rules_close(twx_url_rules *rules);
size_t twx_url_rules_count(const twx_url_rules *rules); /* 0 for NULL */
/* Fingerprint of the rules without comments; 0 for NULL. */
uint64_t twx_url_rules_fingerprint(const twx_url_rules *rules);
/* *ret_url is url itself when no rule matched, otherwise borrowed from the arena. The number of
 * rules that exceeded a limit is added to *ret_skipped. rules NULL: none. Errors TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_url_rules_apply(twx_ctx *cx, twx_arena *scratch, const twx_url_rules *rules,
                                     twx_slice url, twx_slice *ret_url, uint64_t *ret_skipped);

/* url_twin (url_form.c): keys of URL twins, URLs that differ in scheme or "www." alone
 * (docs/internals.md, "URL twins"). A twin key is text; callers hash it. Only http and https URLs
 * have one: for others the key is absent.
 * [R1] Scheme twins: "http://x" and "https://x" have the same key. Ports are part of the key: an
 * explicit port that is the default of the other scheme keeps two URLs separate.
 * [R2] WWW twins: "http://www.x" and "http://x" have the same key.
 * [R3] The four forms of a URL have the same key, also "http://x" and "https://www.x".
 * Memory borrowed from the URL or in the caller's room. */

bool twx_url_is_https(const twx_url *url);
bool twx_url_is_web(const twx_url *url); /* http or https */
/* Is it a web URL whose host is "www." followed by a name that contains a dot ("www.com" is a name
 * of its own) and is not an IP address? */
bool twx_url_is_www(const twx_url *url);
/* room: for url->whole.n bytes; the key may be in it. */
typedef twx_slice twx_url_twin_fn(const twx_url *url, char *room);
/* The normal URL without its scheme and colon: "//host/path?query". */
twx_url_twin_fn twx_url_scheme_twin;
/* The normal URL, with one leading "www." removed from its host where twx_url_is_www(). */
twx_url_twin_fn twx_url_www_twin;
/* The normal URL without its scheme, colon and "www.": one key for the four forms of a URL. */
twx_url_twin_fn twx_url_forms_twin;
/* The same key from the text of a normal URL. */
twx_slice twx_url_twin_of(twx_url_twin_fn *twin, twx_slice normal, char *room);
/* The signature of a key: its high half is the key of the detector, its low half the check. */
twx_hash128 twx_url_twin_hash(twx_slice key);

/* hypotheses.c: the parts of a URL, and the hypotheses about which of them do not matter. They are
 * learned and used for predictions by a wing, and used by the relation parameters (judge).
 *
 * Splits a URL in normal form (url/url_norm.c) into the pieces that the hypotheses examine: origin,
 * path segments, parameters. Nothing is decoded or copied: every piece is a slice of the URL.
 * [R1] Joined with their delimiters, origin, path and query give the URL, segments and more_path
 * give the path, and parameters and more_query give the query without empty parameters ("&&").
 * [R2] Bounded: only the first parameters and segments are split (the enum below); the rest is one
 * slice. Linear in the length of the URL.
 * [R3] Every byte string splits. A parameter without '=' has an absent value; a name may be empty,
 * may be repeated, and is any bytes. */
enum { TWX_URL_PARAMETERS = 64, TWX_URL_SEGMENTS = 16 };

typedef struct twx_parameter {
    twx_slice name;  /* before the first '='; never absent, may be empty */
    twx_slice value; /* absent: there is no '=' */
} twx_parameter;

/* Memory: borrows the URL. Only the first parameters_n and segments_n entries are set. */
typedef struct twx_url_pieces {
    twx_slice origin;      /* scheme, user, host, port: everything before the path */
    twx_slice path, query; /* query: without '?'; absent without one */
    twx_slice more_path;   /* after the last segment, including its '/'; absent: nothing remains */
    twx_slice more_query;  /* after the last parameter and its '&'; absent: nothing remains */
    size_t segments_n, parameters_n;
    /* "/a/b" has a and b, "/a/" has a and an empty one; a path that does not begin with '/' is one
     * segment */
    twx_slice segments[TWX_URL_SEGMENTS];
    twx_parameter parameters[TWX_URL_PARAMETERS];
} twx_url_pieces;

/* url: in normal form; a fragment is ignored. */
void twx_url_pieces_of(twx_slice url, twx_url_pieces *ret_parts);

/* The ten hypotheses about which parts of a URL do not matter (docs/internals.md, "Prediction"), as
 * one table, and the keys of a URL under which they are counted and looked up.
 * Source: 1 to 6 are those of MaybeDont (TeamHG-Memex), from its README.
 *
 * A *variant* of a URL names a part that may not matter: a parameter, two of them, the whole query,
 * a path segment. It has the keys of the URL without that part:
 *   counterpart  the whole key of that URL, which another document may have
 *   group        equal for URLs that differ in that part only, whatever its value
 * A hypothesis applies to variants of one kind and makes a *context key* of them, under which (dup,
 * nodup) are counted.
 *
 * [R1] Keys do not depend on the order of parameters. A repeated name is one parameter with several
 * values.
 * [R2] The scheme is part of the origin and the origin is part of the path: http and https are host
 * aliases (10).
 * [R3] Bounded: at most TWX_VARIANTS_MAX variants; linear in the length of the URL (a constant
 * number of steps a byte).
 * Memory: parts and variants borrow the URL. Nothing can fail. */
typedef enum twx_variant_kind {
    /* all parameters; no counterpart, because the URL without a query is in the group */
    TWX_VARIANT_QUERY,
    TWX_VARIANT_PARAMETER, /* one name */
    TWX_VARIANT_BARE,      /* one name and the query after it; no group */
    TWX_VARIANT_PAIR,      /* two names */
    TWX_VARIANT_SEGMENT,   /* one path segment; no group */
    /* a segment that looks like a session id, after this beginning of the path; no counterpart */
    TWX_VARIANT_SESSION,
    TWX_VARIANT_PATH_SUFFIX, /* the text after the ';' of a segment */
    /* the base (twx_base); no counterpart; the context consists of both bases and the shape */
    TWX_VARIANT_ORIGIN,
    TWX_VARIANT_KINDS
} twx_variant_kind;

typedef struct twx_variant {
    uint8_t kind;                /* twx_variant_kind */
    bool repeated;               /* the name is repeated: `value` is its first value */
    uint64_t counterpart, group; /* 0: none */
    /* hashes of name and value (of a segment, a suffix: itself); 0: none. For a pair, value belongs
     * to `first` ...; of a base: of the rest's first folder and the shape, and its own key */
    uint64_t name, value;
    /* ... and this to `second`; names are in the order of their hashes. After a base: the rest */
    uint64_t second_value;
    /* for output and rules: name (or base); second name of a pair; value (or segment after it) */
    twx_slice first, second, text;
} twx_variant;

/* What precedes the rest of a path: an origin, perhaps with folders ("http://a.example/pub"). */
typedef struct twx_base {
    uint64_t key, origin, sum, power; /* key: without folders that of the origin */
} twx_base;

/* How many parameters, from the first on, are combined in pairs; how many folders a base has. */
enum { TWX_PAIRED_MAX = 8, TWX_FOLDERS_MAX = 3 };
enum {
    TWX_ORIGIN_AT = 1, /* index of the variant that is the origin alone; longer bases follow */
    TWX_VARIANTS_MAX = 2 + TWX_FOLDERS_MAX + 2 * TWX_URL_PARAMETERS +
                       TWX_PAIRED_MAX * (TWX_PAIRED_MAX - 1) / 2 + 3 * TWX_URL_SEGMENTS
};

/* A URL with its keys and variants. About 20 KB; only the entries in use are set. */
typedef struct twx_url_variants {
    twx_url_pieces parts;
    uint64_t whole;        /* of the URL: origin, path, parameters in any order */
    uint64_t origin, path; /* of the origin; of origin and path */
    uint64_t site, area;   /* of twx_site_of(), twx_area_of() */
    uint64_t route;        /* of the path without the origin */
    uint64_t query;        /* of the parameters; 0: none */
    uint64_t shape;        /* of their names; 0: none */
    size_t variants_n;
    twx_variant variants[TWX_VARIANTS_MAX];
} twx_url_variants;

/* url: in normal form. */
void twx_url_variants_of(twx_slice url, twx_url_variants *ret_page);
/* The host without "www.", and its port: what the four forms of a URL have in common. url: a URL or
 * an origin. */
twx_slice twx_site_of(twx_slice url);
/* The site with the first folder of the path ("a.example/shop/"), or "a.example/": documents beside
 * each other, among which a parameter is taken to mean one thing. */
twx_slice twx_area_of(twx_slice url);
twx_base twx_base_of(twx_slice base);
/* The whole key of the rest after v, a base of page, and the query after another base. */
uint64_t twx_url_key_at(const twx_url_variants *page, const twx_variant *v, const twx_base *base);
/* The whole key of a URL of these keys, and what a parameter contributes to the key of a query: a
 * query without it has the key query - twx_parameter_key(). */
uint64_t twx_url_key_of(uint64_t path, uint64_t query);
uint64_t twx_parameter_key(const twx_variant *v);
/* The key that twx_url_variants.shape holds. */
uint64_t twx_query_shape(twx_slice query);
/* The context key of hypothesis 10; the order of the two bases does not matter. It includes the
 * parameter names, because two hosts may serve the same pages but not, say, the same print
 * versions. what: the shape of a URL, or the name of the variant. */
uint64_t twx_origins_context(uint64_t a, uint64_t b, uint64_t what);
/* The key under which a URL is found by another one that equals it except for an added part: see
 * predict/model.c. */
uint64_t twx_reverse_key(uint64_t whole);

/* The components of a context key, besides the row's name. */
typedef enum twx_context_part {
    TWX_OF_SITE = 1,
    TWX_OF_PATH = 2, /* with the origin */
    TWX_OF_GROUP = 4,
    TWX_OF_NAME = 8,
    TWX_OF_VALUE = 16,
    TWX_OF_AREA = 32,
    TWX_OF_CONTENT = 64 /* the class of both documents */
} twx_context_part;

typedef struct twx_hypothesis {
    uint8_t number;   /* 1..10; several rows may have one */
    const char *form; /* its name in tables and output: unique */
    uint8_t kind;     /* of the variants it looks at */
    uint8_t of;       /* bits of twx_context_part */
    /* what the context generalises over: paths, groups, or contents (0: nothing). Duplicates of
     * each of them count TWX_DUPLICATES_EACH times at most, those of each value once: a thousand
     * sessions or log-in pages say nothing of other pages, pages with print=1 none of print=2 */
    uint8_t each;
    /* trials compare the URL with its counterpart; otherwise all of a group, counterpart included,
     * and with a value in the key each of the two URLs has one */
    bool added;
} twx_hypothesis;

enum { TWX_ORIGINS = 13, TWX_ORIGINS_OF_FOLDER, TWX_HYPOTHESES, TWX_DUPLICATES_EACH = 5 };
/* Rows of one kind and one sort of trial stand together, the one that speaks of more URLs first. */
extern const twx_hypothesis TWX_HYPOTHESIS[TWX_HYPOTHESES];
/* The row of this form; TWX_HYPOTHESES: none. */
size_t twx_hypothesis_find(twx_slice form);
/* The key of what twx_hypothesis.each names; 0: nothing. */
uint64_t twx_each_key(size_t row, const twx_url_variants *page, const twx_variant *v);
uint64_t twx_context_key(size_t row, const twx_url_variants *page, const twx_variant *v);

/* Texts are absent where the hypothesis does not use them. Of origins (10): path and value are the
 * two bases, name is the query of a URL with such parameters (absent: without a query), second
 * the folder. Path is the site or area where there is no path; of a session segment (9), the site
 * and what precedes the segment. */
typedef struct twx_context {
    uint64_t key;
    uint32_t row;        /* of TWX_HYPOTHESIS */
    uint32_t dup, nodup; /* they stop growing at UINT32_MAX */
    double probability;  /* set by the model */
    twx_slice path, name, second, value;
} twx_context;

/* The key under which trials of such a context are counted, from its texts. 0: they do not say it,
 * or it is not of the forms path, parameter, path-parameter, added, path-value, path-added,
 * segment, session-segment, path-suffix and origin. */
uint64_t twx_context_key_of_texts(const twx_context *c);

/* Of contexts with (dup, nodup) trials, the probability is p - 1.96 sqrt(p q / n), p = (dup + 1) /
 * n, q = 1 - p, n = dup + nodup + 2: the lower end of the 95 % interval. It is 0 with fewer than
 * TWX_TRIALS_LEAST trials, and when it is contradicted: by more than one nodup in
 * TWX_DUPLICATES_FOR_ONE dup, except of origins, where pages that show their host and pages that
 * changed in between are common; of origins with folders, by any nodup. */
enum { TWX_TRIALS_LEAST = 5, TWX_DUPLICATES_FOR_ONE = 500, TWX_MODEL_VERSION = 3 };
bool twx_context_is_contradicted(const twx_context *c);
/* Is the probability at least this, in millionths? Computed with whole numbers. */
bool twx_context_is_sure(const twx_context *c, uint32_t least_ppm);

/* What a learned model depends on besides documents: its version, and how URLs are normalised. */
uint64_t twx_model_fingerprint(const twx_url_options *urls);
bool twx_model_is_current(uint64_t fingerprint); /* of this version? */

#endif
