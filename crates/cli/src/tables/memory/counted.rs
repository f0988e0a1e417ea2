//! What the counting library wrote: figures, and the callers behind them.

use std::collections::BTreeMap;

use super::symbols::Symbols;
use crate::table::grouped;

/// Allocations of one chain of callers.
struct Site {
    count: usize,
    bytes: usize,
    at_peak: usize,
    /// Addresses within the program, the innermost first.
    frames: Vec<u64>,
}

/// One side's account.
pub struct Counted {
    figures: [usize; 4],
    sites: Vec<Site>,
}

/// What the four figures are called, and what one takes of a site to explain one.
const FIGURES: [(&str, fn(&Site) -> usize); 3] =
    [("allocations", |s| s.count), ("total", |s| s.bytes), ("peak", |s| s.at_peak)];

/// So many functions are named.
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

impl Counted {
    /// Reads an account.
    pub fn read(text: &str) -> Option<Self> {
        let lines = || text.lines().map(|line| line.split(' ').collect::<Vec<_>>());
        let figure = |name: &str| lines().find(|words| words[0] == name)?.get(1)?.parse().ok();
        let figures = [figure("allocations")?, figure("total")?, figure("peak")?, figure("stack")?];
        let sites =
            lines().filter(|words| words[0] == "site").filter_map(|words| site(&words[1..]));
        Some(Self { figures, sites: sites.collect() })
    }

    /// These figures with the sites of another run.
    pub fn with_sites_of(self, other: Self) -> Self {
        Self { sites: other.sites, ..self }
    }

    /// Allocations, bytes in total, bytes at the peak, stack.
    pub fn figures(&self) -> [usize; 4] {
        self.figures
    }

    /// The functions behind a figure, those with most of it in front.
    fn behind(&self, of: fn(&Site) -> usize, symbols: &Symbols) -> String {
        let mut by_name: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for site in self.sites.iter().filter(|site| of(site) > 0) {
            let entry = by_name.entry(symbols.who(&site.frames)).or_default();
            *entry = (entry.0 + of(site), entry.1 + 1);
        }
        let mut named: Vec<_> = by_name.into_iter().collect();
        named.sort_by_key(|(_, (most, _))| std::cmp::Reverse(*most));
        let named = named.into_iter().take(NAMED);
        named
            .map(|(name, (sum, _))| format!("{} {name}", grouped(sum as u64)))
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// The functions that hold most at the peak.
    pub fn at_peak(&self, symbols: &Symbols) -> String {
        self.behind(FIGURES[2].1, symbols)
    }

    /// For each figure above the other's, what is behind it.
    pub fn above(&self, theirs: &[usize; 4], symbols: &Symbols) -> String {
        let pairs = FIGURES.iter().zip(self.figures.iter().zip(theirs));
        let above = pairs.filter(|(_, (ours, theirs))| ours > theirs);
        let mut parts: Vec<_> =
            above.map(|((name, of), _)| format!("{name}: {}", self.behind(*of, symbols))).collect();
        if self.figures[3] > theirs[3] {
            parts.push("stack".to_owned());
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
            site 2 200 100 100 14\nsite 1 500 500 500 20 10\n";
        let counted = Counted::read(text).unwrap();
        assert_eq!(counted.figures(), [3, 700, 600, 9000]);
        let symbols = Symbols::of(vec![(0x10, "small".into()), (0x18, "large".into())]);
        assert_eq!(counted.at_peak(&symbols), "500 large, 100 small");
        assert_eq!(
            counted.above(&[3, 699, 700, 8999], &symbols),
            "total: 500 large, 200 small; stack"
        );
        assert!(Counted::read("allocations 3\n").is_none());
    }
}
