// hbs_verify_axi as software sees it: reads and writes registers, and sends words of the stream.
#include "Vhbs_verify_axi.h"
#include "clocked.h"

namespace {

// Limit on the cycles until the bus has answered, or until a word of the stream is taken.
constexpr uint64_t kMost = 1'000'000;

// The core, and the memory of its stack. The memory answers a read in the cycle of the request.
struct Core : Clocked<Vhbs_verify_axi> {
  uint32_t stack[128] = {};

  Core() { top->stack_ready_i = 1; }
  void step() {
    if (top->stack_valid_o && top->stack_write_o) stack[top->stack_address_o] = top->stack_data_o;
    top->stack_data_i = stack[top->stack_address_o];
    look();
    run(1);
  }
};

// Runs until `done` holds before an edge, and over this edge. Returns false at the limit.
template <class Done>
bool until(Core* core, Done done) {
  for (uint64_t left = kMost; left > 0; left--) {
    core->look();
    bool ends = done();
    core->step();
    if (ends) return true;
  }
  return false;
}

}  // namespace

extern "C" {

Core* hasten_hbs_verify_new() { return new Core; }

void hasten_hbs_verify_free(Core* core) { delete core; }

bool hasten_hbs_verify_read(Core* core, uint32_t address, uint32_t* value) {
  auto& top = *core->top;
  top.s_axil_araddr = address;
  top.s_axil_arvalid = top.s_axil_rready = 1;
  bool taken = until(core, [&] { return top.s_axil_arready; });
  top.s_axil_arvalid = 0;
  return taken && until(core, [&] {
    *value = top.s_axil_rdata;
    return top.s_axil_rvalid && top.s_axil_rresp == 0;
  });
}

bool hasten_hbs_verify_write(Core* core, uint32_t address, uint32_t value) {
  auto& top = *core->top;
  top.s_axil_awaddr = address;
  top.s_axil_wdata = value;
  top.s_axil_wstrb = 15;
  top.s_axil_awvalid = top.s_axil_wvalid = top.s_axil_bready = 1;
  bool taken = until(core, [&] { return top.s_axil_awready && top.s_axil_wready; });
  top.s_axil_awvalid = top.s_axil_wvalid = 0;
  return taken && until(core, [&] { return top.s_axil_bvalid && top.s_axil_bresp == 0; });
}

bool hasten_hbs_verify_send(Core* core, uint32_t word, bool last) {
  auto& top = *core->top;
  top.s_axis_tdata = word;
  top.s_axis_tlast = last;
  top.s_axis_tvalid = 1;
  bool taken = until(core, [&] { return top.s_axis_tready; });
  top.s_axis_tvalid = 0;
  return taken;
}

}  // extern "C"
