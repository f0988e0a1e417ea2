// Counts what one thread takes from malloc, and how deep its stack goes.
//
// Loaded before the C library (LD_PRELOAD) into a child of `hasten tables memory`, it stands in front of malloc for everything in
// the process, Rust and C alike. A thread that names itself "measured" is counted from then to its end; what it took is then
// written to the file HASTEN_COUNT. With HASTEN_COUNT_SITES set, the callers of each allocation are written too; walking up the
// stack needs stack itself, so that depth is to be read off a run without.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "count.h"

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

enum { BLOCKS = 1 << 16, SITES = 1 << 12, FRAMES = 24, PAINT = 0xA5, BELOW_HERE = 1024 };

struct block { void *at; size_t size; int site; };
struct site { size_t count, bytes, largest, live, at_peak; int depth; uintptr_t frames[FRAMES]; };

static __thread int counting __attribute__((tls_model("initial-exec")));
static struct block blocks[BLOCKS];
static struct site sites[SITES];
static size_t allocations, frees, total, live, peak;
static int with_sites;
static char *stack_low, *stack_here;
struct span program_at;

static size_t slot(void *at) {
  size_t i = ((uintptr_t)at >> 4) * 0x9E3779B97F4A7C15u >> 48;
  while (blocks[i].at && blocks[i].at != at) i = (i + 1) % BLOCKS;
  return i;
}

// The callers of this allocation; those outside the program itself are left out. Site 0 is that of all others.
static int site_of(void) {
  void *walked[FRAMES];
  struct site found = {0};
  uint64_t hash = 14695981039346656037u;
  int depth = with_sites ? backtrace(walked, FRAMES) : 0;
  for (int i = 0; i < depth; i++) {
    uintptr_t frame = (uintptr_t)walked[i];
    if (frame < program_at.base || frame >= program_at.end) continue;
    found.frames[found.depth++] = frame - program_at.base;
    hash = (hash ^ (frame - program_at.base)) * 1099511628211u;
  }
  for (size_t i = 1 + hash % (SITES - 1), tries = 0; found.depth && tries < SITES; i = 1 + i % (SITES - 1), tries++) {
    if (!sites[i].depth) sites[i] = found;
    if (sites[i].depth == found.depth && !memcmp(sites[i].frames, found.frames, sizeof found.frames)) return (int)i;
  }
  return 0;
}

static void note_peak(void) {
  peak = live;
  for (int i = 0; i < SITES; i++) sites[i].at_peak = sites[i].live;
}

static void *took(void *at, size_t size) {
  if (!counting || !at) return at;
  counting = 0;
  int site = site_of();
  struct site *from = &sites[site];
  blocks[slot(at)] = (struct block){at, size, site};
  allocations++, total += size, live += size;
  from->count++, from->bytes += size, from->live += size;
  if (size > from->largest) from->largest = size;
  if (live > peak) note_peak();
  counting = 1;
  return at;
}

static void gave(void *at) {
  if (!counting || !at) return;
  size_t i = slot(at);
  if (!blocks[i].at) return;
  frees++, live -= blocks[i].size, sites[blocks[i].site].live -= blocks[i].size;
  // Later blocks of the same run move up, so that searches still find them.
  blocks[i].at = NULL;
  for (size_t j = (i + 1) % BLOCKS; blocks[j].at; j = (j + 1) % BLOCKS) {
    struct block moved = blocks[j];
    blocks[j].at = NULL;
    blocks[slot(moved.at)] = moved;
  }
}

void *malloc(size_t size) { return took(__libc_malloc(size), size); }
void *calloc(size_t count, size_t size) { return took(__libc_calloc(count, size), count * size); }
void *memalign(size_t align, size_t size) { return took(__libc_memalign(align, size), size); }
void *aligned_alloc(size_t align, size_t size) { return memalign(align, size); }
void free(void *at) { gave(at), __libc_free(at); }

int posix_memalign(void **at, size_t align, size_t size) {
  *at = memalign(align, size);
  return *at ? 0 : ENOMEM;
}

void *realloc(void *at, size_t size) {
  gave(at);
  return took(__libc_realloc(at, size), size);
}

static size_t stack_used(void) {
  char *low = stack_low;
  while (low < stack_here && *low == (char)PAINT) low++;
  return (size_t)(stack_here - low);
}

// At the end of the thread, on its own stack.
static void report(void *unused) {
  (void)unused;
  counting = 0;
  depth_end();
  size_t stack = stack_used();
  const char *path = getenv("HASTEN_COUNT");
  FILE *out = path ? fopen(path, "w") : NULL;
  if (!out) return;
  fprintf(out, "allocations %zu\nfrees %zu\ntotal %zu\npeak %zu\nstack %zu\n", allocations, frees, total, peak, stack);
  for (int i = 0; i < SITES; i++) {
    struct site *s = &sites[i];
    if (!s->count) continue;
    fprintf(out, "site %zu %zu %zu %zu", s->count, s->bytes, s->largest, s->at_peak);
    for (int f = 0; f < s->depth; f++) fprintf(out, " %zx", (size_t)s->frames[f]);
    fputc('\n', out);
  }
  depth_report(out);
  fclose(out);
}

// The program is the first object the loader lists.
static int program(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size, (void)unused;
  program_at.base = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    uintptr_t last = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
    if (info->dlpi_phdr[i].p_type == PT_LOAD && last > program_at.end) program_at.end = last;
  }
  return 1;
}

static void begin(void) {
  static pthread_key_t key;
  void *first[1], *low = NULL;
  size_t size = 0;
  pthread_attr_t attributes;
  with_sites = getenv("HASTEN_COUNT_SITES") != NULL;
  if (with_sites) backtrace(first, 1); // loads what it needs, outside the count
  dl_iterate_phdr(program, NULL);
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &low, &size);
  pthread_attr_destroy(&attributes);
  stack_low = low, stack_here = __builtin_frame_address(0);
  for (volatile char *at = stack_low; at < stack_here - BELOW_HERE; at++) *at = (char)PAINT;
  pthread_key_create(&key, report);
  pthread_setspecific(key, &key);
  depth_watch(stack_here);
  counting = 1;
}

int pthread_setname_np(pthread_t thread, const char *name) {
  int (*next)(pthread_t, const char *) = (int (*)(pthread_t, const char *))dlsym(RTLD_NEXT, "pthread_setname_np");
  int status = next(thread, name);
  if (!strcmp(name, "measured")) begin();
  return status;
}
