//! Tests with real etcd. They need `etcd` and `etcdctl` (Debian: etcd-server, etcd-client);
//! `./test etcd` runs them.

mod cluster;
mod proxy;

use cluster::Cluster;
use hasten_store::{CellWitness, Identity, Interval, MacKey, NewKey, Options, Reason, StoreError};
use hasten_store_etcd::{Access, EtcdCell, EtcdStore, Fleet};
use proxy::{Mode, Proxy};
use std::collections::HashSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

fn guard(cluster: &Cluster, signer: usize) -> PathBuf {
    cluster.place.path().join(format!("signer-{signer}.guard"))
}

fn fleet(cluster: &Cluster, signer: usize) -> Fleet {
    let lease = Duration::from_millis(200);
    Fleet::new(&cluster.urls(), "firmware", guard(cluster, signer))
        .patience(Duration::from_secs(1))
        .lease(lease)
        .key(MacKey::new(&[7; 32]))
}

/// Returns a new signer that joined with the token of another one.
fn joined(cluster: &Cluster, signer: usize, from: &EtcdStore) -> EtcdStore {
    let token = from.service().token().expect("a token");
    fleet(cluster, signer).join(&token).open().expect("joined")
}

fn reason<T>(result: Result<T, StoreError>) -> Option<Reason> {
    match result {
        Err(StoreError::Refused(refusal)) => Some(refusal.reason),
        _ => None,
    }
}

fn is_refused<T>(result: Result<T, StoreError>) -> bool {
    matches!(result, Err(StoreError::Refused(r)) if r.reason == Reason::Service)
}

/// The work of one signer.
#[derive(Default)]
struct Work {
    used: Vec<u64>,
    unknown: u64,
}

/// Reserves and uses indices until the time is over. Continues after every error except a refusal.
fn sign(mut store: EtcdStore, end: Instant) -> Work {
    let mut work = Work::default();
    while Instant::now() < end {
        match store.reserve(3) {
            Ok(interval) => use_some(interval, &mut work),
            Err(StoreError::Refused(r)) => panic!("refused: {r}"),
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
        }
        drop(store.flush());
    }
    work.unknown = store.service().unknown();
    drop(store.close());
    work
}

/// Uses the indices of an interval except every tenth, which is reserved and lost.
fn use_some(interval: Interval, work: &mut Work) {
    for permit in interval.filter(|p| p.index() % 10 != 0) {
        if permit.check().is_ok() {
            work.used.push(permit.index());
            permit.record().expect("recorded once");
        }
    }
}

#[test]
#[ignore = "needs etcd: ./test etcd"]
fn ten_signers_while_the_leader_dies() {
    let mut cluster = Cluster::start(3);
    let mut stores = vec![fleet(&cluster, 0).create(1 << 30, 0).expect("a key")];
    stores.extend((1..10).map(|i| joined(&cluster, i, &stores[0])).collect::<Vec<_>>());
    let end = Instant::now() + Duration::from_secs(8);
    let signers: Vec<_> =
        stores.into_iter().map(|s| std::thread::spawn(move || sign(s, end))).collect();
    std::thread::sleep(Duration::from_secs(3));
    cluster.kill_leader();
    let works: Vec<Work> = signers.into_iter().map(|s| s.join().expect("a signer")).collect();
    let used: Vec<u64> = works.iter().flat_map(|w| w.used.iter().copied()).collect();
    let distinct: HashSet<u64> = used.iter().copied().collect();
    assert_eq!(distinct.len(), used.len(), "an index was used twice");
    (0..10).for_each(|i| drop(fleet(&cluster, i).open().expect("opened again")));
    let status =
        fleet(&cluster, 0).open().expect("opened").service().account().expect("an account");
    println!(
        "{} used, {} unknown, {status:?}",
        used.len(),
        works.iter().map(|w| w.unknown).sum::<u64>()
    );
    assert!(works.iter().all(|w| !w.used.is_empty()), "every signer signed");
    assert_eq!(status.reserved, 0, "every session is settled");
    assert_eq!(status.used + status.lost, status.next, "a loss was silent");
    assert!(status.used <= used.len() as u64 && used.len() as u64 <= status.used + status.lost);
    assert!(distinct.iter().all(|i| *i < status.next));
}

#[test]
#[ignore = "needs etcd: ./test etcd"]
fn a_restored_snapshot_is_refused_by_every_signer() {
    for token in ["fresh", "other"] {
        let mut cluster = Cluster::start(1);
        let mut first = fleet(&cluster, 0).create(1000, 0).expect("a key");
        drop(first.reserve(5).expect("five"));
        let mut second = joined(&cluster, 1, &first);
        let snapshot = cluster.snapshot();
        let mut held: Vec<Interval> =
            vec![first.reserve(5).expect("five"), second.reserve(5).expect("five")];
        cluster.restore(&snapshot, token);
        std::thread::sleep(Duration::from_millis(300));
        for interval in &mut held {
            let permit = interval.next().expect("one");
            assert!(is_refused(permit.check()), "{token}: a permit of the lost history");
        }
        assert!(
            is_refused(first.reserve(1)) && is_refused(second.reserve(1)),
            "{token}: live signers"
        );
        let alone = reason(fleet(&cluster, 2).open().map(drop));
        assert_eq!(alone, Some(Reason::NoGuard), "{token}: a new signer needs a token");
        drop((first, second, held));
        assert!(
            is_refused(fleet(&cluster, 0).open().map(drop)),
            "{token}: after a restart of the signer"
        );
        let mut store = fleet(&cluster, 1).burn(7).open().expect("overridden");
        assert_eq!(
            store.reserve(1).expect("one").range(),
            22..23,
            "behind the guard's next index and what was burned"
        );
    }
}

#[test]
#[ignore = "needs etcd: ./test etcd"]
fn a_service_that_is_gone_hands_out_nothing_and_loses_nothing() {
    let mut cluster = Cluster::start(1);
    let mut store = fleet(&cluster, 0).create(100, 0).expect("a key");
    drop(store.reserve(4).expect("four"));
    cluster.kill_leader();
    assert!(matches!(store.reserve(1), Err(StoreError::ServiceUnreachable)));
    std::thread::sleep(Duration::from_millis(250));
}

#[test]
#[ignore = "needs etcd: ./test etcd"]
fn etcd_as_witness_refuses_a_clone_of_the_machine() {
    let cluster = Cluster::start(1);
    let place = cluster.place.path();
    let witness = || {
        let (access, patience) = (Access::new(), Duration::from_secs(2));
        let cell = EtcdCell::new(&cluster.urls(), &access, "box", patience).expect("loopback");
        CellWitness::new(cell).key(|| Ok(Some(MacKey::new(&[7; 32]))))
    };
    let open = |dir: &str| {
        Options::new()
            .witness(witness())
            .guard(place.join(format!("{dir}.guard")))
            .open(place.join(dir))
    };
    let options = Options::new().witness(witness()).guard(place.join("a.guard"));
    drop(options.create(place.join("a"), &NewKey::new(100)).expect("a key"));
    std::fs::create_dir(place.join("b")).expect("a directory");
    for file in std::fs::read_dir(place.join("a")).expect("a directory").flatten() {
        std::fs::copy(file.path(), place.join("b").join(file.file_name())).expect("a copy");
    }
    std::fs::copy(place.join("a.guard"), place.join("b.guard")).expect("a copy");
    let (mut a, mut b) =
        (open("a").expect("opened"), open("b").expect("the clone, before either moves"));
    let permit = a.reserve(1).expect("one").next().expect("one");
    assert_eq!(permit.check(), Ok(()), "confirmed with the witness");
    assert!(matches!(b.reserve(1), Err(StoreError::WitnessMoved)));
    drop(b);
    assert!(
        matches!(open("b").map(drop), Err(StoreError::Refused(r)) if r.reason == Reason::Witness)
    );
    assert_eq!(permit.record(), Ok(()));
}

#[test]
#[ignore = "needs etcd: ./test etcd"]
fn two_processes_of_one_signer_and_a_second_key_of_the_same_name_are_refused() {
    let cluster = Cluster::start(1);
    let store = fleet(&cluster, 0).create(10, 0).expect("a key");
    assert!(matches!(fleet(&cluster, 0).open().map(drop), Err(StoreError::Busy { .. })));
    assert!(matches!(fleet(&cluster, 1).create(10, 0).map(drop), Err(StoreError::Exists)));
    drop(store);
    let mut store = fleet(&cluster, 0).open().expect("opened");
    let mut interval = store.reserve(10).expect("ten");
    interval.next().expect("one").record().expect("recorded");
    assert!(matches!(store.reserve(1), Err(StoreError::Exhausted { remaining: 0 })));
    let status = store.close().expect("closed");
    assert_eq!((status.used, status.lost, status.remaining), (1, 9, 0));
}

/// Returns a signer whose first member is a proxy and whose second is the member itself.
fn through(cluster: &Cluster, proxy: &Proxy) -> Fleet {
    let members = [vec![proxy.url.clone()], cluster.urls()].concat();
    Fleet::new(&members, "firmware", guard(cluster, 0))
        .patience(Duration::from_millis(500))
        .key(MacKey::new(&[7; 32]))
}

#[test]
#[ignore = "needs etcd: ./test etcd"]
fn an_answer_that_is_lost_is_read_back() {
    let cluster = Cluster::start(1);
    drop(fleet(&cluster, 0).create(100, 0).expect("a key"));
    let proxy = Proxy::before(&cluster.urls()[0]);
    let mut store = through(&cluster, &proxy).open().expect("opened");
    proxy.next(Mode::SwallowAnswer);
    assert_eq!(store.reserve(4).expect("found by its token").range(), 0..4);
    assert_eq!((store.reserve(1).expect("one").range(), store.service().unknown()), (4..5, 0));
}

#[test]
#[ignore = "needs etcd: ./test etcd"]
fn a_request_that_may_be_lost_is_never_tried_again() {
    for mode in [Mode::SwallowRequest, Mode::Late(Duration::from_millis(1200))] {
        let cluster = Cluster::start(1);
        drop(fleet(&cluster, 0).create(100, 0).expect("a key"));
        let proxy = Proxy::before(&cluster.urls()[0]);
        let mut store = through(&cluster, &proxy).open().expect("opened");
        proxy.next(mode);
        assert!(matches!(store.reserve(4), Err(StoreError::Unknown)));
        std::thread::sleep(Duration::from_millis(2000));
        let arrived = if mode == Mode::SwallowRequest { 0 } else { 4 };
        assert_eq!(
            (store.reserve(1).expect("one").range(), store.service().unknown()),
            (arrived..arrived + 1, 1)
        );
        let status = store.close().expect("closed");
        assert_eq!(
            (status.lost, status.next),
            (arrived + 1, arrived + 1),
            "what arrived late is lost, and counted"
        );
    }
}

/// A snapshot is restored with the defaults of etcdctl: same names, same peers, same token.
#[test]
#[ignore = "needs etcd: ./test etcd"]
fn a_cluster_restored_by_its_defaults_is_refused_by_an_idle_and_by_a_new_signer() {
    let mut cluster = Cluster::start(1);
    let mut active = fleet(&cluster, 0).create(1000, 0).expect("a key");
    (0..10).for_each(|_| drop(active.reserve(1).expect("one")));
    drop(joined(&cluster, 1, &active));
    let token = active.service().token().expect("a token");
    let snapshot = cluster.snapshot();
    drop(active.reserve(20).expect("these are lost by the restoring"));
    cluster.restore(&snapshot, "fresh");
    let idle = reason(fleet(&cluster, 1).open().map(drop));
    let new = reason(fleet(&cluster, 2).join(&token).open().map(drop));
    assert_eq!((idle, new), (Some(Reason::Service), Some(Reason::Service)));
    assert_eq!(reason(fleet(&cluster, 3).open().map(drop)), Some(Reason::NoGuard));
    assert!(is_refused(active.reserve(1)));
}

#[test]
#[ignore = "needs etcd: ./test etcd"]
fn a_signer_joins_with_a_token_of_its_own_fleet_alone() {
    let cluster = Cluster::start(1);
    let first = fleet(&cluster, 0).create(100, 0).expect("a key");
    let elsewhere = Fleet::new(&cluster.urls(), "other", guard(&cluster, 5));
    let elsewhere = elsewhere.key(MacKey::new(&[7; 32])).create(100, 0).expect("another key");
    for wrong in [String::new(), "hf1.0".into(), elsewhere.service().token().expect("a token")] {
        let refused = reason(fleet(&cluster, 1).join(&wrong).open().map(drop));
        assert_eq!(refused, Some(Reason::ForeignGuard), "{wrong}");
    }
    let mut second = joined(&cluster, 1, &first);
    assert_eq!(second.reserve(1).expect("one").range(), 0..1);
    drop(second);
    let again = fleet(&cluster, 1).open().expect("it has its guard now");
    drop(again);
    let status = fleet(&cluster, 1).peek().expect("an account");
    assert_eq!(status.refused, None);
}

#[test]
#[ignore = "needs etcd: ./test etcd"]
fn the_state_of_another_key_is_refused_and_not_touched() {
    let cluster = Cluster::start(1);
    let first = fleet(&cluster, 0).create(100, 0).expect("a key");
    let before = first.service().account().expect("an account");
    let other = Identity { key_id: [9; 16], public: [9; 32] };
    let token = first.service().token().expect("a token");
    for signer in [0, 1] {
        drop(fleet(&cluster, 0).open());
        let wrong = fleet(&cluster, signer + 1).join(&token).expect(other).burn(5).open();
        assert_eq!(reason(wrong.map(drop)), Some(Reason::OtherKey));
    }
    assert_eq!(first.service().account().expect("an account"), before);
}

/// What a stranger can do who can write to etcd but has no MAC key.
#[test]
#[ignore = "needs etcd: ./test etcd"]
fn values_that_the_fleet_did_not_write_are_refused() {
    let cluster = Cluster::start(1);
    let mut first = fleet(&cluster, 0).create(100, 0).expect("a key");
    let older = cluster.get("hasten/key/firmware/state");
    drop(first.reserve(4).expect("four"));
    let newest = cluster.get("hasten/key/firmware/state");
    let (mac, json) = newest.split_once(' ').expect("a MAC");
    let forged = json.replace("\"next\":4", "\"next\":0");
    assert_ne!(forged, json);
    for value in [forged.clone(), format!("{mac} {forged}"), "{}".into(), older] {
        cluster.put("hasten/key/firmware/state", &value);
        assert!(is_refused(first.reserve(1)), "{value}");
        let status = fleet(&cluster, 0).peek();
        let refused = status.map_or(true, |status| status.refused.is_some());
        assert!(refused, "{value}");
    }
}
