// SPDX-License-Identifier: Apache-2.0 OR MIT
// The bench of asip.cpp on the small processor.
#define TRACED(signal) (top->rootp->asip_small__DOT__u_core__DOT__u_trace__DOT__##signal)
#define WAITED TRACED(waited)
#include "asip.cpp"
