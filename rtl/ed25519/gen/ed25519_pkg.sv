// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Written by `cargo run -p hasten-rtlsim --bin ed25519-emit` from crates/rtlsim/src/ed25519.
`default_nettype none

// A module, and a configuration, uses its share of the constants.
// verilator lint_off UNUSEDPARAM

// The microinstruction and the programs' entries.
package ed25519_pkg;
  import mul25519_pkg::*;

  typedef enum logic [3:0] {
    EffectPlain = 4'd0,
    EffectFailUnlessZero = 4'd1,
    EffectFailIfNegative = 4'd2,
    EffectRoot0 = 4'd3,
    EffectRoot1 = 4'd4,
    EffectSign0 = 4'd5,
    EffectSign1 = 4'd6,
    EffectSignNegated1 = 4'd7,
    EffectScalar0 = 4'd8,
    EffectScalar1 = 4'd9,
    EffectParity = 4'd10,
    EffectOutPoint = 4'd11,
    EffectOutScalar = 4'd12,
    EffectHalve = 4'd13,
    EffectFailIfZero = 4'd14
  } effect_e;
  typedef enum logic [3:0] {
    ControlNext = 4'd0,
    ControlSet = 4'd1,
    ControlLoop = 4'd2,
    ControlWindow = 4'd3,
    ControlSkip = 4'd4,
    ControlJump = 4'd5,
    ControlWait = 4'd6,
    ControlRecode = 4'd7,
    ControlEnd = 4'd8,
    ControlSetMore = 4'd9,
    ControlWindowMore = 4'd10
  } control_e;
  typedef enum logic [1:0] {
    OpKeygen = 2'd0,
    OpSign   = 2'd1,
    OpVerify = 2'd2,
    OpClear  = 2'd3
  } op_e;

  // Answers of a lane, in a distance of four bits.
  localparam logic [7:0] VerdictNone = 8'h00;
  localparam logic [7:0] VerdictGood = 8'h96;
  localparam logic [7:0] VerdictBad = 8'h69;
  localparam logic [7:0] VerdictRefused = 8'h0f;
  localparam logic [7:0] VerdictDone = 8'h3c;
  typedef struct packed {
    logic issue;
    logic drain;
    mode_e mode;
    logic twice;
    logic is_signed;
    effect_e effect;
    control_e control;
    logic [9:0] imm;
    logic [6:0] a;
    logic [6:0] b;
    logic [6:0] c;
    logic [5:0] dr;
    logic [5:0] ds;
    logic [5:0] dm;
  } word_t;

  localparam logic [6:0] SrcZero = 7'd64;
  localparam logic [6:0] SrcOne = 7'd65;
  localparam logic [6:0] SrcFour = 7'd66;
  localparam logic [6:0] SrcD = 7'd67;
  localparam logic [6:0] SrcD2 = 7'd68;
  localparam logic [6:0] SrcBarrett = 7'd69;
  localparam logic [6:0] SrcEightL = 7'd70;
  localparam logic [6:0] SrcLMinus1 = 7'd71;
  localparam logic [6:0] SrcRoot0 = 7'd72;
  localparam logic [6:0] SrcRoot1 = 7'd73;
  localparam logic [6:0] SrcSign = 7'd74;
  localparam logic [6:0] SrcPMinus1 = 7'd75;
  localparam logic [6:0] SrcIn0 = 7'd80;
  localparam logic [6:0] SrcIn1 = 7'd81;
  localparam logic [6:0] SrcIn2 = 7'd82;
  localparam logic [6:0] SrcDigestHigh = 7'd84;
  localparam logic [6:0] SrcDigestLow = 7'd85;
  localparam logic [6:0] SrcClamped = 7'd86;
  localparam logic [6:0] SrcMultiplier = 7'd87;
  localparam logic [6:0] SrcTable = 7'd96;
  localparam logic [6:0] SrcRom = 7'd100;
  localparam logic [9:0] CondInputs = 10'd0;
  localparam logic [9:0] CondDigest = 10'd1;
  localparam logic [9:0] CondHalved = 10'd2;
  localparam logic [255:0] ConstZero = 256'h0;
  localparam logic [255:0] ConstOne = 256'h1;
  localparam logic [255:0] ConstFour = 256'h4;
  localparam logic [255:0] ConstD = 256'h52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3;
  localparam logic [255:0] ConstD2 = 256'h2406d9dc56dffce7198e80f2eef3d13000e0149a8283b156ebd69b9426b2f159;
  localparam logic [255:0] ConstBarrett = 256'h29bdf3bd45ef39acb024c634b9eba7d9d;
  localparam logic [255:0] ConstEightL = 256'h80000000000000000000000000000000a6f7cef517bce6b2c09318d2e7ae9f68;
  localparam logic [255:0] ConstLMinus1 = 256'h1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ec;
  localparam logic [255:0] ConstPMinus1 = 256'h7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffec;
  localparam logic [255:0] ConstRoot0 = 256'h2b8324804fc1df0b2b4d00993dfbd7a72f431806ad2fe478c4ee1b274a0ea0b0;
  // y of the points whose order divides eight.
  localparam logic [4:0][255:0] SmallOrders = {
    256'h5fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826,
    256'h7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7,
    256'h7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffec,
    256'h1,
    256'h0
  };
  localparam int unsigned WordBits = 63;
  localparam int unsigned TableBase = 22;
  localparam int unsigned PaperRegs = 34;
  localparam int unsigned FastRegs = 42;
  localparam int unsigned HalfRegs = 46;
  localparam int unsigned CombTeeth = 8;
  localparam int unsigned CombTables = 2;
  localparam int unsigned CombRows = 16;
  localparam int unsigned NafDigits = 254;
  localparam int unsigned HalfBits = 128;
  localparam int unsigned HalfEntries = 3;
  localparam int unsigned AdditionWords = 8;
  // u with its first digit at the top, v without its sign, the bits of u beyond those of v.
  typedef struct packed {
    logic [NafDigits-2:0] u;
    logic [HalfBits-1:0] v;
    logic [7:0] more;
    logic negative;
  } halved_t;
  localparam logic [9:0] PaperKeygen = 10'd0;
  localparam logic [9:0] PaperSign = 10'd62;
  localparam logic [9:0] PaperVerify = 10'd140;
  localparam logic [7:0] PaperKeygenDone = {4'd0, 4'd10};
  localparam logic [7:0] PaperSignDone = {4'd0, 4'd10};
  localparam logic [7:0] PaperVerifyDone = {4'd11, 4'd2};
  localparam logic [9:0] FastKeygen = 10'd0;
  localparam logic [9:0] FastSign = 10'd63;
  localparam logic [9:0] FastVerify = 10'd142;
  localparam logic [7:0] FastKeygenDone = {4'd0, 4'd11};
  localparam logic [7:0] FastSignDone = {4'd0, 4'd11};
  localparam logic [7:0] FastVerifyDone = {4'd10, 4'd11};
  localparam logic [9:0] HalfKeygen = 10'd0;
  localparam logic [9:0] HalfSign = 10'd63;
  localparam logic [9:0] HalfVerify = 10'd142;
  localparam logic [7:0] HalfKeygenDone = {4'd0, 4'd11};
  localparam logic [7:0] HalfSignDone = {4'd0, 4'd11};
  localparam logic [7:0] HalfVerifyDone = {4'd10, 4'd11};
endpackage

`default_nettype wire
