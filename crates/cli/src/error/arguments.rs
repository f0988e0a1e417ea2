//! Errors of clap in the form that all errors have.

use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::{BadValue, command_line, meant};
use crate::suggest::listed;

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

/// Returns the hint: the possible values, the argument that was probably meant, an example, or else
/// the usage of the command.
pub fn hint(error: &clap::Error) -> String {
    let (name, mut command) = command_line::named(std::env::args_os().skip(1));
    let unknown = as_given(context(error, ContextKind::InvalidArg).unwrap_or_default());
    let is_unknown = error.kind() == ErrorKind::UnknownArgument;
    bad_value(error)
        .and_then(BadValue::hint)
        .or_else(|| is_unknown.then(|| meant::by_meaning(&command, &name, &unknown)).flatten())
        .or_else(|| near(error))
        .or_else(|| example(error, &name).map(str::to_owned))
        .or_else(|| values(error))
        .unwrap_or_else(|| command_line::usage(&name, &mut command))
}

/// Returns the whole word from the command line if clap names only its first letter.
fn as_given(unknown: String) -> String {
    let is_letter = unknown.len() == 2 && unknown.starts_with('-') && unknown != "--";
    let words = || std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    let whole = || words().find(|word| word.starts_with(&unknown));
    is_letter.then(whole).flatten().unwrap_or(unknown)
}

/// Returns a suggestion: the name with the most similar spelling.
fn near(error: &clap::Error) -> Option<String> {
    let near =
        [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    let name = near.iter().find_map(|kind| context(error, *kind))?;
    Some(format!("did you mean {name}?"))
}

/// Returns the possible values of an argument.
fn values(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::Strings(values)) = error.get(ContextKind::ValidValue) else {
        return None;
    };
    let values: Vec<_> = values.iter().map(String::as_str).collect();
    (!values.is_empty()).then(|| format!("one of {}", listed(&values)))
}

/// Returns an example for a command whose usage does not show all that it needs.
fn example(error: &clap::Error, name: &str) -> Option<&'static str> {
    let is_missing = error.kind() == ErrorKind::MissingRequiredArgument;
    (is_missing && name == "hasten keygen").then_some(KEYGEN)
}

/// Example of key generation for users who do not know the names of sets.
const KEYGEN: &str = "'hasten keygen --for firmware --signatures 30000 --store keys/fw' picks the \
    algorithm and says why; --alg NAME names it, and 'hasten list' shows all";

fn context(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(one) => Some(one.clone()),
        ContextValue::Strings(many) => many.first().cloned(),
        _ => None,
    }
}
