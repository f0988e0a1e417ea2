// Botan behind the words of peer.hpp. Its interface is Botan's public one.
#include "peer.hpp"

#include <botan/auto_rng.h>
#include <botan/hash.h>
#include <botan/pk_algs.h>
#include <botan/pubkey.h>
#include <botan/version.h>

#include <memory>
#include <regex>

// Returns Botan's words for a set of ours: the algorithm and its parameters.
static std::pair<std::string, std::string> names(const std::string& set) {
    if (set.rfind("SLH-DSA-", 0) == 0) return {"SLH-DSA", set};
    if (set.rfind("XMSS-", 0) == 0) return {"XMSS", set};
    static const std::regex level("LMS_SHA256_M32_H([0-9]+)(?:/LMOTS_SHA256_N32)?_W([0-9]+)");
    std::string levels = "SHA-256";
    auto found = std::sregex_iterator(set.begin(), set.end(), level);
    for (; found != std::sregex_iterator(); ++found)
        levels += ",HW(" + (*found)[1].str() + "," + (*found)[2].str() + ")";
    return {"HSS-LMS", levels};
}

struct Library : Key {
    explicit Library(const std::string& set) : words(names(set)) { generate(); }
    void generate() override {
        key = Botan::create_private_key(words.first, rng, words.second);
        if (!key) throw Botan::Not_Implemented(words.first);
        signer = std::make_unique<Botan::PK_Signer>(*key, rng, "");
        public_ = key->public_key();
        verifier = std::make_unique<Botan::PK_Verifier>(*public_, "");
    }
    void sign() override {
        if (key->stateful_operation() && left() == 0) generate();
        signed_ = signer->sign_message(MESSAGE, rng);
    }
    bool verify() override { return verifier->verify_message(MESSAGE, signed_); }
    Bytes public_key() override { return public_->raw_public_key_bits(); }
    Bytes signature() override { return signed_; }
    std::uint64_t left() override { return key->remaining_operations().value_or(0); }

private:
    std::pair<std::string, std::string> words;
    Botan::AutoSeeded_RNG rng;
    std::unique_ptr<Botan::Private_Key> key;
    std::unique_ptr<Botan::Public_Key> public_;
    std::unique_ptr<Botan::PK_Signer> signer;
    std::unique_ptr<Botan::PK_Verifier> verifier;
    Bytes signed_;
};

// Returns which of its implementations Botan chose for each hash function.
static std::string chosen() {
    std::string text;
    for (const char* name : {"SHA-256", "SHA-512", "SHAKE-256(256)"}) {
        auto hash = Botan::HashFunction::create(name);
        if (hash) text += (text.empty() ? "" : ", ") + hash->name() + " by " + hash->provider();
    }
    return text + "; one lane";
}

int main(int count, char** words) {
    std::unique_ptr<Library> key;
    try {
        if (count == 2) key = std::make_unique<Library>(words[1]);
    } catch (const Botan::Exception&) {
    }
    if (!key) return std::puts("lacks"), 0;
    return answer(*key, "Botan " + Botan::short_version_string(), chosen());
}
