/* search/rule_parse.h: the parser of the rules language.
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
#ifndef TWX_SEARCH_RULE_PARSE_H
#define TWX_SEARCH_RULE_PARSE_H

#include <stdint.h>

#include "base/ctx.h"
#include "base/slice.h"

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
    TWX_RULE_TEXT,   /* this and the following: fields that are no flags (rule_document.h) */
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
    bool properties;                /* rules may also ask for properties (rule_document.h) */
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
/* Weight of a name of [fields]: its default when there is no such section; otherwise 0 for names
 * that it does not list. */
double twx_rules_column(const twx_rules *rules, size_t column);
/* Whether any rule asks for a property of documents. */
bool twx_rules_ask_properties(const twx_rules *rules);
/* A field by its number; the property that it is, TWX_RULE_PROPERTIES if it is a flag. */
const twx_rule_field *twx_rule_field_of(const twx_rule_fields *fields, size_t field);
size_t twx_rule_property_of(const twx_rule_fields *fields, size_t field);
/* The numbers of [numbers], with the values that were used. */
const twx_rule_number *twx_rules_numbers(const twx_rules *rules, size_t *ret_n);

#endif
