/* Runs a program one instruction at a time:  step PROGRAM [ARGUMENT...]
   Prints how often each instruction of the program itself ran: its address in the file, in hex,
   and a number. Fails as the program does. Linux on x86-64. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 1 << 24 };

/* Returns where the program lies in the memory of a process, 0 if that cannot be read. */
static unsigned long base_of(pid_t process) {
    char name[64];
    unsigned long base = 0;
    snprintf(name, sizeof name, "/proc/%d/maps", process);
    FILE *maps = fopen(name, "r");
    if (maps && fscanf(maps, "%lx", &base) != 1)
        base = 0;
    if (maps)
        fclose(maps);
    return base;
}

int main(int count, char **argument) {
    static unsigned times[SIZE];
    int status = 0;
    if (count < 2)
        return 2;
    pid_t child = fork();
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        execv(argument[1], argument + 1);
        _exit(127);
    }
    waitpid(child, &status, 0);
    unsigned long base = WIFSTOPPED(status) ? base_of(child) : 0;
    if (!base)
        return 1;
    while (WIFSTOPPED(status)) {
        struct user_regs_struct registers;
        ptrace(PTRACE_GETREGS, child, 0, &registers);
        unsigned long at = registers.rip - base;
        if (at < SIZE)
            times[at]++;
        if (ptrace(PTRACE_SINGLESTEP, child, 0, 0) != 0 || waitpid(child, &status, 0) != child)
            return 1;
    }
    for (unsigned at = 0; at < SIZE; at++)
        if (times[at])
            printf("%x %u\n", at, times[at]);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
