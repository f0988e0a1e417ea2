//! One operation: the number of compressions of each function in each step, and the critical path.

use hasten_hbs::{Set, SignerLevel, VerifierLevel};
use hasten_model::profile::{Digits, Profiles};
use hasten_model::{Function, Graph, Operation, Request, calls};
use serde::Deserialize;
use serde_json::{Value, json};

/// Parameters of an operation to show.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    alg: String,
    /// `sign` or `verify`.
    op: String,
    level: String,
    /// Length of the message in bytes.
    pub message: usize,
    /// Number of units that compute.
    units: usize,
}

impl Asked {
    fn read(&self) -> Result<(&'static Set, Operation), String> {
        let set = Set::named(&self.alg).map_err(|error| error.to_string())?;
        let operation = match self.op.as_str() {
            "sign" => SignerLevel::named(&self.level).map(Operation::Sign),
            "verify" => VerifierLevel::named(&self.level).map(Operation::Verify),
            _ => None,
        };
        let unknown = || format!("unknown level '{}' of '{}'", self.level, self.op);
        Ok((set, operation.ok_or_else(unknown)?))
    }
}

/// Returns the call graph of an operation, like `hasten analyze calls`.
pub fn calls(asked: &Asked) -> Result<Value, String> {
    let (set, operation) = asked.read()?;
    let request = Request::new(set, operation).message(asked.message);
    let trace = request.record().map_err(|error| error.to_string())?;
    Ok(json!({ "calls": calls::tree(&trace, request.head().op) }))
}

/// Returns the schedule of an operation on the given number of units.
pub fn show(asked: &Asked, profiles: &Profiles) -> Result<Value, String> {
    let (set, operation) = asked.read()?;
    let side = profiles.side(set, operation, Digits::Typical, asked.message);
    let side = side.map_err(|error| error.to_string())?;
    let graph = side.plan.graph();
    let units = asked.units.clamp(1, 1 << 16);
    let done = side.plan.released(units, 1.0, |_| 0.0).done;
    let weights = side.plan.weights();
    let path = graph.longest_way();
    Ok(json!({
        "work": side.work(),
        "critical_path": side.critical_path(),
        "steps": side.steps(units),
        "phases": phases(graph, weights, &done),
        "path": path.iter().map(|node| at(graph, &done, *node)).collect::<Vec<_>>(),
    }))
}

/// Returns a node of the critical path: its function, and the step in which it runs.
fn at(graph: &Graph, done: &[f64], node: u32) -> Value {
    json!([graph.nodes[node as usize].place.function, done[node as usize]])
}

/// Returns each function with the number of its compressions in each step, ordered by first step.
fn phases(graph: &Graph, weights: &[u32], done: &[f64]) -> Vec<Value> {
    let mut phases: Vec<(Function, Vec<u64>)> = Vec::new();
    let steps = done.iter().copied().fold(0.0, f64::max).round() as usize;
    for ((node, done), weight) in graph.nodes.iter().zip(done).zip(weights) {
        let function = node.place.function;
        let known = phases.iter().position(|(known, _)| *known == function);
        let phase = known.unwrap_or_else(|| {
            phases.push((function, vec![0; steps]));
            phases.len() - 1
        });
        let end = (done.round() as usize).clamp(1, steps);
        phases[phase].1[end.saturating_sub(*weight as usize)..end].iter_mut().for_each(|n| *n += 1);
    }
    phases.sort_by_key(|(_, widths)| widths.iter().position(|width| *width > 0));
    phases
        .iter()
        .map(|(function, widths)| json!({ "function": function, "widths": widths }))
        .collect()
}
