//! Progress on the error stream, only where that is a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar that shows how far a long step is, how fast it goes, and the time left.
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar of `total` units called `unit`; hidden where the error stream is no terminal.
    pub fn new(label: String, total: u64, unit: &str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(5));
        let shape = format!(
            "{{msg}} {{wide_bar}} {{human_pos}} of {{human_len}} {unit}, {{per_sec}}, {{eta}} left"
        );
        // The shape is the constant above: were it wrong, the default bar would be shown.
        bar.set_style(ProgressStyle::with_template(&shape).unwrap_or(ProgressStyle::default_bar()));
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
