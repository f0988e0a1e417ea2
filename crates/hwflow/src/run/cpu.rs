//! CPU time, where the system says it (`/proc/ID/stat`, in hundredths of a second): on a machine
//! busy with other work the clock says little.

use std::time::Instant;

/// When the programs that are to be timed began.
pub struct Clock(Instant, Option<f64>);

impl Clock {
    /// Begins now.
    pub fn start() -> Self {
        Self(Instant::now(), of_programs())
    }

    /// Returns the seconds since then.
    pub fn seconds(&self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }

    /// Returns the CPU time of the programs that have run since then, in seconds.
    pub fn of_cpu(&self) -> Option<f64> {
        self.1.zip(of_programs()).map(|(before, after)| after - before)
    }
}

/// Returns that of the programs that have run so far.
fn of_programs() -> Option<f64> {
    seconds("self", 13)
}

/// Returns that of a program which runs.
pub fn of_process(id: u32) -> Option<f64> {
    seconds(&id.to_string(), 11)
}

/// Returns the sum of two fields, of the time in the program and of that in the system.
fn seconds(process: &str, field: usize) -> Option<f64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<&str> = text.rsplit_once(") ")?.1.split(' ').collect();
    let ticks = |field: usize| fields.get(field)?.parse::<f64>().ok();
    Some((ticks(field)? + ticks(field + 1)?) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_program_that_computes_takes_time() {
        let start = of_process(std::process::id()).unwrap();
        let sum = |until: u64| (0..until).fold(0_u64, |sum, k| sum.wrapping_mul(5) ^ k);
        while of_process(std::process::id()).unwrap() < start + 0.02 {
            std::hint::black_box(sum(100_000));
        }
        assert!(of_programs().is_some() && of_process(u32::MAX).is_none());
    }
}
