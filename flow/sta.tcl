read_liberty @LIBERTY@
@MACROS@
read_verilog @NETLIST@
link_design @TOP@
create_clock -name clk -period 100 [get_ports @CLOCK@]
set_input_delay 0 -clock clk [all_inputs]
set_output_delay 0 -clock clk [all_outputs]
@WIRES@
@ENDPOINTS@
report_checks -path_delay max -digits 4
puts "worst [worst_slack -max]"
