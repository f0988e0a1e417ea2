//! `--witness`: etcd as the outside witness of a stateful key. Only with the feature `etcd`.

use hasten_store::Options;

#[cfg(feature = "etcd")]
use crate::etcd::EtcdName;

/// The outside witness of a key, if there is one.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Watch {
    /// Outside witness that detects a clone of the whole machine: a name in etcd and its members,
    /// such as fw@http://10.0.0.1:2379,http://10.0.0.2:2379. A key made with one is never opened
    /// without.
    #[cfg(feature = "etcd")]
    #[arg(long, value_name = "NAME@URL,...", value_parser = crate::etcd::name)]
    witness: Option<EtcdName>,
}

impl Watch {
    /// The options with the witness, which is asked before every use.
    pub fn over(&self, options: Options) -> Options {
        #[cfg(feature = "etcd")]
        if let Some(witness) = &self.witness {
            return witness.watching(options);
        }
        options
    }
}

/// The outside witness of a new shard.
#[derive(clap::Args, Clone, Debug)]
pub struct OutWatch {
    /// Outside witness of the new shard [default: in the same etcd as that of the key, under the
    /// key's name and the shard's range; none if the key has none].
    #[cfg(feature = "etcd")]
    #[arg(long, value_name = "NAME@URL,...", value_parser = crate::etcd::name)]
    out_witness: Option<EtcdName>,
}

impl OutWatch {
    /// The options of the shard that begins at index `first`, and its witness as `--witness` takes
    /// it. A witness watches one store: the shard cannot share its parent's.
    #[cfg_attr(not(feature = "etcd"), allow(unused_variables))]
    pub fn over(&self, options: Options, parent: &Watch, first: u64) -> (Options, Option<String>) {
        #[cfg(feature = "etcd")]
        {
            let derived = || parent.witness.as_ref().map(|witness| witness.of_shard(first));
            if let Some(witness) = self.out_witness.clone().or_else(derived) {
                return (witness.watching(options), Some(witness.to_string()));
            }
        }
        (options, None)
    }
}
