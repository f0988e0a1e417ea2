/* Verifies a signature: verify PUBLIC FILE SIGNATURE.
 * Status 0: good; 1: bad; others: hasten_status. */
#include <hasten.h>
#include <stdio.h>

static unsigned char key[8192], file[1 << 20], signature[1 << 17];

static size_t read_file(const char *name, unsigned char *to, size_t most) {
    FILE *from = fopen(name, "rb");
    size_t length = from ? fread(to, 1, most, from) : 0;
    if (from)
        fclose(from);
    return length;
}

int main(int count, char **names) {
    if (count != 4)
        return HASTEN_ARGUMENT;
    size_t key_len = read_file(names[1], key, sizeof key);
    size_t file_len = read_file(names[2], file, sizeof file);
    size_t signature_len = read_file(names[3], signature, sizeof signature);
    int status = hasten_verify(NULL, key, key_len, file, file_len, signature, signature_len);
    puts(hasten_strerror(status));
    return status;
}
