//! Names in etcd, together with the members of the cluster.

use std::fmt;
use std::str::FromStr;

/// A name and the members of its cluster: `NAME@URL[,URL...]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub name: String,
    /// URLs of the members.
    pub members: Vec<String>,
}

/// Reason why a text is not such a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BadName {
    /// The text has no `@` between name and members.
    NoName,
    /// The name has a character that is not allowed, or a member is not the URL of a host.
    Form,
}

impl fmt::Display for BadName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoName => "no NAME@ before the members",
            Self::Form => "expected NAME@https://HOST:PORT[,https://HOST:PORT...]",
        })
    }
}

impl std::error::Error for BadName {}

impl Name {
    /// Returns the name of the shard that begins at index `first`.
    pub fn of_shard(&self, first: u64) -> Self {
        Self { name: format!("{}-{first}", self.name), members: self.members.clone() }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.name, self.members.join(","))
    }
}

impl FromStr for Name {
    type Err = BadName;

    fn from_str(text: &str) -> Result<Self, BadName> {
        let (name, urls) = text.split_once('@').ok_or(BadName::NoName)?;
        let members: Vec<String> = urls.split(',').map(str::to_owned).collect();
        let plain = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
        if name.is_empty() || !name.chars().all(plain) || !members.iter().all(|url| is_url(url)) {
            return Err(BadName::Form);
        }
        Ok(Self { name: name.into(), members })
    }
}

fn is_url(text: &str) -> bool {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    host.is_some_and(|host| !host.is_empty() && !host.contains(['@', '/', '?', '#', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_their_text() {
        let text = "fw/line-2@https://10.0.0.1:2379,http://[::1]:2379";
        let name: Name = text.parse().expect("a name");
        assert_eq!(name.to_string(), text);
        let shard = name.of_shard(768).to_string();
        assert_eq!(shard, "fw/line-2-768@https://10.0.0.1:2379,http://[::1]:2379");
        for wrong in
            ["fw", "@http://a", "fw@", "fw@ftp://a", "fw@http://", "f w@http://a", "a@b@http://c"]
        {
            assert!(wrong.parse::<Name>().is_err(), "{wrong}");
        }
    }
}
