/* search/search.h: the text index, ranking rules, relevance judgements. */
#ifndef TWX_SEARCH_SEARCH_H
#define TWX_SEARCH_SEARCH_H

#include "inspect/inspect.h"

/* index.c: creates the text index and brings it up to date with the source: new and changed
 * documents are indexed, deleted ones are removed. drop: removes the index instead.
 * [R1] Work is committed in steps: an interrupted call is continued by the next one. */
TWX_CHECK twx_rc twx_text_index_update(const twx_job *job, bool drop, const twx_out *out);

/* find.c: finds documents for the workbench, by id or URL, by a part of the URL, or by words of the
 * text index, and lists them as JSON.
 * [R1] An id or a whole URL is found as explain finds it. [R2] What contains a slash, or a full
 * stop and no white space, is searched for in the URLs, which are read once; case does not count.
 * [R3] Anything else are words for the text index.
 * limit: documents listed; 0: all. Errors TWX_E_DATA: words, and no text index. */
TWX_CHECK twx_rc twx_find(const twx_job *job, const char *words, size_t limit, const twx_out *out);

/* rule_parse.c: the parser of the rules language.
 *
 * A file has sections, in any order and number: [boost] and [filter] hold queries, one a line;
 * [function] holds functions, several on a line; [fields] holds weights of the columns of the text
 * index; [numbers] gives names to numbers. '#' begins a comment.
 *
 * [R1] A query consists of clauses: `field:value`, `field:"value"`, `field:[a TO b]` with '{' and
 * '}' for excluded ends and '*' for no end, `field:*` (not NULL), `field:(1 OR 2)` (where -5 is a
 * negation, and "-5" a number), `*:*` (everything), parentheses, each with `^weight`, or `^=weight`
 * for a group that counts once. NOT ! - bind closest, then AND &&, then OR ||, then a blank.
 * A field of fields->at is a flag; the others are properties of the document, whose numbers come
 * after those of the flags: `host:example.org`, `path:"/docs/"`, `fetched_at:[2024-01-01 TO *]`.
 * [R2] Of clauses separated by blanks those with '+' must match and those with '-' must not; the
 * others are alternatives when none has '+' (Solr's default operator OR). Unlike in Solr's parser,
 * AND binds closer than OR, and NOT beside OR is an alternative.
 * [R3] The score of a matching clause is its weight, 1 by default; the score of a group is the sum
 * of its matching clauses times its weight. A negation beside other clauses of a blank or an AND
 * only excludes and scores nothing; among negations only, and in an OR, it scores.
 * [R4] A function is a number, a field, or a call, with `^weight`.
 * [R7] [numbers] holds `name value`, one a line; below it, `$name` stands for the number wherever a
 * weight or an argument of a function is one.
 * [R5] Every error has line and column; an error about an unknown name suggests the nearest known
 * one.
 * [R6] No recursion: depth, nodes and parts are bounded by the limits below.
 * Memory: the handle is owned; it borrows the fields and owns the rest. */

enum {
    TWX_RULES_BYTES = 256 << 10, /* of a file */
    TWX_RULES_NODES = 2000,
    TWX_RULES_DEPTH = 12, /* of parentheses and calls */
    TWX_RULES_PARTS = 64, /* of each kind; boosts are counted by clause */
    TWX_RULES_ARGUMENTS = 32,
    TWX_RULES_COLUMNS = 4,
    TWX_RULES_NUMBERS = 64,
    TWX_RULES_NAME = 64 /* bytes of a field's name */
};

/* A field of rules: a column of document_flags. */
typedef enum twx_rule_kind {
    TWX_RULE_BOOL,
    TWX_RULE_NUMBER, /* an integer */
    TWX_RULE_NAME,   /* one of some words */
    TWX_RULE_ID,     /* of a document, any type: only its existence can be tested */
    TWX_RULE_TEXT,   /* this and the following: fields that are no flags (rule_document) */
    TWX_RULE_REAL,
    TWX_RULE_DATE /* seconds since 1970 */
} twx_rule_kind;

typedef struct twx_rule_field {
    const char *name;
    twx_rule_kind kind;
    const char *const *words; /* of TWX_RULE_NAME, ends with NULL */
} twx_rule_field;

/* A name of [fields]. weight: without such a section. */
typedef struct twx_rule_column {
    const char *name;
    double weight;
} twx_rule_column;

/* A name of [numbers]. */
typedef struct twx_rule_number {
    char name[TWX_RULES_NAME];
    double value;
} twx_rule_number;

typedef struct twx_rule_fields {
    const twx_rule_field *at;
    size_t n;
    const twx_rule_column *columns; /* what [fields] may name, at most TWX_RULES_COLUMNS */
    size_t n_columns;
    bool properties;                /* rules may also ask for properties (rule_document) */
    const twx_rule_number *numbers; /* replace the values of [numbers], which has to define them */
    size_t n_numbers;
} twx_rule_fields;

typedef enum twx_rule_op {
    TWX_RULE_EVERYTHING,
    TWX_RULE_HAS,
    TWX_RULE_EQUALS, /* low, or word */
    TWX_RULE_BETWEEN,
    TWX_RULE_ALL_OF,
    TWX_RULE_ANY_OF,
    TWX_RULE_CLAUSES, /* [R2] */
    TWX_RULE_NONE_OF, /* one child */
    TWX_RULE_AMOUNT,  /* a number */
    TWX_RULE_VALUE,   /* of a field */
    TWX_RULE_CALL
} twx_rule_op;

typedef enum twx_rule_occurs { TWX_RULE_MAY, TWX_RULE_MUST, TWX_RULE_MUST_NOT } twx_rule_occurs;

enum { TWX_RULE_NO_NODE = 0xFFFF };

/* Nodes come after their children. */
typedef struct twx_rule_node {
    twx_rule_op op;
    twx_rule_occurs occurs; /* in TWX_RULE_CLAUSES */
    bool mute;              /* a negation that scores nothing, [R3] */
    bool constant;          /* ^= */
    bool has_low, has_high, low_open, high_open;
    uint16_t field, function;
    uint16_t first, next, children;
    double weight, amount;
    int64_t low, high;
    const char *word;           /* of the field's words */
    twx_slice text;             /* of TWX_RULE_TEXT */
    double real_low, real_high; /* of TWX_RULE_REAL and TWX_RULE_DATE */
    size_t at, end;             /* of a clause: bytes of the file */
} twx_rule_node;

/* A boost, a filter or a function. */
typedef struct twx_rule_part {
    uint16_t root;
    size_t line;
    twx_slice text; /* as written in the file */
} twx_rule_part;

typedef struct twx_rule_list {
    const twx_rule_part *at;
    size_t n;
} twx_rule_list;

typedef struct twx_rules twx_rules;

/* name: of the file, for messages. Errors TWX_E_CONFIG "name:line:column: reason", TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_rules_parse(twx_ctx *cx, const char *name, twx_slice text,
                                 const twx_rule_fields *fields, twx_rules **ret_rules);
void twx_rules_close(twx_rules *rules);

const twx_rule_fields *twx_rules_fields(const twx_rules *rules);
const twx_rule_node *twx_rules_nodes(const twx_rules *rules, size_t *ret_n);
twx_rule_list twx_rules_boosts(const twx_rules *rules);
twx_rule_list twx_rules_filters(const twx_rules *rules);
twx_rule_list twx_rules_functions(const twx_rules *rules);
/* Weight of a name of [fields]: its default without such a section; 0 if it is not listed. */
double twx_rules_column(const twx_rules *rules, size_t column);
/* Whether any rule asks for a property of documents. */
bool twx_rules_ask_properties(const twx_rules *rules);
/* A field by its number; the property that it is, TWX_RULE_PROPERTIES if it is a flag. */
const twx_rule_field *twx_rule_field_of(const twx_rule_fields *fields, size_t field);
size_t twx_rule_property_of(const twx_rule_fields *fields, size_t field);
/* The numbers of [numbers], with the values that were used. */
const twx_rule_number *twx_rules_numbers(const twx_rules *rules, size_t *ret_n);

/* overview (find.c): the state of a store in a few figures, for the workbench, as JSON, with the
 * names that rules may use. A store without a run is no error. */
TWX_CHECK twx_rc twx_overview(const twx_job *job, const twx_out *out);

/* rule_sql.c: compiles rules to SQL expressions over a row `f` of document_flags.
 * [R1] Only names of the field table and numbers that we format reach the SQL; no text of the file
 * does, so nothing needs quoting. Clauses about properties of documents (search/rule_tree.c)
 * are calls of the functions rule_matches(id, node) and rule_number(id, property).
 * [R2] SQLite accepts every expression produced here: nesting and size are bounded below its
 * limits.
 * [R3] The filter is NULL or 0 for documents that are left out. A part is never NULL: where a NULL
 * flag or a division by zero gives no value it adds 0.0, and parts are clipped to -1e30..1e30.
 * Memory: embedded struct, owned; twx_rule_sql_done(). */

typedef struct twx_rule_sql {
    char *filter; /* "1" when there is none */
    char **parts; /* boosts, then functions, in file order */
    size_t n_parts;
    char *score; /* all parts added; "0.0" when there are none */
} twx_rule_sql;

/* Errors TWX_E_CONFIG: rules nested too deep, or too long for SQLite; TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_rule_sql_make(twx_ctx *cx, const char *name, const twx_rules *rules,
                                   twx_rule_sql *ret_sql);
void twx_rule_sql_done(twx_rule_sql *sql);

/* ranking.c: rules files, read and compiled, and what their rules ask about documents. */

/* Reads a rules file, checks it against the existing flags and compiles it.
 * Memory: embedded struct, owned; twx_ranking_rules_done(). */

/* Reads a small file completely. The bytes are owned by the buffer. Errors TWX_E_CONFIG if it
 * cannot be read or is longer than the limit. */
TWX_CHECK twx_rc twx_read_file(twx_ctx *cx, const char *path, size_t limit, twx_buf *ret_bytes);

typedef struct twx_ranking_rules {
    const char *path;               /* NULL: no rules, rank by text alone */
    const twx_rule_number *numbers; /* replace values of [numbers]; NULL: none */
    size_t n_numbers;
    struct twx_flag_fields *fields; /* the names that rules may use */
    twx_rules *rules;
    twx_rule_sql sql;
    twx_ranking ranking; /* points into sql */
} twx_ranking_rules;

/* path NULL: no rules. Errors TWX_E_CONFIG "path:line:column: reason". */
TWX_CHECK twx_rc twx_ranking_rules_load(twx_ctx *cx, const char *path,
                                        twx_ranking_rules *ret_rules);
/* The same for the text of the file r->path. r: to be released even after an error. */
TWX_CHECK twx_rc twx_ranking_rules_compile(twx_ctx *cx, twx_slice text, twx_ranking_rules *r);
void twx_ranking_rules_done(twx_ranking_rules *r);
/* The text of part i of the ranking as written in the file. */
twx_slice twx_ranking_part_text(const twx_ranking_rules *r, size_t i);

/* Reads what rules ask about documents besides their flags
 * (search/rule_tree.c): from the row of the source, without its texts, and from the list of
 * mirrors of the last 'twindex mirrors'. The age is that of the moment when it was opened.
 * Memory: owned handle; job, opened store and rules are borrowed. */
typedef struct twx_rule_documents twx_rule_documents;

/* Prepares the connection o->writer for statements with these rules. Creates *documents if they ask
 * for properties and it is NULL. The rules have to live as long as they are used.
 * Errors TWX_E_CONFIG: the rows of this store cannot be looked up one at a time */
TWX_CHECK twx_rc twx_rule_documents_use(const twx_job *job, twx_opened *o,
                                        const twx_ranking_rules *rules,
                                        twx_rule_documents **documents);
void twx_rule_documents_close(twx_rule_documents *d);

/* rules (ranking.c): checks a file of ranking rules and shows what they mean. */

/* sql: writes the SQL statement that they compile to. An error is shown with its line. Errors those
 * of twx_ranking_rules_load() */
TWX_CHECK twx_rc twx_check_rules(twx_ctx *cx, const char *path, bool sql, const twx_out *out);

/* rules_trial (ranking.c): finds, in a dry run, the documents that the filter of a rules file would
 * hide with the flags that would be published. The flags are written to the scratch file, so that
 * SQLite evaluates the filter as in a search. */

extern const twx_rules_try TWX_RULES_TRIAL;

/* search.c: ranks documents for a query, with and without rules, to help users tune them.
 * Errors TWX_E_CONFIG for a file of rules and TWX_E_DATA for a query, both with the place of the
 * error; TWX_E_DATA also if there is no text index. */
TWX_CHECK twx_rc twx_search_documents(const twx_job *job, const twindex_search_options *options,
                                      const twx_out *out);

/* hits (graded.c): relevance judgements of hits, and the measures of a ranking: grades, NDCG,
 * intervals. */

/* Reads a file of relevance judgements: which grade a person has given to a
 * document as an answer to a query.
 *
 * A line is `query TAB URL TAB grade`; the grade is a whole number, 0 for a document that is of no
 * use. Blanks around fields do not count. Empty lines and lines that begin with '#' are ignored.
 * [R1] Every error has the line. [R2] A query and a URL have one grade: another line with the same
 * grade is ignored, and one with another grade is an error. */
enum { TWX_GRADES_BYTES = 16 << 20, TWX_GRADE_MAX = 100 };

typedef struct twx_grade {
    twx_slice query, url;
    uint32_t grade;
    size_t line;
} twx_grade;

typedef TWX_VEC(twx_grade) twx_grades;

/* name: of the file, for messages. Memory: slices point into `text`; TWX_VEC_DONE(ret_grades).
 * Errors TWX_E_DATA "name:line: reason"; ret_grades is then partly filled. */
TWX_CHECK twx_rc twx_grades_parse(twx_ctx *cx, const char *name, twx_slice text,
                                  twx_grades *ret_grades);

/* The 95 % confidence interval of a mean by Student's t distribution. Of paired
 * differences it is the interval that belongs to the paired t test, which agrees well with tests by
 * randomization and bootstrap on measures of searches. Source: Smucker, Allan and Carterette, "A
 * comparison of statistical significance tests for information retrieval evaluation", CIKM 2007.
 * Nothing is drawn at random, so equal input gives equal output. */
typedef struct twx_interval {
    size_t n;
    double mean; /* 0 if n is 0 */
    bool known;  /* two values or more */
    double low, high;
} twx_interval;

twx_interval twx_interval_of(const double *values, size_t n);
/* Of the differences b[i] - a[i]. */
twx_interval twx_interval_between(const double *a, const double *b, size_t n);
/* The 97.5 % quantile of Student's t, df >= 1 degrees of freedom; relative error below 1e-4. */
double twx_t_quantile(size_t df);

/* Measures of a ranked list of documents with grades.
 *
 * nDCG@k: the sum of grade / log2(rank + 1) over the first k ranks, divided by that sum for the
 * best possible order of all graded documents; 0 if no document has a grade above 0. Source:
 * Jarvelin and Kekalainen, "Cumulated gain-based evaluation of IR techniques", ACM TOIS 20(4),
 * 2002, with the grade as the gain and the discount of trec_eval's ndcg_cut, which also lowers
 * rank 2.
 * Reciprocal rank: 1 / rank of the first document with a grade above 0, else 0. Its mean over the
 * queries is MRR. Source: Voorhees, "The TREC-8 Question Answering Track Report", 1999. */
typedef struct twx_quality {
    double ndcg, reciprocal_rank; /* of the first 10 hits; of all */
} twx_quality;

/* ranked: grades of the hits in their order, the first n_ranked of them. graded: the grades of all
 * graded documents, which are sorted. */
double twx_ndcg(const uint32_t *ranked, size_t n_ranked, uint32_t *graded, size_t n_graded,
                size_t k);

/* Measures ranked lists of documents: how many duplicates are near the top, and how
 * rules change the order. A duplicate is a hit whose cluster has a hit above it. A document without
 * a cluster is never a duplicate. */
typedef struct twx_ranked {
    int64_t doc;
    int64_t cluster; /* number of its representative */
    bool has_cluster;
    bool takes_part; /* a redirect has a cluster and takes no part: its absence is not a loss */
    uint32_t row;    /* of the list of parts of its side */
    double score;
} twx_ranked;

typedef TWX_VEC(twx_ranked) twx_hits;

enum { TWX_TOP_FEW = 10, TWX_TOP_MANY = 100 };

/* The number of duplicates among the first `most` hits, and of those hits. */
typedef struct twx_duplicates {
    size_t duplicates, hits;
} twx_duplicates;
TWX_CHECK twx_rc twx_duplicates_among(twx_ctx *cx, const twx_hits *hits, size_t most,
                                      twx_duplicates *ret_duplicates);
/* 0 when there are no hits. */
double twx_duplicates_share(const twx_duplicates *d);

/* What became of the first TWX_TOP_MANY hits of `before`, and of the clusters that had a hit that
 * takes part. */
typedef struct twx_moves {
    size_t moved, vanished; /* to another rank; no longer a hit */
    size_t fresh;           /* of the first TWX_TOP_MANY of `after`: not hits before */
    size_t clusters_before, clusters_gone;
} twx_moves;
TWX_CHECK twx_rc twx_moves_between(twx_ctx *cx, const twx_hits *before, const twx_map64 *was,
                                   const twx_hits *after, const twx_map64 *is,
                                   twx_moves *ret_moves);
/* Adds up the clusters of `before` and those without a hit in `after`. Appends the first hit of
 * each of these to ret_gone, which the caller owns; NULL: they are only counted. */
TWX_CHECK twx_rc twx_hits_gone(twx_ctx *cx, const twx_hits *before, const twx_hits *after,
                               twx_moves *moves, twx_hits *ret_gone);

/* Rank (from 1) of each document. Memory: initialises ret_ranks, which the caller owns. */
TWX_CHECK twx_rc twx_ranks_of(twx_ctx *cx, const twx_hits *hits, twx_map64 *ret_ranks);

/* query_quality (graded.c): how well searches do by relevance judgements: the measures of each
 * query, their means, and the paired differences of two sides with 95 % intervals
 * (search/graded.c).
 * Memory: embedded struct; zero-initialized, twx_query_quality_done(). */

enum { TWX_SEARCH_SIDES = 2 };

typedef enum twx_query_measure {
    TWX_NDCG,
    TWX_MRR,
    TWX_DUPLICATES, /* share of duplicates in the first 10 */
    TWX_MEASURES
} twx_query_measure;

typedef TWX_VEC(double) twx_query_values;

typedef struct twx_query_quality {
    twx_query_values of[TWX_SEARCH_SIDES][TWX_MEASURES]; /* of the judged queries */
    size_t n_sides;
} twx_query_quality;

/* A judged query: n_sides values of each; duplicates: their share in the first 10 hits. */
TWX_CHECK twx_rc twx_query_quality_add(twx_ctx *cx, twx_query_quality *q, size_t n_sides,
                                       const twx_quality *quality, const double *duplicates);
void twx_query_quality_done(twx_query_quality *q);
twx_interval twx_query_quality_mean(const twx_query_quality *q, size_t side, twx_query_measure m);
/* B - A, of the same queries. */
twx_interval twx_query_quality_difference(const twx_query_values *a, const twx_query_values *b);
/* {"mean", "low", "high"}; without an interval if it is not known */
json_t *twx_interval_json(const twx_interval *i);
/* {"queries", "a": {measure: interval}, "b", "difference"}; new reference, NULL: out of memory */
json_t *twx_query_quality_json(const twx_query_quality *q);
TWX_CHECK twx_rc twx_query_quality_write(const twx_out *out, const twx_query_quality *q);

/* try_rules (tune.c): ranks the hits of queries by ranking rules that are given as texts, side by
 * side, for the workbench (serve/). */

/* [R1] All queries and sides are ranked by the flags of one run. [R2] An error in a rules text is
 * reported with its side, and an error in a query with the query; the others are searched.
 * Errors TWX_E_USAGE: no query, no side or more than two; TWX_E_DATA: no run yet, no text index;
 * TWX_E_BUSY: these flags were overwritten by a run meanwhile. */
TWX_CHECK twx_rc twx_try_rules(const twx_job *job, const twindex_try_options *options,
                               const twx_out *out);
/* Checks a text of rules and writes {"messages": [...]}: the message of an error, with its line and
 * column; [] if there is none. Rules that ask about flags alone have their SQL in "sql" and the
 * condition of their filter in "where". */
TWX_CHECK twx_rc twx_check_rules_text(twx_ctx *cx, const twindex_rules_text *text,
                                      const twx_out *out);

/* tune.c: tries all combinations of values for named numbers of a rules file, and ranks them by
 * relevance judgements. TWX_E_DOUBT: no combination is allowed.
 * Errors TWX_E_USAGE: options are missing or wrong, too many combinations; TWX_E_CONFIG: the rules;
 * TWX_E_DATA: the relevance judgements, or none of them belongs to a query */
TWX_CHECK twx_rc twx_tune(const twx_job *job, const twindex_tune_options *options,
                          const twx_out *out);

#endif
