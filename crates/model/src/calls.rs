//! The enhanced call graph: functions with the number of their calls, their own compressions and
//! those of their callees, batch sizes, and bytes transferred.

mod table;

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

pub use self::table::table;
use crate::function::{Function, Place};
use crate::trace::{Trace, TraceNode};

/// A function at one place of the call graph.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Call {
    /// Names of the function and its callers, outermost first.
    pub path: Vec<String>,
    /// Number of calls.
    pub calls: u64,
    /// Compressions of the function itself, without its callees.
    pub own: u64,
    /// Compressions including those of its callees.
    pub inclusive: u64,
    /// Inclusive compressions divided by those of the whole operation.
    pub share: f64,
    /// Mean number of its inclusive compressions per call of a kernel.
    pub batch: f64,
    /// Bytes passed to and from the kernels, inclusive.
    pub bytes: u64,
    /// Inclusive compressions on one critical path of the operation.
    pub on_path: u64,
}

#[derive(Default)]
struct Sum {
    instances: HashMap<Place, u64>,
    own: u64,
    inclusive: u64,
    seam: HashMap<u32, u64>,
    bytes: u64,
    on_path: u64,
}

/// Returns the functions of a trace. Callers precede their callees, which are sorted by decreasing
/// inclusive compressions.
#[must_use]
pub fn tree(trace: &Trace, operation: &str) -> Vec<Call> {
    let mut sums: BTreeMap<Vec<&str>, Sum> = BTreeMap::new();
    let graph = trace.graph();
    let mut way = graph.longest_way().into_iter().peekable();
    for (number, node) in trace.nodes.iter().enumerate() {
        let on_path = way.next_if_eq(&(number as u32)).map_or(0, |_| 1);
        let mut path = vec![operation];
        path.extend(trace.names(node));
        for depth in 1..=path.len() {
            let sum = sums.entry(path[..depth].to_vec()).or_default();
            add(sum, node, path.len() - depth, depth == 1);
            sum.on_path += on_path;
        }
    }
    let mut calls = Vec::new();
    let all = trace.nodes.iter().map(|node| node.times).sum::<u64>();
    children(&sums, &[operation], all.max(1) as f64, &mut calls);
    calls
}

fn add(sum: &mut Sum, node: &TraceNode, above: usize, root: bool) {
    sum.own += if above == 0 { node.times } else { 0 };
    sum.inclusive += node.times;
    sum.seam.insert(node.call, node.times);
    sum.bytes += node.times * u64::from(node.bytes);
    let (place, times) = match root {
        true => (Place::only(Function::Other), 1),
        false => instance(node, above),
    };
    let known = sum.instances.entry(place).or_default();
    *known = times.max(*known);
}

/// Returns a key that distinguishes the calls of the function `above` levels up from the node's own
/// function, and the number of calls that it represents.
fn instance(node: &TraceNode, above: usize) -> (Place, u64) {
    use Function::{Chain, ChainMask, Element, EndsMask, NodeMask};
    let Place { layer, tree, leaf, .. } = node.place;
    let key = Place { layer, tree, leaf, ..Place::only(Function::Other) };
    let place = match (node.place.function, above) {
        (function, 0) => Place { function, ..node.place },
        (ChainMask | EndsMask | NodeMask, 1) => {
            Place { function: under(node.place.function), part: 0, ..node.place }
        }
        (ChainMask, 2) | (Chain, 1) => Place { chain: node.place.chain, function: Chain, ..key },
        (ChainMask, 3) | (Chain, 2) | (Element, 1) => key,
        _ => return (Place { leaf: 0, ..key }, 1),
    };
    (place, node.times)
}

const fn under(mask: Function) -> Function {
    match mask {
        Function::ChainMask => Function::Chain,
        Function::EndsMask => Function::Ends,
        _ => Function::Node,
    }
}

fn children(sums: &BTreeMap<Vec<&str>, Sum>, path: &[&str], all: f64, calls: &mut Vec<Call>) {
    let Some(sum) = sums.get(path) else { return };
    calls.push(Call {
        path: path.iter().map(|name| (*name).to_owned()).collect(),
        calls: sum.instances.values().sum(),
        own: sum.own,
        inclusive: sum.inclusive,
        share: sum.inclusive as f64 / all,
        batch: sum.inclusive as f64 / sum.seam.values().sum::<u64>().max(1) as f64,
        bytes: sum.bytes,
        on_path: sum.on_path,
    });
    let below = |other: &&Vec<&str>| other.len() == path.len() + 1 && other.starts_with(path);
    let mut below: Vec<&Vec<&str>> = sums.keys().filter(below).collect();
    below.sort_by_key(|path| std::cmp::Reverse(sums[*path].inclusive));
    below.into_iter().for_each(|path| children(sums, path, all, calls));
}
