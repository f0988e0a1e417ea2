//! Conversions of the libraries' errors into those of the command.

use super::{Channel, Error};

impl From<clap::Error> for Error {
    fn from(error: clap::Error) -> Self {
        Self::Arguments(error)
    }
}

impl From<hasten_process::Error> for Error {
    fn from(error: hasten_process::Error) -> Self {
        use hasten_process::Error as Process;
        match error {
            Process::Interrupted => Self::Interrupted,
            Process::Output { path, why } => Self::Output { path, why },
            Process::File { path, doing, cause } => Self::File { path, doing, cause },
            Process::System { doing, cause } => Self::System { doing, cause },
            other => Self::Process(other),
        }
    }
}

impl From<hasten_channel_udp::Error> for Error {
    fn from(error: hasten_channel_udp::Error) -> Self {
        match error {
            hasten_channel_udp::Error::Process(error) => error.into(),
            other => Self::Channel(Channel::End(other)),
        }
    }
}

impl From<hasten_hbs::Error> for Error {
    fn from(error: hasten_hbs::Error) -> Self {
        match error {
            hasten_hbs::Error::Stopped => Self::Interrupted,
            other => Self::Scheme(other),
        }
    }
}

#[cfg(feature = "rtl")]
impl From<hasten_rtlsim::engine::Error> for Error {
    fn from(error: hasten_rtlsim::engine::Error) -> Self {
        Self::Engine(error.sentence())
    }
}

#[cfg(feature = "measure")]
impl From<hasten_measure::Error> for Error {
    fn from(error: hasten_measure::Error) -> Self {
        use hasten_measure::Error as Measured;
        match error {
            Measured::Stopped => Self::Interrupted,
            Measured::Rejected { alg, index } => Self::Rejected { alg, index },
            Measured::Scheme(error) => Self::Scheme(error),
            Measured::Engine(why) => Self::Engine(why),
            Measured::System { doing, cause } => Self::System { doing, cause },
            #[cfg(feature = "aws-lc")]
            Measured::NotBuiltIn(alg) => Self::NotBuiltIn(alg),
            #[cfg(feature = "aws-lc")]
            Measured::Tls(_)
            | Measured::Table(_)
            | Measured::Build(_)
            | Measured::Object(_)
            | Measured::Side { .. } => Self::Tls(error.to_string()),
            other => Self::system("measuring")(std::io::Error::other(other.to_string())),
        }
    }
}

#[cfg(feature = "aws-lc")]
impl From<rustls_hasten::endpoint::Error> for Error {
    fn from(error: rustls_hasten::endpoint::Error) -> Self {
        use rustls_hasten::endpoint::Error as End;
        match error {
            End::Connecting(cause) => Self::System { doing: "connecting", cause },
            other => Self::Tls(other.to_string()),
        }
    }
}
