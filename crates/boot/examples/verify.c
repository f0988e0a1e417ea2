/* Verifies an image as a boot loader would: the key and the memory are its own, nothing else is.
 *
 *   verify KEY IMAGE SIGNATURE     KEY: the raw HSS public key, as hasten export --format hss
 *                                  writes it */
#include <hasten_boot.h>
#include <stdio.h>
#include <stdlib.h>

/* Enough for HSS whose trees have w = 16 or 256; hasten_boot_memory says how much it is. */
static unsigned char work[16384];
static unsigned char key[60], image[1 << 20], signature[1 << 16];

/* The boot loader's own: resets the machine. */
void hasten_boot_defect(void) { abort(); }

/* Stands for flash memory. */
static size_t from(const char *name, unsigned char *to, size_t most) {
    FILE *file = fopen(name, "rb");
    size_t len = file ? fread(to, 1, most, file) : 0;
    if (file)
        fclose(file);
    return len;
}

int main(int count, char **names) {
    if (count != 4)
        return HASTEN_BOOT_ARGUMENT;
    size_t key_len = from(names[1], key, sizeof key);
    size_t image_len = from(names[2], image, sizeof image);
    size_t signature_len = from(names[3], signature, sizeof signature);
    hasten_boot_status status = hasten_boot_verify(HASTEN_BOOT_HSS, key, key_len, image, image_len, signature,
                                                   signature_len, work, sizeof work);
    puts(status == HASTEN_BOOT_OK ? "boot" : "do not boot");
    return status;
}
