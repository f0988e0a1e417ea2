//! Groups of pins that are near each other.

use super::spread::Place;

/// Returns groups of at most `most` places, as indexes of `places`. The places are halved
/// repeatedly, along the longer side of the area that they cover.
pub fn groups(places: &[Place], most: usize) -> Vec<Vec<usize>> {
    let (mut open, mut done) = (vec![(0..places.len()).collect::<Vec<usize>>()], Vec::new());
    while let Some(mut group) = open.pop() {
        if group.len() <= most {
            done.push(group);
            continue;
        }
        let extent = |axis: usize| {
            let all = || group.iter().map(|at| places[*at][axis]);
            all().fold(f64::MIN, f64::max) - all().fold(f64::MAX, f64::min)
        };
        let axis = usize::from(extent(1) > extent(0));
        group.sort_by(|a, b| places[*a][axis].total_cmp(&places[*b][axis]).then(a.cmp(b)));
        let rest = group.split_off(group.len() / 2);
        open.extend([rest, group]);
    }
    done
}

/// Returns the mean of the places of a group.
pub fn middle(group: &[usize], places: &[Place]) -> Place {
    let mean = |axis: usize| {
        group.iter().map(|at| places[*at][axis]).sum::<f64>() / group.len().max(1) as f64
    };
    [mean(0), mean(1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_places_are_in_one_group() {
        let places: Vec<Place> =
            (0..32).map(|at| [f64::from(at % 4) * 100.0 + f64::from(at), 1.0]).collect();
        let found = groups(&places, 8);
        assert_eq!(found.len(), 4);
        for group in &found {
            assert!(group.iter().all(|at| at % 4 == group[0] % 4), "{found:?}");
        }
        assert_eq!(middle(&[0, 4], &places), [2.0, 1.0]);
    }
}
