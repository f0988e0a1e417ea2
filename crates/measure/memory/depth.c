// Which functions make the stack as deep as it gets.
//
// Where a run without this went deepest is known from painting. In a second run the page that holds
// that place may not be touched: who does is noted with every caller, and goes on.
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <unwind.h>

#include "count.h"

enum { FRAMES = 64, OWN_STACK = 1 << 16, ABOVE = 256 };

static char *guard, own_stack[OWN_STACK];
static size_t page;
static int depth;
static uintptr_t at[FRAMES], pointer[FRAMES];

static _Unwind_Reason_Code walk(struct _Unwind_Context *context, void *unused) {
  (void)unused;
  int interrupted = 0;
  if (depth == FRAMES) return _URC_END_OF_STACK;
  // A caller's address is behind its call; the one interrupted is made to look so.
  at[depth] = _Unwind_GetIPInfo(context, &interrupted);
  at[depth] += interrupted != 0;
  pointer[depth++] = _Unwind_GetCFA(context);
  return _URC_NO_REASON;
}

void depth_end(void) {
  if (guard) mprotect(guard, page, PROT_READ | PROT_WRITE);
}

static void touched(int number, siginfo_t *info, void *unused) {
  (void)unused;
  depth_end();
  char *where = info->si_addr;
  if (where < guard || where >= guard + page || depth) {
    signal(number, SIG_DFL); // not ours: it happens again, and ends the process
    return;
  }
  _Unwind_Backtrace(walk, NULL);
}

void depth_watch(char *here) {
  const char *bytes = getenv("HASTEN_COUNT_DEPTH");
  if (!bytes) return;
  stack_t aside = {.ss_sp = own_stack, .ss_size = OWN_STACK};
  struct sigaction action = {.sa_sigaction = touched, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  _Unwind_Backtrace(walk, NULL); // loads what it needs, outside the count
  depth = 0;
  page = (size_t)sysconf(_SC_PAGESIZE);
  guard = (char *)(((uintptr_t)here - strtoul(bytes, NULL, 10) + ABOVE) & ~(page - 1));
  sigaltstack(&aside, NULL);
  sigaction(SIGSEGV, &action, NULL);
  mprotect(guard, page, PROT_NONE);
}

// A frame reaches from its own pointer to its caller's. Frames of the handler lie on another stack;
// libraries have no place in the program: what they take is their caller's.
void depth_report(FILE *out) {
  size_t bytes = 0;
  for (int i = 0; i + 1 < depth; i++) {
    int here = pointer[i] >= (uintptr_t)guard && pointer[i + 1] > pointer[i];
    int aside = pointer[i] >= (uintptr_t)own_stack && pointer[i] < (uintptr_t)own_stack + OWN_STACK;
    if (here && !aside) bytes += pointer[i + 1] - pointer[i];
    if (aside || at[i] < program_at.base || at[i] >= program_at.end) continue;
    fprintf(out, "frame %zu %zx\n", bytes, (size_t)(at[i] - program_at.base));
    bytes = 0;
  }
}
