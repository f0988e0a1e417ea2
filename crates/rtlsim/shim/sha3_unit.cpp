// sha3_unit, one clock cycle per call. The layouts are those of cmd_t, beat_t and out_t in
// sha3_pkg.sv, and those of sha3.rs.
#include "Vsha3_unit.h"
#include "clocked.h"

namespace {

struct In {
  uint64_t cmd_data[4];
  uint64_t in_data[2];
  uint32_t cmd_length, cmd_counter;
  uint16_t cmd_steps;
  uint8_t cmd_valid, cmd_op, cmd_tag, cmd_rate, cmd_suffix, cmd_lanes;
  uint8_t in_valid, in_tag, in_ending, in_bytes, out_ready, reset, zeroize;
};

struct Out {
  uint64_t data[2];
  uint8_t cmd_ready, in_ready, valid, tag, last, bytes;
};

// Puts `width` bits at bit `at` of a packed value, low words first.
template <class Wide>
void put(Wide& wide, unsigned at, unsigned width, uint64_t value) {
  for (unsigned i = 0; i < width; i++) {
    uint32_t bit = 1u << ((at + i) % 32);
    if (value >> i & 1)
      wide[(at + i) / 32] |= bit;
    else
      wide[(at + i) / 32] &= ~bit;
  }
}

template <class Wide>
uint64_t word(const Wide& wide, unsigned index) {
  return wide[2 * index] | static_cast<uint64_t>(wide[2 * index + 1]) << 32;
}

using Unit = Clocked<Vsha3_unit>;

void command(Vsha3_unit& top, const In& in) {
  top.cmd_valid_i = in.cmd_valid;
  for (unsigned i = 0; i < 4; i++) {
    top.cmd_i[2 * i] = static_cast<uint32_t>(in.cmd_data[i]);
    top.cmd_i[2 * i + 1] = static_cast<uint32_t>(in.cmd_data[i] >> 32);
  }
  put(top.cmd_i, 256, 3, in.cmd_lanes);
  put(top.cmd_i, 259, 32, in.cmd_counter);
  put(top.cmd_i, 291, 16, in.cmd_steps);
  put(top.cmd_i, 307, 32, in.cmd_length);
  put(top.cmd_i, 339, 8, in.cmd_suffix);
  put(top.cmd_i, 347, 5, in.cmd_rate);
  put(top.cmd_i, 352, 2, in.cmd_tag);
  put(top.cmd_i, 354, 3, in.cmd_op);
}

void beat(Vsha3_unit& top, const In& in) {
  top.in_valid_i = in.in_valid;
  for (unsigned i = 0; i < 4; i++) top.in_i[i] = static_cast<uint32_t>(in.in_data[i / 2] >> (32 * (i % 2)));
  put(top.in_i, 128, 5, in.in_bytes);
  put(top.in_i, 133, 2, in.in_ending);
  put(top.in_i, 135, 2, in.in_tag);
}

}  // namespace

extern "C" {

Unit* hasten_sha3_new() { return new Unit; }

void hasten_sha3_free(Unit* unit) { delete unit; }

// Runs one cycle: evaluates the outputs for these inputs, and then applies the clock edge.
void hasten_sha3_cycle(Unit* unit, const In* in, Out* out) {
  Vsha3_unit& top = *unit->top;
  top.rst_ni = !in->reset;
  top.zeroize_i = in->zeroize;
  command(top, *in);
  beat(top, *in);
  top.out_ready_i = in->out_ready;
  unit->look();
  out->cmd_ready = top.cmd_ready_o;
  out->in_ready = top.in_ready_o;
  out->valid = top.out_valid_o;
  out->data[0] = word(top.out_o, 0);
  out->data[1] = word(top.out_o, 1);
  uint32_t head = top.out_o[4];
  out->bytes = head & 31;
  out->last = head >> 5 & 1;
  out->tag = head >> 6 & 3;
  unit->run(1);
}

}  // extern "C"
