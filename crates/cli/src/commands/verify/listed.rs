//! Verification of the files in a signed list of digests.

use hasten_process::files::{folder_of, read_list};

use super::Row;
use crate::error::Error;
use crate::manifest::{self, Unfit};
use crate::verdict::Verdict;

/// Returns a row for each file in the list `bytes`. `list` is the verdict on the list itself.
/// Unless it is good, nothing in the list is trusted, and no row is returned.
pub fn rows(list: &Row, bytes: &[u8]) -> Result<Vec<Row>, Error> {
    if !list.good {
        return Ok(Vec::new());
    }
    let entries = read_list(bytes).map_err(|why| Unfit::List(why).of(&list.file))?;
    let folder = folder_of(&list.file);
    let paths: Vec<_> = entries.iter().map(|entry| folder.join(&entry.name)).collect();
    let progress = manifest::progress(paths.iter().map(|path| &**path));
    let rows = entries.iter().zip(&paths).map(|(entry, path)| {
        let row = Row {
            file: path.clone(),
            signature_file: list.signature_file.clone(),
            listed_in: Some(list.file.clone()),
            alg: "SHA-256".to_owned(),
            ..Row::default()
        };
        match manifest::digest(path, &progress) {
            Ok(digest) if digest == entry.digest => {
                Row { good: true, verdict: Verdict::Good, ..row }
            }
            Ok(_) => {
                let reason = Some("its digest is not the one in the list".to_owned());
                Row { verdict: Verdict::Bad, reason, ..row }
            }
            Err(why) => Row { error: Some(Error::unread(path)(why).to_string()), ..row },
        }
    });
    Ok(rows.collect())
}
