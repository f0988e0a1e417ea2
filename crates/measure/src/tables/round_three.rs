//! The round-3 algorithms of the appendix, in a build that has them.

use hasten_keys::registry;

use super::handshake::group_of;

/// Returns Hasten's name of the algorithm that wolfSSL names `theirs`, or `otherwise`.
fn named(theirs: &str, otherwise: &'static str) -> &'static str {
    registry::find(theirs).map_or(otherwise, |row| row.name.as_str())
}

/// Returns the algorithm and group of the appendix if they are of round 3; `ours` is the
/// combination used today.
pub fn combination(
    auth: &str,
    group: &str,
    ours: (&'static str, &'static str),
) -> Option<(&'static str, &'static str)> {
    let own = (named(auth, ours.0), named(group, ours.1));
    (own != ours).then_some(own)
}

/// Returns the same as [`combination`], but only if this build has the group.
pub fn built_in(
    auth: &str,
    group: &str,
    ours: (&'static str, &'static str),
) -> Option<(&'static str, &'static str)> {
    combination(auth, group, ours).filter(|(_, group)| group_of(group).is_ok())
}
