/* cli/completion.h: completion of command lines. The scripts for bash, zsh and fish only pass the
 * words of the line to 'twindex help --complete'; what can follow is found here, from the tables of
 * commands, options, settings, detectors and topics, so the three shells agree and a new row needs
 * no change. */
#ifndef TWX_CLI_COMPLETION_H
#define TWX_CLI_COMPLETION_H

#include "cli/page.h"

/* The script for "bash", "zsh" or "fish". Errors TWX_E_USAGE: no such shell. */
TWX_CHECK twx_rc twx_completion_write(twx_page *page, const char *shell);
/* Writes what words[n - 1], which may be empty or incomplete, can become after the words before it
 * (without the name of the program): a line "WORD<tab>DESCRIPTION" for each, then one of ":none",
 * ":files", ":folders" and ":rules": names of files that the shell is to add. A word that ends with
 * '=' is to be continued without a blank. */
void twx_complete(twx_page *page, char *const *words, size_t n);

#endif
