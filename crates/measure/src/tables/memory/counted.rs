//! Output of the counting library: figures, and the callers that caused them.

use std::collections::BTreeMap;

use super::symbols::Symbols;
use hasten_report::grouped;

/// Allocations by one chain of callers.
struct Site {
    count: usize,
    bytes: usize,
    at_peak: usize,
    /// Addresses in the program, from the innermost caller to the outermost.
    frames: Vec<u64>,
}

/// The account of one side.
pub struct Counted {
    figures: [usize; 4],
    sites: Vec<Site>,
    /// Size in bytes and address of each frame when the stack was deepest, the innermost first.
    frames: Vec<(usize, u64)>,
}

/// Name of a figure, and the function that returns a site's part of it.
type Figure = (&'static str, fn(&Site) -> usize);

/// The figures of the heap, in the order of the account.
const FIGURES: [Figure; 3] =
    [("allocations", |s| s.count), ("total", |s| s.bytes), ("peak", |s| s.at_peak)];

/// Maximum number of functions that are named.
const NAMED: usize = 3;

fn site(words: &[&str]) -> Option<Site> {
    let [count, bytes, _largest, at_peak] = *words.first_chunk::<4>()?;
    let number = |word: &str| word.parse().ok();
    let frames = words[4..].iter().filter_map(|word| u64::from_str_radix(word, 16).ok());
    Some(Site {
        count: number(count)?,
        bytes: number(bytes)?,
        at_peak: number(at_peak)?,
        frames: frames.collect(),
    })
}

fn frame(words: &[&str]) -> Option<(usize, u64)> {
    let [bytes, address] = *words.first_chunk::<2>()?;
    Some((bytes.parse().ok()?, u64::from_str_radix(address, 16).ok()?))
}

/// Returns the functions with the largest sums, each preceded by its sum.
fn largest(parts: impl Iterator<Item = (String, usize)>) -> String {
    let mut by_name: BTreeMap<String, usize> = BTreeMap::new();
    for (name, amount) in parts.filter(|(_, amount)| *amount > 0) {
        *by_name.entry(name).or_default() += amount;
    }
    let mut named: Vec<_> = by_name.into_iter().collect();
    named.sort_by_key(|(_, sum)| std::cmp::Reverse(*sum));
    let words = named.iter().take(NAMED);
    let words = words.map(|(name, sum)| format!("{} {name}", grouped(*sum as u64)));
    words.collect::<Vec<_>>().join(", ")
}

impl Counted {
    /// Parses an account.
    pub fn read(text: &str) -> Option<Self> {
        let lines = || text.lines().map(|line| line.split(' ').collect::<Vec<_>>());
        let figure = |name: &str| lines().find(|words| words[0] == name)?.get(1)?.parse().ok();
        let figures = [figure("allocations")?, figure("total")?, figure("peak")?, figure("stack")?];
        let of = |name: &'static str| lines().filter(move |words| words[0] == name);
        let sites = of("site").filter_map(|words| site(&words[1..])).collect();
        let frames = of("frame").filter_map(|words| frame(&words[1..])).collect();
        Some(Self { figures, sites, frames })
    }

    /// Returns these figures with the allocation sites of another run and the frames of a third
    /// run.
    pub fn explained(self, by_sites: Self, by_frames: Option<Self>) -> Self {
        let frames = by_frames.map(|other| other.frames).unwrap_or_default();
        Self { sites: by_sites.sites, frames, ..self }
    }

    /// Returns the stack used, in bytes.
    pub fn stack(&self) -> usize {
        self.figures[3]
    }

    /// Returns the number of allocations, the total bytes, the bytes at the peak, and the stack.
    pub fn figures(&self) -> [usize; 4] {
        self.figures
    }

    /// Returns the functions that contribute most to a figure of the heap.
    fn behind(&self, of: fn(&Site) -> usize, symbols: &Symbols) -> String {
        largest(self.sites.iter().map(|site| (symbols.who(&site.frames), of(site))))
    }

    /// Returns the functions that contribute most to the depth of the stack.
    fn behind_stack(&self, symbols: &Symbols) -> String {
        if self.frames.is_empty() {
            return "frames that could not be named".to_owned();
        }
        let callers: Vec<_> = self.frames.iter().map(|(_, address)| *address).collect();
        let parts = self.frames.iter().enumerate();
        largest(parts.map(|(at, (bytes, _))| (symbols.who(&callers[at..]), *bytes)))
    }

    /// Returns the functions that hold most of the heap at its peak.
    pub fn at_peak(&self, symbols: &Symbols) -> String {
        self.behind(FIGURES[2].1, symbols)
    }

    /// For each figure above `theirs`, returns the functions that contribute most to it.
    pub fn above(&self, theirs: &[usize; 4], symbols: &Symbols) -> String {
        let pairs = FIGURES.iter().zip(self.figures.iter().zip(theirs));
        let above = pairs.filter(|(_, (ours, theirs))| ours > theirs);
        let mut parts: Vec<_> =
            above.map(|((name, of), _)| format!("{name}: {}", self.behind(*of, symbols))).collect();
        if self.stack() > theirs[3] {
            parts.push(format!("stack: {}", self.behind_stack(symbols)));
        }
        parts.join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_and_its_largest() {
        let text = "allocations 3\nfrees 3\ntotal 700\npeak 600\nstack 9000\n\
            site 2 200 100 100 14\nsite 1 500 500 500 20 10\n\
            frame 0 14\nframe 8000 20\nframe 500 14\n";
        let counted = Counted::read(text).unwrap();
        assert_eq!(counted.figures(), [3, 700, 600, 9000]);
        let symbols = Symbols::of(vec![(0x10, "small".into()), (0x18, "large".into())]);
        assert_eq!(counted.at_peak(&symbols), "500 large, 100 small");
        assert_eq!(
            counted.above(&[3, 699, 700, 8999], &symbols),
            "total: 500 large, 200 small; stack: 8,000 large, 500 small"
        );
        assert!(Counted::read("allocations 3\n").is_none());
    }
}
