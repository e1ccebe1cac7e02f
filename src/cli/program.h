/* cli/program.h: the program behind main(): finds the command and runs it. Returns the exit code.
 */
#ifndef TWX_CLI_PROGRAM_H
#define TWX_CLI_PROGRAM_H

int twx_program(int argc, char **argv);

#endif
