// keccak_core as a batch of permutations: every slot of the pipeline is filled as soon as it is
// free.
#include "Vkeccak_core.h"
#include "clocked.h"

namespace {

constexpr unsigned kTags = 16;

struct Core : Clocked<Vkeccak_core> {
  size_t owner[kTags];

  // Stores the block that ends in this cycle, and returns the number of blocks that ended (0 or 1).
  size_t collect(uint64_t* states) {
    if (!top->valid_o) return 0;
    uint64_t* state = states + 25 * owner[top->tag_o];
    for (unsigned lane = 0; lane < 25; lane++)
      state[lane] = top->state_o[2 * lane] | static_cast<uint64_t>(top->state_o[2 * lane + 1]) << 32;
    return 1;
  }

  void offer(const uint64_t* states, size_t next, bool more) {
    top->valid_i = more && top->ready_o;
    top->cont_i = 0;
    top->tag_i = next % kTags;
    for (unsigned word = 0; word < 50; word++)
      top->msg_i[word] = top->valid_i ? static_cast<uint32_t>(states[25 * next + word / 2] >> (32 * (word % 2))) : 0;
  }
};

}  // namespace

extern "C" {

Core* hasten_keccak_new() { return new Core; }

void hasten_keccak_free(Core* core) { delete core; }

// Permutes n states in place, and returns the number of clock cycles.
uint64_t hasten_keccak_permute(Core* core, uint64_t* states, size_t n) {
  uint64_t start = core->cycles;
  size_t next = 0;
  for (size_t done = 0; done < n;) {
    core->top->valid_i = 0;
    core->look();
    done += core->collect(states);
    core->offer(states, next, next < n);
    if (core->top->valid_i) core->owner[next % kTags] = next;
    next += core->top->valid_i;
    core->run(1);
  }
  return core->cycles - start;
}

}  // extern "C"
