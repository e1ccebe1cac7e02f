/* store/template.h: private to store/: SQL whose names depend on the generation and on the kind of
 * ids. {g} is the generation; {own} and {other} are the values of twindex_flag.only_in for rows
 * that it or the other one alone has, and {rows} are all of its rows. {temp} is TEMP for views of
 * one connection. {f} is the FROM clause that has the flags of generation {g} as f, and {id} is
 * the source's id in it. {<}x{>} is the source's id of document number x. {select} is the source's
 * SELECT. {representative} is the id of the document whose number is in {column}, and {shard} the
 * name of its store, NULL for this one; if the generation has `remotes`, {alternates} adds those
 * in other stores. {filter} and {score} are expressions of rules, {whole} is the weight of
 * whole_title(). {weights}, {parts}, {names} and {sum} are lists in which each item begins with ",
 * " or, for {sum}, with " + ".
 * From the table of flags (base/flag_table.h), with ", " before each item: {columns} are the stored
 * columns; {parameters} are ?2, ?3, ... for the stored columns; {flags} are the columns of
 * document_flags and {flag_names} their names. {flag} is one flag; {column} and {beside} are the
 * stored columns it is computed from. From its table of groups: {groups} is a SELECT of the members
 * for each relation, followed by UNION ALL; {relation} is the name of one and {similarity} an
 * expression for how similar its members are. */
#ifndef TWX_STORE_TEMPLATE_H
#define TWX_STORE_TEMPLATE_H

#include "base/buf.h"

typedef struct twx_template {
    char generation;    /* 'a' or 'b'; 0: both, where {own} is allowed alone */
    bool direct;        /* document numbers are the ids */
    bool remotes;       /* representatives may be in other stores (store/remotes.h) */
    const char *select; /* this and the following are NULL if the template does not use them */
    const char *filter, *score, *weights, *whole, *parts, *sum, *names;
    const char *flag, *column, *beside;
    const char *relation, *similarity;
    bool temporary;
} twx_template;

TWX_CHECK twx_rc twx_template_fill(twx_ctx *cx, twx_buf *out, const char *sql,
                                   const twx_template *t);

#endif
