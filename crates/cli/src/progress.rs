//! Progress on the error stream, only where that is a terminal.

use std::cell::OnceCell;
use std::fmt::Write;
use std::ops::ControlFlow;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use hasten_report::grouped;

use crate::interrupt::Interrupt;

/// A bar that shows how far a long step is, how fast it goes, and the time left.
pub struct Progress(ProgressBar);

impl Progress {
    /// Returns a bar of `total` units called `unit`; hidden where the error stream is no terminal.
    pub fn new(label: String, total: u64, unit: &str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(5));
        let shape = format!(
            "{{msg}} {{wide_bar}} {{human_pos}} of {{human_len}} {unit}, {{rate}}, {{eta}} left"
        );
        // The shape is the constant above: were it wrong, the default bar would be shown.
        let style = ProgressStyle::with_template(&shape).unwrap_or(ProgressStyle::default_bar());
        bar.set_style(style.with_key("rate", |state: &ProgressState, to: &mut dyn Write| {
            let _ = to.write_str(&rate(state.per_sec()));
        }));
        bar.set_message(label);
        Self(bar)
    }

    /// Says that `done` units are done.
    pub fn at(&self, done: u64) {
        self.0.set_position(done);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Returns what hears of a step that makes leaves: it shows a bar from the first news on, and ends
/// the step once Ctrl-C has come.
pub fn of_leaves(
    label: &'static str,
    interrupt: &Interrupt,
) -> impl FnMut(hasten_hbs::Progress) -> ControlFlow<()> {
    let bar = OnceCell::new();
    move |progress| {
        let begin = || Progress::new(label.to_owned(), progress.total, "leaves");
        bar.get_or_init(begin).at(progress.done);
        if interrupt.asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Returns a rate with the digits that mean something.
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
