// SPDX-License-Identifier: Apache-2.0
//
// Runs two commands in turn, several pairs of them, and prints one row:
//
//   measure NAME [OPTION...] -- COMMAND WORD... -- COMMAND WORD...
//
//   --cpu MS             aim: the first takes at most MS milliseconds of CPU
//   --ratio R            aim: at most R times the CPU time of the second
//   --bytes-per COUNT N  aim: at most N bytes of peak memory more than the
//                        second for each of COUNT
//   --status S           exit status of the first (0)
//   --pairs P            how many pairs (7; odd)
//
// Times are user and system time of the process and its children, medians over
// the pairs; the ratio is the median of the ratios of the pairs, so that a slow
// moment of the computer hits both sides alike. Memory is the largest resident
// set. Output of the commands is thrown away.
//
// Exit status: 0 every aim is met, 1 one is missed, 2 a command could not be
// run or ended with another status than it should.

#define _DEFAULT_SOURCE // wait4

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_PAIRS = 101 };

typedef struct {
  const char *name;
  double cpu_aim;   // milliseconds; 0: none
  double ratio_aim; // 0: none
  double count;     // for the memory aim; 0: none
  double bytes_aim;
  int status; // of the first command
  int pairs;
  char **commands[2]; // each ends with NULL
} Row;

typedef struct {
  double milliseconds;
  double kibibytes;
} Sample;

// --- Running
// ------------------------------------------------------------------

static void become(char **command) {
  int nothing = open("/dev/null", O_RDWR);
  for (int stream = 0; stream <= 2; stream++)
    dup2(nothing, stream);
  execvp(command[0], command);
  _exit(127);
}

static double milliseconds(struct timeval time) {
  return (double)time.tv_sec * 1e3 + (double)time.tv_usec * 1e-3;
}

static Sample run(const Row *row, int side) {
  char **command = row->commands[side];
  int status;
  struct rusage usage;
  pid_t child = fork();
  if (child == 0)
    become(command);
  if (child < 0 || wait4(child, &status, 0, &usage) != child) {
    perror("measure");
    exit(2);
  }
  int expected = side == 0 ? row->status : 0;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != expected) {
    fprintf(stderr, "measure: %s: %s ended with status %d\n", row->name,
            command[0], WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    exit(2);
  }
  return (Sample){milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime),
                  (double)usage.ru_maxrss};
}

// --- Medians
// ------------------------------------------------------------------

static int compare(const void *left, const void *right) {
  double a = *(const double *)left;
  double b = *(const double *)right;
  return (a > b) - (a < b);
}

static double median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return values[count / 2];
}

typedef struct {
  Sample sides[2];
  double ratio;
} Result;

static Result measure(const Row *row) {
  double times[2][MAX_PAIRS];
  double memory[2][MAX_PAIRS];
  double ratios[MAX_PAIRS];
  // One pair for the caches.
  for (int pair = -1; pair < row->pairs; pair++) {
    for (int side = 0; side < 2; side++) {
      Sample sample = run(row, side);
      times[side][pair < 0 ? 0 : pair] = sample.milliseconds;
      memory[side][pair < 0 ? 0 : pair] = sample.kibibytes;
    }
    if (pair >= 0)
      ratios[pair] = times[0][pair] / times[1][pair];
  }
  Result result = {.ratio = median(ratios, row->pairs)};
  for (int side = 0; side < 2; side++) {
    result.sides[side].milliseconds = median(times[side], row->pairs);
    result.sides[side].kibibytes = median(memory[side], row->pairs);
  }
  return result;
}

// --- Output
// -------------------------------------------------------------------

static int is_missed;

static void print_aim(double value, double aim, const char *unit) {
  printf("  %s: %.4g%s of %.4g", value <= aim ? "met" : "MISSED", value, unit,
         aim);
  is_missed |= value > aim;
}

static void print_command(char **command) {
  for (; *command != NULL; command++)
    printf(" %s", *command);
}

static void print_row(const Row *row, const Result *result) {
  const Sample *sides = result->sides;
  printf("%-20s %9.2f ms %9.2f ms %7.3f %8.1f MiB", row->name,
         sides[0].milliseconds, sides[1].milliseconds, result->ratio,
         sides[0].kibibytes / 1024);
  if (row->cpu_aim > 0)
    print_aim(sides[0].milliseconds, row->cpu_aim, " ms");
  if (row->ratio_aim > 0)
    print_aim(result->ratio, row->ratio_aim, " times");
  if (row->count > 0)
    print_aim((sides[0].kibibytes - sides[1].kibibytes) * 1024 / row->count,
              row->bytes_aim, " B each");
  printf("\n   ");
  print_command(row->commands[0]);
  printf("  |  ");
  print_command(row->commands[1]);
  printf("\n");
}

// --- Command line
// -------------------------------------------------------------

static void usage(void) {
  fputs("usage: measure NAME [--cpu MS] [--ratio R] [--bytes-per COUNT N]\n"
        "               [--status S] [--pairs P] -- COMMAND... -- COMMAND...\n",
        stderr);
  exit(2);
}

static double number(const char *text) {
  char *end;
  double value = text == NULL ? 0 : strtod(text, &end);
  if (text == NULL || *text == '\0' || *end != '\0' || value < 0)
    usage();
  return value;
}

// Reads options up to the first `--`; returns what stands behind it.
static char **read_options(Row *row, char **words) {
  for (; *words != NULL && strcmp(*words, "--") != 0; words++) {
    const char *option = *words;
    const char *value = words[1];
    if (value != NULL)
      words++;
    if (strcmp(option, "--cpu") == 0)
      row->cpu_aim = number(value);
    else if (strcmp(option, "--ratio") == 0)
      row->ratio_aim = number(value);
    else if (strcmp(option, "--status") == 0)
      row->status = (int)number(value);
    else if (strcmp(option, "--pairs") == 0)
      row->pairs = (int)number(value);
    else if (strcmp(option, "--bytes-per") == 0) {
      row->count = number(value);
      row->bytes_aim = number(value == NULL ? NULL : words[1]);
      words++;
    } else
      usage();
  }
  if (*words == NULL || row->pairs < 1 || row->pairs > MAX_PAIRS)
    usage();
  return words + 1;
}

int main(int argc, char **argv) {
  if (argc < 2)
    usage();
  Row row = {.name = argv[1], .pairs = 7};
  row.commands[0] = read_options(&row, argv + 2);
  char **words = row.commands[0];
  while (*words != NULL && strcmp(*words, "--") != 0)
    words++;
  if (*words == NULL || words == row.commands[0] || words[1] == NULL)
    usage();
  *words = NULL;
  row.commands[1] = words + 1;
  Result result = measure(&row);
  print_row(&row, &result);
  return is_missed;
}
