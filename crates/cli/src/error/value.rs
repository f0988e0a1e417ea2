//! Invalid values of arguments.

use crate::suggest::listed;

/// An invalid value of an argument. Its text is the sentence to print.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BadValue {
    /// Not a time.
    #[error("'{0}' is not a time")]
    Time(String),
    /// Neither a time nor a way to wait for messages.
    #[error("'{0}' is neither a time nor a way to wait")]
    Wait(String),
    /// Not an address of UDP.
    #[error("'{0}' is not udp://HOST:PORT")]
    Address(String),
    /// Not a memory address.
    #[error("'{0}' is not an address")]
    Place(String),
    /// Not an interface.
    #[error("'{0}' names no interface")]
    Interface(String),
    /// Not a link rate.
    #[error("'{0}' is not a link rate")]
    Rate(String),
    /// Not a day or a moment.
    #[error("'{0}' is not a day or a moment")]
    Moment(String),
    /// Not a number of samples, bytes or anything else that is counted.
    #[error("'{0}' is not a whole number above 0")]
    Count(String),
    /// Not a number of bytes from 1 to `most`.
    #[error("'{given}' is not a number of bytes from 1 to {most}")]
    Bytes { given: String, most: usize },
    /// A set whose signatures cannot be prepared.
    #[error("{0} has no levels of preparation")]
    NoLevels(&'static str),
    /// An algorithm that is not hash-based.
    #[error("{0} is no hash-based parameter set")]
    NoTrees(String),
    /// A set whose key generation is not analysed.
    #[error("making a key of {0} is not recorded")]
    NoKeygen(&'static str),
    /// A certificate that would end before it begins.
    #[error("{end} is before the first second, {begin}")]
    NeverValid { begin: String, end: String },
    /// More signatures than one key can be made for.
    #[error("{given} signatures are more than the {most} that one key is made for")]
    Signatures { given: String, most: String },
    /// A family of parameter sets instead of a single set.
    #[error("'{given}' names a family of parameter sets: one of them is needed")]
    Family { given: String, example: &'static str },
    /// `--burn` for a command other than `recover`.
    #[error("a refusal is overridden by 'hasten recover KEY' alone")]
    Burn,
    /// An unknown `what`. `near` are the names that were probably meant.
    #[error("unknown {what} '{given}'")]
    Name { what: &'static str, given: String, near: Vec<&'static str> },
}

impl BadValue {
    /// Returns an example, or the names that were probably meant.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Wait(_) => Some("a time, for example 5s; or 'spin' or 'block'".to_owned()),
            Self::Time(_) => Some("a number and a unit, for example 100us, 2.5ms or 1s".to_owned()),
            Self::Rate(_) => {
                Some("a number and a unit, for example 1Gbit, 100Mbit or 2.5Gbit".to_owned())
            }
            Self::Address(_) => Some("for example udp://239.1.2.3:5000".to_owned()),
            Self::Place(_) => Some("for example 0x20000000".to_owned()),
            Self::Interface(_) => {
                Some("its IPv4 address, for example 192.0.2.7; for IPv6 its number".to_owned())
            }
            Self::Moment(_) => Some("for example 2030-01-31 or 2030-01-31T12:00:00Z".to_owned()),
            Self::Count(_) => Some("for example 1000".to_owned()),
            Self::Bytes { .. } => Some("for example 64".to_owned()),
            Self::NoLevels(_) => {
                Some("for example XMSS-SHA2_10_256; 'hasten list' shows all".to_owned())
            }
            Self::NoTrees(_) => Some(
                "a set of XMSS, XMSS^MT, LMS, HSS or SLH-DSA, for example XMSS-SHA2_10_256; 'hasten list' shows all"
                    .to_owned(),
            ),
            Self::NoKeygen(_) => {
                Some("the sets of SLH-DSA, for example SLH-DSA-SHA2-128s".to_owned())
            }
            Self::NeverValid { .. } | Self::Signatures { .. } => None,
            Self::Family { example, .. } => Some(format!(
                "for example {example}; 'hasten list' shows sets, 'hasten keygen --for firmware --signatures N' picks one"
            )),
            Self::Burn => Some(
                "'hasten recover -k DIR' shows what is known, and goes on behind it".to_owned(),
            ),
            Self::Name { what, near, .. } => {
                let near = (!near.is_empty()).then(|| format!("did you mean {}?", listed(near)));
                let is_listed = ["algorithm", "parameter set"].contains(what);
                let all = is_listed.then(|| "'hasten list' shows the names".to_owned());
                near.or(all)
            }
        }
    }
}
