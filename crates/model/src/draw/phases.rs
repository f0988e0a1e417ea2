//! A dependency graph drawn by phase: one band for each function, with steps from left to right.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{COLOURS, escape, opening, text};
use crate::function::Function;
use crate::graph::Graph;

/// Width of the drawing, and of the names at its left.
const WIDTH: f64 = 960.0;
const NAMES: f64 = 120.0;
/// Height of a band.
const BAND: f64 = 54.0;

/// A phase: a function, and the number of its compressions that run in each step.
struct Phase {
    function: Function,
    work: u64,
    widths: Vec<u64>,
}

fn phases(graph: &Graph) -> Vec<Phase> {
    let (steps, done) = (graph.critical_path() as usize, graph.earliest());
    let mut phases: BTreeMap<Function, Vec<u64>> = BTreeMap::new();
    for (node, done) in graph.nodes.iter().zip(done) {
        let widths = phases.entry(node.place.function).or_insert_with(|| vec![0; steps]);
        for step in done - u64::from(node.weight)..done {
            widths[step as usize] += node.times;
        }
    }
    let phase = |(function, widths): (Function, Vec<u64>)| Phase {
        function,
        work: widths.iter().sum(),
        widths,
    };
    let mut phases: Vec<Phase> = phases.into_iter().map(phase).collect();
    let first = |phase: &Phase| phase.widths.iter().position(|width| *width > 0);
    phases.sort_by_key(first);
    phases
}

/// Returns the graph on as many units as it can use. Each function has a band, whose height shows
/// the compressions in each step; the critical path is red.
#[must_use]
pub fn phases_svg(graph: &Graph, title: &str) -> String {
    let phases = phases(graph);
    let steps = graph.critical_path().max(1) as f64;
    let each = (WIDTH - NAMES - 20.0) / steps;
    let mut svg = opening(WIDTH, 60.0 + BAND * phases.len() as f64, title);
    svg += &text(8.0, 18.0, "start", title);
    for (i, phase) in phases.iter().enumerate() {
        let base = 30.0 + BAND * (i + 1) as f64;
        svg += &band(phase, base, each, COLOURS[i % COLOURS.len()]);
    }
    svg += &axis(steps, each, 30.0 + BAND * phases.len() as f64);
    svg += &path(graph, &phases, each);
    svg + "</svg>\n"
}

fn band(phase: &Phase, base: f64, each: f64, colour: &str) -> String {
    let highest = phase.widths.iter().copied().max().unwrap_or(1).max(1);
    let mut out = text(NAMES - 8.0, base - 24.0, "end", &name(phase.function));
    out += &text(NAMES - 8.0, base - 10.0, "end", &format!("{}, {highest} at once", phase.work));
    let _ = write!(out, "<path class=\"grid\" d=\"M{NAMES} {base}H{}\"/>", WIDTH - 20.0);
    for (step, width) in phase.widths.iter().enumerate().filter(|(_, width)| **width > 0) {
        let height = (BAND - 8.0) * (*width as f64 / highest as f64).max(0.04);
        let (x, y) = (NAMES + each * step as f64, base - height);
        let _ = write!(
            out,
            "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{:.2}\" height=\"{height:.2}\" \
             fill=\"{colour}\"><title>step {}: {width}</title></rect>",
            (each * 0.92).max(0.4),
            step + 1
        );
    }
    out
}

fn axis(steps: f64, each: f64, base: f64) -> String {
    let mut out = String::new();
    let every = (steps / 10.0).ceil().max(1.0);
    for mark in 0..=(steps / every) as u32 {
        let step = f64::from(mark) * every;
        out += &text(NAMES + each * step, base + 16.0, "middle", &format!("{step}"));
    }
    out + &text(WIDTH - 20.0, base + 28.0, "end", "steps with as many units as can be used")
}

/// Returns the critical path as a line from band to band.
fn path(graph: &Graph, phases: &[Phase], each: f64) -> String {
    let done = graph.earliest();
    let mut line = String::new();
    for node in graph.longest_way() {
        let place = graph.nodes[node as usize].place.function;
        let band = phases.iter().position(|phase| phase.function == place).unwrap_or(0);
        let x = NAMES + each * (done[node as usize] as f64 - 0.5);
        let y = 30.0 + BAND * (band + 1) as f64 - 4.0;
        let _ = write!(line, "{}{x:.1} {y:.1}", if line.is_empty() { "M" } else { "L" });
    }
    format!("<path class=\"path\" d=\"{line}\"/>")
}

/// Returns one box for each function; each edge is labelled with the number of dependencies.
#[must_use]
pub fn phases_dot(graph: &Graph, title: &str) -> String {
    let mut edges: BTreeMap<(Function, Function), u64> = BTreeMap::new();
    for node in &graph.nodes {
        for need in &node.needs {
            let from = graph.nodes[*need as usize].place.function;
            *edges.entry((from, node.place.function)).or_default() += node.times;
        }
    }
    let mut dot = format!(
        "digraph dependencies {{\n  label=\"{}\";\n  node [shape=box, fontname=sans];\n",
        title.replace('"', "'")
    );
    for share in graph.shares() {
        let name = name(share.function);
        let (work, on_path) = (share.work, share.on_path);
        let bold = if on_path > 0 { ", penwidth=2, color=red" } else { "" };
        let _ = writeln!(
            dot,
            "  \"{name}\" [label=\"{name}\\n{work} compressions\\n{on_path} on the path\"{bold}];"
        );
    }
    for ((from, to), count) in edges {
        let _ = writeln!(dot, "  \"{}\" -> \"{}\" [label={count}];", name(from), name(to));
    }
    dot + "}\n"
}

/// Returns the name of a function.
fn name(function: Function) -> String {
    let quoted = serde_json::to_string(&function).unwrap_or_default();
    escape(quoted.trim_matches('"'))
}
