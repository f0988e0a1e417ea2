//! The search over every set, machine, link and schedule: which choices are within a budget, which
//! are not dominated, which is best, and why the others miss the budget.

mod asked;
mod choice;
mod front;
mod order;
mod plots;
mod point;
mod search;
mod text;
mod time;

pub use asked::{Machine, Measured, Schedules, Workload, usual_sets};
pub use front::Front;
pub use order::{fastest, links};
pub use plots::plots;
pub use point::Point;
pub use search::{Named, Search};
pub use text::text;
pub use time::Time;

fn round(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
