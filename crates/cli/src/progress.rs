//! Progress on the error stream, if that is a terminal.

use std::cell::OnceCell;
use std::fmt::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use hasten_process::files::Reader;
use hasten_report::grouped;
use hasten_store::visible;

use crate::interrupt::Interrupt;

/// A bar with the progress of a long step, its rate, and the time left.
pub struct Progress(ProgressBar);

impl Progress {
    /// Returns a bar of `total` units called `unit`. It is hidden if the error stream is not a
    /// terminal.
    pub fn new(label: String, total: u64, unit: &str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(5));
        let shape = format!(
            "{{msg}} {{wide_bar}} {{human_pos}} of {{human_len}} {unit}, {{rate}}, {{eta}} left"
        );
        // The template is fixed. If it were wrong, the default bar would be shown.
        let style = ProgressStyle::with_template(&shape).unwrap_or(ProgressStyle::default_bar());
        bar.set_style(style.with_key("rate", |state: &ProgressState, to: &mut dyn Write| {
            let _ = to.write_str(&rate(state.per_sec()));
        }));
        bar.set_message(visible(&label).into_owned());
        Self(bar)
    }

    /// Returns a bar for the bytes of files. Without a total it only counts.
    pub fn of_bytes(label: String, total: Option<u64>) -> Self {
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr_with_hz(5));
        let shape = match total {
            Some(_) => "{msg} {wide_bar} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left",
            None => "{msg} {bytes}, {bytes_per_sec}",
        };
        let style = ProgressStyle::with_template(shape).unwrap_or(ProgressStyle::default_bar());
        bar.set_style(style);
        bar.set_message(visible(&label).into_owned());
        Self(bar)
    }

    /// Advances the bar by `more` units.
    pub fn add(&self, more: u64) {
        self.0.inc(more);
    }

    /// Advances the bar to `done` units.
    pub fn at(&self, done: u64) {
        self.0.set_position(done);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// A file that is being read. If that takes more than a second, it shows a bar.
struct Reading {
    path: PathBuf,
    total: Option<u64>,
    begun: Instant,
    done: u64,
    bar: Option<Progress>,
}

impl Reading {
    fn begin(path: &Path, total: Option<u64>) -> Box<dyn Reader> {
        let (path, begun) = (path.to_owned(), Instant::now());
        Box::new(Self { path, total, begun, done: 0, bar: None })
    }
}

impl Reader for Reading {
    fn read(&mut self, bytes: usize) {
        self.done += bytes as u64;
        if self.bar.is_none() && self.begun.elapsed() > Duration::from_secs(1) {
            let label = format!("reading {}", self.path.display());
            self.bar = Some(Progress::of_bytes(label, self.total));
        }
        if let Some(bar) = &self.bar {
            bar.at(self.done);
        }
    }
}

/// Shows the progress of every message that a command reads.
pub fn show_reading() {
    hasten_process::files::tell_of_reading(Reading::begin);
}

/// Returns the callback for a step that makes leaves. It shows a bar from its first call on, and
/// stops the step after Ctrl-C.
pub fn of_leaves(
    label: &'static str,
    interrupt: &Interrupt,
) -> impl FnMut(hasten_hbs::Progress) -> ControlFlow<()> {
    let bar = OnceCell::new();
    move |progress| {
        // Leaves that an earlier command made count for the position, but not for the rate.
        let begin = || {
            let begun = Progress::new(label.to_owned(), progress.total, "leaves");
            begun.at(progress.done);
            begun.0.reset_eta();
            begun
        };
        bar.get_or_init(begin).at(progress.done);
        if interrupt.asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Returns a rate with its significant digits.
fn rate(per_second: f64) -> String {
    match per_second {
        fast if fast >= 10.0 => format!("{}/s", grouped(fast as u64)),
        slow => format!("{slow:.1}/s"),
    }
}

#[cfg(test)]
mod tests {
    use super::rate;

    #[test]
    fn rates_have_no_more_digits_than_they_mean() {
        let cases = [(94_996.823_3, "94,996/s"), (10.0, "10/s"), (9.96, "10.0/s"), (0.25, "0.2/s")];
        for (per_second, text) in cases {
            assert_eq!(rate(per_second), text);
        }
    }
}
