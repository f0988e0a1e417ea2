//! Pairs LUTs into dual-output LUT6. Two functions share a LUT6 if they have at most five different
//! inputs together.
//!
//! The method is greedy: a LUT takes the partner that shares the most inputs. Candidates are found
//! through shared nets, and the remaining LUTs with few inputs are paired among themselves. The
//! result is an upper bound of the paired count.

use crate::map::netlist::Lut;
use std::collections::HashMap;

/// Returns the number of LUT6 that hold all LUTs.
pub fn paired(luts: &[Lut]) -> u64 {
    let mut taken = vec![false; luts.len()];
    let readers = readers(luts);
    let mut pairs = 0;
    for (i, lut) in luts.iter().enumerate() {
        if taken[i] || lut.inputs.len() > 5 {
            continue;
        }
        if let Some(j) = partner(i, luts, &taken, &readers) {
            (taken[i], taken[j]) = (true, true);
            pairs += 1;
        }
    }
    pairs += strangers(luts, &taken);
    luts.len() as u64 - pairs
}

/// Returns the LUTs with at most five inputs that read each net. [`partner`] looks only at the
/// first of many readers, because the others are no better partners.
fn readers(luts: &[Lut]) -> HashMap<u64, Vec<usize>> {
    let mut readers: HashMap<u64, Vec<usize>> = HashMap::new();
    for (i, lut) in luts.iter().enumerate().filter(|(_, lut)| lut.inputs.len() <= 5) {
        for &net in &lut.inputs {
            readers.entry(net).or_default().push(i);
        }
    }
    readers
}

fn partner(
    i: usize,
    luts: &[Lut],
    taken: &[bool],
    readers: &HashMap<u64, Vec<usize>>,
) -> Option<usize> {
    const LOOK: usize = 64;
    let near = luts[i]
        .inputs
        .iter()
        .flat_map(|net| readers[net].iter().copied().filter(|&j| !taken[j]).take(LOOK));
    near.filter(|&j| j != i)
        .filter_map(|j| {
            let union = union(&luts[i], &luts[j]);
            (union <= 5)
                .then(|| (luts[i].inputs.len() + luts[j].inputs.len() - union, usize::MAX - j, j))
        })
        .max()
        .map(|(_, _, j)| j)
}

/// Returns the number of pairs among the remaining LUTs, which are assumed to share no input. Two
/// LUTs fit if they have at most five inputs together.
fn strangers(luts: &[Lut], taken: &[bool]) -> u64 {
    let mut left = [0u64; 6];
    for (lut, _) in luts.iter().zip(taken).filter(|(lut, taken)| !**taken && lut.inputs.len() <= 5)
    {
        left[lut.inputs.len()] += 1;
    }
    let mut pairs = 0;
    for big in (1..=4).rev() {
        for small in (0..=(5 - big).min(big)).rev() {
            let n = if small == big { left[big] / 2 } else { left[small].min(left[big]) };
            left[big] -= n;
            left[small] -= n;
            pairs += n;
        }
    }
    pairs
}

fn union(a: &Lut, b: &Lut) -> usize {
    a.inputs.len() + b.inputs.iter().filter(|net| a.inputs.binary_search(net).is_err()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn luts(inputs: &[&[u64]]) -> Vec<Lut> {
        inputs.iter().map(|list| Lut { inputs: list.to_vec() }).collect()
    }

    #[test]
    fn five_inputs_fit_and_six_do_not() {
        assert_eq!(paired(&luts(&[&[1, 2, 3], &[3, 4, 5]])), 1);
        assert_eq!(paired(&luts(&[&[1, 2, 3], &[4, 5, 6]])), 2);
        assert_eq!(paired(&luts(&[&[1, 2, 3], &[4, 5]])), 1);
        assert_eq!(paired(&luts(&[&[1, 2, 3, 4, 5, 6], &[1]])), 2);
        assert_eq!(paired(&luts(&[&[1, 2, 3, 4, 5], &[1, 2, 3, 4, 5], &[1, 2]])), 2);
        assert_eq!(paired(&[]), 0);
    }
}
