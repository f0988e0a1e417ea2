//! The appendix's own algorithms of round 3, in a build that has them.

use hasten_keys::registry;

use super::handshake::group_of;

/// Returns our name of what wolfSSL calls so.
fn named(theirs: &str, otherwise: &'static str) -> &'static str {
    registry::find(theirs).map_or(otherwise, |row| row.name.as_str())
}

/// Returns the appendix's own algorithm and group where they are of round 3; `ours` are today's.
pub fn combination(
    auth: &str,
    group: &str,
    ours: (&'static str, &'static str),
) -> Option<(&'static str, &'static str)> {
    let own = (named(auth, ours.0), named(group, ours.1));
    (own != ours).then_some(own)
}

/// Returns the same where this build has the group.
pub fn built_in(
    auth: &str,
    group: &str,
    ours: (&'static str, &'static str),
) -> Option<(&'static str, &'static str)> {
    combination(auth, group, ours).filter(|(_, group)| group_of(group).is_ok())
}
