/* Makes a key where there is none, and signs a file with it:
 * sign KEY GUARD FILE SIGNATURE PUBLIC. */
#include <hasten.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the program where a call did not succeed, with the library's own words. */
static void must(hasten_status status) {
    if (status == HASTEN_OK)
        return;
    fprintf(stderr, "%s: %s\n", hasten_strerror(status), hasten_last_error());
    exit(1);
}

static void write_file(const char *name, const unsigned char *bytes, size_t length) {
    FILE *to = fopen(name, "wb");
    if (!to || fwrite(bytes, 1, length, to) != length || fclose(to) != 0) {
        perror(name);
        exit(1);
    }
}

int main(int count, char **names) {
    static unsigned char file[1 << 20];
    if (count != 6)
        return 2;
    FILE *from = fopen(names[3], "rb");
    if (!from)
        return 2;
    size_t file_len = fread(file, 1, sizeof file, from), len;
    fclose(from);

    hasten_key *key;
    if (hasten_key_open(names[1], NULL, NULL, 0, &key) == HASTEN_NOT_A_KEY) {
        must(hasten_key_generate("LMS_SHA256_M24_H5_W8", names[1], names[2], NULL, 0));
        must(hasten_key_open(names[1], NULL, NULL, 0, &key));
    }
    if (!key)
        return 1;
    must(hasten_key_sign(key, NULL, 0, NULL, &len)); /* asks for the size, takes no index */
    unsigned char *signature = malloc(len);
    must(hasten_key_sign(key, file, file_len, signature, &len));
    write_file(names[4], signature, len);
    free(signature);

    unsigned char public[256];
    len = sizeof public;
    must(hasten_key_public(key, HASTEN_FORM_DER, public, &len));
    write_file(names[5], public, len);
    uint64_t remaining;
    must(hasten_key_remaining(key, &remaining));
    printf("%llu signatures left\n", (unsigned long long)remaining);
    must(hasten_key_close(key));
    return 0;
}
