//! Wrong arguments, as clap finds them, in the form of every error.

use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::BadValue;

fn bad_value(error: &clap::Error) -> Option<&BadValue> {
    std::error::Error::source(error)?.downcast_ref()
}

/// Returns the problem as one lower-case line.
pub fn problem(error: &clap::Error) -> String {
    let argument = context(error, ContextKind::InvalidArg);
    if let (Some(value), Some(argument)) = (bad_value(error), &argument) {
        let flag = argument.split([' ', '=']).next().unwrap_or(argument);
        return format!("{flag}: {value}");
    }
    match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand => {
            "a command is missing".to_owned()
        }
        _ => first_paragraph(&error.render().to_string()),
    }
}

fn first_paragraph(rendered: &str) -> String {
    let lines = rendered.lines().take_while(|line| !line.is_empty()).map(str::trim);
    let joined = lines.collect::<Vec<_>>().join(" ");
    joined.strip_prefix("error: ").unwrap_or(&joined).to_owned()
}

/// Returns what to do about it.
pub fn hint(error: &clap::Error) -> String {
    let near =
        [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    bad_value(error)
        .and_then(BadValue::hint)
        .or_else(|| {
            near.iter()
                .find_map(|kind| context(error, *kind))
                .map(|name| format!("did you mean {name}?"))
        })
        .unwrap_or_else(|| {
            "'hasten --help' lists the commands, 'hasten COMMAND --help' their options".to_owned()
        })
}

fn context(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(one) => Some(one.clone()),
        ContextValue::Strings(many) => many.first().cloned(),
        _ => None,
    }
}
