// A program around the library of sphincs/parallel-sphincsplus, branch dwarf, that speaks as
// checks/interop/bouncycastle/src/Peer.java does:
//
//   peer sign ALG FOLDER COUNT   reads msg, makes a key, writes pub and sig0 .. sig(COUNT-1)
//   peer verify ALG FOLDER...    prints FOLDER/sigN good|bad for each signature
//   peer time ALG                prints keygen, sign and verify with their seconds, on one thread
#include "api.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

using Bytes = std::vector<unsigned char>;
namespace fs = std::filesystem;

static std::unique_ptr<slh_dsa::key> key_of(const std::string& alg) {
    if (alg == "SLH-DSA-SHA2-128-24") return std::make_unique<slh_dsa::key_sha2_rls128cs1>();
    if (alg == "SLH-DSA-SHA2-192-24") return std::make_unique<slh_dsa::key_sha2_rls192cs1>();
    if (alg == "SLH-DSA-SHA2-256-24") return std::make_unique<slh_dsa::key_sha2_rls256cs1>();
    if (alg == "SLH-DSA-SHAKE-128-24") return std::make_unique<slh_dsa::key_shake_rls128cs1>();
    if (alg == "SLH-DSA-SHAKE-192-24") return std::make_unique<slh_dsa::key_shake_rls192cs1>();
    if (alg == "SLH-DSA-SHAKE-256-24") return std::make_unique<slh_dsa::key_shake_rls256cs1>();
    return nullptr;
}

static Bytes read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return Bytes(std::istreambuf_iterator<char>(in), {});
}

static void write(const fs::path& path, const unsigned char* data, size_t length) {
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(length));
}

static bool sign(slh_dsa::key& key, const fs::path& folder, int count) {
    Bytes message = read(folder / "msg");
    if (!key.generate_key_pair()) return false;
    write(folder / "pub", key.get_public_key(), key.len_public_key());
    Bytes signature(key.len_signature());
    for (int number = 0; number < count; number++) {
        if (!key.sign(signature.data(), signature.size(), message.data(), message.size()))
            return false;
        write(folder / ("sig" + std::to_string(number)), signature.data(), signature.size());
    }
    return true;
}

static void verify(slh_dsa::key& key, const fs::path& folder) {
    Bytes message = read(folder / "msg"), public_key = read(folder / "pub");
    bool fits = public_key.size() == key.len_public_key();
    if (fits) key.set_public_key(public_key.data());
    for (const auto& entry : fs::directory_iterator(folder)) {
        const fs::path& path = entry.path();
        if (path.filename().string().rfind("sig", 0) != 0) continue;
        Bytes signature = read(path);
        bool good = fits && key.verify(signature.data(), signature.size(), message.data(),
                                       message.size());
        std::printf("%s %s\n", path.c_str(), good ? "good" : "bad");
    }
}

// Prints an operation and the seconds of this process that it took.
template <typename Work> static bool timed(const char* name, int count, Work work) {
    std::clock_t begun = std::clock();
    for (int i = 0; i < count; i++)
        if (!work()) return false;
    std::printf("%s %.6f\n", name, double(std::clock() - begun) / CLOCKS_PER_SEC / count);
    std::fflush(stdout);
    return true;
}

static bool time_all(slh_dsa::key& key) {
    const unsigned char message[] = "message";
    Bytes signature(key.len_signature());
    key.set_num_thread(1);
    return timed("keygen", 1, [&] { return key.generate_key_pair(); }) &&
           timed("sign", 1, [&] {
               return key.sign(signature.data(), signature.size(), message, 7);
           }) &&
           timed("verify", 1000, [&] {
               return key.verify(signature.data(), signature.size(), message, 7);
           });
}

int main(int count, char** words) {
    std::string verb = count > 1 ? words[1] : "";
    std::unique_ptr<slh_dsa::key> key = count > 2 ? key_of(words[2]) : nullptr;
    if (!key) {
        std::fprintf(stderr, "usage: peer sign ALG FOLDER COUNT | verify ALG FOLDER... | time ALG\n");
        return 2;
    }
    if (verb == "time") return time_all(*key) ? 0 : 1;
    if (verb == "sign" && count == 5) return sign(*key, words[3], std::stoi(words[4])) ? 0 : 1;
    for (int at = 3; verb == "verify" && at < count; at++) verify(*key, words[at]);
    return verb == "verify" ? 0 : 2;
}
