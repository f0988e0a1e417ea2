//! One operation: how many compressions of each function run in each step, and the longest way.

use hasten_hbs::{Set, SignerLevel, VerifierLevel};
use hasten_model::profile::{Digits, Profiles};
use hasten_model::{Function, Graph, Operation};
use serde::Deserialize;
use serde_json::{Value, json};

/// An operation as it is asked for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    alg: String,
    /// `sign` or `verify`.
    op: String,
    level: String,
    /// Bytes of the message.
    pub message: usize,
    /// Units that compute.
    units: usize,
}

/// Returns the schedule of an operation on so many units.
pub fn show(asked: &Asked, profiles: &Profiles) -> Result<Value, String> {
    let set = Set::named(&asked.alg).map_err(|error| error.to_string())?;
    let unknown = || format!("unknown level '{}' of '{}'", asked.level, asked.op);
    let operation = match asked.op.as_str() {
        "sign" => SignerLevel::named(&asked.level).map(Operation::Sign),
        "verify" => VerifierLevel::named(&asked.level).map(Operation::Verify),
        _ => None,
    };
    let operation = operation.ok_or_else(unknown)?;
    let side = profiles.side(set, operation, Digits::Typical, asked.message);
    let side = side.map_err(|error| error.to_string())?;
    let graph = side.plan.graph();
    let units = asked.units.clamp(1, 1 << 16);
    let done = side.plan.released(units, 1.0, |_| 0.0).done;
    let path = graph.longest_way();
    Ok(json!({
        "work": side.work(),
        "critical_path": side.critical_path(),
        "steps": side.steps(units),
        "phases": phases(graph, &done),
        "path": path.iter().map(|node| at(graph, &done, *node)).collect::<Vec<_>>(),
    }))
}

/// Returns a node of the longest way: its function, and the step in which it runs.
fn at(graph: &Graph, done: &[f64], node: u32) -> Value {
    json!([graph.nodes[node as usize].place.function, done[node as usize]])
}

/// Returns each function with its first step, and how many of its compressions run in each step.
fn phases(graph: &Graph, done: &[f64]) -> Vec<Value> {
    let mut phases: Vec<(Function, Vec<u64>)> = Vec::new();
    let steps = done.iter().copied().fold(0.0, f64::max).round() as usize;
    for (node, done) in graph.nodes.iter().zip(done) {
        let function = node.place.function;
        let known = phases.iter().position(|(known, _)| *known == function);
        let phase = known.unwrap_or_else(|| {
            phases.push((function, vec![0; steps]));
            phases.len() - 1
        });
        let step = (done.round() as usize).clamp(1, steps) - 1;
        phases[phase].1[step] += 1;
    }
    phases.sort_by_key(|(_, widths)| widths.iter().position(|width| *width > 0));
    phases
        .iter()
        .map(|(function, widths)| json!({ "function": function, "widths": widths }))
        .collect()
}
