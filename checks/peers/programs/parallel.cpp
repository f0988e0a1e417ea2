// parallel-sphincsplus behind the words of peer.hpp, on one thread. -DCOMMIT names its sources.
#include "api.h"
#include "peer.hpp"

#include <memory>
#include <stdexcept>

#ifndef COMMIT
#error "give -DCOMMIT='\"branch commit\"'"
#endif

static std::unique_ptr<slh_dsa::key> key_of(const std::string& set) {
    if (set == "SLH-DSA-SHA2-128s") return std::make_unique<slh_dsa::key_sha2_128s>();
    if (set == "SLH-DSA-SHA2-128f") return std::make_unique<slh_dsa::key_sha2_128f>();
    if (set == "SLH-DSA-SHA2-192s") return std::make_unique<slh_dsa::key_sha2_192s>();
    if (set == "SLH-DSA-SHA2-192f") return std::make_unique<slh_dsa::key_sha2_192f>();
    if (set == "SLH-DSA-SHA2-256s") return std::make_unique<slh_dsa::key_sha2_256s>();
    if (set == "SLH-DSA-SHA2-256f") return std::make_unique<slh_dsa::key_sha2_256f>();
    if (set == "SLH-DSA-SHAKE-128s") return std::make_unique<slh_dsa::key_shake_128s>();
    if (set == "SLH-DSA-SHAKE-128f") return std::make_unique<slh_dsa::key_shake_128f>();
    if (set == "SLH-DSA-SHAKE-192s") return std::make_unique<slh_dsa::key_shake_192s>();
    if (set == "SLH-DSA-SHAKE-192f") return std::make_unique<slh_dsa::key_shake_192f>();
    if (set == "SLH-DSA-SHAKE-256s") return std::make_unique<slh_dsa::key_shake_256s>();
    if (set == "SLH-DSA-SHAKE-256f") return std::make_unique<slh_dsa::key_shake_256f>();
    return nullptr;
}

struct Parallel : Key {
    explicit Parallel(std::unique_ptr<slh_dsa::key> made)
        : key(std::move(made)), signed_(key->len_signature()) {
        key->set_num_thread(1);
    }
    void generate() override { require(key->generate_key_pair()); }
    void sign() override {
        require(key->sign(signed_.data(), signed_.size(), MESSAGE.data(), MESSAGE.size(), nullptr, 0,
                          slh_dsa::random()));
    }
    bool verify() override {
        return key->verify(signed_.data(), signed_.size(), MESSAGE.data(), MESSAGE.size());
    }
    Bytes public_key() override {
        const unsigned char* bytes = key->get_public_key();
        return Bytes(bytes, bytes + key->len_public_key());
    }
    Bytes signature() override { return signed_; }

private:
    static void require(bool done) {
        if (!done) throw std::runtime_error("the library refuses");
    }
    std::unique_ptr<slh_dsa::key> key;
    Bytes signed_;
};

int main(int count, char** words) {
    auto key = count == 2 ? key_of(words[1]) : nullptr;
    if (!key) return std::puts("lacks"), 0;
    Parallel parallel(std::move(key));
    bool wide = slh_dsa::check_avx512();
    return answer(parallel, "parallel-sphincsplus " COMMIT,
                  wide ? "AVX-512: 16 SHA-256, 8 SHA-512, 8 Keccak lanes; AVX2 in 128f and 192f of SHA2"
                       : "AVX2: 8 SHA-256, 4 SHA-512, 4 Keccak lanes");
}
