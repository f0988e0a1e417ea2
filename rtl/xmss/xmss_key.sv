// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Takes the values of a key from the stream and holds them.
//
// In XMSS with SHA-256 a value is kept as the state after its first block where it fills one: all
// values with n = 32, PUB_SEED and SK_SEED with n = 24 together.
module xmss_key
  import sha256_pkg::state_t;
  import xmss_pkg::item_t;
  import xmss_control_pkg::*;
(
    input wire clk_i,
    input wire rst_ni,
    input wire load_i,  // a key begins
    input wire public_i,  // it is a public one
    input wire kind_t kind_i,
    input wire take_i,  // a value is there
    input wire item_t item_i,
    input wire hashed_i,  // the value's hash is there
    input wire state_t hash_i,
    output item_e item_o,
    output logic hash_o,  // the value is to be hashed
    output keys_t keys_o,
    input wire state_t root_i,  // that a signature leads to
    output logic same_o  // it is the key's
);
  keys_t keys_q;
  assign keys_o = keys_q;

  // A public key has no secrets, and LMS has no SK_PRF.
  always_comb begin
    item_o = item_e'(item_i.number);
    if (public_i) item_o = item_e'(item_i.number + 2'd2);
    else if (kind_i.lms && item_i.number != '0) item_o = item_e'(item_i.number + 2'd1);
  end

  always_comb begin
    hash_o = item_o != ItemRoot;
    if (kind_i.n24) hash_o = item_o == ItemSeed && !public_i;
    if (kind_i.plain) hash_o = 1'b0;
  end

  assign same_o = root_i[5:0] == keys_q.root[5:0] && (kind_i.n24 || root_i[7:6] == keys_q.root[7:6]);

  always_ff @(posedge clk_i) begin
    if (take_i && !hash_o) begin
      unique case (item_o)
        ItemSecret: keys_q.secret <= item_i.value;
        ItemPrf: keys_q.prf <= item_i.value;
        ItemSeed: {keys_q.seed, keys_q.pub_seed} <= {item_i.value, item_i.value};
        ItemRoot: keys_q.root <= item_i.value;
      endcase
    end
    if (hashed_i) begin
      if (item_o == ItemSecret || (item_o == ItemSeed && kind_i.n24)) keys_q.secret <= hash_i;
      if (item_o == ItemPrf) keys_q.prf <= hash_i;
      if (item_o == ItemSeed) begin
        keys_q.seed <= kind_i.n24 ? item_i.value : hash_i;
        keys_q.pub_seed <= item_i.value;
      end
    end
    if (load_i) {keys_q.prf, keys_q.secret} <= '0;
    if (!rst_ni) keys_q <= '0;
  end
endmodule

`default_nettype wire
