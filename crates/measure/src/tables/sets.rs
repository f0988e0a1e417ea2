//! The sets of LMS, HSS, XMSS and XMSS^MT in the appendix, computed from their parameters.

use hasten_hbs::Set;
use hasten_hbs::params::Scheme;

use super::appendix::stateful::{LMS_SETS, XMSS_SETS};
use super::sheet::{Cell, Sheet};
use crate::Error;

/// The largest set that wolfSSL supports according to the appendix: eight levels of the tallest
/// trees.
const LARGEST: &str = "L8_H25_W8";

/// Returns the row of a set; a single LMS tree is shown as HSS with one level.
fn row(
    alg: &'static str,
    theirs: Option<(&'static str, usize, Option<u64>)>,
) -> Result<Vec<Cell>, Error> {
    let set = Set::named(alg)?;
    let lms = matches!(set.scheme, Scheme::Lms { .. } | Scheme::Hss { .. });
    let whole = if lms { Set::hss(&set.levels())? } else { set };
    let number = (!lms).then(|| whole.number.get() as usize);
    let capacity = usize::try_from(whole.capacity()).unwrap_or(usize::MAX);
    Ok(vec![
        alg.into(),
        number.into(),
        (whole.d as usize).into(),
        (whole.h as usize).into(),
        whole.w().into(),
        whole.signature_bytes().into(),
        capacity.into(),
        theirs.map(|(name, ..)| name).into(),
        theirs.map(|(_, bytes, _)| bytes).into(),
        theirs.and_then(|(.., most)| most).map(|most| most as usize).into(),
    ])
}

/// Returns the sets with the figures of the appendix.
///
/// # Errors
/// The error of an unknown set.
pub fn sheet() -> Result<Sheet, Error> {
    let lms =
        LMS_SETS.iter().map(|(name, set, bytes, most)| row(set, Some((name, *bytes, Some(*most)))));
    let xmss = XMSS_SETS.iter().map(|(set, _, bytes)| row(set, Some((set, *bytes, None))));
    let rows: Result<Vec<_>, _> = lms.chain([row(LARGEST, None)]).chain(xmss).collect();
    Ok(Sheet {
        name: "stateful-sets",
        title: "Sets whose keys have a state",
        columns: vec![
            ("alg", "Set"),
            ("number", "Number"),
            ("levels", "Levels"),
            ("height", "Height in all"),
            ("w", "w"),
            ("signature_bytes", "Signature"),
            ("signatures", "Signatures, at most"),
            ("theirs_name", "Appendix"),
            ("theirs_signature", "signature"),
            ("theirs_signatures", "signatures"),
        ],
        rows: rows?,
        notes: vec!["Every L1 to L8, H5 to H25 and W1 to W8 that the appendix allows is a set here. A count of signatures that 64 bits do not hold is the largest number that they do.".into()],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_of_the_appendix_is_a_set() {
        for levels in 1..=8 {
            for height in [5, 10, 15, 20, 25] {
                for w in [1, 2, 4, 8] {
                    let set = Set::named(&format!("L{levels}_H{height}_W{w}")).expect("a set");
                    assert_eq!((set.d, set.h, set.w()), (levels, levels * height, 1 << w));
                }
            }
        }
    }

    #[test]
    fn bytes_and_counts_are_those_of_the_appendix() {
        let rows: Vec<_> = sheet().expect("every set is known").json().collect();
        assert_eq!(rows.len(), 22);
        for row in rows.iter().filter(|row| !row["theirs_name"].is_null()) {
            assert_eq!(row["signature_bytes"], row["theirs_signature"], "{row}");
            let theirs = &row["theirs_signatures"];
            assert!(theirs.is_null() || *theirs == row["signatures"], "{row}");
        }
    }
}
