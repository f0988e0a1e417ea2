//! The plots of a search: texts do not overlap, and a single link gives no plot with one column of
//! dots.

use hasten_model::explore::plots;
use hasten_model::machines::doubled;
use hasten_model::profile::Profiles;
use hasten_model::study::{Asked, File};

/// Returns the plots of a search over these links, on `low` units, twice as many, and so on up to
/// `most`.
fn drawn(links: &str, low: usize, most: usize) -> Vec<(String, String)> {
    let file = serde_json::json!({
        "workload": { "alg": ["LMS_SHA256_M24_H10_W4", "LMS_SHA256_M32_H10_W2"] },
        "links": { "rates": [links] },
    });
    let file: File = serde_json::from_value(file).unwrap();
    let study = Asked::read(&file).unwrap().study(doubled(low, most, 0.1));
    let points = study.search(&Profiles::default(), &mut |_| true).unwrap();
    plots(&study.workload, &points)
}

/// Returns the bounding box of each text in a drawing (left, top, right, bottom), and the text.
fn boxes(svg: &str) -> Vec<([f64; 4], String)> {
    let number = |tag: &str, key: &str| -> f64 {
        let (_, rest) = tag.split_once(&format!("{key}=\"")).unwrap();
        rest.split('"').next().unwrap().parse().unwrap()
    };
    let text = |piece: &str| {
        let (tag, rest) = piece.split_once('>').unwrap();
        let words = rest.split('<').next().unwrap().to_owned();
        let (x, y) = (number(tag, " x"), number(tag, " y"));
        let width = 6.0 * words.chars().count() as f64;
        let left = match tag.split("text-anchor=\"").nth(1).unwrap().split('"').next() {
            Some("start") => x,
            Some("middle") => x - width / 2.0,
            _ => x - width,
        };
        ([left, y - 9.0, left + width, y + 2.0], words)
    };
    svg.split("<text ").skip(1).map(|piece| text(&format!(" {piece}"))).collect()
}

#[test]
fn no_text_lies_on_another_and_all_lie_inside() {
    for (links, low, most) in [("1Gbit", 8, 8), ("100Mbit..10Gbit", 1, 64), ("10Mbit", 1, 1)] {
        for (name, svg) in drawn(links, low, most) {
            let boxes = boxes(&svg);
            assert!(boxes.len() > 5, "{name}: {svg}");
            for (at, (a, first)) in boxes.iter().enumerate() {
                assert!(a[0] >= 0.0 && a[2] <= 760.0, "{name}: '{first}' leaves it");
                for (b, second) in &boxes[at + 1..] {
                    let beside = a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
                    assert!(beside, "{name}: '{first}' lies on '{second}'");
                }
            }
        }
    }
}

#[test]
fn the_front_has_every_choice_and_one_ring() {
    let front = |links| {
        let plots = drawn(links, 8, 8);
        plots.into_iter().filter(|(name, _)| name.starts_with("front-")).collect::<Vec<_>>()
    };
    assert_eq!(front("100Mbit..10Gbit").len(), 3);
    let one = front("1Gbit");
    let [(name, svg)] = &one[..] else { panic!("{} fronts of one link", one.len()) };
    assert_eq!(name, "front-1Gbit");
    let places = svg.split("cx=\"").skip(1).map(|piece| piece.split('"').next().unwrap());
    let places: std::collections::HashSet<_> = places.collect();
    assert!(places.len() > 8, "dots in {} columns", places.len());
    assert_eq!(svg.matches("<circle class=\"path\"").count(), 1);
}
