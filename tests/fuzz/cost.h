/* tests/fuzz/cost.h: whether the cost of a fuzz target is at most linear in its input. */
#ifndef TWINDEX_FUZZ_COST_H
#define TWINDEX_FUZZ_COST_H

/* Runs the target with its shapes (cost_shapes.tsv) in two sizes. target: its name. Prints a line
 * and returns the number of shapes whose cost grew faster than the input. Under valgrind's
 * callgrind the counts of instructions are dumped instead, for scripts/fuzz-cost. */
int check_cost(const char *target);

#endif
