//! The call graph in the Graphviz language, and as nested bars.

use std::fmt::Write;

use super::{COLOURS, escape, opening, text};
use crate::calls::Call;

/// Total width of the bars, height of one bar, and approximate width of a letter.
const WIDTH: f64 = 960.0;
const BAR: f64 = 22.0;
const LETTER: f64 = 6.2;

/// Returns one box for each function; the depth of its colour shows the function's share.
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

/// Returns nested bars: callers above their callees, each as wide as its inclusive compressions.
/// Pointing at a bar shows its figures.
#[must_use]
pub fn calls_svg(calls: &[Call], title: &str) -> String {
    let depth = calls.iter().map(|call| call.path.len()).max().unwrap_or(0);
    let mut svg = opening(WIDTH + 16.0, 40.0 + BAR * depth as f64, title);
    svg += &text(8.0, 18.0, "start", title);
    // Left edge of the next bar at each depth.
    let mut next = vec![8.0; depth + 1];
    for call in calls {
        let (level, width) = (call.path.len() - 1, WIDTH * call.share);
        let x = next[level];
        next[level] += width;
        next[level + 1] = x;
        svg += &bar(call, x, 30.0 + BAR * level as f64, width);
    }
    svg + "</svg>\n"
}

fn bar(call: &Call, x: f64, y: f64, width: f64) -> String {
    let name = call.path.last().map_or("", String::as_str);
    let figures = format!(
        "{name}: {} calls, own {}, with callees {} ({:.1} %)",
        call.calls,
        call.own,
        call.inclusive,
        100.0 * call.share
    );
    let colour = COLOURS[(call.path.len() - 1) % COLOURS.len()];
    let mut out = format!(
        "<g><title>{}</title><rect x=\"{x:.2}\" y=\"{y:.1}\" width=\"{width:.2}\" height=\"{:.1}\" \
         fill=\"{colour}\" fill-opacity=\"0.5\" stroke=\"{colour}\"/>",
        escape(&figures),
        BAR - 2.0
    );
    let room = (width / LETTER) as usize;
    if name.chars().count() < room {
        let full = format!("{name} {:.1} %", 100.0 * call.share);
        let label = if full.chars().count() < room { full } else { name.to_owned() };
        out += &text(x + 4.0, y + 14.0, "start", &label);
    }
    out + "</g>"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(path: &[&str], inclusive: u64, share: f64) -> Call {
        let path = path.iter().map(|name| (*name).to_owned()).collect();
        Call { path, calls: 1, own: 0, inclusive, share, batch: 1.0, bytes: 0, on_path: 0 }
    }

    /// Siblings are side by side, under their caller.
    #[test]
    fn bars_lie_under_their_callers() {
        let calls = [
            call(&["sign"], 4, 1.0),
            call(&["sign", "a"], 2, 0.5),
            call(&["sign", "a", "x"], 1, 0.25),
            call(&["sign", "b<"], 2, 0.5),
            call(&["sign", "b<", "y"], 2, 0.5),
        ];
        let svg = calls_svg(&calls, "title");
        let places: Vec<&str> = svg.split("<rect x=\"").skip(1).map(|r| &r[..22]).collect();
        let at = |x: &str, y: &str| format!("{x}\" y=\"{y}\"");
        for (place, (x, y)) in places.iter().zip([
            ("8.00", "30.0"),
            ("8.00", "52.0"),
            ("8.00", "74.0"),
            ("488.00", "52.0"),
            ("488.00", "74.0"),
        ]) {
            assert!(place.starts_with(&at(x, y)), "{place}");
        }
        assert_eq!(places.len(), 5);
        assert!(svg.contains("b&lt;") && !svg.contains("b<"));
    }
}
