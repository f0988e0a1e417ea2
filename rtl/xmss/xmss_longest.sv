// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The chain with the longest way to the end among those that wait, as a tree of comparisons; the
// lower number of equals. A register stands behind two, four and seven levels of the tree, so that
// it tells what waited three cycles before.
module xmss_longest
  import xmss_pkg::*;
(
    input wire clk_i,
    input wire [Len-1:0] waits_i,
    input wire [Len-1:0][8:0] way_i,
    output logic valid_o,
    output logic [8:0] way_o,
    output slot_t chain_o
);
  localparam int unsigned Leaves = 128;
  typedef struct packed {
    logic [9:0] key;  // 512 and the way, 0 for one that does not wait
    slot_t chain;
  } entry_t;

  entry_t entry[2*Leaves]  /* verilator split_var */;
  assign entry[0] = '0;
  for (genvar i = 0; i < Leaves; i++) begin : gen_leaf
    if (i < Len) begin : gen_chain
      assign entry[Leaves+i] = {waits_i[i] ? {1'b1, way_i[i]} : 10'd0, slot_t'(i)};
    end else begin : gen_none
      assign entry[Leaves+i] = '0;
    end
  end
  for (genvar i = 1; i < Leaves; i++) begin : gen_node
    logic second;
    assign second = entry[2*i+1].key > entry[2*i].key;
    if (i inside {1, [8 : 15], [32 : 63]}) begin : gen_register
      always_ff @(posedge clk_i) entry[i] <= second ? entry[2*i+1] : entry[2*i];
    end else begin : gen_wire
      assign entry[i] = second ? entry[2*i+1] : entry[2*i];
    end
  end
  assign valid_o = entry[1].key[9];
  assign way_o   = entry[1].key[8:0];
  assign chain_o = entry[1].chain;
endmodule

`default_nettype wire
