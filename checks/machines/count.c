/* Counts the instructions that a program of one thread runs, as a plugin of QEMU's emulator of one
 * process (interface 1, as QEMU 7.2 has it), and prints them when the program ends. Declares what
 * it takes of that interface. */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct qemu_plugin_tb;
typedef uint64_t qemu_plugin_id_t;

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
void qemu_plugin_register_vcpu_tb_trans_cb(
    qemu_plugin_id_t id, void (*call)(qemu_plugin_id_t id, struct qemu_plugin_tb *block));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *block,
                                          void (*call)(unsigned int cpu, void *data), int registers,
                                          void *data);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id,
                                    void (*call)(qemu_plugin_id_t id, void *data), void *data);

int qemu_plugin_version = 1;

static uint64_t ran;

/* Adds the length of a block that begins to run. */
static void begins(unsigned int cpu, void *length)
{
    (void)cpu;
    ran += (uintptr_t)length;
}

/* Asks to be called whenever this block begins to run. */
static void is_translated(qemu_plugin_id_t id, struct qemu_plugin_tb *block)
{
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_cb(block, begins, 0,
                                         (void *)(uintptr_t)qemu_plugin_tb_n_insns(block));
}

static void ends(qemu_plugin_id_t id, void *data)
{
    (void)id;
    (void)data;
    fprintf(stderr, "instructions %" PRIu64 "\n", ran);
}

/* Called by QEMU first. Returns 0: the plugin can work. */
int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int count, char **words)
{
    (void)info;
    (void)count;
    (void)words;
    qemu_plugin_register_vcpu_tb_trans_cb(id, is_translated);
    qemu_plugin_register_atexit_cb(id, ends, NULL);
    return 0;
}
