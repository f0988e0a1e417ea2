//! Notes on how long the keys of a measurement will take, if that is long.

use std::time::Duration;

use hasten_hbs::Set;
use hasten_kernels::Kernels;
use hasten_measure::{Watch, keygen};
use hasten_report::grouped;

use crate::error::Error;
use crate::output::note;
use crate::units;

/// Number of leaves above which key generation is announced.
const MANY_LEAVES: u64 = 1 << 12;

/// Notes how long keys with tall trees will take, estimated from the time for a low tree.
pub fn warn_if_slow(
    kernels: Kernels<'static>,
    sets: &[&'static Set],
    keys: usize,
    watch: Watch<'_>,
) -> Result<(), Error> {
    for set in sets.iter().filter(|set| keygen::leaves(set) > MANY_LEAVES) {
        note(&warning(set, keys, keygen::estimate(kernels, set, watch)?));
    }
    Ok(())
}

fn warning(set: &Set, keys: usize, each: Duration) -> String {
    let (leaves, time) = (grouped(keygen::leaves(set)), roughly(each));
    let needed = units::counted(keys as u64, "key is", "keys are");
    format!(
        "a key of {} begins with {leaves} leaves and takes about {time}; {needed} needed",
        set.name
    )
}

/// Returns a time in whole seconds, or in whole minutes from 100 seconds on.
fn roughly(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 100.0 => format!("{:.0} s", seconds.max(1.0)),
        seconds => format!("{:.0} min", seconds / 60.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tall_trees_are_announced() {
        let set = Set::named("XMSS-SHA2_20_256").expect("a set");
        assert_eq!(
            warning(set, 6, Duration::from_secs(240)),
            "a key of XMSS-SHA2_20_256 begins with 1,048,576 leaves and takes about 4 min; 6 keys are needed"
        );
    }

    #[test]
    fn rough_times() {
        let cases = [(0.2, "1 s"), (42.3, "42 s"), (99.0, "99 s"), (130.0, "2 min")];
        for (seconds, text) in cases {
            assert_eq!(roughly(Duration::from_secs_f64(seconds)), text);
        }
    }
}
