//! CPU time of programs, if the system reports it (`/proc/ID/stat`, in hundredths of a second). On
//! a machine that is busy with other work, the elapsed time says little.

use std::time::Instant;

/// Start of a time measurement.
pub struct Clock(Instant, Option<f64>);

impl Clock {
    /// Starts a measurement.
    pub fn start() -> Self {
        Self(Instant::now(), of_programs())
    }

    /// Returns the elapsed seconds.
    pub fn seconds(&self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }

    /// Returns the CPU time of the child programs that have ended since the start, in seconds.
    pub fn of_cpu(&self) -> Option<f64> {
        self.1.zip(of_programs()).map(|(before, after)| after - before)
    }
}

/// Returns the CPU time of all child programs that have ended so far, in seconds.
fn of_programs() -> Option<f64> {
    seconds("self", 13)
}

/// Returns the CPU time of a running program, in seconds.
pub fn of_process(id: u32) -> Option<f64> {
    seconds(&id.to_string(), 11)
}

/// Returns the sum of two adjacent fields, user time and system time, in seconds.
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
