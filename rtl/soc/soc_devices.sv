// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
`default_nettype none

// The devices of the bus. An access waits until its device takes it.
module soc_devices
  import soc_pkg::*;
#(
    parameter int unsigned VERIFIER = 1
) (
    input wire clk_i,
    input wire rst_ni,
    input wire request_t request_i,
    output logic ready_o,
    output logic [31:0] read_o,
    input wire fuses_t fuses_i,
    input wire fetches_i,
    output logic open_o,
    output logic locked_o,
    output logic [31:0] state_o,
    output logic tx_o,
    output logic flash_cs_no,
    output logic flash_sck_o,
    output logic [3:0] flash_io_o,
    input wire [3:0] flash_io_i
);
  if (VERIFIER > 2) begin : g_bad_verifier
    $error("VERIFIER is 0, 1 or 2");
  end

  logic [3:0] device, device_q;
  logic [15:0] chosen;
  assign device = request_i.address[11:8];
  assign chosen = request_i.valid ? 16'd1 << device : '0;

  // Words of the flash.
  logic word_there, uart_ready, verifier_ready;
  logic [31:0] word, verifier_read;
  logic flash_read;
  assign flash_read = chosen[AtFlash] && !request_i.write;
  soc_flash u_flash (
      .clk_i,
      .rst_ni,
      .start_i  (chosen[AtFlash] && request_i.write),
      .address_i(request_i.data[23:0]),
      .take_i   (flash_read),
      .valid_o  (word_there),
      .word_o   (word),
      .cs_no    (flash_cs_no),
      .sck_o    (flash_sck_o),
      .io_o     (flash_io_o),
      .io_i     (flash_io_i)
  );
  soc_uart u_uart (
      .clk_i,
      .rst_ni,
      .valid_i(chosen[AtUart] && request_i.write),
      .ready_o(uart_ready),
      .byte_i (request_i.data[7:0]),
      .tx_o
  );
  soc_gate u_gate (
      .clk_i,
      .rst_ni,
      .write_i   (chosen[AtGate] && request_i.write && !locked_o),
      .register_i(request_i.address[3:2]),
      .data_i    (request_i.data),
      .fetches_i,
      .open_o,
      .locked_o,
      .state_o
  );

  // The verifier.
  request_t to_verifier;
  always_comb begin
    to_verifier = request_i;
    to_verifier.valid = chosen[AtVerifier] && !locked_o;
  end
  if (VERIFIER != 0) begin : g_verifier
    soc_verifier #(
        .XMSS(VERIFIER == 2)
    ) u_verifier (
        .clk_i,
        .rst_ni,
        .request_i(to_verifier),
        .ready_o  (verifier_ready),
        .read_o   (verifier_read)
    );
  end else begin : g_no_verifier
    assign verifier_ready = 1'b1;
    assign verifier_read  = '0;
    wire unused = &to_verifier;
  end

  always_comb begin
    unique case (device)
      AtUart: ready_o = uart_ready || !request_i.write;
      AtFlash: ready_o = word_there || request_i.write;
      AtVerifier: ready_o = verifier_ready || locked_o;
      default: ready_o = 1'b1;
    endcase
  end

  // The answer to the last access.
  logic [ 4:0] fuse_q;
  logic [31:0] word_q;
  always_ff @(posedge clk_i) begin
    device_q <= locked_o && device != AtFlash ? AtUart : device;
    fuse_q   <= request_i.address[6:2];
    word_q   <= word;
  end
  always_comb begin
    unique case (device_q)
      AtFlash: read_o = word_q;
      AtFuses: read_o = fuse_q < 5'(Fuses) ? fuses_i[fuse_q] : '0;
      AtVerifier: read_o = verifier_read;
      default: read_o = '0;
    endcase
  end
endmodule

`default_nettype wire
