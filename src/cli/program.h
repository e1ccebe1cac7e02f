/* cli/program.h: the program without main(): finds the command, runs it and returns the exit
 * code. */
#ifndef TWX_CLI_PROGRAM_H
#define TWX_CLI_PROGRAM_H

int twx_program(int argc, char **argv);

#endif
