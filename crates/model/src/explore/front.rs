//! The choices that are not dominated with respect to latency, bytes of a signature, memory of the
//! signer, area, and signatures of a key. An unknown area counts as 0, and an absent limit on
//! signatures as the largest number.

use super::Point;

/// The choices not dominated by others, updated as choices are added.
#[derive(Default)]
pub struct Front(Vec<(usize, [f64; 5])>);

impl Front {
    /// Adds choice `number`, unless another choice is no worse in every respect.
    pub fn add(&mut self, number: usize, point: &Point) {
        let measures = [
            point.total_us.tail(),
            point.signature_bytes as f64,
            point.signer_memory_bytes as f64,
            point.area_kge.unwrap_or(0.0),
            -(point.signatures.unwrap_or(u64::MAX) as f64),
        ];
        if self.0.iter().any(|(_, other)| no_worse(other, &measures)) {
            return;
        }
        self.0.retain(|(_, other)| !no_worse(&measures, other));
        self.0.push((number, measures));
    }

    /// Returns the numbers of the choices that are not dominated.
    pub fn members(&self) -> impl Iterator<Item = usize> {
        self.0.iter().map(|(number, _)| *number)
    }
}

fn no_worse(a: &[f64; 5], b: &[f64; 5]) -> bool {
    a.iter().zip(b).all(|(a, b)| a <= b)
}
