//! Names in etcd, as the command line takes them. Only with the feature `etcd`.

use std::fmt;
use std::time::Duration;

use hasten_store::Options;
use hasten_store_etcd::EtcdWitness;

/// A name and the members of the cluster that keeps it.
#[derive(Clone, Debug, PartialEq)]
pub struct EtcdName {
    /// The name.
    pub name: String,
    /// URLs of the members.
    pub members: Vec<String>,
}

impl EtcdName {
    /// The options with the witness of this name, which is asked before every use.
    pub fn watching(&self, options: Options) -> Options {
        options.witness(EtcdWitness::new(&self.members, &self.name, Duration::ZERO))
    }

    /// The name of the shard that begins at index `first`.
    pub fn of_shard(&self, first: u64) -> Self {
        Self { name: format!("{}-{first}", self.name), members: self.members.clone() }
    }
}

impl fmt::Display for EtcdName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.name, self.members.join(","))
    }
}

/// Reads `NAME@URL[,URL...]`.
pub fn name(text: &str) -> Result<EtcdName, String> {
    let (name, urls) = text.split_once('@').ok_or("no NAME@ before the members")?;
    let members: Vec<String> = urls.split(',').map(str::to_owned).collect();
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    if name.is_empty() || !name.chars().all(plain) || !members.iter().all(|url| is_url(url)) {
        return Err("expected NAME@http://HOST:PORT[,http://HOST:PORT...]".into());
    }
    Ok(EtcdName { name: name.into(), members })
}

fn is_url(text: &str) -> bool {
    text.strip_prefix("http://").is_some_and(|host| !host.is_empty() && !host.contains(['@', '/']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_their_text() {
        let text = "fw/line-2@http://10.0.0.1:2379,http://[::1]:2379";
        assert_eq!(name(text).map(|name| name.to_string()), Ok(text.to_owned()));
        let shard = name(text).expect("a name").of_shard(768).to_string();
        assert_eq!(shard, "fw/line-2-768@http://10.0.0.1:2379,http://[::1]:2379");
        for wrong in
            ["fw", "@http://a", "fw@", "fw@ftp://a", "fw@http://", "f w@http://a", "a@b@http://c"]
        {
            assert!(name(wrong).is_err(), "{wrong}");
        }
    }
}
