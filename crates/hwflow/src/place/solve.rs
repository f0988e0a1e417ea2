//! Springs between points on a line, and the positions in which the points are at rest.

/// Springs, each between two points or from a point to a place.
#[derive(Default)]
pub struct Springs {
    between: Vec<(usize, usize, f64)>,
    /// For each point: the total stiffness of its springs to places, and their total pull.
    to_places: Vec<(f64, f64)>,
}

/// Maximum number of steps of the solver.
const STEPS: usize = 100;
/// The solver ends when the remaining force is this fraction of the initial force.
const ENOUGH: f64 = 1e-4;

impl Springs {
    pub fn new(points: usize) -> Self {
        Self { between: Vec::new(), to_places: vec![(0.0, 0.0); points] }
    }

    pub fn between(&mut self, a: usize, b: usize, stiffness: f64) {
        if a != b {
            self.between.push((a, b, stiffness));
        }
    }

    pub fn hold(&mut self, point: usize, place: f64, stiffness: f64) {
        self.to_places[point].0 += stiffness;
        self.to_places[point].1 += stiffness * place;
    }

    /// Returns the force on each point at `x` with its sign reversed, without the pull of the
    /// places.
    fn times(&self, x: &[f64]) -> Vec<f64> {
        let mut out: Vec<f64> = self.to_places.iter().zip(x).map(|((own, _), x)| own * x).collect();
        for &(a, b, stiffness) in &self.between {
            let force = stiffness * (x[a] - x[b]);
            out[a] += force;
            out[b] -= force;
        }
        out
    }

    /// Moves `x` to the positions of rest: conjugate gradients with a diagonal preconditioner.
    pub fn rest(&self, x: &mut [f64]) {
        let mut diagonal: Vec<f64> = self.to_places.iter().map(|(own, _)| *own).collect();
        for &(a, b, stiffness) in &self.between {
            diagonal[a] += stiffness;
            diagonal[b] += stiffness;
        }
        let scaled = |r: &[f64]| -> Vec<f64> {
            r.iter().zip(&diagonal).map(|(r, d)| r / d.max(f64::MIN_POSITIVE)).collect()
        };
        let held = self.times(x);
        let mut r: Vec<f64> = self.to_places.iter().zip(&held).map(|((_, p), h)| p - h).collect();
        let mut z = scaled(&r);
        let mut direction = z.clone();
        let mut left = dot(&r, &z);
        let first = left;
        for _ in 0..STEPS {
            if left <= ENOUGH * ENOUGH * first {
                return;
            }
            let moved = self.times(&direction);
            let step = left / dot(&direction, &moved);
            add(x, &direction, step);
            add(&mut r, &moved, -step);
            z = scaled(&r);
            let next = dot(&r, &z);
            direction.iter_mut().zip(&z).for_each(|(d, z)| *d = z + next / left * *d);
            left = next;
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(to: &mut [f64], some: &[f64], times: f64) {
    to.iter_mut().zip(some).for_each(|(to, some)| *to += times * some);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_of_equal_springs_rests_at_equal_distances() {
        let mut springs = Springs::new(3);
        springs.hold(0, 0.0, 1.0);
        springs.between(0, 1, 1.0);
        springs.between(1, 2, 1.0);
        springs.hold(2, 4.0, 1.0);
        let mut x = [9.0, 9.0, 9.0];
        springs.rest(&mut x);
        let close = |(x, wanted): (&f64, &f64)| (x - wanted).abs() < 1e-3;
        assert!(x.iter().zip(&[1.0, 2.0, 3.0]).all(close), "{x:?}");
    }
}
