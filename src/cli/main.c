#include "cli/program.h"

int main(int argc, char **argv) {
    return twx_program(argc, argv);
}
