//! Buffers for every net with many readers, as a balanced tree. The mapper adds no buffers at
//! registers and at the borders of pieces, and builds chains of them elsewhere.

use crate::map::flat::{Flat, Gate, Net, ONE};
use crate::map::liberty::{Group, Liberty};
use hasten_chore::failure::Failure;
use std::collections::HashMap;

/// Default for the maximum number of readers of a net and of a buffer.
pub const READERS: usize = 8;
/// Name of the part that buffers belong to.
pub const PART: &str = "buffers";

/// A buffer of a library: its type, input pin and output pin.
struct Buffer {
    kind: String,
    input: String,
    output: String,
}

/// Returns the type of the smallest buffer.
pub fn smallest(library: &Liberty) -> Option<String> {
    Buffer::all(library).into_iter().next().map(|(_, buffer)| buffer.kind)
}

/// A place that reads a net: gate and pin.
type Reader = (usize, usize);

/// Adds buffers to all nets except the clock that have more than `least` readers. A buffer has up
/// to `each` readers.
pub fn buffer(
    flat: &mut Flat,
    library: &Liberty,
    clock: Net,
    (least, each): (usize, usize),
) -> Result<(), Failure> {
    let buffer =
        Buffer::of(library).ok_or_else(|| Failure::Tool("the library has no buffer".into()))?;
    let part = flat.part(PART);
    let clock = flat.root(clock);
    for (net, readers) in readers(flat, library)? {
        if net > ONE && net != clock {
            tree(flat, (&buffer, part), net, readers, (least, each));
        }
    }
    Ok(())
}

/// Groups the readers level by level from the leaves, until the net itself has at most `least`
/// readers.
fn tree(
    flat: &mut Flat,
    (buffer, part): (&Buffer, usize),
    net: Net,
    mut readers: Vec<Reader>,
    (least, most): (usize, usize),
) {
    while readers.len() > least {
        let groups = readers.len().div_ceil(most);
        let each = readers.len().div_ceil(groups);
        readers =
            readers.chunks(each).map(|group| branch(flat, buffer, part, net, group)).collect();
    }
}

/// Adds a buffer for a group of readers, and returns the place where the buffer reads the net.
fn branch(flat: &mut Flat, buffer: &Buffer, part: usize, net: Net, group: &[Reader]) -> Reader {
    let own = flat.net();
    for &(gate, pin) in group {
        flat.gates[gate].pins[pin].1 = own;
    }
    let pins = vec![(buffer.input.clone(), net), (buffer.output.clone(), own)];
    flat.gates.push(Gate { kind: buffer.kind.clone(), name: "buffer".into(), part, pins });
    (flat.gates.len() - 1, 0)
}

/// Returns all nets that are read, in order, each with its readers.
fn readers(flat: &Flat, library: &Liberty) -> Result<Vec<(Net, Vec<Reader>)>, Failure> {
    let cells = library.cells();
    let mut readers: HashMap<Net, Vec<Reader>> = HashMap::new();
    for (number, gate) in flat.gates.iter().enumerate() {
        let kind = cells.get(gate.kind.as_str()).ok_or_else(|| {
            Failure::Tool(format!("{}: the library has no {}", gate.name, gate.kind))
        })?;
        for (pin, (name, net)) in gate.pins.iter().enumerate() {
            if kind.is(name, "input") {
                readers.entry(flat.root(*net)).or_default().push((number, pin));
            }
        }
    }
    let mut readers: Vec<_> = readers.into_iter().collect();
    readers.sort_by_key(|(net, _)| *net);
    Ok(readers)
}

impl Buffer {
    /// Returns the third smallest buffer, or the largest if there are fewer than three.
    fn of(library: &Liberty) -> Option<Self> {
        let mut found = Self::all(library);
        found.truncate(3);
        found.pop().map(|(_, buffer)| buffer)
    }

    /// Returns all buffers, the smallest first.
    fn all(library: &Liberty) -> Vec<(f64, Self)> {
        let mut found: Vec<(f64, Self)> = library
            .cells()
            .into_iter()
            .filter(|(name, _)| name.to_lowercase().contains("buf"))
            .filter_map(|(name, cell)| Some((cell.number("area")?, Self::read(name, cell)?)))
            .collect();
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        found
    }

    fn read(kind: &str, cell: &Group) -> Option<Self> {
        let pins: Vec<&Group> = cell.all("pin").collect();
        let [a, b] = pins[..] else { return None };
        let (input, output) = if a.attributes.contains_key("function") { (b, a) } else { (a, b) };
        let plain = output.attributes.get("function")?.trim_matches(['(', ')', ' ', '"']);
        (plain == input.args && !output.attributes.contains_key("three_state")).then(|| Self {
            kind: kind.into(),
            input: input.args.clone(),
            output: output.args.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIBRARY: &str = "library (l) {
        cell (buf_1) { area : 1; pin (A) { direction : input; } pin (X) { direction : output; function : \"A\"; } }
        cell (ebuf_1) { area : 2; pin (A) { direction : input; } pin (Z) { direction : output; function : \"A\"; three_state : \"E\"; } }
        cell (inv_1) { area : 1; pin (A) { direction : input; } pin (Y) { direction : output; function : \"!A\"; } } }";

    fn library() -> Liberty {
        let path = std::env::temp_dir().join(format!("hasten-fanout-{}.lib", std::process::id()));
        std::fs::write(&path, LIBRARY).unwrap();
        let library = Liberty::load(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        library
    }

    #[test]
    fn no_net_but_the_clock_has_more_readers_than_allowed_and_each_reader_is_two_buffers_away() {
        let mut flat = Flat::new();
        let (part, clock, net) = (flat.part("p"), flat.net(), flat.net());
        for net in [net; 60].into_iter().chain([clock; 60]) {
            let pins = vec![("A".into(), net), ("Y".into(), flat.net())];
            flat.gates.push(Gate { kind: "inv_1".into(), name: "i".into(), part, pins });
        }
        let library = library();
        buffer(&mut flat, &library, clock, (READERS, READERS)).unwrap();
        assert_eq!(flat.gates.iter().filter(|gate| gate.kind == "buf_1").count(), 8);
        for (net, readers) in readers(&flat, &library).unwrap() {
            assert!(readers.len() <= READERS || net == clock, "net {net}: {}", readers.len());
        }
        for gate in &flat.gates[..60] {
            let driver = flat.gates.iter().find(|other| other.pins[1].1 == gate.pins[0].1).unwrap();
            assert_eq!(driver.pins[0].1, net);
        }
    }
}
