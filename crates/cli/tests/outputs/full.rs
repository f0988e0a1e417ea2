//! An error stream on a full disk: nobody can be told, and the work goes on.

use super::*;

fn status(place: &Place, arguments: &[&str]) -> Option<i32> {
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    place.command(arguments).stdout(Stdio::null()).stderr(full).status().unwrap().code()
}

#[test]
fn a_full_error_stream_stops_nothing() {
    let place = Place::with_key();
    assert_eq!(
        status(&place, &["sign", "-k", "fw", "m"]),
        Some(0),
        "its remarks cannot be written"
    );
    assert!(place.path("m.sig").exists());
    assert_eq!(status(&place, &["sign", "-k", "none", "n"]), Some(2), "nor its refusal");
    assert_eq!(status(&place, &["sign", "-k", "none", "n", "--json"]), Some(2));
}
