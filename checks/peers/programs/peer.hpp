// What the programs around other libraries share. Each is started with a set's name, makes a key,
// and answers on its output to each word on its input; checks/peers/src/program.rs asks.
//
//   at first   library NAME VERSION, built COMPILER, uses TEXT, ready; or lacks, and it ends
//   keygen, sign, verify   us NUMBER: the mean of the calls that fill a window, in microseconds
//   show       key HEX, signature HEX
//   indices    times NUMBER...: microseconds of each signature of a new key, all its indices
//
// Times are those of the thread on its CPU.
#pragma once

#include <cstdint>
#include <cstdio>
#include <ctime>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

using Bytes = std::vector<std::uint8_t>;

// A key of one set and the operations measured.
struct Key {
    virtual ~Key() = default;
    virtual void generate() = 0;
    // Signs by the next index; makes a new key before that if none is left.
    virtual void sign() = 0;
    virtual bool verify() = 0;
    virtual Bytes public_key() = 0;
    virtual Bytes signature() = 0;
    // Returns how many signatures are left; 0 as well for a key without a state.
    virtual std::uint64_t left() { return 0; }
};

inline const Bytes MESSAGE(64, 0x6d);

inline double now_us() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e6 + double(time.tv_nsec) / 1e3;
}

// Calls until a window is full, and returns the mean.
inline double window(const std::function<void()>& call) {
    const double enough = 200;
    double begun = now_us(), used = 0;
    int calls = 0;
    for (; used < enough; used = now_us() - begun, calls++) call();
    return used / calls;
}

inline void hex(const char* name, const Bytes& bytes) {
    std::printf("%s ", name);
    for (unsigned byte : bytes) std::printf("%02x", byte);
    std::printf("\n");
}

inline void indices(Key& key) {
    key.generate();
    std::printf("times");
    for (std::uint64_t left = key.left(); left > 0; left--) {
        double begun = now_us();
        key.sign();
        std::printf(" %.3f", now_us() - begun);
    }
    std::printf("\n");
}

// Answers until the input ends. Returns the exit code.
inline int answer(Key& key, const std::string& library, const std::string& uses) {
    key.generate();
    key.sign();
    if (!key.verify()) return 1;
    std::printf("library %s\nbuilt C++ compiler %s\nuses %s\nready\n", library.c_str(), __VERSION__, uses.c_str());
    std::fflush(stdout);
    for (std::string word; std::getline(std::cin, word); std::fflush(stdout)) {
        bool good = true;
        if (word == "keygen") std::printf("us %.3f\n", window([&] { key.generate(); }));
        else if (word == "sign") std::printf("us %.3f\n", window([&] { key.sign(); }));
        else if (word == "verify") {
            double us = window([&] { good = key.verify() && good; });
            std::printf("us %.3f\n", us);
        } else if (word == "indices") indices(key);
        else if (word == "show") {
            key.sign();
            hex("key", key.public_key());
            hex("signature", key.signature());
        } else good = false;
        if (!good) return 1;
    }
    return 0;
}
