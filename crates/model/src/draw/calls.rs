//! The call graph in the language of Graphviz.

use std::fmt::Write;

use crate::calls::Call;

/// One box for each function, its share as the depth of its colour.
#[must_use]
pub fn calls_dot(calls: &[Call]) -> String {
    let mut dot = String::from(
        "digraph calls {\n  node [shape=box, style=filled, fontname=sans, colorscheme=blues9];\n",
    );
    for call in calls {
        let colour = 1 + (call.share * 5.0) as u32;
        let (id, name) = (id(&call.path), call.path.last().map_or("", String::as_str));
        let _ = writeln!(
            dot,
            "  \"{id}\" [label=\"{name}\\n{} calls\\nown {}\\nwith callees {} ({:.1} %)\", \
             fillcolor={colour}];",
            call.calls,
            call.own,
            call.inclusive,
            100.0 * call.share
        );
        if call.path.len() > 1 {
            let above = &call.path[..call.path.len() - 1];
            let _ = writeln!(dot, "  \"{}\" -> \"{id}\" [label={}];", self::id(above), call.calls);
        }
    }
    dot + "}\n"
}

fn id(path: &[String]) -> String {
    path.join("/")
}
