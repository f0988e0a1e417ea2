//! Messages that are signed, sent as datagrams and verified at a given rate: a channel, compared
//! with other ways to authenticate a message.
//!
//! Each row has a thread that signs, a thread that verifies, and a UDP socket of the loopback
//! between them. A channel has a third thread, which prepares. The total is the time of the two
//! calls and the computed time of the datagram on a link; loopback and waking up are not counted. A
//! datagram carries the number of its message, so the parts of one message can be added.

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

/// Default message rates, in messages per second.
pub const RATES: [u32; 4] = [10, 1000, 4000, 10_000];

/// Default message rates if rests are measured; rows after rests are compared to these rows.
pub const WARM: [u32; 1] = [10_000];

/// Default message sizes, in bytes.
pub const SIZES: [u32; 2] = [64, 1400];

/// Measures every case of `plan`. Algorithms that are not in this build are added to `absent`.
///
/// # Errors
/// [`Error::Stopped`], or the error of a socket or a scheme; `rows` then has the finished rows.
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
