// xmss_engine with SHA-256 or with SHAKE, one clock cycle per call. The layouts are those of
// xmss.rs.
#define QUOTED(text) #text
#define HEADER(model) QUOTED(V##model.h)
#define JOINED(model, function) hasten_##model##_##function
#define VERILATED(model) V##model
#define OF(macro, ...) macro(__VA_ARGS__)
#define NAME(function) OF(JOINED, MODEL, function)
#include OF(HEADER, MODEL)
#include "clocked.h"

namespace {

struct In {
  uint64_t data, length;
  uint32_t index;
  uint8_t cmd_valid, op, check, table, mode, octets, height, in_valid, last, out_ready, rsp_ready, reset;
};

struct Out {
  uint64_t data;
  uint32_t cycles;
  uint8_t cmd_ready, in_ready, valid, slot, last, rsp_valid, status;
};

using Engine = OF(VERILATED, MODEL);
using Unit = Clocked<Engine>;

}  // namespace

extern "C" {

Unit* NAME(new)() { return new Unit; }

void NAME(free)(Unit* unit) { delete unit; }

// Runs one cycle: evaluates the outputs for these inputs, and then applies the clock edge.
void NAME(cycle)(Unit* unit, const In* in, Out* out) {
  Engine& top = *unit->top;
  top.rst_ni = !in->reset;
  top.cmd_valid_i = in->cmd_valid;
  top.cmd_op_i = in->op;
  top.cmd_check_i = in->check;
  top.cmd_table_i = in->table;
  top.cmd_mode_i = in->mode;
  top.cmd_octets_i = in->octets;
  top.cmd_narrow_i = 0;
  top.cmd_height_i = in->height;
  top.cmd_index_i = in->index;
  top.cmd_length_i = in->length;
  top.in_valid_i = in->in_valid;
  top.in_data_i = in->data;
  top.in_last_i = in->last;
  top.out_ready_i = in->out_ready;
  top.rsp_ready_i = in->rsp_ready;
  unit->look();
  out->data = top.out_data_o;
  out->cycles = top.rsp_cycles_o;
  out->cmd_ready = top.cmd_ready_o;
  out->in_ready = top.in_ready_o;
  out->valid = top.out_valid_o;
  out->slot = top.out_slot_o;
  out->last = top.out_last_o;
  out->rsp_valid = top.rsp_valid_o;
  out->status = top.rsp_status_o;
  unit->run(1);
}

}  // extern "C"
