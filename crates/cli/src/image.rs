//! Images for boot ROMs: the values of their header.

use std::io::Read;
use std::path::Path;

use hasten_keys::boot::{MOST_IMAGE, Placed, Unsigned};
use hasten_keys::encoding::PublicKey;
use hasten_keys::verify::Form;

use crate::error::{BadValue, Error};
use crate::form::Format;
use crate::help;

/// Options for the header of an image.
#[derive(clap::Args, Clone, Debug)]
pub struct Image {
    /// Version of the image; a machine takes none that is lower than its own.
    #[arg(long, value_name = "N", help_heading = help::IMAGES)]
    image_version: Option<u32>,
    /// Where the image is loaded [default: 0x20000000].
    #[arg(long, value_name = "ADDRESS", value_parser = address, help_heading = help::IMAGES)]
    load: Option<u32>,
    /// Its first instruction [default: where it is loaded].
    #[arg(long, value_name = "ADDRESS", value_parser = address, help_heading = help::IMAGES)]
    entry: Option<u32>,
    /// Number of the key among those whose hashes the machine has [default: 0].
    #[arg(long, value_name = "N", help_heading = help::IMAGES)]
    key_number: Option<u32>,
}

/// Address of the RAM in `rtl/soc`.
const LOAD: u32 = 0x2000_0000;

impl Image {
    /// Returns an error for these options with another format, or for an image without a version.
    pub fn check(&self, format: Format) -> Result<(), Error> {
        let given = [
            (self.image_version, "--image-version"),
            (self.load, "--load"),
            (self.entry, "--entry"),
            (self.key_number, "--key-number"),
        ];
        let is_boot = matches!(format, Format::Boot | Format::BootHss);
        let wrong = given.iter().find(|(value, _)| value.is_some() && !is_boot);
        match wrong {
            Some((_, option)) => Err(Error::OtherForm { option, format: format.name() }),
            None if is_boot && self.image_version.is_none() => {
                Err(Error::NoImageVersion(format.name()))
            }
            None => Ok(()),
        }
    }

    /// Reads an image, and returns it in the form that `key` signs.
    pub fn unsigned(
        &self,
        format: Format,
        path: &Path,
        key: &PublicKey,
        image: &mut dyn Read,
    ) -> Result<Unsigned, Error> {
        let mut bytes = Vec::new();
        let read = image.take(MOST_IMAGE as u64 + 1).read_to_end(&mut bytes);
        read.map_err(|cause| Error::key(path)(cause.into()))?;
        let load = self.load.unwrap_or(LOAD);
        let placed = Placed {
            version: self.image_version.unwrap_or_default(),
            load,
            entry: self.entry.unwrap_or(load),
            key_number: self.key_number.unwrap_or(0),
        };
        let form = if format == Format::BootHss { Form::Hss } else { Form::Lms };
        Unsigned::new(key, form, &bytes, &placed).map_err(Error::key(path))
    }
}

/// Parses an address: a number, or hexadecimal digits after `0x`.
fn address(text: &str) -> Result<u32, BadValue> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.map_err(|_| BadValue::Place(text.to_owned()))
}
