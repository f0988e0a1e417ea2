# A piece of a path: what comes in has the slope of a loaded gate, and every output drives four gates and a register.
set_input_transition 0.15 [all_inputs]
set_load 0.03 [all_outputs]
# A port whose value is there four nanoseconds before the others.
proc set_early {port} {
  set_input_delay -4 -clock clk [get_ports "$port*"]
}
