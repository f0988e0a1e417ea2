//! Sums of bits modulo a power of two, in which the output of an adder is replaced by what it adds.

use super::adder::{Adder, Net, Part, Term};
use num_bigint::BigUint;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The adders of a netlist, and which of them drives a net.
#[derive(Default)]
pub struct Adders {
    all: Vec<Adder>,
    driver: HashMap<Net, usize>,
}

impl Adders {
    /// Returns adders by what they drive.
    pub fn new(all: Vec<Adder>) -> Self {
        let outputs = |(at, adder): (usize, &Adder)| {
            adder.outputs.iter().map(move |net| (*net, at)).collect::<Vec<_>>()
        };
        let driver = all.iter().enumerate().flat_map(outputs).collect();
        Self { all, driver }
    }

    /// Returns the adders that are before some nets, each behind those that read it.
    fn before(&self, nets: impl Iterator<Item = Net>) -> Vec<&Adder> {
        let driver = |net: &Net| self.driver.get(net).copied();
        let mut open: Vec<(usize, bool)> =
            nets.filter_map(|net| driver(&net)).map(|at| (at, false)).collect();
        let (mut seen, mut order) = (HashSet::new(), Vec::new());
        while let Some((at, done)) = open.pop() {
            if done {
                order.push(&self.all[at]);
            } else if seen.insert(at) {
                open.push((at, true));
                let read = self.all[at].sum.iter().filter_map(|part| bit(part.term));
                open.extend(read.filter_map(|net| driver(&net)).map(|at| (at, false)));
            }
        }
        order.reverse();
        order
    }
}

fn bit(term: Term) -> Option<Net> {
    if let Term::Bit(net) = term { Some(net) } else { None }
}

/// Is a sum of terms modulo two to the power `bits`. No coefficient is 0.
#[derive(Debug, Clone, PartialEq)]
pub struct Sum {
    bits: usize,
    terms: BTreeMap<Term, BigUint>,
}

impl Sum {
    /// Returns the number whose bits are these nets, lowest first, by what its adders add. The
    /// output of an adder stays where it is not added as a whole.
    pub fn of(nets: &[Net], adders: &Adders) -> Self {
        let mut sum = Self { bits: nets.len(), terms: BTreeMap::new() };
        for (power, net) in nets.iter().enumerate() {
            sum.add(Part { term: Term::Bit(*net), power, minus: false }, &1u8.into());
        }
        for adder in adders.before(nets.iter().copied()) {
            sum.replace(adder);
        }
        sum
    }

    /// Returns the same sum of other terms, unless one has no other.
    pub fn renamed(&self, other: impl Fn(Net) -> Option<Net>) -> Option<Self> {
        let mut sum = Self { bits: self.bits, terms: BTreeMap::new() };
        for (term, factor) in &self.terms {
            let term = match *term {
                Term::One => Term::One,
                Term::Bit(net) => Term::Bit(other(net)?),
                Term::Both(a, b) => {
                    let (a, b) = (other(a)?, other(b)?);
                    if a == b { Term::Bit(a) } else { Term::Both(a.min(b), a.max(b)) }
                }
            };
            sum.add(Part { term, power: 0, minus: false }, factor);
        }
        Some(sum)
    }

    fn replace(&mut self, adder: &Adder) {
        let factor = self.factor(adder.outputs[0]);
        let powers = |power: usize| self.modulo(factor.clone() << power);
        let fits =
            adder.outputs.iter().enumerate().all(|(at, net)| self.factor(*net) == powers(at));
        let no_carry = adder.whole || powers(adder.outputs.len()) == BigUint::ZERO;
        if factor == BigUint::ZERO || !fits || !no_carry {
            return;
        }
        for net in &adder.outputs {
            self.terms.remove(&Term::Bit(*net));
        }
        for part in &adder.sum {
            self.add(*part, &factor);
        }
    }

    fn factor(&self, net: Net) -> BigUint {
        self.terms.get(&Term::Bit(net)).cloned().unwrap_or_default()
    }

    fn modulo(&self, number: BigUint) -> BigUint {
        number & self.most()
    }

    fn most(&self) -> BigUint {
        (BigUint::from(1u8) << self.bits) - 1u8
    }

    fn add(&mut self, part: Part, factor: &BigUint) {
        let amount = self.modulo(factor << part.power);
        let amount = if part.minus { self.most() - amount + 1u8 } else { amount };
        let old = self.terms.remove(&part.term).unwrap_or_default();
        let new = self.modulo(old + amount);
        if new != BigUint::ZERO {
            self.terms.insert(part.term, new);
        }
    }
}
