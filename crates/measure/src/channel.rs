//! Messages signed, sent as datagrams and verified at a given rate: the channel, and beside it what
//! else authenticates a message.
//!
//! Each row has a thread that signs, a thread that verifies, and a UDP socket of the loopback
//! between them. A channel has one thread more, which prepares. Counted are the times of the two
//! calls, and the time of the datagram on a link, which is computed; loopback and waking up are not
//! counted. A datagram carries the number of its message, so the parts of one message are added.

mod ed25519;
mod ends;
mod flood;
mod identity;
mod plan;
mod receiver;
mod row;
mod run;
mod sender;
mod subject;
mod table;
mod wait;
mod windows;

pub use self::plan::{Alg, Case, LONGEST, Pace, Plan, SHORTEST};
pub use self::row::Row;
pub use self::subject::Subject;
pub use self::table::table;
pub use self::wait::Wait;

use crate::{Error, Watch};

/// Messages a second, when none are asked for.
pub const RATES: [u32; 4] = [10, 1000, 4000, 10_000];

/// Messages a second beside rests, when no rate is asked for.
pub const WARM: [u32; 1] = [10_000];

/// Bytes of a message, when none are asked for.
pub const SIZES: [u32; 2] = [64, 1400];

/// Measures every case of `plan`. Algorithms that this build does not have are added to `absent`.
///
/// # Errors
/// Returns [`Error::Stopped`], or the error of a socket or a scheme; `rows` has what is finished.
pub fn measure(
    plan: &Plan<'_>,
    watch: Watch<'_>,
    rows: &mut Vec<Row>,
    absent: &mut Vec<&'static str>,
) -> Result<(), Error> {
    for alg in &plan.algs {
        watch.check()?;
        let subject = match Subject::new(*alg, plan.kernels) {
            Err(Error::Key(hasten_keys::Error::NotBuiltIn)) => {
                absent.push(alg.name());
                continue;
            }
            made => made?,
        };
        for case in plan.cases() {
            let row = run::run(plan, &case, &subject, watch)?.beside(rows);
            rows.push(row);
        }
    }
    Ok(())
}
