//! Reservation in advance: signing does not wait for a slow commit.

use hasten_store::{
    Ahead, Identity, Indices, Interval, NewKey, Options, Policy, Status, Store, StoreError,
};
use std::path::Path;
use std::time::{Duration, Instant};

/// A store on a disk whose commits take 8 ms.
struct Slow(Store);

const COMMIT: Duration = Duration::from_millis(8);

impl Indices for Slow {
    fn identity(&self) -> Identity {
        self.0.identity()
    }

    fn reserve(&mut self, count: u64) -> Result<Interval, StoreError> {
        std::thread::sleep(COMMIT);
        self.0.reserve(count)
    }

    fn record(&self, index: u64) -> Result<(), StoreError> {
        self.0.record(index)
    }

    fn flush(&mut self) -> Result<(), StoreError> {
        self.0.flush()
    }

    fn status(&self) -> Status {
        self.0.status()
    }

    fn last_commit(&self) -> Duration {
        self.0.last_commit() + COMMIT
    }

    fn acknowledge(&mut self) -> Result<(), StoreError> {
        self.0.acknowledge()
    }

    fn retire(&mut self) -> Result<(), StoreError> {
        self.0.retire()
    }

    fn close(self: Box<Self>) -> Result<Status, StoreError> {
        self.0.close()
    }
}

fn store(place: &Path, capacity: u64) -> Store {
    let key = NewKey { threshold: 0, ..NewKey::new(capacity) };
    Options::new().guard(place.join("guard")).create(place.join("key"), &key).expect("a store")
}

#[test]
fn a_thread_keeps_the_pool_filled_through_slow_commits() {
    let place = tempfile::tempdir().expect("a directory");
    let ahead =
        Ahead::new(Slow(store(place.path(), 1 << 20)), Policy { burst: 32, ..Policy::default() });
    let (tap, keeper) = (ahead.tap(), ahead.spawn());
    tap.take(Duration::from_secs(10)).expect("the first, waited for").record().expect("recorded");
    let (mut late, signatures) = (0, 600);
    for _ in 0..signatures {
        std::thread::sleep(Duration::from_millis(1));
        let begun = Instant::now();
        let permit = tap.take(Duration::from_secs(10)).expect("one");
        permit.check().expect("good");
        late += u64::from(begun.elapsed() >= COMMIT / 2);
        permit.record().expect("recorded");
    }
    assert!(late <= signatures / 50, "{late} of {signatures} waited for a commit");
    let status = keeper.stop().expect("the store").0.close().expect("closed");
    assert_eq!(status.used, signatures + 1);
    assert_eq!(status.used + status.lost, status.next);
}

#[test]
fn without_a_thread_ticks_fill_the_pool() {
    let place = tempfile::tempdir().expect("a directory");
    let mut ahead = Ahead::new(
        store(place.path(), 100),
        Policy { interval: 10, burst: 2, most: 10, ..Policy::default() },
    );
    let tap = ahead.tap();
    assert_eq!(tap.take(Duration::ZERO).map(drop), Err(StoreError::Empty));
    assert_eq!(ahead.tick(), Ok(true));
    assert_eq!((tap.available(), ahead.tick()), (10, Ok(false)));
    (0..8).for_each(|_| tap.take(Duration::ZERO).expect("one").record().expect("recorded"));
    assert_eq!((ahead.tick(), tap.available()), (Ok(true), 12));
    assert_eq!(ahead.into_store().close().expect("closed").lost, 12);
}

#[test]
fn an_exhausted_key_says_so_at_the_tap() {
    let place = tempfile::tempdir().expect("a directory");
    let keeper = Ahead::new(store(place.path(), 5), Policy::default()).spawn();
    let tap = keeper.tap();
    let taken: Vec<u64> =
        (0..5).map(|_| tap.take(Duration::from_secs(10)).expect("one").index()).collect();
    assert_eq!(taken, [0, 1, 2, 3, 4]);
    assert_eq!(
        tap.take(Duration::from_secs(10)).map(drop),
        Err(StoreError::Exhausted { remaining: 0 })
    );
}

#[test]
fn no_more_is_reserved_than_there_are_messages() {
    let place = tempfile::tempdir().expect("a directory");
    let policy = Policy { interval: 4, burst: 2, total: 6, ..Policy::default() };
    let keeper = Ahead::new(store(place.path(), 1000), policy).spawn();
    let tap = keeper.tap();
    for _ in 0..6 {
        tap.take(Duration::from_secs(10)).expect("one").record().expect("recorded");
    }
    assert_eq!(tap.take(Duration::from_secs(10)).map(drop), Err(StoreError::Empty));
    let status = keeper.stop().expect("the store").close().expect("closed");
    assert_eq!((status.used, status.lost, status.next), (6, 0, 6));
}
