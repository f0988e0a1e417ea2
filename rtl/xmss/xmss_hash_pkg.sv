// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// Constants of the inputs that are hashed: codes of LMS, lengths and padding.
package xmss_hash_pkg;
  import sha256_pkg::word_t;

  // RFC 8554, Section 7.1 (Security String): the field D, which keeps the hashes of LMS apart.
  typedef enum logic [15:0] {
    DPblc = 16'h8080,  // the one-time public key
    DMesg = 16'h8181,  // the message
    DLeaf = 16'h8282,
    DIntr = 16'h8383   // a node above the leaves
  } domain_e;

  // The number in a chain's place that the randomizer C is derived with.
  localparam logic [15:0] RandomizerNumber = 16'hfffd;

  // FIPS 180-4, Section 5.1.1 (SHA-1, SHA-224 and SHA-256): the bit behind the message.
  localparam word_t Mark = 32'h8000_0000;

  // Bytes of the parts of an input.
  localparam int unsigned N32 = 32;
  localparam int unsigned N24 = 24;
  localparam int unsigned AddressBytes = 32;
  localparam int unsigned IndexBytes = 32;  // of the leaf, where PRF makes r
  localparam int unsigned TypeBytesN32 = 32;  // of toByte
  localparam int unsigned TypeBytesN24 = 4;
  localparam int unsigned LmsHeadBytes = 16 + 4 + 2;  // I, a number and D

  // Bytes before a message of XMSS with n = 24 in the block where it begins: the end of the index.
  localparam logic [6:0] XmssLeadN24 = 7'(TypeBytesN24 + 3 * N24 - 64);

  // Bits of a whole input, for its padding.
  localparam word_t PrfBitsN32 = 32'(8 * (TypeBytesN32 + N32 + IndexBytes));
  localparam word_t PrfBitsN24 = 32'(8 * (TypeBytesN24 + N24 + IndexBytes));
  localparam word_t KeygenBitsN24 = 32'(8 * (TypeBytesN24 + 2 * N24 + AddressBytes));
  localparam word_t LeafBitsN32 = 32'(8 * (LmsHeadBytes + N32));
  localparam word_t LeafBitsN24 = 32'(8 * (LmsHeadBytes + N24));
  localparam word_t NodeBitsN32 = 32'(8 * (LmsHeadBytes + 2 * N32));
  localparam word_t NodeBitsN24 = 32'(8 * (LmsHeadBytes + 2 * N24));
endpackage

`default_nettype wire
