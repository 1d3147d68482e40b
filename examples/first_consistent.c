/* Guesses the first answer that agrees with all feedback, for games with the rule `wordle` on one board.
 *
 *     gcc -O2 -o first_consistent first_consistent.c
 *     wordle-kit tournament -s "command(argv='./first_consistent')"
 *
 * Speaks version 1 of wordle-kit's protocol. It finds the few facts that it needs in a line by their names: the names
 * are unique in a message, and the words of its games are ASCII letters, so that nothing has to be unescaped.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 64 /* symbols of a word */

static char (*answers)[MOST + 1];
static size_t n_answers;

/* Return what follows a name and its colon in a line, or NULL. */
static const char *after(const char *line, const char *name)
{
    const char *found = strstr(line, name);
    return found == NULL ? NULL : found + strlen(name);
}

/* Copy the text up to the next quote, and return what follows it. */
static const char *text(const char *from, char *into)
{
    size_t length = strcspn(from, "\"");
    if (length > MOST) exit(1);
    memcpy(into, from, length);
    into[length] = '\0';
    return from + length + 1;
}

/* Return whether a guess gets this feedback where the answer is hidden. */
static int gets(const char *guess, const char *answer, const char *wanted)
{
    size_t length = strlen(guess);
    int left[256] = {0};
    for (size_t i = 0; i < length; i++) {
        if ((guess[i] == answer[i]) != (wanted[i] == '2')) return 0;
        if (guess[i] != answer[i]) left[(unsigned char)answer[i]]++;
    }
    for (size_t i = 0; i < length; i++) {
        if (wanted[i] == '2') continue;
        char mark = left[(unsigned char)guess[i]] > 0 ? '1' : '0';
        if (mark == '1') left[(unsigned char)guess[i]]--;
        if (mark != wanted[i]) return 0;
    }
    return 1;
}

static void read_answers(const char *line)
{
    const char *at = after(line, "\"answers\":[");
    size_t room = 0;
    while (at != NULL && *at == '"') {
        if (n_answers == room) {
            room = room ? 2 * room : 4096;
            answers = realloc(answers, room * sizeof *answers);
            if (answers == NULL) exit(1);
        }
        at = text(at + 1, answers[n_answers++]);
        if (*at == ',') at++;
    }
}

static const char *guess(const char *line)
{
    char guesses[MOST][MOST + 1], seen[MOST][MOST + 1];
    size_t turns = 0;
    for (const char *at = line; turns < MOST && (at = after(at, "\"guess\":\"")) != NULL; turns++) {
        at = text(at, guesses[turns]);
        at = text(after(at, "\"feedback\":[\""), seen[turns]);
    }
    for (size_t i = 0; i < n_answers; i++) {
        size_t turn = 0;
        while (turn < turns && gets(guesses[turn], answers[i], seen[turn])) turn++;
        if (turn == turns) return answers[i];
    }
    return answers[0];
}

int main(void)
{
    char *line = NULL;
    size_t size = 0;
    setvbuf(stdout, NULL, _IOLBF, 0); /* a line is sent when it is whole */
    while (getline(&line, &size, stdin) > 0) {
        if (strstr(line, "\"type\":\"game\"") != NULL) {
            if (strstr(line, "\"rule\":\"wordle\"") == NULL || strstr(line, "\"boards\":1,") == NULL) {
                puts("{\"type\":\"unable\",\"problem\":\"it knows the rule wordle on one board only\"}");
                continue;
            }
            read_answers(line);
            puts("{\"type\":\"ready\",\"protocol\":1}");
        } else {
            printf("{\"id\":%ld,\"guess\":\"%s\"}\n", strtol(after(line, "\"id\":"), NULL, 10), guess(line));
        }
    }
    return 0;
}
