// Carries for `synth -extra-map`: a prefix tree after Ladner and Fischer with one level more than the fewest, instead of the
// mapper's own after Brent and Kung: 6 levels instead of 8 for 32 bits with 6 nodes more.
(* techmap_celltype = "$lcu" *)
module _80_lcu_ladner_fischer (P, G, CI, CO);
  parameter WIDTH = 2;
  (* force_downto *) input [WIDTH-1:0] P, G;
  input CI;
  (* force_downto *) output reg [WIDTH-1:0] CO;

  integer i, j;
  (* force_downto *) reg [WIDTH-1:0] p, g;
  wire [1023:0] _TECHMAP_DO_ = "proc; opt -fast";

  always @* begin
    p = P;
    g = G;
    g[0] = G[0] | (P[0] & CI);
    // Pairs; trees over them, each level doubling what a group spans; the places between.
    for (i = 1; i < WIDTH; i = i + 2) begin
      g[i] = g[i] | (p[i] & g[i-1]);
      p[i] = p[i] & p[i-1];
    end
    for (j = 2; j < WIDTH; j = 2 * j) begin
      for (i = j + 1; i < WIDTH; i = i + 2) begin
        if ((i / j) % 2 == 1) begin
          g[i] = g[i] | (p[i] & g[(i/j)*j-1]);
          p[i] = p[i] & p[(i/j)*j-1];
        end
      end
    end
    for (i = 2; i < WIDTH; i = i + 2) g[i] = g[i] | (p[i] & g[i-1]);
    CO = g;
  end
endmodule
