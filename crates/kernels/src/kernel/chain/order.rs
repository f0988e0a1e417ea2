//! The order in which the spans of a window are started.

use super::{Span, WINDOW};

/// The spans of a window that have steps, longest first.
pub(crate) struct Order {
    index: [u16; WINDOW],
    len: usize,
}

impl Order {
    /// Sorts the spans by counting. Spans of 255 steps and more count as equal.
    pub(crate) fn new(spans: &[Span]) -> Self {
        let class = |span: &Span| 255 - span.steps.min(255) as usize;
        let mut place = [0_u16; 256];
        for span in spans {
            place[class(span)] += 1;
        }
        let mut sum = 0;
        for place in &mut place {
            sum += core::mem::replace(place, sum);
        }
        let len = usize::from(place[255]);
        let mut index = [0; WINDOW];
        for (i, span) in (0..).zip(spans) {
            let place = &mut place[class(span)];
            index[usize::from(*place)] = i;
            *place += 1;
        }
        Self { index, len }
    }

    pub(crate) fn longest_first(&self) -> &[u16] {
        &self.index[..self.len]
    }
}
