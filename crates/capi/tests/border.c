/* What a caller in C may do wrong, and the promises of a key with a state: border DIR. */
#include <hasten.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>


/* Says which line expected another status, and ends the program. */
static void expect_at(int line, int expected, int status) {
    if (status == expected)
        return;
    fprintf(stderr, "border.c:%d: expected %d (%s), got %d (%s): %s\n", line, expected,
            hasten_strerror(expected), status, hasten_strerror(status), hasten_last_error());
    exit(1);
}
#define EXPECT(status, call) expect_at(__LINE__, status, call)
#define HOLDS(fact) expect_at(__LINE__, 1, (fact) ? 1 : 0)

static const unsigned char message[] = "firmware";
static char key_dir[4096], guard[4096], backup[4096], command[16384];

static void run(const char *form) {
    snprintf(command, sizeof command, form, key_dir, backup);
    HOLDS(system(command) == 0);
}

static hasten_key *open_key(void) {
    hasten_key *key = NULL;
    EXPECT(HASTEN_OK, hasten_key_open(key_dir, NULL, NULL, 0, &key));
    HOLDS(key != NULL);
    return key;
}

/* Every pointer that may not be NULL, and no key is opened by a wrong call. */
static void wrong_arguments(void) {
    hasten_key *key = (hasten_key *)message;
    uint64_t remaining = 0;
    size_t len = 0;
    EXPECT(HASTEN_ARGUMENT, hasten_key_generate(NULL, key_dir, guard, NULL, 0));
    EXPECT(HASTEN_ARGUMENT, hasten_key_generate("LMS_SHA256_M24_H5_W8", NULL, guard, NULL, 0));
    EXPECT(HASTEN_ARGUMENT, hasten_key_generate("LMS_SHA256_M24_H5_W8", key_dir, NULL, NULL, 0));
    EXPECT(HASTEN_ALGORITHM, hasten_key_generate("LMS_SHA256", key_dir, guard, NULL, 0));
    EXPECT(HASTEN_ARGUMENT, hasten_key_generate("\xff\xfe", key_dir, guard, NULL, 0));
    EXPECT(HASTEN_ARGUMENT, hasten_key_open(NULL, NULL, NULL, 0, &key));
    HOLDS(key == NULL);
    EXPECT(HASTEN_ARGUMENT, hasten_key_open(key_dir, NULL, NULL, 0, NULL));
    EXPECT(HASTEN_ARGUMENT, hasten_key_open(key_dir, NULL, NULL, 5, &key));
    EXPECT(HASTEN_NOT_A_KEY, hasten_key_open(key_dir, NULL, NULL, 0, &key));
    EXPECT(HASTEN_ARGUMENT, hasten_key_sign(NULL, message, 8, NULL, &len));
    EXPECT(HASTEN_ARGUMENT, hasten_key_public(NULL, HASTEN_FORM_RAW, NULL, &len));
    EXPECT(HASTEN_ARGUMENT, hasten_key_remaining(NULL, &remaining));
    EXPECT(HASTEN_OK, hasten_key_close(NULL));
    HOLDS(strcmp(hasten_strerror(-1), hasten_strerror(4711)) == 0);
    HOLDS(strlen(hasten_version()) > 0);
}

/* The size is asked before the buffer; what is refused takes no index. */
static void sizes(hasten_key *key) {
    unsigned char small[16];
    uint64_t before, after;
    size_t len = 0;
    EXPECT(HASTEN_OK, hasten_key_remaining(key, &before));
    EXPECT(HASTEN_ARGUMENT, hasten_key_remaining(key, NULL));
    EXPECT(HASTEN_OK, hasten_key_sign(key, message, 8, NULL, &len));
    HOLDS(len == 784);
    EXPECT(HASTEN_ARGUMENT, hasten_key_sign(key, message, 8, small, NULL));
    EXPECT(HASTEN_ARGUMENT, hasten_key_sign(key, NULL, 8, small, &len));
    EXPECT(HASTEN_ARGUMENT, hasten_key_sign(key, message, SIZE_MAX, small, &len));
    len = sizeof small;
    EXPECT(HASTEN_BUFFER_TOO_SMALL, hasten_key_sign(key, message, 8, small, &len));
    HOLDS(len == 784);
    EXPECT(HASTEN_OK, hasten_key_remaining(key, &after));
    HOLDS(before == after && before == 32);
    len = sizeof small;
    EXPECT(HASTEN_BUFFER_TOO_SMALL, hasten_key_public(key, HASTEN_FORM_RAW, small, &len));
    HOLDS(len == 52);
    EXPECT(HASTEN_ARGUMENT, hasten_key_public(key, 17, small, &len));
}

/* Both forms of the key verify their form of the signature, and nothing else. */
static void verifying(hasten_key *key) {
    unsigned char signature[784], der[256], raw[52], bare[48];
    size_t len = sizeof signature, der_len = sizeof der;
    size_t raw_len = sizeof raw, bare_len = sizeof bare;
    EXPECT(HASTEN_OK, hasten_key_sign(key, message, 8, signature, &len));
    EXPECT(HASTEN_OK, hasten_key_public(key, HASTEN_FORM_DER, der, &der_len));
    EXPECT(HASTEN_OK, hasten_key_public(key, HASTEN_FORM_RAW, raw, &raw_len));
    EXPECT(HASTEN_OK, hasten_key_public(key, HASTEN_FORM_LMS, bare, &bare_len));
    HOLDS(len == 784 && raw_len == 52 && bare_len == 48);
    EXPECT(HASTEN_OK, hasten_verify(NULL, der, der_len, message, 8, signature, len));
    EXPECT(HASTEN_OK, hasten_verify("HSS", raw, raw_len, message, 8, signature, len));
    EXPECT(HASTEN_OK, hasten_verify(NULL, bare, bare_len, message, 8, signature + 4, len - 4));
    EXPECT(HASTEN_BAD_SIGNATURE, hasten_verify(NULL, raw, raw_len, message, 7, signature, len));
    EXPECT(HASTEN_BAD_SIGNATURE, hasten_verify(NULL, raw, raw_len, message, 8, signature, len - 1));
    EXPECT(HASTEN_BAD_SIGNATURE, hasten_verify(NULL, raw, raw_len, NULL, 0, NULL, 0));
    EXPECT(HASTEN_ALGORITHM, hasten_verify("Ed25519", der, der_len, message, 8, signature, len));
    EXPECT(HASTEN_ALGORITHM, hasten_verify("nothing", raw, raw_len, message, 8, signature, len));
    EXPECT(HASTEN_NOT_A_KEY, hasten_verify(NULL, raw, raw_len - 1, message, 8, signature, len));
    EXPECT(HASTEN_ARGUMENT, hasten_verify(NULL, NULL, 52, message, 8, signature, len));
    signature[100] ^= 1;
    EXPECT(HASTEN_BAD_SIGNATURE, hasten_verify(NULL, raw, raw_len, message, 8, signature, len));
}

/* A child has the memory of the key, and not the right to sign. */
static void forked(hasten_key *key) {
    unsigned char signature[784];
    size_t len = sizeof signature;
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(hasten_key_sign(key, message, 8, signature, &len));
    HOLDS(waitpid(child, &status, 0) == child && WIFEXITED(status));
    EXPECT(HASTEN_STATE, WEXITSTATUS(status));
}

/* All that is left is signed; then the key says so. */
static void to_the_end(hasten_key *key) {
    unsigned char signature[784];
    size_t len = sizeof signature;
    uint64_t remaining = 1;
    int status = HASTEN_OK, signed_ones = 0;
    while (status == HASTEN_OK && signed_ones < 40) {
        len = sizeof signature;
        status = hasten_key_sign(key, message, 8, signature, &len);
        signed_ones += status == HASTEN_OK;
    }
    EXPECT(HASTEN_EXHAUSTED, status);
    EXPECT(HASTEN_OK, hasten_key_remaining(key, &remaining));
    HOLDS(remaining < 32 && signed_ones > 0);
}

/* The directory is put back as it was before a signature. */
static void old_copy(void) {
    unsigned char signature[784];
    size_t len = sizeof signature;
    hasten_key *key;
    run("cp -r '%s' '%s'");
    key = open_key();
    EXPECT(HASTEN_OK, hasten_key_sign(key, message, 8, signature, &len));
    EXPECT(HASTEN_OK, hasten_key_close(key));
    run("rm -r '%1$s' && mv '%2$s' '%1$s'");
    EXPECT(HASTEN_REFUSED, hasten_key_open(key_dir, NULL, NULL, 0, &key));
    HOLDS(key == NULL && strstr(hasten_last_error(), "REFUSED") != NULL);
}

static void place(const char *dir, const char *name) {
    snprintf(key_dir, sizeof key_dir, "%s/%s", dir, name);
    snprintf(guard, sizeof guard, "%s/%s.guard", dir, name);
    snprintf(backup, sizeof backup, "%s/%s.backup", dir, name);
}

/* A passphrase seals the secret. */
static void sealed(void) {
    const uint8_t *words = (const uint8_t *)"words", *other = (const uint8_t *)"other";
    hasten_key *key;
    EXPECT(HASTEN_OK, hasten_key_generate("LMS_SHA256_M24_H5_W8", key_dir, guard, words, 5));
    EXPECT(HASTEN_PASSPHRASE, hasten_key_open(key_dir, NULL, NULL, 0, &key));
    EXPECT(HASTEN_PASSPHRASE, hasten_key_open(key_dir, NULL, other, 5, &key));
    HOLDS(key == NULL);
    EXPECT(HASTEN_OK, hasten_key_open(key_dir, NULL, words, 5, &key));
    EXPECT(HASTEN_OK, hasten_key_close(key));
}

int main(int count, char **names) {
    hasten_key *key, *second;
    if (count != 2)
        return 2;
    place(names[1], "border");
    wrong_arguments();
    EXPECT(HASTEN_OK, hasten_key_generate("LMS_SHA256_M24_H5_W8", key_dir, guard, NULL, 0));
    EXPECT(HASTEN_STATE, hasten_key_generate("LMS_SHA256_M24_H5_W8", key_dir, guard, NULL, 0));
    key = open_key();
    EXPECT(HASTEN_BUSY, hasten_key_open(key_dir, NULL, NULL, 0, &second));
    sizes(key);
    verifying(key);
    forked(key);
    to_the_end(key);
    EXPECT(HASTEN_OK, hasten_key_close(key));
    place(names[1], "copied");
    EXPECT(HASTEN_OK, hasten_key_generate("LMS_SHA256_M24_H5_W8", key_dir, guard, NULL, 0));
    old_copy();
    place(names[1], "sealed");
    sealed();
    return 0;
}
