//! Spreads cells over a die: half of the cells by area goes to half of the die, and so on
//! recursively.

/// A position on the die, micrometres.
pub type Place = [f64; 2];

/// Returns a place for each cell, distributed evenly over a square with this side, approximately in
/// the order of `from`. A cell without an area keeps its place.
pub fn even(from: &[Place], areas: &[f64], side: f64) -> Vec<Place> {
    let mut places = from.to_vec();
    let mut cells: Vec<usize> = (0..from.len()).filter(|cell| areas[*cell] > 0.0).collect();
    halve(&mut cells, from, areas, ([0.0; 2], [side; 2]), &mut places);
    places
}

fn halve(
    cells: &mut [usize],
    from: &[Place],
    areas: &[f64],
    (low, high): (Place, Place),
    places: &mut [Place],
) {
    if cells.len() < 2 {
        cells.iter().for_each(|cell| places[*cell] = middle(low, high));
        return;
    }
    let axis = usize::from(high[1] - low[1] > high[0] - low[0]);
    cells.sort_by(|a, b| from[*a][axis].total_cmp(&from[*b][axis]).then(a.cmp(b)));
    let area: f64 = cells.iter().map(|cell| areas[*cell]).sum();
    let (mut count, mut below) = (0, 0.0);
    while count < cells.len() - 1 && (count == 0 || below < area / 2.0) {
        below += areas[cells[count]];
        count += 1;
    }
    let cut = low[axis] + (high[axis] - low[axis]) * below / area;
    let (mut low_end, mut high_begin) = (high, low);
    (low_end[axis], high_begin[axis]) = (cut, cut);
    let (first, rest) = cells.split_at_mut(count);
    halve(first, from, areas, (low, low_end), places);
    halve(rest, from, areas, (high_begin, high), places);
}

fn middle(low: Place, high: Place) -> Place {
    [(low[0] + high[0]) / 2.0, (low[1] + high[1]) / 2.0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_in_one_point_are_spread_and_keep_their_order() {
        let from: Vec<Place> = (0..64).map(|i| [5.0 + f64::from(i % 8) * 1e-3, 5.0]).collect();
        let places = even(&from, &[1.0; 64], 8.0);
        let near = |a: &Place, b: &Place| (a[0] - b[0]).abs() + (a[1] - b[1]).abs() < 0.9;
        for (i, a) in places.iter().enumerate() {
            assert!(places[..i].iter().all(|b| !near(a, b)), "{a:?}");
            assert!(a.iter().all(|x| (0.0..8.0).contains(x)));
        }
        assert!(places[0][0] < places[7][0]);
    }
}
