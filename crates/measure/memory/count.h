// What count.c and depth.c share.
#pragma once
#include <stdint.h>
#include <stdio.h>

// Where the program was loaded; what lies outside are its libraries.
struct span { uintptr_t base, end; };
extern struct span program_at;

// Watches the stack at HASTEN_COUNT_DEPTH bytes below here, if that is set.
void depth_watch(char *here);
// Ends that.
void depth_end(void);
// One line for each frame that was on the stack when it was that deep, the innermost first.
void depth_report(FILE *out);
