/* The border of the boot library: known answers and changes of them, within exactly the memory
 * that is stated and not a byte less, nothing written beside it, and wrong arguments.
 *
 *   boot CASES [sweep]     CASES: lines of tests/cases.py; sweep: every set of LMS, XMSS, XMSS^MT */
#include <hasten_boot.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAINT = 0xa5, BESIDE = 64 };

struct bytes {
    unsigned char *at;
    size_t len;
};

struct task {
    int scheme;
    const char *set;
    struct bytes key, context, message, signature;
};

static unsigned long checked;

void hasten_boot_defect(void) {
    puts("boot: a defect inside");
    abort();
}

static void must(bool good, const char *what, const struct task *task) {
    checked++;
    if (!good) {
        printf("boot: failed: %s (scheme %d, %s)\n", what, task->scheme, task->set ? task->set : "-");
        exit(1);
    }
}

static size_t needed(const struct task *t) {
    return t->set ? hasten_boot_memory_slh_dsa(t->set)
                  : hasten_boot_memory(t->scheme, t->key.at, t->key.len, t->signature.at, t->signature.len);
}

static hasten_boot_status verify(const struct task *t, unsigned char *buffer, size_t len) {
    return t->set ? hasten_boot_verify_slh_dsa(t->set, t->key.at, t->key.len, t->context.at, t->context.len,
                                               t->message.at, t->message.len, t->signature.at,
                                               t->signature.len, buffer, len)
                  : hasten_boot_verify(t->scheme, t->key.at, t->key.len, t->message.at, t->message.len,
                                       t->signature.at, t->signature.len, buffer, len);
}

/* Verifies in a buffer of exactly `len` bytes between two painted strips, at an odd address. Says
 * how much of the buffer was written to. */
static hasten_boot_status within(const struct task *t, size_t len, size_t *touched) {
    unsigned char *all = malloc(len + 2 * BESIDE + 1), *buffer = all + BESIDE + 1;
    memset(all, PAINT, len + 2 * BESIDE + 1);
    hasten_boot_status status = verify(t, buffer, len);
    for (size_t at = 0; at < BESIDE; at++)
        must(buffer[-1 - (long)at] == PAINT && buffer[len + at] == PAINT, "a write beside the buffer", t);
    for (*touched = len; *touched > 0 && buffer[*touched - 1] == PAINT;)
        --*touched;
    free(all);
    return status;
}

/* The bound holds and is no more than twice what is used, beside the fixed part; a byte less is
 * refused, and nothing is written then. */
static void bounded(const struct task *t, hasten_boot_status expected) {
    size_t len = needed(t), touched;
    must(len > 0, "a size", t);
    must(within(t, len, &touched) == expected, "the verdict", t);
    must(len <= 2 * touched + 2048, "a bound that is not much too large", t);
    must(within(t, len - 1, &touched) == HASTEN_BOOT_TOO_SMALL && touched == 0, "one byte less", t);
    must(within(t, 0, &touched) == HASTEN_BOOT_TOO_SMALL, "no buffer", t);
    must(verify(t, NULL, len) == HASTEN_BOOT_TOO_SMALL, "a buffer at NULL", t);
}

/* No change is good: a bit anywhere, an end cut off. */
static void changed(struct task t) {
    size_t touched, step = t.signature.len / 7, len = needed(&t);
    for (size_t at = 0; at < t.signature.len; at += step) {
        t.signature.at[at] ^= 0x10;
        hasten_boot_status status = within(&t, len, &touched);
        must(status == HASTEN_BOOT_BAD_SIGNATURE || status == HASTEN_BOOT_TOO_SMALL, "a bit of the signature", &t);
        t.signature.at[at] ^= 0x10;
    }
    for (size_t cut = 0; cut < t.signature.len; cut += step) {
        struct task less = t;
        less.signature.len = cut;
        must(within(&less, len, &touched) == HASTEN_BOOT_BAD_SIGNATURE, "a cut signature", &t);
    }
    for (size_t at = 0; at < t.key.len; at += 3) {
        t.key.at[at] ^= 1;
        must(within(&t, len, &touched) != HASTEN_BOOT_OK, "a bit of the key", &t);
        t.key.at[at] ^= 1;
    }
    t.key.len--;
    must(within(&t, len, &touched) == HASTEN_BOOT_NOT_A_KEY, "a cut key", &t);
    t.key.len++;
    t.message.at[0] ^= 1;
    must(within(&t, len, &touched) == HASTEN_BOOT_BAD_SIGNATURE, "a bit of the message", &t);
    t.message.at[0] ^= 1;
}

static void arguments(struct task t) {
    unsigned char buffer[1];
    struct bytes *each[] = {&t.key, &t.message, &t.signature};
    for (size_t i = 0; i < 3; i++) {
        struct bytes kept = *each[i];
        each[i]->at = NULL;
        must(verify(&t, buffer, 1) == HASTEN_BOOT_ARGUMENT, "NULL with a length", &t);
        *each[i] = (struct bytes){kept.at, (size_t)-1};
        must(verify(&t, buffer, 1) == HASTEN_BOOT_ARGUMENT, "an impossible length", &t);
        *each[i] = kept;
    }
    t.scheme = 99;
    t.set = t.set ? "SLH-DSA-SHA2-128" : NULL;
    must(verify(&t, buffer, 1) == HASTEN_BOOT_NOT_A_KEY && needed(&t) == 0, "no scheme", &t);
}

static struct bytes read_hex(char *text) {
    struct bytes out = {malloc(strlen(text) / 2 + 1), 0};
    for (unsigned byte; sscanf(text, "%2x", &byte) == 1; text += 2)
        out.at[out.len++] = (unsigned char)byte;
    return out;
}

/* Reads the cases and checks each. */
static void known(FILE *file) {
    size_t room = 1 << 20;
    char *line = malloc(room);
    while (fgets(line, (int)room, file)) {
        char *name = strtok(line, " \n");
        struct task t = {atoi(name), atoi(name) ? NULL : name, {0}, {0}, {0}, {0}};
        struct bytes *each[] = {&t.key, &t.context, &t.message, &t.signature};
        for (size_t i = 0; i < 4; i++)
            *each[i] = read_hex(strtok(NULL, " \n"));
        size_t len = t.set ? hasten_boot_signature_len_slh_dsa(t.set)
                           : hasten_boot_signature_len(t.scheme, t.key.at, t.key.len);
        must(len == t.signature.len || (len == 0 && t.scheme == HASTEN_BOOT_HSS), "the signature's length", &t);
        bounded(&t, HASTEN_BOOT_OK);
        changed(t);
        arguments(t);
        for (size_t i = 0; i < 4; i++)
            free(each[i]->at);
    }
    free(line);
}

static void put(unsigned char *at, unsigned number) {
    for (int i = 3; i >= 0; i--, number >>= 8)
        at[i] = (unsigned char)number;
}

/* A signature that is in order, and leads to another root. */
static void crafted(int scheme, unsigned kind, unsigned ots) {
    static const unsigned heights[] = {5, 10, 15, 20, 25};
    unsigned char key[140] = {0}, message[1] = {0};
    struct task t = {scheme, NULL, {key, 0}, {0}, {message, 1}, {0}};
    put(key, kind);
    put(key + 4, ots);
    for (t.key.len = 1; t.key.len < sizeof key && needed(&t) == 0;)
        t.key.len++;
    if (needed(&t) == 0)
        return;
    t.signature.len = hasten_boot_signature_len(scheme, key, t.key.len);
    t.signature.at = calloc(1, t.signature.len);
    if (scheme == HASTEN_BOOT_LMS) {
        put(t.signature.at + 4, ots);
        put(t.signature.at + t.signature.len - heights[kind % 5] * (t.key.len - 24) - 4, kind);
    }
    bounded(&t, HASTEN_BOOT_BAD_SIGNATURE);
    free(t.signature.at);
}

int main(int count, char **names) {
    FILE *file = count > 1 ? fopen(names[1], "r") : NULL;
    if (!file)
        return 2;
    known(file);
    fclose(file);
    if (count > 2)
        for (unsigned kind = 0; kind < 64; kind++) {
            for (unsigned ots = 0; ots < 20; ots++)
                crafted(HASTEN_BOOT_LMS, kind, ots);
            crafted(HASTEN_BOOT_XMSS, kind, 0);
            crafted(HASTEN_BOOT_XMSSMT, kind, 0);
        }
    printf("boot: %lu checks\n", checked);
    return checked < 100;
}
