/* tests/property/flag_checks.h: compares the results of a run with a plain judge (plain_judge.h).
 * Groups of copies depend on the words that a site has in common (judge/names.c), which the plain
 * judge does not model: they are read from the results and checked for properties that hold
 * whatever those words are. A difference fails the test with the seed. */
#ifndef TWINDEX_TEST_FLAG_CHECKS_H
#define TWINDEX_TEST_FLAG_CHECKS_H

#include "plain_judge.h"

typedef struct flag_checks {
    plain_judge *j;
    sqlite3 *db;
    uint64_t seed;
    char generation;
} flag_checks;

/* Sets titles, profiles and near of the judge, and compares signatures with contents. */
void read_signatures(const flag_checks *c);
/* Sets copy of the judge to the published groups. */
void read_copies(const flag_checks *c);
/* Every copy is similar to its representative, which has the words of its title; equal texts are
 * copies of each other; translations are not. *ret_named is increased by the titles compared. */
void check_copies(const flag_checks *c, size_t *ret_named);
/* The view document_flags. */
void check_flags(const flag_checks *c);
void check_copy_flags(const flag_checks *c);
/* The stored columns that the view does not show. */
void check_links(const flag_checks *c);
/* The view twindex_group_member. */
void check_groups(const flag_checks *c);

#endif
