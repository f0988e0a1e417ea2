/*
 * Makes a key of wolfSSL, whose private key is imported:
 *
 *   key ALG PREFIX MESSAGE INDEX
 *
 * ALG is HASH_LEVELS_HEIGHT_W for LMS and HSS, as sha256_2_5_4, or a name of XMSS. PREFIX.prv is
 * the private key after three signatures, PREFIX.pub the public key, and PREFIX.sig the signature
 * of MESSAGE with INDEX, which is 3 or higher.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <wolfssl/wolfcrypt/settings.h>

#include <wolfssl/wolfcrypt/random.h>
#include <wolfssl/wolfcrypt/wc_lms.h>
#include <wolfssl/wolfcrypt/wc_xmss.h>

enum { USED = 3 };

static byte private_key[1 << 17], public_key[256], message[1 << 16], signature[1 << 16];
static word32 private_len, public_len = sizeof public_key, message_len, signature_len;

static void must(int good, const char *what) {
    if (!good) {
        fprintf(stderr, "wolfSSL: %s\n", what);
        exit(1);
    }
}

static int keep(const byte *key, word32 len) {
    must(len <= sizeof private_key, "the private key is too long");
    memcpy(private_key, key, len);
    private_len = len;
    return 0;
}

static int keep_lms(const byte *key, word32 len, void *context) {
    (void)context;
    return keep(key, len) == 0 ? WC_LMS_RC_SAVED_TO_NV_MEMORY : WC_LMS_RC_WRITE_FAIL;
}

static int read_lms(byte *key, word32 len, void *context) {
    (void)context;
    memcpy(key, private_key, len);
    return WC_LMS_RC_READ_TO_MEMORY;
}

static enum wc_XmssRc keep_xmss(const byte *key, word32 len, void *context) {
    (void)context;
    return keep(key, len) == 0 ? WC_XMSS_RC_SAVED_TO_NV_MEMORY : WC_XMSS_RC_WRITE_FAIL;
}

static enum wc_XmssRc read_xmss(byte *key, word32 len, void *context) {
    (void)context;
    memcpy(key, private_key, len);
    return WC_XMSS_RC_READ_TO_MEMORY;
}

static void write_file(const char *prefix, const char *ending, const byte *bytes, word32 len) {
    char name[4096];
    must(snprintf(name, sizeof name, "%s%s", prefix, ending) < (int)sizeof name, "a long name");
    FILE *file = fopen(name, "wb");
    must(file && fwrite(bytes, 1, len, file) == len && fclose(file) == 0, name);
}

static void read_message(const char *name) {
    FILE *file = fopen(name, "rb");
    must(file != NULL, name);
    message_len = (word32)fread(message, 1, sizeof message, file);
    fclose(file);
}

static LmsKey lms;
static XmssKey xmss;

/* Prepares a key of LMS if ALG is one; says whether it is. */
static int begin_lms(const char *alg) {
    static const struct { const char *name; int kind; } hashes[] = {
        {"sha256", LMS_SHA256}, {"sha192", LMS_SHA256_192}, {"shake256", LMS_SHAKE256}, {"shake192", LMS_SHAKE256_192},
    };
    char hash[16];
    int levels, height, width, kind = -1;
    if (sscanf(alg, "%15[^_]_%d_%d_%d", hash, &levels, &height, &width) != 4)
        return 0;
    for (size_t i = 0; i < sizeof hashes / sizeof *hashes; i++)
        kind = strcmp(hash, hashes[i].name) ? kind : hashes[i].kind;
    must(wc_LmsKey_Init(&lms, NULL, INVALID_DEVID) == 0, "init");
    must(wc_LmsKey_SetParameters_ex(&lms, levels, height, width, kind) == 0, "set");
    must(wc_LmsKey_SetWriteCb(&lms, keep_lms) == 0 && wc_LmsKey_SetReadCb(&lms, read_lms) == 0, "callbacks");
    must(wc_LmsKey_SetContext(&lms, private_key) == 0, "context");
    return 1;
}

static void begin_xmss(const char *alg) {
    must(wc_XmssKey_Init(&xmss, NULL, INVALID_DEVID) == 0, "init");
    must(wc_XmssKey_SetParamStr(&xmss, alg) == 0, "set");
    must(wc_XmssKey_SetWriteCb(&xmss, keep_xmss) == 0 && wc_XmssKey_SetReadCb(&xmss, read_xmss) == 0, "callbacks");
    must(wc_XmssKey_SetContext(&xmss, private_key) == 0, "context");
}

static void make(int is_lms) {
    WC_RNG random;
    must(wc_InitRng(&random) == 0, "random");
    must((is_lms ? wc_LmsKey_MakeKey(&lms, &random) : wc_XmssKey_MakeKey(&xmss, &random)) == 0, "make");
    must((is_lms ? wc_LmsKey_ExportPubRaw(&lms, public_key, &public_len)
                 : wc_XmssKey_ExportPubRaw(&xmss, public_key, &public_len)) == 0, "export");
    wc_FreeRng(&random);
}

static void sign(int is_lms) {
    signature_len = sizeof signature;
    must((is_lms ? wc_LmsKey_Sign(&lms, signature, &signature_len, message, (int)message_len)
                 : wc_XmssKey_Sign(&xmss, signature, &signature_len, message, (int)message_len)) == 0, "sign");
}

int main(int count, char **arguments) {
    must(count == 5, "key ALG PREFIX MESSAGE INDEX");
    const char *alg = arguments[1], *prefix = arguments[2];
    int is_lms = begin_lms(alg);
    if (!is_lms)
        begin_xmss(alg);
    read_message(arguments[3]);
    make(is_lms);
    for (long used = 0; used <= atol(arguments[4]); used++) {
        if (used == USED)
            write_file(prefix, ".prv", private_key, private_len);
        sign(is_lms);
    }
    write_file(prefix, ".pub", public_key, public_len);
    write_file(prefix, ".sig", signature, signature_len);
    return 0;
}
