//! `--witness`: etcd as the outside witness of a stateful key. Only with the feature `etcd`.

use hasten_store::Options;

/// The outside witness of a key, if there is one.
#[derive(clap::Args, Clone, Debug)]
pub struct Watch {
    /// Outside witness that detects a clone of the whole machine: a name in etcd and its members,
    /// such as fw@http://10.0.0.1:2379,http://10.0.0.2:2379. A key made with one is never opened
    /// without.
    #[cfg(feature = "etcd")]
    #[arg(long, value_name = "NAME@URL,...", value_parser = watched)]
    witness: Option<Watched>,
}

/// A name and where it is kept.
#[cfg(feature = "etcd")]
#[derive(Clone, Debug)]
struct Watched {
    name: String,
    members: Vec<String>,
}

impl Watch {
    /// The options with the witness, which is asked before every use.
    pub fn over(&self, options: Options) -> Options {
        #[cfg(feature = "etcd")]
        if let Some(watched) = &self.witness {
            use hasten_store_etcd::EtcdWitness;
            let lease = std::time::Duration::ZERO;
            return options.witness(EtcdWitness::new(&watched.members, &watched.name, lease));
        }
        options
    }
}

#[cfg(feature = "etcd")]
fn watched(text: &str) -> Result<Watched, String> {
    let (name, urls) = text.split_once('@').ok_or("no NAME@ before the members")?;
    let members: Vec<String> = urls.split(',').map(str::to_owned).collect();
    if name.is_empty() || !members.iter().all(|url| url.starts_with("http://")) {
        return Err("expected NAME@http://HOST:PORT[,http://HOST:PORT...]".into());
    }
    Ok(Watched { name: name.into(), members })
}
