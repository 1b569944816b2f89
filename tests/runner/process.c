// SPDX-License-Identifier: Apache-2.0
//
// One command with its output, within limits of time and memory.

#define _XOPEN_SOURCE 700

#include "runner/runner.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
  LIMIT_SECONDS = 10,
  LIMIT_MEBIBYTES = 4096,
  LIMIT_OUTPUT = 16 << 20,
  BUFFER = 1 << 16,
};

static long long now_ms(void) {
  struct timespec time;
  (void)clock_gettime(CLOCK_MONOTONIC, &time);
  return (long long)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

_Noreturn static void become(const Command *command, int out, int err) {
  (void)setpgid(0, 0);
  (void)freopen("/dev/null", "r", stdin);
  (void)dup2(out, STDOUT_FILENO);
  (void)dup2(err, STDERR_FILENO);
  if (command->limits_memory) {
    const rlim_t bytes = (rlim_t)LIMIT_MEBIBYTES << 20;
    const struct rlimit limit = {bytes, bytes};
    (void)setrlimit(RLIMIT_AS, &limit);
  }
  const struct rlimit no_core = {0, 0};
  (void)setrlimit(RLIMIT_CORE, &no_core);
  if (chdir(command->directory) == 0)
    (void)execvp(command->arguments[0], command->arguments);
  (void)fprintf(stderr, "cannot run %s\n", command->arguments[0]);
  _exit(127);
}

// Appends what is there; false at the end of the stream.
static bool drain(int file, Text *text, char *buffer) {
  ssize_t got = read(file, buffer, BUFFER);
  if (got < 0)
    return errno == EINTR;
  if (got > 0 && text->length < LIMIT_OUTPUT)
    text_put(text, (Str){buffer, (size_t)got});
  return got > 0;
}

// Reads both streams to their ends; false when time is up.
static bool read_streams(int out, int err, Text *out_text, Text *err_text) {
  Arena scratch = {0};
  char *buffer = arena_alloc(&scratch, BUFFER, 1);
  long long deadline = now_ms() + LIMIT_SECONDS * 1000LL;
  struct pollfd files[2] = {{.fd = out, .events = POLLIN},
                            {.fd = err, .events = POLLIN}};
  bool is_in_time = true;
  while (is_in_time && (files[0].fd >= 0 || files[1].fd >= 0)) {
    long long left = deadline - now_ms();
    is_in_time = left > 0 && poll(files, 2, (int)left) != 0;
    for (int i = 0; i < 2; i++) {
      Text *text = i == 0 ? out_text : err_text;
      if (files[i].fd >= 0 && files[i].revents != 0 &&
          !drain(files[i].fd, text, buffer))
        files[i].fd = -1;
    }
  }
  arena_free(&scratch);
  return is_in_time;
}

static int exit_status(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Outcome run_command(Arena *arena, const Command *command) {
  int out[2];
  int err[2];
  CHECK(pipe(out) == 0 && pipe(err) == 0);
  (void)fflush(stdout);
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    (void)close(out[0]);
    (void)close(err[0]);
    become(command, out[1], err[1]);
  }
  (void)setpgid(child, child);
  (void)close(out[1]);
  (void)close(err[1]);
  Text out_text = text_new(arena);
  Text err_text = text_new(arena);
  Outcome outcome = {0};
  outcome.is_timed_out = !read_streams(out[0], err[0], &out_text, &err_text);
  if (outcome.is_timed_out)
    (void)kill(-child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    continue;
  (void)close(out[0]);
  (void)close(err[0]);
  outcome.status = exit_status(status);
  outcome.out = text_str(&out_text);
  outcome.err = text_str(&err_text);
  return outcome;
}
