//! The ratio of the slowest signature of a key to the median one, over all its indices.
//!
//! A signer that builds a subtree within one signature is fast at most indices and slow at a few.

use hasten_hbs::Set;
use hasten_hbs::params::Scheme;

use crate::side::Indices;

/// Number of keys measured. The minimum time at each index counts, to exclude interruptions.
const PASSES: usize = 2;

/// Largest height of a tree whose indices are all used for signing.
const MOST: u32 = 10;

/// Returns true if a key of `set` is one tree with few enough indices.
pub fn fit(set: &Set) -> bool {
    let of_one_tree = matches!(set.scheme, Scheme::Lms { .. } | Scheme::Xmss);
    of_one_tree && set.d == 1 && set.h <= MOST
}

/// Returns the ratio of the slowest index to the median one.
///
/// # Errors
/// A message, if a program does not report a time for each index.
pub fn worst_over_median(set: &Set, indices: &mut Indices) -> Result<f64, String> {
    let mut least = vec![f64::INFINITY; 1 << set.h];
    for _ in 0..PASSES {
        let times = indices()?;
        if times.len() != least.len() {
            return Err(format!("{}: {} times of {} indices", set.name, times.len(), least.len()));
        }
        least.iter_mut().zip(times).for_each(|(least, time)| *least = least.min(time));
    }
    Ok(over_median(least))
}

fn over_median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    let [median, worst] = [times[(times.len() - 1) / 2], times[times.len() - 1]];
    (worst / median * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slow_index_is_found_and_an_interruption_is_not() {
        let set = Set::named("LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W4").unwrap();
        let mut pass = 0;
        let mut indices: Indices = Box::new(move || {
            let mut times = vec![2.0; 32];
            times[7] = 9.0;
            times[20 + pass] = 400.0;
            pass += 1;
            Ok(times)
        });
        assert_eq!(worst_over_median(set, &mut indices), Ok(4.5));
    }

    #[test]
    fn a_time_of_each_index_is_asked_for() {
        let set = Set::named("LMS_SHA256_M32_H5/LMOTS_SHA256_N32_W4").unwrap();
        let mut few: Indices = Box::new(|| Ok(vec![1.0; 31]));
        assert!(worst_over_median(set, &mut few).unwrap_err().contains("31 times of 32"));
    }

    #[test]
    fn keys_of_one_low_tree_fit() {
        let fits = |name| fit(Set::named(name).unwrap());
        assert!(fits("XMSS-SHA2_10_256") && fits("LMS_SHA256_M32_H10/LMOTS_SHA256_N32_W8"));
        assert!(!fits("XMSS-SHA2_16_256") && !fits("XMSSMT-SHA2_20/2_256"));
        assert!(!fits("SLH-DSA-SHA2-128f") && !fits("L2_H10_W4"));
    }
}
