//! The two-thread experiment: each message is signed, sent over a TCP connection, and verified.

pub mod advice;
mod engine;
mod experiment;
mod frame;
mod plan;
mod receiver;
mod row;
mod sender;
mod session;
mod simulated;
mod table;
mod warm;

use std::time::Duration;

use hasten_hbs::Signer;

pub use self::engine::{Device, Engine, Make};
pub use self::experiment::{Experiment, usual};
pub use self::plan::{Pair, Plan, fit, of_engine, pairs};
pub use self::row::{Link, Row};
pub use self::simulated::simulated;
use crate::{Error, Watch};

/// The longest message, in bytes.
pub const LONGEST_MESSAGE: usize = 16 << 20;

/// Measures one row with the key of `signer`.
///
/// # Errors
/// [`Error::Stopped`], [`Error::Rejected`], or the error of a socket or a scheme.
pub fn measure(
    plan: &Plan<'_>,
    pair: &Pair,
    signer: Signer<'static>,
    (link, budget): (&Link, Duration),
    watch: Watch<'_>,
) -> Result<Row, Error> {
    let label = format!("{}, {} + {}", plan.set.name, pair.signer.name(), pair.verifier.name());
    let step = watch.step(&label, plan.messages() as u64, "messages");
    let measured = session::run(plan, signer, &step)?;
    Ok(Row::new(plan, pair.name, link, budget, &measured))
}
