//! Permits for indices of a service: no index gets two permits, whatever the service returns.

use hasten_store::{
    Argument, Identity, Indices, NewKey, Options, Os, Remote, Service, Status, StoreError, Used,
};
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// A service that returns prepared ranges.
struct Told {
    ranges: Mutex<Vec<Range<u64>>>,
    status: Status,
    settled: Mutex<Vec<u64>>,
}

impl Service for Told {
    fn identity(&self) -> Identity {
        Identity { key_id: [1; 16], public: [2; 32] }
    }

    fn reserve(&self, _: u64) -> Result<Range<u64>, StoreError> {
        let mut ranges = self.ranges.lock().expect("not poisoned");
        ranges.pop().ok_or(StoreError::Exhausted { remaining: 0 })
    }

    fn check(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn settle(&self, used: Used<'_>) -> Result<(), StoreError> {
        self.settled.lock().expect("not poisoned").push(used(&(0..100)));
        Ok(())
    }

    fn end(&self, used: Used<'_>) -> Result<Status, StoreError> {
        self.settle(used).map(|()| self.status.clone())
    }

    fn status(&self) -> Status {
        self.status.clone()
    }

    fn acknowledge(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn retire(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

/// Returns a session with a service that hands out these ranges, from start to end, one after the
/// other.
fn remote(ranges: &[(u64, u64)]) -> Remote<Told> {
    let place = tempfile::tempdir().expect("a directory");
    let options = Options::new().guard(place.path().join("guard"));
    let store = options.create(place.path().join("key"), &NewKey::new(100)).expect("a store");
    let ranges = Mutex::new(ranges.iter().rev().map(|(from, to)| *from..*to).collect());
    let told = Told { ranges, status: store.status(), settled: Mutex::default() };
    Remote::new(told, Arc::new(Os))
}

#[test]
fn an_index_that_a_service_gives_again_makes_no_permit() {
    let mut remote = remote(&[(10, 14), (20, 24), (12, 16), (8, 11), (22, 26), (14, 18), (14, 18)]);
    let mut permits: Vec<_> = remote.reserve(4).expect("new").collect();
    permits.extend(remote.reserve(4).expect("new"));
    for again in [12, 10, 22] {
        let count = if again == 10 { 3 } else { 4 };
        let refused = remote.reserve(count).map(drop);
        assert_eq!(refused, Err(StoreError::ReservedTwice { index: again }));
    }
    permits.extend(remote.reserve(4).expect("between the two: new"));
    assert_eq!(remote.reserve(4).map(drop), Err(StoreError::ReservedTwice { index: 14 }));
    let indices: Vec<u64> = permits.iter().map(|p| p.index()).collect();
    assert_eq!(indices, [10, 11, 12, 13, 20, 21, 22, 23, 14, 15, 16, 17]);
}

#[test]
fn a_service_that_gives_another_count_is_not_believed() {
    let mut remote = remote(&[(0, 3), (5, 5), (7, 6), (9, 9)]);
    for count in [4, 1, 1] {
        let refused = Err(StoreError::Argument(Argument::OtherCount));
        assert_eq!(remote.reserve(count).map(drop), refused);
    }
    let refused = Err(StoreError::Argument(Argument::NoCount));
    assert_eq!(remote.reserve(0).map(drop), refused, "the service is not asked");
}

#[test]
fn what_was_used_reaches_the_service_and_permits_die_with_the_session() {
    let mut remote = remote(&[(0, 4)]);
    let mut permits = remote.reserve(4).expect("four");
    let (one, two) = (permits.next().expect("one"), permits.next().expect("two"));
    one.record().expect("recorded");
    remote.flush().expect("settled");
    assert_eq!(*remote.service().settled.lock().expect("not poisoned"), [1]);
    Box::new(remote).close().expect("closed");
    assert_eq!(two.check(), Err(StoreError::Closed));
    assert_eq!(two.record(), Err(StoreError::Closed));
}
