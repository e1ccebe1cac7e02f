/* search/internal.h: what the files of this room share with each other and with its tests; other
 * rooms include search/search.h. */
#ifndef TWX_SEARCH_INTERNAL_H
#define TWX_SEARCH_INTERNAL_H

#include "search/search.h"

/* graded.c: relevance judgements looked up in a store, and the quality of
 * a ranked list according to them.
 * [R1] The documents of a cluster count as one, because a reader learns nothing from a second copy:
 * its grade is the highest of its documents, the first hit of the cluster has it, and those below
 * have grade 0. So the figures of rules that hide or demote copies do not depend on which copy
 * was graded.
 * [R2] URLs that are not in the store are left out, named and counted.
 * Memory: owned handle. */

typedef struct twx_graded_queries twx_graded_queries;

typedef struct twx_searching twx_searching;

/* Reads the file and looks up its URLs as they are stored; of a URL that several stores have, the
 * first one counts. s: its stores are open.
 * Errors TWX_E_DATA "path:line: ...", TWX_E_NOTFOUND: there is no such file */
TWX_CHECK twx_rc twx_graded_queries_load(twx_searching *s, const char *path,
                                         twx_graded_queries **ret_queries);
void twx_graded_queries_close(twx_graded_queries *q);
/* TWX_DONE: no document of the store has a grade for this query. */
TWX_CHECK twx_rc twx_graded_quality(twx_ctx *cx, twx_graded_queries *q, twx_slice query,
                                    const twx_hits *hits, twx_quality *ret_quality);
/* Warns of the queries of the file that twx_graded_quality() was never asked about. */
void twx_graded_queries_unused(const twx_graded_queries *q, const twx_job *job);

/* rule_document (rule_tree.c): fields of rules that are no flags but say what a document is: where
 * it is from, its language, its age. They are not in the flags' view, so the SQL of such a clause
 * is the call of a function with the number of its node or field, and the values of the file, such
 * as the name of a host, stay in the nodes.
 * [R1] A field without a value is neither equal nor unequal to anything (NULL). */

typedef enum twx_rule_property {
    TWX_RULE_HOST,
    TWX_RULE_DOMAIN,
    TWX_RULE_PATH,
    TWX_RULE_LANGUAGE,
    TWX_RULE_CONTENT_TYPE,
    TWX_RULE_TEXTS, /* those above are texts */
    TWX_RULE_FETCHED_AT = TWX_RULE_TEXTS,
    TWX_RULE_AGE,
    TWX_RULE_SCORE,
    TWX_RULE_MIRRORED,
    TWX_RULE_PROPERTIES
} twx_rule_property;

/* What is known of a document. Memory: borrowed. */
typedef struct twx_rule_document {
    twx_slice text[TWX_RULE_TEXTS]; /* p NULL: not known */
    bool has[TWX_RULE_PROPERTIES];  /* of those that are no texts */
    double number[TWX_RULE_PROPERTIES];
} twx_rule_document;

typedef enum twx_rule_truth { TWX_RULE_NO, TWX_RULE_YES, TWX_RULE_NOT_KNOWN } twx_rule_truth;

/* Of a node that is a clause about a property. Texts: host, domain and content type are equal, the
 * path begins with the value, the language is it or a dialect; but for the path, in any case. */
twx_rule_truth twx_rule_document_matches(const twx_rule_node *node, size_t property,
                                         const twx_rule_document *document);

/* rule_function (rule_tree.c): the functions of rules: their arguments and the SQL they compile to,
 * the rows of share/tables/rule_functions.tsv. NULL in, NULL out, except for exists, def and if. */

typedef struct twx_rule_function {
    const char *name;
    size_t least, most; /* arguments */
    const char *usage;  /* "recip(x,m,a,b)" */
    const char *sql;    /* $1, $2, ... are arguments; "": the arguments are joined by `join` */
    const char *join;
    bool any_kind; /* the argument may be a field that is not a number */
    /* aggregates the whole result: no nested call of this kind, and only numbers after the first
     * argument */
    bool whole;
} twx_rule_function;

/* NULL after the last; overloads are adjacent */
const twx_rule_function *twx_rule_function_at(size_t i);

/* rule_lex.c: the tokens of a rules file, and its numbers. */

/* The lexer of rule files.
 * [R1] Tokens: words (letters, digits, '_', '.', '-', '*', '?' and non-ASCII characters; '-' does
 * not begin one), texts in double quotes (with \" and \\), names of numbers ($ and a word), the
 * operators of queries and functions, the end of a line, the end of the file. '[name]' at the
 * beginning of a line is a section. '#' outside quotes begins a comment.
 * [R2] Invalid UTF-8 and control characters are errors.
 * [R3] Columns count characters, from 1.
 * Memory: embedded struct; the text is borrowed, tokens point into it. */
typedef enum twx_rule_token_kind {
    TWX_RULE_END,     /* of the file */
    TWX_RULE_LINE,    /* the end of a line */
    TWX_RULE_SECTION, /* text: the name */
    TWX_RULE_WORD,
    TWX_RULE_QUOTED,      /* text: between the quotes, escapes as written */
    TWX_RULE_NUMBER_NAME, /* $name; text: the name */
    TWX_RULE_AND,
    TWX_RULE_OR,
    TWX_RULE_NOT,
    TWX_RULE_PLUS,
    TWX_RULE_MINUS,
    TWX_RULE_OPEN, /* ( */
    TWX_RULE_CLOSE,
    TWX_RULE_FROM,   /* [ */
    TWX_RULE_BEHIND, /* { */
    TWX_RULE_UP_TO,  /* ] */
    TWX_RULE_BEFORE, /* } */
    TWX_RULE_COLON,
    TWX_RULE_COMMA,
    TWX_RULE_CARET,
    TWX_RULE_CARET_CONSTANT /* ^= */
} twx_rule_token_kind;

typedef struct twx_rule_token {
    twx_rule_token_kind kind;
    twx_slice text;
    size_t at, end;       /* byte offsets in the file */
    size_t line, line_at; /* its line, from 1, and where that begins */
} twx_rule_token;

typedef struct twx_rule_lexer {
    twx_ctx *cx;
    const char *name; /* of the file, for messages */
    twx_slice text;
    size_t at, line, line_at; /* line_at: where the line begins */
    bool begun;               /* a token of this line has been read */
} twx_rule_lexer;

twx_rule_lexer twx_rule_lexer_of(twx_ctx *cx, const char *name, twx_slice text);
/* Errors TWX_E_CONFIG with "name:line:column: reason". After the end it returns the end again. */
TWX_CHECK twx_rc twx_rule_next(twx_rule_lexer *lexer, twx_rule_token *ret_token);
/* The number of characters before the token on its line, plus one. It is counted only for messages:
 * a line may have as many tokens as bytes. */
size_t twx_rule_token_column(const twx_rule_lexer *lexer, const twx_rule_token *token);
/* Fails with "name:line:column: reason" for a token. */
twx_rc twx_rule_fail(const twx_rule_lexer *lexer, const twx_rule_token *token, const char *fmt, ...)
    TWX_PRINTF(3, 4);

/* The numbers of rules, independent of the locale: digits with an optional
 * fraction and exponent ("1", ".5", "2.5e-3"). The sign is a separate token. */
enum { TWX_RULE_NUMBER_BYTES = 32 };

/* false: not a number, more than 18 digits, or outside 1e-30 to 1e30 (and not 0). */
bool twx_rule_real(twx_slice text, double *ret_value);
/* An integer; negative: preceded by a minus sign. false: not an integer, or outside 64 bits. */
bool twx_rule_integer(twx_slice text, bool negative, int64_t *ret_value);
/* Formatted so that SQL reads back the same bits; a point or an exponent makes it a real number,
 * parentheses keep the sign. */
void twx_rule_real_sql(double value, char ret_text[TWX_RULE_NUMBER_BYTES]);

/* ranking.c: {"line", "column", "message"} of a message "path:line:column: reason"; without the
 * places if it has another form. New reference, NULL: out of memory. */
json_t *twx_rule_error_json(const char *message, const char *path);

/* rule_tree.c: private to the parser of rules: its state, and what its parts share: the next
 * token, names, nodes and weights. rule_parse.c reads the sections, rule_query.c the queries of
 * [boost] and [filter], rule_call.c the terms of [function]. */

typedef TWX_VEC(twx_rule_part) twx_rule_part_list;

struct twx_rules {
    const twx_rule_fields *fields;
    char *text; /* the file; parts and tokens point into it */
    TWX_VEC(twx_rule_node) nodes;
    twx_rule_part_list boosts, filters, functions;
    double column[TWX_RULES_COLUMNS];
    twx_rule_number numbers[TWX_RULES_NUMBERS];
    size_t n_numbers;
};

typedef struct twx_rule_parser {
    twx_ctx *cx;
    twx_rules *rules;
    twx_rule_lexer lexer;
    twx_rule_token token; /* the next one, not consumed yet */
    size_t taken;         /* end of the last consumed token */
    bool has_columns;
} twx_rule_parser;

/* Sibling nodes. */
typedef struct twx_rule_chain {
    uint16_t first, last, n;
} twx_rule_chain;

static const twx_rule_chain TWX_RULE_NO_CHAIN = {TWX_RULE_NO_NODE, TWX_RULE_NO_NODE, 0};

/* ---- tokens ---- */

TWX_CHECK twx_rc twx_rule_take(twx_rule_parser *p);
bool twx_rule_at(const twx_rule_parser *p, twx_rule_token_kind kind);
bool twx_rule_at_line_end(const twx_rule_parser *p);
/* Reports what was found instead of what is expected. */
TWX_CHECK twx_rc twx_rule_fail_wanted(twx_rule_parser *p, const char *wanted);
TWX_CHECK twx_rc twx_rule_expect(twx_rule_parser *p, twx_rule_token_kind kind, const char *what);

/* ---- names ---- */

void twx_rule_copy_word(twx_slice word, char ret_name[TWX_RULES_NAME]);
/* "no field 'x'; did you mean y?" */
TWX_CHECK twx_rc twx_rule_fail_unknown(twx_rule_parser *p, const twx_rule_token *token,
                                       const char *kind, const twx_nearest *near);
TWX_CHECK twx_rc twx_rule_find_field(twx_rule_parser *p, const twx_rule_token *token,
                                     uint16_t *ret_field);

/* ---- nodes ---- */

twx_rule_node *twx_rule_node_at(twx_rule_parser *p, uint16_t i);
TWX_CHECK twx_rc twx_rule_add_node(twx_rule_parser *p, twx_rule_node node, uint16_t *ret_node);
twx_rule_node twx_rule_node_of(twx_rule_op op);
void twx_rule_append(twx_rule_parser *p, twx_rule_chain *c, uint16_t i);
/* One node for a chain: its only member, or a new parent of its members. */
TWX_CHECK twx_rc twx_rule_close_chain(twx_rule_parser *p, twx_rule_chain *c, twx_rule_op op,
                                      uint16_t *ret_node);

/* ---- numbers and weights ---- */

/* Is a number, its sign, or the name of a number next? */
bool twx_rule_at_number(const twx_rule_parser *p);
/* what: for the message. */
TWX_CHECK twx_rc twx_rule_read_real(twx_rule_parser *p, const char *what, double *ret_value);
/* ^weight or ^=weight, if present. */
TWX_CHECK twx_rc twx_rule_read_weight(twx_rule_parser *p, double *weight, bool *ret_constant);

TWX_CHECK twx_rc twx_rule_add_part(twx_rule_parser *p, twx_rule_part_list *list,
                                   const twx_rule_part *part);
TWX_CHECK twx_rc twx_rule_fail_deep(twx_rule_parser *p);

/* rule_numbers (rule_tree.c): a line of [numbers]; the value of the name that is next, which is
 * not consumed; after the file: whether it defines all numbers that are replaced. */
TWX_CHECK twx_rc twx_rule_read_number(twx_rule_parser *p);
TWX_CHECK twx_rc twx_rule_check_numbers(twx_rule_parser *p);

/* rule_value (rule_tree.c): values of fields that are no flags. A date is the first and the last
 * second of its day, or one second; a number is both. */
TWX_CHECK twx_rc twx_rule_check_wildcard(twx_rule_parser *p); /* a word must have none */
TWX_CHECK twx_rc twx_rule_read_text(twx_rule_parser *p, const twx_rule_field *field,
                                    twx_slice *ret_text);
TWX_CHECK twx_rc twx_rule_read_date(twx_rule_parser *p, double *ret_first, double *ret_last);
TWX_CHECK twx_rc twx_rule_read_amount(twx_rule_parser *p, const twx_rule_field *field,
                                      double *ret_first, double *ret_last);

/* The items of the sections. */
TWX_CHECK twx_rc twx_rule_read_filter(twx_rule_parser *p);
TWX_CHECK twx_rc twx_rule_read_boosts(twx_rule_parser *p);

/* search_figures (search_result.c): how many hits a query has, and how many of the first ones are
 * duplicates; for one query, and as a table of many. */

typedef struct twx_search_figures {
    twx_slice query;
    size_t n_sides;                      /* 2: a comparison */
    const char *rules[TWX_SEARCH_SIDES]; /* files; NULL: none */
    size_t hits[TWX_SEARCH_SIDES];
    double few[TWX_SEARCH_SIDES], many[TWX_SEARCH_SIDES]; /* shares of duplicates at the top */
    twx_moves moves;
    bool judged; /* there are relevance judgements of the query */
    twx_quality quality[TWX_SEARCH_SIDES];
} twx_search_figures;

/* Of one side. */
json_t *twx_search_side_json(const twx_search_figures *f, size_t i);

/* ---- many queries -------------------------------------------------------- */

/* A row is written as soon as its query has been searched. Memory: twx_query_list_done(). */
typedef struct twx_query_list {
    const twx_out *out;
    size_t queries, with_hits, refused;
    twx_search_figures sums;   /* over the queries with hits */
    bool judged;               /* there are relevance judgements */
    twx_query_quality quality; /* of the queries with relevance judgements */
    json_t *rows;
} twx_query_list;

/* list: out and judged are set by the caller. rules: the files of rules; NULL: none. */
TWX_CHECK twx_rc twx_query_list_begin(twx_query_list *list, const char *const *rules,
                                      size_t n_sides);
TWX_CHECK twx_rc twx_query_list_add(twx_query_list *list, const twx_search_figures *f);
/* Lists a query that could not be searched; no figure counts it. */
TWX_CHECK twx_rc twx_query_list_refuse(twx_query_list *list, twx_slice query, const char *reason);
/* Writes the totals. */
TWX_CHECK twx_rc twx_query_list_end(twx_query_list *list);
void twx_query_list_done(twx_query_list *list);

/* search_result.c: the hits of a query, ranked by one file of rules, or by two that are
 * compared, and the figures of the query.
 * Memory: embedded struct, zeroed before use; twx_search_result_done(). Bytes are in the arena. */

/* What a rule adds to the score of a hit. */
typedef struct twx_search_part {
    twx_slice rule;
    double adds;
} twx_search_part;

/* A flag of a hit: a number, the id of a document, or a word. */
typedef struct twx_search_flag {
    const char *name;
    twx_value value;
    bool is_id;      /* value NULL: the document is gone */
    twx_slice store; /* of the document, if it is another one than that of the hit */
    char word[16];   /* empty: value counts */
} twx_search_flag;

typedef struct twx_search_hit {
    twx_value id;                  /* NULL: it is gone */
    twx_slice store;               /* of several; absent: there is no other */
    twx_slice url, title, snippet; /* matches in brackets; safe on a terminal */
    double score, text_score;
    uint64_t rank[TWX_SEARCH_SIDES]; /* from 1; 0: no hit */
    bool duplicate; /* a hit of the same cluster is above it; not known in a comparison */
    bool has_flags;
    TWX_VEC(twx_search_part) parts;
    TWX_VEC(twx_search_flag) flags;
} twx_search_hit;

typedef struct twx_search_result {
    twx_arena arena;
    twx_search_figures figures;
    TWX_VEC(twx_search_hit) hits;
} twx_search_result;

void twx_search_result_done(twx_search_result *r);
/* The hits of one side; new reference, NULL: out of memory. */
json_t *twx_search_hits_json(const twx_search_result *r);
/* Writes the hits, or the moves if two files of rules are compared, and the figures. all_flags:
 * in text with all flags of a hit, not with three of them. */
TWX_CHECK twx_rc twx_search_result_write(const twx_out *out, const twx_search_result *r,
                                         bool all_flags);

/* searching: private to search/: the state of a search and the functions that its parts
 * share. A side is a file of rules and the hits ranked by it: a plain search has one side, a
 * comparison has two. All hits are kept (32 bytes each), because a document at rank 3 of one side
 * may be at rank 3000 of the other.
 * The documents of several stores are ranked in one list. In hits and clusters a document has a
 * number: in one store its own, in several one that it gets when it is first met. */

typedef struct twx_search_side {
    twx_ranking_rules rules;
    twx_hits hits;
    /* by row, at least of the hits that are shown: the score of the text and the parts */
    TWX_VEC(double) parts;
    twx_map64 ranks; /* ranks of all hits */
} twx_search_side;

/* What is shown of a document, safe to print on a terminal; matches are in brackets. */
typedef struct twx_shown_text {
    twx_slice url, title, snippet;
    bool has_flags;
    twx_flag_row flags;
} twx_shown_text;

struct twx_searching {
    const twx_job *job;
    const twindex_search_options *options;
    twx_store_set set;
    TWX_VEC(twx_set_document) numbered; /* by number; of several stores */
    twx_map64 number_of;                /* key of the document -> number */
    twx_text_statistics statistics;     /* of several stores, for the query */
    twx_search_side sides[TWX_SEARCH_SIDES];
    size_t n_sides;
    bool together; /* one statement ranks the hits by both sides */
    size_t shown;  /* maximum number of hits shown */
    twx_snippets *snippets;
    /* of the hits of the query that have been listed: two sides mostly list the same documents */
    TWX_VEC(twx_shown_text) shown_texts;
    twx_map64 shown_of; /* doc -> index */
    twx_arena shown_arena;
    twx_graded_queries *judged;     /* NULL: there are no relevance judgements */
    twx_rule_documents **documents; /* by store; NULL: the rules need none */
    twx_slice query;                /* as the user typed it */
    twx_buf expression;             /* of FTS5 */
    twx_buf phrases;
};

/* search.c. s: zeroed but for job, options and n_sides, which the caller sets. */
void twx_searching_done(twx_searching *s);
/* Opens the store. Errors TWX_E_DATA, with what to do: no run yet, no text index. */
TWX_CHECK twx_rc twx_searching_open(twx_searching *s);
/* Ranks the hits of a query by the rules of each side. place: begins the message of an error in the
 * query, which is TWX_E_DATA. */
TWX_CHECK twx_rc twx_searching_run(twx_searching *s, twx_slice query, const char *place);
TWX_CHECK twx_rc twx_searching_figures(twx_searching *s, twx_search_figures *ret_figures);
/* After it is opened: reads the relevance judgements, which twx_searching_figures() then uses. */
TWX_CHECK twx_rc twx_searching_grade(twx_searching *s, const char *judgements);

/* The number of a document that the flags of a store refer to, and the reverse. */
TWX_CHECK twx_rc twx_searching_number(twx_searching *s, uint32_t store, int64_t doc,
                                      int64_t *ret_number);
/* Errors TWX_E_BUSY: two runs have published results since */
TWX_CHECK twx_rc twx_searching_kept(const twx_searching *s);

/* index.c: the number (text/terms.c) of a document's language, else that of the settings. */
unsigned twx_text_language(const twx_job *job, const twx_source_row *row);

/* search_hits (search.c): lists the first of these hits, those of a side with the parts of their
 * scores. side NULL: any hits, with their ranks of both sides. */
TWX_CHECK twx_rc twx_search_list(twx_searching *s, const twx_search_side *side,
                                 const twx_hits *hits, twx_search_result *result);

#endif
