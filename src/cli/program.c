#include "cli/program.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/help.h"
#include "cli/session.h"

/* A store must not be opened as descriptor 0, 1 or 2, or messages would be written into it. A
 * closed descriptor is replaced by one that reads as empty and cannot be written. */
static void keep_standard_descriptors(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0) (void)open("/dev/null", O_RDONLY);
}

static int say_everyday(void) {
    twx_ctx cx = {.rc = TWX_OK};
    twx_page page = {.cx = &cx, .text = {.max = TWX_PAGE_BYTES}};
    twx_help_everyday(&page);
    fputs(page.text.p ? page.text.p : "twindex: a command is missing; see 'twindex --help'\n",
          stderr);
    twx_buf_done(&page.text);
    return TWINDEX_USAGE;
}

static int usage(const char *word) {
    const char *near = twx_command_near(word);
    if (near)
        fprintf(stderr, "twindex: no command '%.100s'; did you mean '%s'? See 'twindex --help'\n",
                word, near);
    else
        fprintf(stderr, "twindex: no command '%.100s'; see 'twindex --help'\n", word);
    return TWINDEX_USAGE;
}

/* The command that a word names: itself, or the command that a conventional option stands for. */
static const char *command_of(const char *word) {
    static const char *const MEANT[][2] = {
        {"--help", "help"}, {"-h", "help"}, {"--version", "version"}, {"-V", "version"}};
    for (size_t i = 0; i < TWX_COUNTOF(MEANT); i++)
        if (strcmp(word, MEANT[i][0]) == 0) return MEANT[i][1];
    return word;
}

int twx_program(int argc, char **argv) {
    keep_standard_descriptors();
    if (argc < 2) return say_everyday();
    const twx_command *command = twx_command_find(command_of(argv[1]));
    return command ? twx_session_run(command, argc - 1, argv + 1) : usage(argv[1]);
}
