// ed25519 (one lane), one operation per call. Input words are given when the core asks for them,
// and output words are stored as they come. The layout of a word is that of ed25519_core.rs.
#include <iterator>

#include "Ved25519.h"
#include "clocked.h"

namespace {

struct Word {
  uint64_t data;
  uint8_t bytes, last;
};

using Core = Clocked<Ved25519>;

// Limit on the cycles of an operation. It is far above those of the longest operation with a
// message of this many words, which takes 81 cycles for 16 of them, twice.
uint64_t limit(size_t words) { return 50000 + 24 * words; }

// `Output` of ed25519_core.rs.
struct Output {
  uint64_t words[8];
  size_t count;
  uint8_t verdict;
};

}  // namespace

extern "C" {

Core* hasten_ed25519_new() { return new Core; }

void hasten_ed25519_free(Core* core) { delete core; }

// Returns the cycles from the accepted command to the last output word, or to the response if there
// is no output. Returns 0 if there was no response.
uint64_t hasten_ed25519_run(Core* core, uint8_t op, const uint64_t* key, size_t keys, const Word* in, size_t words, Output* out) {
  Ved25519& top = *core->top;
  top.cmd_op_i = op;
  top.zeroize_i = 0;
  top.cmd_valid_i = top.out_ready_i = top.rsp_ready_i = 1;
  uint64_t begun = 0, ended = 0;
  size_t next = 0, next_key = 0;
  out->count = 0;
  for (uint64_t left = limit(words); left > 0; left--) {
    top.key_valid_i = next_key < keys;
    if (next_key < keys) top.key_data_i = key[next_key];
    top.in_valid_i = next < words;
    if (next < words) {
      top.in_data_i = in[next].data;
      top.in_bytes_i = in[next].bytes;
      top.in_last_i = in[next].last;
    }
    core->look();
    if (top.cmd_valid_i && top.cmd_ready_o) begun = core->cycles;
    if (top.out_valid_o && out->count < std::size(out->words)) {
      out->words[out->count++] = top.out_data_o;
      ended = core->cycles;
    }
    bool accepted = top.cmd_valid_i && top.cmd_ready_o, taken = top.in_valid_i && top.in_ready_o, done = top.rsp_valid_o;
    bool key_taken = top.key_valid_i && top.key_ready_o;
    out->verdict = top.rsp_verdict_o;
    if (done && out->count == 0) ended = core->cycles;
    core->run(1);
    if (accepted) top.cmd_valid_i = 0;
    next += taken;
    next_key += key_taken;
    if (done) return ended - begun;
  }
  return 0;
}

}  // extern "C"
