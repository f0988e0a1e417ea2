// Handshakes of OpenSSL's TLS 1.3, both sides in one thread over memory: prints the CPU time of both
// in microseconds, a handshake a line.
//
//   openssl_tls version
//   openssl_tls measure CERTIFICATE KEY ROOT GROUP SECONDS
//
// The server shows one certificate, which the client verifies under the root for "localhost".

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double micros(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

static int failed(const char *doing)
{
    fprintf(stderr, "%s: ", doing);
    ERR_print_errors_fp(stderr);
    return 0;
}

static SSL_CTX *context(const SSL_METHOD *method, const char *group)
{
    SSL_CTX *ctx = SSL_CTX_new(method);
    if (ctx == NULL || !SSL_CTX_set_min_proto_version(ctx, TLS1_3_VERSION) ||
        !SSL_CTX_set_ciphersuites(ctx, "TLS_AES_256_GCM_SHA384") ||
        !SSL_CTX_set1_groups_list(ctx, group)) {
        failed("a context");
        exit(1);
    }
    return ctx;
}

// Returns whether both sides are connected.
static int shake(SSL_CTX *client_ctx, SSL_CTX *server_ctx)
{
    BIO *client_end, *server_end;
    SSL *client = SSL_new(client_ctx), *server = SSL_new(server_ctx);
    int client_done = 0, server_done = 0;
    char nothing[1];
    if (client == NULL || server == NULL || !BIO_new_bio_pair(&client_end, 1 << 17, &server_end, 1 << 17))
        return failed("two ends");
    SSL_set_bio(client, client_end, client_end);
    SSL_set_bio(server, server_end, server_end);
    SSL_set_connect_state(client);
    SSL_set_accept_state(server);
    SSL_set_tlsext_host_name(client, "localhost");
    SSL_set1_host(client, "localhost");
    for (int turn = 0; turn < 8 && !(client_done && server_done); turn++) {
        int done = SSL_do_handshake(client);
        client_done = done == 1;
        if (done != 1 && SSL_get_error(client, done) != SSL_ERROR_WANT_READ)
            return failed("the client");
        done = SSL_do_handshake(server);
        server_done = done == 1;
        if (done != 1 && SSL_get_error(server, done) != SSL_ERROR_WANT_READ)
            return failed("the server");
    }
    // The server's tickets.
    SSL_read(client, nothing, sizeof nothing);
    SSL_free(client);
    SSL_free(server);
    return client_done && server_done;
}

int main(int count, char **words)
{
    if (count == 2 && strcmp(words[1], "version") == 0) {
        printf("%s\n", OpenSSL_version(OPENSSL_VERSION_STRING));
        return 0;
    }
    if (count != 7 || strcmp(words[1], "measure") != 0) {
        fprintf(stderr, "usage: version, or measure CERTIFICATE KEY ROOT GROUP SECONDS\n");
        return 2;
    }
    SSL_CTX *client = context(TLS_client_method(), words[5]);
    SSL_CTX *server = context(TLS_server_method(), words[5]);
    if (!SSL_CTX_use_certificate_file(server, words[2], SSL_FILETYPE_PEM) ||
        !SSL_CTX_use_PrivateKey_file(server, words[3], SSL_FILETYPE_PEM) ||
        !SSL_CTX_load_verify_file(client, words[4]))
        return failed("certificates"), 1;
    SSL_CTX_set_verify(client, SSL_VERIFY_PEER, NULL);
    double end = micros(CLOCK_MONOTONIC) + atof(words[6]) * 1e6;
    do {
        double begun = micros(CLOCK_THREAD_CPUTIME_ID);
        if (!shake(client, server))
            return 1;
        printf("%.3f\n", micros(CLOCK_THREAD_CPUTIME_ID) - begun);
    } while (micros(CLOCK_MONOTONIC) < end);
    return 0;
}
