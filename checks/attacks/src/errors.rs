//! `errors`: every call on a file, in every command, fails once with every error that a disk can
//! return, keeps failing, takes effect but reports a failure, or takes half its effect. After that
//! the key must work.

use nix::errno::Errno;

use crate::calls::Kind;
use crate::scenario::{Verdict, World};
use crate::strikes::{Case, Tally, drive};
use crate::trace::{Blow, Call, Strike};
use crate::yard::Setup;

/// Strikes every scenario.
pub fn run(setup: &Setup) -> Tally {
    drive(setup, "errors", &cases, &one)
}

fn cases(calls: &[Call]) -> Vec<Case> {
    let each = |(at, call): (usize, &Call)| {
        blows(call.kind)
            .into_iter()
            .map(move |blow| Case { first: Strike { at, blow }, again: None })
    };
    calls.iter().enumerate().flat_map(each).collect()
}

fn blows(kind: Kind) -> Vec<Blow> {
    let mut blows: Vec<Blow> = kind.errors().iter().map(|errno| Blow::Fail(*errno)).collect();
    if kind.has_parts() {
        blows.push(Blow::Half);
    }
    if kind.may_hide_success() {
        blows.push(Blow::Hide(Errno::EIO));
        blows.push(Blow::FailOn(Errno::ENOSPC));
    }
    blows.push(Blow::FailOn(Errno::EIO));
    blows
}

fn one(world: &World<'_>, case: &Case) -> Verdict {
    let struck = world.strike(Some(case.first));
    let mut verdict = world.judge(&struck);
    if !struck.answer.orderly() {
        let answer = &struck.answer;
        verdict.wrong.push(format!("ended with {}: {}", answer.status, answer.err.trim()));
    }
    let failed_sync = |call: &Call| call.kind == Kind::Sync;
    let hit = !matches!(case.first.blow, Blow::Half | Blow::Fail(Errno::EINTR))
        && struck.calls.get(case.first.at).is_some_and(failed_sync);
    if hit && verdict.good {
        let path = struck.calls[case.first.at].path.display();
        verdict.wrong.push(format!("status 0 although a sync failed: {path}"));
    }
    verdict
}
