//! The number of trees that a subscriber keeps is limited, whatever is announced.

use crate::memory::{ABOVE, Ends, Memory, SESSION, message};
use hasten_channel::{Event, MOST_TREES, Refusal};

#[test]
fn a_few_trees_are_kept_the_newest_ones() {
    let mut runs: Vec<Ends> =
        (0..7).map(|used| Ends::over(Memory::used(ABOVE, 7, used), SESSION)).collect();
    let sealed: Vec<_> = runs.iter_mut().map(|run| run.seal(b"x")).collect();
    let announced: Vec<_> = runs.iter().map(|run| run.announcements().remove(0)).collect();
    let subscriber = &mut runs[0].subscriber;
    for number in [5, 3, 1, 4] {
        assert_eq!(subscriber.open(&announced[number]), Ok(Event::NewTree(number as u64)));
    }
    assert_eq!(MOST_TREES, 4);
    assert_eq!(subscriber.open(&announced[0]), Err(Refusal::Stale), "older than all that are kept");
    assert_eq!(subscriber.open(&announced[2]), Ok(Event::NewTree(2)), "tree 1 gives way");
    assert_eq!(subscriber.open(&sealed[1]), Err(Refusal::UnknownTree));
    assert_eq!(subscriber.open(&announced[1]), Err(Refusal::Stale));
    message(subscriber, &sealed[4]).unwrap();
    assert_eq!(subscriber.open(&sealed[3]), Err(Refusal::Stale), "an earlier run");
    message(subscriber, &sealed[5]).unwrap();
    assert_eq!(subscriber.newest_tree(), Some(5));
}
