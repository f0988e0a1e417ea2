//! Questions and answers: a line of JSON and files in, JSON out.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::explore::{self, State};
use crate::{ladder, operation, store, verify};

/// A question; `files` has the lengths of the files that follow its line.
#[derive(Deserialize)]
struct Question {
    ask: Ask,
    #[serde(default)]
    files: Vec<usize>,
}

/// A question of the page.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Ask {
    /// Records the operations of a set at the usual levels, as text that `keep` accepts.
    Record { alg: String },
    /// Loads stored recordings from the only file.
    Keep {},
    /// Loads the reports of machines: two lists in the only file, of the processor and of others.
    Reports {},
    /// Lists the available sets, levels and ways of delivery.
    Choices {},
    /// Searches like `hasten explore --json`.
    Explore(Box<hasten_model::study::File>),
    /// Verifies a signature; the files are the public key, the message and the signature.
    Verify { alg: Option<String> },
    /// Identifies a file.
    Inspect {},
    /// Shows an operation: its phases and its critical path.
    Operation(operation::Asked),
    /// Shows the call graph of an operation, and which of its work is on the critical path.
    Calls(operation::Asked),
    /// Shows the work that each level of preparation leaves until after the message.
    Ladder(ladder::Asked),
    /// Shows when each part of a choice is active.
    Spans(Box<explore::Spans>),
    /// Plays a scenario of the store on a simulated disk.
    Store(store::Asked),
}

/// Returns the answer to a question as JSON, or a JSON object with the field `error`.
pub fn answer(state: &mut State, question: &[u8]) -> Vec<u8> {
    let answer = read(question).and_then(|(ask, files)| given(state, ask, &files));
    let answer = answer.unwrap_or_else(|error| json!({ "error": error }).to_string());
    answer.into_bytes()
}

/// Splits a question into its line and its files.
fn read(question: &[u8]) -> Result<(Ask, Vec<&[u8]>), String> {
    let end = question.iter().position(|byte| *byte == b'\n').unwrap_or(question.len());
    let (line, mut rest) = question.split_at(end);
    rest = rest.get(1..).unwrap_or_default();
    let Question { ask, files } = serde_json::from_slice(line).map_err(|e| e.to_string())?;
    let mut all = Vec::new();
    for length in files {
        let short = || "a file is shorter than its length says".to_owned();
        let (file, behind) = rest.split_at_checked(length).ok_or_else(short)?;
        all.push(file);
        rest = behind;
    }
    Ok((ask, all))
}

fn given(state: &mut State, ask: Ask, files: &[&[u8]]) -> Result<String, String> {
    let text = |value: Value| value.to_string();
    match (ask, files) {
        (Ask::Record { alg }, []) => explore::record(&alg),
        (Ask::Keep {}, [file]) => state.keep(file).map(text),
        (Ask::Reports {}, [file]) => state.take(file).map(text),
        (Ask::Choices {}, []) => Ok(explore::choices().to_string()),
        (Ask::Explore(study), []) => state.explore(&study),
        (Ask::Verify { alg }, [key, message, signature]) => {
            verify::verify(key, message, signature, alg.as_deref()).map(text)
        }
        (Ask::Inspect {}, [file]) => Ok(verify::inspected(file).to_string()),
        (Ask::Store(asked), []) => store::tell(&asked).map(text),
        (Ask::Calls(asked), []) => operation::calls(&asked).map(text),
        (Ask::Ladder(asked), []) => state.ladder(&asked).map(text),
        (Ask::Spans(asked), []) => state.spans(&asked).map(text),
        (Ask::Operation(asked), []) => state.operation(&asked).map(text),
        _ => Err("the question has the wrong number of files".to_owned()),
    }
}
