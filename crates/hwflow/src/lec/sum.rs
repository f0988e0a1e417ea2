//! Sums of bits modulo a power of two, in which outputs of adders are replaced by the terms that
//! they add.

use super::adder::{Adder, Net, Part, Term};
use num_bigint::BigUint;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The adders of a netlist, and the adder that drives each net.
#[derive(Default)]
pub struct Adders {
    all: Vec<Adder>,
    driver: HashMap<Net, usize>,
}

impl Adders {
    /// Indexes adders by the nets that they drive.
    pub fn new(all: Vec<Adder>) -> Self {
        let outputs = |(at, adder): (usize, &Adder)| {
            adder.outputs.iter().map(move |net| (*net, at)).collect::<Vec<_>>()
        };
        let driver = all.iter().enumerate().flat_map(outputs).collect();
        Self { all, driver }
    }

    /// Returns the adders that `nets` depend on, each after the adders that read it.
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

/// A sum of terms modulo two to the power `bits`. No coefficient is 0.
#[derive(Debug, Clone, PartialEq)]
pub struct Sum {
    bits: usize,
    terms: BTreeMap<Term, BigUint>,
}

impl Sum {
    /// Returns the number whose bits are `nets`, lowest first, in the terms that its adders add.
    /// The outputs of an adder are replaced only if they are added as one number.
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

    /// Returns the same sum with renamed nets, or `None` if a net has no other name.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the adder that drives nets 10 and 11 with the sum of two words of two bits.
    fn adders(whole: bool) -> Adders {
        let part = |(net, power)| Part { term: Term::Bit(net), power, minus: false };
        let sum = [(2, 0), (3, 1), (4, 0), (5, 1)].map(part).to_vec();
        Adders::new(vec![Adder { outputs: vec![10, 11], sum, whole }])
    }

    fn has(nets: &[Net], adders: &Adders, net: Net) -> bool {
        Sum::of(nets, adders).terms.contains_key(&Term::Bit(net))
    }

    #[test]
    fn an_adder_is_replaced_only_where_its_carry_does_not_count() {
        assert!(has(&[10, 11], &adders(false), 2));
        assert!(!has(&[10, 11], &adders(false), 10));
        // With a third bit the sum is modulo 8, and the adder's own is modulo 4.
        assert!(has(&[10, 11, 12], &adders(false), 10));
        assert!(!has(&[10, 11, 12], &adders(true), 10));
        // A single output bit is not the sum, and neither are the output bits in other positions.
        assert!(has(&[12, 11], &adders(true), 11));
        assert!(has(&[11, 10], &adders(true), 10));
    }

    #[test]
    fn a_sum_has_other_names_and_no_term_without_one() {
        let sum = Sum::of(&[10, 11], &adders(false));
        let swapped = sum.renamed(|net| Some(if net < 4 { net + 2 } else { net - 2 }));
        assert_eq!(swapped.as_ref(), Some(&sum));
        assert_eq!(sum.renamed(|net| (net != 5).then_some(net)), None);
    }
}
